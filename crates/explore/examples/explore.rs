//! Explores one C program and says what it cost: `explore FILE [--data-model ILP32|LP64]
//! [--por none|static|dynamic] [--order depth-first|few-preemptions] [--timeout SECONDS] [--memory MEGABYTES] [--all]`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use ravelin_base::{Budget, DataModel, diagnostic::render};
use ravelin_cfa::passes;
use ravelin_explore::{Answer, Options, Order, Reduction, explore};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{Replay, RunConfig};

struct Arguments {
    file: PathBuf,
    data_model: DataModel,
    options: Options,
    timeout: Option<u64>,
}

fn arguments() -> Result<Arguments, String> {
    let mut words = std::env::args().skip(1);
    let mut file = None;
    let (mut data_model, mut options, mut timeout) = (DataModel::Ilp32, Options::default(), None);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("'{word}' wants a value"));
        match word.as_str() {
            "--data-model" => {
                data_model = DataModel::from_str(&value()?).map_err(|_| "no such data model")?;
            }
            "--por" => {
                options.reduction = match value()?.as_str() {
                    "none" => Reduction::None,
                    "static" => Reduction::Static,
                    "dynamic" => Reduction::Dynamic,
                    other => return Err(format!("no reduction '{other}'")),
                };
            }
            "--order" => {
                options.order = match value()?.as_str() {
                    "depth-first" => Order::DepthFirst,
                    "few-preemptions" => Order::FewPreemptions,
                    other => return Err(format!("no order '{other}'")),
                };
            }
            "--timeout" => timeout = Some(number(&value()?)?),
            "--memory" => options.max_bytes = (number(&value()?)? as usize) << 20,
            "--all" => options.all_endings = true,
            "--only-complete" => options.only_complete = true,
            _ => file = Some(PathBuf::from(word)),
        }
    }
    let file = file.ok_or("no file")?;
    Ok(Arguments { file, data_model, options, timeout })
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

fn run() -> Result<(), String> {
    let Arguments { file, data_model, options, timeout } = arguments()?;
    let source = SourceOptions { data_model, ..SourceOptions::default() };
    let built = with_deep_stack(|| ravelin_frontend::build(&[file], &source))
        .map_err(|error| error.to_string())?
        .map_err(|errors| render(&errors))?;
    let mut program = built.program;
    passes::run(&mut program, passes::DEFAULT, &Default::default())
        .map_err(|error| error.to_string())?;
    let mut budget = Budget::unlimited();
    if let Some(timeout) = timeout {
        budget = budget.with_timeout(Duration::from_secs(timeout));
    }
    let begun = Instant::now();
    let found = explore(&program, &options, &mut budget);
    let seconds = begun.elapsed().as_secs_f64();
    let verdict = match &found.answer {
        Answer::Complete => "TRUE".to_owned(),
        Answer::Incomplete(reason) => format!("UNKNOWN({reason})"),
        Answer::Error { kind, pos, schedule } => {
            let mut replay = Replay::new(schedule.clone());
            let run = ravelin_interp::run(&program, &mut replay, &RunConfig::default());
            let is_error = run.outcome.violation(program.checked) == Some(*kind);
            match is_error && run.outcome.pos() == Some(*pos) {
                true => "FALSE".to_owned(),
                false => format!("UNKNOWN(replay diverged: {})", run.outcome.display(&program)),
            }
        }
    };
    println!(
        "{verdict} states {} transitions {} seconds {seconds:.3} states/s {:.0} bytes/state {:.0}",
        found.states,
        found.transitions,
        found.states as f64 / seconds,
        found.bytes_per_state(),
    );
    if options.all_endings {
        println!("{:?}", found.endings);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("explore: {message}");
            ExitCode::FAILURE
        }
    }
}
