//! The properties that Ravelin can check.

use std::fmt;

use crate::op::ErrorKind;

/// A property of all executions, with the name that SV-COMP, the software verification competition,
/// gives it. `no-deadlock` and those of arithmetic and arguments are no properties of SV-COMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// No execution calls an error function or fails an assertion.
    UnreachCall,
    /// Every access is to a live object, inside its bounds.
    ValidDeref,
    /// Every deallocation is of a live heap object, by the pointer to its start.
    ValidFree,
    /// The program keeps a pointer to every heap object that is not deallocated.
    ValidMemtrack,
    /// Every heap object is deallocated when the program ends.
    ValidMemcleanup,
    /// No signed arithmetic overflows.
    NoOverflow,
    /// No division is by zero, and no shift by a negative amount, or by the width or more.
    ValidArithmetic,
    /// No call of a library function has arguments that the function forbids.
    ValidArguments,
    /// No local variable is read before it has a value, unless its address is taken.
    ValidInit,
    /// No index is outside of its array, where the array is a part of a larger object.
    ValidBounds,
    /// No two conflicting accesses are unordered, unless both are atomic.
    NoDataRace,
    /// No thread waits for ever.
    NoDeadlock,
    /// Every execution ends.
    Termination,
}

impl Property {
    pub const ALL: [Property; 13] = [
        Property::UnreachCall,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoOverflow,
        Property::ValidArithmetic,
        Property::ValidArguments,
        Property::ValidInit,
        Property::ValidBounds,
        Property::NoDataRace,
        Property::NoDeadlock,
        Property::Termination,
    ];

    /// Its name in verdicts: `FALSE(name)`.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::ValidArithmetic => "valid-arithmetic",
            Property::ValidBounds => "valid-bounds",
            Property::ValidInit => "valid-init",
            Property::ValidArguments => "valid-arguments",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::Termination => "termination",
        }
    }

    /// The property of a name.
    pub fn named(name: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|property| property.name() == name)
    }

    /// Its formula in property files and witnesses.
    pub fn formula(self) -> &'static str {
        match self {
            Property::UnreachCall => "G ! call(reach_error())",
            Property::ValidDeref => "G valid-deref",
            Property::ValidFree => "G valid-free",
            Property::ValidMemtrack => "G valid-memtrack",
            Property::ValidMemcleanup => "G valid-memcleanup",
            Property::NoOverflow => "G ! overflow",
            Property::ValidArithmetic => "G valid-arithmetic",
            Property::ValidBounds => "G valid-bounds",
            Property::ValidInit => "G valid-init",
            Property::ValidArguments => "G valid-arguments",
            Property::NoDataRace => "G ! data-race",
            Property::NoDeadlock => "G ! deadlock",
            Property::Termination => "F end",
        }
    }

    /// The property of a formula; blanks have no meaning in it.
    pub fn of_formula(formula: &str) -> Option<Property> {
        /// The formula in use before 2020.
        const OLD_ERROR_CALL: &str = "G ! call(__VERIFIER_error())";
        let letters =
            |text: &'_ str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let formula = letters(formula);
        match formula == letters(OLD_ERROR_CALL) {
            true => Some(Property::UnreachCall),
            false => Property::ALL.into_iter().find(|it| letters(it.formula()) == formula),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of properties, in the order of [`Property::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Properties(u16);

impl Properties {
    pub fn is_empty(self) -> bool {
        self == Properties::default()
    }

    pub fn contains(self, property: Property) -> bool {
        self.0 & Properties::from(property).0 != 0
    }

    /// Those that are in both.
    pub fn and(self, other: Properties) -> Properties {
        Properties(self.0 & other.0)
    }

    pub fn insert(&mut self, property: Property) {
        self.0 |= Properties::from(property).0;
    }

    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |&property| self.contains(property))
    }
}

impl From<Property> for Properties {
    fn from(property: Property) -> Self {
        Properties(1 << property as u16)
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<T: IntoIterator<Item = Property>>(properties: T) -> Self {
        let mut set = Properties::default();
        properties.into_iter().for_each(|property| set.insert(property));
        set
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The names, with commas between them.
impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, property) in self.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{property}")?;
        }
        Ok(())
    }
}

impl ErrorKind {
    /// The property that an execution with this error violates.
    pub fn property(self) -> Property {
        match self {
            ErrorKind::ReachError
            | ErrorKind::AssertFailed
            | ErrorKind::Aborted
            | ErrorKind::Trapped
            | ErrorKind::Unreachable => Property::UnreachCall,
            ErrorKind::SignedOverflow => Property::NoOverflow,
            ErrorKind::DivisionByZero | ErrorKind::InvalidShift => Property::ValidArithmetic,
            ErrorKind::OverlappingCopy | ErrorKind::UnfitFormat => Property::ValidArguments,
            ErrorKind::UninitialisedRead => Property::ValidInit,
            ErrorKind::IndexOutOfBounds => Property::ValidBounds,
            ErrorKind::InvalidAccess => Property::ValidDeref,
            ErrorKind::InvalidFree => Property::ValidFree,
            ErrorKind::LostMemory => Property::ValidMemtrack,
            ErrorKind::UnfreedMemory => Property::ValidMemcleanup,
            ErrorKind::DataRace => Property::NoDataRace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sets_come_back() {
        for property in Property::ALL {
            assert_eq!(Property::named(property.name()), Some(property));
            assert_eq!(Property::of_formula(property.formula()), Some(property));
            assert_eq!(Properties::from(property).iter().collect::<Vec<_>>(), [property]);
        }
        let all: Properties = Property::ALL.into_iter().rev().collect();
        assert_eq!(all.iter().collect::<Vec<_>>(), Property::ALL);
        let two: Properties = [Property::ValidFree, Property::ValidDeref].into_iter().collect();
        assert_eq!(two.to_string(), "valid-deref,valid-free");
    }
}
