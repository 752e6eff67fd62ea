//! `ravelin replay`: checks a witness.
//!
//! `ravelin_witness::instrument` adds the witness to the program, and the verifier checks the
//! result like any other program.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ravelin_base::Budget;
use ravelin_cfa::VarData;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_por::ProgramFacts;
use ravelin_verifier::explicit_state::{Explorer, Found};
use ravelin_verifier::front::SOURCE_PASSES;
use ravelin_verifier::obstacle::Met;
use ravelin_verifier::{Asked, Reason, Silence, Verdict, Verifier};
use ravelin_witness::instrument::{COUNTER, Reading};
use ravelin_witness::{Content, Witness, WitnessError, graphml, yaml};

use crate::args::{
    AnswerFormat, CheckArgs, ExternalArg, InputArgs, LimitArgs, ReplayArgs, VerifyArgs,
};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::model::ModelBy;
use crate::output::{Sink, write_to};
use crate::verify::{self, Question};
use crate::witness::{Units, hash};
use crate::{analysis, human};

pub fn replay(args: &ReplayArgs) -> Exit {
    let begun = Instant::now();
    match prepare(args) {
        Ok(Prepared { likely: Some(likely), .. }) if is_violated(args, &likely) => {
            verify::tell_confirmed()
        }
        Ok(Prepared { mut args, question, .. }) => {
            let left = |timeout: Duration| timeout.saturating_sub(begun.elapsed());
            args.limits.timeout = args.limits.timeout.map(left);
            verify::answer(&args, question, Ok(vec![Asked::default()]))
        }
        Err(Refusal::Failure(failure)) => {
            crate::log(&failure.message);
            failure.exit
        }
        Err(Refusal::Unknown(why)) => tell_unknown(&why),
    }
}

/// Why verification does not start.
enum Refusal {
    Failure(Failure),
    /// The witness may be correct.
    Unknown(String),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Refusal::Failure(failure)
    }
}

fn tell_unknown(why: &str) -> Exit {
    let line = format!("Witness: unknown({why})");
    match write_to(&Sink::Stdout, |output| writeln!(output, "{}", human::coloured(&line))) {
        Ok(()) => Exit::Unknown,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

/// The programs to verify.
struct Prepared {
    args: VerifyArgs,
    question: Question,
    /// A program with fewer executions, which is searched for an error first.
    likely: Option<Likely>,
}

/// A program that follows the witness wherever it can: an error in it is an error that the witness
/// describes.
enum Likely {
    WithThreads(InputArgs),
    Sequential(InputArgs),
}

/// The time for a first search if there is no limit.
const SHORT_LOOK: Duration = Duration::from_secs(10);

/// Whether a short search finds an error.
fn is_violated(args: &ReplayArgs, likely: &Likely) -> bool {
    let limits = &args.limits;
    match likely {
        Likely::WithThreads(input) => is_found_by_exploring(input, limits),
        Likely::Sequential(input) => {
            let Ok(input) = input.input() else { return false };
            let timeout = limits.timeout.map_or(SHORT_LOOK, |timeout| timeout / 4);
            let verifier = Verifier {
                strategy: analysis::strategy(&args.analysis),
                solver: args.solver.choice(),
                timeout: Some(timeout),
                memory_megabytes: limits.memory_limit,
                ..Verifier::default()
            };
            verifier.verify(&input).is_ok_and(|answer| matches!(answer.verdict, Verdict::False(_)))
        }
    }
}

/// Whether threads that pass one waypoint after the other reach an error.
fn is_found_by_exploring(input: &InputArgs, limits: &LimitArgs) -> bool {
    let Ok(front) = front::build_again(input, passes::DEFAULT, &PassConfig::default()) else {
        return false;
    };
    let program = &front.program;
    let is_counter = |var: &VarData| program.name(var.name) == COUNTER;
    let Some((counter, _)) = program.vars.iter().find(|(_, var)| is_counter(var)) else {
        return false;
    };
    let mut budget = Budget::unlimited();
    if let Some(timeout) = limits.timeout {
        budget = budget.with_timeout(timeout / 2);
    }
    let (limits, met) = (limits.starting_now(), &Met::default());
    let facts = &ProgramFacts::new(program, budget.clone());
    let explorer = Explorer { facts, limits, listener: &Silence, met };
    matches!(explorer.guided_look(counter, &budget), Some(Found::Error(_)))
}

fn prepare(args: &ReplayArgs) -> Result<Prepared, Refusal> {
    let reject = |why: String| {
        let message = format!("witness '{}': {why}", args.witness.display());
        Refusal::Failure(Failure::new(Exit::Rejected, message))
    };
    let refuse = |error: WitnessError| match error {
        WitnessError::Malformed(why) => reject(why),
        WitnessError::Unsupported(why) => Refusal::Unknown(why),
    };
    let text = fs::read_to_string(&args.witness).map_err(|error| reject(error.to_string()))?;
    let read = match text.trim_start().starts_with('<') {
        true => graphml::read(&text),
        false => yaml::read(&text),
    };
    let witness = read.map_err(refuse)?;
    match Asked::of_specification(&witness.task.specification) {
        // The instrumentation adds calls of error functions.
        Some(asked) if asked == Asked::default() => {}
        Some(_) => return Err(Refusal::Unknown(Reason::UnsupportedProperty.to_string())),
        None => {
            let specification = &witness.task.specification;
            return Err(reject(format!("its specification is '{specification}'")));
        }
    }
    let (data_model, model_by) = (witness.task.data_model, ModelBy::Witness);
    let input = InputArgs { data_model, model_by, ..args.input.clone() };
    warn_of_other_files(&input, &witness);
    let Some(units) = Units::parse(&input) else {
        // Parsing it again gives the reason.
        return Err(match front::build(&input, SOURCE_PASSES, &PassConfig::default()) {
            Err(failure) => failure.into(),
            Ok(_) => reject("the program cannot be read".to_owned()),
        });
    };
    // The instrumentation uses functions of SV-COMP, which say nothing about the program.
    let by_text = match units.describes_environment {
        true => ExternalArg::Havoc,
        false => ExternalArg::Callbacks,
    };
    let input = InputArgs { external: input.external.or(Some(by_text)), ..input };
    let instrumented = |reading: Reading| units.instrumented(&witness, reading).map_err(refuse);
    let as_written = instrumented(Reading::AsWritten)?;
    let question = match witness.content {
        Content::Violation(_) => Question::Violation,
        Content::Correctness(_) => Question::Correctness,
    };
    let likely = match question {
        Question::Violation => {
            let texts = instrumented(Reading::AsComplete)?;
            let input = |texts| InputArgs { texts: Some(texts), ..input.clone() };
            match units.has_threads {
                true => Some(Likely::WithThreads(input(texts))),
                // A strict witness cannot be made stricter.
                false if texts == as_written => None,
                false => Some(Likely::Sequential(input(texts))),
            }
        }
        Question::Correctness | Question::Property => None,
    };
    let verify = VerifyArgs {
        input: InputArgs { texts: Some(as_written), ..input },
        checks: CheckArgs::default(),
        property: None,
        stats: args.stats,
        schedule_out: None,
        witness: None,
        harness: None,
        report: None,
        sarif: None,
        format: AnswerFormat::Text,
        quiet: false,
        verbose: args.verbose,
        jobs: None,
        junit: None,
        analysis: args.analysis.clone(),
        solver: args.solver.clone(),
        limits: args.limits.clone(),
    };
    Ok(Prepared { args: verify, question, likely })
}

/// A witness for another version of a program may still fit this one.
fn warn_of_other_files(input: &InputArgs, witness: &Witness) {
    for file in &input.files {
        let name = file.file_name();
        let told = witness.task.files.iter().find(|(told, _)| Path::new(told).file_name() == name);
        if let (Some((_, told)), Ok(bytes)) = (told, fs::read(file))
            && !told.is_empty()
            && *told != hash(&bytes)
        {
            let file = file.display();
            crate::log(&format!("ravelin: the witness is of another version of '{file}'\n"));
        }
    }
}
