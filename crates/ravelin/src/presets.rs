//! Named sets of options, as a table, which `--list-presets` prints with the strategy of each.

use std::ffi::OsString;
use std::fmt::Write as _;

use ravelin_verifier::strategy::{Plan, Strategy};

use crate::analysis;
use crate::args::{self, Command};

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
    Preset { name: "default", what: "the best known for everything", options: "" },
    Preset {
        name: "errors",
        what: "look for errors: unroll for an hour before anything else",
        options: "--unroll 3600",
    },
    Preset {
        name: "proof",
        what: "expect a proof",
        options: "--unroll 0 --explore off --symbolic off --refinement spacer",
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
    // The configurations of the papers behind the pages on how it works: one domain, one refinement and one
    // order of search, and nothing beside them.
    Preset {
        name: "points-to-graphs",
        what: "as in the paper on pointers in concurrent programs (EXPL, AAPOR): every state has an exact \
               points-to graph, which memory and the reduction of threads go by",
        options: "--domain explicit --memory points-to --pointers off --por abstraction-aware --alias exact \
                  --coi none --unroll 0 --explore off --symbolic off",
    },
    Preset {
        name: "deref",
        what: "as in the paper on reads as terms (PRED, sequence interpolation): predicates over memory, and a \
               solver that says which accesses of threads may meet",
        options: "--domain predicate --memory deref --refinement spacer --encoding lbe \
                  --por abstraction-aware --alias smt --coi none --unroll 0 --templates off --clauses off \
                  --crowds off --explore off --symbolic off",
    },
    Preset {
        name: "deref-values",
        what: "the same with values (EXPL)",
        options: "--domain explicit --memory deref --pointers off --encoding lbe --por abstraction-aware \
                  --alias smt --coi none --unroll 0 --explore off --symbolic off",
    },
    Preset {
        name: "configurable-pointers",
        what: "as in the thesis on pointer-alias analysis: values, strengthened by Andersen's points-to map of \
               each path; '--pointers' and '--pointer-merge' choose another",
        options: "--domain explicit --memory deref --pointers andersen --pointer-merge sep --encoding single \
                  --por none --coi none --unroll 0 --explore off --symbolic off",
    },
    Preset {
        name: "memory-versions",
        what: "as in the paper on versions of memory: Boolean abstraction over versioned functions, in \
               adjustable blocks of single operations, with interpolation",
        options: "--domain predicate --memory uf --abstraction boolean --encoding abe --refinement spacer \
                  --por none --coi none --unroll 0 --templates off --clauses off --crowds off --explore off \
                  --symbolic off",
    },
    Preset {
        name: "statement-reduction",
        what: "as in the paper on data flow between threads (EXPL, AAPOR, COI, depth first): statements nothing \
               depends on are left out; '--coi por-coi' and '--coi none' are its other configurations",
        options: "--domain explicit --memory deref --encoding lbe --order dfs --max-enum 1 \
                  --por abstraction-aware --alias static --coi coi --unroll 0 --explore off --symbolic off",
    },
    Preset {
        name: "statement-reduction-predicates",
        what: "the same with predicates (PRED, Cartesian, atoms, sequence interpolation)",
        options: "--domain predicate --memory deref --abstraction cartesian --predicates atoms \
                  --refinement spacer --encoding lbe --order dfs --por abstraction-aware --alias static \
                  --coi coi --unroll 0 --templates off --clauses off --crowds off --explore off --symbolic off",
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

    /// The strategy that its options ask for; every preset has one, as a test checks.
    fn strategy(&self) -> Option<Strategy> {
        let words = ["ravelin", "verify", "a.c"].into_iter().chain(self.options.split_whitespace());
        match args::parse(words.map(OsString::from).collect()).ok()?.command {
            Command::Verify(args) => Some(analysis::strategy(&args.analysis)),
            _ => None,
        }
    }
}

/// The table for people.
pub fn list() -> String {
    let mut text = String::new();
    for preset in PRESETS {
        let Preset { name, what, options } = preset;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}\n    {what}");
        if let Some(strategy) = preset.strategy() {
            let [one, several] = [false, true].map(|threads| Plan::typical(&strategy, threads));
            let _ = writeln!(text, "    one thread: {}", one.summary());
            let _ = writeln!(text, "    threads: {}", several.summary());
        }
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
        assert_eq!(words(&[]).len(), 8);
        let off = ["--explore", "off", "--symbolic", "off"];
        assert_eq!(words(&["--refinement", "wp"]), [&["--unroll", "0"], &off[..]].concat());
        assert_eq!(words(&["--unroll=3"]), [&off[..], &["--refinement", "spacer"]].concat());
    }

    #[test]
    fn every_preset_is_understood() {
        for preset in PRESETS {
            let line = ["ravelin", "verify", "a.c", "--preset", preset.name].map(OsString::from);
            crate::args::parse(line.to_vec())
                .unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            // Its options as a user would give them: all have an effect.
            let line = ["ravelin", "verify", "a.c"].into_iter();
            let line = line.chain(preset.options.split_whitespace()).map(OsString::from);
            crate::args::parse(line.collect())
                .unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            assert!(list().contains(preset.name) && preset.strategy().is_some());
        }
    }
}
