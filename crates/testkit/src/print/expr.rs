//! Expressions and places, with as few parentheses as C's grammar allows.

use super::prelude::{Helper, letter};
use super::{Printer, string_literal};
use crate::program::{
    BinaryOp, Builtin, Callee, ElementQuery, Expr, Guard, LogicOp, OverflowOp, Place,
    PointerDetour, Spelling, StepOp, UnaryOp,
};
use crate::types::{FloatKind, IntKind, Type};
use ravelin_base::EntityRef;
use std::fmt::Write as _;

/// How tightly an expression holds together; an operand below what its operator needs is put in
/// parentheses.
pub(super) type Precedence = u8;
pub(super) const COMMA: Precedence = 1;
pub(super) const ASSIGNMENT: Precedence = 2;
const CONDITIONAL: Precedence = 3;
const LOGICAL_OR: Precedence = 4;
pub(super) const LOGICAL_AND: Precedence = 5;
const BIT_OR: Precedence = 6;
const BIT_XOR: Precedence = 7;
pub(super) const BIT_AND: Precedence = 8;
const EQUALITY: Precedence = 9;
const RELATIONAL: Precedence = 10;
const SHIFT: Precedence = 11;
const ADDITIVE: Precedence = 12;
const MULTIPLICATIVE: Precedence = 13;
pub(super) const CAST: Precedence = 14;
const UNARY: Precedence = 15;
const POSTFIX: Precedence = 16;
const PRIMARY: Precedence = 17;

impl BinaryOp {
    fn symbol(self) -> (&'static str, Precedence) {
        match self {
            BinaryOp::Mul => ("*", MULTIPLICATIVE),
            BinaryOp::Div => ("/", MULTIPLICATIVE),
            BinaryOp::Rem => ("%", MULTIPLICATIVE),
            BinaryOp::Add => ("+", ADDITIVE),
            BinaryOp::Sub => ("-", ADDITIVE),
            BinaryOp::Shl => ("<<", SHIFT),
            BinaryOp::Shr => (">>", SHIFT),
            BinaryOp::Lt => ("<", RELATIONAL),
            BinaryOp::Gt => (">", RELATIONAL),
            BinaryOp::Le => ("<=", RELATIONAL),
            BinaryOp::Ge => (">=", RELATIONAL),
            BinaryOp::Eq => ("==", EQUALITY),
            BinaryOp::Ne => ("!=", EQUALITY),
            BinaryOp::And => ("&", BIT_AND),
            BinaryOp::Xor => ("^", BIT_XOR),
            BinaryOp::Or => ("|", BIT_OR),
        }
    }
}

impl Printer<'_> {
    /// The expression, in parentheses if it binds less tightly than `least`.
    pub(super) fn expr(&mut self, expr: &Expr, least: Precedence) -> String {
        let (text, precedence) = self.bare(expr);
        if precedence < least { format!("({text})") } else { text }
    }

    fn bare(&mut self, expr: &Expr) -> (String, Precedence) {
        match expr {
            Expr::Int { kind, value, spelling } => {
                integer_literal(*kind, *value, *spelling, self.program.model)
            }
            Expr::Float { kind, value } => float_literal(*kind, *value),
            Expr::Enumerator(id, i) => (format!("E{}_{i}", id.index()), PRIMARY),
            Expr::Load(place) => {
                let loaded = self.place_bare(place);
                match self.program.wide_bit_field(place) {
                    Some(kind) => (format!("({}){}", kind.c_name(), at_least(loaded, CAST)), CAST),
                    None => loaded,
                }
            }
            Expr::Unary(op, a) => {
                let symbol = match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Complement => "~",
                    UnaryOp::Not => "!",
                };
                let operand = self.expr(a, CAST);
                // `- -x` must not become the token `--`.
                let space = if operand.starts_with(symbol) { " " } else { "" };
                (format!("{symbol}{space}{operand}"), UNARY)
            }
            Expr::Binary(op, guard, a, b) => self.binary(*op, *guard, a, b),
            Expr::Logic(op, a, b) => {
                let (symbol, precedence) = match op {
                    LogicOp::And => ("&&", LOGICAL_AND),
                    LogicOp::Or => ("||", LOGICAL_OR),
                };
                let (a, b) = (self.expr(a, precedence), self.expr(b, precedence + 1));
                (format!("{a} {symbol} {b}"), precedence)
            }
            Expr::Cond(a, b, c) => {
                let a = self.expr(a, LOGICAL_OR);
                let text = match b {
                    Some(b) => {
                        format!("{a} ? {} : {}", self.expr(b, COMMA), self.expr(c, CONDITIONAL))
                    }
                    None => format!("{a} ?: {}", self.expr(c, CONDITIONAL)),
                };
                (text, CONDITIONAL)
            }
            Expr::Comma(a, b) => {
                (format!("{}, {}", self.expr(a, COMMA), self.expr(b, ASSIGNMENT)), COMMA)
            }
            Expr::Cast(ty, a) => (format!("({}){}", self.type_name(ty), self.expr(a, CAST)), CAST),
            Expr::Truncate(kind, a) => self.helper(Helper::Truncate(*kind), &[a]),
            Expr::Assign(place, a) => {
                let mut value = self.expr(a, ASSIGNMENT);
                if let Type::Float(kind) = self.program.place_type(place)
                    && self.program.in_union(place)
                {
                    // Other members show the bits, and C does not say which NaN it is.
                    self.helpers.insert(Helper::Canonical(kind));
                    value = format!("{}({value})", Helper::Canonical(kind).name());
                }
                let text = format!("{} = {value}", at_least(self.place_bare(place), UNARY));
                match self.program.wide_bit_field(place) {
                    Some(kind) => (format!("({})({text})", kind.c_name()), CAST),
                    None => (text, ASSIGNMENT),
                }
            }
            Expr::Compound(op, guard, place, a) => {
                let target = Expr::Load(place.clone());
                let value = if op.is_shift() {
                    self.shift_count(&target, a, ASSIGNMENT)
                } else if op.is_division() && !self.program.common_type(&target, a).is_float() {
                    let guard = if *guard == Guard::Helper { Guard::Small } else { *guard };
                    self.divisor(guard, a, ASSIGNMENT)
                } else {
                    self.expr(a, ASSIGNMENT)
                };
                let target = at_least(self.place_bare(place), UNARY);
                (format!("{target} {}= {value}", op.symbol().0), ASSIGNMENT)
            }
            Expr::Step(op, place) => {
                let place = at_least(self.place_bare(place), UNARY);
                match op {
                    StepOp::PreIncrement => (format!("++{place}"), UNARY),
                    StepOp::PreDecrement => (format!("--{place}"), UNARY),
                    StepOp::PostIncrement => (format!("{}++", postfix(place)), POSTFIX),
                    StepOp::PostDecrement => (format!("{}--", postfix(place)), POSTFIX),
                }
            }
            Expr::Call(callee, args, depth) => self.call(callee, args, *depth),
            Expr::AddressOf(place) => {
                let place = at_least(self.place_bare(place), UNARY);
                (format!("&{place}"), UNARY)
            }
            Expr::Decay(place) => self.place_bare(place),
            Expr::Detour(detour, a) => {
                let ty = self.type_name(&self.program.type_of(a));
                let via = match detour {
                    PointerDetour::Void => "void *",
                    PointerDetour::Bytes => "unsigned char *",
                    PointerDetour::Integer => "unsigned long",
                };
                (format!("({ty})({via}){}", self.expr(a, CAST)), CAST)
            }
            Expr::SamePointer(same, a, b) => {
                let symbol = if *same { "==" } else { "!=" };
                let (a, b) = (self.expr(a, EQUALITY + 1), self.expr(b, EQUALITY + 1));
                (format!("{a} {symbol} {b}"), EQUALITY)
            }
            Expr::Elements(query, array, a, b) => {
                let first = self.index_into(array, a);
                let second = self.index_into(array, b);
                let (symbol, precedence) = match query {
                    ElementQuery::Difference => ("-", ADDITIVE),
                    ElementQuery::Less => ("<", RELATIONAL),
                    ElementQuery::GreaterOrEqual => (">=", RELATIONAL),
                    ElementQuery::Same => ("==", EQUALITY),
                };
                (format!("&{first} {symbol} &{second}"), precedence)
            }
            Expr::Block(block, result) => {
                // The statements are printed on lines of their own, as everywhere.
                let outer = std::mem::take(&mut self.out);
                self.indent += 1;
                self.block(block);
                let result = self.expr(result, COMMA);
                self.line(&format!("{result};"));
                self.indent -= 1;
                let inner = std::mem::replace(&mut self.out, outer);
                (format!("({{\n{inner}{}}})", "    ".repeat(self.indent)), PRIMARY)
            }
            Expr::SizeOfType(ty) => (format!("sizeof({})", self.type_name(ty)), UNARY),
            Expr::SizeOfExpr(a) => (format!("sizeof(+{})", self.operand_of_plus(a)), UNARY),
            Expr::OffsetOf(record, field) => {
                let ty = self.type_name(&Type::Record(*record));
                (format!("__builtin_offsetof({ty}, m{field})"), POSTFIX)
            }
            Expr::TypeTag(a) => {
                let operand = self.operand_of_plus(a);
                let mut text = format!("_Generic(+{operand}");
                let kinds = IntKind::all(self.program.model);
                for (i, kind) in kinds.iter().enumerate().filter(|(_, k)| k.promoted() == **k) {
                    let _ = write!(text, ", {}: {i}", kind.c_name());
                }
                text.push_str(", float: 20, double: 21, long double: 22, default: 23)");
                (text, PRIMARY)
            }
            Expr::Builtin(builtin, a) => self.builtin(*builtin, a),
            Expr::Overflow(op, a, b, place) => {
                let name = match op {
                    OverflowOp::Add => "__builtin_add_overflow",
                    OverflowOp::Sub => "__builtin_sub_overflow",
                    OverflowOp::Mul => "__builtin_mul_overflow",
                };
                let (a, b) = (self.expr(a, ASSIGNMENT), self.expr(b, ASSIGNMENT));
                let place = at_least(self.place_bare(place), UNARY);
                (format!("{name}({a}, {b}, &{place})"), POSTFIX)
            }
            Expr::Literal(ty, init) => {
                (format!("({}){}", self.type_name(ty), self.init(ty, init)), POSTFIX)
            }
            Expr::StrLen(place) => {
                let Type::Array(_, length) = self.program.place_type(place) else {
                    unreachable!("strlen of an array")
                };
                let place = self.place(place);
                (format!("({place}[{}] = 0, strlen({place}))", length - 1), PRIMARY)
            }
            Expr::CompareStr(a, b, length) => {
                self.helpers.insert(Helper::Sign);
                let (a, b) = (string_literal(a), string_literal(b));
                let text = match length {
                    Some(length) => format!("sign(strncmp({a}, {b}, {length}))"),
                    None => format!("sign(strcmp({a}, {b}))"),
                };
                (text, POSTFIX)
            }
            Expr::CompareMem(a, b) => {
                self.helpers.insert(Helper::Sign);
                let (a, b) = (self.place(a), self.place(b));
                let text = format!(
                    "sign(memcmp({a}, {b}, \
                     sizeof({a}) < sizeof({b}) ? sizeof({a}) : sizeof({b})))"
                );
                (text, POSTFIX)
            }
            Expr::Variadic(args) => {
                self.helpers.insert(Helper::Variadic);
                let mut letters = String::new();
                let mut texts = Vec::new();
                for arg in args {
                    letters.push(match self.program.type_of(arg) {
                        Type::Float(FloatKind::LongDouble) => 'D',
                        Type::Float(_) => 'd',
                        ty => letter(self.program.int_kind(&ty).promoted()),
                    });
                    texts.push(format!(", {}", self.expr(arg, ASSIGNMENT)));
                }
                (format!("sum(\"{letters}\"{})", texts.concat()), POSTFIX)
            }
            Expr::Function(function) => (format!("f{}", function.index()), PRIMARY),
        }
    }

    fn helper(&mut self, helper: Helper, args: &[&Expr]) -> (String, Precedence) {
        self.helpers.insert(helper);
        let args: Vec<_> = args.iter().map(|arg| self.expr(arg, ASSIGNMENT)).collect();
        (format!("{}({})", helper.name(), args.join(", ")), POSTFIX)
    }

    fn operand_of_plus(&mut self, a: &Expr) -> String {
        let operand = self.expr(a, CAST);
        if operand.starts_with('+') { format!(" {operand}") } else { operand }
    }

    fn binary(&mut self, op: BinaryOp, guard: Guard, a: &Expr, b: &Expr) -> (String, Precedence) {
        let (symbol, precedence) = op.symbol();
        if op.is_shift() {
            let left = self.expr(a, precedence);
            let right = self.shift_count(a, b, precedence + 1);
            return (format!("{left} {symbol} {right}"), precedence);
        }
        let common = self.program.common_type(a, b);
        if op.is_division() && !common.is_float() {
            let harmless = matches!(b, Expr::Int { value, .. } if *value != 0 && *value != -1);
            if guard == Guard::Helper && !harmless {
                let kind = self.program.int_kind(&common);
                let helper = match op {
                    BinaryOp::Div => Helper::Divide(kind),
                    _ => Helper::Remainder(kind),
                };
                return self.helper(helper, &[a, b]);
            }
            let left = self.expr(a, precedence);
            let right = self.divisor(guard, b, precedence + 1);
            return (format!("{left} {symbol} {right}"), precedence);
        }
        let (left, right) = (self.expr(a, precedence), self.expr(b, precedence + 1));
        (format!("{left} {symbol} {right}"), precedence)
    }

    /// A count that is in range for a shift of `operand` (C11 6.5.7p3).
    fn shift_count(&mut self, operand: &Expr, count: &Expr, least: Precedence) -> String {
        let kind = self.program.int_kind(&self.program.type_of(operand)).promoted();
        let bits = kind.bits(self.program.model);
        match count {
            Expr::Int { value, .. } if (0..i128::from(bits)).contains(value) => {
                self.expr(count, least)
            }
            _ => {
                let text = format!("{} & {}", self.expr(count, BIT_AND), bits - 1);
                if BIT_AND < least { format!("({text})") } else { text }
            }
        }
    }

    /// A divisor that is neither zero nor, if signed, minus one (C11 6.5.5p5, p6).
    fn divisor(&mut self, guard: Guard, divisor: &Expr, least: Precedence) -> String {
        if matches!(divisor, Expr::Int { value, .. } if *value != 0 && *value != -1) {
            return self.expr(divisor, least);
        }
        let kind = self.program.int_kind(&self.program.type_of(divisor)).promoted();
        match guard {
            Guard::Odd if !kind.is_signed() => {
                format!("({} | 1)", self.expr(divisor, BIT_OR))
            }
            Guard::Negative => format!("(-(({} & 63) + 2))", self.expr(divisor, BIT_AND)),
            Guard::Odd | Guard::Helper | Guard::Small => {
                format!("(({} & 127) + 1)", self.expr(divisor, BIT_AND))
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr], depth: u32) -> (String, Precedence) {
        let mut texts: Vec<_> = args.iter().map(|arg| self.expr(arg, ASSIGNMENT)).collect();
        let name = match callee {
            Callee::Direct(id) => {
                let group = |f| {
                    self.program.functions[f].recursion.as_ref().map(|recursion| recursion.group)
                };
                if let Some(group_of_callee) = group(*id) {
                    let inside = self.function.and_then(group) == Some(group_of_callee);
                    let depth = if inside { "depth - 1".to_owned() } else { depth.to_string() };
                    texts.insert(0, depth);
                }
                format!("f{}", id.index())
            }
            Callee::Pointer { place, starred } => {
                let designator = at_least(self.place_bare(place), POSTFIX);
                if *starred { format!("(*{designator})") } else { designator }
            }
        };
        (format!("{name}({})", texts.join(", ")), POSTFIX)
    }

    fn builtin(&mut self, builtin: Builtin, a: &Expr) -> (String, Precedence) {
        // The result is undefined at zero for the counting builtins.
        let (name, odd) = match builtin {
            Builtin::Popcount => ("popcount", false),
            Builtin::PopcountLl => ("popcountll", false),
            Builtin::Clz => ("clz", true),
            Builtin::ClzLl => ("clzll", true),
            Builtin::Ctz => ("ctz", true),
            Builtin::CtzLl => ("ctzll", true),
            Builtin::Ffs => ("ffs", false),
            Builtin::Parity => ("parity", false),
            Builtin::Bswap16 => ("bswap16", false),
            Builtin::Bswap32 => ("bswap32", false),
            Builtin::Bswap64 => ("bswap64", false),
            Builtin::Expect => ("expect", false),
        };
        let ending = if builtin == Builtin::Expect { ", 1" } else { "" };
        let argument = if odd {
            // The bit is set low enough to survive conversion to the parameter's type.
            format!("{} | 16", self.expr(a, BIT_OR))
        } else {
            self.expr(a, ASSIGNMENT)
        };
        (format!("__builtin_{name}({argument}{ending})"), POSTFIX)
    }

    // Places.

    /// A place, in parentheses unless it can be followed by `[`, `.` or `(`.
    pub(super) fn place(&mut self, place: &Place) -> String {
        at_least(self.place_bare(place), POSTFIX)
    }

    fn place_bare(&mut self, place: &Place) -> (String, Precedence) {
        match place {
            Place::Var(var) => (self.var(*var), PRIMARY),
            Place::Field(base, field) => match &**base {
                Place::Deref(pointer) => {
                    (format!("{}->m{field}", self.expr(pointer, POSTFIX)), POSTFIX)
                }
                base => (format!("{}.m{field}", self.place(base)), POSTFIX),
            },
            Place::Index(base, index) => (self.index_into(base, index), POSTFIX),
            Place::Deref(pointer) => {
                let pointer = self.expr(pointer, CAST);
                (format!("*{pointer}"), UNARY)
            }
            Place::Element(pointer, index, arithmetic) => {
                let length = match self.program.type_of(pointer) {
                    Type::Pointer(_, length) => length,
                    other => unreachable!("an element behind {other:?}"),
                };
                if *arithmetic {
                    let pointer = self.expr(pointer, ADDITIVE);
                    let index = self.index(index, length, ADDITIVE + 1);
                    (format!("*({pointer} + {index})"), UNARY)
                } else {
                    let pointer = self.expr(pointer, POSTFIX);
                    let index = self.index(index, length, COMMA);
                    (format!("{pointer}[{index}]"), POSTFIX)
                }
            }
            Place::Byte(base, index) => {
                let base = at_least(self.place_bare(base), UNARY);
                let index = self.expr(index, CAST);
                let text =
                    format!("((unsigned char *)&{base})[(unsigned){index} % sizeof({base})]");
                (text, POSTFIX)
            }
            Place::View(base, kind) => {
                let base = at_least(self.place_bare(base), UNARY);
                (format!("*({} *)&{base}", kind.c_name()), UNARY)
            }
            Place::Literal(ty, init) => {
                (format!("({}){}", self.type_name(ty), self.init(ty, init)), POSTFIX)
            }
            Place::Temporary(value) => (self.expr(value, POSTFIX), POSTFIX),
            Place::Char(bytes, index) => {
                // The terminating zero may be read too.
                let index = self.index(index, bytes.len() as u32 + 1, COMMA);
                (format!("{}[{index}]", string_literal(bytes)), POSTFIX)
            }
        }
    }

    fn index_into(&mut self, array: &Place, index: &Expr) -> String {
        let Type::Array(_, length) = self.program.place_type(array) else {
            unreachable!("an element of an array")
        };
        let array = self.place(array);
        format!("{array}[{}]", self.index(index, length, COMMA))
    }

    /// An index below `length`.
    fn index(&mut self, index: &Expr, length: u32, least: Precedence) -> String {
        let in_range = match index {
            Expr::Int { value, .. } => (0..i128::from(length)).contains(value),
            Expr::Load(Place::Var(var)) => {
                self.program.vars[*var].limit.is_some_and(|limit| limit <= length)
            }
            _ => false,
        };
        if in_range {
            return self.expr(index, least);
        }
        let (text, precedence) = if length.is_power_of_two() {
            (format!("{} & {}", self.expr(index, BIT_AND), length - 1), BIT_AND)
        } else {
            (format!("(unsigned){} % {length}", self.expr(index, CAST)), MULTIPLICATIVE)
        };
        if precedence < least { format!("({text})") } else { text }
    }
}

fn at_least((text, precedence): (String, Precedence), least: Precedence) -> String {
    if precedence < least { format!("({text})") } else { text }
}

/// A place that was printed as an operand of a prefix operator, for a postfix one.
fn postfix(place: String) -> String {
    if place.starts_with('*') { format!("({place})") } else { place }
}

fn integer_literal(
    kind: IntKind,
    value: i128,
    spelling: Spelling,
    model: ravelin_base::DataModel,
) -> (String, Precedence) {
    match kind {
        IntKind::I128 | IntKind::U128 => {
            let (high, low) = ((value >> 64) as u64, value as u64);
            if value >= 0 && high == 0 {
                return (format!("({}){low:#x}ull", kind.c_name()), CAST);
            }
            let text =
                format!("({})((unsigned __int128){high:#x}ull << 64 | {low:#x}ull)", kind.c_name());
            (text, CAST)
        }
        IntKind::Bool
        | IntKind::Char
        | IntKind::SChar
        | IntKind::UChar
        | IntKind::Short
        | IntKind::UShort => {
            (format!("({}){}", kind.c_name(), magnitude(value, spelling, "")), CAST)
        }
        IntKind::Int
        | IntKind::UInt
        | IntKind::Long
        | IntKind::ULong
        | IntKind::LLong
        | IntKind::ULLong => {
            let suffix = match kind {
                IntKind::UInt => "u",
                IntKind::Long => "l",
                IntKind::ULong => "ul",
                IntKind::LLong => "ll",
                IntKind::ULLong => "ull",
                _ => "",
            };
            let least = -1i128 << (kind.bits(model) - 1);
            if kind.is_signed() && value == least {
                // C has no literal for it.
                return (format!("-{}{suffix} - 1", -(least + 1)), ADDITIVE);
            }
            let text = magnitude(value, spelling, suffix);
            let precedence = if value < 0 { UNARY } else { PRIMARY };
            (text, precedence)
        }
    }
}

/// The digits of a literal, and its sign. All spellings of a value that fits the suffix's type
/// have that type.
fn magnitude(value: i128, spelling: Spelling, suffix: &str) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs();
    match spelling {
        Spelling::Character if suffix.is_empty() && (32..127).contains(&value) => {
            match value as u8 {
                b'\'' => "'\\''".to_owned(),
                b'\\' => "'\\\\'".to_owned(),
                byte => format!("'{}'", char::from(byte)),
            }
        }
        Spelling::Decimal | Spelling::Character => format!("{sign}{digits}{suffix}"),
        Spelling::Hex => format!("{sign}{digits:#x}{suffix}"),
        Spelling::Octal => format!("{sign}0{digits:o}{suffix}"),
        Spelling::Binary => format!("{sign}{digits:#b}{suffix}"),
    }
}

fn float_literal(kind: FloatKind, value: f64) -> (String, Precedence) {
    // Rust prints the shortest decimal that reads back as the same value.
    let text = match kind {
        FloatKind::Float => format!("{:?}f", value as f32),
        FloatKind::Double => format!("{value:?}"),
        FloatKind::LongDouble => format!("{}L", hexadecimal(value)),
    };
    let precedence = if value.is_sign_negative() { UNARY } else { PRIMARY };
    (text, precedence)
}

/// A finite double as a hexadecimal literal, exactly.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52 & 0x7ff, fraction) {
        (0, 0) => format!("{sign}0x0p0"),
        (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
        (exponent, _) => format!("{sign}0x1.{fraction:013x}p{}", exponent as i64 - 1023),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;
    use ravelin_base::DataModel;

    fn check(expr: &Expr, expected: [&str; 2]) {
        for (model, expected) in [DataModel::Ilp32, DataModel::Lp64].into_iter().zip(expected) {
            let program = generate(0, model);
            let mut printer = Printer::new(&program);
            assert_eq!(printer.expr(expr, COMMA), expected);
        }
    }

    fn literal(kind: IntKind, value: i128) -> Box<Expr> {
        Box::new(Expr::Int { kind, value, spelling: Spelling::Decimal })
    }

    fn binary(op: BinaryOp, guard: Guard, a: Box<Expr>, b: Box<Expr>) -> Box<Expr> {
        Box::new(Expr::Binary(op, guard, a, b))
    }

    #[test]
    fn shift_counts_are_masked_to_the_width_of_the_promoted_operand() {
        let count = || Box::new(Expr::Unary(UnaryOp::Minus, literal(IntKind::Int, 3)));
        let shift = |kind| *binary(BinaryOp::Shl, Guard::Small, literal(kind, 5), count());
        check(&shift(IntKind::Long), ["5l << (-3 & 31)", "5l << (-3 & 63)"]);
        check(&shift(IntKind::SChar), ["(signed char)5 << (-3 & 31)"; 2]);
        let direct = binary(
            BinaryOp::Shr,
            Guard::Small,
            literal(IntKind::Int, 5),
            literal(IntKind::Int, 31),
        );
        check(&direct, ["5 >> 31"; 2]);
    }

    #[test]
    fn divisors_are_never_zero_or_minus_one() {
        let zero = |kind| literal(kind, 0);
        let divide =
            |guard, kind| *binary(BinaryOp::Div, guard, literal(IntKind::Int, 7), zero(kind));
        check(&divide(Guard::Helper, IntKind::Long), ["div_long(7, 0l)"; 2]);
        check(&divide(Guard::Small, IntKind::Int), ["7 / ((0 & 127) + 1)"; 2]);
        check(&divide(Guard::Odd, IntKind::Int), ["7 / ((0 & 127) + 1)"; 2]);
        check(&divide(Guard::Odd, IntKind::UInt), ["7 / (0u | 1)"; 2]);
        check(&divide(Guard::Negative, IntKind::Int), ["7 / (-((0 & 63) + 2))"; 2]);
        let minus_one = binary(
            BinaryOp::Rem,
            Guard::Small,
            literal(IntKind::Int, 7),
            literal(IntKind::Int, -1),
        );
        check(&minus_one, ["7 % ((-1 & 127) + 1)"; 2]);
    }

    #[test]
    fn parentheses_stand_where_the_grammar_needs_them() {
        let one = || literal(IntKind::Int, 1);
        let sum = || binary(BinaryOp::Sub, Guard::Small, one(), one());
        check(&binary(BinaryOp::Sub, Guard::Small, sum(), sum()), ["1 - 1 - (1 - 1)"; 2]);
        check(&binary(BinaryOp::Mul, Guard::Small, sum(), one()), ["(1 - 1) * 1"; 2]);
        let negative = || literal(IntKind::Int, -1);
        check(&Expr::Unary(UnaryOp::Minus, negative()), ["- -1"; 2]);
        check(&Expr::Comma(Box::new(Expr::Comma(one(), one())), one()), ["1, 1, 1"; 2]);
        check(&Expr::Comma(one(), Box::new(Expr::Comma(one(), one()))), ["1, (1, 1)"; 2]);
    }

    #[test]
    fn literals_have_the_type_they_stand_for() {
        let least = |bits: u32| -1i128 << (bits - 1);
        check(&literal(IntKind::Int, least(32)), ["-2147483647 - 1"; 2]);
        check(&literal(IntKind::Long, least(32)), ["-2147483647l - 1", "-2147483648l"]);
        check(&literal(IntKind::Short, -3), ["(short)-3"; 2]);
        check(&literal(IntKind::ULLong, u64::MAX.into()), ["18446744073709551615ull"; 2]);
        let quote = Expr::Int { kind: IntKind::Int, value: 39, spelling: Spelling::Character };
        check(&quote, ["'\\''"; 2]);
        check(&Expr::Float { kind: FloatKind::Float, value: 0.5 }, ["0.5f"; 2]);
        check(
            &Expr::Float { kind: FloatKind::LongDouble, value: -0.5 },
            ["-0x1.0000000000000p-1L", "-0x1.0000000000000p-1L"],
        );
    }
}
