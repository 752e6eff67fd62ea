//! `setjmp` and `longjmp` (C11 7.13) into a function that has not returned.
//!
//! A jump is state, and calls return early because of it: `longjmp` records its `setjmp` and
//! returns, a test after every call checks whether it returned because of a jump, and the function
//! with that `setjmp` continues there. Only programs that name `longjmp` have this state.
//!
//! A `setjmp` writes a unique number to its buffer. The function keeps the number in a variable to
//! recognise it; a number that no function recognises leads out of `main`. So does a buffer of an
//! earlier pass of the same `setjmp`.

use lang_c::span::Span;
use ravelin_base::{SrcPos, Symbol};
use ravelin_cfa::{Gap, Label, Loc, Op, Procedure, Sort, Var, VarData, VarKind};
use ravelin_term::BinOp;

use super::{Lowerer, Result, Val};

/// The state of a jump.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jumps {
    /// Not 0 while functions return because of a jump.
    active: Var,
    /// The number of the `setjmp`, and what it returns.
    target: Var,
    value: Var,
    /// The last number given.
    count: Var,
}

/// A `setjmp` of the function being lowered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetJump {
    number: Var,
    result: Var,
    after: Loc,
}

const IN_THREADS: &str = "jumps out of functions in a program with threads";

impl Lowerer<'_> {
    /// Makes the variables, if the program may jump.
    pub fn declare_jumps(&mut self) {
        // A thread that jumps out of its first function is not modelled.
        if !self.facts.jumps || self.facts.starts_threads {
            return;
        }
        let mut variable = |name: &str| {
            let name = self.intern(name);
            let init = Some(self.program.terms.bv(32, 0));
            let kind = VarKind::ThreadLocal { init };
            let sort = Sort::Bv(32);
            self.program.vars.push(VarData { name, sort, signed: false, kind, pos: SrcPos::NONE })
        };
        self.jumps = Some(Jumps {
            active: variable("%jump"),
            target: variable("%jump_target"),
            value: variable("%jump_value"),
            count: variable("%setjmp_count"),
        });
    }

    /// `int setjmp(jmp_buf env)`.
    pub fn set_jump(&mut self, args: &[Val], span: Span) -> Result<Val> {
        let int = self.types.int;
        let pointer = self.types.void_ptr;
        let buffer = self.argument(args, 0, pointer, span)?;
        let Some(jumps) = self.jumps else {
            // Without a jump, it returns once.
            return Ok(match self.facts.jumps {
                true => self.unsupported_value(IN_THREADS, int),
                false => self.int_value(0, int),
            });
        };
        let name = self.body.temp_name;
        let number = self.local(name, Sort::Bv(32), false);
        let result = self.local(name, Sort::Bv(32), true);
        let one = self.program.terms.bv(32, 1);
        let last = self.program.read(jumps.count);
        let next = self.program.terms.binary(BinOp::BvAdd, last, one);
        self.assign(jumps.count, next);
        let next = self.program.read(jumps.count);
        self.assign(number, next);
        let value = self.program.read(number);
        let uint = self.types.uint;
        self.store_scalar(buffer, value, uint);
        let zero = self.program.terms.bv(32, 0);
        self.assign(result, zero);
        self.body.set_jumps.push(SetJump { number, result, after: self.body.here });
        Ok(Val { term: self.program.read(result), ty: int })
    }

    /// `void longjmp(jmp_buf env, int value)`.
    pub fn long_jump(&mut self, args: &[Val], span: Span) -> Result<Val> {
        let (int, uint) = (self.types.int, self.types.uint);
        let pointer = self.types.void_ptr;
        let buffer = self.argument(args, 0, pointer, span)?;
        let value = self.argument(args, 1, int, span)?;
        let Some(jumps) = self.jumps else {
            self.unsupported(IN_THREADS);
            return Ok(self.void_value());
        };
        let number = self.load_scalar(buffer, uint);
        self.assign(jumps.target, number);
        // C11 7.13.2.1p4: 0 becomes 1.
        let (zero, one) = (self.program.terms.bv(32, 0), self.program.terms.bv(32, 1));
        let is_zero = self.program.terms.eq(value, zero);
        let value = self.program.terms.ite(is_zero, one, value);
        self.assign(jumps.value, value);
        self.assign(jumps.active, one);
        let unwind = self.unwind();
        self.body.jump(unwind);
        Ok(self.void_value())
    }

    /// Checks after a call whether it returned because of a jump.
    pub fn check_jump(&mut self) {
        let Some(jumps) = self.jumps else { return };
        let active = self.program.read(jumps.active);
        let active = self.program.terms.is_nonzero(active);
        let (unwind, next) = (self.unwind(), self.body.new_loc());
        self.emit_branch(active, unwind, next);
        self.body.here = next;
    }

    /// Where the function being lowered handles a jump.
    fn unwind(&mut self) -> Loc {
        match self.body.unwind {
            Some(loc) => loc,
            None => {
                let loc = self.body.new_loc();
                self.body.unwind = Some(loc);
                loc
            }
        }
    }

    /// At the end of a function: a jump goes to one of its own `setjmp`, or further up.
    pub fn finish_jumps(&mut self) {
        let (Some(jumps), Some(unwind)) = (self.jumps, self.body.unwind) else { return };
        self.body.here = unwind;
        let zero = self.program.terms.bv(32, 0);
        let set_jumps = std::mem::take(&mut self.body.set_jumps);
        for &SetJump { number, result, after } in &set_jumps {
            let (target, own) = (self.program.read(jumps.target), self.program.read(number));
            let is_own = self.program.terms.eq(target, own);
            let (yes, no) = (self.body.new_loc(), self.body.new_loc());
            self.emit_branch(is_own, yes, no);
            self.body.here = yes;
            self.assign(jumps.active, zero);
            let value = self.program.read(jumps.value);
            self.assign(result, value);
            self.body.jump(after);
            self.body.here = no;
        }
        if self.body.atomic {
            self.emit(Op::AtomicEnd);
        }
        let value = self.body.graph.result.map(|sort| self.program.terms.zero(sort));
        self.emit_end(Op::Return { value });
        // No `setjmp` has been passed at the start; 0 is the number of none.
        for &SetJump { number, .. } in &set_jumps {
            let label = Label::new(Op::Assign { dst: number, value: zero }, self.body.graph.pos);
            let (start, entry) = (self.body.graph.add_loc(), self.body.graph.entry);
            self.body.graph.add_edge(start, entry, [label]);
            self.body.graph.entry = start;
        }
    }

    /// In the procedure that calls `main`: a jump that arrives there leads to a function that has
    /// returned, which is undefined (C11 7.13.2.1p2).
    pub fn end_jumps(&mut self, graph: &mut Procedure) {
        let Some(jumps) = self.jumps else { return };
        let what: Symbol = self.intern("longjmp into a function that has returned");
        let active = self.program.read(jumps.active);
        let active = self.program.terms.is_nonzero(active);
        let inactive = self.program.terms.not(active);
        let pos = graph.pos;
        let edges: Vec<_> = graph.edges.keys().collect();
        for edge in edges {
            let is_call = |label: &Label| matches!(label.op, Op::Call { .. });
            if !graph.edges[edge].labels.iter().any(is_call) {
                continue;
            }
            let target = graph.edges[edge].target;
            let (returned, jumped) = (graph.add_loc(), graph.add_loc());
            graph.edges[edge].target = returned;
            graph.add_edge(returned, target, [Label::new(Op::Assume(inactive), pos)]);
            graph.add_edge(returned, jumped, [Label::new(Op::Assume(active), pos)]);
            graph.add_edge(
                jumped,
                target,
                [Label::new(Op::Unsupported(Gap::Undefined(what)), pos)],
            );
        }
    }
}
