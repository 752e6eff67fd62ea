//! Operations that may have to wait for other threads.

use ravelin_cfa::SyncOp;
use ravelin_interp::MoveKind;
use ravelin_posix::{ETIMEDOUT, barrier_result};

use crate::code::SyncInst;
use crate::machine::{
    AT_BARRIER, Drawn, Machine, PAST_BARRIER, REACQUIRING, STATUS, STATUS_A, STATUS_B, Stop, TID,
    WAITING, WAITING_TIMED,
};
use crate::step::{At, bits, undefined};
use crate::sync::Effect;

impl<'c> Machine<'c, '_> {
    pub(crate) fn synchronise(
        &mut self,
        words: &mut [u64],
        at: &At<'c>,
        sync: &SyncInst,
        kind: MoveKind,
    ) -> Result<Synced, Stop> {
        let pos = at.pos();
        let object = self.read(words, at, sync.args[0])?;
        let second = self.read(words, at, sync.args[1])?;
        let tid = words[TID] as u32;
        self.check(pos, object, 1, false)?;
        self.sync_dirty = true;
        if let SyncOp::CondWait | SyncOp::CondTimedWait = sync.op {
            self.check(pos, second, 1, false)?;
            let mutex_kind = self.mutex_kind(pos, second);
            let released = self.sync.release_for_wait(second, tid, mutex_kind);
            let result = released.map_err(|_| undefined(pos))?;
            if result != 0 {
                self.finish(words, at, sync, result);
                return Ok(Synced::Done);
            }
        }
        let mutex_kind = self.mutex_kind(pos, object);
        let effect = self.sync.perform(sync.op, object, tid, second.into(), mutex_kind);
        let result = match effect.map_err(|_| undefined(pos))? {
            Effect::Done(result) => result,
            Effect::Blocked if sync.op == SyncOp::MutexTimedLock && kind == MoveKind::Timeout => {
                ETIMEDOUT
            }
            Effect::Blocked => return Ok(Synced::Blocked),
            Effect::WaitForSignal => {
                let timed = sync.op == SyncOp::CondTimedWait;
                words[STATUS] = if timed { WAITING_TIMED } else { WAITING };
                words[STATUS_A] = object;
                words[STATUS_B] = second;
                return Ok(Synced::Waits);
            }
            Effect::WaitAtBarrier => {
                words[STATUS] = AT_BARRIER;
                words[STATUS_A] = object;
                return Ok(Synced::Waits);
            }
            Effect::WakeOne(waiters) => {
                let index = if waiters.len() > 1 { self.choose(waiters.len()) } else { 0 };
                let chosen = waiters[index];
                self.sync.stop_waiting(object, chosen);
                self.wake(chosen);
                if waiters.len() > 1 {
                    self.drawn.push(Drawn::Signalled(waiters, index));
                }
                0
            }
            Effect::WakeAll(waiters) => {
                waiters.into_iter().for_each(|waiter| self.wake(waiter));
                0
            }
            Effect::Release(others) => {
                // POSIX leaves open which of the threads is the "serial" one.
                let count = others.len() + 1;
                let serial = if count > 1 { self.choose(count) } else { 0 };
                for (index, &other) in others.iter().enumerate() {
                    if let Some(position) = self.other_position(other) {
                        let other = self.other_thread(position);
                        other[STATUS] = PAST_BARRIER;
                        other[STATUS_A] = 0;
                        other[STATUS_B] = bits(barrier_result(index == serial));
                    }
                }
                let result = barrier_result(serial == others.len());
                if count > 1 {
                    self.drawn.push(Drawn::Serial(others, serial));
                }
                result
            }
        };
        self.finish(words, at, sync, result);
        Ok(Synced::Done)
    }

    fn finish(&mut self, words: &mut [u64], at: &At<'c>, sync: &SyncInst, result: i32) {
        if let Some(place) = sync.dst {
            self.assign(words, at.base, place, bits(result));
        }
    }

    /// Ends the wait of a thread on a condition variable.
    fn wake(&mut self, tid: u32) {
        if let Some(position) = self.other_position(tid) {
            let other = self.other_thread(position);
            if let WAITING | WAITING_TIMED = other[STATUS] {
                other[STATUS] = REACQUIRING;
                other[STATUS_A] = other[STATUS_B];
                other[STATUS_B] = 0;
            }
        }
    }
}

/// How a synchronisation operation went.
pub(crate) enum Synced {
    Done,
    /// The thread waits, as its status says.
    Waits,
    Blocked,
}
