//! POSIX synchronisation objects: mutexes, read-write locks, condition variables, barriers, semaphores.
//!
//! The interpreter and the explorer of concrete states share this machine; memory and arithmetic they have each for
//! itself, so that one can be tested against the other. The state of the objects stands beside the bytes of memory, by
//! the pointer to them. An object that was never initialised by a call is one that was initialised statically; where
//! glibc's static initialisers distinguish the kinds of mutexes, the bytes say which it is.

mod object;
mod table;

pub use object::{MutexKind, Object, Threads};
pub use table::{Effect, Entry, Misuse, SyncTable};

/// Error numbers of Linux.
pub const EPERM: i32 = 1;
pub const EBUSY: i32 = 16;
pub const EINVAL: i32 = 22;
pub const EDEADLK: i32 = 35;
pub const ETIMEDOUT: i32 = 110;
const PTHREAD_BARRIER_SERIAL_THREAD: i32 = -1;

/// The largest value of a semaphore of glibc.
const SEM_VALUE_MAX: u32 = i32::MAX as u32;
/// The most threads that a barrier of glibc can wait for.
const BARRIER_MAX: u32 = u32::MAX / 2;

/// What a barrier wait returns to the thread that is the serial one, or not.
pub fn barrier_result(is_serial: bool) -> i32 {
    if is_serial { PTHREAD_BARRIER_SERIAL_THREAD } else { 0 }
}
