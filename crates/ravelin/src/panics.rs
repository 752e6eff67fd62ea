//! Defects of Ravelin itself: they end with a message and an exit code, not with a crash.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};

use ravelin_verifier::limits::solver_was_interrupted;

/// From now on panics are reported as internal errors.
pub fn install_reporter() {
    panic::set_hook(Box::new(report));
}

fn report(info: &PanicHookInfo<'_>) {
    // Z3's bindings panic in unexpected places then, which is not a defect.
    if solver_was_interrupted() {
        return;
    }
    let backtrace = Backtrace::capture();
    let mut text = format!("ravelin: internal error: {}", message(info.payload()));
    if let Some(place) = info.location() {
        text += &format!(" ({}:{})", place.file(), place.line());
    }
    text += "\nravelin: please report this, with the input that led to it\n";
    if backtrace.status() == BacktraceStatus::Captured {
        text += &format!("{backtrace}\n");
    }
    // If standard error is closed, too, there is no place to report it.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_kinds_are_found() {
        assert_eq!(message(&"plain"), "plain");
        assert_eq!(message(&"formatted".to_owned()), "formatted");
        assert_eq!(message(&3), "a panic without a message");
    }
}
