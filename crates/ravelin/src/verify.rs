//! `ravelin verify`: decides whether properties hold.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ravelin_analysis::progress::Progress;
use ravelin_verifier::panics;
use ravelin_verifier::property::{parse_property_file, questions};
use ravelin_verifier::{self as verifier, Answered, Asked, Reason, Run, Verdict};

use crate::args::{AnswerFormat, CheckArg, DEFAULT_CHECKS, VerifyArgs};
use crate::decided::{Conclusion, Decided, names, statistics};
use crate::exit::Exit;
use crate::front::Failure;
use crate::human::Console;
use crate::output::{Sink, write_to};
use crate::summary::summary;
use crate::watchdog::{Reached, Watchdog};
use crate::{analysis, formats, human, many, output, presets, rests};

impl Question {
    /// The last line of standard output, and the exit code.
    fn answer(self, verdict: &Verdict) -> (String, Exit) {
        let is_confirmed = match (self, verdict) {
            (Question::Property, verdict) => {
                let exit = match verdict {
                    Verdict::True(_) => Exit::Ok,
                    Verdict::False(_) => Exit::Violation,
                    Verdict::Unknown(_) => Exit::Unknown,
                };
                return (format!("Verdict: {verdict}"), exit);
            }
            (_, Verdict::Unknown(reason)) => {
                return (format!("Witness: unknown({reason})"), Exit::Unknown);
            }
            (Question::Violation, verdict) => matches!(verdict, Verdict::False(_)),
            (Question::Correctness, verdict) => matches!(verdict, Verdict::True(_)),
        };
        match is_confirmed {
            true => (CONFIRMED.to_owned(), Exit::Ok),
            false => ("Witness: rejected".to_owned(), Exit::Violation),
        }
    }
}

const CONFIRMED: &str = "Witness: confirmed";

/// What is asked about the properties, which determines how the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether the property holds.
    Property,
    /// Whether an execution violates it as a witness says.
    Violation,
    /// Whether it holds, and what a witness says about it.
    Correctness,
}

/// Prints a verdict, whatever happens.
pub fn verify(args: &VerifyArgs) -> Exit {
    if args.analysis.list_presets {
        return match write_to(&Sink::Stdout, |output| output.write_all(presets::list().as_bytes()))
        {
            Ok(()) => Exit::Ok,
            Err(message) => {
                crate::log(&format!("ravelin: {message}\n"));
                Exit::Output
            }
        };
    }
    match many::are_many(args) {
        true => many::verify(args),
        false => answer(args, Question::Property, asked(args)),
    }
}

/// Prints that a witness of a violation is correct.
pub fn tell_confirmed() -> Exit {
    match write_to(&Sink::Stdout, |output| writeln!(output, "{}", human::coloured(CONFIRMED))) {
        Ok(()) => Exit::Ok,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

/// The questions that the arguments ask.
fn asked(args: &VerifyArgs) -> Result<Vec<Asked>, Failure> {
    match &args.property {
        Some(path) => Ok(vec![read_property_file(path)?]),
        None if args.asks_default() => Ok(questions(CheckArg::properties_of(DEFAULT_CHECKS))),
        None => Ok(questions(CheckArg::properties_of(&args.checks.check))),
    }
}

/// What is decided so far, by the numbers of the questions.
type Slots = Arc<Mutex<Vec<Option<Decided>>>>;

/// Prints an answer, whatever happens.
pub fn answer(args: &VerifyArgs, question: Question, asked: Result<Vec<Asked>, Failure>) -> Exit {
    if let Err(failure) = check_outputs(args) {
        crate::log(&failure.message);
        let asked = asked.unwrap_or_else(|_| vec![Asked::default()]);
        let conclusion = failed(&asked, failure.clone());
        return print(args, question, &conclusion, failure.exit);
    }
    let asked = match asked {
        Ok(asked) => asked,
        Err(failure) => return fail(args, question, &[Asked::default()], failure),
    };
    let asked = asked.as_slice();
    let progress = match args.report {
        Some(_) => Progress::with_graph(),
        None => Progress::default(),
    };
    let console = Arc::new(Console::new(args));
    let run = Run::new(args.limits.starting_now(), progress, Arc::clone(&console) as _);
    let slots: Slots = Arc::new(Mutex::new(vec![None; asked.len()]));
    let watchdog = Watchdog::start_asking(run.limits, run.cancel.clone(), {
        let (run, args, asked, slots) =
            (run.clone(), args.clone(), asked.to_vec(), Arc::clone(&slots));
        move |reached| {
            human::end_progress();
            let conclusion = conclude(&asked, &slots, |number, asked| {
                let (run, time) =
                    run.part_about(number).unwrap_or_else(|| (run.clone(), Duration::ZERO));
                let unknown = Decided::unknown(asked, run.met.explain(reached.reason()));
                Decided { statistics: statistics(&run, Duration::ZERO), time, ..unknown }
            });
            // The process ends here; a failure has no further consequence.
            let (_, exit) = question.answer(&conclusion.leading().verdict);
            finish(&args, question, conclusion, exit)
        }
    });
    let ticker = console.start_ticker(&run.progress);
    let result = panics::catch(|| decide(args, asked, &run, &slots, &|| watchdog.reached()));
    drop(ticker);
    watchdog.claim_last_word();
    let reason = match result {
        Ok(Ok(())) => watchdog.reached().map_or(Reason::NoAnswer, Reached::reason),
        Ok(Err(Refusal::Failure(failure))) => return fail(args, question, asked, failure),
        Ok(Err(Refusal::Reason(reason))) => reason,
        // Z3's bindings fail in unexpected ways if Z3 is interrupted between two queries.
        Err(panics::Panicked) => match watchdog.reached() {
            Some(reached) => run.met.explain(reached.reason()),
            None => Reason::InternalError,
        },
    };
    let conclusion = conclude(asked, &slots, |_, asked| Decided::unknown(asked, reason.clone()));
    let verdict = &conclusion.leading().verdict;
    let exit = match verdict {
        Verdict::Unknown(Reason::InternalError) => Exit::Internal,
        Verdict::True(_) | Verdict::False(_) | Verdict::Unknown(_) => question.answer(verdict).1,
    };
    finish(args, question, conclusion, exit)
}

/// Everything that was asked; `rest` is about a question that is not decided.
fn conclude(asked: &[Asked], slots: &Slots, rest: impl Fn(usize, &Asked) -> Decided) -> Conclusion {
    let mut slots = slots.lock().unwrap_or_else(PoisonError::into_inner);
    let parts = asked.iter().zip(slots.iter_mut()).enumerate();
    let parts = parts
        .map(|(number, (asked, slot))| slot.take().unwrap_or_else(|| rest(number, asked)))
        .collect();
    Conclusion { parts, message: None }
}

/// Prints that there is no answer because the command failed.
fn fail(args: &VerifyArgs, question: Question, asked: &[Asked], failure: Failure) -> Exit {
    crate::log(&failure.message);
    let exit = failure.exit;
    finish(args, question, failed(asked, failure), exit)
}

/// No question has an answer because the command failed.
fn failed(asked: &[Asked], failure: Failure) -> Conclusion {
    let conclusion = Conclusion::unknown(asked, &reason(failure.exit));
    Conclusion { message: Some(failure.message), ..conclusion }
}

/// Writes the requested files, prints the meaning of the answer, and the answer.
fn finish(args: &VerifyArgs, question: Question, conclusion: Conclusion, exit: Exit) -> Exit {
    if args.stats {
        crate::log(&statistics_of(&conclusion));
    }
    let leading = conclusion.leading();
    let answer = formats::Answer { conclusion: &conclusion, exit };
    let page = || leading.page(args);
    let mut files = leading.files.clone();
    let mut add = |path: &Option<PathBuf>, text: &dyn Fn() -> Option<String>| {
        if let Some(path) = path
            && let Some(text) = text()
        {
            files.push((path.clone(), text));
        }
    };
    add(&args.sarif, &|| Some(formats::sarif(answer)));
    add(&args.report, &|| page().as_ref().map(ravelin_report::render));
    add(&args.junit, &|| Some(many::junit_of_one(args, formats::parts(answer))));
    let mut exit = exit;
    // A file that cannot be written does not prevent the others.
    for (path, text) in &files {
        let sink = Sink::File(path.clone());
        if let Err(message) = write_to(&sink, |output| output.write_all(text.as_bytes())) {
            exit = told(message);
        }
    }
    if !args.quiet {
        match exit {
            // Then the error is in the program or the command, and was reported.
            Exit::Rejected | Exit::Usage | Exit::Internal | Exit::Output => {}
            Exit::Ok | Exit::Violation | Exit::Unknown => {
                crate::log(&summary(args, question, &conclusion));
                crate::log(&rests::lines(&conclusion.rests_on(), args.verbose));
            }
        }
        // An answer about the instrumented program would mislead.
        if question == Question::Property {
            for (vacuity, of) in conclusion.vacuities() {
                let of = match conclusion.parts.as_slice() {
                    [_] => String::new(),
                    _ => format!("{of}: "),
                };
                crate::log(&format!("ravelin: note: {of}{vacuity}\n"));
            }
        }
    }
    print(args, question, &conclusion, exit)
}

/// Prints the answer.
fn print(args: &VerifyArgs, question: Question, conclusion: &Conclusion, exit: Exit) -> Exit {
    let text = match args.format {
        AnswerFormat::Json => formats::json(formats::Answer { conclusion, exit }),
        AnswerFormat::Text => lines(conclusion, question),
    };
    write_to(&Sink::Stdout, |output| output.write_all(text.as_bytes())).map_or_else(told, |()| exit)
}

/// The lines of statistics. With several questions, those that were decided together have one set, after a line that
/// names them.
fn statistics_of(conclusion: &Conclusion) -> String {
    match conclusion.parts.as_slice() {
        [only] => only.statistics.to_string(),
        parts => {
            let own = (0..parts.len()).filter(|&number| conclusion.has_own_evidence(number));
            let part =
                |part: &Decided| format!("stat property {}\n{}", part.together, part.statistics);
            own.map(|number| part(&parts[number])).collect()
        }
    }
}

/// The answer for people: a line for each question if there are several, and the verdict. If the command failed, nothing
/// is to be said of questions.
fn lines(conclusion: &Conclusion, question: Question) -> String {
    let mut text = String::new();
    for (number, part) in conclusion.parts.iter().enumerate() {
        if conclusion.parts.len() > 1 && conclusion.message.is_none() {
            let verdict = human::coloured_verdict(&part.verdict);
            let seconds = part.time.as_secs_f64();
            text += &format!("{}: {verdict} ({seconds:.2} s)\n", part.names());
        }
        // Evidence about a witness refers to the instrumented program, not to the user's.
        if question == Question::Property && conclusion.has_own_evidence(number) {
            text += &part.evidence;
        }
    }
    let (line, _) = question.answer(&conclusion.leading().verdict);
    text + &human::coloured(&line) + "\n"
}

/// Reports that output failed.
fn told(message: String) -> Exit {
    crate::log(&format!("ravelin: {message}\n"));
    Exit::Output
}

/// Checks before hours of work that all output files are distinct and can be written.
fn check_outputs(args: &VerifyArgs) -> Result<(), Failure> {
    let VerifyArgs { schedule_out, witness, harness, report, sarif, junit, .. } = args;
    let outputs = [schedule_out, witness, harness, report, sarif, junit].into_iter().flatten();
    let mut taken: Vec<PathBuf> =
        args.input.files.iter().filter_map(|it| it.canonicalize().ok()).collect();
    for path in outputs {
        let place = output::place(path).map_err(|message| Failure::new(Exit::Output, message))?;
        if taken.contains(&place) {
            let message =
                format!("'{}' would be written over another file of this command", path.display());
            return Err(Failure::new(Exit::Usage, message));
        }
        taken.push(place);
    }
    Ok(())
}

/// Why there is no answer to any question.
enum Refusal {
    Failure(Failure),
    Reason(Reason),
}

/// Decides the questions, and keeps what comes of them.
fn decide(
    args: &VerifyArgs,
    asked: &[Asked],
    run: &Run,
    slots: &Slots,
    reached: &dyn Fn() -> Option<Reached>,
) -> Result<(), Refusal> {
    let input = args.input.input().map_err(Refusal::Failure)?;
    let verifier = analysis::verifier(args);
    let hear = |answered: Answered| {
        let (number, met) = (answered.number, answered.run.met.clone());
        let mut decided = Decided::of(args, &asked[number], answered);
        // A run that was asked to stop knows only that it was interrupted.
        if let (Verdict::Unknown(_), Some(reached)) = (&decided.verdict, reached()) {
            decided.verdict = Verdict::Unknown(met.explain(reached.reason()));
        }
        if asked.len() > 1 && args.verbose {
            let verdict = &decided.verdict;
            crate::log(&format!("ravelin: {}: {verdict}\n", names(&decided.asked)));
        }
        slots.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(decided);
    };
    verifier.decide_each(asked, &input, run, hear).map_err(|failure| match failure {
        verifier::Failure::Solver(error) => Refusal::Reason(Reason::NoSolver(error.to_string())),
        verifier::Failure::Front(error) => Refusal::Failure(args.input.failure(error)),
        verifier::Failure::Dump(..) => {
            Refusal::Failure(Failure::new(Exit::Output, failure.to_string()))
        }
        verifier::Failure::Internal => {
            Refusal::Failure(Failure::new(Exit::Internal, failure.to_string()))
        }
    })
}

fn read_property_file(path: &Path) -> Result<Asked, Failure> {
    let reject =
        |why: String| Failure::new(Exit::Rejected, format!("property '{}': {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| reject(error.to_string()))?;
    parse_property_file(&text).map_err(|error| reject(error.to_string()))
}

/// The reason of a verdict if the command failed.
fn reason(exit: Exit) -> Reason {
    match exit {
        Exit::Rejected => Reason::InputRejected,
        Exit::Internal => Reason::InternalError,
        Exit::Usage => Reason::WrongUsage,
        Exit::Output => Reason::OutputFailed,
        Exit::Ok | Exit::Violation | Exit::Unknown => Reason::NoAnswer,
    }
}
