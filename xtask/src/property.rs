//! What is asked of a task and what is known of it, as the columns `property` and `expected` of a set say.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use ravelin_cfa::{Properties, Property};
use tempfile::TempDir;

use crate::sets::Answer;

/// The property of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskProperty {
    One(Property),
    /// `valid-memsafety`: valid-deref, valid-free and valid-memtrack.
    Memsafety,
}

/// The property of sets without a column for it.
impl Default for TaskProperty {
    fn default() -> Self {
        TaskProperty::One(Property::UnreachCall)
    }
}

const MEMSAFETY: &str = "valid-memsafety";

impl TaskProperty {
    /// Each of them has to hold, and a violation names one of them.
    pub fn parts(self) -> Properties {
        match self {
            TaskProperty::One(property) => property.into(),
            TaskProperty::Memsafety => {
                [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack]
                    .into_iter()
                    .collect()
            }
        }
    }

    /// As the competition writes property files.
    fn file_text(self) -> String {
        let line =
            |property: Property| format!("CHECK( init(main()), LTL({}) )\n", property.formula());
        self.parts().iter().map(line).collect()
    }

    fn file_name(self) -> String {
        format!("{self}.prp")
    }
}

impl fmt::Display for TaskProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TaskProperty::One(property) => write!(f, "{property}"),
            TaskProperty::Memsafety => f.write_str(MEMSAFETY),
        }
    }
}

impl FromStr for TaskProperty {
    type Err = String;

    fn from_str(text: &str) -> Result<TaskProperty, String> {
        match text {
            "" => Ok(TaskProperty::default()),
            MEMSAFETY => Ok(TaskProperty::Memsafety),
            name => Property::named(name)
                .map(TaskProperty::One)
                .ok_or_else(|| format!("'{name}' is no property")),
        }
    }
}

/// Whether a program satisfies its property, and if not, which part of it is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub answer: Answer,
    /// The property that `FALSE` has to name; without, any part of the task's.
    pub violated: Option<Property>,
}

impl From<Answer> for Expected {
    fn from(answer: Answer) -> Self {
        Expected { answer, violated: None }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.violated {
            Some(property) => write!(f, "{}({property})", self.answer),
            None => write!(f, "{}", self.answer),
        }
    }
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Expected, String> {
        match text.strip_prefix("false(").and_then(|rest| rest.strip_suffix(')')) {
            Some(name) => match Property::named(name) {
                Some(property) => Ok(Expected { answer: Answer::False, violated: Some(property) }),
                None => Err(format!("'{name}' is no property")),
            },
            None => text.parse().map(|answer: Answer| answer.into()),
        }
    }
}

/// Property files on the disk, for as long as this exists.
#[derive(Debug)]
pub struct PropertyFiles(TempDir);

impl PropertyFiles {
    /// Writes a file for each property.
    pub fn write() -> io::Result<PropertyFiles> {
        let directory = tempfile::tempdir()?;
        let single = Property::ALL.into_iter().map(TaskProperty::One);
        for property in single.chain([TaskProperty::Memsafety]) {
            fs::write(directory.path().join(property.file_name()), property.file_text())?;
        }
        Ok(PropertyFiles(directory))
    }

    fn path(&self, property: TaskProperty) -> PathBuf {
        self.0.path().join(property.file_name())
    }

    /// The options of the verifier that ask for exactly this property.
    pub fn options(&self, property: TaskProperty) -> [OsString; 2] {
        match property == TaskProperty::default() {
            // With a property file, a program is taken for one that describes its environment itself.
            true => ["--check".into(), "assert".into()],
            false => ["--property".into(), self.path(property).into()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_and_expectations_come_back() {
        for name in ["unreach-call", "valid-memsafety", "no-overflow", "no-data-race"] {
            assert_eq!(name.parse::<TaskProperty>().map(|it| it.to_string()), Ok(name.into()));
        }
        assert_eq!("".parse(), Ok(TaskProperty::default()));
        "coverage".parse::<TaskProperty>().expect_err("no property");
        for text in ["true", "false", "false(valid-free)"] {
            assert_eq!(text.parse::<Expected>().map(|it| it.to_string()), Ok(text.into()));
        }
        for text in ["true(valid-free)", "false()", "false(valid)", "maybe"] {
            text.parse::<Expected>().expect_err(text);
        }
    }

    #[test]
    fn property_files_have_a_line_for_each_part() {
        let files = PropertyFiles::write().expect("files");
        let read = |property| fs::read_to_string(files.path(property)).expect("a file");
        assert_eq!(
            read(TaskProperty::default()),
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
        );
        assert_eq!(
            read(TaskProperty::Memsafety),
            "CHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-free) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n"
        );
    }
}
