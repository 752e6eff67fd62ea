//! `ravelin verify`: decides whether a property holds.

use std::fmt;
use std::fs;
use std::path::Path;

use ravelin_cfa::passes::{self, PassConfig};

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output::{Sink, write_to};
use crate::panics;
use crate::property::{Property, parse_properties};
use crate::watchdog::Watchdog;

/// The answer; its text is the last line of standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// No answer, for this reason.
    Unknown(&'static str),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Unknown(reason) => write!(f, "Verdict: UNKNOWN({reason})"),
        }
    }
}

/// Prints a verdict, whatever happens.
pub fn verify(args: &VerifyArgs) -> Exit {
    let watchdog = Watchdog::start(args.limits.starting_now(), |reached| {
        // The process ends here; there is nothing else to be done if this fails.
        let _ = print(&Verdict::Unknown(reached.reason()));
    });
    let result = panics::catch(|| decide(args));
    watchdog.claim_last_word();
    let (verdict, exit) = match result {
        Ok(Ok(verdict @ Verdict::Unknown(_))) => (verdict, Exit::Unknown),
        Ok(Err(failure)) => {
            crate::log(&failure.message);
            (Verdict::Unknown(reason(failure.exit)), failure.exit)
        }
        Err(panics::Panicked) => (Verdict::Unknown(reason(Exit::Internal)), Exit::Internal),
    };
    match print(&verdict) {
        Ok(()) => exit,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

fn decide(args: &VerifyArgs) -> Result<Verdict, Failure> {
    let properties = match &args.property {
        Some(path) => read_properties(path)?,
        None => vec![Property::UnreachCall],
    };
    front::build(&args.input, passes::DEFAULT, &PassConfig::default())?;
    let is_supported = |property: &Property| match property {
        Property::UnreachCall => true,
        Property::Unsupported(_) => false,
    };
    if !properties.iter().all(is_supported) {
        return Ok(Verdict::Unknown("property not supported yet"));
    }
    Ok(Verdict::Unknown("no analysis yet"))
}

fn read_properties(path: &Path) -> Result<Vec<Property>, Failure> {
    let reject =
        |why: String| Failure::new(Exit::Rejected, format!("property '{}': {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| reject(error.to_string()))?;
    parse_properties(&text).map_err(|error| reject(error.to_string()))
}

/// What the verdict says where there was none.
fn reason(exit: Exit) -> &'static str {
    match exit {
        Exit::Rejected => "input rejected",
        Exit::Internal => "internal error",
        Exit::Usage => "wrong usage",
        Exit::Output => "output failed",
        Exit::Ok | Exit::Violation | Exit::Unknown => "out of resources",
    }
}

fn print(verdict: &Verdict) -> Result<(), String> {
    write_to(&Sink::Stdout, |output| writeln!(output, "{verdict}"))
}
