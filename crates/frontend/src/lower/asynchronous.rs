//! CBMC's labels `__CPROVER_ASYNC_…`: the statement after the label runs in a thread of its own.

use lang_c::ast::{Expression, Identifier, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use ravelin_base::Symbol;
use ravelin_cfa::{Callee, Op, Var, VarData};

use super::body::{Body, tidy};
use super::scope::{Entity, Storage};
use super::{Lowerer, Result};
use crate::types::Ty;

/// Whether a label has this meaning.
pub(crate) fn starts_thread(label: &str) -> bool {
    label.starts_with("__CPROVER_ASYNC_")
}

impl<'a> Lowerer<'a> {
    /// Starts a thread that executes the statement. An expression becomes a procedure of its own, which gets the
    /// locals of the function around it as they are now: in CBMC a thread has copies of them.
    pub fn asynchronous_statement(&mut self, node: &'a Node<Statement>) -> Result<()> {
        let of_expression = match &node.node {
            Statement::Expression(Some(expression)) => {
                self.locals_in(expression).map(|locals| (expression, locals))
            }
            _ => None,
        };
        let Some((expression, locals)) = of_expression else {
            self.at(node.span);
            self.unsupported("__CPROVER_ASYNC: a thread that sees the memory of its function");
            return self.try_statement(node);
        };
        let name = self.intern("%async");
        let proc = self.new_proc(name);
        let pos = self.position(node.span);
        let body = Body::new(&mut self.program, proc, name, self.types.void, pos);
        let outer = std::mem::replace(&mut self.body, body);
        self.at(node.span);
        self.body.enter_block();
        self.scopes.enter();
        for &Copied { name, var, ty } in &locals {
            let VarData { sort, signed, .. } = self.program.vars[var];
            let param = self.local(name, sort, signed);
            self.body.graph.params.push(param);
            self.scopes.bind(name, Entity::Local { storage: Storage::Var(param), ty });
        }
        let lowered = self.effect(expression);
        self.scopes.leave();
        self.emit_end(Op::Return { value: None });
        let mut body = std::mem::replace(&mut self.body, outer);
        tidy(&mut body.graph);
        self.program.procs[proc] = body.graph;
        lowered?;
        self.at(node.span);
        let dst = self.temp(self.program.terms.address_sort(), false);
        let args = locals.iter().map(|local| self.program.read(local.var)).collect();
        self.emit(Op::Start { dst, routine: Callee::Direct(proc), args });
        Ok(())
    }

    /// The locals that an expression names; `None` if one of them is in memory, or if a statement in it jumps, perhaps
    /// out of the thread.
    fn locals_in(&mut self, expression: &'a Node<Expression>) -> Option<Vec<Copied>> {
        let mut names = Names::default();
        names.visit_expression(&expression.node, &expression.span);
        if names.jumps {
            return None;
        }
        let mut found: Vec<Copied> = Vec::new();
        for name in names.list {
            let name = self.intern(name);
            match self.scopes.get(name) {
                Some(Entity::Local { storage: Storage::Var(var), ty }) => {
                    if found.iter().all(|local| local.var != var) {
                        found.push(Copied { name, var, ty });
                    }
                }
                Some(Entity::Local { .. }) => return None,
                Some(
                    Entity::Typedef(_)
                    | Entity::Constant { .. }
                    | Entity::Global(_)
                    | Entity::Function(_),
                )
                | None => {}
            }
        }
        Some(found)
    }
}

/// A local variable of which a thread gets a copy.
struct Copied {
    name: Symbol,
    var: Var,
    ty: Ty,
}

/// The identifiers of an expression, and whether it holds jumps.
#[derive(Default)]
struct Names<'a> {
    list: Vec<&'a str>,
    jumps: bool,
}

impl<'a> Visit<'a> for Names<'a> {
    fn visit_identifier(&mut self, node: &'a Identifier, span: &'a Span) {
        self.list.push(&node.name);
        visit::visit_identifier(self, node, span);
    }

    fn visit_statement(&mut self, node: &'a Statement, span: &'a Span) {
        self.jumps |=
            matches!(node, Statement::Goto(_) | Statement::Labeled(_) | Statement::Return(_));
        visit::visit_statement(self, node, span);
    }
}
