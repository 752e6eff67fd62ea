//! Terms as C expressions.
//!
//! An expression has the value of its term in C11 with gcc's conversions, provided that signed
//! arithmetic wraps around. Casts stand only where C's own conversions would give another value. The
//! types of objects in memory are not known here, so accesses say the type they read:
//! `((int *)&a)[3]`.
//!
//! What C cannot say (a heap object by its number, a write to memory as a value, a division by what
//! may be zero) has no expression; [`text`] then gives the text format.

use std::fmt;

use ravelin_analysis::verdict::Invariant;
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_term::text::Names;
use ravelin_term::{BinOp, FloatKind, Object, Sort, Term, TermKind, TermPool, UnOp, Var};

/// Where terms to print come from: an analysis has a pool of its own.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    pub program: &'a Program,
    /// Its variables and objects are those of the program, but for `memories`.
    pub pool: &'a TermPool,
    /// The variables that hold the contents of memory, each those of a part of it.
    pub memories: &'a [Var],
}

/// The term as a C expression, and where C has none, in the words of the text format.
pub fn text(terms: Terms<'_>, term: Term) -> String {
    if let Some(text) = expression(terms, term) {
        return text;
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = terms.pool.print(&mut text, term, &terms);
    text
}

/// The term as a C expression, if there is one of a size to read.
pub fn expression(terms: Terms<'_>, term: Term) -> Option<String> {
    let mut writer = Writer { terms, left: MAX_SIZE };
    match terms.pool.sort(term) {
        Sort::Bool => writer.condition(term).map(|piece| piece.text),
        Sort::Bv(_) => writer.integer(term).map(|integer| integer.piece.text),
        Sort::Float(_) => writer.float(term).map(|piece| piece.text),
        Sort::Ptr => writer.pointer(term).map(|piece| piece.text),
        Sort::Mem => None,
    }
}

/// What an invariant says: some conditions, and then one of several cases.
pub fn invariant(terms: Terms<'_>, invariant: &Invariant) -> String {
    let Invariant { always, cases, .. } = invariant;
    let mut parts: Vec<Piece> = always.iter().map(|&term| whole(terms, term)).collect();
    let cases: Vec<String> = cases
        .iter()
        .map(|case| {
            let facts = case.iter().map(|&term| whole(terms, term));
            joined(facts.collect(), "&&", Level::And).operand(Level::Or, Side::Left)
        })
        .collect();
    match cases.len() {
        0 => {}
        1 => parts.push(Piece::new(cases.join(""), Level::And)),
        _ => parts.push(Piece::new(cases.join(" || "), Level::Or)),
    }
    joined(parts, "&&", Level::And).text
}

/// What an invariant says in C, condition by condition; what C cannot say is left out.
pub fn conditions(terms: Terms<'_>, invariant: &Invariant) -> Vec<String> {
    let in_c = |&term: &Term| Writer { terms, left: MAX_SIZE }.condition(term);
    let Invariant { always, cases, .. } = invariant;
    let mut texts: Vec<String> = always.iter().filter_map(in_c).map(|piece| piece.text).collect();
    let case = |facts: &Vec<Term>| {
        let facts: Option<Vec<Piece>> = facts.iter().map(in_c).collect();
        facts.filter(|facts| !facts.is_empty()).map(|facts| joined(facts, "&&", Level::And))
    };
    let cases: Option<Vec<Piece>> = cases.iter().map(case).collect();
    if let Some(cases) = cases.filter(|cases| !cases.is_empty()) {
        texts.push(joined(cases, "||", Level::Or).text);
    }
    texts
}

fn whole(terms: Terms<'_>, term: Term) -> Piece {
    let written = Writer { terms, left: MAX_SIZE }.condition(term);
    written.unwrap_or_else(|| Piece::new(text(terms, term), Level::Postfix))
}

fn joined(mut parts: Vec<Piece>, sign: &str, level: Level) -> Piece {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let parts: Vec<String> =
        parts.into_iter().map(|part| part.operand(level, Side::Right)).collect();
    Piece::new(parts.join(&format!(" {sign} ")), level)
}

/// No more operators are written: larger expressions nobody reads. It bounds the recursion, too.
const MAX_SIZE: usize = 300;

impl Names for Terms<'_> {
    fn write_var(&self, out: &mut dyn fmt::Write, var: Var) -> fmt::Result {
        match self.program.vars.get(var) {
            Some(data) => out.write_str(self.program.name(data.name)),
            None if self.memories.contains(&var) => out.write_str("memory"),
            None => write!(out, "{var}"),
        }
    }

    fn write_object(&self, out: &mut dyn fmt::Write, object: Object) -> fmt::Result {
        match self.program.objects.get(object) {
            Some(data) => out.write_str(self.program.name(data.name)),
            None => write!(out, "{object}"),
        }
    }
}

/// How tightly an expression binds, loosest first (C11 6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// A text and how tightly it binds.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    level: Level,
}

impl Piece {
    fn new(text: impl Into<String>, level: Level) -> Self {
        Piece { text: text.into(), level }
    }

    /// The text where an operand that binds at least so tightly is expected.
    fn at(self, level: Level) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }

    /// As the operand of a binary operator. Where readers tend to err about precedence, gcc's
    /// `-Wparentheses` asks for parentheses, and so does this.
    fn operand(self, operator: Level, side: Side) -> String {
        let is_bitwise = |level: Level| {
            matches!(level, Level::BitOr | Level::BitXor | Level::BitAnd | Level::Shift)
        };
        let is_relation = |level: Level| matches!(level, Level::Equality | Level::Order);
        let confusing = is_bitwise(operator) && self.level < Level::Unary
            || is_bitwise(self.level)
            || is_relation(operator) && is_relation(self.level)
            || operator == Level::Or && self.level == Level::And;
        let same_is_fine = match side {
            Side::Left => true,
            Side::Right => matches!(operator, Level::Or | Level::And),
        };
        let binds = self.level > operator || self.level == operator && same_is_fine;
        if binds && !confusing || self.level >= Level::Unary {
            self.text
        } else {
            format!("({})", self.text)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// An expression of integer type. Its value, taken modulo 2 to the width of the term, is the term's.
#[derive(Clone, Debug)]
struct Integer {
    piece: Piece,
    /// The width of the C type; below that of `int`, the value is promoted wherever it is used.
    width: u16,
    signed: bool,
    /// The value, if it is a literal: that has whichever type is needed.
    literal: Option<u128>,
    /// A shorter text of the same width, whose signedness is not known.
    plain: Option<String>,
}

impl Integer {
    fn new(piece: Piece, width: u16, signed: bool) -> Self {
        Integer { piece, width, signed, literal: None, plain: None }
    }
}

/// The width of `int`.
const INT: u16 = 32;

struct Writer<'a> {
    terms: Terms<'a>,
    left: usize,
}

impl Writer<'_> {
    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn kind(&self, term: Term) -> TermKind {
        self.terms.pool.kind(term)
    }

    fn condition(&mut self, term: Term) -> Option<Piece> {
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
            BinOp::BvAdd
            | BinOp::BvSub
            | BinOp::BvMul
            | BinOp::BvUdiv
            | BinOp::BvSdiv
            | BinOp::BvUrem
            | BinOp::BvSrem
            | BinOp::BvShl
            | BinOp::BvLshr
            | BinOp::BvAshr
            | BinOp::BvAnd
            | BinOp::BvOr
            | BinOp::BvXor
            | BinOp::Concat
            | BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
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

    fn integer(&mut self, term: Term) -> Option<Integer> {
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
            UnOp::Not
            | UnOp::FNeg
            | UnOp::FAbs
            | UnOp::FSqrt
            | UnOp::FRound(_)
            | UnOp::FIsNan
            | UnOp::FIsInf
            | UnOp::FIsNegative
            | UnOp::FToF(_)
            | UnOp::SToF(_)
            | UnOp::UToF(_)
            | UnOp::FToBits
            | UnOp::BitsToF(_)
            | UnOp::IntToPtr => None,
        }
    }

    fn arithmetic(&mut self, op: BinOp, a: Term, b: Term, width: u16) -> Option<Integer> {
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
            BinOp::And
            | BinOp::Or
            | BinOp::Eq
            | BinOp::BvUlt
            | BinOp::BvUle
            | BinOp::BvSlt
            | BinOp::BvSle
            | BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
            | BinOp::FEq
            | BinOp::FLt
            | BinOp::FLe
            | BinOp::PtrAdd
            | BinOp::PtrLt
            | BinOp::PtrLe
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
    fn cast(&self, from: Integer, width: u16, signed: bool) -> Option<Integer> {
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

    fn variable(&self, var: Var) -> Option<Piece> {
        let program = self.terms.program;
        let name = program.name(program.vars.get(var)?.name);
        is_identifier(name).then(|| Piece::new(name, Level::Postfix))
    }

    fn model(&self) -> DataModel {
        self.terms.program.data_model
    }

    fn pointer_or_zero(&mut self, term: Term) -> Option<Piece> {
        match self.kind(term) {
            TermKind::Null => Some(Piece::new("0", Level::Postfix)),
            _ => self.pointer(term),
        }
    }

    fn pointer(&mut self, term: Term) -> Option<Piece> {
        self.spend()?;
        match self.kind(term) {
            TermKind::Null => Some(Piece::new("(void *)0", Level::Unary)),
            TermKind::Var(var) => self.variable(var),
            TermKind::Address(object) => {
                Some(Piece::new(format!("&{}", self.object(object)?), Level::Unary))
            }
            TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                let base = self.bytes(base)?.operand(Level::Sum, Side::Left);
                let (sign, offset) = match self.terms.pool.as_signed(offset) {
                    Some(offset) if offset < 0 => ("-", offset.unsigned_abs().to_string()),
                    Some(offset) => ("+", offset.to_string()),
                    None => {
                        let offset = self.integer(offset)?;
                        ("+", offset.piece.operand(Level::Sum, Side::Right))
                    }
                };
                Some(Piece::new(format!("{base} {sign} {offset}"), Level::Sum))
            }
            TermKind::Unary(UnOp::IntToPtr, a) => Some(cast_text("void *", self.integer(a)?.piece)),
            TermKind::Ite(cond, a, b) => {
                let cond = self.condition(cond)?.at(Level::Or);
                let (a, b) = (self.pointer_or_zero(a)?, self.pointer_or_zero(b)?);
                let text = format!("{cond} ? {} : {}", a.text, b.at(Level::Conditional));
                Some(Piece::new(text, Level::Conditional))
            }
            TermKind::Read(mem, pointer) => {
                let size = self.model().pointer_bytes();
                self.access(mem, pointer, "void *", size).map(|access| access.typed)
            }
            TermKind::Bool(_)
            | TermKind::Bv(_)
            | TermKind::Float(_)
            | TermKind::Unary(..)
            | TermKind::Binary(..)
            | TermKind::Write(..) => None,
        }
    }

    /// A pointer whose arithmetic counts bytes.
    fn bytes(&mut self, term: Term) -> Option<Piece> {
        let is_sum = matches!(self.kind(term), TermKind::Binary(BinOp::PtrAdd, ..));
        let pointer = self.pointer(term)?;
        // A sum begins with such a pointer already.
        Some(if is_sum { pointer } else { cast_text("char *", pointer) })
    }

    fn object(&self, object: Object) -> Option<&str> {
        let program = self.terms.program;
        let name = program.name(program.objects.get(object)?.name);
        is_identifier(name).then_some(name)
    }

    fn read_integer(&mut self, mem: Term, pointer: Term, width: u16) -> Option<Integer> {
        let name = type_name(self.model(), width, true)?;
        let access = self.access(mem, pointer, name, u64::from(width / 8))?;
        let plain = access.object;
        Some(Integer { plain, ..Integer::new(access.typed, width, true) })
    }

    /// What memory holds at a pointer, read as this type.
    fn access(&mut self, mem: Term, pointer: Term, name: &str, size: u64) -> Option<Access> {
        if !matches!(self.kind(mem), TermKind::Var(var) if self.terms.memories.contains(&var)) {
            return None;
        }
        let star = if name.ends_with('*') { format!("{name}*") } else { format!("{name} *") };
        let (base, offset) = match self.kind(pointer) {
            TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                (base, self.terms.pool.as_bv(offset).and_then(|offset| u64::try_from(offset).ok()))
            }
            _ => (pointer, Some(0)),
        };
        if let (TermKind::Address(object), Some(offset)) = (self.kind(base), offset) {
            let address = self.pointer(base)?.text;
            let data = &self.terms.program.objects[object];
            if offset.is_multiple_of(size.max(1)) {
                let index = offset / size.max(1);
                let typed = match (index, data.size == size) {
                    (0, true) => Piece::new(format!("*({star}){address}"), Level::Unary),
                    _ => Piece::new(format!("(({star}){address})[{index}]"), Level::Postfix),
                };
                let is_whole = offset == 0 && data.size == size;
                let object = is_whole.then(|| address.trim_start_matches('&').to_owned());
                return Some(Access { typed, object });
            }
        }
        let pointer = self.pointer(pointer)?;
        let pointer = match pointer.level {
            Level::Postfix | Level::Unary => pointer.text,
            _ => format!("({})", pointer.text),
        };
        Some(Access {
            typed: Piece::new(format!("*({star}){pointer}"), Level::Unary),
            object: None,
        })
    }

    fn float(&mut self, term: Term) -> Option<Piece> {
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

/// A piece of memory as an expression.
struct Access {
    /// With the type that is read.
    typed: Piece,
    /// By the name of its object, which is as large as what is read.
    object: Option<String>,
}

fn cast_text(name: &str, operand: Piece) -> Piece {
    Piece::new(format!("({name}){}", operand.at(Level::Unary)), Level::Unary)
}

/// A literal of a type of this signedness.
fn literal(value: u128, width: u16, signed: bool) -> Integer {
    const INT_MAX: u128 = i32::MAX as u128;
    const LONG_MAX: u128 = i64::MAX as u128;
    let number = if signed { sign_extended(value, width) } else { value as i128 };
    let magnitude = if signed { number.unsigned_abs() } else { value };
    let suffix = match (signed, magnitude) {
        (_, 0..=INT_MAX) => "",
        (true, _) if magnitude <= INT_MAX + 1 => "",
        (true, _) => "LL",
        (false, _) if width <= INT => "U",
        (false, _) => "ULL",
    };
    // C has no negative literals, and the smallest number has no positive counterpart.
    let (text, level) = match (signed && number < 0, magnitude) {
        (true, m) if m == INT_MAX + 1 => (format!("(-{INT_MAX} - 1)"), Level::Postfix),
        (true, m) if m == LONG_MAX + 1 => (format!("(-{LONG_MAX}LL - 1)"), Level::Postfix),
        (true, m) => (format!("-{m}{suffix}"), Level::Unary),
        (false, m) => (format!("{m}{suffix}"), Level::Postfix),
    };
    let own = if magnitude <= INT_MAX { INT.min(width) } else { width };
    Integer { literal: Some(value), ..Integer::new(Piece::new(text, level), own, signed) }
}

fn float_literal(kind: FloatKind, bits: u128) -> Option<Piece> {
    let (text, negative) = match kind {
        FloatKind::F32 => {
            let value = f32::from_bits(bits as u32);
            value.is_finite().then(|| (format!("{value:?}f"), value.is_sign_negative()))?
        }
        FloatKind::F64 => {
            let value = f64::from_bits(bits as u64);
            value.is_finite().then(|| (format!("{value:?}"), value.is_sign_negative()))?
        }
        FloatKind::F80 | FloatKind::F128 => return None,
    };
    Some(Piece::new(text, if negative { Level::Unary } else { Level::Postfix }))
}

fn type_name(model: DataModel, width: u16, signed: bool) -> Option<&'static str> {
    let long_bits = match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    Some(match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) if long_bits == 64 => "long",
        (64, false) if long_bits == 64 => "unsigned long",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (128, true) => "__int128",
        (128, false) => "unsigned __int128",
        _ => return None,
    })
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::F32 => "float",
        FloatKind::F64 => "double",
        FloatKind::F80 => "long double",
        FloatKind::F128 => "_Float128",
    }
}

/// Names of Ravelin's own are no C.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn ones(width: u16) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

fn sign_extended(value: u128, width: u16) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    ((value << unused) as i128) >> unused
}
