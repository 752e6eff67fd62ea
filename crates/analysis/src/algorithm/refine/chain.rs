//! Whether a sequence of blocks can be executed.

use std::rc::Rc;

use ravelin_smt::Answer;
use ravelin_term::{Sort, Term, TermKind, Var};
use rustc_hash::FxHashMap;

use crate::domain::{Context, Stop};
use crate::model::block::{Block, place};
use crate::model::rewrite::replace;
use crate::model::space::{ENVIRONMENT, Space};
use crate::solver::sorted_vars;

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
    /// What memories hold where nothing was written, by address.
    contents: FxHashMap<(Var, Term), Term>,
}

impl Inputs {
    /// What the solution of the last question says.
    fn of_model(cx: &mut Context<'_, '_>, questions: &[Term]) -> Self {
        let mut values = FxHashMap::default();
        for var in sorted_vars(&cx.space.terms, questions) {
            if cx.space.sort(var) == Sort::Mem {
                continue;
            }
            let read = cx.space.read_var(var);
            if let Some(value) = cx.solver.value(cx.space, read) {
                values.insert(var, value);
            }
        }
        let contents = cx.solver.contents(cx.space, questions).into_iter();
        let contents = contents.map(|(memory, at, value)| ((memory, at), value)).collect();
        Inputs { values, contents }
    }

    /// Whether the questions come out true.
    fn satisfy(&self, space: &mut Space<'_>, questions: &[Term]) -> bool {
        questions.iter().all(|&question| {
            let answer = self.evaluate(space, question);
            space.terms.as_bool(answer) == Some(true)
        })
    }

    /// The value of an input. Where it does not matter it is zero, but a pointer, which the program may
    /// use, leads to an object of its own.
    pub fn get(&self, space: &mut Space<'_>, input: Var) -> Term {
        match self.values.get(&input) {
            Some(&value) => value,
            None => match space.sort(input) {
                Sort::Mem => space.read_var(input),
                Sort::Ptr => environment_object(space, input.as_u32()),
                sort @ (Sort::Bool | Sort::Bv(_) | Sort::Float(_)) => space.terms.zero(sort),
            },
        }
    }

    /// What a memory holds at an address where nothing was written: `read` if that is a value, and
    /// otherwise what the solution says, or what an input is that does not matter.
    pub fn content(&self, space: &mut Space<'_>, memory: Var, address: Term, read: Term) -> Term {
        if space.is_value(read) {
            return read;
        }
        let sort = space.terms.sort(read);
        match self.contents.get(&(memory, address)) {
            Some(&value) if space.terms.sort(value) == sort => value,
            _ if sort == Sort::Ptr => environment_object(space, number_of_cell(memory, address)),
            _ => space.terms.zero(sort),
        }
    }

    /// A term over inputs with their values put in, and the contents of memory that was not written.
    pub fn evaluate(&self, space: &mut Space<'_>, term: Term) -> Term {
        let vars: Vec<Var> = space.terms.vars_of(term);
        let mut known = FxHashMap::default();
        for var in vars {
            if space.role(var).is_input() {
                known.insert(var, self.get(space, var));
            }
        }
        let mut term = space.terms.substitute(term, |_, var| known.get(&var).copied());
        // Addresses may themselves be read from memory: one read after the other becomes known.
        for _ in 0..MAX_READS {
            let Some((read, memory, address)) = unwritten_read(space, term) else {
                break;
            };
            let value = self.content(space, memory, address, read);
            term = replace(&mut space.terms, term, read, value);
        }
        term
    }
}

/// Set in the numbers of the environment's objects to which memory points, to keep them apart from those
/// to which inputs do.
const CONTENT: u32 = 1 << 29;

/// The number of the environment's object to which a memory points at an address.
fn number_of_cell(memory: Var, address: Term) -> u32 {
    // Two cells may share an object: that is one of the things that may be.
    let mixed = address.as_u32().wrapping_add(memory.as_u32().wrapping_mul(0x9e37_79b1));
    CONTENT | (mixed % CONTENT)
}

/// The pointer to the object of the environment with this number.
fn environment_object(space: &mut Space<'_>, number: u32) -> Term {
    space.pointer(ENVIRONMENT | number, 0)
}

/// How many reads of unwritten memory a term may have to be evaluated.
const MAX_READS: usize = 200;

/// A read at a constant address of a memory to which nothing was written.
fn unwritten_read(space: &Space<'_>, term: Term) -> Option<(Term, Var, Term)> {
    let mut found = None;
    space.terms.for_each_subterm(term, |subterm, kind| {
        if let TermKind::Read(memory, address) = kind
            && let TermKind::Var(memory) = space.terms.kind(memory)
            && space.is_value(address)
        {
            found = Some((subterm, memory, address));
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
        let mut defined: Vec<Term> = Vec::new();
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
            for &condition in &block.defined {
                let term = place(cx.space, condition, inputs, &mut renamed, |var| {
                    state.get(&var).copied()
                });
                if cx.space.terms.as_bool(term).is_none() {
                    defined.push(term);
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
        if questions.is_empty() && defined.is_empty() {
            return Ok(Feasibility::Feasible(Inputs::default()));
        }
        match cx.solver.check(cx.space, &questions) {
            Answer::Unsat => Ok(Feasibility::Infeasible(core(cx, &origins))),
            Answer::Sat => {
                let exact = cx.solver.is_exact();
                prefer_plain(cx, &questions, &defined);
                let told: Vec<Term> = questions.iter().chain(&defined).copied().collect();
                let inputs = Inputs::of_model(cx, &told);
                if exact || inputs.satisfy(cx.space, &questions) {
                    return Ok(Feasibility::Feasible(inputs));
                }
                Ok(match cx.solver.check_exactly(cx.space, &questions) {
                    Answer::Unsat => Feasibility::Infeasible(core(cx, &origins)),
                    Answer::Sat => Feasibility::Feasible(Inputs::of_model(cx, &told)),
                    // Replay will show whether this is one.
                    Answer::Unknown(_) => Feasibility::Feasible(inputs),
                })
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

fn core(cx: &mut Context<'_, '_>, origins: &[GuardOf]) -> Vec<GuardOf> {
    cx.solver.core().into_iter().map(|at| origins[at]).collect()
}

/// How often a solution is sought that is plainer.
const MAX_PREFERENCES: usize = 40;

/// Looks for a plain solution of questions that have one. Divisions have results (`defined`). Pointers that come from outside lead to objects
/// of the environment, each to another, as far as the questions allow: an arbitrary address is in no
/// object, and of a program that uses it nothing could be said. And what is read is what was written there,
/// so that the solution is one of the program and not only of its translation.
fn prefer_plain(cx: &mut Context<'_, '_>, questions: &[Term], defined: &[Term]) {
    let mut preferences: Vec<Term> = defined.to_vec();
    for flag in cx.solver.guesses(cx.space, questions) {
        preferences.push(cx.space.terms.not(flag));
    }
    let mut pointers: Vec<(Term, u32)> = Vec::new();
    for var in sorted_vars(&cx.space.terms, questions) {
        if cx.space.sort(var) == Sort::Ptr {
            pointers.push((cx.space.read_var(var), var.as_u32()));
        }
    }
    for (memory, address, content) in cx.solver.unwritten(cx.space, questions) {
        if cx.space.terms.sort(content) == Sort::Ptr {
            pointers.push((content, number_of_cell(memory, address)));
        }
    }
    for (pointer, number) in pointers {
        let object = environment_object(cx.space, number);
        preferences.push(cx.space.terms.eq(pointer, object));
    }
    if preferences.is_empty() {
        return;
    }
    for _ in 0..MAX_PREFERENCES {
        if preferences.is_empty() {
            break;
        }
        let mut all = questions.to_vec();
        all.extend(&preferences);
        match cx.solver.check(cx.space, &all) {
            Answer::Sat => return,
            Answer::Unsat => {
                // One of these less, and perhaps the others are possible: two addresses that turn out
                // to be the same cannot hold different pointers.
                let last = cx.solver.core().into_iter().max().unwrap_or(0);
                match last.checked_sub(questions.len()) {
                    Some(last) => preferences.remove(last),
                    None => break,
                };
            }
            Answer::Unknown(_) => break,
        }
    }
    // The solution is wanted in any case.
    cx.solver.check(cx.space, questions);
}
