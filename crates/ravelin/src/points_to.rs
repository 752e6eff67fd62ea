//! `ravelin points-to`: prints what the pointers of a program may point to.

use std::io::Write;
use std::time::{Duration, Instant};

use ravelin_base::Budget;
use ravelin_cfa::passes::PassConfig;
use ravelin_cfa::{Program, Sort};
use ravelin_pointsto::json::write_json;
use ravelin_pointsto::print::{ByLocation, Dot, Report};
use ravelin_pointsto::{Analysis, Options, PointsTo, analyse};

use crate::args::{PointerAnalysisArg, PointsToArgs, PointsToFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output::{Sink, write_to};
use crate::watchdog::Watchdog;

pub fn points_to(args: &PointsToArgs) -> Exit {
    front::print(&args.limits, |watchdog| print_result(args, watchdog))
}

fn print_result(args: &PointsToArgs, watchdog: &Watchdog) -> Result<(), Failure> {
    // Without passes, which would remove variables that the user knows.
    let front = front::build(&args.input, &[] as &[&str], &PassConfig::default())?;
    let begun = Instant::now();
    // The watchdog ends the process in time; the analysis has no partial result.
    let result = analyse(&front.program, &options(args), &mut Budget::unlimited())
        .map_err(|exhausted| Failure::new(Exit::Unknown, exhausted.to_string()))?;
    let took = begun.elapsed();
    watchdog.claim_last_word();
    if args.stats {
        crate::log(&stats(&front.program, &result, took));
    }
    let report = Report { program: &front.program, result: &result };
    let sink = args.output.clone().map_or(Sink::Stdout, Sink::File);
    let produce = |output: &mut dyn Write| match args.format {
        PointsToFormat::Text if args.per_location => {
            write!(output, "{report}{}", ByLocation(report))
        }
        PointsToFormat::Text => write!(output, "{report}"),
        PointsToFormat::Dot => write!(output, "{}", Dot(report)),
        PointsToFormat::Json => write_json(output, &report, args.per_location),
        PointsToFormat::None => Ok(()),
    };
    write_to(&sink, produce).map_err(|message: String| Failure::new(Exit::Output, message))
}

/// Lines of the form 'stat NAME VALUE', as in 'verify'.
fn stats(program: &Program, result: &PointsTo, took: Duration) -> String {
    let edges: usize = program.procs.values().map(|procedure| procedure.edges.len()).sum();
    let sets = program
        .vars
        .iter()
        .filter(|(_, data)| data.sort == Sort::Ptr)
        .map(|(var, _)| result.of_var(var))
        .filter(|set| !set.is_empty());
    let (mut pointers, mut unknown) = (0, 0);
    for set in sets {
        pointers += 1;
        unknown += usize::from(set.is_unknown());
    }
    format!(
        "stat points-to.seconds {:.6}\nstat points-to.edges {edges}\n\
         stat points-to.pointers {pointers}\nstat points-to.unknown {unknown}\n",
        took.as_secs_f64()
    )
}

fn options(args: &PointsToArgs) -> Options {
    Options {
        analysis: match args.analysis {
            PointerAnalysisArg::Andersen => Analysis::Andersen,
            PointerAnalysisArg::Steensgaard => Analysis::Steensgaard,
            PointerAnalysisArg::FlowSensitive => Analysis::FlowSensitive,
        },
        fields: args.fields.into(),
        structs: args.structs.into(),
        context: usize::from(args.context),
        ..Options::default()
    }
}
