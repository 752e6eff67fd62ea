//! Random programs, the same for the same seed.
//!
//! Every name a piece of the program uses is in scope where the piece is made, every loop has a
//! bound, and functions call only functions made before them or, with less depth, those of their
//! own group. An expression in which the order of evaluation matters is thrown away and made
//! anew. Costs are summed up on the way so that no program runs long.

mod expr;
mod function;
mod place;
mod stmt;
mod types;

use crate::program::{Block, Expr, Init, LabelId, Program, Spelling, Stmt, VarId};
use crate::types::{IntKind, Type};
use fastrand::Rng;
use ravelin_base::{DataModel, PrimaryMap};

/// Makes the program of a seed.
pub fn generate(seed: u64, model: DataModel) -> Program {
    let mut generator = Generator {
        rng: Rng::with_seed(seed),
        program: Program {
            model,
            enums: PrimaryMap::new(),
            records: PrimaryMap::new(),
            signatures: PrimaryMap::new(),
            vars: PrimaryMap::new(),
            globals: Vec::new(),
            functions: PrimaryMap::new(),
            labels: 0,
            main: Block::new(),
        },
        scope: Vec::new(),
        context: Context::file_scope(),
        indices: 0,
    };
    generator.make_types();
    generator.make_globals();
    generator.make_functions();
    generator.make_main();
    generator.program
}

/// Steps that one run of a program may take, roughly.
const PROGRAM_BUDGET: u64 = 40_000;

struct Generator {
    rng: Rng,
    program: Program,
    /// Parameters and locals that are in scope.
    scope: Vec<VarId>,
    context: Context,
    /// How many indices the piece to be made is inside of.
    indices: u32,
}

/// Where the piece to be made stands.
#[derive(Clone, Debug)]
struct Context {
    /// Only constant expressions, for objects with static storage.
    constant: bool,
    /// Only parameters and locals.
    pure: bool,
    /// Assignments and calls are welcome inside expressions.
    effects: bool,
    /// Inside a statement expression, which control leaves by its end only.
    enclosed: bool,
    in_main: bool,
    in_loop: bool,
    in_switch: bool,
    labels: Vec<LabelId>,
    /// The depth of blocks, as in [`crate::program::Var::level`].
    level: u32,
    /// How often the piece may be executed, by the loops around it.
    factor: u64,
    /// The steps still allowed for one execution of the function.
    budget: u64,
    /// What the function returns.
    result: Option<Type>,
    /// Calls into its own group a recursive function may still make.
    recursive_calls: u32,
    group: Option<u32>,
    /// Calls through function pointers are allowed: the functions they may lead to are complete.
    indirect_calls: bool,
}

impl Context {
    fn file_scope() -> Context {
        Context {
            constant: true,
            pure: false,
            effects: false,
            enclosed: false,
            in_main: false,
            in_loop: false,
            in_switch: false,
            labels: Vec::new(),
            level: 0,
            factor: 1,
            budget: 0,
            result: None,
            recursive_calls: 0,
            group: None,
            indirect_calls: false,
        }
    }

    fn function(budget: u64, result: Option<Type>) -> Context {
        Context { constant: false, level: 1, budget, result, ..Context::file_scope() }
    }
}

impl Generator {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.rng.usize(0..choices.len())].clone()
    }

    /// One of the choices, each as likely as its weight says.
    fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut at = self.rng.u32(0..total);
        for (weight, choice) in choices {
            if at < *weight {
                return *choice;
            }
            at -= weight;
        }
        unreachable!("the weights add up to their sum")
    }

    fn without_effects<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context.effects, false);
        let made = make(self);
        self.context.effects = outer;
        made
    }

    /// An expression in which no order of evaluation is open that matters.
    fn ordered(&mut self, make: impl Fn(&mut Self) -> Expr) -> Expr {
        for _ in 0..4 {
            let expr = make(self);
            if !self.program.footprint(&expr).conflict {
                return expr;
            }
        }
        self.without_effects(make)
    }

    /// A full expression, which now and then changes things on the way.
    fn full(&mut self, make: impl Fn(&mut Self) -> Expr) -> Expr {
        let effects = !self.context.constant && self.chance(40);
        let outer = std::mem::replace(&mut self.context.effects, effects);
        let mut expr = self.ordered(&make);
        if self.too_expensive(self.program.expr_cost(&expr)) {
            expr = self.without_effects(make);
        }
        self.context.effects = outer;
        expr
    }

    fn too_expensive(&self, cost: u64) -> bool {
        self.context.factor.saturating_mul(cost) > self.context.budget
    }

    fn int_kind(&mut self) -> IntKind {
        let kind = self.pick(IntKind::all(self.program.model));
        match kind {
            // Rarer than the others: they are seldom met outside of tests.
            IntKind::I128 | IntKind::U128 if self.chance(60) => IntKind::Int,
            kind => kind,
        }
    }

    /// An integer of the kind, most often one at which something changes.
    fn literal_of(&mut self, kind: IntKind) -> Expr {
        let bits = kind.bits(self.program.model);
        let value = match self.rng.u32(0..10) {
            0..4 => self.rng.i128(-3..=10),
            4 => self.rng.i128(-200..=300),
            5 => (1i128 << self.rng.u32(0..bits.min(127))) - self.rng.i128(0..=2),
            6 => -1i128 << (bits - 1),
            7 => (-1i128 << (bits - 1)).wrapping_sub(1),
            8 => i128::from(self.rng.i32(..)),
            _ => self.rng.i128(..),
        };
        let value = kind.wrap(value, self.program.model);
        let spelling = self.weighted(&[
            (6, Spelling::Decimal),
            (3, Spelling::Hex),
            (1, Spelling::Octal),
            (1, Spelling::Binary),
            (1, Spelling::Character),
        ]);
        Expr::Int { kind, value, spelling }
    }

    fn literal(&mut self) -> Expr {
        let kind = self.int_kind();
        self.literal_of(kind)
    }

    fn string(&mut self) -> Vec<u8> {
        let length = self.rng.usize(0..9);
        (0..length)
            .map(|_| match self.rng.u32(0..12) {
                0 => self.rng.u8(1..=255),
                1 => b'"',
                2 => b'\\',
                _ => self.rng.u8(b'a'..=b'e'),
            })
            .collect()
    }
}

/// An initialiser that is one expression.
fn plain(expr: Expr) -> Init {
    Init::Expr(expr)
}

/// A statement that is one expression.
fn evaluate(expr: Expr) -> Stmt {
    Stmt::Expr(expr)
}
