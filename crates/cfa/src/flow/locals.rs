//! The local variables of each procedure, numbered densely.

use ravelin_base::SecondaryMap;
use ravelin_term::Var;

use crate::model::{Proc, Program, VarKind};

/// Numbers the locals of each procedure from 0, in order of their indices.
#[derive(Debug)]
pub struct Locals {
    numbers: SecondaryMap<Var, u32>,
    lists: SecondaryMap<Proc, Vec<Var>>,
}

impl Locals {
    pub fn of(program: &Program) -> Self {
        let mut locals = Locals {
            numbers: SecondaryMap::with_capacity(program.vars.len()),
            lists: SecondaryMap::with_capacity(program.procs.len()),
        };
        for (var, data) in program.vars.iter() {
            if let VarKind::Local(proc) = data.kind {
                locals.add(proc, var);
            }
        }
        locals
    }

    /// Numbers a new local.
    pub fn add(&mut self, proc: Proc, var: Var) {
        self.numbers[var] = self.lists[proc].len() as u32;
        self.lists[proc].push(var);
    }

    /// The locals of a procedure; a local's number is its index in the list.
    pub fn list(&self, proc: Proc) -> &[Var] {
        &self.lists[proc]
    }

    /// The number of `var` if it is a local. Labels mention only locals of their own procedure.
    pub fn number(&self, program: &Program, var: Var) -> Option<usize> {
        match program.vars[var].kind {
            VarKind::Local(_) => Some(self.numbers[var] as usize),
            VarKind::Global { .. } | VarKind::ThreadLocal { .. } => None,
        }
    }
}
