//! Terms that are true or false.

use ravelin_term::{BinOp, Sort, Term, TermKind, UnOp, bin_ops};

use super::Writer;
use super::piece::{INT, Integer, Level, Piece, Side, literal};

impl Writer<'_> {
    pub(super) fn condition(&mut self, term: Term) -> Option<Piece> {
        self.spend()?;
        match self.kind(term) {
            TermKind::Bool(value) => Some(Piece::new(u8::from(value).to_string(), Level::Postfix)),
            TermKind::Var(var) => self.variable(var),
            TermKind::Unary(UnOp::Not, inner) => self.negation(inner),
            TermKind::Unary(UnOp::FIsNan, a) => {
                let a = self.float(a)?;
                let left = a.clone().operand(Level::Equality, Side::Left);
                let right = a.operand(Level::Equality, Side::Right);
                Some(Piece::new(format!("{left} != {right}"), Level::Equality))
            }
            TermKind::Binary(op, a, b) => self.relation(op, a, b, false),
            TermKind::Ite(cond, a, b) => {
                let cond = self.condition(cond)?.at(Level::Or);
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                let text = format!("{cond} ? {} : {}", a.text, b.at(Level::Conditional));
                Some(Piece::new(text, Level::Conditional))
            }
            TermKind::Unary(..)
            | TermKind::Bv(_)
            | TermKind::Float(_)
            | TermKind::Null
            | TermKind::Address(_)
            | TermKind::Read(..)
            | TermKind::Write(..) => None,
        }
    }

    fn negation(&mut self, inner: Term) -> Option<Piece> {
        if let TermKind::Binary(op, a, b) = self.kind(inner)
            && let Some(piece) = self.relation(op, a, b, true)
        {
            return Some(piece);
        }
        let inner = self.condition(inner)?.at(Level::Unary);
        Some(Piece::new(format!("!{inner}"), Level::Unary))
    }

    /// A binary operator with a condition as its result, or its negation.
    fn relation(&mut self, op: BinOp, a: Term, b: Term, negated: bool) -> Option<Piece> {
        let relation = |left: String, sign: &str, right: String, level: Level| {
            Some(Piece::new(format!("{left} {sign} {right}"), level))
        };
        match op {
            BinOp::And | BinOp::Or => {
                // De Morgan: the negations of comparisons read well.
                let is_and = (op == BinOp::And) != negated;
                let mut side = |term: Term| {
                    if negated { self.negation(term) } else { self.condition(term) }
                };
                let (a, b) = (side(a)?, side(b)?);
                let (sign, level) = if is_and { ("&&", Level::And) } else { ("||", Level::Or) };
                relation(a.operand(level, Side::Left), sign, b.operand(level, Side::Right), level)
            }
            BinOp::Eq => {
                let (a, b) = match self.terms.pool.sort(a) {
                    Sort::Bool => (self.condition(a)?, self.condition(b)?),
                    Sort::Bv(width) => self.comparable(a, b, width)?,
                    Sort::Ptr => (self.pointer_or_zero(a)?, self.pointer_or_zero(b)?),
                    Sort::Float(_) | Sort::Mem => return None,
                };
                let sign = if negated { "!=" } else { "==" };
                let left = a.operand(Level::Equality, Side::Left);
                relation(left, sign, b.operand(Level::Equality, Side::Right), Level::Equality)
            }
            BinOp::FEq => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                let sign = if negated { "!=" } else { "==" };
                let left = a.operand(Level::Equality, Side::Left);
                relation(left, sign, b.operand(Level::Equality, Side::Right), Level::Equality)
            }
            BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle => {
                let width = self.terms.pool.sort(a).width()?;
                let signed = matches!(op, BinOp::BvSlt | BinOp::BvSle);
                let strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
                let (left, right) = self.ordered(a, b, width, signed)?;
                let literal_first = self.terms.pool.is_literal(a);
                self.order(left, right, strict, negated, literal_first)
            }
            BinOp::PtrLt | BinOp::PtrLe => {
                let (a, b) = (self.bytes(a)?, self.bytes(b)?);
                self.order(a, b, op == BinOp::PtrLt, negated, false)
            }
            // The negation of an order of floats is none: both fail on NaNs.
            BinOp::FLt | BinOp::FLe if !negated => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                self.order(a, b, op == BinOp::FLt, false, false)
            }
            BinOp::FLt | BinOp::FLe => None,
            bin_ops!(bv_arithmetic, bv_division, float_arithmetic)
            | BinOp::Concat
            | BinOp::PtrAdd
            | BinOp::PtrDiff
            | BinOp::PtrMake => None,
        }
    }

    /// `a < b`, `a <= b` or the negation, with a literal on the right.
    fn order(&self, a: Piece, b: Piece, strict: bool, negated: bool, swap: bool) -> Option<Piece> {
        // Not (a < b) is a >= b.
        let sign = match (strict, negated, swap) {
            (true, false, false) | (false, true, true) => "<",
            (false, false, false) | (true, true, true) => "<=",
            (true, true, false) | (false, false, true) => ">=",
            (false, true, false) | (true, false, true) => ">",
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let left = a.operand(Level::Order, Side::Left);
        let right = b.operand(Level::Order, Side::Right);
        Some(Piece::new(format!("{left} {sign} {right}"), Level::Order))
    }

    /// Two integers so that C's `==` says whether they are the same bits.
    fn comparable(&mut self, a: Term, b: Term, width: u16) -> Option<(Piece, Piece)> {
        let (mut a, mut b) = (self.integer(a)?, self.integer(b)?);
        if width >= INT {
            for side in [&mut a, &mut b] {
                if let Some(plain) = side.plain.take() {
                    side.piece = Piece::new(plain, Level::Postfix);
                }
            }
        }
        match (a.literal, b.literal) {
            (None, Some(value)) => b = literal(value, width, a.signed),
            (Some(value), None) => a = literal(value, width, b.signed),
            (Some(_), Some(_)) => {}
            (None, None) => {
                let one_is_whole = width >= INT && (a.width == width || b.width == width);
                if a.signed != b.signed && !one_is_whole {
                    let signed = b.signed;
                    a = self.cast(a, width, signed)?;
                    b = self.cast(b, width, signed)?;
                }
            }
        }
        Some((a.piece, b.piece))
    }

    /// Two integers so that C's `<` compares them as the signedness says.
    fn ordered(&mut self, a: Term, b: Term, width: u16, signed: bool) -> Option<(Piece, Piece)> {
        let (a, b) = (self.integer(a)?, self.integer(b)?);
        // A whole unsigned operand makes the other unsigned, too.
        let is_whole =
            |side: &Integer| side.literal.is_none() && !side.signed && side.width == width;
        let converts = !signed && width >= INT && (is_whole(&a) || is_whole(&b));
        let side = |side: Integer| match side.literal {
            Some(value) => Some(literal(value, width, signed).piece),
            None => {
                let fits = match signed {
                    true => side.signed || side.width < width.min(INT),
                    false => !side.signed || converts,
                };
                if fits { Some(side.piece) } else { Some(self.cast(side, width, signed)?.piece) }
            }
        };
        Some((side(a)?, side(b)?))
    }
}
