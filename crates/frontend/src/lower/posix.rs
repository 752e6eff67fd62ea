//! Effects of library functions that only some programs observe: errors in `errno`, cancellation,
//! clean-up handlers, detached threads. C models define the effects; this module decides when they
//! are called.

use lang_c::ast::{Expression, Identifier};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use ravelin_cfa::{Init, ObjectData, ObjectKind, Sort, SyncOp, VarKind};
use ravelin_term::BinOp;

use super::scope::{Entity, Storage};
use super::{Lowerer, Result, Val};
use crate::library::{CANCELLATION, ERRNO};

/// The flags of a stream come first (`models/stdio.c`).
const STREAM_SIZE: u64 = 256;

impl<'a> Lowerer<'a> {
    /// Calls a function of the library by its name.
    pub fn call_library(&mut self, name: &str, args: Vec<Val>, span: Span) -> Result<Val> {
        match self.implicit_function(name, span) {
            Some(func) => self.call_function(func, args, span),
            None => Ok(self.void_value()),
        }
    }

    /// Calls it if the program mentions one of these names.
    pub fn call_if_mentioned(
        &mut self,
        names: &[&str],
        then: &str,
        args: Vec<Val>,
        span: Span,
    ) -> Result<Option<Val>> {
        match self.facts.mentions(names) {
            true => self.call_library(then, args, span).map(Some),
            false => Ok(None),
        }
    }

    /// The result of `printf` and similar functions, and their `errno`: the number of characters,
    /// which is known if there are no conversions, or -1.
    pub fn printed(&mut self, text: Option<&str>, result: Val, span: Span) -> Result<Val> {
        let int = self.types.int;
        if !self.types.is_scalar(result.ty) || self.types.int_width(result.ty) != Some(32) {
            return Ok(result);
        }
        let count = match text {
            Some(text) if !text.contains('%') => self.int_value(text.len() as i128, int).term,
            Some(_) | None => result.term,
        };
        let (zero, failure) = (self.int_value(0, int).term, self.int_value(-1, int).term);
        let terms = &mut self.program.terms;
        let fails = terms.binary(BinOp::BvSlt, result.term, zero);
        let term = terms.ite(fails, failure, count);
        let value = Val { term, ty: result.ty };
        let then = "__ravelin_store_errno_of_output";
        self.call_if_mentioned(ERRNO, then, vec![Val { term, ty: int }], span)?;
        Ok(value)
    }

    /// What a synchronisation function does instead of its operation, if threads are cancelled
    /// while they wait.
    pub fn cancellable(&mut self, op: SyncOp, args: &[Val], span: Span) -> Result<Option<Val>> {
        let then = match op {
            SyncOp::CondWait => "__ravelin_cancellable_wait",
            SyncOp::CondTimedWait => "__ravelin_cancellable_timed_wait",
            SyncOp::SemWait => "__ravelin_cancellable_sem_wait",
            _ => return Ok(None),
        };
        self.call_if_mentioned(CANCELLATION, then, args.to_vec(), span)
    }

    /// What a failed operation on a semaphore leaves in `errno`: EINVAL or EOVERFLOW.
    pub fn store_errno_of(&mut self, op: SyncOp, result: Val, span: Span) -> Result<()> {
        let error = match op {
            SyncOp::SemInit => 22,
            SyncOp::SemPost => 75,
            _ => return Ok(()),
        };
        let error = self.int_value(error, self.types.int);
        let then = "__ravelin_store_errno_of_result";
        self.call_if_mentioned(ERRNO, then, vec![result, error], span).map(|_| ())
    }

    /// `pthread_cleanup_push`: its macro keeps the handler and its argument in variables.
    pub fn push_cleanup(&mut self, span: Span) -> Result<Val> {
        let mut args = Vec::new();
        for name in ["__cancel_routine", "__cancel_arg"] {
            let symbol = self.intern(name);
            let Some(Entity::Local { storage, ty }) = self.scopes.get(symbol) else {
                self.unsupported("clean-up handlers that are not those of pthread_cleanup_push");
                return Ok(self.void_value());
            };
            let place = self.stored(storage, ty);
            args.push(self.load(place)?);
        }
        self.call_library("__ravelin_cleanup_push", args, span)
    }

    /// Whether a call is the `setjmp` of `pthread_cleanup_push`, which nothing jumps to: the handlers are called where
    /// the thread ends.
    pub fn is_jump_of_cleanup(name: &str, arguments: &'a [Node<Expression>]) -> bool {
        match name {
            "__sigsetjmp_cancel" => true,
            "__sigsetjmp" => arguments.first().is_some_and(|argument| {
                let mut finder = Mentions { name: "__cancel_buf", found: false };
                finder.visit_expression(&argument.node, &argument.span);
                finder.found
            }),
            _ => false,
        }
    }

    /// The standard streams are three objects (C11 7.21.1p3), unless the program defines them.
    pub fn complete_streams(&mut self) {
        for name in ["stdin", "stdout", "stderr"] {
            let symbol = self.intern(name);
            let Some(&global) = self.external_globals.get(&symbol) else { continue };
            let storage = self.globals[global].storage;
            let program = &self.program;
            let (is_open, pos) = match storage {
                Storage::Var(var) => {
                    let data = &program.vars[var];
                    let is_open = matches!(data.kind, VarKind::Global { init: None, .. });
                    (is_open && data.sort == Sort::Ptr, data.pos)
                }
                Storage::Object(object) => {
                    let data = &program.objects[object];
                    let is_pointer = data.size == program.data_model.pointer_bytes();
                    (is_pointer && data.init == Init::Indeterminate, data.pos)
                }
                Storage::At(_) | Storage::Prototype => continue,
            };
            if !is_open {
                continue;
            }
            let name = self.intern(&format!("%{name}"));
            let object = self.program.add_object(ObjectData {
                name,
                kind: ObjectKind::Global,
                size: STREAM_SIZE,
                align: 16,
                is_record: false,
                init: Init::Zero,
                pos,
            });
            let address = self.program.terms.address(object);
            match storage {
                Storage::Var(var) => self.set_initial_value(var, address),
                Storage::Object(stream) => {
                    self.program.objects[stream].init = Init::Values(vec![(0, address)]);
                }
                Storage::At(_) | Storage::Prototype => {}
            }
        }
    }
}

/// Looks for a name in an expression.
struct Mentions<'n> {
    name: &'n str,
    found: bool,
}

impl<'a> Visit<'a> for Mentions<'_> {
    fn visit_identifier(&mut self, node: &'a Identifier, _span: &'a Span) {
        self.found |= node.name == self.name;
    }
}
