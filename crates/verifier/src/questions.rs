//! Several questions about one program, each with a verdict of its own: its files are read once.
//!
//! Questions about memory, arithmetic and other undefined behaviour are decided *together*: one automaton has the errors of
//! all of them. A proof is one for each of them. A violation answers the question that it is about, and the others go on
//! together without it. Where there is no answer for all of them, each is asked alone. Assertions and leaks have automata
//! of their own (`property::are_decided_together`).
//!
//! With a limit, all questions but those about assertions get a short time first. Then assertions get most of what is left,
//! in one piece, and the others without answer share the rest, one after the other; who ends early leaves its time to
//! those that follow. Without a limit, all of them get their turn again and again, each time twice as long.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ravelin_analysis::progress::Progress;
use ravelin_base::diagnostic::render;

use crate::front::{self, FrontError, Parsed};
use crate::limits::Limits;
use crate::property::{Asked, are_decided_together};
use crate::{
    Answer, Event, Failure, Input, Properties, Property, Reason, Run, Silence, Verdict, Verifier,
    guarded, reached_limit,
};

/// What came of one of several questions.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Which question it is.
    pub number: usize,
    /// The reason where the run ended so that there is no answer, not even an automaton. Questions that were decided
    /// together share one.
    pub answer: Result<Arc<Answer>, Reason>,
    /// What the automaton was asked: this question, perhaps with others.
    pub together: Asked,
    /// Its part of the time of the attempts that it took.
    pub time: Duration,
    /// The part of the run that was spent on the last of them.
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

/// The short time is this part of a fair share, and a second where that is at most so much of the share.
const SHORT_PART: u32 = 16;
const USUAL_SHORT: Duration = Duration::from_secs(1);
const MOST_PART: u32 = 8;

/// The first turn where there is no limit.
const FIRST_TURN: Duration = Duration::from_secs(3);

/// Assertions get this part of the time that is left, if there are other questions.
const ASSERTIONS: (u32, u32) = (4, 5);

/// A question ends for want of memory before the run does, so that the others have their turn.
const MEMORY_PERCENT: u64 = 95;

/// What is left of the time of a run.
fn left(run: &Run) -> Option<Duration> {
    let deadline = run.limits.deadline?;
    Some(deadline.saturating_duration_since(Instant::now()))
}

/// The short time for each of so many questions.
fn short_time(left: Duration, questions: usize) -> Duration {
    let share = left / count(questions);
    (share / SHORT_PART).max(USUAL_SHORT.min(share / MOST_PART))
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether more time might help.
fn is_out_of_time(reason: &Reason) -> bool {
    match reason {
        Reason::Timeout | Reason::Interrupted => true,
        Reason::Blocked { reason, .. } => is_out_of_time(reason),
        _ => false,
    }
}

/// Questions that one automaton is about, by their numbers, and what each has taken so far.
#[derive(Clone, Debug, Default)]
struct Task(Vec<(usize, Duration)>);

impl Task {
    /// Each question by itself, except those that are decided together; in the order of the first of each.
    fn of_all(questions: &[Asked]) -> VecDeque<Task> {
        let mut tasks: VecDeque<Task> = VecDeque::new();
        for (number, question) in questions.iter().enumerate() {
            let joins = are_decided_together(question);
            let is_theirs = |task: &&mut Task| {
                joins && task.0.iter().any(|&(first, _)| are_decided_together(&questions[first]))
            };
            let member = (number, Duration::ZERO);
            match tasks.iter_mut().find(is_theirs) {
                Some(task) => task.0.push(member),
                None => tasks.push_back(Task(vec![member])),
            }
        }
        tasks
    }

    fn asked(&self, questions: &[Asked]) -> Asked {
        match self.0[..] {
            [(only, _)] => questions[only].clone(),
            _ => {
                let members =
                    self.0.iter().flat_map(|&(member, _)| questions[member].properties.iter());
                Asked::from(members.collect::<Properties>())
            }
        }
    }

    /// The task without the questions that ask for a property, and the task of these.
    fn parted(self, questions: &[Asked], property: Property) -> (Task, Task) {
        let members = self.0.into_iter();
        let (of_it, others) =
            members.partition(|&(member, _)| questions[member].properties.contains(property));
        (Task(others), Task(of_it))
    }

    fn alone(&self) -> impl DoubleEndedIterator<Item = Task> + '_ {
        self.0.iter().map(|&member| Task(vec![member]))
    }
}

/// How long an attempt may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// This long; a question without an answer will be asked again.
    Short(Duration),
    /// Its share of what is left of the time. There is no other attempt.
    Share,
}

fn is_of_assertions(asked: &Asked) -> bool {
    asked.properties.contains(Property::UnreachCall)
}

/// The share of a task of so many questions before others, of so much time: see the head of this file.
fn share(left: Duration, asked: &Asked, questions: usize, others: usize) -> Duration {
    match is_of_assertions(asked) {
        true if others > 0 => left * ASSERTIONS.0 / ASSERTIONS.1,
        _ if questions == 1 => left / count(1 + others),
        // If they have no answer together, each will be asked alone.
        _ => left * count(questions) / count(questions + others) / 2,
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
            let (answer, together) = (Ok(Arc::new(answer)), only.clone());
            hear(Answered { number: 0, answer, together, time, run });
            return Ok(());
        }
        let parsed = front::read(input).map_err(Failure::Front)?;
        let mut round = Round { questions, input, parsed, run, warned: false };
        let mut tasks = Task::of_all(questions);
        match left(run) {
            Some(left) => {
                let short = Patience::Short(short_time(left, questions.len()));
                let is_assertion = |task: &Task| is_of_assertions(&task.asked(questions));
                let (assertions, others) = tasks.into_iter().partition(is_assertion);
                tasks = assertions;
                tasks.extend(self.pass(&mut round, others, short, &mut hear)?);
            }
            None => {
                let mut limit = FIRST_TURN;
                while tasks.iter().map(|task| task.0.len()).sum::<usize>() > 1 {
                    tasks = self.pass(&mut round, tasks, Patience::Short(limit), &mut hear)?;
                    limit *= 2;
                }
            }
        }
        self.pass(&mut round, tasks, Patience::Share, &mut hear)?;
        Ok(())
    }

    /// Attempts each task once, and the questions of those without answer alone. Returns the questions to be asked
    /// again.
    fn pass(
        &self,
        round: &mut Round<'_>,
        mut tasks: VecDeque<Task>,
        patience: Patience,
        hear: &mut impl FnMut(Answered),
    ) -> Result<VecDeque<Task>, Failure> {
        let (mut open, run, questions) = (VecDeque::new(), round.run, round.questions);
        while let Some(mut task) = tasks.pop_front() {
            let question = task.asked(questions);
            let no_time = match left(run) {
                _ if run.cancel.is_asked() => Some(Reason::Interrupted),
                Some(Duration::ZERO) => Some(Reason::Timeout),
                Some(_) | None => None,
            };
            if let Some(reason) = no_time {
                Attempt { answer: Err(reason), run: run.clone() }.tell(&question, &task, hear);
                continue;
            }
            let limit = match patience {
                Patience::Short(limit) => Some(limit),
                Patience::Share => left(run).map(|left| {
                    let others = tasks.iter().map(|task| task.0.len()).sum();
                    share(left, &question, task.0.len(), others)
                }),
            };
            let begun = Instant::now();
            let deadline = limit.and_then(|limit| begun.checked_add(limit));
            let numbers = task.0.iter().map(|&(number, _)| number).collect();
            let part = run.part(Limits { deadline, ..run.limits }, numbers);
            let attempt = self.attempt(round, &question, part)?;
            let part = begun.elapsed() / count(task.0.len());
            task.0.iter_mut().for_each(|(_, spent)| *spent += part);
            let is_last = match patience {
                Patience::Short(_) => run.cancel.is_asked(),
                Patience::Share => true,
            };
            match attempt.verdict() {
                Verdict::True(_) => attempt.tell(&question, &task, hear),
                Verdict::False(violation) => {
                    let (others, violated) = task.parted(questions, violation.property);
                    attempt.tell(&question, &violated, hear);
                    if !others.0.is_empty() {
                        tasks.push_front(others);
                    }
                }
                Verdict::Unknown(_) if task.0.len() > 1 => {
                    task.alone().rev().for_each(|alone| tasks.push_front(alone));
                }
                Verdict::Unknown(reason) if is_out_of_time(&reason) && !is_last => {
                    open.push_back(task);
                }
                Verdict::Unknown(_) => attempt.tell(&question, &task, hear),
            }
        }
        Ok(open)
    }

    fn asking(&self, question: &Asked) -> Verifier {
        Verifier { asked: question.clone(), ..self.clone() }
    }

    /// Tries to answer a question, in a part of the run.
    fn attempt(
        &self,
        round: &mut Round<'_>,
        question: &Asked,
        part: Run,
    ) -> Result<Attempt, Failure> {
        let (run, limits) = (round.run, part.limits);
        let guard = Limits {
            memory_megabytes: limits.memory_megabytes.map(|limit| limit * MEMORY_PERCENT / 100),
            ..limits
        };
        let must_stop = || match run.cancel.is_asked() {
            true => Some(Reason::Interrupted),
            false => reached_limit(guard),
        };
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
            (Ok(Ok(answer)), reached) => Ok(Arc::new(match (&answer.verdict, reached) {
                (Verdict::Unknown(_), Some(reason)) => {
                    Answer { verdict: Verdict::Unknown(part.met.explain(reason)), ..answer }
                }
                (Verdict::True(_) | Verdict::False(_) | Verdict::Unknown(_), _) => answer,
            })),
            // A defect in the automaton of one question is none of the others.
            (Ok(Err(failure @ Failure::Front(FrontError::Pass(_)))), _) => {
                part.listener.hear(&Event::Warning(&failure.to_string()));
                Err(Reason::InternalError)
            }
            (Ok(Err(failure)), _) => return Err(failure),
            // Z3's bindings fail in unexpected ways if Z3 is interrupted between two queries.
            (Err(_), Some(reason)) => Err(part.met.explain(reason)),
            (Err(_), None) => Err(Reason::InternalError),
        };
        Ok(Attempt { answer, run: part })
    }
}

/// What came of an attempt.
struct Attempt {
    answer: Result<Arc<Answer>, Reason>,
    run: Run,
}

impl Attempt {
    fn verdict(&self) -> Verdict {
        match &self.answer {
            Ok(answer) => answer.verdict.clone(),
            Err(reason) => Verdict::Unknown(reason.clone()),
        }
    }

    /// Hands on the answer to the questions of a task; the automaton was asked `together`.
    fn tell(&self, together: &Asked, task: &Task, hear: &mut impl FnMut(Answered)) {
        for &(number, time) in &task.0 {
            let (answer, run) = (self.answer.clone(), self.run.clone());
            hear(Answered { number, answer, together: together.clone(), time, run });
        }
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
        assert_eq!(short_time(seconds(640), 4), seconds(10));
        assert_eq!(short_time(seconds(60), 4), USUAL_SHORT);
        assert_eq!(short_time(seconds(8), 4), seconds(8) / 32);
    }

    #[test]
    fn assertions_get_most_of_the_time() {
        let asked = |property: Property| Asked::from(Properties::from(property));
        let of = |property, questions, others| {
            share(Duration::from_secs(60), &asked(property), questions, others).as_secs()
        };
        assert_eq!(of(Property::UnreachCall, 1, 3), 48);
        assert_eq!(of(Property::UnreachCall, 1, 0), 60);
        // Together, then alone, one after the other.
        assert_eq!(of(Property::ValidDeref, 3, 0), 30);
        assert_eq!([2, 1, 0].map(|others| of(Property::ValidDeref, 1, others)), [20, 30, 60]);
    }

    #[test]
    fn memory_and_arithmetic_are_decided_together() {
        let questions = crate::property::questions(Property::ALL.into_iter().collect());
        let tasks = Task::of_all(&questions).into_iter();
        let asked: Vec<String> = tasks.map(|task| task.asked(&questions).to_string()).collect();
        assert_eq!(asked[0], "unreach-call");
        let together = "valid-deref,valid-free,no-overflow,valid-arithmetic,valid-arguments,valid-init,valid-bounds";
        assert_eq!(asked[1], together);
        assert_eq!(asked.len(), 7);
    }
}
