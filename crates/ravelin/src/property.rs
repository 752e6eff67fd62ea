//! Property files as the software verification competition writes them: lines of the form
//! `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use std::fmt;

/// What is to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// No execution calls the error function. Which functions those are is fixed: `reach_error`,
    /// `__VERIFIER_error` and what a failed `assert` calls.
    UnreachCall,
    /// A well-formed property that no analysis here decides, as it is written.
    Unsupported(String),
}

/// Why a text is no property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    line: usize,
    message: &'static str,
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Reads the checks of a property file. A file with several checks asks for all of them at once.
pub fn parse_properties(text: &str) -> Result<Vec<Property>, PropertyError> {
    let mut properties = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // Blanks have no meaning anywhere in a check.
        let check: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if !check.is_empty() {
            let is_decided =
                decides(&check).map_err(|message| PropertyError { line: index + 1, message })?;
            properties.push(match is_decided {
                true => Property::UnreachCall,
                false => Property::Unsupported(line.trim().to_owned()),
            });
        }
    }
    if properties.is_empty() {
        return Err(PropertyError { line: 1, message: "no property: 'CHECK(…)' expected" });
    }
    Ok(properties)
}

/// Whether a check is the one that is decided here.
fn decides(check: &str) -> Result<bool, &'static str> {
    if check.starts_with("COVER(") && check.ends_with(')') {
        return Ok(false);
    }
    let body = check
        .strip_prefix("CHECK(")
        .and_then(|rest| rest.strip_suffix(')'))
        .ok_or("'CHECK(init(main()),LTL(…))' expected")?;
    let (init, formula) = body.split_once("),").ok_or("'init(main()),LTL(…)' expected")?;
    let entry = init.strip_prefix("init(").ok_or("'init(main())' expected")?;
    let formula = formula
        .strip_prefix("LTL(")
        .and_then(|rest| rest.strip_suffix(')'))
        .ok_or("'LTL(…)' expected")?;
    let errors = ["G!call(reach_error())", "G!call(__VERIFIER_error())"];
    Ok(entry == "main()" && errors.contains(&formula))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reachability_is_supported_however_spaced() {
        for text in [
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
            "\n  CHECK(init(main()),LTL(G!call(reach_error())))",
            "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\r\n",
        ] {
            assert_eq!(parse_properties(text), Ok(vec![Property::UnreachCall]), "{text:?}");
        }
    }

    #[test]
    fn others_are_known_as_properties() {
        for text in [
            "CHECK( init(main()), LTL(G valid-free) )",
            "CHECK( init(main()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G ! data-race) )",
            "CHECK( init(start()), LTL(G ! call(reach_error())) )",
            "CHECK( init(main()), LTL(G ! call(other())) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            let properties = parse_properties(text).expect(text);
            assert!(matches!(properties[..], [Property::Unsupported(_)]), "{text}");
        }
    }

    #[test]
    fn several_checks_are_all_read() {
        let text = "CHECK( init(main()), LTL(G valid-free) )\n\
                    CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        let properties = parse_properties(text).expect("well-formed");
        assert_eq!(properties.len(), 2);
        assert_eq!(properties[1], Property::UnreachCall);
    }

    #[test]
    fn junk_is_rejected_with_its_line() {
        for (text, line) in [
            ("", 1),
            ("int main(void) { return 0; }", 1),
            ("\nCHECK(", 2),
            ("CHECK( init(main()) )", 1),
            ("CHECK( init(main()), CTL(x) )", 1),
        ] {
            let error = parse_properties(text).expect_err(text);
            assert_eq!(error.line, line, "{text:?}");
        }
    }
}
