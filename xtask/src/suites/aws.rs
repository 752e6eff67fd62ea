//! The proofs of aws-c-common: a harness, and the sources and stubs that its makefile lists.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ravelin_base::DataModel;

use super::tests::{Expectation, Test, read as read_file};
use crate::sets::Answer;

/// Makefiles that only say how CBMC is run.
const COMMON: &str = "Makefile.common";

/// Reads the proof in a directory. Its entry gets a `main` in a file in `scratch`.
pub fn read(root: &Path, directory: &Path, name: &str, scratch: &Path) -> Result<Test, String> {
    let cbmc = root.join("verification/cbmc");
    let path = |path: &Path| path.display().to_string();
    let mut variables = Variables::default();
    for (variable, value) in [
        ("PROOFDIR", path(directory)),
        ("PROOF_ROOT", path(&cbmc.join("proofs"))),
        ("PROOF_SOURCE", path(&cbmc.join("sources"))),
        ("PROOF_STUB", path(&cbmc.join("stubs"))),
        ("SRCDIR", path(root)),
    ] {
        variables.0.insert(variable.to_owned(), value);
    }
    variables.read(directory, &read_file(&directory.join("Makefile"))?)?;
    let entry = match variables.value("HARNESS_ENTRY") {
        entry if entry.is_empty() => format!("{name}_harness"),
        entry => entry,
    };
    let main = scratch.join(format!("{name}.c"));
    let text = format!("void {entry}(void);\nint main(void) {{ {entry}(); return 0; }}\n");
    fs::write(&main, text).map_err(|error| format!("{}: {error}", main.display()))?;
    let mut files = vec![main];
    for list in ["PROOF_SOURCES", "PROJECT_SOURCES"] {
        for file in variables.value(list).split_whitespace().map(PathBuf::from) {
            // Some makefiles list a file twice.
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    // What all proofs are compiled with: `Makefile.common`, and the project's own file beside it.
    let bits = match variables.value("CBMC_OBJECT_BITS") {
        bits if bits.is_empty() => "8".to_owned(),
        bits => bits,
    };
    let mut arguments: Vec<String> = vec![
        "-DCBMC=1".to_owned(),
        format!("-DCBMC_OBJECT_BITS={bits}"),
        "-DCBMC_MAX_OBJECT_SIZE=(SIZE_MAX>>(CBMC_OBJECT_BITS+1))".to_owned(),
        "-DAWS_DEEP_CHECKS=0".to_owned(),
    ];
    files.push(cbmc.join("stubs/abort_override_assert_false.c"));
    let defines = variables.value("DEFINES");
    arguments
        .extend(defines.split_whitespace().filter(|it| it.starts_with("-D")).map(str::to_owned));
    for include in [cbmc.join("include"), root.join("include")] {
        arguments.extend(["-I".to_owned(), path(&include)]);
    }
    let expected = match variables.value("REMOVE_FUNCTION_BODY").is_empty() {
        true => Expectation::Answer(Answer::True),
        false => Expectation::Other("functions whose bodies are removed".to_owned()),
    };
    Ok(Test { name: name.to_owned(), files, arguments, data_model: DataModel::Lp64, expected })
}

/// The variables of a makefile.
#[derive(Debug, Default)]
struct Variables(BTreeMap<String, String>);

impl Variables {
    fn read(&mut self, directory: &Path, text: &str) -> Result<(), String> {
        for line in text.replace("\\\n", " ").lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if let Some(file) = line.strip_prefix("include ") {
                if !file.ends_with(COMMON) {
                    let file = directory.join(file.trim());
                    self.read(directory, &read_file(&file)?)?;
                }
                continue;
            }
            let Some((before, value)) = line.split_once('=') else { continue };
            let name = before.trim_end_matches(['+', '?', ':']);
            let (how, name) = (&before[name.len()..], name.trim());
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                continue;
            }
            let old = self.0.get(name).cloned();
            let value = match (how, old) {
                ("+", Some(old)) => format!("{old} {}", value.trim()),
                ("?", Some(old)) => old,
                _ => value.trim().to_owned(),
            };
            self.0.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// What a variable stands for, others replaced.
    fn value(&self, name: &str) -> String {
        let mut value = self.0.get(name).cloned().unwrap_or_default();
        // A variable may stand for others, but for itself only in a file that is wrong.
        for _ in 0..1000 {
            let Some((before, rest)) = value.split_once("$(") else { break };
            let Some((inner, after)) = rest.split_once(')') else { break };
            let replaced = self.0.get(inner).map_or("", String::as_str);
            value = format!("{before}{replaced}{after}");
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makefiles_list_sources() {
        let mut variables = Variables::default();
        variables.0.insert("SRCDIR".to_owned(), "/aws".to_owned());
        let text = "N ?= 3 # small\nN ?= 4\nDEFINES += -DN=$(N)\nSOURCES += $(SRCDIR)/a.c \\\n  $(SRCDIR)/b.c\n\
                    include ../Makefile.common\n";
        variables.read(Path::new("/nowhere"), text).expect("a makefile");
        assert_eq!(variables.value("DEFINES"), "-DN=3");
        assert_eq!(
            variables.value("SOURCES").split_whitespace().collect::<Vec<_>>(),
            ["/aws/a.c", "/aws/b.c"]
        );
        assert_eq!(variables.value("OTHER"), "");
    }
}
