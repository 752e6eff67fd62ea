//! Schedules: the choices of a run, as a value that prints as a short string and parses back.
//!
//! `0x12,1,2t,0x3;v=5,-1` is: twelve steps of thread 0, one of thread 1, the timeout of thread 2's
//! wait (`s` would be a spurious wake-up), three steps of thread 0; the values that were drawn on
//! the way, in order, are 5 and -1. `e0+8` would be a pointer to byte 8 of the environment's object 0, and `m` among the
//! values says that a function without body changed the memory that it could reach.

use std::fmt;
use std::str::FromStr;

use crate::chooser::{CHANGED_MEMORY, as_environment_pointer, environment_pointer};
use crate::thread::ThreadId;

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub thread: ThreadId,
    pub kind: MoveKind,
}

/// How a thread moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MoveKind {
    /// It takes an edge, or goes on in an operation of several phases.
    Step,
    /// A timed operation gives up.
    Timeout,
    /// A wait on a condition variable ends without signal.
    Spurious,
}

/// The choices of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Moves and how often each is repeated.
    moves: Vec<(Move, u64)>,
    values: Vec<i128>,
}

impl Move {
    /// The next step of a thread.
    pub fn step(thread: ThreadId) -> Self {
        Move { thread, kind: MoveKind::Step }
    }
}

impl Schedule {
    /// The schedule of these moves and values.
    pub fn new(
        moves: impl IntoIterator<Item = Move>,
        values: impl IntoIterator<Item = i128>,
    ) -> Self {
        let mut schedule = Schedule::default();
        moves.into_iter().for_each(|next| schedule.push_move(next));
        schedule.values.extend(values);
        schedule
    }

    pub(crate) fn push_move(&mut self, next: Move) {
        match self.moves.last_mut() {
            Some((last, count)) if *last == next => *count += 1,
            Some(_) | None => self.moves.push((next, 1)),
        }
    }

    pub(crate) fn push_value(&mut self, value: i128) {
        self.values.push(value);
    }

    /// The moves, each with the number of its repetitions.
    pub fn moves(&self) -> &[(Move, u64)] {
        &self.moves
    }

    /// The values that were drawn, and which one of several was picked, in order.
    pub fn values(&self) -> &[i128] {
        &self.values
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (next, count)) in self.moves.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{}", next.thread.0)?;
            f.write_str(match next.kind {
                MoveKind::Step => "",
                MoveKind::Timeout => "t",
                MoveKind::Spurious => "s",
            })?;
            if *count > 1 {
                write!(f, "x{count}")?;
            }
        }
        for (index, value) in self.values.iter().enumerate() {
            f.write_str(if index == 0 { ";v=" } else { "," })?;
            match as_environment_pointer(*value) {
                _ if *value == CHANGED_MEMORY => f.write_str("m")?,
                Some((number, offset)) => write!(f, "e{number}+{offset}")?,
                None => write!(f, "{value}")?,
            }
        }
        Ok(())
    }
}

/// A text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseScheduleError {
    part: String,
}

impl fmt::Display for ParseScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no part of a schedule such as '0x12,1,0x3;v=5,-1'", self.part)
    }
}

impl std::error::Error for ParseScheduleError {}

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |part: &str| ParseScheduleError { part: part.to_owned() };
        let (moves, values) = text.split_once(';').unwrap_or((text, ""));
        let mut schedule = Schedule::default();
        for part in moves.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (who, count) = part.split_once('x').unwrap_or((part, "1"));
            let (thread, kind) = if let Some(thread) = who.strip_suffix('t') {
                (thread, MoveKind::Timeout)
            } else if let Some(thread) = who.strip_suffix('s') {
                (thread, MoveKind::Spurious)
            } else {
                (who, MoveKind::Step)
            };
            let thread = thread.parse().map(ThreadId).map_err(|_| fail(part))?;
            let count = count.parse().ok().filter(|&count| count > 0).ok_or_else(|| fail(part))?;
            schedule.moves.push((Move { thread, kind }, count));
        }
        if !values.is_empty() {
            let list = values.trim().strip_prefix("v=").ok_or_else(|| fail(values))?;
            for part in list.split(',').map(str::trim) {
                let value = parse_value(part).ok_or_else(|| fail(part))?;
                schedule.values.push(value);
            }
        }
        Ok(schedule)
    }
}

fn parse_value(text: &str) -> Option<i128> {
    if text == "m" {
        return Some(CHANGED_MEMORY);
    }
    match text.strip_prefix('e') {
        Some(pointer) => {
            let (number, offset) = pointer.split_once('+')?;
            Some(environment_pointer(number.parse().ok()?, offset.parse().ok()?))
        }
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_print_and_parse_back() {
        for text in [
            "",
            "0",
            "0x12,1,0x3;v=5,-1",
            "3t,2sx2;v=0",
            "0;v=e0+0,7,e12+4294967292",
            "0x3;v=m,5,m",
            ";v=-170141183460469231731687303715884105728",
        ] {
            let schedule: Schedule = text.parse().unwrap();
            assert_eq!(schedule.to_string(), text);
            assert_eq!(schedule.to_string().parse(), Ok(schedule));
        }
    }

    #[test]
    fn repetitions_are_counted() {
        let step = |thread| Move::step(ThreadId(thread));
        let schedule = Schedule::new([step(0), step(0), step(1), step(0)], [7]);
        assert_eq!(schedule.to_string(), "0x2,1,0;v=7");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "0;v=e1",
            "0;v=e+1",
            "0;v=e1+-1",
            "a",
            "0x",
            "0x0",
            "-1",
            "0;5",
            "0;v=",
            "0;v=x",
            "1q",
            "99999999999",
            "0;v=1,",
        ] {
            let error = text.parse::<Schedule>().unwrap_err();
            assert!(error.to_string().contains("schedule"), "{text}: {error}");
        }
    }
}
