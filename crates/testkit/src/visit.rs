//! Walks over the syntax of a program, in source order, each node before its parts.

use crate::families::exprs;
use crate::program::{Block, Callee, Expr, Init, Place, Program, Stmt};

/// The two visitors differ in the kind of reference only, so one text makes both.
macro_rules! visitor {
    ($(#[$doc:meta])* $visitor:ident, $walk_program:ident, $walk_block:ident, $walk_stmt:ident,
     $walk_expr:ident, $walk_place:ident, $walk_init:ident, [$($m:tt)?]) => {
        $(#[$doc])*
        pub trait $visitor {
            fn block(&mut self, block: &$($m)? Block) {
                $walk_block(self, block);
            }
            fn stmt(&mut self, stmt: &$($m)? Stmt) {
                $walk_stmt(self, stmt);
            }
            fn expr(&mut self, expr: &$($m)? Expr) {
                $walk_expr(self, expr);
            }
            fn place(&mut self, place: &$($m)? Place) {
                $walk_place(self, place);
            }
            fn init(&mut self, init: &$($m)? Init) {
                $walk_init(self, init);
            }
        }

        /// Visits the globals' initialisers, the functions and `main`.
        pub fn $walk_program<V: $visitor + ?Sized>(v: &mut V, program: &$($m)? Program) {
            for (_, init) in &$($m)? program.globals {
                v.init(init);
            }
            for (_, function) in &$($m)? program.functions {
                if let Some(body) = &$($m)? function.body {
                    if let Some(recursion) = &$($m)? function.recursion {
                        v.expr(&$($m)? recursion.base);
                    }
                    v.block(body);
                }
            }
            v.block(&$($m)? program.main);
        }

        /// Visits the statements of a block.
        pub fn $walk_block<V: $visitor + ?Sized>(v: &mut V, block: &$($m)? Block) {
            for stmt in block {
                v.stmt(stmt);
            }
        }

        /// Visits the parts of a statement.
        pub fn $walk_stmt<V: $visitor + ?Sized>(v: &mut V, stmt: &$($m)? Stmt) {
            match stmt {
                Stmt::Declare(_, init) => v.init(init),
                Stmt::Expr(e) | Stmt::Mix(e) | Stmt::Print(e) => v.expr(e),
                Stmt::Observe(place) | Stmt::Shift(place, _) | Stmt::Clear(place) => {
                    v.place(place);
                }
                Stmt::If(cond, then, otherwise) => {
                    v.expr(cond);
                    v.block(then);
                    v.block(otherwise);
                }
                Stmt::Loop { guard, body, .. } => {
                    if let Some(guard) = guard {
                        v.expr(guard);
                    }
                    v.block(body);
                }
                Stmt::Switch(selector, cases) => {
                    v.expr(selector);
                    for case in cases {
                        v.block(&$($m)? case.body);
                    }
                }
                Stmt::Duff { selector, parts, .. } => {
                    v.expr(selector);
                    for part in parts {
                        v.block(part);
                    }
                }
                Stmt::Break | Stmt::Continue | Stmt::Return(None) | Stmt::Goto(_) => {}
                Stmt::Return(Some(e)) => v.expr(e),
                Stmt::Region(_, body) | Stmt::Block(body) => v.block(body),
                Stmt::Walk { array, body, .. } => {
                    v.place(array);
                    v.block(body);
                }
                Stmt::Heap { fill: value, body, .. } | Stmt::List { value, body, .. } => {
                    v.expr(value);
                    v.block(body);
                }
                Stmt::Fill(place, e) => {
                    v.place(place);
                    v.expr(e);
                }
                Stmt::Copy(to, from, _) => {
                    v.place(to);
                    v.place(from);
                }
            }
        }

        /// Visits the operands of an expression.
        pub fn $walk_expr<V: $visitor + ?Sized>(v: &mut V, expr: &$($m)? Expr) {
            match expr {
                exprs!(leaves) => {}
                Expr::Load(place)
                | Expr::Step(_, place)
                | Expr::AddressOf(place)
                | Expr::Decay(place)
                | Expr::StrLen(place) => v.place(place),
                Expr::Unary(_, a)
                | Expr::Cast(_, a)
                | Expr::Truncate(_, a)
                | Expr::Detour(_, a)
                | Expr::SizeOfExpr(a)
                | Expr::TypeTag(a)
                | Expr::Builtin(_, a) => v.expr(a),
                Expr::Binary(_, _, a, b)
                | Expr::Logic(_, a, b)
                | Expr::Comma(a, b)
                | Expr::SamePointer(_, a, b) => {
                    v.expr(a);
                    v.expr(b);
                }
                Expr::Cond(a, b, c) => {
                    v.expr(a);
                    if let Some(b) = b {
                        v.expr(b);
                    }
                    v.expr(c);
                }
                Expr::Assign(place, a) | Expr::Compound(_, _, place, a) => {
                    v.place(place);
                    v.expr(a);
                }
                Expr::Call(callee, args, _) => {
                    match callee {
                        Callee::Direct(_) => {}
                        Callee::Pointer { place, .. } => v.place(place),
                    }
                    for arg in args {
                        v.expr(arg);
                    }
                }
                Expr::Elements(_, array, a, b) => {
                    v.place(array);
                    v.expr(a);
                    v.expr(b);
                }
                Expr::Block(block, result) => {
                    v.block(block);
                    v.expr(result);
                }
                Expr::Overflow(_, a, b, place) => {
                    v.expr(a);
                    v.expr(b);
                    v.place(place);
                }
                Expr::Literal(_, init) => v.init(init),
                Expr::CompareMem(a, b) => {
                    v.place(a);
                    v.place(b);
                }
                Expr::Variadic(args) => {
                    for arg in args {
                        v.expr(arg);
                    }
                }
            }
        }

        /// Visits the parts of a place.
        pub fn $walk_place<V: $visitor + ?Sized>(v: &mut V, place: &$($m)? Place) {
            match place {
                Place::Var(_) => {}
                Place::Field(base, _) | Place::View(base, _) => v.place(base),
                Place::Index(base, index) | Place::Byte(base, index) => {
                    v.place(base);
                    v.expr(index);
                }
                Place::Deref(e) | Place::Temporary(e) => v.expr(e),
                Place::Element(pointer, index, _) => {
                    v.expr(pointer);
                    v.expr(index);
                }
                Place::Literal(_, init) => v.init(init),
                Place::Char(_, index) => v.expr(index),
            }
        }

        /// Visits the parts of an initialiser.
        pub fn $walk_init<V: $visitor + ?Sized>(v: &mut V, init: &$($m)? Init) {
            match init {
                Init::Expr(e) => v.expr(e),
                Init::Zero | Init::Str(_) => {}
                Init::List(items) => {
                    for item in items {
                        v.init(&$($m)? item.init);
                    }
                }
                Init::Vla(length, fill) => {
                    v.expr(length);
                    v.expr(fill);
                }
            }
        }
    };
}

visitor!(
    /// Looks at every node.
    Visitor, walk_program, walk_block, walk_stmt, walk_expr, walk_place, walk_init, []
);
visitor!(
    /// May change every node, before its parts are visited.
    VisitorMut, walk_program_mut, walk_block_mut, walk_stmt_mut, walk_expr_mut, walk_place_mut,
    walk_init_mut, [mut]
);
