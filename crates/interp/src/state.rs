//! The state of a program between two steps, and which moves it allows.

use std::hash::{Hash, Hasher};

use ravelin_cfa::SyncOp;
use ravelin_posix::SyncTable;

use crate::code::{Inst, ProcCode, TermCode};
use crate::compile::Compiled;
use crate::env::PeekEnv;
use crate::eval::{self, Scratch};
use crate::layout::Layout;
use crate::memory::Memory;
use crate::outcome::Waiting;
use crate::schedule::{Move, MoveKind};
use crate::shared::Shared;
use crate::thread::{Status, Thread, ThreadId, Values};
use crate::value::{Bits, object_of, offset_of};

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// By thread id; in explorations there are gaps.
    pub(crate) threads: Vec<Option<Shared<Thread>>>,
    /// The threads that have not ended, in order.
    pub(crate) live: Vec<ThreadId>,
    pub(crate) globals: Shared<Values>,
    pub(crate) memory: Memory,
    /// By pointer.
    pub(crate) sync: SyncTable<Bits, ThreadId>,
    /// The thread in an atomic block, and how deep.
    pub(crate) atomic: Option<(ThreadId, u32)>,
}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (index, thread) in self.threads.iter().enumerate() {
            if let Some(thread) = thread {
                index.hash(state);
                thread.hash(state);
            }
        }
        self.globals.hash(state);
        self.memory.hash(state);
        self.sync.hash(state);
        self.atomic.hash(state);
    }
}

/// What a thread would have to wait for.
enum Block {
    /// Nothing.
    None,
    Join(ThreadId),
    Sync(SyncOp, Bits),
}

impl State {
    pub(crate) fn thread(&self, id: ThreadId) -> Option<&Thread> {
        Some(self.threads.get(id.index())?.as_ref()?.get())
    }

    /// The moves that are possible, spurious wake-ups last and only if `spurious`.
    pub(crate) fn moves(
        &self,
        code: &Compiled<'_>,
        layout: &Layout,
        scratch: &mut Scratch,
        spurious: bool,
        moves: &mut Vec<Move>,
    ) {
        moves.clear();
        for &id in &self.live {
            if self.atomic.is_some_and(|(owner, _)| owner != id) {
                continue;
            }
            let Some(thread) = self.thread(id) else { continue };
            let step = Move::step(id);
            let timeout = Move { thread: id, kind: MoveKind::Timeout };
            match thread.status {
                Status::Running => match self.block(code, layout, scratch, thread) {
                    Block::None => moves.push(step),
                    Block::Join(other) => {
                        // A thread that joins itself does not wait: that is undefined.
                        let goes_on =
                            other == id || self.thread(other).is_none_or(Thread::is_finished);
                        moves.extend(goes_on.then_some(step));
                    }
                    Block::Sync(op, key) => {
                        if self.sync.is_enabled(op, key, id) {
                            moves.push(step);
                        } else if op == SyncOp::MutexTimedLock {
                            moves.push(timeout);
                        }
                    }
                },
                Status::Waiting { timed, .. } => moves.extend(timed.then_some(timeout)),
                Status::Reacquiring { mutex, .. } => {
                    moves.extend(self.sync.can_lock(mutex, id).then_some(step));
                }
                Status::PastBarrier { .. } => moves.push(step),
                Status::AtBarrier { .. } | Status::Finished { .. } | Status::Joined => {}
            }
        }
        if spurious {
            // Somebody who waits in an atomic section may wake up there.
            let may_move = |id: &&ThreadId| self.atomic.is_none_or(|(owner, _)| owner == **id);
            for &id in self.live.iter().filter(may_move) {
                if let Some(Status::Waiting { .. }) = self.thread(id).map(|thread| thread.status) {
                    moves.push(Move { thread: id, kind: MoveKind::Spurious });
                }
            }
        }
    }

    /// What the next instruction of a running thread might wait for.
    fn block(
        &self,
        code: &Compiled<'_>,
        layout: &Layout,
        scratch: &mut Scratch,
        thread: &Thread,
    ) -> Block {
        let Some(frame) = thread.frames.last() else { return Block::None };
        let proc_code = code.code(frame.proc);
        let mut peek = |term: TermCode| self.peek(proc_code, layout, scratch, thread, term);
        // Where the operand itself is open or wrong, the step will settle it.
        match &proc_code.insts[frame.pc as usize] {
            Inst::Join { handle, .. } => {
                let thread = peek(*handle).and_then(ThreadId::from_handle);
                thread.map_or(Block::None, Block::Join)
            }
            Inst::Sync(sync) if sync.op.info().blocks => {
                let object = sync.args.first().and_then(|&term| peek(term));
                object.map_or(Block::None, |object| Block::Sync(sync.op, object))
            }
            _ => Block::None,
        }
    }

    pub(crate) fn peek(
        &self,
        code: &ProcCode,
        layout: &Layout,
        scratch: &mut Scratch,
        thread: &Thread,
        term: TermCode,
    ) -> Option<Bits> {
        let base = thread.frames.last()?.base as usize;
        let mut env = PeekEnv { state: self, layout, thread, base };
        eval::eval(code, term, scratch, &mut env).ok()
    }

    /// Who waits for what, when nobody can move.
    pub(crate) fn waiting(
        &self,
        code: &Compiled<'_>,
        layout: &Layout,
        scratch: &mut Scratch,
    ) -> Vec<Waiting> {
        let describe = |id: ThreadId| {
            let thread = self.thread(id)?;
            let frame = thread.frames.last()?;
            let pos = code.code(frame.proc).infos[frame.pc as usize].pos;
            let lock = |what: &str, key: Bits| {
                let mut text = format!("{what} {}", self.describe(code, key));
                for (index, holder) in self.sync.holders(key).into_iter().enumerate() {
                    text += if index == 0 { " held by " } else { ", " };
                    text += &holder.to_string();
                }
                text
            };
            let reason = match thread.status {
                Status::Waiting { cond, .. } => lock("condition variable", cond),
                Status::Reacquiring { mutex, .. } => lock("mutex", mutex),
                Status::AtBarrier { barrier } => lock("barrier", barrier),
                Status::Running => match self.block(code, layout, scratch, thread) {
                    Block::Join(other) => format!("the end of {other}"),
                    Block::Sync(op, key) => lock(object_kind(op), key),
                    Block::None => match self.atomic {
                        Some((owner, _)) => format!("the end of the atomic block of {owner}"),
                        None => "nothing".to_owned(),
                    },
                },
                Status::PastBarrier { .. } | Status::Finished { .. } | Status::Joined => {
                    return None;
                }
            };
            Some(Waiting::new(id, reason, pos))
        };
        self.live.iter().copied().filter_map(describe).collect()
    }

    /// A pointer in words: the name of the object, and the offset in it.
    pub(crate) fn describe(&self, code: &Compiled<'_>, pointer: Bits) -> String {
        let (object, offset) = (object_of(pointer), offset_of(pointer));
        let name = match self.memory.origin(object) {
            Some(origin) => origin.describe(code.program),
            None => return format!("at address {offset:#x}"),
        };
        if offset == 0 { name } else { format!("{name}+{offset}") }
    }

    /// Whether a value outside of the memory may be a pointer to the object with this index.
    pub(crate) fn references(&self, index: u32) -> bool {
        let leads_there = |bits: Bits| object_of(bits).index() == index as usize;
        self.globals.get().all().any(leads_there)
            || self.sync.keys().any(leads_there)
            || self.threads.iter().flatten().any(|thread| thread.get().values().any(leads_there))
    }
}

fn object_kind(op: SyncOp) -> &'static str {
    match op {
        SyncOp::MutexInit
        | SyncOp::MutexDestroy
        | SyncOp::MutexLock
        | SyncOp::MutexTryLock
        | SyncOp::MutexTimedLock
        | SyncOp::MutexUnlock => "mutex",
        SyncOp::RwInit
        | SyncOp::RwDestroy
        | SyncOp::RwReadLock
        | SyncOp::RwTryReadLock
        | SyncOp::RwWriteLock
        | SyncOp::RwTryWriteLock
        | SyncOp::RwUnlock => "read-write lock",
        SyncOp::CondInit
        | SyncOp::CondDestroy
        | SyncOp::CondWait
        | SyncOp::CondTimedWait
        | SyncOp::CondSignal
        | SyncOp::CondBroadcast => "condition variable",
        SyncOp::BarrierInit | SyncOp::BarrierDestroy | SyncOp::BarrierWait => "barrier",
        SyncOp::SemInit
        | SyncOp::SemDestroy
        | SyncOp::SemWait
        | SyncOp::SemTryWait
        | SyncOp::SemPost
        | SyncOp::SemGetValue => "semaphore",
    }
}
