//! The way to an error, as a schedule of the interpreter.

use ravelin_interp::{Move, MoveKind, Schedule, ThreadId};

use crate::machine::{Drawn, Stop};
use crate::search::{Arrival, Found, Search};

/// Makes the moves to an error again and notes them. `None` if they lead elsewhere, which would be a
/// mistake.
pub(crate) fn schedule(
    search: &mut Search<'_, '_, '_>,
    initial: u32,
    found: &Found,
) -> Option<Schedule> {
    // A program with one thread and no inputs has but one execution, which may be long.
    if !search.machine.code.program.is_concurrent() && !search.has_drawn {
        return Some(Schedule::default());
    }
    let mut path: Vec<(u32, Arrival)> = Vec::new();
    let mut at = found.state;
    while at != initial {
        let arrival = search.arrival(at)?;
        path.push((at, arrival));
        at = arrival.before;
    }
    let mut writer = Writer { moves: Vec::new(), values: Vec::new(), order: vec![0] };
    for (target, arrival) in path.into_iter().rev() {
        // Which choices led to the state was not kept: they are tried again.
        search.machine.taken.clear();
        loop {
            search.machine.restore(arrival.before);
            let position = search.machine.position_of(arrival.thread)?;
            let made = search.make(arrival.before, position, arrival.kind);
            if made.is_ok() {
                writer.note(search, arrival.thread, arrival.kind, search.machine.steps);
                if search.machine.commit().0 == target {
                    break;
                }
                writer.forget();
            }
            if !search.machine.advance() {
                return None;
            }
        }
        writer.keep(search);
    }
    let checked = search.machine.code.program.checked;
    search.machine.restore(found.state);
    search.machine.taken = found.choices.clone();
    let position = search.machine.position_of(found.thread)?;
    match search.make(found.state, position, found.kind) {
        Err(Stop::End(ending, pos) | Stop::Undefined(ending, pos))
            if ending.violation(checked).map(|kind| (kind, pos)) == Some(found.error) => {}
        _ => return None,
    }
    writer.note(search, found.thread, found.kind, search.machine.steps + 1);
    let Writer { moves, values, .. } = writer;
    let mut all = Vec::new();
    for Noted { first, rest, steps } in moves {
        all.push(first);
        all.extend((1..steps).map(|_| rest));
    }
    Some(Schedule::new(all, values.into_iter().flatten()))
}

struct Noted {
    first: Move,
    rest: Move,
    steps: u64,
}

struct Writer {
    moves: Vec<Noted>,
    values: Vec<Vec<i128>>,
    /// The threads in the order of their creation, which is how the interpreter numbers them.
    order: Vec<u32>,
}

impl Writer {
    fn number(&self, thread: u32) -> usize {
        self.order.iter().position(|&other| other == thread).unwrap_or(0)
    }

    /// Notes the step that the machine just made.
    fn note(&mut self, search: &Search<'_, '_, '_>, thread: u32, kind: MoveKind, steps: u64) {
        let id = ThreadId(self.number(thread) as u32);
        let (first, rest) = (Move { thread: id, kind }, Move::step(id));
        self.moves.push(Noted { first, rest, steps });
        let values = search.machine.drawn.iter().map(|drawn| match drawn {
            Drawn::Value(value) => *value,
            Drawn::Signalled(waiters, index) => {
                let chosen = self.number(waiters[*index]);
                waiters.iter().filter(|&&waiter| self.number(waiter) < chosen).count() as i128
            }
            Drawn::Serial(others, index) if *index < others.len() => {
                let chosen = self.number(others[*index]);
                others.iter().filter(|&&other| self.number(other) < chosen).count() as i128
            }
            Drawn::Serial(others, _) => others.len() as i128,
        });
        self.values.push(values.collect());
    }

    /// Takes the last note back.
    fn forget(&mut self) {
        self.moves.pop();
        self.values.pop();
    }

    /// The step of the last note was the right one.
    fn keep(&mut self, search: &Search<'_, '_, '_>) {
        self.order.extend(&search.machine.started);
    }
}
