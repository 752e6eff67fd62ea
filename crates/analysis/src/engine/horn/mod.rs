//! Proofs by invariants of locations and summaries of procedures, recursive ones too.
//!
//! The program becomes Horn clauses (`encode`, `unfold`), of which a prover finds candidates for a solution, over
//! unbounded integers first. Kept are the candidates that are inductive over bit-vectors (`inductive`). If these
//! exclude every error, the program is safe, however the candidates were found. Words of memory that are written as
//! such and in no other way are variables (`cells`); all other memory has any contents: programs for which it matters are left
//! to the analysis. Threads are followed one by one: what they know of each other are
//! invariants of mutexes (`threads`).

mod cells;
mod encode;
mod inductive;
mod system;
mod threads;
mod unfold;

use ravelin_base::{Budget, Deadline};
use ravelin_cfa::Program;
use ravelin_por::{ProgramFacts, Protection};
use ravelin_smt::horn::{HornClauses, Overflow};
use ravelin_smt::{Prover, Solver};
use ravelin_term::{Term, TermKind};

use self::system::{Names, System};
use crate::algorithm::invariants::position;
use crate::domain::Stop;
use crate::model::control_flow::ControlFlowFacts;
use crate::verdict::{Invariant, Proof};

/// Looks for a proof until the deadline; the solver decides which candidates are inductive.
pub fn prove(
    facts: &ProgramFacts<'_>,
    control_flow: &ControlFlowFacts,
    solver: &mut dyn Solver,
    prover: &mut dyn Prover,
    budget: &Budget,
    deadline: Deadline,
) -> Result<Option<Proof>, Stop> {
    let points_to = facts.points_to().ok();
    let with_cells = points_to.and_then(|it| cells::with_variables(facts.program, it));
    let systems = with_cells.iter().chain([facts.program]);
    let found = systems.map(|program| {
        let protection = match program.is_concurrent() {
            true => Some(Protection::of(program, points_to?)),
            false => None,
        };
        Some((program, System::of(program, protection.as_ref())?))
    });
    let Some((program, mut system)) = found.flatten().next() else { return Ok(None) };
    let names = system.names.clone();
    system.unfold(&|predicate| match names[predicate] {
        Names::At(proc, loc) => control_flow.is_loop_head(proc, loc),
        Names::Entered(_) | Names::Returned(_) => false,
        Names::Mutex(_) | Names::Open(_) => true,
    });
    let assumptions = [(Overflow::Unbounded, 4), (Overflow::Excluded, 3), (Overflow::Wraps, 2)];
    for (overflow, parts) in assumptions {
        budget.check_now()?;
        let left = deadline.left_by_clock();
        let System { terms, predicates, clauses, signed, .. } = &mut system;
        let is_signed = &|var| signed.contains(var);
        let horn = HornClauses { predicates, clauses, is_signed, overflow };
        let solved = prover.solve_horn(terms, &horn, left.map(|left| left / parts));
        let Ok(candidates) = solved else { continue };
        let kept = inductive::part(&mut system, candidates, solver, budget, deadline)?;
        if inductive::excludes_errors(&mut system, &kept, solver, deadline) {
            return Ok(Some(match program.is_concurrent() {
                true => Proof::without_invariants(&system.terms),
                false => proof(program, control_flow, system, &kept),
            }));
        }
    }
    Ok(None)
}

/// What is known at loop heads, as far as it speaks of variables of the program.
fn proof(
    program: &Program,
    control_flow: &ControlFlowFacts,
    system: System,
    kept: &[Vec<Term>],
) -> Proof {
    let System { terms, names, .. } = system;
    let mut invariants = Vec::new();
    for (name, known) in names.iter().zip(kept) {
        let &Names::At(proc, loc) = name else { continue };
        if !control_flow.is_loop_head(proc, loc) {
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
