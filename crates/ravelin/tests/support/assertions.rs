//! Verification of error calls and assertions alone, whatever the default is.

use crate::support::{Ran, Workbench};

pub fn check_assert(bench: &Workbench, args: &[&str]) -> Ran {
    bench.run(&[args, &["--check", "assert"]].concat())
}
