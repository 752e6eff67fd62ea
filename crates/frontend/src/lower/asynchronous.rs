//! CBMC's labels `__CPROVER_ASYNC_…`: the statement behind one runs in a thread of its own.

use lang_c::ast::{Expression, Identifier, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use ravelin_cfa::{Callee, Op};

use super::body::{Body, tidy};
use super::scope::Entity;
use super::{Lowerer, Result};

/// Whether a label has this meaning.
pub(crate) fn starts_thread(label: &str) -> bool {
    label.starts_with("__CPROVER_ASYNC_")
}

impl<'a> Lowerer<'a> {
    /// Starts a thread that executes the statement. An expression without locals becomes a procedure of its own;
    /// what a thread would see of the locals of the function around it is not modelled.
    pub fn asynchronous_statement(&mut self, node: &'a Node<Statement>) -> Result<()> {
        let expression = match &node.node {
            Statement::Expression(Some(expression)) if !self.names_locals(expression) => expression,
            _ => {
                self.at(node.span);
                self.unsupported("__CPROVER_ASYNC: a thread that sees the locals of its function");
                return self.try_statement(node);
            }
        };
        let name = self.intern("%async");
        let proc = self.new_proc(name);
        let pos = self.position(node.span);
        let body = Body::new(&mut self.program, proc, name, self.types.void, pos);
        let outer = std::mem::replace(&mut self.body, body);
        self.at(node.span);
        self.body.enter_block();
        let lowered = self.effect(expression);
        self.emit_end(Op::Return { value: None });
        let mut body = std::mem::replace(&mut self.body, outer);
        tidy(&mut body.graph);
        self.program.procs[proc] = body.graph;
        lowered?;
        self.at(node.span);
        let dst = self.temp(self.program.terms.address_sort(), false);
        self.emit(Op::Start { dst, routine: Callee::Direct(proc), args: Vec::new() });
        Ok(())
    }

    fn names_locals(&mut self, expression: &'a Node<Expression>) -> bool {
        let mut names = Names::default();
        names.visit_expression(&expression.node, &expression.span);
        names.0.into_iter().any(|name| {
            let symbol = self.intern(name);
            matches!(self.scopes.get(symbol), Some(Entity::Local { .. }))
        })
    }
}

/// The identifiers of an expression.
#[derive(Default)]
struct Names<'a>(Vec<&'a str>);

impl<'a> Visit<'a> for Names<'a> {
    fn visit_identifier(&mut self, node: &'a Identifier, span: &'a Span) {
        self.0.push(&node.name);
        visit::visit_identifier(self, node, span);
    }
}
