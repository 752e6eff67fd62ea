//! Panics inside of a run, of which Z3's bindings have some: they end in a value.

use std::panic::{self, AssertUnwindSafe};

/// A panic happened; whoever set a hook has been told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Runs `f`; a panic inside ends here.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, Panicked> {
    // What a panic may leave half changed is never looked at again.
    panic::catch_unwind(AssertUnwindSafe(f)).map_err(|_| Panicked)
}

/// Goes on with a panic that was caught, without reporting it again.
pub fn resume(panicked: Panicked) -> ! {
    panic::resume_unwind(Box::new(panicked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_in_a_value() {
        assert_eq!(catch(|| 1), Ok(1));
        assert_eq!(catch(|| -> i32 { panic!("on purpose, by a test") }), Err(Panicked));
    }
}
