//! What came of a question, and of all questions together, as values that the printers share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ravelin_report::model::{External, Report as Page};
use ravelin_verifier::{
    Answer, Answered, Asked, Input, LoopInvariant, Proof, Properties, Property, Reason, Run,
    Statistics, Vacuity, Verdict, leading,
};

use crate::args::{AnswerFormat, InputArgs, VerifyArgs};
use crate::report::Shown;
use crate::witness::WitnessFile;
use crate::{harness, refute, report, rests, witness};

/// A question, and its verdict with its evidence.
#[derive(Clone, Debug)]
pub struct Decided {
    pub asked: Asked,
    /// What the automaton was asked: questions that were decided together share evidence and statistics.
    pub together: Asked,
    pub verdict: Verdict,
    pub time: Duration,
    /// The text printed with it.
    pub evidence: String,
    /// Files to be written if this verdict stands for all.
    pub files: Vec<(PathBuf, String)>,
    /// Everything about the run, if an option asks for it.
    pub report: Option<Box<Page>>,
    pub statistics: Statistics,
    /// The functions without body that the answer depends on.
    pub rests_on: Vec<External>,
    /// A restriction of the answer TRUE.
    pub vacuity: Option<Vacuity>,
}

/// All questions in their order; there is at least one.
#[derive(Clone, Debug)]
pub struct Conclusion {
    pub parts: Vec<Decided>,
    /// The messages about a rejected program.
    pub message: Option<String>,
}

impl Decided {
    fn new(asked: Asked, verdict: Verdict, evidence: String) -> Self {
        Decided {
            together: asked.clone(),
            asked,
            verdict,
            time: Duration::ZERO,
            evidence,
            files: Vec::new(),
            report: None,
            statistics: Statistics::default(),
            rests_on: Vec::new(),
            vacuity: None,
        }
    }

    pub fn unknown(asked: &Asked, reason: Reason) -> Self {
        Decided::new(asked.clone(), Verdict::Unknown(reason), String::new())
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

    /// What came of a question of `args`.
    pub fn of(args: &VerifyArgs, asked: &Asked, answered: Answered) -> Self {
        let Answered { answer, together, time, run, .. } = answered;
        let answer = match answer {
            Ok(answer) => answer,
            Err(reason) => {
                let statistics = statistics(&run, Duration::ZERO);
                let unknown = Decided::unknown(asked, reason);
                return Decided { together, time, statistics, ..unknown };
            }
        };
        let statistics = statistics(&run, answer.replays);
        // The commands and files that are printed are about the automaton.
        let input = &InputArgs { checked: together.properties, ..args.input.clone() };
        let is_told = args.report.is_some()
            || args.sarif.is_some()
            || args.junit.is_some()
            || args.format == AnswerFormat::Json;
        let gather = |input: &Input| {
            let (states, answer, statistics) = (run.progress.graph(), &*answer, &statistics);
            Box::new(report::gather(&Shown { asked, input, answer, states, statistics }))
        };
        // It was read before.
        let report = is_told.then(|| input.input().ok().map(|input| gather(&input))).flatten();
        Decided {
            time,
            report,
            statistics,
            rests_on: answer.external_functions().iter().map(rests::told).collect(),
            vacuity: answer.vacuities.of(asked.properties).filter(|vacuity| {
                // Nobody asked in particular whether a program without divisions divides by zero.
                !args.asks_default() || !vacuity.is_of_other_than(Property::UnreachCall)
            }),
            together,
            ..Decided::with_evidence((args, input), asked, &answer)
        }
    }

    /// The text of an answer, with the requested files.
    fn with_evidence(
        (args, input): (&VerifyArgs, &InputArgs),
        asked: &Asked,
        answer: &Answer,
    ) -> Self {
        let verdict = answer.verdict.clone();
        let file = args.witness.as_deref().map(|path| WitnessFile { input, asked, answer, path });
        let decided = |evidence| Decided::new(asked.clone(), verdict, evidence);
        match &answer.verdict {
            Verdict::True(proof) => {
                let (evidence, proof) = match proof {
                    Proof::Explored { states } => {
                        (format!("Explored: all {states} states\n"), None)
                    }
                    Proof::Abstraction(proof) => (render_invariants(answer), Some(&**proof)),
                };
                decided(evidence).with(args.witness.as_ref(), |_| witness::of_proof(file?, proof))
            }
            Verdict::False(violation) => {
                let execution = violation.execution.as_deref();
                decided(refute::text(input, violation))
                    .with(args.schedule_out.as_ref(), |_| refute::schedule_file(input, violation))
                    .with(args.witness.as_ref(), |_| witness::of_violation(file?, execution?))
                    .with(args.harness.as_ref(), |path| {
                        harness::of_violation(input, path, execution?)
                    })
            }
            Verdict::Unknown(_) => decided(String::new()),
        }
    }

    /// Everything about the run with this verdict, which a limit may have changed since.
    pub fn page(&self, args: &VerifyArgs) -> Option<Page> {
        let Decided { verdict, asked, statistics, .. } = self;
        match &self.report {
            Some(page) => Some(Page { verdict: verdict.to_string(), ..(**page).clone() }),
            None => args
                .report
                .as_ref()
                .map(|_| report::without_answer(args, verdict, asked, statistics)),
        }
    }

    /// The names of the properties, for people.
    pub fn names(&self) -> String {
        names(&self.asked)
    }
}

/// The names of the properties, for people.
pub fn names(asked: &Asked) -> String {
    asked.to_string().replace(',', ", ")
}

impl Conclusion {
    /// No question has an answer, for this reason.
    pub fn unknown(asked: &[Asked], reason: &Reason) -> Conclusion {
        let parts = asked.iter().map(|asked| Decided::unknown(asked, reason.clone())).collect();
        Conclusion { parts, message: None }
    }

    /// The question whose verdict stands for all.
    pub fn leading(&self) -> &Decided {
        &self.parts[leading(self.parts.iter().map(|part| &part.verdict))]
    }

    /// Whether no question before this one has the same evidence and statistics: those that were decided together share
    /// them.
    pub fn has_own_evidence(&self, number: usize) -> bool {
        self.parts[..number].iter().all(|before| before.together != self.parts[number].together)
    }

    /// What the answers together need not assume: all that is proved, and a question by itself does not assume what it
    /// asks.
    pub fn settled(&self) -> Properties {
        let is_settled =
            |part: &&Decided| self.parts.len() == 1 || matches!(part.verdict, Verdict::True(_));
        let settled = self.parts.iter().filter(is_settled);
        settled.flat_map(|part| part.asked.properties.iter()).collect()
    }

    /// What has no answer, and why.
    pub fn unknowns<'a>(&'a self) -> Vec<(&'a Asked, &'a Reason)> {
        let reason = |part: &'a Decided| Some((&part.asked, reason_of(&part.verdict)?));
        self.parts.iter().filter_map(reason).collect()
    }

    /// The functions without body that verdicts depend on, each once.
    pub fn rests_on(&self) -> Vec<External> {
        let mut all: Vec<External> = Vec::new();
        for part in self.parts.iter().filter(|part| reason_of(&part.verdict).is_none()) {
            for function in &part.rests_on {
                if !all.iter().any(|it| it.name == function.name && it.place == function.place) {
                    all.push(function.clone());
                }
            }
        }
        all
    }

    /// Restrictions of the answer TRUE, each once with the names of the properties.
    pub fn vacuities(&self) -> Vec<(Vacuity, String)> {
        let mut all: Vec<(Vacuity, String)> = Vec::new();
        for part in &self.parts {
            let Some(vacuity) = part.vacuity else { continue };
            match all.iter_mut().find(|(it, _)| *it == vacuity) {
                Some((_, of)) => *of += &format!(", {}", part.names()),
                None => all.push((vacuity, part.names())),
            }
        }
        all
    }
}

/// Why there is no answer.
fn reason_of(verdict: &Verdict) -> Option<&Reason> {
    match verdict {
        Verdict::Unknown(reason) => Some(reason),
        Verdict::True(_) | Verdict::False(_) => None,
    }
}

pub fn statistics(run: &Run, replays: Duration) -> Statistics {
    let front_end = run.phases.get().copied().unwrap_or_default();
    Statistics { front_end, analysis: run.progress.latest(), replays }
}

fn render_invariants(answer: &Answer) -> String {
    let mut text = String::new();
    for LoopInvariant { place, function, formula } in answer.invariants() {
        let at = if place.is_empty() { place } else { format!("{place} ") };
        text += &format!("Invariant {at}in {function}: {formula}\n");
    }
    text
}
