//! Several questions about one program, each with a verdict of its own: its files are read once, and lowered for each
//! question.
//!
//! With more than one question, all of them get a short time first. Those that are not answered then share what is left
//! of the time, one after the other; who ends early leaves its time to the rest.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ravelin_analysis::progress::Progress;
use ravelin_base::diagnostic::render;

use crate::front::{self, Parsed};
use crate::limits::Limits;
use crate::property::Asked;
use crate::{
    Answer, Event, Failure, Input, Reason, Run, Silence, Verdict, Verifier, guarded, reached_limit,
};

/// What came of one of several questions.
#[derive(Debug)]
pub struct Answered {
    /// Which question it is.
    pub number: usize,
    /// The reason where the run ended so that there is no answer, not even an automaton.
    pub answer: Result<Answer, Reason>,
    pub time: Duration,
    /// The part of the run that was spent on it, without earlier attempts.
    pub run: Run,
}

/// The verdict of an answer that is none is UNKNOWN.
impl Answered {
    pub fn verdict(&self) -> Verdict {
        match &self.answer {
            Ok(answer) => answer.verdict.clone(),
            Err(reason) => Verdict::Unknown(reason.clone()),
        }
    }
}

/// Which verdict stands for all: the first that is FALSE, else the first that is UNKNOWN, else the first.
pub fn leading<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> usize {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::False(_) => 0,
        Verdict::Unknown(_) => 1,
        Verdict::True(_) => 2,
    };
    let ranks = verdicts.into_iter().map(rank).enumerate();
    // Of equal ones, the first is taken.
    ranks.min_by_key(|&(_, rank)| rank).map_or(0, |(number, _)| number)
}

/// The first, short time is this part of a fair share, but it is worth nothing below the least.
const SHORT_PART: u32 = 8;
const LEAST_SHORT: Duration = Duration::from_secs(1);

/// The short time where there is no limit.
const USUAL_SHORT: Duration = Duration::from_secs(10);

/// A question ends for want of memory before the run does, so that the others have their turn.
const MEMORY_PERCENT: u64 = 95;

/// What is left of the time of a run.
fn left(run: &Run) -> Option<Duration> {
    let deadline = run.limits.deadline?;
    Some(deadline.saturating_duration_since(Instant::now()))
}

/// The first, short time for each of so many questions, if one makes sense.
fn short_time(left: Option<Duration>, questions: usize) -> Option<Duration> {
    let count = u32::try_from(questions).unwrap_or(u32::MAX);
    match left {
        _ if questions < 2 => None,
        None => Some(USUAL_SHORT),
        Some(left) => {
            let share = left / count;
            let short = (share / SHORT_PART).max(LEAST_SHORT);
            (short * 2 <= share).then_some(short)
        }
    }
}

/// Whether more time might help.
fn is_out_of_time(reason: &Reason) -> bool {
    match reason {
        Reason::Timeout | Reason::Interrupted => true,
        Reason::Blocked { reason, .. } => is_out_of_time(reason),
        _ => false,
    }
}

impl Verifier {
    /// Answers several questions within the limits, in their order. [`Verifier::asked`] does not matter.
    pub fn verify_each(
        &self,
        questions: &[Asked],
        input: &Input,
    ) -> Result<Vec<Answered>, Failure> {
        let limits = Limits::starting_now(self.timeout, self.memory_megabytes);
        let run = Run::new(limits, Progress::default(), Arc::new(Silence));
        let mut answers = Vec::new();
        let work = || self.decide_each(questions, input, &run, |answered| answers.push(answered));
        let (result, _) = guarded(&run, || reached_limit(limits), work);
        result.unwrap_or(Err(Failure::Internal))?;
        answers.sort_by_key(|answered: &Answered| answered.number);
        Ok(answers)
    }

    /// Answers several questions. `hear` gets each answer as soon as it is there, the order of questions aside. Who
    /// started the run keeps its limits, as with [`Verifier::decide`].
    pub fn decide_each(
        &self,
        questions: &[Asked],
        input: &Input,
        run: &Run,
        mut hear: impl FnMut(Answered),
    ) -> Result<(), Failure> {
        if let [only] = questions {
            let begun = Instant::now();
            let answer = self.asking(only).decide(input, run)?;
            let (time, run) = (begun.elapsed(), run.clone());
            hear(Answered { number: 0, answer: Ok(answer), time, run });
            return Ok(());
        }
        let parsed = front::read(input).map_err(Failure::Front)?;
        let mut round = Round { questions, input, parsed, run, warned: false };
        let mut open: Vec<(usize, Duration)> =
            (0..questions.len()).map(|number| (number, Duration::ZERO)).collect();
        if let Some(short) = short_time(left(run), questions.len()) {
            for (number, spent) in std::mem::take(&mut open) {
                let answered = self.attempt(&mut round, number, Some(short))?;
                let is_open = match &answered.verdict() {
                    Verdict::Unknown(reason) => is_out_of_time(reason),
                    Verdict::True(_) | Verdict::False(_) => false,
                };
                let spent = spent + answered.time;
                match is_open && !run.cancel.is_asked() {
                    true => open.push((number, spent)),
                    false => hear(answered),
                }
            }
        }
        for (index, &(number, spent)) in open.iter().enumerate() {
            let reason = match left(run) {
                _ if run.cancel.is_asked() => Some(Reason::Interrupted),
                Some(Duration::ZERO) => Some(Reason::Timeout),
                Some(_) | None => None,
            };
            if let Some(reason) = reason {
                hear(Answered { number, answer: Err(reason), time: spent, run: run.clone() });
                continue;
            }
            let others = u32::try_from(open.len() - index).unwrap_or(u32::MAX);
            let share = left(run).map(|left| left / others);
            let answered = self.attempt(&mut round, number, share)?;
            hear(Answered { time: spent + answered.time, ..answered });
        }
        Ok(())
    }

    fn asking(&self, question: &Asked) -> Verifier {
        Verifier { asked: question.clone(), ..self.clone() }
    }

    /// Tries to answer one of the questions within its time.
    fn attempt(
        &self,
        round: &mut Round<'_>,
        number: usize,
        limit: Option<Duration>,
    ) -> Result<Answered, Failure> {
        let (begun, run) = (Instant::now(), round.run);
        let deadline = limit.and_then(|limit| begun.checked_add(limit));
        let limits = Limits { deadline, ..run.limits };
        let part = Run::new(limits, run.progress.fork_question(), Arc::clone(&run.listener));
        let guard = Limits {
            memory_megabytes: limits.memory_megabytes.map(|limit| limit * MEMORY_PERCENT / 100),
            ..limits
        };
        let must_stop = || match run.cancel.is_asked() {
            true => Some(Reason::Interrupted),
            false => reached_limit(guard),
        };
        let question = &round.questions[number];
        let (verifier, parsed, input) = (self.asking(question), &round.parsed, round.input);
        let is_warned = std::mem::replace(&mut round.warned, true);
        let work = || {
            let front = verifier.lower(parsed, input)?;
            if !is_warned {
                part.listener.hear(&Event::Diagnostics(&render(&front.warnings)));
            }
            part.listener.hear(&Event::Progress(&format!("the question is {question}")));
            verifier.answer(input, front, &part)
        };
        let answer = match guarded(&part, must_stop, work) {
            (Ok(Ok(answer)), reached) => Ok(match (&answer.verdict, reached) {
                (Verdict::Unknown(_), Some(reason)) => {
                    Answer { verdict: Verdict::Unknown(part.met.explain(reason)), ..answer }
                }
                (Verdict::True(_) | Verdict::False(_) | Verdict::Unknown(_), _) => answer,
            }),
            (Ok(Err(failure)), _) => return Err(failure),
            // Z3's bindings fail in unexpected ways if Z3 is interrupted between two queries.
            (Err(_), Some(reason)) => Err(part.met.explain(reason)),
            (Err(_), None) => Err(Reason::InternalError),
        };
        Ok(Answered { number, answer, time: begun.elapsed(), run: part })
    }
}

/// The program that the questions are about.
struct Round<'a> {
    questions: &'a [Asked],
    input: &'a Input,
    parsed: Parsed,
    run: &'a Run,
    /// The warnings about its text were heard.
    warned: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_violation_stands_for_all() {
        let unknown = || Verdict::Unknown(Reason::Timeout);
        let proof = || Verdict::True(crate::Proof::Explored { states: 1 });
        assert_eq!(leading(&[proof(), proof()]), 0);
        assert_eq!(leading(&[proof(), unknown(), unknown()]), 1);
    }

    #[test]
    fn the_short_time_is_a_part_of_a_share() {
        let seconds = Duration::from_secs;
        assert_eq!(short_time(None, 1), None);
        assert_eq!(short_time(None, 2), Some(USUAL_SHORT));
        assert_eq!(short_time(Some(seconds(320)), 4), Some(seconds(10)));
        assert_eq!(short_time(Some(seconds(8)), 4), Some(LEAST_SHORT));
        assert_eq!(short_time(Some(seconds(7)), 4), None);
    }
}
