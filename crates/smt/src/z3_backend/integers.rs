//! Terms of bit-vectors as integers, and back. Nothing follows from either: see [`super::horn`].

use std::collections::BTreeMap;

use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, AstKind, Bool, Dynamic, Int};

use super::encode::name_of;
use crate::horn::Overflow;

/// Which numbers the bits of a bit-vector stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signedness {
    Signed,
    Unsigned,
}

impl Signedness {
    pub(super) fn of(is_signed: bool) -> Self {
        if is_signed { Signedness::Signed } else { Signedness::Unsigned }
    }

    /// The least and the greatest number of so many bits.
    fn range(self, width: u16) -> (i128, i128) {
        match self {
            Signedness::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            Signedness::Unsigned => (0, (1i128 << width) - 1),
        }
    }
}

/// The expression of a term.
#[derive(Clone, Debug)]
enum Encoded {
    Condition(Bool),
    Number(Int, Signedness),
    /// A constant, which is read as what it meets.
    Constant,
    /// No number: a pointer, a float, or memory.
    Other,
}

/// Makes expressions of integers; what integers do not have is any number.
pub(super) struct ToIntegers<'a> {
    is_signed: &'a dyn Fn(Var) -> bool,
    overflow: Overflow,
    done: FxHashMap<Term, Encoded>,
    /// The variables met, with their ranges, and what stands for parts that integers do not have.
    constants: Vec<Dynamic>,
    ranges: Vec<(Int, i128, i128)>,
}

impl<'a> ToIntegers<'a> {
    pub(super) fn new(is_signed: &'a dyn Fn(Var) -> bool, overflow: Overflow) -> Self {
        ToIntegers {
            is_signed,
            overflow,
            done: FxHashMap::default(),
            constants: Vec::new(),
            ranges: Vec::new(),
        }
    }

    /// Everything without a value in the expressions made.
    pub(super) fn constants(&self) -> &[Dynamic] {
        &self.constants
    }

    /// What is taken for granted of the variables.
    pub(super) fn ranges(&self) -> Vec<Bool> {
        let mut bounds = Vec::new();
        for (var, least, greatest) in &self.ranges {
            if *least == 0 || self.overflow != Overflow::Unbounded {
                bounds.push(var.ge(Int::from_i128(*least)));
            }
            if self.overflow != Overflow::Unbounded {
                bounds.push(var.le(Int::from_i128(*greatest)));
            }
        }
        bounds
    }

    pub(super) fn condition(&mut self, pool: &TermPool, term: Term) -> Bool {
        self.encode(pool, term);
        self.bool(term).unwrap_or_else(|| unreachable!("a condition is Boolean"))
    }

    /// The expression of an argument for a parameter.
    pub(super) fn argument(&mut self, pool: &TermPool, param: Term, term: Term) -> Dynamic {
        self.encode(pool, term);
        let signedness = match pool.kind(param) {
            TermKind::Var(var) => Signedness::of((self.is_signed)(var)),
            _ => Signedness::Signed,
        };
        match pool.sort(param) {
            Sort::Bool => self.condition(pool, term).into(),
            Sort::Bv(_) | Sort::Float(_) | Sort::Ptr | Sort::Mem => self
                .read(pool, term, signedness)
                .map_or_else(|| self.any_number().into(), Into::into),
        }
    }

    /// Makes the expression of a term, without recursion: terms nest deeper than a stack is.
    fn encode(&mut self, pool: &TermPool, term: Term) {
        let is_done = |this: &Self, term| this.done.contains_key(&term);
        pool.for_each_operands_first(term, self, is_done, |this, next| {
            let expr = match this.node(pool, next) {
                Some(expr) => expr,
                None => this.anything(pool.sort(next)),
            };
            this.done.insert(next, expr);
        });
    }

    fn any_number(&mut self) -> Int {
        let expr = Int::fresh_const("i");
        self.constants.push(expr.clone().into());
        expr
    }

    fn anything(&mut self, sort: Sort) -> Encoded {
        match sort {
            Sort::Bool => {
                let expr = Bool::fresh_const("b");
                self.constants.push(expr.clone().into());
                Encoded::Condition(expr)
            }
            Sort::Bv(width) => {
                let expr = self.any_number();
                if width <= 64 {
                    let (least, greatest) = Signedness::Signed.range(width);
                    self.ranges.push((expr.clone(), least, greatest));
                }
                Encoded::Number(expr, Signedness::Signed)
            }
            Sort::Float(_) | Sort::Ptr | Sort::Mem => Encoded::Other,
        }
    }

    fn var(&mut self, sort: Sort, var: Var) -> Encoded {
        match sort {
            Sort::Bool => {
                let expr = Bool::new_const(name_of(var));
                self.constants.push(expr.clone().into());
                Encoded::Condition(expr)
            }
            Sort::Bv(width) => {
                let expr = Int::new_const(name_of(var));
                self.constants.push(expr.clone().into());
                let signedness = Signedness::of((self.is_signed)(var));
                if width <= 64 {
                    let (least, greatest) = signedness.range(width);
                    self.ranges.push((expr.clone(), least, greatest));
                }
                Encoded::Number(expr, signedness)
            }
            Sort::Float(_) | Sort::Ptr | Sort::Mem => Encoded::Other,
        }
    }

    fn bool(&self, term: Term) -> Option<Bool> {
        match &self.done[&term] {
            Encoded::Condition(expr) => Some(expr.clone()),
            Encoded::Number(..) | Encoded::Constant | Encoded::Other => None,
        }
    }

    /// The number that a term stands for.
    fn read(&self, pool: &TermPool, term: Term, signedness: Signedness) -> Option<Int> {
        match &self.done[&term] {
            Encoded::Number(expr, own)
                if *own == signedness || self.overflow != Overflow::Wraps =>
            {
                Some(expr.clone())
            }
            Encoded::Number(expr, own) => {
                let width = pool.sort(term).width().filter(|&width| width <= 64)?;
                let all = Int::from_i128(1i128 << width);
                Some(match own {
                    Signedness::Signed => {
                        expr.lt(Int::from_i64(0)).ite(&(expr.clone() + all), expr)
                    }
                    Signedness::Unsigned => {
                        let half = Int::from_i128(1i128 << (width - 1));
                        expr.ge(half).ite(&(expr.clone() - all), expr)
                    }
                })
            }
            Encoded::Constant => match signedness {
                Signedness::Signed => pool.as_signed(term).map(Int::from_i128),
                Signedness::Unsigned => pool.as_bv(term).map(Int::from_u128),
            },
            Encoded::Condition(_) | Encoded::Other => None,
        }
    }

    /// How operands are read that meet: as signed, unless all are unsigned.
    fn common(&self, terms: &[Term]) -> Signedness {
        let mut signedness = None;
        for term in terms {
            if let Encoded::Number(_, own) = &self.done[term] {
                signedness = match (signedness, *own) {
                    (None | Some(Signedness::Unsigned), own) => Some(own),
                    (Some(Signedness::Signed), _) => signedness,
                };
            }
        }
        signedness.unwrap_or(Signedness::Signed)
    }

    /// A number that may be out of range, by once the range at most unless it `is_far`.
    fn wrapped(
        &self,
        expr: Int,
        width: u16,
        signedness: Signedness,
        is_far: bool,
    ) -> Option<Encoded> {
        if self.overflow != Overflow::Wraps {
            return Some(Encoded::Number(expr, signedness));
        }
        if width > 64 {
            return None;
        }
        let (least, greatest) = signedness.range(width);
        let (least, greatest) = (Int::from_i128(least), Int::from_i128(greatest));
        let all = Int::from_i128(1i128 << width);
        let wrapped = match is_far {
            true => (expr - least.clone()).modulo(all) + least,
            false => {
                let (less, more) = (expr.clone() - all.clone(), expr.clone() + all);
                let inside = expr.lt(least).ite(&more, &expr);
                expr.gt(greatest).ite(&less, &inside)
            }
        };
        Some(Encoded::Number(wrapped, signedness))
    }

    fn node(&mut self, pool: &TermPool, term: Term) -> Option<Encoded> {
        Some(match pool.kind(term) {
            TermKind::Bool(value) => Encoded::Condition(Bool::from_bool(value)),
            TermKind::Bv(_) => Encoded::Constant,
            TermKind::Var(var) => self.var(pool.sort(term), var),
            TermKind::Unary(op, a) => self.unary(pool, term, op, a)?,
            TermKind::Binary(op, a, b) => self.binary(pool, op, a, b)?,
            TermKind::Ite(cond, a, b) => {
                let cond = self.bool(cond)?;
                match pool.sort(a) {
                    Sort::Bool => Encoded::Condition(cond.ite(&self.bool(a)?, &self.bool(b)?)),
                    Sort::Bv(_) => {
                        let signedness = self.common(&[a, b]);
                        let (a, b) =
                            (self.read(pool, a, signedness)?, self.read(pool, b, signedness)?);
                        Encoded::Number(cond.ite(&a, &b), signedness)
                    }
                    Sort::Float(_) | Sort::Ptr | Sort::Mem => return None,
                }
            }
            TermKind::Float(_)
            | TermKind::Null
            | TermKind::Address(_)
            | TermKind::Read(..)
            | TermKind::Write(..) => return None,
        })
    }

    fn unary(&mut self, pool: &TermPool, term: Term, op: UnOp, a: Term) -> Option<Encoded> {
        if op == UnOp::Not {
            return Some(Encoded::Condition(self.bool(a)?.not()));
        }
        let width = pool.sort(a).width()?;
        let signedness = self.common(&[a]);
        match op {
            UnOp::BvNeg => {
                let value = self.read(pool, a, signedness)?.unary_minus();
                self.wrapped(value, width, signedness, false)
            }
            UnOp::BvNot => {
                let value = self.read(pool, a, signedness)?.unary_minus() - Int::from_i64(1);
                self.wrapped(value, width, signedness, false)
            }
            // There is room for the sign.
            UnOp::ZeroExt(_) => {
                Some(Encoded::Number(self.read(pool, a, Signedness::Unsigned)?, Signedness::Signed))
            }
            UnOp::SignExt(_) => {
                Some(Encoded::Number(self.read(pool, a, Signedness::Signed)?, Signedness::Signed))
            }
            UnOp::Extract { lo: 0, .. } => {
                let value = self.read(pool, a, signedness)?;
                self.wrapped(value, pool.sort(term).width()?, signedness, true)
            }
            _ => None,
        }
    }

    fn binary(&mut self, pool: &TermPool, op: BinOp, a: Term, b: Term) -> Option<Encoded> {
        let condition = |expr: Bool| Some(Encoded::Condition(expr));
        if pool.sort(a) == Sort::Bool {
            let (a, b) = (self.bool(a)?, self.bool(b)?);
            return match op {
                BinOp::And => condition(Bool::and(&[a, b])),
                BinOp::Or => condition(Bool::or(&[a, b])),
                BinOp::Eq => condition(a.iff(b)),
                _ => None,
            };
        }
        let Sort::Bv(width) = pool.sort(a) else { return None };
        let signedness = match op {
            BinOp::BvUlt | BinOp::BvUle | BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvLshr => {
                Signedness::Unsigned
            }
            BinOp::BvSlt | BinOp::BvSle | BinOp::BvSdiv | BinOp::BvSrem | BinOp::BvAshr => {
                Signedness::Signed
            }
            _ => self.common(&[a, b]),
        };
        let constant = |term: Term| pool.as_signed(term).filter(|&value| value > 0);
        let power = |term: Term| {
            let by = pool.as_bv(term).filter(|&by| by < 63)?;
            Some(Int::from_i128(1i128 << by))
        };
        let (left, right) = (self.read(pool, a, signedness)?, self.read(pool, b, signedness)?);
        match op {
            BinOp::Eq => condition(left.eq(right)),
            BinOp::BvUlt | BinOp::BvSlt => condition(left.lt(right)),
            BinOp::BvUle | BinOp::BvSle => condition(left.le(right)),
            BinOp::BvAdd => self.wrapped(left + right, width, signedness, false),
            BinOp::BvSub => self.wrapped(left - right, width, signedness, false),
            BinOp::BvMul if pool.as_bv(a).is_some() || pool.as_bv(b).is_some() => {
                self.wrapped(left * right, width, signedness, true)
            }
            BinOp::BvShl => self.wrapped(left * power(b)?, width, signedness, true),
            BinOp::BvUdiv | BinOp::BvSdiv => {
                let by = Int::from_i128(constant(b)?);
                Some(Encoded::Number(left.div(by), signedness))
            }
            BinOp::BvUrem | BinOp::BvSrem => {
                let by = Int::from_i128(constant(b)?);
                Some(Encoded::Number(left.modulo(by), signedness))
            }
            BinOp::BvLshr | BinOp::BvAshr => Some(Encoded::Number(left.div(power(b)?), signedness)),
            BinOp::BvAnd => {
                // A mask of the lowest bits.
                let mask = constant(b).filter(|mask| mask & (mask + 1) == 0)?;
                Some(Encoded::Number(left.modulo(Int::from_i128(mask + 1)), signedness))
            }
            _ => None,
        }
    }
}

/// The parts of a conjunction; those that leave a sum one value only are an equation.
pub(super) fn conjuncts(expr: &Dynamic) -> Vec<Dynamic> {
    let (mut found, mut work) = (Vec::new(), vec![expr.clone()]);
    while let Some(next) = work.pop() {
        if is_application(&next) && next.decl().kind() == DeclKind::And {
            work.extend(next.children());
        } else {
            found.push(next);
        }
    }
    found.reverse();
    with_equations(found)
}

/// The equation that a bound of a sum is nearest to.
pub(super) fn at_its_bound(condition: &Dynamic) -> Option<Dynamic> {
    let (sum, least, greatest) = bound(condition)?;
    Some(sum.as_int()?.eq(Int::from_i128(least.or(greatest)?)).into())
}

/// Conditions of which two that leave a sum one value only become an equation.
fn with_equations(conditions: Vec<Dynamic>) -> Vec<Dynamic> {
    let mut bounds: FxHashMap<Dynamic, (Option<i128>, Option<i128>)> = FxHashMap::default();
    for condition in &conditions {
        if let Some((sum, least, greatest)) = bound(condition) {
            let known = bounds.entry(sum).or_default();
            known.0 = known.0.max(least);
            known.1 = match (known.1, greatest) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    let value = |sum: &Dynamic| match bounds.get(sum) {
        Some((Some(least), Some(greatest))) if least == greatest => Some(*least),
        _ => None,
    };
    let mut kept: Vec<Dynamic> = Vec::new();
    for condition in conditions {
        let equation = bound(&condition).and_then(|(sum, ..)| {
            Some(Dynamic::from(sum.as_int()?.eq(Int::from_i128(value(&sum)?))))
        });
        let condition = equation.unwrap_or(condition);
        if !kept.contains(&condition) {
            kept.push(condition);
        }
    }
    kept
}

/// A sum of integers, and its least and greatest value, if the condition is one about that.
fn bound(condition: &Dynamic) -> Option<(Dynamic, Option<i128>, Option<i128>)> {
    if !is_application(condition) {
        return None;
    }
    let mut kind = condition.decl().kind();
    let mut children = condition.children();
    if kind == DeclKind::Not {
        let inner = children.pop().filter(is_application)?;
        kind = match inner.decl().kind() {
            DeclKind::Le => DeclKind::Gt,
            DeclKind::Lt => DeclKind::Ge,
            DeclKind::Ge => DeclKind::Lt,
            DeclKind::Gt => DeclKind::Le,
            _ => return None,
        };
        children = inner.children();
    }
    let [sum, number]: [Dynamic; 2] = children.try_into().ok()?;
    let number = number.as_int()?.as_i128()?;
    sum.as_int()?;
    match kind {
        DeclKind::Le => Some((sum, None, Some(number))),
        DeclKind::Lt => Some((sum, None, Some(number - 1))),
        DeclKind::Ge => Some((sum, Some(number), None)),
        DeclKind::Gt => Some((sum, Some(number + 1), None)),
        _ => None,
    }
}

fn operands(expr: &Dynamic) -> Vec<Dynamic> {
    match expr.decl().kind() {
        DeclKind::And => with_equations(expr.children()),
        _ => expr.children(),
    }
}

fn is_application(expr: &Dynamic) -> bool {
    matches!(expr.kind(), AstKind::App | AstKind::Numeral)
}

/// What equations of numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equations {
    /// That the numbers are equal.
    Exact,
    /// That they are but for multiples of what the widest variable can hold.
    Modular,
}

/// A sum of numbers, each with a factor that is not zero.
#[derive(Clone, Debug, Default)]
struct Sum {
    /// By the number with all bits.
    parts: BTreeMap<Term, (Number, i64)>,
    constant: i64,
}

/// A number with so many bits that nothing is lost in small sums, and with those of the widest variable.
#[derive(Clone, Copy, Debug)]
struct Number {
    wide: Term,
    low: Term,
}

#[derive(Clone, Debug)]
enum Decoded {
    Condition(Term),
    Sum(Sum),
}

impl Sum {
    fn of(number: Number) -> Sum {
        Sum { parts: BTreeMap::from([(number.wide, (number, 1))]), constant: 0 }
    }

    /// As long as factors are small.
    fn plus(mut self, other: &Sum, times: i64) -> Option<Sum> {
        for (&wide, &(number, factor)) in &other.parts {
            let entry = self.parts.entry(wide).or_insert((number, 0));
            entry.1 = entry.1.checked_add(factor.checked_mul(times)?)?;
        }
        self.parts.retain(|_, (_, factor)| *factor != 0);
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        Some(self)
    }
}

/// Makes terms of expressions over known variables.
pub(super) struct FromIntegers<'a> {
    pool: &'a mut TermPool,
    vars: FxHashMap<String, Decoded>,
    equations: Equations,
    wide: u16,
    low: u16,
    done: FxHashMap<Dynamic, Decoded>,
}

impl<'a> FromIntegers<'a> {
    pub(super) fn new(
        pool: &'a mut TermPool,
        params: &[Term],
        is_signed: &dyn Fn(Var) -> bool,
        equations: Equations,
    ) -> Self {
        let widest = params.iter().filter_map(|&param| pool.sort(param).width()).max();
        let low = widest.unwrap_or(32);
        let wide = 2 * low.max(32);
        let mut vars = FxHashMap::default();
        for &param in params {
            let TermKind::Var(var) = pool.kind(param) else { continue };
            let decoded = match pool.sort(param) {
                Sort::Bv(_) => {
                    let [wide, low] =
                        [wide, low].map(|width| pool.resize(param, width, is_signed(var)));
                    Decoded::Sum(Sum::of(Number { wide, low }))
                }
                Sort::Bool | Sort::Float(_) | Sort::Ptr | Sort::Mem => Decoded::Condition(param),
            };
            vars.insert(name_of(var), decoded);
        }
        FromIntegers { pool, vars, equations, wide, low, done: FxHashMap::default() }
    }

    /// The term of a Boolean expression, made without recursion.
    pub(super) fn decode(&mut self, expr: &Dynamic) -> Option<Term> {
        let mut work = vec![expr.clone()];
        while let Some(next) = work.last().cloned() {
            if self.done.contains_key(&next) {
                work.pop();
                continue;
            }
            if !is_application(&next) {
                return None;
            }
            let pending = work.len();
            let operands = operands(&next);
            work.extend(operands.iter().filter(|it| !self.done.contains_key(it)).cloned());
            if work.len() == pending {
                work.pop();
                let operands = operands.iter().map(|it| self.done[it].clone()).collect::<Vec<_>>();
                let decoded = self.node(&next, &operands)?;
                self.done.insert(next, decoded);
            }
        }
        condition(self.done.get(expr)?)
    }

    fn node(&mut self, expr: &Dynamic, operands: &[Decoded]) -> Option<Decoded> {
        if let Some(number) = expr.as_int().and_then(|number| number.as_i128()) {
            let constant = i64::try_from(number).ok()?;
            return Some(Decoded::Sum(Sum { parts: BTreeMap::new(), constant }));
        }
        match expr.decl().kind() {
            DeclKind::Uninterpreted if operands.is_empty() => {
                self.vars.get(&expr.decl().name()).cloned()
            }
            DeclKind::Add => self.sum(operands, 1),
            DeclKind::Sub => self.sum(operands, -1),
            DeclKind::Uminus => {
                Some(Decoded::Sum(Sum::default().plus(sum(operands.first()?)?, -1)?))
            }
            DeclKind::Mul => {
                let [a, b] = operands else { return None };
                let (factor, other) = match (sum(a)?, sum(b)?) {
                    (a, b) if a.parts.is_empty() => (a.constant, b),
                    (a, b) if b.parts.is_empty() => (b.constant, a),
                    _ => return None,
                };
                Some(Decoded::Sum(Sum::default().plus(other, factor)?))
            }
            DeclKind::Mod => {
                let [a, b] = operands else { return None };
                let by = sum(b).filter(|by| by.parts.is_empty() && by.constant > 0)?.constant;
                let number = self.modulo(sum(a)?, by);
                Some(Decoded::Sum(Sum::of(number)))
            }
            DeclKind::Ite => {
                let [cond, a, b] = operands else { return None };
                let cond = condition(cond)?;
                match (a, b) {
                    (Decoded::Condition(a), Decoded::Condition(b)) => {
                        Some(Decoded::Condition(self.pool.ite(cond, *a, *b)))
                    }
                    (Decoded::Sum(a), Decoded::Sum(b)) => {
                        let (a, b) = (self.number(a), self.number(b));
                        let wide = self.pool.ite(cond, a.wide, b.wide);
                        let low = self.pool.ite(cond, a.low, b.low);
                        Some(Decoded::Sum(Sum::of(Number { wide, low })))
                    }
                    _ => None,
                }
            }
            kind => self.condition(kind, operands).map(Decoded::Condition),
        }
    }

    fn condition(&mut self, kind: DeclKind, operands: &[Decoded]) -> Option<Term> {
        match (kind, operands) {
            (DeclKind::True, _) => Some(self.pool.bool(true)),
            (DeclKind::False, _) => Some(self.pool.bool(false)),
            (DeclKind::And | DeclKind::Or, _) => {
                let op = if kind == DeclKind::And { BinOp::And } else { BinOp::Or };
                let mut all = self.pool.bool(kind == DeclKind::And);
                for operand in operands {
                    all = self.pool.binary(op, all, condition(operand)?);
                }
                Some(all)
            }
            (DeclKind::Not, [a]) => Some(self.pool.not(condition(a)?)),
            (DeclKind::Implies, [a, b]) => Some(self.pool.implies(condition(a)?, condition(b)?)),
            (DeclKind::Eq | DeclKind::Iff, [Decoded::Condition(a), Decoded::Condition(b)]) => {
                Some(self.pool.eq(*a, *b))
            }
            (DeclKind::Eq, [Decoded::Sum(a), Decoded::Sum(b)]) => {
                let width = match self.equations {
                    Equations::Exact => self.wide,
                    Equations::Modular => self.low,
                };
                let [a, b] = self.sides(a, b, width)?;
                Some(self.pool.eq(a, b))
            }
            (DeclKind::Le, [a, b]) | (DeclKind::Ge, [b, a]) => self.compared(BinOp::BvSle, a, b),
            (DeclKind::Lt, [a, b]) | (DeclKind::Gt, [b, a]) => self.compared(BinOp::BvSlt, a, b),
            _ => None,
        }
    }

    fn compared(&mut self, op: BinOp, a: &Decoded, b: &Decoded) -> Option<Term> {
        let [a, b] = self.sides(sum(a)?, sum(b)?, self.wide)?;
        Some(self.pool.binary(op, a, b))
    }

    /// The first operand, and what the others add to it so many times.
    fn sum(&self, operands: &[Decoded], times: i64) -> Option<Decoded> {
        let (first, rest) = operands.split_first()?;
        let mut all = sum(first)?.clone();
        for operand in rest {
            all = all.plus(sum(operand)?, times)?;
        }
        Some(Decoded::Sum(all))
    }

    /// The sides of a comparison, without subtractions.
    fn sides(&mut self, a: &Sum, b: &Sum, width: u16) -> Option<[Term; 2]> {
        let difference = a.clone().plus(b, -1)?;
        let (mut left, mut right) = (Sum::default(), Sum::default());
        for (&wide, &(number, factor)) in &difference.parts {
            let side = if factor > 0 { &mut left } else { &mut right };
            side.parts.insert(wide, (number, factor.checked_abs()?));
        }
        let side = if difference.constant > 0 { &mut left } else { &mut right };
        side.constant = difference.constant.checked_abs()?;
        Some([self.term(&left, width), self.term(&right, width)])
    }

    fn number(&mut self, sum: &Sum) -> Number {
        let (wide, low) = (self.wide, self.low);
        Number { wide: self.term(sum, wide), low: self.term(sum, low) }
    }

    fn term(&mut self, sum: &Sum, width: u16) -> Term {
        let mut all: Option<Term> = None;
        for &(Number { wide, low }, factor) in sum.parts.values() {
            let mut part = if width == self.wide { wide } else { low };
            if factor != 1 {
                let factor = self.pool.bv(width, i128::from(factor) as u128);
                part = self.pool.binary(BinOp::BvMul, part, factor);
            }
            all = Some(match all {
                Some(all) => self.pool.binary(BinOp::BvAdd, all, part),
                None => part,
            });
        }
        let constant = self.pool.bv(width, i128::from(sum.constant) as u128);
        match all {
            Some(all) if sum.constant == 0 => all,
            Some(all) => self.pool.binary(BinOp::BvAdd, all, constant),
            None => constant,
        }
    }

    /// The rest that is not negative.
    fn modulo(&mut self, sum: &Sum, by: i64) -> Number {
        let value = self.term(sum, self.wide);
        let by = self.pool.bv(self.wide, i128::from(by) as u128);
        let rest = self.pool.binary(BinOp::BvSrem, value, by);
        let zero = self.pool.bv(self.wide, 0);
        let is_negative = self.pool.binary(BinOp::BvSlt, rest, zero);
        let above = self.pool.binary(BinOp::BvAdd, rest, by);
        let wide = self.pool.ite(is_negative, above, rest);
        let low = self.pool.resize(wide, self.low, true);
        Number { wide, low }
    }
}

fn condition(decoded: &Decoded) -> Option<Term> {
    match decoded {
        Decoded::Condition(term) => Some(*term),
        Decoded::Sum(_) => None,
    }
}

fn sum(decoded: &Decoded) -> Option<&Sum> {
    match decoded {
        Decoded::Sum(sum) => Some(sum),
        Decoded::Condition(_) => None,
    }
}
