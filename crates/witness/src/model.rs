//! What a witness says, whatever the format.

use std::fmt;
use std::path::Path;

use ravelin_base::DataModel;

/// An answer with its reasons, for others to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub task: Task,
    pub content: Content,
}

/// What was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The files of the program, and the SHA-256 hashes of what is in them.
    pub files: Vec<(String, String)>,
    /// As property files of the competition have it.
    pub specification: String,
    pub data_model: DataModel,
    /// What the answer rests on beside the program, for people.
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Executions that violate the property pass these, one after the other.
    Violation(Vec<Segment>),
    /// The property holds, and so do these.
    Correctness(Vec<Invariant>),
}

/// A part of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// It does not pass these.
    pub avoid: Vec<Waypoint>,
    /// It ends with passing this; the last is the violation itself.
    pub follow: Waypoint,
    /// Whether it passes that the first time that it comes there.
    pub is_strict: bool,
}

impl Segment {
    pub fn to(follow: Waypoint) -> Segment {
        Segment { avoid: Vec::new(), follow, is_strict: true }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
    /// The thread that passes it: the main thread is 0, others are counted as the waypoints start them.
    /// Any thread, if there is none.
    pub thread: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// Before a statement or declaration, this C expression holds.
    Assumption(String),
    /// After it, this C expression holds.
    Effect(String),
    /// A branch is taken.
    Branching(Way),
    /// A function, of which the name may be known, is called, at the closing parenthesis.
    FunctionEnter(Option<String>),
    /// Such a call is over; of `\result` this C expression holds.
    FunctionReturn(Option<String>, Option<String>),
    /// The statement with which the property is violated.
    Target,
    /// The property is violated, wherever that is.
    AnyTarget,
}

/// Where a branch goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the value of a condition.
    Condition(bool),
    /// To the case of this value.
    Case(i128),
    /// To where no case leads.
    Default,
}

/// A place in the source; line and column count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub line: u32,
    /// The first place in the line that fits, if there is none.
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Whether it holds whenever a loop's condition is evaluated, or before a statement.
    pub is_of_loop: bool,
    pub location: Location,
    /// A C expression.
    pub value: String,
}

/// Why a witness cannot be read or followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessError {
    /// It makes no sense, or not for this program.
    Malformed(String),
    /// It may be right, but that cannot be found out here.
    Unsupported(String),
}

impl WitnessError {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        WitnessError::Malformed(why.into())
    }

    pub(crate) fn unsupported(why: impl Into<String>) -> Self {
        WitnessError::Unsupported(why.into())
    }
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessError::Malformed(why) | WitnessError::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for WitnessError {}

impl Location {
    /// How well a file fits that of the location: witnesses name files as their maker saw them. Nothing if
    /// not even the last parts of their paths agree.
    pub fn likeness(&self, file: &str) -> usize {
        let plain = |path: &str| path.trim_start_matches("./").to_owned();
        if plain(&self.file) == plain(file) {
            return usize::MAX;
        }
        let parts = |path: &str| -> Vec<String> {
            let parts = Path::new(path).components().rev();
            parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
        };
        let (told, own) = (parts(&self.file), parts(file));
        told.iter().zip(&own).take_while(|(told, own)| told == own).count()
    }
}

/// The name and version of who makes a witness.
pub const PRODUCER: (&str, &str) = ("Ravelin", env!("CARGO_PKG_VERSION"));
