//! `cargo xtask differential`: the interpreter against gcc on many programs.

use clap::{Args, ValueEnum};
use ravelin_base::DataModel;
use ravelin_testkit::differential::{
    Campaign, Origin, Refusal, Subject, Summary, Task, compare_csmith, compare_generated,
};
use ravelin_testkit::gcc::{Execution, Failure, Gcc, Level};
use ravelin_testkit::interpreter::Pipeline;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Compare the interpreter with gcc on generated programs.
#[derive(Args, Debug)]
pub struct Options {
    /// How many programs of Ravelin's own generator.
    #[arg(long, value_name = "N", default_value_t = 0)]
    programs: u64,
    /// How many programs of csmith.
    #[arg(long, value_name = "N", default_value_t = 0)]
    csmith: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// ILP32 or LP64; both if not given.
    #[arg(long, value_name = "MODEL")]
    data_model: Option<DataModel>,
    /// What is compared with gcc's plain code.
    #[arg(long, value_enum, default_value_t = Against::Passes)]
    against: Against,
    /// How many programs run at the same time.
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// How many seconds a difference may be shrunk.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    shrink_time: u64,
    /// How many differences end the comparison.
    #[arg(long, value_name = "N", default_value_t = 5)]
    stop_after: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Against {
    /// The automaton as the front end makes it.
    Interpreter,
    /// The automaton as it is, and again after the default passes.
    Passes,
    /// gcc's optimised code: this checks the generator, not Ravelin.
    Optimised,
    /// gcc's sanitizers: this checks the generator, not Ravelin.
    Sanitised,
}

/// Runs the comparison and prints a line of figures for each set of programs.
pub fn run(options: &Options) -> ExitCode {
    let models = match options.data_model {
        Some(model) => vec![model],
        None => vec![DataModel::Ilp32, DataModel::Lp64],
    };
    let mut differences = 0;
    for model in models {
        if !Gcc::is_available(model) {
            println!("{model}: gcc cannot build programs for it here");
            continue;
        }
        // Without any number, a short run.
        let programs = if options.programs + options.csmith == 0 { 300 } else { options.programs };
        for (origin, count) in [(Origin::Generated, programs), (Origin::Csmith, options.csmith)] {
            if count == 0 {
                continue;
            }
            let campaign = Campaign {
                jobs: options.jobs,
                shrink_time: Duration::from_secs(options.shrink_time),
                stop_after: options.stop_after,
                ..Campaign::new(model, options.seed..options.seed + count)
            };
            let start = Instant::now();
            match compare(origin, &campaign, options.against) {
                Ok(summary) => {
                    for difference in &summary.differences {
                        println!("{}", difference.report());
                    }
                    let seconds = start.elapsed().as_secs_f64();
                    println!("{origin} {model} | {summary} | {seconds:.1} s");
                    differences += summary.differences.len();
                }
                Err(reason) => println!("{origin} {model} | {reason}"),
            }
        }
    }
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(origin: Origin, campaign: &Campaign, against: Against) -> Result<Summary, String> {
    let interpreter = |task: Task<'_>| Pipeline::plain().run(task);
    let optimised = |task: Task<'_>| run_with_gcc(task, Level::Optimised);
    let sanitised = |task: Task<'_>| run_with_gcc(task, Level::Sanitised);
    let subject: Subject<'_> = match against {
        Against::Interpreter => &interpreter,
        Against::Passes => &Pipeline::run_with_and_without_passes,
        Against::Optimised => &optimised,
        Against::Sanitised => &sanitised,
    };
    match origin {
        Origin::Generated => Ok(compare_generated(campaign, subject)),
        Origin::Csmith => compare_csmith(campaign, subject),
    }
}

fn run_with_gcc(task: Task<'_>, level: Level) -> Result<Execution, Refusal> {
    let source = std::fs::read_to_string(task.path)
        .map_err(|error| Refusal::Exhausted(error.to_string()))?;
    let gcc = Gcc {
        level,
        include_dirs: task.include_dirs.to_vec(),
        time_limit: Duration::from_secs(20),
        ..Gcc::new(task.model)
    };
    match gcc.run_all(&[source]).pop() {
        Some(Ok(execution)) => Ok(execution),
        Some(Err(Failure::Crash(message) | Failure::Rejected(message))) => {
            Err(Refusal::Stopped(message))
        }
        Some(Err(Failure::Timeout)) => Err(Refusal::Exhausted("timeout".to_owned())),
        Some(Err(Failure::CompilerCrash(_))) => Err(Refusal::Exhausted("gcc crashed".to_owned())),
        Some(Err(Failure::System(message))) => Err(Refusal::Exhausted(message)),
        None => Err(Refusal::Exhausted("gcc did not run".to_owned())),
    }
}
