//! `ravelin verify`: decides whether a property holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ravelin_analysis::progress::Progress;
use ravelin_report::model::{External, Report as Page};
use ravelin_verifier::property::parse_property_file;
use ravelin_verifier::{
    self as verifier, Answer, Asked, Proof, Reason, Run, Statistics, Vacuity, Verdict,
};

use crate::args::{AnswerFormat, VerifyArgs};
use crate::exit::Exit;
use crate::front::Failure;
use crate::human::Console;
use crate::output::{Sink, write_to};
use crate::report::Shown;
use crate::summary::summary;
use crate::watchdog::Watchdog;
use crate::witness::WitnessFile;
use crate::{
    analysis, formats, harness, human, many, output, panics, presets, refute, report, rests,
    witness,
};

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

/// A verdict with its evidence.
#[derive(Clone, Debug)]
struct Decided {
    verdict: Verdict,
    /// The text printed before it.
    evidence: String,
    /// Files to be written.
    files: Vec<(PathBuf, String)>,
    /// Everything about the run, if an option asks for it.
    report: Option<Box<Page>>,
    statistics: Statistics,
    /// The functions without body that the answer depends on.
    rests_on: Vec<External>,
    /// The messages about a rejected program.
    message: Option<String>,
    asked: Asked,
    /// A restriction of the answer TRUE.
    vacuity: Option<Vacuity>,
}

/// The question, which determines how the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether the property holds.
    Property,
    /// Whether an execution violates it as a witness says.
    Violation,
    /// Whether it holds, and what a witness says about it.
    Correctness,
}

impl Decided {
    fn new(verdict: Verdict, evidence: String) -> Self {
        Decided {
            verdict,
            evidence,
            files: Vec::new(),
            report: None,
            statistics: Statistics::default(),
            rests_on: Vec::new(),
            message: None,
            asked: Asked::default(),
            vacuity: None,
        }
    }

    fn unknown(reason: Reason) -> Self {
        Decided::new(Verdict::Unknown(reason), String::new())
    }

    /// The question is not known yet.
    fn failed(failure: Failure) -> Self {
        let unknown = Decided::unknown(reason(failure.exit));
        Decided { message: Some(failure.message), ..unknown }
    }

    /// Adds a requested file, if there is something to write.
    fn with(mut self, path: Option<&PathBuf>, text: impl FnOnce(&Path) -> Option<String>) -> Self {
        if let Some(path) = path
            && let Some(text) = text(path)
        {
            self.files.push((path.clone(), text));
        }
        self
    }

    /// Everything about the run with this verdict, which a limit may have changed since.
    fn page(&self, args: &VerifyArgs) -> Option<Page> {
        let Decided { verdict, asked, statistics, .. } = self;
        match &self.report {
            Some(page) => Some(Page { verdict: verdict.to_string(), ..(**page).clone() }),
            None => args
                .report
                .as_ref()
                .map(|_| report::without_answer(args, verdict, asked, statistics)),
        }
    }

    /// The machine-readable answer.
    fn told(&self, exit: Exit) -> formats::Answer<'_> {
        let Decided { verdict, asked, vacuity, .. } = self;
        let message = self.message.as_deref();
        formats::Answer { verdict, message, asked, vacuity: *vacuity, exit }
    }

    /// The text of an answer, with the requested files.
    fn of(args: &VerifyArgs, asked: &Asked, answer: &Answer) -> Self {
        let (input, verdict) = (&args.input, answer.verdict.clone());
        let file = args.witness.as_deref().map(|path| WitnessFile { input, asked, answer, path });
        match &answer.verdict {
            Verdict::True(proof) => {
                let (evidence, proof) = match proof {
                    Proof::Explored { states } => {
                        (format!("Explored: all {states} states\n"), None)
                    }
                    Proof::Abstraction(proof) => (render_invariants(answer), Some(&**proof)),
                };
                Decided::new(verdict, evidence)
                    .with(args.witness.as_ref(), |_| witness::of_proof(file?, proof))
            }
            Verdict::False(violation) => {
                let execution = violation.execution.as_deref();
                Decided::new(verdict, refute::text(input, violation))
                    .with(args.schedule_out.as_ref(), |_| refute::schedule_file(input, violation))
                    .with(args.witness.as_ref(), |_| witness::of_violation(file?, execution?))
                    .with(args.harness.as_ref(), |path| {
                        harness::of_violation(input, path, execution?)
                    })
            }
            Verdict::Unknown(_) => Decided::new(verdict, String::new()),
        }
    }
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
        false => answer(args, Question::Property),
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

/// Prints an answer, whatever happens.
pub fn answer(args: &VerifyArgs, question: Question) -> Exit {
    if let Err(failure) = check_outputs(args) {
        crate::log(&failure.message);
        let decided = Decided::failed(failure.clone());
        return print(&decided, question, args.format, failure.exit)
            .map_or_else(told, |()| failure.exit);
    }
    let progress = match args.report {
        Some(_) => Progress::with_graph(),
        None => Progress::default(),
    };
    let console = Arc::new(Console::new(args));
    let run = Run::new(args.limits.starting_now(), progress, Arc::clone(&console) as _);
    let watchdog = Watchdog::start_asking(run.limits, run.cancel.clone(), {
        let (run, args) = (run.clone(), args.clone());
        move |reached| {
            human::end_progress();
            let decided = Decided {
                statistics: statistics(&run, Duration::ZERO),
                ..Decided::unknown(run.met.explain(reached.reason()))
            };
            // The process ends here; a failure has no further consequence.
            finish(&args, question, decided, Exit::Unknown);
        }
    });
    let ticker = console.start_ticker(&run.progress);
    let result = panics::catch(|| decide(args, &run));
    drop(ticker);
    watchdog.claim_last_word();
    let (decided, exit) = match result {
        Ok(Ok(decided)) => {
            // A command that was asked to stop knows only that it was interrupted.
            let verdict = match (decided.verdict, watchdog.reached()) {
                (Verdict::Unknown(_), Some(reached)) => {
                    Verdict::Unknown(run.met.explain(reached.reason()))
                }
                (verdict, _) => verdict,
            };
            let (_, exit) = question.answer(&verdict);
            (Decided { verdict, ..decided }, exit)
        }
        Ok(Err(failure)) => {
            crate::log(&failure.message);
            let exit = failure.exit;
            (Decided::failed(failure), exit)
        }
        // Z3's bindings fail in unexpected ways if Z3 is interrupted between two queries.
        Err(panics::Panicked) => match watchdog.reached() {
            Some(reached) => (Decided::unknown(run.met.explain(reached.reason())), Exit::Unknown),
            None => (Decided::unknown(reason(Exit::Internal)), Exit::Internal),
        },
    };
    finish(args, question, decided, exit)
}

/// Writes the requested files, prints the meaning of the answer, and the answer.
fn finish(args: &VerifyArgs, question: Question, mut decided: Decided, exit: Exit) -> Exit {
    if args.stats {
        crate::log(&decided.statistics.to_string());
    }
    let page = decided.page(args);
    let junit = args.junit.as_ref().map(|_| {
        let answer = formats::document(decided.told(exit), page.as_ref());
        many::junit_of_one(args, answer, decided.statistics.analysis.elapsed)
    });
    let sarif = args.sarif.as_ref().map(|_| formats::sarif(decided.told(exit), page.as_ref()));
    let html = args.report.as_ref().and_then(|_| page.as_ref().map(ravelin_report::render));
    decided = decided
        .with(args.sarif.as_ref(), |_| sarif)
        .with(args.report.as_ref(), |_| html)
        .with(args.junit.as_ref(), |_| junit);
    let mut exit = exit;
    // A file that cannot be written does not prevent the others.
    for (path, text) in &decided.files {
        let sink = Sink::File(path.clone());
        if let Err(message) = write_to(&sink, |output| output.write_all(text.as_bytes())) {
            exit = told(message);
        }
    }
    if !args.quiet {
        match (&decided.verdict, exit) {
            // Then the error is in the program or the command, and was reported.
            (_, Exit::Rejected | Exit::Usage | Exit::Internal | Exit::Output) => {}
            (Verdict::Unknown(reason), _) => crate::log(&summary(args, question, Some(reason))),
            (Verdict::True(_) | Verdict::False(_), _) => {
                crate::log(&summary(args, question, None));
                crate::log(&rests::lines(&decided.rests_on, args.verbose));
            }
        }
        // An answer about the instrumented program would mislead.
        if let (Question::Property, Some(vacuity)) = (question, decided.vacuity) {
            crate::log(&format!("ravelin: note: {vacuity}\n"));
        }
    }
    print(&decided, question, args.format, exit).map_or_else(told, |()| exit)
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

fn statistics(run: &Run, replays: Duration) -> Statistics {
    let front_end = run.phases.get().copied().unwrap_or_default();
    Statistics { front_end, analysis: run.progress.latest(), replays }
}

fn decide(args: &VerifyArgs, run: &Run) -> Result<Decided, Failure> {
    let asked = match &args.property {
        Some(path) => read_property_file(path)?,
        None => Asked::default(),
    };
    let (input, verifier) = (args.input.input()?, analysis::verifier(args, asked.clone()));
    let answer = match verifier.decide(&input, run) {
        Ok(answer) => answer,
        Err(verifier::Failure::Solver(error)) => {
            return Ok(Decided::unknown(Reason::NoSolver(error.to_string())));
        }
        Err(verifier::Failure::Front(error)) => return Err(args.input.failure(error)),
        Err(failure @ verifier::Failure::Dump(..)) => {
            return Err(Failure::new(Exit::Output, failure.to_string()));
        }
        Err(failure @ verifier::Failure::Internal) => {
            return Err(Failure::new(Exit::Internal, failure.to_string()));
        }
    };
    let statistics = statistics(run, answer.replays);
    let decided = Decided::of(args, &asked, &answer);
    let states = run.progress.graph();
    let shown =
        Shown { asked: &asked, input: &input, answer: &answer, states, statistics: &statistics };
    let is_told = args.report.is_some()
        || args.sarif.is_some()
        || args.junit.is_some()
        || args.format == AnswerFormat::Json;
    let report = is_told.then(|| Box::new(report::gather(&shown)));
    let rests_on = answer.external_functions().iter().map(rests::told).collect();
    Ok(Decided { asked, report, statistics, rests_on, vacuity: answer.vacuity, ..decided })
}

fn render_invariants(answer: &Answer) -> String {
    let mut text = String::new();
    for verifier::LoopInvariant { place, function, formula } in answer.invariants() {
        let at = if place.is_empty() { place } else { format!("{place} ") };
        text += &format!("Invariant {at}in {function}: {formula}\n");
    }
    text
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

fn print(
    decided: &Decided,
    question: Question,
    format: AnswerFormat,
    exit: Exit,
) -> Result<(), String> {
    let Decided { verdict, evidence, report, .. } = decided;
    if format == AnswerFormat::Json {
        let text = formats::json(decided.told(exit), report.as_deref());
        return write_to(&Sink::Stdout, |output| output.write_all(text.as_bytes()));
    }
    let (line, _) = question.answer(verdict);
    // Evidence about a witness refers to the instrumented program, not to the user's.
    let evidence = if question == Question::Property { evidence } else { "" };
    write_to(&Sink::Stdout, |output| writeln!(output, "{evidence}{}", human::coloured(&line)))
}
