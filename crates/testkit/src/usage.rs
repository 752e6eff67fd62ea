//! What a program uses of what it defines.

use crate::families::{places, stmts};
use crate::program::{Block, Callee, Expr, FunctionId, Place, Program, Stmt, VarId};
use crate::types::{EnumId, RecordId, SignatureId, Type};
use crate::visit::{Visitor, walk_expr, walk_place, walk_program, walk_stmt};
use std::collections::BTreeSet;

/// The variables and functions that are mentioned, and the types that must be defined.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    pub vars: BTreeSet<VarId>,
    pub functions: BTreeSet<FunctionId>,
    pub enums: BTreeSet<EnumId>,
    pub records: BTreeSet<RecordId>,
    pub signatures: BTreeSet<SignatureId>,
}

/// Collects what a program mentions. A declaration alone does not count as a mention of its
/// variable, nor a definition as one of its function.
pub fn usage(program: &Program) -> Usage {
    let mut collector = Collector { program, usage: Usage::default() };
    for (var, _) in &program.globals {
        collector.ty(&program.vars[*var].ty);
    }
    for function in program.functions.values().filter(|function| function.body.is_some()) {
        for param in &function.params {
            collector.ty(&program.vars[*param].ty);
        }
        if let Some(result) = &function.result {
            collector.ty(result);
        }
        if let Some(signature) = function.signature {
            collector.ty(&Type::Function(signature));
        }
    }
    walk_program(&mut collector, program);
    collector.usage
}

struct Collector<'a> {
    program: &'a Program,
    usage: Usage,
}

impl Collector<'_> {
    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Int(_) | Type::Float(_) => {}
            Type::Enum(id) => {
                self.usage.enums.insert(*id);
            }
            Type::Record(id) => {
                if self.usage.records.insert(*id) {
                    for field in &self.program.records[*id].fields {
                        self.ty(&field.ty);
                    }
                }
            }
            Type::Array(inner, _) | Type::Pointer(inner, _) => self.ty(inner),
            Type::Function(id) => {
                if self.usage.signatures.insert(*id) {
                    let signature = &self.program.signatures[*id];
                    self.ty(&signature.result);
                    for param in &signature.params {
                        self.ty(param);
                    }
                }
            }
        }
    }
}

impl Visitor for Collector<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare(var, _) | Stmt::Heap { var, .. } | Stmt::List { head: var, .. } => {
                self.ty(&self.program.vars[*var].ty);
            }
            Stmt::Walk { cursor, .. } => self.ty(&self.program.vars[*cursor].ty),
            stmts!(plain, jumps, bytes)
            | Stmt::If(..)
            | Stmt::Loop { .. }
            | Stmt::Switch(..)
            | Stmt::Duff { .. }
            | Stmt::Region(..)
            | Stmt::Block(_) => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Enumerator(id, _) => {
                self.usage.enums.insert(*id);
            }
            Expr::Cast(ty, _) | Expr::SizeOfType(ty) | Expr::Literal(ty, _) => self.ty(ty),
            Expr::OffsetOf(record, _) => self.ty(&Type::Record(*record)),
            Expr::Call(Callee::Direct(function), ..) | Expr::Function(function) => {
                self.usage.functions.insert(*function);
            }
            // The types of other expressions are those of variables and fields.
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Var(var) => {
                self.usage.vars.insert(*var);
            }
            Place::Literal(ty, _) => self.ty(ty),
            places!(parts, pointed) | Place::Char(..) | Place::Temporary(_) => {}
        }
        walk_place(self, place);
    }
}

/// Removes definitions and declarations that nothing mentions, until all are used.
pub fn prune(program: &mut Program) {
    loop {
        let used = usage(program);
        let mut pruner = Pruner { used: &used, removed: false };
        crate::visit::walk_program_mut(&mut pruner, program);
        let mut removed = pruner.removed;
        program.globals.retain(|(var, _)| {
            let keep = used.vars.contains(var);
            removed |= !keep;
            keep
        });
        for (id, function) in program.functions.iter_mut() {
            if !used.functions.contains(&id) && function.body.take().is_some() {
                removed = true;
            }
        }
        if !removed {
            return;
        }
    }
}

struct Pruner<'a> {
    used: &'a Usage,
    removed: bool,
}

impl crate::visit::VisitorMut for Pruner<'_> {
    fn block(&mut self, block: &mut Block) {
        let before = block.len();
        block.retain(|stmt| match stmt {
            Stmt::Declare(var, _) => self.used.vars.contains(var),
            _ => true,
        });
        self.removed |= block.len() < before;
        crate::visit::walk_block_mut(self, block);
    }
}
