//! The meaning of an answer, for people: what was checked, what it relies on, and what to do after
//! UNKNOWN.

use ravelin_verifier::{Asked, Properties, Property, Reason};

use crate::args::{ErrorArgs, VerifyArgs};
use crate::decided::{Conclusion, names};
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

/// The assumptions of answers about these properties: what is checked is not assumed.
pub fn assumptions(asked: Properties) -> Vec<Assumption> {
    let is_checked = |assumption: &Assumption| match assumption.number {
        6 => asked.contains(Property::NoOverflow),
        13 => asked.contains(Property::ValidDeref) && asked.contains(Property::ValidFree),
        _ => false,
    };
    ASSUMPTIONS.iter().copied().filter(|assumption| !is_checked(assumption)).collect()
}

/// What an execution does that violates a property.
fn violation(property: Property, errors: &ErrorArgs) -> String {
    let text = match property {
        Property::UnreachCall => {
            let functions: String =
                errors.functions.iter().map(|name| format!(", {name}()")).collect();
            let ends: String =
                errors.ends.iter().map(|end| format!(" or ends by {}", end.name())).collect();
            return format!("calls reach_error(){functions} or fails an assertion{ends}");
        }
        Property::ValidDeref => "accesses memory outside of live objects",
        Property::ValidFree => "frees what is no live heap object",
        Property::ValidMemtrack => "loses the last pointer to a heap object",
        Property::ValidMemcleanup => "ends without having freed all heap objects",
        Property::NoOverflow => "overflows in signed arithmetic",
        Property::ValidArithmetic => "divides by zero or shifts by an invalid amount",
        Property::ValidArguments => "calls a library function with arguments that it forbids",
        Property::ValidInit => "reads a local variable before it has a value",
        Property::ValidBounds => "indexes an array in an object out of its bounds",
        Property::NoDataRace => "has a data race",
        Property::NoDeadlock => "has a thread that waits for ever",
        Property::Termination => "does not end",
    };
    text.to_owned()
}

/// A description of the properties.
fn what_is_checked(asked: &[&Asked], errors: &ErrorArgs) -> String {
    let check = |asked: &&Asked| match &asked.other {
        Some(check) => vec![format!("is outside of {check}")],
        None => asked.properties.iter().map(|it| violation(it, errors)).collect(),
    };
    let violations: Vec<String> = asked.iter().flat_map(check).collect();
    format!("whether an execution {}", violations.join("; "))
}

/// What is known of properties that were not asked.
fn not_checked(asked: Properties) -> String {
    let topics = [
        (Property::UnreachCall, "assertions and error calls"),
        (Property::ValidDeref, "accesses to memory"),
        (Property::ValidFree, "deallocation"),
        (Property::ValidMemtrack, "leaks"),
        (Property::NoOverflow, "overflow"),
        (Property::ValidArithmetic, "divisions and shifts"),
        (Property::ValidArguments, "arguments of library functions"),
        (Property::ValidInit, "variables without values"),
        (Property::ValidBounds, "bounds of arrays in objects"),
        (Property::NoDataRace, "data races"),
        (Property::NoDeadlock, "deadlocks"),
        (Property::Termination, "termination"),
    ];
    let left = topics.iter().filter(|(property, _)| !asked.contains(*property));
    left.map(|&(_, topic)| topic).collect::<Vec<_>>().join(", ")
}

/// Complete lines: the properties, the assumptions, and after UNKNOWN, what to do next.
pub fn summary(args: &VerifyArgs, question: Question, conclusion: &Conclusion) -> String {
    let files: Vec<String> =
        args.input.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let (files, model, by) = (files.join(" "), args.input.data_model, args.input.model_by);
    let questions: Vec<&Asked> = conclusion.parts.iter().map(|part| &part.asked).collect();
    let asked: Properties = questions.iter().flat_map(|asked| asked.properties.iter()).collect();
    let what = match question {
        Question::Property => &what_is_checked(&questions, &args.input.errors),
        Question::Violation => "whether an execution goes to the error as the witness says",
        Question::Correctness => "whether what the witness says holds, and no error is reached",
    };
    let mut text = format!("ravelin: checked {what}: {files} ({model}, {by})\n");
    let unknowns = conclusion.unknowns();
    if unknowns.len() < questions.len() {
        text += &assuming(asked, conclusion.settled(), args.verbose);
    }
    let mut hints: Vec<(&str, Vec<String>)> = Vec::new();
    for (asked, reason) in unknowns {
        let Some(hint) = hint(reason) else { continue };
        match hints.iter_mut().find(|(text, _)| *text == hint) {
            Some((_, of)) => of.push(names(asked)),
            None => hints.push((hint, vec![names(asked)])),
        }
    }
    for (hint, of) in hints {
        let of = match questions.len() {
            1 => String::new(),
            _ => format!(" ({})", of.join(", ")),
        };
        text += &format!("ravelin: next{of}: {hint}\n");
    }
    text
}

/// What answers rely on, and leave open. Other answers need not assume what is `settled`.
fn assuming(asked: Properties, settled: Properties, is_verbose: bool) -> String {
    let assumptions = assumptions(settled);
    if is_verbose {
        let mut text = "ravelin: assuming, among others (docs/assumptions.md):\n".to_owned();
        for Assumption { number, text: assumption } in assumptions {
            text += &format!("ravelin:   A{number}. {assumption}\n");
        }
        return text + &format!("ravelin: not checked: {}\n", not_checked(asked));
    }
    let numbers: Vec<String> =
        assumptions.iter().map(|assumption| format!("A{}", assumption.number)).collect();
    format!(
        "ravelin: under assumptions {} and others (docs/assumptions.md; -v tells them); \
         other properties were not checked\n",
        numbers.join(", ")
    )
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
        Reason::UnsupportedProperty => {
            "deadlocks and termination are not decided yet; nor are entries other than main"
        }
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
