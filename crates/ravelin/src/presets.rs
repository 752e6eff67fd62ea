//! Named sets of options, as a table: what a name stands for is plain to see, and `--list-presets` prints it.

use std::ffi::OsString;
use std::fmt::Write as _;

/// A name for options of the analysis.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    pub name: &'static str,
    /// When to take it.
    pub what: &'static str,
    /// The options, as on a command line.
    options: &'static str,
}

/// All of them, the default first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "default",
        what: "the best known for everything: short unrolling, invariants from templates, then values and \
               predicates; beside the analysis, an explorer of concrete states",
        options: "",
    },
    Preset {
        name: "errors",
        what: "look for errors: unroll for an hour before anything else",
        options: "--unroll 3600",
    },
    Preset {
        name: "proof",
        what: "expect a proof: no unrolling and no explorer, Spacer's interpolants alone",
        options: "--unroll 0 --explore off --refinement spacer",
    },
    Preset {
        name: "values",
        what: "values of variables and memory alone: fast where loops have bounds",
        options: "--domain explicit",
    },
    Preset {
        name: "predicates",
        what: "predicates alone: few states, little memory",
        options: "--domain predicate",
    },
    Preset {
        name: "small-steps",
        what: "one operation at a time: the plainest traces and automata",
        options: "--encoding single --unroll 0",
    },
    Preset {
        name: "points-to-graphs",
        what: "as in the paper on pointers in concurrent programs: pointers of states, and reduction by them",
        options: "--memory points-to --por abstraction-aware --alias exact --unroll 0 --templates off --clauses off",
    },
    Preset {
        name: "memory-versions",
        what: "as in the paper on versions of memory: predicates over versioned functions",
        options: "--domain predicate --memory uf --unroll 0 --templates off --clauses off",
    },
    Preset {
        name: "statement-reduction",
        what: "as in the paper on data flow between threads: statements nothing depends on are left out",
        options: "--coi por-coi --explore off --crowds off",
    },
];

/// The preset of a name.
pub fn find(name: &str) -> Option<Preset> {
    PRESETS.iter().find(|preset| preset.name == name).copied()
}

impl Preset {
    /// Its options, but for those that are given anyway.
    pub fn words(&self, given: &[OsString]) -> Vec<OsString> {
        let is_given = |option: &str| {
            given.iter().any(|word| {
                let word = word.to_string_lossy();
                word == option || word.starts_with(&format!("{option}="))
            })
        };
        let mut words = Vec::new();
        let mut parts = self.options.split_whitespace();
        // Every option here has a value.
        while let (Some(option), Some(value)) = (parts.next(), parts.next()) {
            if !is_given(option) {
                words.extend([option.into(), value.into()]);
            }
        }
        words
    }
}

/// The table for people.
pub fn list() -> String {
    let mut text = String::new();
    for Preset { name, what, options } in PRESETS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}\n    {what}");
        if !options.is_empty() {
            let _ = writeln!(text, "    = {options}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_are_given_count() {
        let words = |given: &[&str]| -> Vec<String> {
            let given: Vec<OsString> = given.iter().map(OsString::from).collect();
            let preset = find("proof").expect("there is one");
            preset.words(&given).iter().map(|word| word.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(words(&[]).len(), 6);
        assert_eq!(words(&["--refinement", "wp"]), ["--unroll", "0", "--explore", "off"]);
        assert_eq!(words(&["--unroll=3"]), ["--explore", "off", "--refinement", "spacer"]);
    }

    #[test]
    fn every_preset_is_understood() {
        for preset in PRESETS {
            let line = ["ravelin", "verify", "a.c", "--preset", preset.name].map(OsString::from);
            crate::args::parse(line.to_vec())
                .unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            assert!(list().contains(preset.name));
        }
    }
}
