//! `ravelin verify`: decides whether a property holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ravelin_analysis::progress::Progress;
use ravelin_analysis::verdict::{Proof, Reason, Unconfirmed, Unseen, Verdict as Answer};
use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_evidence::{Replayed, harness};
use ravelin_explore::Reduction;
use ravelin_report::model::Report as Page;

use crate::args::{AnswerFormat, PorArg, SwitchArg, VerifyArgs};
use crate::exit::Exit;
use crate::front::{self, Failure, Phases};
use crate::human::Ticker;
use crate::hunt::{self, Found, Hunt};
use crate::lanes::{self, Lanes};
use crate::output::{Sink, write_to};
use crate::property::{Property, parse_properties};
use crate::refute::Told;
use crate::report::Shown;
use crate::solver::{self, Absent};
use crate::watchdog::{Cancel, Limits, Watchdog};
use crate::{analysis, formats, human, many, panics, presets, refute, report, strategy, witness};

/// The answer; [`Question::answer`] tells it in the last line of standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    True,
    /// The property is violated.
    False,
    /// No answer, for this reason.
    Unknown(String),
}

impl Question {
    /// The last line, and how the process ends.
    fn answer(self, verdict: &Verdict) -> (String, Exit) {
        let is_confirmed = match (self, verdict) {
            (Question::Property, Verdict::True) => return ("Verdict: TRUE".to_owned(), Exit::Ok),
            (Question::Property, Verdict::False) => {
                return ("Verdict: FALSE(unreach-call)".to_owned(), Exit::Violation);
            }
            (Question::Property, Verdict::Unknown(reason)) => {
                return (format!("Verdict: UNKNOWN({reason})"), Exit::Unknown);
            }
            (_, Verdict::Unknown(reason)) => {
                return (format!("Witness: unknown({reason})"), Exit::Unknown);
            }
            (Question::Violation, verdict) => *verdict == Verdict::False,
            (Question::Correctness, verdict) => *verdict == Verdict::True,
        };
        match is_confirmed {
            true => ("Witness: confirmed".to_owned(), Exit::Ok),
            false => ("Witness: rejected".to_owned(), Exit::Violation),
        }
    }
}

/// A verdict and what comes with it.
#[derive(Clone, Debug)]
struct Decided {
    verdict: Verdict,
    /// What is printed before it.
    evidence: String,
    /// Files to be written.
    files: Vec<(PathBuf, String)>,
    /// Everything about the run, where somebody is to be told.
    report: Option<Box<Page>>,
}

/// What is asked: that decides how the answer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether the property holds.
    Property,
    /// Whether an execution violates it as a witness says.
    Violation,
    /// Whether it holds, and what a witness says of it.
    Correctness,
}

impl Decided {
    fn new(verdict: Verdict, evidence: String) -> Self {
        Decided { verdict, evidence, files: Vec::new(), report: None }
    }

    fn unknown(reason: impl Into<String>) -> Self {
        Decided::new(Verdict::Unknown(reason.into()), String::new())
    }

    /// Adds a file that was asked for, where there is something to write.
    fn with(mut self, path: Option<&PathBuf>, text: impl FnOnce(&Path) -> Option<String>) -> Self {
        if let Some(path) = path
            && let Some(text) = text(path)
        {
            self.files.push((path.clone(), text));
        }
        self
    }

    /// The answer for machines.
    fn told(&self, exit: Exit) -> formats::Answer<'_> {
        let (verdict, reason) = match &self.verdict {
            Verdict::True => ("TRUE", None),
            Verdict::False => ("FALSE", None),
            Verdict::Unknown(reason) => ("UNKNOWN", Some(reason.as_str())),
        };
        formats::Answer { verdict, reason, exit_code: exit.code() }
    }

    fn refuted(args: &VerifyArgs, told: &Told) -> Self {
        let Told { text, schedule_file, execution } = told;
        let execution = execution.as_ref();
        Decided::new(Verdict::False, text.clone())
            .with(args.schedule_out.as_ref(), |_| schedule_file.clone())
            .with(args.witness.as_ref(), |path| {
                let (program, run) = execution?;
                witness::of_violation(&args.input, path, program, run)
            })
            .with(args.harness.as_ref(), |path| {
                let (program, run) = execution?;
                let files = args.input.files.iter().map(|file| file.to_string_lossy().into_owned());
                let files: Vec<String> = files.collect();
                Some(harness::render(program, run, &files, &path.to_string_lossy()))
            })
    }

    fn proved(args: &VerifyArgs, evidence: String, proof: Option<(&Program, &Proof)>) -> Self {
        Decided::new(Verdict::True, evidence)
            .with(args.witness.as_ref(), |path| witness::of_proof(&args.input, path, proof))
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
    match many::are_many(&args.input.files) {
        true => many::verify(args),
        false => answer(args, Question::Property),
    }
}

/// Says that a witness of a violation is right.
pub fn tell_confirmed() -> Exit {
    let (line, exit) = Question::Violation.answer(&Verdict::False);
    match write_to(&Sink::Stdout, |output| writeln!(output, "{}", human::coloured(&line))) {
        Ok(()) => exit,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

/// Prints an answer, whatever happens.
pub fn answer(args: &VerifyArgs, question: Question) -> Exit {
    let limits = args.limits.starting_now();
    let budget = Budget::unlimited();
    let cancel = Cancel::by(budget.cancel_flag());
    let mut known = Known::default();
    if args.report.is_some() {
        known.progress = Progress::with_graph();
    }
    let watchdog = Watchdog::start_asking(limits, cancel.clone(), {
        let (known, stats, format) = (known.clone(), args.stats, args.format);
        move |reached| {
            if stats {
                crate::log(&known.render(Duration::ZERO));
            }
            // The process ends here; there is nothing else to be done if this fails.
            let decided = Decided::unknown(reached.reason());
            let _ = print(&decided, question, format, Exit::Unknown);
        }
    });
    let ticker = Ticker::start(known.progress.clone(), args.quiet);
    let result = panics::catch(|| decide(args, limits, budget, &cancel, &known));
    drop(ticker);
    watchdog.claim_last_word();
    let (decided, exit) = match result {
        Ok(Ok(decided)) => {
            // That it was interrupted is all a command knows that was asked to stop.
            let decided = match (decided.verdict, watchdog.reached()) {
                (Verdict::Unknown(_), Some(reached)) => Decided::unknown(reached.reason()),
                (verdict, _) => Decided { verdict, ..decided },
            };
            let (_, exit) = question.answer(&decided.verdict);
            (decided, exit)
        }
        Ok(Err(failure)) => {
            crate::log(&failure.message);
            (Decided::unknown(reason(failure.exit)), failure.exit)
        }
        // Z3 that is interrupted between two questions fails in ways its bindings do not expect.
        Err(panics::Panicked) => match watchdog.reached() {
            Some(reached) => (Decided::unknown(reached.reason()), Exit::Unknown),
            None => (Decided::unknown(reason(Exit::Internal)), Exit::Internal),
        },
    };
    let sarif =
        args.sarif.as_ref().map(|_| formats::sarif(decided.told(exit), decided.report.as_deref()));
    let decided = decided.with(args.sarif.as_ref(), |_| sarif);
    let written = decided.files.iter().try_for_each(|(path, text)| {
        write_to(&Sink::File(path.clone()), |output| output.write_all(text.as_bytes()))
    });
    if let Verdict::Unknown(reason) = &decided.verdict
        && let Some(hint) = human::hint(reason).filter(|_| !args.quiet)
    {
        crate::log(&format!("ravelin: {hint}\n"));
    }
    match print(&decided, question, args.format, exit).and(written) {
        Ok(()) => exit,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

/// What is known of a run while it goes on, for its statistics. Clones share it.
#[derive(Clone, Debug, Default)]
struct Known {
    phases: Arc<OnceLock<Phases>>,
    progress: Progress,
}

impl Known {
    fn render(&self, replay: Duration) -> String {
        let phases = self.phases.get().copied().unwrap_or_default();
        analysis::render_statistics(&phases, &self.progress.latest(), replay)
    }
}

fn decide(
    args: &VerifyArgs,
    limits: Limits,
    mut budget: Budget,
    cancel: &Cancel,
    known: &Known,
) -> Result<Decided, Failure> {
    let properties = match &args.property {
        Some(path) => read_properties(path)?,
        None => vec![Property::UnreachCall],
    };
    let config = analysis::config(&args.analysis);
    let passes = PassConfig { blocks: config.encoding.blocks(), ..PassConfig::default() };
    let front = front::build(&args.input, passes::DEFAULT, &passes)?;
    // Nobody else writes it.
    let _ = known.phases.set(front.phases);
    let is_supported = |property: &Property| match property {
        Property::UnreachCall => true,
        Property::Unsupported(_) => false,
    };
    if !properties.iter().all(is_supported) {
        return Ok(Decided::unknown("property not supported yet"));
    }
    let program = &front.program;
    if let Some(deadline) = limits.deadline {
        budget = budget.with_timeout(deadline.saturating_duration_since(Instant::now()));
    }
    let make_solver = match solver::maker(&args.solver, program.terms.pointer_bits()) {
        Ok(make_solver) => make_solver,
        Err(Absent::Start(error)) => return Ok(Decided::unknown(format!("solver: {error}"))),
        Err(Absent::Dump(directory, error)) => {
            let message = format!("cannot write to '{}': {error}", directory.display());
            return Err(Failure::new(Exit::Output, message));
        }
    };
    let lanes = Lanes { program, limits, cancel, solver: &args.solver };
    let analyse = |budget: Budget| lanes.run(&config, make_solver, &budget, &known.progress);
    let reductions = reductions(args.analysis.por);
    let hunt = match args.analysis.explore {
        SwitchArg::On if program.is_concurrent() => Some(Hunt::with_threads(reductions)),
        SwitchArg::On => Some(Hunt::WITH_ONE_THREAD),
        SwitchArg::Off => None,
    };
    if args.analysis.explain_strategy {
        crate::log(&strategy::explain(program, &lanes.of(&config), hunt.as_ref()));
    }
    let first = match &hunt {
        Some(hunt) if program.is_concurrent() => {
            hunt::first_look(program, hunt.reductions, &budget)
        }
        Some(_) | None => None,
    };
    let mut made_room = false;
    let (analysed, found) = match (first, &hunt) {
        (Some(first), _) => (None, Some(first)),
        (None, Some(hunt)) => {
            let has_answer = lanes::has_answer;
            let both = hunt::beside(program, limits, hunt, &budget, cancel, analyse, has_answer);
            made_room = both.made_room;
            (Some(both.analysed), both.found)
        }
        (None, None) => (Some(analyse(budget.clone())), None),
    };
    let begun = Instant::now();
    let (mut told, mut proof) = (None, None);
    let mut refuted = |replayed: &Replayed| {
        let new = refute::tell(&args.input, program, replayed, reductions, budget.clone());
        Decided::refuted(args, told.insert(new))
    };
    let mut replays = Duration::ZERO;
    let decided = match (found, analysed) {
        (Some(Found::Nothing { states }), _) => {
            Decided::proved(args, format!("Explored: all {states} states\n"), None)
        }
        (Some(Found::Error(replayed)), _) => refuted(&replayed),
        (None, Some(Err(panicked))) => panics::resume(panicked),
        (None, None) => Decided::unknown("no answer"),
        (None, Some(Ok(analysed))) => {
            replays = analysed.replays;
            match (analysed.report.verdict, analysed.replayed) {
                (Answer::True(found), _) => {
                    let found = proof.insert(found);
                    Decided::proved(args, render_proof(program, found), Some((program, found)))
                }
                (Answer::False(_), Some(replayed)) => refuted(&replayed),
                // Nobody judged it: then it does not count.
                (Answer::False(_), None) => Decided::unknown("replay diverged"),
                (Answer::Unknown(Reason::Interrupted), _) if made_room => {
                    Decided::unknown("out of memory")
                }
                (Answer::Unknown(reason), _) => Decided::unknown(reason_text(program, &reason)),
            }
        }
    };
    let statistics = known.render(replays + begun.elapsed());
    if args.stats {
        crate::log(&statistics);
    }
    let (line, _) = Question::Property.answer(&decided.verdict);
    let told: Option<&Told> = told.as_ref();
    let shown = Shown {
        verdict: line.trim_start_matches("Verdict: ").to_owned(),
        program: Some(program),
        execution: told.and_then(|told| told.execution.as_ref()),
        proof: proof.as_ref().map(|proof| (program, proof)),
        states: known.progress.graph(),
        statistics,
    };
    let is_told =
        args.report.is_some() || args.sarif.is_some() || args.format == AnswerFormat::Json;
    let report = is_told.then(|| Box::new(report::gather(args, &shown, budget)));
    let decided =
        decided.with(args.report.as_ref(), |_| report.as_deref().map(ravelin_report::render));
    Ok(Decided { report, ..decided })
}

/// How the explorer goes about it, one after the other.
fn reductions(por: PorArg) -> &'static [Reduction] {
    match por {
        PorArg::Auto => &[Reduction::Static, Reduction::Dynamic],
        PorArg::None => &[Reduction::None],
        PorArg::Static | PorArg::AbstractionAware => &[Reduction::Static],
        PorArg::Dynamic => &[Reduction::Dynamic],
    }
}

fn render_proof(program: &Program, proof: &Proof) -> String {
    let terms = Terms { program, pool: &proof.terms, memories: &proof.memories };
    let mut text = String::new();
    for invariant in &proof.invariants {
        let at = position(program, invariant.pos);
        let procedure = program.name(program.procs[invariant.proc].name);
        let formula = c_expr::invariant(terms, invariant);
        text += &format!("Invariant {at}in {procedure}: {formula}\n");
    }
    text
}

fn position(program: &Program, pos: SrcPos) -> String {
    if pos.is_none() {
        String::new()
    } else {
        format!("{} ", ravelin_cfa::print::position(program, pos))
    }
}

fn reason_text(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Timeout => "timeout".to_owned(),
        Reason::Interrupted => "interrupted".to_owned(),
        Reason::StepLimit => "step limit".to_owned(),
        Reason::Unsupported { what, pos } => {
            format!("unsupported: {}{what}", position(program, *pos))
        }
        Reason::RefinementStuck => "refinement stuck".to_owned(),
        Reason::Solver(reason) => format!("solver: {reason}"),
        Reason::NotConfirmed(Unconfirmed { outcome, why }) => match why {
            Unseen::Undefined => format!("undefined behaviour: {outcome}"),
            // It says so itself.
            Unseen::NotModelled => outcome.clone(),
            Unseen::Diverged => "replay diverged".to_owned(),
        },
        Reason::NoEntry => "no main function".to_owned(),
    }
}

fn read_properties(path: &Path) -> Result<Vec<Property>, Failure> {
    let reject =
        |why: String| Failure::new(Exit::Rejected, format!("property '{}': {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| reject(error.to_string()))?;
    parse_properties(&text).map_err(|error| reject(error.to_string()))
}

/// What the verdict says where there was none.
fn reason(exit: Exit) -> &'static str {
    match exit {
        Exit::Rejected => "input rejected",
        Exit::Internal => "internal error",
        Exit::Usage => "wrong usage",
        Exit::Output => "output failed",
        Exit::Ok | Exit::Violation | Exit::Unknown => "out of resources",
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
    // Evidence about a witness speaks of a program that nobody wrote.
    let evidence = if question == Question::Property { evidence } else { "" };
    write_to(&Sink::Stdout, |output| writeln!(output, "{evidence}{}", human::coloured(&line)))
}
