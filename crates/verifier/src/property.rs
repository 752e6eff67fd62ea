//! Property files as the software verification competition writes them: lines of the form
//! `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use std::fmt;

use ravelin_cfa::{Properties, Property};

/// Whether engines decide a property. A new property begins here.
pub fn is_decided(property: Property) -> bool {
    match property {
        Property::UnreachCall
        | Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::ValidMemcleanup
        | Property::NoOverflow
        | Property::ValidArithmetic
        | Property::ValidArguments
        | Property::ValidInit
        | Property::ValidBounds
        | Property::NoDataRace => true,
        Property::NoDeadlock | Property::Termination => false,
    }
}

/// A question: properties that share an automaton and a verdict. All of them have to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub properties: Properties,
    /// A well-formed check that is none of the properties, as it is written: of another entry, of another function,
    /// or of coverage.
    pub other: Option<String>,
}

/// The reachability of error calls.
impl Default for Asked {
    fn default() -> Self {
        Asked { properties: Property::UnreachCall.into(), other: None }
    }
}

impl From<Properties> for Asked {
    fn from(properties: Properties) -> Self {
        Asked { properties, other: None }
    }
}

/// The properties that are one question, in the order in which questions are asked and answered.
const QUESTIONS: [&[Property]; 12] = [
    &[Property::UnreachCall],
    &[Property::ValidDeref, Property::ValidFree],
    &[Property::ValidMemtrack],
    &[Property::ValidMemcleanup],
    &[Property::NoOverflow],
    &[Property::ValidArithmetic],
    &[Property::ValidArguments],
    &[Property::ValidInit],
    &[Property::ValidBounds],
    &[Property::NoDataRace],
    &[Property::NoDeadlock],
    &[Property::Termination],
];

/// What several questions share one automaton for, as long as one verdict is all of theirs. Assertions are not among
/// them: their verdict does not depend on what else is asked. Nor are leaks: what is kept for them costs other checks
/// precision.
const TOGETHER: [Property; 7] = [
    Property::ValidDeref,
    Property::ValidFree,
    Property::NoOverflow,
    Property::ValidArithmetic,
    Property::ValidArguments,
    Property::ValidInit,
    Property::ValidBounds,
];

/// Whether this is one of the questions that are decided together.
pub(crate) fn are_decided_together(asked: &Asked) -> bool {
    asked.other.is_none() && asked.properties.iter().all(|it| TOGETHER.contains(&it))
}

/// The questions that ask for these properties, each with a verdict of its own.
pub fn questions(properties: Properties) -> Vec<Asked> {
    let together = QUESTIONS.iter().map(|group| group.iter().copied().collect::<Properties>());
    let asked = together.map(|group| group.and(properties));
    asked.filter(|group| !group.is_empty()).map(Asked::from).collect()
}

impl Asked {
    /// Whether engines decide all of it.
    pub fn is_decided(&self) -> bool {
        self.other.is_none() && self.properties.iter().all(is_decided)
    }

    /// As property files and witnesses write it.
    pub fn specification(&self) -> String {
        let check =
            |property: Property| format!("CHECK( init(main()), LTL({}) )", property.formula());
        let checks: Vec<String> = self.properties.iter().map(check).collect();
        self.other.clone().unwrap_or_else(|| checks.join("\n"))
    }

    /// What the specification of a witness asks. Some tools write the formula alone, or nothing.
    pub fn of_specification(text: &str) -> Option<Asked> {
        let text = text.trim();
        if text.is_empty() {
            return Some(Asked::default());
        }
        match text.starts_with("CHECK") || text.starts_with("COVER") {
            true => parse_property_file(text).ok(),
            false if text.starts_with(['G', 'F']) => {
                parse_property_file(&format!("CHECK(init(main()), LTL({text}))")).ok()
            }
            false => None,
        }
    }
}

/// The names of the properties, or the check that is none.
impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.other {
            Some(check) => f.write_str(check),
            None => write!(f, "{}", self.properties),
        }
    }
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
pub fn parse_property_file(text: &str) -> Result<Asked, PropertyError> {
    let mut asked = Asked { properties: Properties::default(), other: None };
    for (index, line) in text.lines().enumerate() {
        // Blanks have no meaning anywhere in a check.
        let check: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if !check.is_empty() {
            let property = property_of(&check)
                .map_err(|message| PropertyError { line: index + 1, message })?;
            match property {
                Some(property) => asked.properties.insert(property),
                None => asked.other = asked.other.or(Some(line.trim().to_owned())),
            }
        }
    }
    if asked.other.is_none() && asked.properties.is_empty() {
        return Err(PropertyError { line: 1, message: "no property: 'CHECK(…)' expected" });
    }
    Ok(asked)
}

/// The property that a check without blanks asks for.
fn property_of(check: &str) -> Result<Option<Property>, &'static str> {
    if check.starts_with("COVER(") && check.ends_with(')') {
        return Ok(None);
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
    Ok(Property::of_formula(formula).filter(|_| entry == "main()"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reachability_is_known_however_spaced() {
        for text in [
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
            "\n  CHECK(init(main()),LTL(G!call(reach_error())))",
            "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\r\n",
        ] {
            assert_eq!(parse_property_file(text), Ok(Asked::default()), "{text:?}");
        }
    }

    #[test]
    fn the_other_properties_of_the_competition_are_known() {
        for (formula, property) in [
            ("G valid-deref", Property::ValidDeref),
            ("G valid-free", Property::ValidFree),
            ("G valid-memtrack", Property::ValidMemtrack),
            ("G valid-memcleanup", Property::ValidMemcleanup),
            ("G ! overflow", Property::NoOverflow),
            ("G ! data-race", Property::NoDataRace),
            ("F end", Property::Termination),
        ] {
            let text = format!("CHECK( init(main()), LTL({formula}) )");
            let asked = Asked { properties: property.into(), other: None };
            assert_eq!(parse_property_file(&text), Ok(asked.clone()), "{text}");
            assert_eq!(Asked::of_specification(formula), Some(asked), "{formula}");
        }
    }

    #[test]
    fn other_checks_are_kept_as_they_are() {
        for text in [
            "CHECK( init(start()), LTL(G ! call(reach_error())) )",
            "CHECK( init(main()), LTL(G ! call(other())) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            let asked = parse_property_file(text).expect("well-formed");
            assert_eq!((asked.to_string().as_str(), asked.is_decided()), (text, false));
        }
    }

    #[test]
    fn several_checks_are_all_read() {
        let text = "CHECK( init(main()), LTL(G valid-free) )\n\
                    CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        let properties = [Property::ValidFree, Property::UnreachCall].into_iter().collect();
        assert_eq!(parse_property_file(text), Ok(Asked { properties, other: None }));
    }

    #[test]
    fn every_property_is_in_one_question() {
        let all = questions(Property::ALL.into_iter().collect());
        let asked: Vec<Property> = all.iter().flat_map(|it| it.properties.iter()).collect();
        assert_eq!(asked, Property::ALL);
        let some = [Property::NoOverflow, Property::ValidFree, Property::UnreachCall];
        let names: Vec<String> =
            questions(some.into_iter().collect()).iter().map(Asked::to_string).collect();
        assert_eq!(names, ["unreach-call", "valid-free", "no-overflow"]);
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
            let error = parse_property_file(text).expect_err(text);
            assert_eq!(error.line, line, "{text:?}");
        }
    }
}
