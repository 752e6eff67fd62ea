//! POSIX synchronisation objects: mutexes, read-write locks, condition variables, barriers, semaphores.
//!
//! The interpreter and the explicit-state search share this machine. Each has its own memory and
//! arithmetic, so that one can be tested against the other. The state of an object is kept beside
//! the bytes of memory, by the pointer to it. An object that no call initialised counts as
//! statically initialised; the bytes say which kind of mutex it is where glibc's static
//! initialisers distinguish them.

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
/// The maximum number of threads that a barrier of glibc can wait for.
const BARRIER_MAX: u32 = u32::MAX / 2;

/// The results of a barrier wait: for the serial thread, and for the others.
pub fn barrier_result(is_serial: bool) -> i32 {
    if is_serial { PTHREAD_BARRIER_SERIAL_THREAD } else { 0 }
}
