//! States under conditions.

use ravelin_cfa::{Sort, Term};
use ravelin_term::{BinOp, TermKind, UnOp, bin_ops, term_kinds};

use crate::arith;
use crate::eval::Env;
use crate::num::{Num, mask, to_signed};
use crate::state::{Mode, Ptr, State, Value, absorb};

impl Env<'_> {
    /// The state if the condition has this value; `None` if it cannot have it.
    pub(crate) fn assume(&self, state: State, cond: Term, value: bool) -> Option<State> {
        if !self.spend(1) {
            return Some(state);
        }
        match self.truth(&state, cond) {
            Some(known) if known == value => return Some(state),
            Some(_) => return None,
            None => {}
        }
        let terms = &self.program.terms;
        match terms.kind(cond) {
            TermKind::Unary(UnOp::Not, a) => self.assume(state, a, !value),
            TermKind::Binary(op @ bin_ops!(logic), a, b) => {
                let decisive = op == BinOp::Or;
                if value != decisive {
                    let state = self.assume(state, a, value)?;
                    return self.assume(state, b, value);
                }
                if !self.spend(20) {
                    return Some(state);
                }
                let first = self.assume(state.clone(), a, value);
                let second = self.assume(state, a, !value);
                let second = second.and_then(|state| self.assume(state, b, value));
                match (first, second) {
                    (Some(a), Some(b)) => Some(self.join(a, &b)),
                    (a, b) => a.or(b),
                }
            }
            TermKind::Binary(BinOp::Eq, a, b) => match terms.sort(a) {
                Sort::Bool => self.assume_same_truth(state, a, b, value),
                Sort::Bv(_) => self.assume_order(state, BinOp::Eq, a, b, value),
                Sort::Ptr => self.assume_same_pointer(state, a, b, value),
                Sort::Float(_) | Sort::Mem => Some(state),
            },
            TermKind::Binary(op @ bin_ops!(bv_order), a, b) => {
                self.assume_order(state, op, a, b, value)
            }
            TermKind::Binary(op @ bin_ops!(pointer_order), a, b) => {
                self.assume_pointer_order(state, op, a, b, value)
            }
            TermKind::Var(_) => self.restrict(state, cond, &Num::constant(1, value.into())),
            TermKind::Ite(c, a, b) => {
                if !self.spend(20) {
                    return Some(state);
                }
                let first = self.assume(state.clone(), c, true);
                let first = first.and_then(|state| self.assume(state, a, value));
                let second = self.assume(state, c, false);
                let second = second.and_then(|state| self.assume(state, b, value));
                match (first, second) {
                    (Some(a), Some(b)) => Some(self.join(a, &b)),
                    (a, b) => a.or(b),
                }
            }
            TermKind::Address(_) | term_kinds!(constants, operators, memory) => Some(state),
        }
    }

    /// The state of either of two.
    pub(crate) fn join(&self, mut a: State, b: &State) -> State {
        self.absorb_relations(&mut a, b, Mode::Join);
        absorb(&mut a.local, &b.local, Mode::Join);
        absorb(&mut a.global, &b.global, Mode::Join);
        a
    }

    fn assume_same_truth(&self, state: State, a: Term, b: Term, value: bool) -> Option<State> {
        let (x, y) = (self.truth(&state, a), self.truth(&state, b));
        match (x, y) {
            (Some(known), _) => self.assume(state, b, known == value),
            (_, Some(known)) => self.assume(state, a, known == value),
            (None, None) => Some(state),
        }
    }

    fn assume_order(
        &self,
        state: State,
        op: BinOp,
        a: Term,
        b: Term,
        value: bool,
    ) -> Option<State> {
        let (op, a, b) = match (op, value) {
            (_, true) => (op, a, b),
            (BinOp::BvUlt, false) => (BinOp::BvUle, b, a),
            (BinOp::BvUle, false) => (BinOp::BvUlt, b, a),
            (BinOp::BvSlt, false) => (BinOp::BvSle, b, a),
            (BinOp::BvSle, false) => (BinOp::BvSlt, b, a),
            (_, false) => return self.assume_different(state, a, b),
        };
        let (x, y) = (self.num(&state, a), self.num(&state, b));
        let (new_x, new_y) = (arith::restrict(op, &x, &y)?, arith::restrict_second(op, &x, &y)?);
        let state = self.restrict(state, a, &new_x)?;
        let state = self.restrict(state, b, &new_y)?;
        self.relate_order(state, op, a, b)
    }

    fn assume_different(&self, state: State, a: Term, b: Term) -> Option<State> {
        let (x, y) = (self.num(&state, a), self.num(&state, b));
        let state = match y.as_constant() {
            Some(value) => self.restrict_without(state, a, &x, value)?,
            None => state,
        };
        match x.as_constant() {
            Some(value) => self.restrict_without(state, b, &y, value),
            None => self.relate_different(state, a, b),
        }
    }

    /// The state if a term does not have the value.
    fn restrict_without(
        &self,
        state: State,
        term: Term,
        values: &Num,
        value: u128,
    ) -> Option<State> {
        let rest = arith::without(values, value)?;
        let terms = &self.program.terms;
        match terms.kind(term) {
            // One of two constants is excluded, or what is extended is not zero.
            TermKind::Ite(cond, a, b) => {
                if self.num(&state, a).as_constant() == Some(value) {
                    let state = self.assume(state, cond, false)?;
                    let values = self.num(&state, b);
                    return self.restrict_without(state, b, &values, value);
                }
                if self.num(&state, b).as_constant() == Some(value) {
                    let state = self.assume(state, cond, true)?;
                    let values = self.num(&state, a);
                    return self.restrict_without(state, a, &values, value);
                }
                Some(state)
            }
            TermKind::Unary(UnOp::ZeroExt(_), a) => {
                let inner = self.num(&state, a);
                if value <= mask(inner.width) {
                    return self.restrict_without(state, a, &inner, value);
                }
                Some(state)
            }
            TermKind::Unary(UnOp::SignExt(_), a) => {
                let inner = self.num(&state, a);
                let signed = to_signed(value, values.width);
                if to_signed(value & mask(inner.width), inner.width) == signed {
                    return self.restrict_without(state, a, &inner, value & mask(inner.width));
                }
                Some(state)
            }
            _ => self.restrict(state, term, &rest),
        }
    }

    /// The state if the values of a term are among these; `None` if that cannot be.
    pub(crate) fn restrict(&self, mut state: State, term: Term, values: &Num) -> Option<State> {
        if !self.spend(1) {
            return Some(state);
        }
        let terms = &self.program.terms;
        let old = self.num(&state, term);
        let new = old.meet(values)?;
        if new == old {
            return Some(state);
        }
        match terms.kind(term) {
            TermKind::Var(var) => {
                let key = self.model.keys.var(var);
                self.set(&mut state, key, Some(Value::Num(new)));
                self.restricted(state, key, &new)
            }
            TermKind::Unary(UnOp::ZeroExt(_), a) => {
                let width = self.num(&state, a).width;
                let inner = Num::unsigned(width, new.lo, new.hi)?;
                self.restrict(state, a, &inner)
            }
            TermKind::Unary(UnOp::SignExt(_), a) => {
                let width = self.num(&state, a).width;
                let inner = Num::signed(width, new.smin, new.smax)?;
                self.restrict(state, a, &inner)
            }
            TermKind::Unary(UnOp::Extract { hi: _, lo: 0 }, a) => {
                let inner = self.num(&state, a);
                // Only if the bits that are cut off are the same in all values.
                let narrow = new.width;
                if inner.hi <= mask(narrow) {
                    let bound = Num::unsigned(inner.width, new.lo, new.hi)?;
                    return self.restrict(state, a, &bound);
                }
                if inner.smin >= old.smin && inner.smax <= old.smax {
                    let bound = Num::signed(inner.width, new.smin, new.smax)?;
                    return self.restrict(state, a, &bound);
                }
                Some(state)
            }
            TermKind::Unary(op @ (UnOp::BvNot | UnOp::BvNeg | UnOp::Not), a) => {
                match arith::unary(op, &new) {
                    Some(inner) => self.restrict(state, a, &inner),
                    None => Some(state),
                }
            }
            TermKind::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) => {
                let (x, y) = (self.num(&state, a), self.num(&state, b));
                let (inverse, (minuend, subtrahend)) = match op {
                    BinOp::BvAdd => (BinOp::BvSub, (&new, &x)),
                    _ => (BinOp::BvAdd, (&x, &new)),
                };
                let state = self.restrict(state, a, &arith::binary(inverse, &new, &y)?)?;
                self.restrict(state, b, &arith::binary(BinOp::BvSub, minuend, subtrahend)?)
            }
            TermKind::Binary(BinOp::BvMul, a, b) => {
                let (x, y) = (self.num(&state, a), self.num(&state, b));
                let Some(factor) = y.as_constant().filter(|&by| by > 0) else {
                    return Some(state);
                };
                if x.hi.checked_mul(factor).is_some_and(|most| most <= mask(new.width)) {
                    let bound = Num::unsigned(x.width, new.lo.div_ceil(factor), new.hi / factor)?;
                    return self.restrict(state, a, &bound);
                }
                let factor = to_signed(factor, new.width);
                let fits = |value: i128| {
                    value
                        .checked_mul(factor)
                        .is_some_and(|it| to_signed(it as u128, new.width) == it)
                };
                if factor > 0 && fits(x.smin) && fits(x.smax) {
                    let least = new.smin.div_euclid(factor);
                    let bound = Num::signed(x.width, least, new.smax.div_euclid(factor))?;
                    return self.restrict(state, a, &bound);
                }
                Some(state)
            }
            TermKind::Ite(cond, a, b) => {
                let (x, y) = (self.num(&state, a), self.num(&state, b));
                match (x.meet(&new), y.meet(&new)) {
                    (None, None) => None,
                    (Some(_), None) => {
                        let state = self.assume(state, cond, true)?;
                        self.restrict(state, a, &new)
                    }
                    (None, Some(_)) => {
                        let state = self.assume(state, cond, false)?;
                        self.restrict(state, b, &new)
                    }
                    (Some(_), Some(_)) => Some(state),
                }
            }
            TermKind::Binary(BinOp::Eq | bin_ops!(logic, bv_order), ..) => {
                match new.as_constant() {
                    Some(value) => self.assume(state, term, value != 0),
                    None => Some(state),
                }
            }
            TermKind::Address(_) | term_kinds!(constants, operators, memory) => Some(state),
        }
    }

    fn assume_same_pointer(&self, state: State, a: Term, b: Term, value: bool) -> Option<State> {
        let (x, y) = (self.ptr(&state, a), self.ptr(&state, b));
        if !value && self.is_same_object(&state, a, b) {
            let without = |pointer: &Ptr, other: &Ptr| {
                let rest = match (pointer.object, other.object.and_then(|it| it.as_constant())) {
                    (Some(object), Some(at)) => arith::without(&object, at),
                    (object, _) => object,
                };
                Ptr { object: rest, ..*pointer }
            };
            let state = self.restrict_pointer(state, a, &x, without(&x, &y))?;
            return self.restrict_pointer(state, b, &y, without(&y, &x));
        }
        if !value {
            // Distinct from the one pointer that is no object: null, as a rule.
            let state = match y {
                Ptr { none: Some(number), object: None, is_wild: false } => {
                    self.restrict_pointer(state, a, &x, without_number(&x, &number))?
                }
                Ptr { .. } => state,
            };
            return match x {
                Ptr { none: Some(number), object: None, is_wild: false } => {
                    self.restrict_pointer(state, b, &y, without_number(&y, &number))
                }
                Ptr { .. } => Some(state),
            };
        }
        if x.is_wild || y.is_wild {
            return Some(state);
        }
        let meet = |a: Option<Num>, b: Option<Num>| a.zip(b).and_then(|(a, b)| a.meet(&b));
        let both =
            Ptr { none: meet(x.none, y.none), object: meet(x.object, y.object), is_wild: false };
        let state = self.restrict_pointer(state, a, &x, both)?;
        self.restrict_pointer(state, b, &y, both)
    }

    /// Whether two pointers surely point to one object, of which there is a single one.
    pub(crate) fn is_same_object(&self, state: &State, a: Term, b: Term) -> bool {
        let is_object = |term: Term| {
            let ptr = self.ptr(state, term);
            ptr.none.is_none() && !ptr.is_wild
        };
        if !is_object(a) || !is_object(b) {
            return false;
        }
        let (Some(of_a), Some(of_b)) = (self.targets(state, a), self.targets(state, b)) else {
            return false;
        };
        let &[target] = of_a.as_slice() else { return false };
        let info = &self.model.targets[target];
        // Other threads have objects of this name as well.
        if of_b != of_a || info.is_allocated || info.is_function || self.model.is_concurrent {
            return false;
        }
        match info.frame {
            Some(frame) => {
                !self.model.calls.is_recursive(frame)
                    && self.flag(state, self.model.keys.none_ended(target))
            }
            None => !info.may_end,
        }
    }

    /// The order of two pointers into one object, within its bounds, is that of their offsets.
    fn assume_pointer_order(
        &self,
        state: State,
        op: BinOp,
        a: Term,
        b: Term,
        value: bool,
    ) -> Option<State> {
        let (a, b, is_strict) = match (op, value) {
            (BinOp::PtrLt, true) => (a, b, true),
            (BinOp::PtrLe, true) => (a, b, false),
            (BinOp::PtrLt, false) => (b, a, false),
            _ => (b, a, true),
        };
        if !self.is_ordered(&state, a, b) {
            return Some(state);
        }
        let (x, y) = (self.ptr(&state, a), self.ptr(&state, b));
        let (Some(first), Some(second)) = (x.object, y.object) else { return Some(state) };
        let op = if is_strict { BinOp::BvUlt } else { BinOp::BvUle };
        let first = arith::restrict(op, &first, &second)?;
        let state = self.restrict_pointer(state, a, &x, Ptr { object: Some(first), ..x })?;
        let second = arith::restrict_second(op, &first, &second)?;
        self.restrict_pointer(state, b, &y, Ptr { object: Some(second), ..y })
    }

    /// Whether two pointers are into one object, or just behind it.
    pub(crate) fn is_ordered(&self, state: &State, a: Term, b: Term) -> bool {
        if !self.is_same_object(state, a, b) {
            return false;
        }
        let size = self.object_size(state, a);
        [a, b].iter().all(|&term| {
            let object = self.ptr(state, term).object;
            object.is_some_and(|at| at.is_natural() && at.hi <= size.lo)
        })
    }

    /// The state if a pointer term has only some of its values.
    pub(crate) fn restrict_pointer(
        &self,
        mut state: State,
        term: Term,
        old: &Ptr,
        new: Ptr,
    ) -> Option<State> {
        if new.none.is_none() && new.object.is_none() && !new.is_wild {
            return None;
        }
        if new == *old {
            return Some(state);
        }
        match self.program.terms.kind(term) {
            TermKind::Var(var) => {
                self.set(&mut state, self.model.keys.var(var), Some(Value::Ptr(new)));
                Some(state)
            }
            TermKind::Binary(BinOp::PtrAdd, base, by) => {
                let by = self.num(&state, by);
                let before = self.ptr(&state, base);
                let back = |part: Option<Num>, before: Option<Num>| {
                    let moved = arith::binary(BinOp::BvSub, &part?, &by)?;
                    before.and_then(|before| before.meet(&moved))
                };
                let restricted = Ptr {
                    none: back(new.none, before.none),
                    object: back(new.object, before.object),
                    is_wild: new.is_wild,
                };
                self.restrict_pointer(state, base, &before, restricted)
            }
            TermKind::Ite(cond, a, b) => {
                let is_possible = |term: Term| {
                    let part = self.ptr(&state, term);
                    let meets = |a: Option<Num>, b: Option<Num>| {
                        a.zip(b).is_some_and(|(a, b)| a.meet(&b).is_some())
                    };
                    part.is_wild || meets(part.none, new.none) || meets(part.object, new.object)
                };
                match (is_possible(a), is_possible(b)) {
                    (true, false) => self.assume(state, cond, true),
                    (false, true) => self.assume(state, cond, false),
                    (true, true) | (false, false) => Some(state),
                }
            }
            TermKind::Address(_) | term_kinds!(constants, operators, memory) => Some(state),
        }
    }
}

/// A pointer that is not this number without an object.
fn without_number(ptr: &Ptr, number: &Num) -> Ptr {
    let none = match (ptr.none, number.as_constant()) {
        (Some(none), Some(value)) => arith::without(&none, value),
        (none, _) => none,
    };
    Ptr { none, ..*ptr }
}

impl Env<'_> {
    /// Whether a condition surely holds. The parts of a conjunction help each other.
    pub(crate) fn proves(&self, state: &State, cond: Term) -> bool {
        let mut parts = vec![cond];
        let mut index = 0;
        while index < parts.len() {
            match self.program.terms.kind(parts[index]) {
                TermKind::Binary(BinOp::And, a, b) if parts.len() < 64 => {
                    parts[index] = a;
                    parts.push(b);
                }
                _ => index += 1,
            }
        }
        // What is proved of one part helps with the others: it holds anyway.
        let mut state = state.clone();
        let mut left = usize::MAX;
        while parts.len() < left {
            left = parts.len();
            let mut open = Vec::new();
            for part in parts {
                self.refill_for_proof();
                if self.truth(&state, part) != Some(true) {
                    open.push(part);
                    continue;
                }
                self.refill_for_proof();
                match self.assume_proved(state, part) {
                    Some(with) => state = with,
                    // No execution comes here.
                    None => return true,
                }
            }
            parts = open;
        }
        parts.is_empty()
    }

    /// The state with what a condition that holds says about relations.
    fn assume_proved(&self, state: State, cond: Term) -> Option<State> {
        match self.program.terms.kind(cond) {
            TermKind::Binary(op @ bin_ops!(bv_order), a, b) => self.relate_order(state, op, a, b),
            _ => Some(state),
        }
    }
}
