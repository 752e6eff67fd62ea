//! Ranges: a cheap abstract interpretation that discharges conditions before an engine starts.
//!
//! - [`Ranges`]: the entry and the answers;
//! - `num`, `arith`: sets of bit-vectors, and operations on them; `linear`, `relate`, `relations`: sums of quantities, and
//!   relations between them; `counters`: what loops relate;
//! - `state`, `map`: what is known at a location; `eval`, `refine`: terms and conditions in a state;
//! - `model`, `calls`: what is known of the program beforehand; `memory`, `transfer`: operations;
//! - `order`, `solve`: the fixpoint.
//!
//! An execution ends at an access through an invalid pointer, so that a state after an access may assume that the
//! access was valid. Signed arithmetic wraps around.

mod arith;
mod calls;
mod counters;
mod eval;
mod linear;
mod map;
mod memory;
mod model;
mod num;
mod order;
mod refine;
mod relate;
mod relations;
mod solve;
mod state;
mod transfer;

pub use num::Num;

use std::collections::BTreeMap;

use ravelin_base::{Budget, Exhausted, SecondaryMap};
use ravelin_cfa::{Loc, Proc, Program, Sort, Term, Var};
use ravelin_pointsto::{PointsTo, Position, Target};

use crate::eval::{Env, Known};
use crate::map::Map;
use crate::model::Model;
use crate::solve::Solver;
use crate::state::{Key, State, Value};
use crate::transfer::{Effects, Exit};

/// The ranges of all quantities of a program at all locations.
#[derive(Debug)]
pub struct Ranges {
    model: Model,
    known: Known,
    states: BTreeMap<Proc, SecondaryMap<Loc, Option<State>>>,
    exits: SecondaryMap<Proc, Option<Exit>>,
}

impl Ranges {
    /// Computes the ranges of all variables at all locations.
    pub fn of(
        program: &Program,
        points_to: &PointsTo,
        budget: &mut Budget,
    ) -> Result<Ranges, Exhausted> {
        let model = Model::of(program, points_to, budget)?;
        let mut known = Known::default();
        if model.is_concurrent {
            // What threads share may have any value at first.
            let mut solver = Solver::new(program, &model, known);
            solver.ascend(budget)?;
            known = solver.descend(budget)?;
        }
        let mut solver = Solver::new(program, &model, known);
        solver.ascend(budget)?;
        for _ in 0..2 {
            solver.known = solver.descend(budget)?;
        }
        let known = std::mem::take(&mut solver.known);
        let exits = std::mem::take(&mut solver.exits);
        let procs = std::mem::take(&mut solver.procs);
        let states = procs.into_iter().map(|(proc, solved)| (proc, solved.states)).collect();
        Ok(Ranges { model, known, states, exits })
    }

    /// Whether the Boolean term surely holds whenever an execution is before this label. The program is the one of
    /// [`Ranges::of`]; only new terms over its variables may have been added.
    pub fn holds(&self, program: &Program, position: Position, term: Term) -> bool {
        match self.before(program, position) {
            Some(state) => Env::new(program, &self.model, &self.known).proves(&state, term),
            None => true,
        }
    }

    /// The values of a bit-vector or Boolean term before this label; `None` if the label is not reached.
    pub fn values(&self, program: &Program, position: Position, term: Term) -> Option<Num> {
        let state = self.before(program, position)?;
        Some(Env::new(program, &self.model, &self.known).num(&state, term))
    }

    /// Whether an execution may reach the location.
    pub fn is_reachable(&self, proc: Proc, loc: Loc) -> bool {
        self.at(proc, loc).is_some()
    }

    /// The values that a Boolean or bit-vector variable may have whenever an execution is at the location; for a
    /// pointer, its offset. `None` if nothing is known.
    pub fn of_var(&self, program: &Program, proc: Proc, loc: Loc, var: Var) -> Option<Num> {
        let state = self.at(proc, loc)?;
        let env = Env::new(program, &self.model, &self.known);
        match env.get(state, self.model.keys.var(var))? {
            Value::Num(num) => Some(num),
            Value::Ptr(ptr) if ptr.is_wild => None,
            Value::Ptr(ptr) => {
                (self.model.sort(var) == Sort::Ptr).then(|| ptr.offset(self.model.pointer_bits))
            }
        }
    }

    fn at(&self, proc: Proc, loc: Loc) -> Option<&State> {
        self.states.get(&proc)?[loc].as_ref()
    }

    fn before(&self, program: &Program, position: Position) -> Option<State> {
        let data = &program.procs[position.proc].edges[position.edge];
        let state = self.at(position.proc, data.source)?.clone();
        let start = Position { label: 0, ..position };
        let env = Env::new(program, &self.model, &self.known);
        let mut effects = Query { exits: &self.exits };
        env.edge(state, start, &data.labels, Some(position.label), &mut effects)
    }
}

/// A query has no effects.
struct Query<'e> {
    exits: &'e SecondaryMap<Proc, Option<Exit>>,
}

impl Effects for Query<'_> {
    fn exit(&self, proc: Proc) -> Option<&Exit> {
        self.exits[proc].as_ref()
    }

    fn enter(&mut self, _: Proc, _: State) {}

    fn start(&mut self, _: Proc, _: Map<Value>) {}

    fn leave(&mut self, _: Proc, _: Exit) {}

    fn write_shared(&mut self, _: Key, _: Option<Value>) {}

    fn allocate(&mut self, _: Target, _: Num) {}
}
