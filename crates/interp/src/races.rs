//! Data races: two threads about to make conflicting accesses, one of which writes, and not both of which are atomic.
//!
//! A state between two steps has a race if two accesses come next in their threads. What is about to happen is read off
//! the next instruction of a thread, without effect; where it cannot be told, there is no race.

use std::fmt;

use ravelin_base::SrcPos;
use ravelin_cfa::sync::{SYNC_BYTES, SyncArg};
use ravelin_cfa::{Program, Sort, Var, VarKind};

use crate::chooser::{Chooser, NextAccess};
use crate::code::{Inst, Operand, Place, ProcCode, RareInst, TermCode, TermInst};
use crate::machine::{Machine, Stop};
use crate::outcome::{DisplayPos, Outcome, Pos};
use crate::state::State;
use crate::thread::{Status, ThreadId};
use crate::value::{Bits, ObjectRef, object_of, offset_of};

/// Two conflicting accesses that are both next; the second is of the thread that moved last.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Race {
    pub accesses: [RacingAccess; 2],
    place: RacePlace,
}

/// One of the accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RacingAccess {
    pub thread: ThreadId,
    pub writes: bool,
    /// It is atomic, or in an atomic section.
    pub is_atomic: bool,
    pos: Pos,
    /// The locks that the thread holds, in words.
    pub held: Box<[Box<str>]>,
}

/// What two threads are about to touch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum RacePlace {
    Var(u32),
    /// An object in words, and the first common byte.
    Memory {
        object: Box<str>,
        offset: u64,
    },
}

impl RacingAccess {
    pub fn pos(&self) -> SrcPos {
        self.pos.0
    }
}

impl Race {
    /// Both accesses in words.
    pub fn display<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        RaceDisplay { race: self, program }
    }
}

struct RaceDisplay<'a> {
    race: &'a Race,
    program: &'a Program,
}

impl fmt::Display for RaceDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race { accesses: [first, second], place } = self.race;
        match place {
            RacePlace::Var(var) => {
                let var = &self.program.vars[Var::from_u32(*var)];
                write!(f, "'{}'", self.program.name(var.name))?;
            }
            RacePlace::Memory { object, offset: 0 } => write!(f, "{object}")?,
            RacePlace::Memory { object, offset } => write!(f, "byte {offset} of {object}")?,
        }
        for (access, separator) in [(first, ": "), (second, "; ")] {
            let how = match (access.is_atomic, access.writes) {
                (true, true) => "atomic write",
                (true, false) => "atomic read",
                (false, true) => "write",
                (false, false) => "read",
            };
            let pos = DisplayPos { pos: access.pos(), program: self.program };
            write!(f, "{separator}{how} by {}{pos} holding ", access.thread)?;
            match &access.held[..] {
                [] => f.write_str("no lock")?,
                held => f.write_str(&held.join(" and "))?,
            }
        }
        Ok(())
    }
}

/// What a thread is about to touch.
#[derive(Clone, Copy, Debug)]
struct Next {
    range: Range,
    writes: bool,
    is_atomic: bool,
    pos: SrcPos,
    told: SrcPos,
}

#[derive(Clone, Copy, Debug)]
enum Range {
    Var(Var),
    Bytes { object: ObjectRef, start: u64, length: u64 },
}

impl Range {
    /// The first common byte, or 0 of a variable.
    fn meets(self, other: Range) -> Option<u64> {
        match (self, other) {
            (Range::Var(a), Range::Var(b)) => (a == b).then_some(0),
            (
                Range::Bytes { object: a, start, length },
                Range::Bytes { object: b, start: there, length: others },
            ) => {
                let first = start.max(there);
                let end = start.saturating_add(length).min(there.saturating_add(others));
                (a == b && first < end).then_some(first)
            }
            _ => None,
        }
    }
}

impl<C: Chooser> Machine<'_, C> {
    /// Ends the run if the thread that moved, or one that it started, is about to race with another.
    pub(crate) fn look_for_races(&mut self, moved: ThreadId) -> Result<(), Stop> {
        if !self.code.watches_races || self.state.live.len() < 2 {
            return Ok(());
        }
        let live = self.state.live.clone();
        let next: Vec<(ThreadId, Vec<Next>)> =
            live.into_iter().map(|id| (id, self.next_accesses(id))).collect();
        let all = next.iter().flat_map(|(thread, accesses)| {
            let each = accesses.iter();
            each.map(|next| NextAccess { thread: *thread, pos: next.pos, writes: next.writes })
        });
        let all: Vec<NextAccess> = all.collect();
        self.chooser.about_to(&all);
        for (index, (id, accesses)) in next.iter().enumerate() {
            for (other, others) in &next[..index] {
                for mine in accesses {
                    for theirs in others {
                        let conflicts =
                            (mine.writes || theirs.writes) && !(mine.is_atomic && theirs.is_atomic);
                        let Some(byte) = mine.range.meets(theirs.range).filter(|_| conflicts)
                        else {
                            continue;
                        };
                        let mut pair = [(*other, *theirs), (*id, *mine)];
                        if *other == moved {
                            pair.reverse();
                        }
                        return Err(Box::new(Outcome::Race(Box::new(self.race(pair, byte)))));
                    }
                }
            }
        }
        Ok(())
    }

    fn race(&self, pair: [(ThreadId, Next); 2], offset: u64) -> Race {
        let place = match pair[0].1.range {
            Range::Var(var) => RacePlace::Var(var.as_u32()),
            Range::Bytes { object, .. } => {
                let origin = self.state.memory.origin(object);
                let object = origin.map_or_else(String::new, |it| it.describe(self.code.program));
                RacePlace::Memory { object: object.into(), offset }
            }
        };
        let held = |thread: ThreadId| {
            let keys = self.state.sync.keys();
            let locks = keys.filter(|&key| self.state.sync.holders(key).contains(&thread));
            locks.map(|key| self.state.describe(self.code, key).into()).collect()
        };
        let accesses = pair.map(|(thread, next)| RacingAccess {
            thread,
            writes: next.writes,
            is_atomic: next.is_atomic,
            pos: Pos(next.told),
            held: held(thread),
        });
        Race { accesses, place }
    }

    fn next_accesses(&mut self, id: ThreadId) -> Vec<Next> {
        let Machine { state, code, layout, scratch, .. } = self;
        let Some(thread) = state.thread(id) else { return Vec::new() };
        let Some(frame) = thread.frames.last() else { return Vec::new() };
        if thread.status != Status::Running {
            return Vec::new();
        }
        let proc_code = code.code(frame.proc);
        let mut look = Look {
            program: code.program,
            globals: &code.names.slots.globals,
            code: proc_code,
            is_inside: state.atomic.is_some_and(|(owner, _)| owner == id),
            pos: SrcPos::default(),
            told: SrcPos::default(),
            found: Vec::new(),
        };
        let mut pc = frame.pc as usize;
        let call = code.call_of_model(thread);
        loop {
            look.pos = proc_code.infos[pc].pos;
            look.told = call.unwrap_or(look.pos);
            let mut peek = |term: TermCode| state.peek(proc_code, layout, scratch, thread, term);
            match &proc_code.insts[pc] {
                Inst::Guard { cond, otherwise } => {
                    look.term(*cond);
                    match peek(*cond) {
                        // The other guards read the same.
                        Some(0) => pc = *otherwise as usize,
                        Some(_) | None => return look.found,
                    }
                }
                inst => {
                    look.inst(inst, state, &mut peek);
                    return look.found;
                }
            }
        }
    }
}

/// Collects what an instruction touches.
struct Look<'a> {
    program: &'a Program,
    globals: &'a [Var],
    code: &'a ProcCode,
    is_inside: bool,
    pos: SrcPos,
    /// The position for people: of an access in the model of a library function, that of the call.
    told: SrcPos,
    found: Vec<Next>,
}

impl Look<'_> {
    fn add(&mut self, range: Range, writes: bool, is_atomic: bool) {
        let is_atomic = is_atomic || self.is_inside;
        let (pos, told) = (self.pos, self.told);
        self.found.push(Next { range, writes, is_atomic, pos, told });
    }

    fn var(&mut self, place: Place, writes: bool) {
        let Place::Global(index) = place else { return };
        let var = self.globals[index as usize];
        let is_atomic = matches!(self.program.vars[var].kind, VarKind::Global { atomic: true, .. });
        self.add(Range::Var(var), writes, is_atomic);
    }

    /// The globals that a term reads; none if it reads them under conditions.
    fn term(&mut self, term: TermCode) {
        match term {
            TermCode::Leaf(operand) => self.operand(operand),
            TermCode::Body { start, length, .. } => {
                let insts = &self.code.terms[start as usize..(start + length) as usize];
                let is_conditional = insts.iter().any(|inst| {
                    matches!(inst, TermInst::ShortCut { .. } | TermInst::JumpUnless { .. })
                });
                if is_conditional {
                    return;
                }
                for inst in insts {
                    match *inst {
                        TermInst::Push(a) | TermInst::Unary { a, .. } => self.operand(a),
                        TermInst::Binary { a, b, .. } => {
                            self.operand(a);
                            self.operand(b);
                        }
                        TermInst::ShortCut { .. }
                        | TermInst::JumpUnless { .. }
                        | TermInst::Jump(_)
                        | TermInst::Try { .. }
                        | TermInst::EndTry
                        | TermInst::Rethrow { .. }
                        | TermInst::Shared { .. }
                        | TermInst::EndShared { .. }
                        | TermInst::End => {}
                    }
                }
            }
        }
    }

    fn operand(&mut self, operand: Operand) {
        if let Operand::Place(place) = operand {
            self.var(place, false);
        }
    }

    fn bytes(&mut self, pointer: Option<Bits>, length: Option<u64>, writes: bool, atomic: bool) {
        if let Some((pointer, length)) = pointer.zip(length) {
            let (object, start) = (object_of(pointer), offset_of(pointer));
            self.add(Range::Bytes { object, start, length }, writes, atomic);
        }
    }

    /// All bytes of an object, as who frees it.
    fn object(&mut self, state: &State, pointer: Option<Bits>) {
        let Some(pointer) = pointer.filter(|&pointer| pointer != 0) else { return };
        let object = object_of(pointer);
        let Some(length) = state.memory.size(object) else { return };
        self.add(Range::Bytes { object, start: 0, length }, true, false);
    }

    fn inst(&mut self, inst: &Inst, state: &State, peek: &mut dyn FnMut(TermCode) -> Option<Bits>) {
        let size_of = |sort: Sort| match sort {
            Sort::Bool => 1,
            Sort::Bv(width) => u64::from(width.div_ceil(8)),
            Sort::Float(kind) => u64::from(kind.bits() / 8),
            Sort::Ptr => state.memory.pointer_bytes(),
            Sort::Mem => 0,
        };
        match inst {
            Inst::Assume(cond) => self.term(*cond),
            Inst::Assign { dst, value, .. } => {
                self.term(*value);
                self.var(*dst, true);
            }
            Inst::Load { dst, sort, addr, is_atomic } => {
                self.term(*addr);
                self.bytes(peek(*addr), Some(size_of(*sort)), false, *is_atomic);
                self.var(*dst, true);
            }
            Inst::Store { addr, value, sort, is_atomic } => {
                self.term(*addr);
                self.term(*value);
                self.bytes(peek(*addr), Some(size_of(*sort)), true, *is_atomic);
            }
            Inst::Call(call) => {
                call.args.iter().for_each(|&(arg, _)| self.term(arg));
            }
            Inst::Return { value } => {
                if let Some((value, _)) = value {
                    self.term(*value);
                }
            }
            Inst::Join { handle, .. } => self.term(*handle),
            Inst::ThreadExit { value } => self.term(*value),
            Inst::Sync(sync) => {
                let is_setup = sync.op.is_setup();
                for (&arg, kind) in sync.args.iter().zip(sync.op.info().args) {
                    self.term(arg);
                    match kind {
                        SyncArg::Object => {
                            self.bytes(peek(arg), Some(SYNC_BYTES), is_setup, !is_setup);
                        }
                        SyncArg::Number => {}
                    }
                }
                if let Some(dst) = sync.dst {
                    self.var(dst, true);
                }
            }
            Inst::Rare(RareInst::Copy { dst, src, size }) => {
                let length = peek(*size).map(|size| size as u64);
                self.bytes(peek(*src), length, false, false);
                self.bytes(peek(*dst), length, true, false);
            }
            Inst::Rare(RareInst::Fill { dst, size, .. }) => {
                let length = peek(*size).map(|size| size as u64);
                self.bytes(peek(*dst), length, true, false);
            }
            Inst::Rare(RareInst::Free { addr, .. } | RareInst::Realloc { addr, .. }) => {
                self.term(*addr);
                self.object(state, peek(*addr));
            }
            Inst::Rare(
                RareInst::Havoc { dst, .. }
                | RareInst::Alloc { dst, .. }
                | RareInst::ThreadSelf { dst },
            ) => self.var(*dst, true),
            Inst::Rare(RareInst::Start(call)) => {
                call.args.iter().for_each(|&(arg, _)| self.term(arg));
            }
            Inst::Rare(RareInst::Exit { status }) => self.term(*status),
            Inst::Guard { .. } | Inst::Jump(_) | Inst::EndEdge { .. } => {}
            // What is printed and what functions without body reach is not followed.
            Inst::Rare(_) => {}
        }
    }
}
