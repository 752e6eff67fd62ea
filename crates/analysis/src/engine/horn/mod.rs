//! Proofs by invariants of locations and summaries of procedures, recursive ones too.
//!
//! The program becomes Horn clauses (`encode`, `unfold`), of which Spacer guesses a solution as if numbers had
//! no end. Of what it guesses, that is kept which is right of bit-vectors (`inductive`). If no error can be
//! reached by that, the program is safe, however the guess was made. Memory has any contents here: programs for
//! which it matters are left to the analysis.

mod encode;
mod inductive;
mod unfold;

use ravelin_base::{Budget, Deadline};
use ravelin_cfa::Program;
use ravelin_smt::Solver;
use ravelin_smt::z3_backend::{Ends, guess};
use ravelin_term::{Term, TermKind};

use self::encode::{Names, System};
use crate::algorithm::invariants::position;
use crate::domain::Stop;
use crate::model::control_flow::Guide;
use crate::verdict::{Invariant, Proof};

/// Looks for a proof until the deadline; the solver is asked whether a guess is right.
pub fn prove(
    program: &Program,
    guide: &Guide,
    solver: &mut dyn Solver,
    budget: &Budget,
    deadline: Deadline,
) -> Result<Option<Proof>, Stop> {
    let Some(mut system) = System::of(program) else { return Ok(None) };
    let names = system.names.clone();
    system.unfold(&|predicate| match names[predicate] {
        Names::At(proc, loc) => guide.is_loop_head(proc, loc),
        Names::Entered(_) | Names::Returned(_) => false,
    });
    for (ends, parts) in [(Ends::None, 4), (Ends::Absent, 3), (Ends::Wrap, 2)] {
        budget.check_now()?;
        let left = deadline.left_by_clock();
        let System { terms, predicates, clauses, signed, .. } = &mut system;
        let is_signed = |var| signed.contains(var);
        let guessed =
            guess(terms, predicates, clauses, &is_signed, ends, left.map(|left| left / parts));
        let Ok(candidates) = guessed else { continue };
        let kept = inductive::part(&mut system, candidates, solver, budget, deadline)?;
        if inductive::excludes_errors(&mut system, &kept, solver, deadline) {
            return Ok(Some(proof(program, guide, system, &kept)));
        }
    }
    Ok(None)
}

/// What is known at loop heads, as far as it speaks of variables of the program.
fn proof(program: &Program, guide: &Guide, system: System, kept: &[Vec<Term>]) -> Proof {
    let System { terms, names, .. } = system;
    let mut invariants = Vec::new();
    for (name, known) in names.iter().zip(kept) {
        let &Names::At(proc, loc) = name else { continue };
        if !guide.is_loop_head(proc, loc) {
            continue;
        }
        let mut always = known.clone();
        always.retain(|&term| {
            let mut is_told = true;
            terms.for_each_subterm(term, |_, kind| {
                if let TermKind::Var(var) = kind {
                    is_told &= program.vars.is_valid(var);
                }
            });
            is_told
        });
        let pos = position(&program.procs[proc], loc);
        invariants.push(Invariant { proc, loc, pos, always, cases: Vec::new() });
    }
    Proof { invariants, terms, memories: Vec::new() }
}
