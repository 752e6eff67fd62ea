//! Versions of memory: a function of addresses for each, defined by the one before.
//!
//! A write makes a version that has the written value at its address and elsewhere what the version before
//! has (`mem_update`); where ways meet there is a version that is unchanged from one or the other
//! (`mem_unchanged`). The functions are taken apart into a variable for each address that matters. Addresses
//! are pairs of object and offset, so that objects are apart from each other and from null by their very
//! numbers: the axioms on base addresses hold without being stated.

use ravelin_term::{Sort, Term, TermKind};

use super::access::Written;
use super::{Definition, MemoryModel, Reading};
use crate::model::space::Space;

/// The model of versions.
pub struct Versions {
    /// Writing several constants one after the other makes one version.
    pub bulk: bool,
    /// Only for addresses that are read it is said what a version has there.
    pub used: bool,
}

impl MemoryModel for Versions {
    fn read(&self, reading: &mut Reading<'_>, space: &mut Space<'_>, memory: Term) -> Option<Term> {
        if !self.used {
            self.define_all(reading, space, memory)?;
        }
        self.of_version(reading, space, memory)
    }
}

impl Versions {
    /// What a version has at the address.
    fn of_version(
        &self,
        reading: &mut Reading<'_>,
        space: &mut Space<'_>,
        version: Term,
    ) -> Option<Term> {
        if let TermKind::Var(memory) = space.terms.kind(version) {
            return Some(reading.content(space, memory));
        }
        // Floats have many representations of what is not a number, so that a variable could not be
        // said to be equal to one.
        if matches!(reading.sort, Sort::Float(_)) {
            return super::deref::Deref.read(reading, space, version);
        }
        let name = space.version(version, reading.pointer, reading.sort);
        let read = space.read_var(name);
        if let Some(definition) = reading.translator.definitions.get(&name) {
            reading.exact &= definition.exact;
            reading.needs.push(name);
            return Some(read);
        }
        // What the definition needs is not needed where the name is not.
        let outer = std::mem::take(&mut reading.needs);
        let is_exact = std::mem::replace(&mut reading.exact, true);
        let conditions = match space.terms.kind(version) {
            TermKind::Write(..) => {
                let value = self.updated(reading, space, version)?;
                vec![space.terms.eq(read, value)]
            }
            TermKind::Ite(cond, a, b) => {
                let cond = reading.operand(cond)?;
                let a = self.of_version(reading, space, a)?;
                let b = self.of_version(reading, space, b)?;
                let (as_a, as_b) = (space.terms.eq(read, a), space.terms.eq(read, b));
                let otherwise = space.terms.not(cond);
                vec![space.terms.implies(cond, as_a), space.terms.implies(otherwise, as_b)]
            }
            _ => return None,
        };
        let needs = std::mem::replace(&mut reading.needs, outer);
        let exact = reading.exact;
        reading.translator.definitions.insert(name, Definition { conditions, needs, exact });
        reading.exact &= is_exact;
        reading.needs.push(name);
        Some(read)
    }

    /// What there is at the address after a write, and, if they make one version, others before it.
    fn updated(
        &self,
        reading: &mut Reading<'_>,
        space: &mut Space<'_>,
        version: Term,
    ) -> Option<Term> {
        let mut passed: Vec<(Term, Written)> = Vec::new();
        let mut at = version;
        while let TermKind::Write(below, pointer, written) = space.terms.kind(at) {
            let is_bulk =
                self.bulk && space.is_value(written) && space.constant_pointer(pointer).is_some();
            // Writes that surely are elsewhere need no version of their own.
            if !passed.is_empty() && !is_bulk {
                break;
            }
            reading.pass_write()?;
            reading.effect(space, (pointer, written), below, &mut passed)?;
            at = below;
            if !passed.is_empty() && !is_bulk {
                break;
            }
        }
        let mut value = self.of_version(reading, space, at)?;
        for (condition, written) in passed.into_iter().rev() {
            value = reading.after(space, condition, written, value)?;
        }
        Some(value)
    }

    /// Says also what the version has at every address that was written before.
    fn define_all(
        &self,
        reading: &mut Reading<'_>,
        space: &mut Space<'_>,
        memory: Term,
    ) -> Option<()> {
        let mut written: Vec<(Term, Sort)> = Vec::new();
        space.terms.for_each_subterm(memory, |_, kind| {
            if let TermKind::Write(_, pointer, value) = kind {
                written.push((pointer, space.terms.sort(value)));
            }
        });
        written.sort_unstable();
        written.dedup();
        for (pointer, sort) in written {
            let Some(&pointer) = reading.translator.done.get(&pointer) else { continue };
            let mut other = Reading::new(reading.translator, pointer, sort, reading.uniform);
            self.of_version(&mut other, space, memory)?;
            let Reading { needs, exact, .. } = other;
            reading.needs.extend(needs);
            reading.exact &= exact;
        }
        Some(())
    }
}
