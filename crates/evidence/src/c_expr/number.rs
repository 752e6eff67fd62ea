//! Integers, with a cast where C would convert otherwise, and floating-point numbers.

use ravelin_term::{BinOp, Sort, Term, TermKind, UnOp, bin_ops, un_ops};

use super::Writer;
use super::piece::{
    INT, Integer, Level, Piece, Side, cast_text, float_literal, float_name, literal, ones,
    sign_extended, type_name,
};

impl Writer<'_> {
    pub(super) fn integer(&mut self, term: Term) -> Option<Integer> {
        self.spend()?;
        let width = self.terms.pool.sort(term).width()?;
        match self.kind(term) {
            TermKind::Bv(value) => Some(literal(value, width, true)),
            TermKind::Var(var) => {
                let signed = self.terms.program.vars.get(var)?.signed;
                type_name(self.model(), width, signed)?;
                Some(Integer::new(self.variable(var)?, width, signed))
            }
            TermKind::Unary(op, a) => self.unary(op, a, width),
            TermKind::Binary(op, a, b) => self.arithmetic(op, a, b, width),
            TermKind::Ite(cond, a, b) => self.choice(cond, a, b, width),
            TermKind::Read(mem, pointer) => self.read_integer(mem, pointer, width),
            TermKind::Bool(_)
            | TermKind::Float(_)
            | TermKind::Null
            | TermKind::Address(_)
            | TermKind::Write(..) => None,
        }
    }

    fn unary(&mut self, op: UnOp, a: Term, width: u16) -> Option<Integer> {
        match op {
            UnOp::BvNot | UnOp::BvNeg => {
                let sign = if op == UnOp::BvNot { "~" } else { "-" };
                let a = self.integer(a)?;
                let a = self.widened(a, width)?;
                let (own, signed) = (a.width.max(INT), a.signed || a.width < INT);
                let mut text = a.piece.at(Level::Unary);
                if text.starts_with(sign) {
                    text = format!("({text})");
                }
                let piece = Piece::new(format!("{sign}{text}"), Level::Unary);
                self.truncated(Integer::new(piece, own, signed), width)
            }
            UnOp::ZeroExt(_) | UnOp::SignExt(_) => {
                let narrow = self.terms.pool.sort(a).width()?;
                let signed = matches!(op, UnOp::SignExt(_));
                let a = self.integer(a)?;
                // A smaller unsigned type has no negative values to tell apart.
                let fits = a.signed == signed || signed && a.width < narrow;
                let mut a = if fits { a } else { self.cast(a, narrow, signed)? };
                a.plain = None;
                Some(a)
            }
            UnOp::Extract { hi: _, lo } => {
                let wide = self.terms.pool.sort(a).width()?;
                let a = self.integer(a)?;
                if lo == 0 {
                    return self.cast(a, width, false);
                }
                let a = self.cast(a, wide, false)?;
                let text = format!("{} >> {lo}", a.piece.operand(Level::Shift, Side::Left));
                self.cast(Integer::new(Piece::new(text, Level::Shift), wide, false), width, false)
            }
            UnOp::FToS(_) | UnOp::FToU(_) => {
                let a = self.float(a)?;
                let signed = matches!(op, UnOp::FToS(_));
                let name = type_name(self.model(), width, signed)?;
                Some(Integer::new(cast_text(name, a), width, signed))
            }
            UnOp::PtrToInt => {
                let a = self.pointer(a)?;
                let name = type_name(self.model(), width, false)?;
                Some(Integer::new(cast_text(name, a), width, false))
            }
            un_ops!(float, float_test, int_to_float, pointer_part)
            | UnOp::Not
            | UnOp::FToBits
            | UnOp::BitsToF(_)
            | UnOp::IntToPtr => None,
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        op: BinOp,
        a: Term,
        b: Term,
        width: u16,
    ) -> Option<Integer> {
        let (sign, level) = match op {
            BinOp::BvAdd => ("+", Level::Sum),
            BinOp::BvSub => ("-", Level::Sum),
            BinOp::BvMul => ("*", Level::Product),
            BinOp::BvAnd => ("&", Level::BitAnd),
            BinOp::BvOr => ("|", Level::BitOr),
            BinOp::BvXor => ("^", Level::BitXor),
            BinOp::BvUdiv | BinOp::BvSdiv => ("/", Level::Product),
            BinOp::BvUrem | BinOp::BvSrem => ("%", Level::Product),
            BinOp::BvShl => ("<<", Level::Shift),
            BinOp::BvLshr | BinOp::BvAshr => (">>", Level::Shift),
            BinOp::Concat => return self.concatenation(a, b, width),
            BinOp::PtrDiff => {
                let (a, b) = (self.bytes(a)?, self.bytes(b)?);
                let left = a.operand(Level::Sum, Side::Left);
                let text = format!("{left} - {}", b.operand(Level::Sum, Side::Right));
                return Some(Integer::new(Piece::new(text, Level::Sum), width, true));
            }
            bin_ops!(logic, bv_order, float_arithmetic, float_order, pointer_order)
            | BinOp::Eq
            | BinOp::PtrAdd
            | BinOp::PtrMake => return None,
        };
        // The signedness that both operands must have, for operators that look at it.
        let needed = match op {
            BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvLshr => Some(false),
            BinOp::BvSdiv | BinOp::BvSrem | BinOp::BvAshr => Some(true),
            _ => None,
        };
        let is_shift = level == Level::Shift;
        let right = self.terms.pool.as_bv(b);
        // C leaves undefined what these do.
        match op {
            _ if is_shift && right.is_none_or(|amount| amount >= u128::from(width)) => return None,
            BinOp::BvUdiv | BinOp::BvUrem if matches!(right, None | Some(0)) => return None,
            BinOp::BvSdiv | BinOp::BvSrem
                if right.is_none_or(|by| by == 0 || by == ones(width)) =>
            {
                return None;
            }
            _ => {}
        }
        let (mut left, mut right) = (self.integer(a)?, self.integer(b)?);
        if let Some(signed) = needed {
            if left.signed != signed && left.literal.is_none() {
                left = self.cast(left, width, signed)?;
            }
            if right.signed != signed && right.literal.is_none() && !is_shift {
                right = self.cast(right, width, signed)?;
            }
        }
        // A literal takes the signedness of its partner; a shift has the type of its left operand.
        match (left.literal, right.literal) {
            (Some(value), None) => left = literal(value, width, needed.unwrap_or(right.signed)),
            (None, Some(value)) => right = literal(value, width, needed.unwrap_or(left.signed)),
            (None, None) | (Some(_), Some(_)) => {}
        }
        let mut op_sign = sign;
        if op == BinOp::BvAdd
            && let Some(value) = right.literal
            && sign_extended(value, width) < 0
            && sign_extended(value, width) >= -(1 << 16)
        {
            // x + -1 is x - 1, in unsigned arithmetic, too.
            op_sign = "-";
            right = literal(sign_extended(value, width).unsigned_abs(), width, true);
        }
        let enough = |side: &Integer| side.width.max(INT) >= width;
        if !enough(&left) && (is_shift || !enough(&right)) {
            left = self.widened(left, width)?;
        }
        let promoted = |side: &Integer| (side.width.max(INT), side.signed || side.width < INT);
        let (left_type, right_type) = (promoted(&left), promoted(&right));
        let (own, signed) = if is_shift || left_type.0 > right_type.0 {
            left_type
        } else if left_type.0 < right_type.0 {
            right_type
        } else {
            (left_type.0, left_type.1 && right_type.1)
        };
        let text = format!(
            "{} {op_sign} {}",
            left.piece.operand(level, Side::Left),
            right.piece.operand(level, Side::Right)
        );
        self.truncated(Integer::new(Piece::new(text, level), own, signed), width)
    }

    /// The first operand holds the upper bits.
    fn concatenation(&mut self, a: Term, b: Term, width: u16) -> Option<Integer> {
        let low_width = self.terms.pool.sort(b).width()?;
        let (high, low) = (self.integer(a)?, self.integer(b)?);
        // A literal would be shifted in its own type, so the cast is written in any case.
        let name = type_name(self.model(), width, false)?;
        let high = cast_text(name, high.piece).operand(Level::Shift, Side::Left);
        let low = self.cast(low, low_width, false)?.piece.operand(Level::BitOr, Side::Right);
        let piece = Piece::new(format!("({high} << {low_width}) | {low}"), Level::BitOr);
        self.truncated(Integer::new(piece, width.max(INT), width < INT), width)
    }

    fn choice(&mut self, cond: Term, a: Term, b: Term, width: u16) -> Option<Integer> {
        let condition = self.condition(cond)?;
        if let (Some(1), Some(0)) = (self.terms.pool.as_bv(a), self.terms.pool.as_bv(b)) {
            // A condition is an `int` that is 0 or 1.
            return Some(Integer::new(condition, 1, false));
        }
        let (mut a, mut b) = (self.integer(a)?, self.integer(b)?);
        match (a.literal, b.literal) {
            (None, Some(value)) => b = literal(value, width, a.signed),
            (Some(value), None) => a = literal(value, width, b.signed),
            (Some(_), Some(_)) => {}
            (None, None) if a.signed == b.signed => {}
            (None, None) => {
                let signed = a.signed;
                (a, b) = (self.cast(a, width, signed)?, self.cast(b, width, signed)?);
            }
        }
        let own = a.width.max(b.width);
        let signed = a.signed && b.signed;
        let text = format!(
            "{} ? {} : {}",
            condition.at(Level::Or),
            a.piece.text,
            b.piece.at(Level::Conditional)
        );
        Some(Integer::new(Piece::new(text, Level::Conditional), own, signed))
    }

    /// The value in the type of this width and signedness.
    pub(super) fn cast(&self, from: Integer, width: u16, signed: bool) -> Option<Integer> {
        let name = type_name(self.model(), width, signed)?;
        if let Some(value) = from.literal {
            return Some(literal(value, width, signed));
        }
        if from.width == width && from.signed == signed {
            return Some(from);
        }
        Some(Integer::new(cast_text(name, from.piece), width, signed))
    }

    /// The value in a type that has enough bits to compute in.
    fn widened(&self, from: Integer, width: u16) -> Option<Integer> {
        if from.literal.is_some() || from.width.max(INT) >= width {
            return Some(from);
        }
        // Its own signedness keeps the value.
        let signed = from.signed;
        self.cast(from, width, signed)
    }

    /// The result of an operation that C does in `int`, in the smaller width that is meant.
    fn truncated(&self, from: Integer, width: u16) -> Option<Integer> {
        if from.width > width {
            let signed = from.signed;
            return self.cast(from, width, signed);
        }
        Some(from)
    }

    pub(super) fn float(&mut self, term: Term) -> Option<Piece> {
        self.spend()?;
        let Sort::Float(kind) = self.terms.pool.sort(term) else {
            return None;
        };
        let name = float_name(kind);
        match self.kind(term) {
            TermKind::Float(bits) => float_literal(kind, bits),
            TermKind::Var(var) => self.variable(var),
            TermKind::Unary(UnOp::FNeg, a) => {
                let a = self.float(a)?.at(Level::Postfix);
                Some(Piece::new(format!("-{a}"), Level::Unary))
            }
            TermKind::Unary(UnOp::FToF(_), a) => Some(cast_text(name, self.float(a)?)),
            TermKind::Unary(op @ (UnOp::SToF(_) | UnOp::UToF(_)), a) => {
                let width = self.terms.pool.sort(a).width()?;
                let signed = matches!(op, UnOp::SToF(_));
                let a = self.integer(a)?;
                let fits = a.signed == signed || signed && a.width < width;
                let a = if fits { a } else { self.cast(a, width, signed)? };
                Some(cast_text(name, a.piece))
            }
            TermKind::Binary(op, a, b) => {
                let (sign, level) = match op {
                    BinOp::FAdd => ("+", Level::Sum),
                    BinOp::FSub => ("-", Level::Sum),
                    BinOp::FMul => ("*", Level::Product),
                    BinOp::FDiv => ("/", Level::Product),
                    _ => return None,
                };
                let (a, b) = (self.float(a)?, self.float(b)?);
                let left = a.operand(level, Side::Left);
                Some(Piece::new(format!("{left} {sign} {}", b.operand(level, Side::Right)), level))
            }
            TermKind::Ite(cond, a, b) => {
                let cond = self.condition(cond)?.at(Level::Or);
                let (a, b) = (self.float(a)?, self.float(b)?);
                let text = format!("{cond} ? {} : {}", a.text, b.at(Level::Conditional));
                Some(Piece::new(text, Level::Conditional))
            }
            TermKind::Read(mem, pointer) => {
                let size = u64::from(kind.bits() / 8);
                self.access(mem, pointer, name, size).map(|access| access.typed)
            }
            TermKind::Bool(_)
            | TermKind::Bv(_)
            | TermKind::Null
            | TermKind::Address(_)
            | TermKind::Unary(..)
            | TermKind::Write(..) => None,
        }
    }
}
