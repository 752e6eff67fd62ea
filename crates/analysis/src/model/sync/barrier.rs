//! The word of a barrier: how many threads it waits for, how many of them wait, whether one of those is the serial
//! one, and which of two phases it is in. Zero, as nobody has set it up, lets everybody pass.
//!
//! A thread that does not complete the barrier keeps the phase in its ticket and waits until there is another one. It may
//! miss the phase if the barrier is completed once more before it goes on. No execution is lost by that: going on
//! touches only the thread's own variables, so the thread could have gone on as soon as it was free to. For
//! this, nothing else may stand on the edge of a wait ([`waits_are_alone`]).

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, Label, Op, Program, SyncOp};
use ravelin_term::{BinOp, Term, Var};

use super::SyncObjects;
use super::word::Word;
use crate::model::space::{Space, Thread};
use crate::model::statement::{Statement, Update};

/// Linux's error number for arguments that make no sense.
const EINVAL: u128 = 22;

const WAITING_AT: u128 = 15;
const SERIAL_AT: u128 = 30;
const PHASE_AT: u128 = 31;
/// The most threads that there is room for.
const LIMIT: u128 = (1 << WAITING_AT) - 1;
/// The most threads that a barrier of glibc can wait for.
const MAX: u128 = 0x7fff_ffff;
/// In a ticket, beside the phase: the thread is the serial one.
const IS_SERIAL: u128 = 2;
/// What the serial thread gets.
const SERIAL_THREAD: u128 = 0xffff_ffff;

/// What becomes of a thread that comes to a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Others are to come.
    Waits { is_serial: bool },
    /// It is the last one.
    Completes,
    /// Nobody set the barrier up, or for too many to count.
    Passes,
}

impl Arrival {
    /// That of the serial thread last.
    const ALL: [Arrival; 4] = [
        Arrival::Waits { is_serial: false },
        Arrival::Completes,
        Arrival::Passes,
        Arrival::Waits { is_serial: true },
    ];
}

/// Whether every wait at a barrier has an edge for itself.
pub(super) fn waits_are_alone(program: &Program) -> bool {
    let is_wait = |label: &Label| {
        label.any(&mut |label| matches!(label.op, Op::Sync { op: SyncOp::BarrierWait, .. }))
    };
    program
        .procs
        .values()
        .flat_map(|procedure| procedure.edges.values())
        .all(|edge| edge.labels.len() == 1 || !edge.labels.iter().any(is_wait))
}

impl SyncObjects {
    /// Whether a thread that comes to a barrier may have to wait there.
    pub fn has_barriers(&self) -> bool {
        self.barriers
    }

    /// What may become of a thread that comes to a barrier.
    pub fn arrivals(&self) -> &'static [Arrival] {
        if self.has_serial { &Arrival::ALL } else { &Arrival::ALL[..3] }
    }

    /// Adds what a thread does that comes to a barrier, if this is what becomes of it. A thread that waits has no
    /// result yet.
    pub fn arrive(
        &self,
        space: &mut Space<'_>,
        thread: Thread,
        arrival: Arrival,
        (object, dst, pos): (Term, Option<Var>, SrcPos),
        statements: &mut Vec<Statement>,
    ) {
        let (scratch, ticket) = (space.scratch(thread), space.ticket(thread));
        let mut word = Word { space, object, scratch, pos, statements };
        word.arrive(arrival, ticket, dst);
    }

    /// Adds what a thread does that waited at a barrier.
    pub fn leave(
        &self,
        space: &mut Space<'_>,
        thread: Thread,
        (object, dst, pos): (Term, Option<Var>, SrcPos),
        statements: &mut Vec<Statement>,
    ) {
        let (scratch, ticket) = (space.scratch(thread), space.ticket(thread));
        let mut word = Word { space, object, scratch, pos, statements };
        word.leave(ticket, dst);
    }
}

impl Word<'_, '_, '_> {
    /// Sets a barrier up for so many threads.
    pub(super) fn set_barrier(&mut self, dst: Option<Var>, count: Term) {
        let none = self.is(count, 0);
        let largest = self.space.terms.bv(32, MAX);
        let too_many = self.space.terms.binary(BinOp::BvUlt, largest, count);
        let refused = self.space.terms.or(none, too_many);
        let accepted = self.space.terms.not(refused);
        let limit = self.space.terms.bv(32, LIMIT);
        let has_room = self.space.terms.binary(BinOp::BvUle, count, limit);
        let zero = self.space.terms.bv(32, 0);
        let value = self.space.terms.ite(has_room, count, zero);
        let error = self.space.terms.bv(32, EINVAL);
        self.choose(dst, vec![(accepted, Some(value), zero), (refused, None, error)]);
    }

    fn arrive(&mut self, arrival: Arrival, ticket: Var, dst: Option<Var>) {
        let value = self.load();
        let count = self.combined(BinOp::BvAnd, value, LIMIT);
        let is_open = self.is(count, 0);
        let is_set_up = self.space.terms.not(is_open);
        let waiting = self.combined(BinOp::BvLshr, value, WAITING_AT);
        let waiting = self.combined(BinOp::BvAnd, waiting, LIMIT);
        let with_this = self.combined(BinOp::BvAdd, waiting, 1);
        let is_short = self.space.terms.binary(BinOp::BvUlt, with_this, count);
        let serial = self.combined(BinOp::BvAnd, value, 1 << SERIAL_AT);
        let is_first = self.is(serial, 0);
        let phase = self.combined(BinOp::BvLshr, value, PHASE_AT);
        match arrival {
            Arrival::Waits { is_serial } => {
                self.assume(is_short);
                let mut kept = phase;
                let mut after = self.combined(BinOp::BvAdd, value, 1 << WAITING_AT);
                if is_serial {
                    self.assume(is_first);
                    kept = self.combined(BinOp::BvOr, kept, IS_SERIAL);
                    after = self.combined(BinOp::BvOr, after, 1 << SERIAL_AT);
                }
                self.store(after);
                self.push(Update::Assign { dst: ticket, value: kept });
            }
            Arrival::Completes => {
                let is_last = self.space.terms.not(is_short);
                self.assume(is_set_up);
                self.assume(is_last);
                let old = self.combined(BinOp::BvAnd, value, 1 << PHASE_AT);
                let new = self.combined(BinOp::BvXor, old, 1 << PHASE_AT);
                let after = self.space.terms.binary(BinOp::BvOr, count, new);
                self.store(after);
                self.barrier_result(dst, is_first);
            }
            Arrival::Passes => {
                self.assume(is_open);
                if let Some(dst) = dst {
                    self.push(Update::Havoc { dst, kind: HavocKind::Unspecified });
                }
            }
        }
    }

    fn leave(&mut self, ticket: Var, dst: Option<Var>) {
        let value = self.load();
        let phase = self.combined(BinOp::BvLshr, value, PHASE_AT);
        let kept = self.space.read_var(ticket);
        let old = self.combined(BinOp::BvAnd, kept, 1);
        let is_old = self.space.terms.eq(phase, old);
        let is_over = self.space.terms.not(is_old);
        self.assume(is_over);
        let serial = self.combined(BinOp::BvAnd, kept, IS_SERIAL);
        let is_serial = self.is(serial, IS_SERIAL);
        self.barrier_result(dst, is_serial);
        // States that differ in what was kept become one.
        let zero = self.space.terms.bv(32, 0);
        self.push(Update::Assign { dst: ticket, value: zero });
    }

    fn barrier_result(&mut self, dst: Option<Var>, is_serial: Term) {
        if let Some(dst) = dst {
            let serial = self.space.terms.bv(32, SERIAL_THREAD);
            let other = self.space.terms.bv(32, 0);
            let value = self.space.terms.ite(is_serial, serial, other);
            self.push(Update::Assign { dst, value });
        }
    }
}
