//! What Z3 can do beside answering questions. Each call has a solver of its own, in the context of its thread.

use std::time::Duration;

use ravelin_term::{Term, TermPool, Var};

use super::{horn, interpolate, project};
use crate::horn::HornClauses;
use crate::{Interpolate, Project, ProofError, SolveHorn};

/// Interpolation and Horn clauses by Spacer, elimination of quantifiers by rewriting and by projecting models.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3Prover;

impl Interpolate for Z3Prover {
    fn sequence_interpolants(
        &mut self,
        pool: &mut TermPool,
        steps: &[Term],
        timeout: Option<Duration>,
    ) -> Result<Vec<Term>, ProofError> {
        interpolate::sequence_interpolants(pool, steps, timeout)
    }
}

impl Project for Z3Prover {
    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        vars: &[Var],
        timeout: Option<Duration>,
    ) -> Option<Term> {
        project::eliminate(pool, formula, vars, timeout)
    }
}

impl SolveHorn for Z3Prover {
    fn solve_horn(
        &mut self,
        pool: &mut TermPool,
        clauses: &HornClauses<'_>,
        timeout: Option<Duration>,
    ) -> Result<Vec<Vec<Term>>, ProofError> {
        horn::solve_horn(pool, clauses, timeout)
    }
}
