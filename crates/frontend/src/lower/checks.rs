//! Which operations are checked, and how: signed overflow (C11 6.5p5), division by zero (6.5.5p5), and
//! shifts by invalid amounts (6.5.7p3).
//!
//! A check stands after the evaluation of the operands, at the position of the operator. What is not
//! checked: conversions (6.3.1.3p3 makes them implementation-defined), differences of pointers and the
//! arithmetic of addresses, atomic `+=`, `-=`, `++` and `--` (7.17.7.5p3: they wrap around silently), and
//! expressions that are not evaluated, such as those of static initialisers. Library models are not the
//! program's arithmetic, except where a C operator specifies the function ([`AS_OPERATORS`]).
//!
//! The conditions are made for solvers and for intervals: comparisons of an operand with a constant if
//! the other operand is one; else a range that contains the exact result, in a wider type, if
//! that fits into 64 bits. Sums of wider types are compared with what is left to the limit. Bounds
//! that an operand has by its form ([`bounds`](super::bounds)) leave out what cannot fail.

use lang_c::ast::BinaryOperator;
use lang_c::span::Span;
use ravelin_cfa::{ErrorKind, Op, Property, Sort, Term};
use ravelin_term::BinOp;

use super::bounds::{Bounds, bounds};
use super::global::Func;
use super::{Lowerer, Result, Val};
use crate::library::{self, Model, OverflowOp};
use crate::types::Ty;

/// Library functions that are specified by an operator of C (C11 7.22.6, 7.8.2), by their usual names.
const AS_OPERATORS: &[(&str, AsOperator)] = &[
    ("abs", AsOperator::Negation),
    ("labs", AsOperator::Negation),
    ("llabs", AsOperator::Negation),
    ("imaxabs", AsOperator::Negation),
    ("div", AsOperator::Division),
    ("ldiv", AsOperator::Division),
    ("lldiv", AsOperator::Division),
    ("imaxdiv", AsOperator::Division),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AsOperator {
    Negation,
    Division,
}

/// An operator of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operator<'o> {
    pub op: &'o BinaryOperator,
    pub span: Span,
    /// Whether signed results wrap around.
    pub wraps: bool,
}

impl<'o> Operator<'o> {
    pub fn new(op: &'o BinaryOperator, span: Span) -> Operator<'o> {
        Operator { op, span, wraps: false }
    }

    /// The operator of an atomic update. gcc makes fetching operations of `+=`, `-=`, `++` and `--`;
    /// the others compute as usual, and exchange (C17 6.5.16.2, footnote 113).
    pub fn of_update(op: &'o BinaryOperator, span: Span) -> Operator<'o> {
        let wraps = matches!(op, BinaryOperator::Plus | BinaryOperator::Minus);
        Operator { op, span, wraps }
    }
}

impl Lowerer<'_> {
    /// What ends an execution that violates a property: without the property, as `abort` does.
    pub fn violation(&self, error: ErrorKind) -> Op {
        match self.program.checked.contains(error.property()) {
            true => Op::Error(error),
            false => Op::Abort,
        }
    }

    /// The error, if the condition does not hold.
    pub fn check(&mut self, holds: Term, error: ErrorKind) {
        let (good, bad) = (self.body.new_loc(), self.body.new_loc());
        self.emit_branch(holds, good, bad);
        self.body.start_at(bad);
        self.emit_end(self.violation(error));
        self.body.start_at(good);
    }

    /// A check of an operator at `span`. If nothing can fail, there is none.
    pub fn check_operator(&mut self, holds: Term, error: ErrorKind, span: Span) {
        if self.program.terms.as_bool(holds) == Some(true) {
            return;
        }
        let around = self.body.span;
        self.at(span);
        self.check(holds, error);
        self.at(around);
    }

    /// Whether operations are checked here.
    pub fn is_checked(&self, property: Property) -> bool {
        if !self.program.checked.contains(property) || self.unevaluated > 0 {
            return false;
        }
        let name = self.program.name(self.body.name);
        !self.external_functions.in_model || as_operator(name).is_some()
    }

    /// Checks `a op b`, two integers of type `ty`. Operators that cannot fail are not checked.
    pub fn check_integers(&mut self, operator: Operator<'_>, a: Term, b: Term, ty: Ty) {
        use BinaryOperator as B;
        let divides = matches!(operator.op, B::Divide | B::Modulo);
        if divides && self.is_checked(Property::ValidArithmetic) {
            let holds = self.excludes(b, 0);
            self.check_operator(holds, ErrorKind::DivisionByZero, operator.span);
        }
        if !self.types.is_signed(ty) || operator.wraps || !self.is_checked(Property::NoOverflow) {
            return;
        }
        let holds = match operator.op {
            B::Plus => self.sum_fits(a, b),
            B::Minus => self.difference_fits(a, b),
            B::Multiply => self.product_fits(a, b, ty),
            B::Divide | B::Modulo => {
                // The one quotient that does not fit (C11 6.5.5p6).
                let least = Bounds::of_width(self.width(a)).least;
                let (is_other, is_no_negation) = (self.excludes(a, least), self.excludes(b, -1));
                self.program.terms.or(is_other, is_no_negation)
            }
            _ => return,
        };
        self.check_operator(holds, ErrorKind::SignedOverflow, operator.span);
    }

    /// Checks a unary minus.
    pub fn check_negation(&mut self, value: Val, span: Span) {
        if self.types.is_integer(value.ty)
            && self.types.is_signed(value.ty)
            && self.is_checked(Property::NoOverflow)
        {
            let zero = self.program.terms.bv(self.width(value.term), 0);
            let holds = self.difference_fits(zero, value.term);
            self.check_operator(holds, ErrorKind::SignedOverflow, span);
        }
    }

    /// Checks a shift of `value`, a promoted number, by `amount`, which is not converted yet.
    pub fn check_shift(&mut self, operator: Operator<'_>, value: Val, amount: Val) {
        let checks_amount = self.is_checked(Property::ValidArithmetic);
        let checks_result = *operator.op == BinaryOperator::ShiftLeft
            && self.types.is_signed(value.ty)
            && self.is_checked(Property::NoOverflow);
        if !checks_amount && !checks_result {
            return;
        }
        let ty = self.types.promote(amount.ty);
        let amount = self.convert_scalar(amount, ty);
        let width = i128::from(self.width(value.term));
        let is_valid = self.is_in_range(amount, 0, width - 1);
        if checks_amount {
            self.check_operator(is_valid, ErrorKind::InvalidShift, operator.span);
        }
        if !checks_result {
            return;
        }
        let fits = self.shifted_fits(value.term, amount);
        // Invalid amounts violate the other property alone.
        let holds = match checks_amount {
            true => fits,
            false => {
                let is_invalid = self.program.terms.not(is_valid);
                self.program.terms.or(is_invalid, fits)
            }
        };
        self.check_operator(holds, ErrorKind::SignedOverflow, operator.span);
    }

    /// Checks a call of a function that an operator specifies. Calls through pointers are checked in
    /// the model.
    pub fn check_call(&mut self, func: Func, args: &[Val], span: Span) -> Result<()> {
        if self.external_functions.in_model
            || !self.is_checked(Property::NoOverflow) && !self.is_checked(Property::ValidArithmetic)
        {
            return Ok(());
        }
        let name = self.program.name(self.functions[func].name);
        let Some(usual) = library::lookup(name) else { return Ok(()) };
        let (Some(specified), Model::C(_)) = (as_operator(usual.name), usual.model) else {
            return Ok(());
        };
        if self.functions[func].proc.is_some() {
            return Ok(());
        }
        let params = self.types.as_function(self.functions[func].ty).map(|it| it.params.clone());
        let Some(&ty) = params.as_ref().and_then(|params| params.first()) else { return Ok(()) };
        let args: Vec<Val> =
            args.iter().map(|&arg| self.convert(arg, ty, span)).collect::<Result<_>>()?;
        match (specified, args[..].as_ref()) {
            (AsOperator::Negation, [value]) => self.check_negation(*value, span),
            (AsOperator::Division, [a, b]) => {
                let operator = Operator::new(&BinaryOperator::Divide, span);
                self.check_integers(operator, a.term, b.term, ty);
            }
            (AsOperator::Negation | AsOperator::Division, _) => {}
        }
        Ok(())
    }

    fn width(&self, term: Term) -> u16 {
        self.program.terms.sort(term).width().unwrap_or(32)
    }

    fn of_width_of(&mut self, term: Term, value: i128) -> Term {
        let width = self.width(term);
        self.program.terms.bv(width, value as u128)
    }

    /// `term != value`.
    fn excludes(&mut self, term: Term, value: i128) -> Term {
        if !bounds(&self.program.terms, term).contains(value) {
            return self.program.terms.bool(true);
        }
        let value = self.of_width_of(term, value);
        let equal = self.program.terms.eq(term, value);
        self.program.terms.not(equal)
    }

    /// `least <= term <= most`, of signed numbers. Limits beyond the width limit nothing.
    fn is_between(&mut self, term: Term, least: Option<i128>, most: Option<i128>) -> Term {
        let found = bounds(&self.program.terms, term);
        let all = Bounds::of_width(self.width(term));
        let (least, most) = (least.unwrap_or(all.least), most.unwrap_or(all.most));
        if found.most < least || most < found.least {
            return self.program.terms.bool(false);
        }
        let mut holds = self.program.terms.bool(true);
        if found.least < least {
            let least = self.of_width_of(term, least);
            holds = self.program.terms.binary(BinOp::BvSle, least, term);
        }
        if found.most > most {
            let most = self.of_width_of(term, most);
            let below = self.program.terms.binary(BinOp::BvSle, term, most);
            holds = self.program.terms.and(holds, below);
        }
        holds
    }

    /// `least <= value <= most`, neither of which is negative, for a number of either signedness.
    pub fn is_in_range(&mut self, value: Val, least: i128, most: i128) -> Term {
        if self.types.is_signed(value.ty) || bounds(&self.program.terms, value.term).least >= 0 {
            return self.is_between(value.term, Some(least), Some(most));
        }
        let (low, high) = (self.of_width_of(value.term, least), self.of_width_of(value.term, most));
        let terms = &mut self.program.terms;
        let above = terms.binary(BinOp::BvUle, low, value.term);
        let below = terms.binary(BinOp::BvUle, value.term, high);
        terms.and(above, below)
    }

    /// Whether a result with these exact bounds, if they are known, always fits.
    fn always_fits(&self, exact: Option<Bounds>, width: u16) -> bool {
        exact.is_some_and(|exact| exact.is_inside(Bounds::of_width(width)))
    }

    fn sum_fits(&mut self, a: Term, b: Term) -> Term {
        let terms = &self.program.terms;
        let (of_a, of_b) = (bounds(terms, a), bounds(terms, b));
        let width = self.width(a);
        if self.always_fits(of_a.add(of_b), width) {
            return self.program.terms.bool(true);
        }
        let all = Bounds::of_width(width);
        match (self.program.terms.as_signed(a), self.program.terms.as_signed(b)) {
            // What would be beyond 128 bits limits nothing.
            (None, Some(c)) | (Some(c), None) => {
                let other = if self.program.terms.is_literal(a) { b } else { a };
                let (least, most) = (all.least.checked_sub(c), all.most.checked_sub(c));
                self.is_between(other, least, most)
            }
            (_, _) if width < 64 => self.fits_wider(BinOp::BvAdd, a, b, width + 1),
            (_, _) => {
                let (least, most) = (self.of_width_of(a, all.least), self.of_width_of(a, all.most));
                let terms = &mut self.program.terms;
                let (up, down) =
                    (terms.binary(BinOp::BvSub, most, b), terms.binary(BinOp::BvSub, least, b));
                let below = terms.binary(BinOp::BvSle, a, up);
                let above = terms.binary(BinOp::BvSle, down, a);
                self.by_sign(b, below, above)
            }
        }
    }

    fn difference_fits(&mut self, a: Term, b: Term) -> Term {
        let terms = &self.program.terms;
        let (of_a, of_b) = (bounds(terms, a), bounds(terms, b));
        let width = self.width(a);
        if self.always_fits(of_a.sub(of_b), width) {
            return self.program.terms.bool(true);
        }
        let all = Bounds::of_width(width);
        match (self.program.terms.as_signed(a), self.program.terms.as_signed(b)) {
            (None, Some(c)) => {
                self.is_between(a, all.least.checked_add(c), all.most.checked_add(c))
            }
            (Some(c), None) => {
                self.is_between(b, c.checked_sub(all.most), c.checked_sub(all.least))
            }
            (_, _) if width < 64 => self.fits_wider(BinOp::BvSub, a, b, width + 1),
            (_, _) => {
                let (least, most) = (self.of_width_of(a, all.least), self.of_width_of(a, all.most));
                let terms = &mut self.program.terms;
                let (up, down) =
                    (terms.binary(BinOp::BvAdd, most, b), terms.binary(BinOp::BvAdd, least, b));
                let above = terms.binary(BinOp::BvSle, down, a);
                let below = terms.binary(BinOp::BvSle, a, up);
                self.by_sign(b, above, below)
            }
        }
    }

    fn product_fits(&mut self, a: Term, b: Term, ty: Ty) -> Term {
        let terms = &self.program.terms;
        let (of_a, of_b) = (bounds(terms, a), bounds(terms, b));
        let width = self.width(a);
        if self.always_fits(of_a.mul(of_b), width) {
            return self.program.terms.bool(true);
        }
        let all = Bounds::of_width(width);
        match (self.program.terms.as_signed(a), self.program.terms.as_signed(b)) {
            (None, Some(c)) | (Some(c), None) => {
                let other = if self.program.terms.is_literal(a) { b } else { a };
                // Division truncates, which rounds each quotient into the range. Only the negation
                // of the least number has no quotient, and it limits nothing.
                let (low, high) = (all.least.checked_div(c), all.most.checked_div(c));
                match c < 0 {
                    true => self.is_between(other, high, low),
                    false => self.is_between(other, low, high),
                }
            }
            (_, _) if width <= Sort::MAX_WIDTH / 2 => {
                self.fits_wider(BinOp::BvMul, a, b, 2 * width)
            }
            (_, _) => {
                let (a, b) = (Val { term: a, ty }, Val { term: b, ty });
                let none = Span::none();
                match self.overflow(OverflowOp::Mul, a, b, ty, none) {
                    Ok((_, overflows)) => self.program.terms.not(overflows),
                    // Operands are integers, so this is not reached.
                    Err(_) => self.program.terms.bool(true),
                }
            }
        }
    }

    /// Whether the exact result of an operation, which `wide` bits hold, fits into the operands' type.
    fn fits_wider(&mut self, op: BinOp, a: Term, b: Term, wide: u16) -> Term {
        let all = Bounds::of_width(self.width(a));
        let terms = &mut self.program.terms;
        let (a, b) = (terms.resize(a, wide, true), terms.resize(b, wide, true));
        let exact = terms.binary(op, a, b);
        self.is_between(exact, Some(all.least), Some(all.most))
    }

    /// The first condition if `term` is not negative, the second if it is.
    fn by_sign(&mut self, term: Term, if_positive: Term, if_negative: Term) -> Term {
        let found = bounds(&self.program.terms, term);
        if found.least >= 0 {
            return if_positive;
        }
        if found.most < 0 {
            return if_negative;
        }
        let zero = self.of_width_of(term, 0);
        let is_negative = self.program.terms.binary(BinOp::BvSlt, term, zero);
        self.program.terms.ite(is_negative, if_negative, if_positive)
    }

    /// Whether `value * 2^amount` fits and `value` is not negative (C11 6.5.7p4), for valid amounts.
    fn shifted_fits(&mut self, value: Term, amount: Val) -> Term {
        let width = self.width(value);
        let all = Bounds::of_width(width);
        let constant_amount = match self.types.is_signed(amount.ty) {
            true => self.program.terms.as_signed(amount.term),
            false => self.program.terms.as_bv(amount.term).and_then(|by| i128::try_from(by).ok()),
        };
        if let Some(by) = constant_amount {
            if !(0..i128::from(width)).contains(&by) {
                return self.program.terms.bool(true);
            }
            return self.is_between(value, Some(0), Some(all.most >> by));
        }
        match self.program.terms.as_signed(value) {
            Some(0) => self.program.terms.bool(true),
            Some(..0) => self.program.terms.bool(false),
            Some(c) => {
                // So many of the bits above the highest one are free for it.
                let free = i128::from(c.leading_zeros() - all.most.leading_zeros());
                self.is_in_range(amount, 0, free)
            }
            None => {
                let signed = self.types.is_signed(amount.ty);
                let (most, zero) = (self.of_width_of(value, all.most), self.of_width_of(value, 0));
                let terms = &mut self.program.terms;
                let by = terms.resize(amount.term, width, signed);
                let limit = terms.binary(BinOp::BvLshr, most, by);
                let above = terms.binary(BinOp::BvSle, zero, value);
                let below = terms.binary(BinOp::BvSle, value, limit);
                terms.and(above, below)
            }
        }
    }
}

fn as_operator(name: &str) -> Option<AsOperator> {
    AS_OPERATORS.iter().find(|(known, _)| *known == name).map(|&(_, operator)| operator)
}
