//! The exit codes of the process.

/// The end of a command. The numbers are part of the command line's contract; those from 64 on are
/// those of BSD's `sysexits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The property holds; for other commands: done.
    Ok,
    /// The property is violated; for `run`: the execution reached an error call or failed assertion.
    Violation,
    /// No answer; for `run`: any other outcome than an end or the error.
    Unknown,
    /// The input cannot be read or is not C.
    Rejected,
    /// The command line is invalid.
    Usage,
    /// A defect of Ravelin.
    Internal,
    /// Output could not be written.
    Output,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Violation => 1,
            Exit::Unknown => 2,
            Exit::Rejected => 3,
            Exit::Usage => 64,
            Exit::Internal => 70,
            Exit::Output => 74,
        }
    }
}
