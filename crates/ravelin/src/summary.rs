//! The meaning of an answer, for people: what was checked, what it relies on, and what to do after
//! UNKNOWN.

use ravelin_verifier::Reason;

use crate::args::{ErrorArgs, VerifyArgs};
use crate::verify::Question;

/// An assumption, and its number in `docs/assumptions.md`.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    pub number: u8,
    pub text: &'static str,
}

/// The most important assumptions, for all programs. The book lists all of them.
pub const ASSUMPTIONS: &[Assumption] = &[
    Assumption { number: 1, text: "Integers, pointers and layout are those of gcc on x86." },
    Assumption { number: 3, text: "malloc and its like never fail." },
    Assumption { number: 6, text: "Signed overflow wraps around." },
    Assumption { number: 13, text: "Accesses to memory are valid." },
    Assumption {
        number: 19,
        text: "A function without body changes at most what the pointers it gets reach.",
    },
    Assumption { number: 25, text: "Memory is sequentially consistent." },
];

/// A description of the property.
fn errors_checked(errors: &ErrorArgs) -> String {
    let functions: String = errors.functions.iter().map(|name| format!(", {name}()")).collect();
    let ends: String =
        errors.ends.iter().map(|end| format!(" or ends by {}", end.name())).collect();
    format!("whether an execution calls reach_error(){functions} or fails an assertion{ends}")
}

/// Complete lines: the property, the assumptions, and after UNKNOWN, what to do next.
pub fn summary(args: &VerifyArgs, question: Question, unknown: Option<&Reason>) -> String {
    let files: Vec<String> =
        args.input.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let (files, model, by) = (files.join(" "), args.input.data_model, args.input.model_by);
    let what = match question {
        Question::Property => &errors_checked(&args.input.errors),
        Question::Violation => "whether an execution goes to the error as the witness says",
        Question::Correctness => "whether what the witness says holds, and no error is reached",
    };
    let mut text = format!("ravelin: checked {what}: {files} ({model}, {by})\n");
    match unknown {
        Some(reason) => {
            let next = hint(reason).map(|hint| format!("ravelin: next: {hint}\n"));
            text += &next.unwrap_or_default();
        }
        None if args.verbose => {
            text += "ravelin: assuming, among others (docs/assumptions.md):\n";
            for Assumption { number, text: assumption } in ASSUMPTIONS {
                text += &format!("ravelin:   A{number}. {assumption}\n");
            }
            text += "ravelin: not checked: bounds and lifetimes of memory, overflow, data races, deadlocks, \
                     termination\n";
        }
        None => {
            let numbers: Vec<String> =
                ASSUMPTIONS.iter().map(|assumption| format!("A{}", assumption.number)).collect();
            text += &format!(
                "ravelin: under assumptions {} and others (docs/assumptions.md; -v tells them); \
                 other properties were not checked\n",
                numbers.join(", ")
            );
        }
    }
    text
}

/// What to do after UNKNOWN.
pub fn hint(reason: &Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::Timeout => "more time may help (--timeout); '--stats' shows where it goes",
        Reason::OutOfMemory => {
            "more memory may help (--memory-limit), or '--domain predicate', which keeps fewer states"
        }
        Reason::RefinementStuck => {
            "another way to refine may find what is missing: '--refinement spacer', '--memory array' or '--unroll 60'"
        }
        Reason::Unsupported { .. } => {
            "what is at that place is not modelled, see LIMITATIONS.md; a stub for it, or leaving it out, may do"
        }
        Reason::Undefined { .. } => {
            "an execution that leads to the error has undefined behaviour before: repair that first"
        }
        Reason::Diverged(_) => {
            "a path to the error was found but not confirmed: values that the analysis left open matter, see LIMITATIONS.md"
        }
        Reason::NoSolver(_) => {
            "the command after --solver must be a program that reads SMT-LIB 2 from its standard input"
        }
        Reason::Solver(_) | Reason::HardQuestion => {
            "the solver gave up on a question; '--dump-smt2 DIR' shows which"
        }
        Reason::UnsupportedProperty => "only the reachability of error calls is known so far",
        Reason::Blocked { reason, .. } => return hint(reason),
        Reason::Interrupted
        | Reason::StepLimit
        | Reason::NoEntry
        | Reason::InputRejected
        | Reason::WrongUsage
        | Reason::OutputFailed
        | Reason::InternalError
        | Reason::NoAnswer => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page that the summary refers to contains what it names.
    #[test]
    fn assumptions_are_in_the_book() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let page = std::fs::read_to_string(format!("{root}/docs/assumptions.md")).expect("a page");
        for Assumption { number, .. } in ASSUMPTIONS {
            assert!(page.contains(&format!("**A{number}. ")), "A{number}");
        }
    }
}
