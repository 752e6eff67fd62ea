//! Operations that may have to wait for other threads: joins and synchronisation.

use ravelin_cfa::{Sort, SyncOp};
use ravelin_posix::{ETIMEDOUT, Effect, Misuse, MutexKind, barrier_result};

use crate::chooser::{Chooser, Pick};
use crate::code::{Inst, SyncInst};
use crate::layout::Naming;
use crate::log::{Action, EnvironmentChoice, Picked, SyncAction};
use crate::machine::{At, Machine, Stop, undefined};
use crate::outcome::Undefined;
use crate::schedule::MoveKind;
use crate::thread::{Status, Thread, ThreadId};
use crate::value::{Bits, ones};

/// How a thread went on that had been waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resumed {
    /// The operation is complete.
    Done,
    /// It is in its next phase.
    Moved,
    Blocked,
}

impl<'p, C: Chooser> Machine<'p, C> {
    /// Performs a join or a synchronisation operation; whether it is complete. If not, it is either
    /// blocked, or the thread's status says what it waits for.
    pub(crate) fn synchronise(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        inst: &Inst,
        kind: MoveKind,
    ) -> Result<bool, Stop> {
        match inst {
            Inst::Join { handle, dst } => {
                let handle = self.eval(thread, at, *handle)?;
                let Some(value) = self.join(at, handle)? else { return Ok(false) };
                if let Some(thread) = ThreadId::from_handle(handle) {
                    self.note(at, |_| Action::Join { thread });
                }
                if let Some(place) = dst {
                    self.assign(thread, at, *place, Sort::Ptr, value);
                }
                Ok(true)
            }
            Inst::Sync(sync) => self.sync(thread, at, sync, kind),
            // `execute` sends these two here.
            _ => Ok(true),
        }
    }

    /// The value of an ended thread; `None` while it runs.
    fn join(&mut self, at: &At<'p>, handle: Bits) -> Result<Option<Bits>, Stop> {
        let invalid = || undefined(Undefined::InvalidJoin, at.pos());
        let id = ThreadId::from_handle(handle).ok_or_else(invalid)?;
        if id == at.id {
            // POSIX does not define it; the library models return EDEADLK first where a thread can know its handle.
            return Err(invalid());
        }
        let slot = self.state.threads.get_mut(id.index()).and_then(Option::as_mut);
        let shared = slot.ok_or_else(invalid)?;
        match shared.get().status {
            Status::Finished { value } => {
                shared.get_mut().status = Status::Joined;
                Ok(Some(value))
            }
            Status::Joined => Err(invalid()),
            Status::Running
            | Status::Waiting { .. }
            | Status::Reacquiring { .. }
            | Status::AtBarrier { .. }
            | Status::PastBarrier { .. } => Ok(None),
        }
    }

    fn sync(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        sync: &SyncInst,
        kind: MoveKind,
    ) -> Result<bool, Stop> {
        let mut args = [0; 2];
        for (arg, &term) in args.iter_mut().zip(&sync.args) {
            *arg = self.eval(thread, at, term)?;
        }
        let [object, second] = args;
        self.check_object(at, object)?;
        let stop = |misuse: Misuse| undefined(Undefined::Sync(misuse), at.pos());
        if let SyncOp::CondWait | SyncOp::CondTimedWait = sync.op {
            self.check_object(at, second)?;
            let mutex_kind = self.mutex_kind(second);
            let released = self.state.sync.release_for_wait(second, at.id, mutex_kind);
            let result = released.map_err(stop)?;
            if result != 0 {
                self.finish(thread, at, sync, result);
                return Ok(true);
            }
            self.note_sync(at, SyncOp::MutexUnlock, second, Some(0), Vec::new());
        }
        let mutex_kind = self.mutex_kind(object);
        let effect = self.state.sync.perform(sync.op, object, at.id, second, mutex_kind);
        let mut woken = Vec::new();
        let result = match effect.map_err(stop)? {
            Effect::Done(result) => result,
            Effect::Blocked if sync.op == SyncOp::MutexTimedLock && kind == MoveKind::Timeout => {
                ETIMEDOUT
            }
            Effect::Blocked => return Ok(false),
            Effect::WaitForSignal => {
                let timed = sync.op == SyncOp::CondTimedWait;
                thread.status = Status::Waiting { cond: object, mutex: second, timed };
                self.note_sync(at, sync.op, object, None, woken);
                return Ok(false);
            }
            Effect::WaitAtBarrier => {
                thread.status = Status::AtBarrier { barrier: object };
                self.note_sync(at, sync.op, object, None, woken);
                return Ok(false);
            }
            Effect::WakeOne(waiters) => {
                let index = self.pick(Pick::SignalledThread, &waiters, waiters.len());
                self.state.sync.stop_waiting(object, waiters[index]);
                self.wake(waiters[index]);
                woken.push(waiters[index]);
                0
            }
            Effect::WakeAll(waiters) => {
                waiters.iter().for_each(|&waiter| self.wake(waiter));
                woken = waiters.into_vec();
                0
            }
            Effect::Release(others) => {
                // POSIX leaves open which of the threads is the "serial" one.
                let serial = self.pick(Pick::SerialThread, &others, others.len() + 1);
                for (index, other) in others.iter().enumerate() {
                    let result = barrier_result(index == serial);
                    self.set_status(*other, Status::PastBarrier { result });
                }
                let result = barrier_result(serial == others.len());
                woken = others.into_vec();
                result
            }
        };
        self.note_sync(at, sync.op, object, Some(result), woken);
        self.finish(thread, at, sync, result);
        Ok(true)
    }

    fn note_sync(
        &mut self,
        at: &At<'p>,
        op: SyncOp,
        object: Bits,
        result: Option<i32>,
        woken: Vec<ThreadId>,
    ) {
        self.note(at, |machine| {
            let holders = machine.state.sync.holders(object);
            Action::Sync(SyncAction { op, object: machine.cell(object), result, holders, woken })
        });
    }

    /// A synchronisation object must be in an object that is alive.
    fn check_object(&self, at: &At<'p>, pointer: Bits) -> Result<(), Stop> {
        let checked = self.state.memory.check_readable(pointer, 1);
        checked.map_err(|fault| self.fault(fault, at.pos()))
    }

    fn finish(&mut self, thread: &mut Thread, at: &At<'p>, sync: &SyncInst, result: i32) {
        if let Some(place) = sync.dst {
            self.assign(thread, at, place, Sort::Bv(32), result as Bits & ones(32));
        }
    }

    /// A number below `count`, from the chooser if there is a choice. Numbers below the length of
    /// `among` are indices there.
    fn pick(&mut self, what: Pick, among: &[ThreadId], count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        let index = self.chooser.pick(what, count).min(count - 1);
        if self.layout.naming() == Naming::Canonical {
            let at = self.log.schedule.values().len();
            self.log.picks.push(Picked { at, among: among.to_vec() });
        }
        self.log.choose(EnvironmentChoice::Pick(index));
        index
    }

    /// Ends the wait of a thread on a condition variable.
    fn wake(&mut self, id: ThreadId) {
        if let Some(Status::Waiting { mutex, .. }) = self.state.thread(id).map(|it| it.status) {
            self.set_status(id, Status::Reacquiring { mutex, result: 0 });
        }
    }

    fn set_status(&mut self, id: ThreadId, status: Status) {
        if let Some(Some(shared)) = self.state.threads.get_mut(id.index()) {
            shared.get_mut().status = status;
        }
    }

    /// The kind of a mutex that no call initialised: glibc's static initialisers differ in the
    /// field `__kind` of `struct __pthread_mutex_s`.
    fn mutex_kind(&self, mutex: Bits) -> MutexKind {
        let memory = &self.state.memory;
        let kind_offset = if memory.pointer_bytes() == 8 { 16 } else { 12 };
        match memory.read(memory.moved(mutex, kind_offset), 4) {
            Ok(Some(kind)) => MutexKind::from_number(kind),
            // Smaller than glibc's, or without initialiser.
            Ok(None) | Err(_) => MutexKind::Normal,
        }
    }

    /// Goes on with the operation in which a thread waits. When it is complete, `at` is behind it.
    pub(crate) fn resume(
        &mut self,
        thread: &mut Thread,
        at: &mut At<'p>,
        kind: MoveKind,
    ) -> Result<Resumed, Stop> {
        let result = match thread.status {
            Status::Waiting { cond, mutex, timed } => {
                let result = match kind {
                    MoveKind::Timeout if timed => ETIMEDOUT,
                    MoveKind::Spurious => 0,
                    MoveKind::Timeout | MoveKind::Step => return Ok(Resumed::Blocked),
                };
                self.state.sync.stop_waiting(cond, at.id);
                thread.status = Status::Reacquiring { mutex, result };
                return Ok(Resumed::Moved);
            }
            Status::Reacquiring { mutex, result } => {
                self.check_object(at, mutex)?;
                let mutex_kind = self.mutex_kind(mutex);
                let lock = self.state.sync.perform(SyncOp::MutexLock, mutex, at.id, 0, mutex_kind);
                match lock.map_err(|misuse| undefined(Undefined::Sync(misuse), at.pos()))? {
                    Effect::Done(locked) => {
                        self.note_sync(at, SyncOp::MutexLock, mutex, Some(locked), Vec::new());
                        result
                    }
                    _ => return Ok(Resumed::Blocked),
                }
            }
            Status::PastBarrier { result } => result,
            Status::Running
            | Status::AtBarrier { .. }
            | Status::Finished { .. }
            | Status::Joined => {
                return Ok(Resumed::Blocked);
            }
        };
        thread.status = Status::Running;
        if let Inst::Sync(sync) = &at.code.insts[at.pc] {
            self.finish(thread, at, sync, result);
        }
        at.pc += 1;
        Ok(Resumed::Done)
    }
}
