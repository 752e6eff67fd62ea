//! How many steps a piece of a program takes at most, roughly.

use crate::families::stmts;
use crate::program::{Block, Callee, Expr, Place, Program, Stmt};
use crate::types::Type;
use crate::visit::{Visitor, walk_expr, walk_stmt};

impl Program {
    /// Steps of one execution of the block, each loop run to its bound.
    pub fn cost(&self, block: &Block) -> u64 {
        let mut meter = Meter { program: self, factor: 1, total: 0 };
        meter.block(block);
        meter.total
    }

    /// Steps of one evaluation of the expression.
    pub fn expr_cost(&self, expr: &Expr) -> u64 {
        let mut meter = Meter { program: self, factor: 1, total: 0 };
        meter.expr(expr);
        meter.total
    }
}

/// Steps of a call through a pointer: the callee is one of the cheap first functions.
pub const INDIRECT_CALL: u64 = 300;

struct Meter<'a> {
    program: &'a Program,
    /// How often the current piece is executed.
    factor: u64,
    total: u64,
}

impl Meter<'_> {
    fn add(&mut self, steps: u64) {
        self.total = self.total.saturating_add(self.factor.saturating_mul(steps));
    }

    fn leaves(&self, place: &Place) -> u64 {
        self.program.leaves(&self.program.place_type(place))
    }

    fn repeat(&mut self, times: u64, stmt: &Stmt) {
        let outer = self.factor;
        self.factor = outer.saturating_mul(times);
        self.add(2);
        walk_stmt(self, stmt);
        self.factor = outer;
    }
}

impl Visitor for Meter<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.add(1);
        match stmt {
            Stmt::Loop { bound, .. } => self.repeat(u64::from(*bound) + 1, stmt),
            Stmt::Duff { rounds, .. } => self.repeat(u64::from(*rounds), stmt),
            Stmt::Walk { array, .. } => match self.program.place_type(array) {
                Type::Array(_, length) => self.repeat(u64::from(length), stmt),
                Type::Int(_)
                | Type::Enum(_)
                | Type::Float(_)
                | Type::Record(_)
                | Type::Pointer(..)
                | Type::Function(_) => walk_stmt(self, stmt),
            },
            Stmt::Heap { var, .. } => {
                if let Type::Pointer(_, length) = self.program.vars[*var].ty {
                    self.add(u64::from(length) * 4);
                }
                // Only the filling value is evaluated several times, but it is small.
                walk_stmt(self, stmt);
            }
            Stmt::List { count, .. } => self.repeat(u64::from(*count) * 2, stmt),
            Stmt::Observe(place) => {
                self.add(self.leaves(place) * 10);
                walk_stmt(self, stmt);
            }
            Stmt::Declare(var, _) => {
                self.add(self.program.leaves(&self.program.vars[*var].ty));
                walk_stmt(self, stmt);
            }
            Stmt::Mix(_) | Stmt::Print(_) => {
                self.add(10);
                walk_stmt(self, stmt);
            }
            Stmt::Fill(place, _) | Stmt::Copy(place, _, _) | Stmt::Shift(place, _) => {
                self.add(self.leaves(place) * 8);
                walk_stmt(self, stmt);
            }
            stmts!(jumps)
            | Stmt::Expr(_)
            | Stmt::If(..)
            | Stmt::Switch(..)
            | Stmt::Region(..)
            | Stmt::Block(_)
            | Stmt::Clear(_) => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.add(1);
        match expr {
            Expr::Call(Callee::Direct(function), ..) => {
                self.add(self.program.functions[*function].cost);
            }
            Expr::Call(Callee::Pointer { .. }, ..) => self.add(INDIRECT_CALL),
            Expr::StrLen(place) | Expr::CompareMem(place, _) => {
                self.add(self.leaves(place) * 8);
            }
            Expr::Variadic(args) => self.add(args.len() as u64 * 20),
            Expr::CompareStr(..) => self.add(30),
            // Every other expression is one step on top of its operands.
            _ => {}
        }
        walk_expr(self, expr);
    }
}
