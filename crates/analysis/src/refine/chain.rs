//! Whether a sequence of blocks can be executed.

use std::rc::Rc;

use ravelin_smt::Answer;
use ravelin_term::{Term, TermKind, Var};
use rustc_hash::FxHashMap;

use crate::block::{Block, place};
use crate::cpa::{Context, Stop};
use crate::rewrite::replace;
use crate::space::{Role, Space};

/// The blocks of a path from the start of the program; the first is the start itself.
#[derive(Clone, Debug)]
pub struct Chain {
    pub blocks: Vec<Rc<Block>>,
}

/// A guard of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GuardOf {
    pub block: usize,
    /// Over the variables at the start of the block.
    pub guard: Term,
}

/// What the solver says of a chain.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// With these inputs it is executed.
    Feasible(Inputs),
    /// These guards contradict each other.
    Infeasible(Vec<GuardOf>),
}

/// Values of inputs, numbered through a whole chain.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    values: FxHashMap<Var, Term>,
    /// What memory holds where nothing was written, by address.
    contents: FxHashMap<Term, Term>,
}

impl Inputs {
    /// The value of an input; zero where it does not matter.
    pub fn get(&self, space: &mut Space<'_>, input: Var) -> Term {
        match self.values.get(&input) {
            Some(&value) => value,
            None => match space.sort(input) {
                ravelin_term::Sort::Mem => space.read_var(input),
                sort => space.terms.zero(sort),
            },
        }
    }

    /// What memory holds at an address where nothing was written: `read` if that is a value, and
    /// otherwise what the solution says, or zero.
    pub fn content(&self, space: &mut Space<'_>, address: Term, read: Term) -> Term {
        if space.is_value(read) {
            return read;
        }
        let sort = space.terms.sort(read);
        match self.contents.get(&address) {
            Some(&value) if space.terms.sort(value) == sort => value,
            _ => space.terms.zero(sort),
        }
    }

    /// A term over inputs with their values put in, and the contents of memory that was not written.
    pub fn evaluate(&self, space: &mut Space<'_>, term: Term) -> Term {
        let vars: Vec<Var> = space.terms.vars_of(term);
        let mut known = FxHashMap::default();
        for var in vars {
            if matches!(space.role(var), Role::Input(_)) {
                known.insert(var, self.get(space, var));
            }
        }
        let mut term = space.terms.substitute(term, |_, var| known.get(&var).copied());
        // Addresses may themselves be read from memory: one read after the other becomes known.
        for _ in 0..MAX_READS {
            let Some((read, address)) = unwritten_read(space, term) else {
                break;
            };
            let value = self.content(space, address, read);
            term = replace(&mut space.terms, term, read, value);
        }
        term
    }
}

/// How many reads of unwritten memory a term may have to be evaluated.
const MAX_READS: usize = 200;

/// A read at a constant address of a memory to which nothing was written.
fn unwritten_read(space: &Space<'_>, term: Term) -> Option<(Term, Term)> {
    let mut found = None;
    space.terms.for_each_subterm(term, |subterm, kind| {
        if let TermKind::Read(memory, address) = kind
            && matches!(space.terms.kind(memory), TermKind::Var(_))
            && space.is_value(address)
        {
            found = Some((subterm, address));
        }
    });
    found
}

impl Chain {
    /// Executes the blocks one after the other. The result of each is a function of inputs alone, so
    /// what is constant along the path folds away before the solver is asked.
    pub fn check(&self, cx: &mut Context<'_, '_>) -> Result<Feasibility, Stop> {
        let mut questions: Vec<Term> = Vec::new();
        let mut origins: Vec<GuardOf> = Vec::new();
        let mut state: FxHashMap<Var, Term> = FxHashMap::default();
        let mut inputs = 0;
        for (number, block) in self.blocks.iter().enumerate() {
            cx.budget.check_now()?;
            let mut renamed = FxHashMap::default();
            for &guard in &block.guards {
                let term =
                    place(cx.space, guard, inputs, &mut renamed, |var| state.get(&var).copied());
                let origin = GuardOf { block: number, guard };
                match cx.space.terms.as_bool(term) {
                    Some(true) => {}
                    Some(false) => return Ok(Feasibility::Infeasible(vec![origin])),
                    None => {
                        questions.push(term);
                        origins.push(origin);
                    }
                }
            }
            let values: Vec<(Var, Term)> = block
                .values
                .iter()
                .map(|(&var, &value)| {
                    let value = place(cx.space, value, inputs, &mut renamed, |var| {
                        state.get(&var).copied()
                    });
                    (var, value)
                })
                .collect();
            state.extend(values);
            inputs += block.inputs;
        }
        if questions.is_empty() {
            return Ok(Feasibility::Feasible(Inputs::default()));
        }
        match cx.oracle.check(cx.space, &questions) {
            Answer::Unsat => {
                let core = cx.oracle.core().into_iter().map(|at| origins[at]).collect();
                Ok(Feasibility::Infeasible(core))
            }
            Answer::Sat => {
                let mut vars: Vec<Var> =
                    questions.iter().flat_map(|&term| cx.space.terms.vars_of(term)).collect();
                vars.sort_unstable();
                vars.dedup();
                let mut values = FxHashMap::default();
                for var in vars {
                    if cx.space.sort(var) == ravelin_term::Sort::Mem {
                        continue;
                    }
                    let read = cx.space.read_var(var);
                    if let Some(value) = cx.oracle.value(cx.space, read) {
                        values.insert(var, value);
                    }
                }
                let contents = cx.oracle.contents(cx.space, &questions).into_iter().collect();
                Ok(Feasibility::Feasible(Inputs { values, contents }))
            }
            Answer::Unknown(reason) => Err(Stop::Solver(reason)),
        }
    }

    /// The number of the first input of each block.
    pub fn first_inputs(&self) -> Vec<u32> {
        let mut next = 0;
        self.blocks
            .iter()
            .map(|block| {
                let first = next;
                next += block.inputs;
                first
            })
            .collect()
    }
}
