//! Why an answer may differ from what a suite expects.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Whose answer is right, or why both are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Ravelin's is wrong.
    Ours,
    /// The suite's is wrong, or is what its tool says rather than what is so.
    Theirs,
    /// The suite's is about something else than assertions.
    OtherProperty,
    /// The programs mean something else there: another compiler, data model, library or memory.
    OtherSemantics,
}

impl Cause {
    pub const ALL: [Cause; 4] =
        [Cause::Ours, Cause::Theirs, Cause::OtherProperty, Cause::OtherSemantics];
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Ours => "ours",
            Cause::Theirs => "theirs",
            Cause::OtherProperty => "other property",
            Cause::OtherSemantics => "other semantics",
        })
    }
}

impl FromStr for Cause {
    type Err = String;

    fn from_str(text: &str) -> Result<Cause, String> {
        let found = Cause::ALL.into_iter().find(|cause| cause.to_string() == text);
        found.ok_or_else(|| format!("'{text}' is no cause"))
    }
}

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub cause: Cause,
    pub why: String,
}

/// Explanations by suite, test and Ravelin's verdict.
#[derive(Debug, Default)]
pub struct Explanations(BTreeMap<(String, String, String), Explanation>);

impl Explanations {
    /// Reads a file; there are none without it.
    pub fn read(path: &Path) -> Result<Explanations, String> {
        if !path.exists() {
            return Ok(Explanations::default());
        }
        let in_file = |message: String| format!("{}: {message}", path.display());
        let mut reader =
            csv::Reader::from_path(path).map_err(|error| in_file(error.to_string()))?;
        let mut found = BTreeMap::new();
        for record in reader.records() {
            let record = record.map_err(|error| in_file(error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let [suite, test, verdict, cause, why] = record.iter().collect::<Vec<_>>()[..] else {
                return Err(in_file(format!("line {line}: five columns are needed")));
            };
            let cause = cause.parse().map_err(|error| in_file(format!("line {line}: {error}")))?;
            let key = (suite.to_owned(), test.to_owned(), verdict.to_owned());
            found.insert(key, Explanation { cause, why: why.to_owned() });
        }
        Ok(Explanations(found))
    }

    pub fn of(&self, suite: &str, test: &str, verdict: &str) -> Option<&Explanation> {
        self.0.get(&(suite.to_owned(), test.to_owned(), verdict.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn explanations_are_read_by_verdict() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("explained.csv");
        let header = "suite,test,verdict,cause,why\n";
        fs::write(&path, format!("{header}cbmc,a,FALSE,theirs,\"a, b\"\n")).expect("a file");
        let found = Explanations::read(&path).expect("explanations");
        assert_eq!(found.of("cbmc", "a", "FALSE").map(|it| it.cause), Some(Cause::Theirs));
        assert_eq!(found.of("cbmc", "a", "TRUE"), None);
        fs::write(&path, format!("{header}cbmc,a,FALSE,mine,x\n")).expect("a file");
        Explanations::read(&path).expect_err("no such cause");
    }
}
