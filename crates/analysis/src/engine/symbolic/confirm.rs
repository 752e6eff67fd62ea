//! Claims of errors: the inputs of a path, and the judge that runs them.

use ravelin_base::SrcPos;
use ravelin_cfa::{ErrorKind, Reason};
use ravelin_term::{Sort, Term, TermKind, UnOp};

use super::machine::Machine;
use super::questions::Path;
use super::state::State;
use crate::model::space::ENVIRONMENT;
use crate::verdict::{Counterexample, Input, InputValue};

/// Claims at one position are judged as long as not so many were rejected.
const MAX_REJECTED: u32 = 30;

impl Machine<'_, '_> {
    /// Lets the judge run the path, which leads to an error; the reason if it is not confirmed.
    pub(super) fn confirm(
        &mut self,
        state: &State,
        error: ErrorKind,
        pos: SrcPos,
    ) -> Result<(), Reason> {
        if self.unconfirmed.get(&pos).is_some_and(|&count| count >= MAX_REJECTED) {
            return Err(Reason::Diverged(None));
        }
        let rejected = match self.judged(state, &state.path, error, pos) {
            Ok(()) => return Ok(()),
            Err(reason) => reason,
        };
        // An execution takes zero for variables without value, and other values of inputs may fit with addresses.
        let mut path = state.path.clone();
        for &unset in &state.unset {
            let sort = self.terms.sort(unset);
            if sort != Sort::Mem {
                let zero = self.terms.zero(sort);
                let is_zero = match sort {
                    Sort::Float(_) => continue,
                    _ => self.terms.eq(unset, zero),
                };
                path.assume(&self.terms, is_zero);
            }
        }
        if path.conditions().len() > state.path.conditions().len()
            && let Some(model) = self.questions.model_of(&mut self.terms, &self.sorts, &path)
        {
            path.model = model;
            if self.judged(state, &path, error, pos).is_ok() {
                return Ok(());
            }
        }
        *self.unconfirmed.entry(pos).or_insert(0) += 1;
        Err(rejected)
    }

    fn judged(
        &mut self,
        state: &State,
        path: &Path,
        error: ErrorKind,
        pos: SrcPos,
    ) -> Result<(), Reason> {
        let mut inputs = Vec::with_capacity(state.inputs.len());
        let mut environment = Vec::new();
        for taken in &state.inputs {
            let value = path.value(&mut self.terms, &self.sorts, taken.value);
            let value = self.input_value(value, &mut environment);
            inputs.push(Input { origin: taken.origin, sort: taken.sort, pos: taken.pos, value });
        }
        let claim = Counterexample { error, pos, inputs, schedule: Vec::new(), approximated: None };
        match (self.judge)(&claim) {
            Ok(()) => {
                self.found = Some(claim);
                Ok(())
            }
            Err(unconfirmed) => Err(unconfirmed.reason),
        }
    }

    /// A value as the execution gets it. Objects of the environment are numbered in the order in which it meets them.
    fn input_value(&mut self, value: Term, environment: &mut Vec<u32>) -> InputValue {
        let terms = &mut self.terms;
        match terms.kind(value) {
            TermKind::Bool(value) => InputValue::Bits(value.into()),
            TermKind::Bv(bits) | TermKind::Float(bits) => InputValue::Bits(bits),
            TermKind::Null => InputValue::Bits(0),
            _ if terms.sort(value) == Sort::Ptr => {
                let object = terms.unary(UnOp::PtrObject, value);
                let offset = terms.unary(UnOp::PtrOffset, value);
                match (terms.as_bv(object), terms.as_bv(offset)) {
                    (Some(0), Some(address)) => InputValue::Bits(address),
                    (Some(object), Some(offset)) if object >= u128::from(ENVIRONMENT) => {
                        let object = object as u32;
                        let seen = environment.iter().position(|&other| other == object);
                        let number = seen.unwrap_or_else(|| {
                            environment.push(object);
                            environment.len() - 1
                        });
                        InputValue::Environment { number: number as u32, offset: offset as u64 }
                    }
                    _ => InputValue::Pointer(value),
                }
            }
            _ => InputValue::Bits(0),
        }
    }
}
