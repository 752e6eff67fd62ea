//! Expressions.

use super::Generator;
use super::place::{Use, Want};
use crate::cost::INDIRECT_CALL;
use crate::families::places;
use crate::program::{
    BinaryOp, Builtin, Callee, ElementQuery, Expr, Guard, LogicOp, OverflowOp, Place, StepOp,
    UnaryOp,
};
use crate::types::{IntKind, RecordId, Type};

/// The forms an integer expression may take.
#[derive(Clone, Copy)]
enum Form {
    Leaf,
    Arithmetic,
    Comparison,
    FloatComparison,
    Unary,
    Logic,
    Cond,
    Cast,
    Truncate,
    Call,
    Comma,
    Assign,
    Compound,
    Step,
    Block,
    Unevaluated,
    Builtin,
    Overflow,
    SamePointer,
    Elements,
    StrLen,
    CompareStr,
    CompareMem,
    Variadic,
}

impl Generator {
    /// An expression of some integer type, `depth` operators deep.
    pub(super) fn int_expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.int_leaf();
        }
        if self.context.constant {
            return self.constant_expr(depth);
        }
        let effects = u32::from(self.context.effects);
        let memory = u32::from(!self.context.pure);
        let form = self.weighted(&[
            (10, Form::Leaf),
            (32, Form::Arithmetic),
            (7, Form::Comparison),
            (3, Form::FloatComparison),
            (8, Form::Unary),
            (6, Form::Logic),
            (5, Form::Cond),
            (7, Form::Cast),
            (3, Form::Truncate),
            (5 + 6 * effects, Form::Call),
            (3 * effects, Form::Comma),
            (5 * effects, Form::Assign),
            (5 * effects, Form::Compound),
            (7 * effects, Form::Step),
            (3 * effects, Form::Block),
            (2, Form::Unevaluated),
            (3, Form::Builtin),
            (3 * effects, Form::Overflow),
            (2 * memory, Form::SamePointer),
            (2, Form::Elements),
            (effects, Form::StrLen),
            (1, Form::CompareStr),
            (1, Form::CompareMem),
            (1, Form::Variadic),
        ]);
        let made = self.try_form(form, depth - 1);
        let expr = made.unwrap_or_else(|| self.int_leaf());
        // Replaced here rather than at the statement, where all of it would be lost.
        if self.program.footprint(&expr).conflict { self.int_leaf() } else { expr }
    }

    pub(super) fn int_leaf(&mut self) -> Expr {
        if self.context.constant {
            return match self.rng.u32(0..10) {
                0 => self.enumerator(),
                1 => self.layout_query(),
                _ => self.literal(),
            };
        }
        match self.rng.u32(0..20) {
            0..6 => self.literal(),
            6 => self.enumerator(),
            7 if self.chance(50) => {
                let text = self.string();
                let index = self.index_expr(text.len() as u32 + 1);
                Expr::Load(Place::Char(text, Box::new(index)))
            }
            _ => match self.place(&Want::Int, Use::Read) {
                Some(place) => Expr::Load(place),
                None => self.literal(),
            },
        }
    }

    /// `sizeof` a type or `offsetof` a member.
    fn layout_query(&mut self) -> Expr {
        match self.record() {
            Some(record) if self.chance(40) => {
                let fields = &self.program.records[record].fields;
                let at = self.rng.usize(0..fields.len());
                match fields[at].width {
                    Some(_) => Expr::SizeOfType(Type::Record(record)),
                    None => Expr::OffsetOf(record, at as u32),
                }
            }
            _ => {
                let ty = self.object_type(1);
                Expr::SizeOfType(ty)
            }
        }
    }

    /// What gcc takes as the initialiser of an object with static storage.
    fn constant_expr(&mut self, depth: u32) -> Expr {
        let below = depth - 1;
        match self.rng.u32(0..10) {
            0..3 => self.int_leaf(),
            3..7 => {
                let (op, guard) = self.arithmetic_op();
                let guard = if guard == Guard::Helper { Guard::Small } else { guard };
                let (a, b) = (self.int_expr(below), self.int_expr(below));
                Expr::Binary(op, guard, Box::new(a), Box::new(b))
            }
            7 => self.unary(below),
            8 => {
                let (a, b, c) = (self.int_expr(below), self.int_expr(below), self.int_expr(below));
                Expr::Cond(Box::new(a), Some(Box::new(b)), Box::new(c))
            }
            _ => self.cast(below),
        }
    }

    fn arithmetic_op(&mut self) -> (BinaryOp, Guard) {
        let op = self.pick(&[
            BinaryOp::Mul,
            BinaryOp::Div,
            BinaryOp::Rem,
            BinaryOp::Add,
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Sub,
            BinaryOp::Shl,
            BinaryOp::Shr,
            BinaryOp::And,
            BinaryOp::Xor,
            BinaryOp::Or,
        ]);
        let guard =
            self.pick(&[Guard::Helper, Guard::Helper, Guard::Small, Guard::Negative, Guard::Odd]);
        (op, guard)
    }

    fn comparison_op(&mut self) -> BinaryOp {
        self.pick(&[
            BinaryOp::Lt,
            BinaryOp::Gt,
            BinaryOp::Le,
            BinaryOp::Ge,
            BinaryOp::Eq,
            BinaryOp::Ne,
        ])
    }

    fn unary(&mut self, depth: u32) -> Expr {
        let op = self.pick(&[UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Complement, UnaryOp::Not]);
        Expr::Unary(op, Box::new(self.int_expr(depth)))
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let ty =
            if self.chance(10) { Type::Enum(self.an_enum()) } else { Type::Int(self.int_kind()) };
        Expr::Cast(ty, Box::new(self.int_expr(depth)))
    }

    fn try_form(&mut self, form: Form, depth: u32) -> Option<Expr> {
        Some(match form {
            Form::Leaf => self.int_leaf(),
            Form::Arithmetic => {
                let (op, guard) = self.arithmetic_op();
                let (a, b) = (self.int_expr(depth), self.int_expr(depth));
                Expr::Binary(op, guard, Box::new(a), Box::new(b))
            }
            Form::Comparison => {
                let op = self.comparison_op();
                let (a, b) = (self.int_expr(depth), self.int_expr(depth));
                Expr::Binary(op, Guard::Small, Box::new(a), Box::new(b))
            }
            Form::FloatComparison => {
                let op = self.comparison_op();
                let (a, b) = (self.float_expr(depth), self.arithmetic_expr(depth));
                Expr::Binary(op, Guard::Small, Box::new(a), Box::new(b))
            }
            Form::Unary => {
                if self.chance(10) {
                    Expr::Unary(UnaryOp::Not, Box::new(self.float_expr(depth)))
                } else {
                    self.unary(depth)
                }
            }
            Form::Logic => {
                let op = self.pick(&[LogicOp::And, LogicOp::Or]);
                let (a, b) = (self.arithmetic_expr(depth), self.arithmetic_expr(depth));
                Expr::Logic(op, Box::new(a), Box::new(b))
            }
            Form::Cond => {
                if self.chance(20) {
                    let (a, b) = (self.int_expr(depth), self.int_expr(depth));
                    Expr::Cond(Box::new(a), None, Box::new(b))
                } else {
                    let (a, b) = (self.arithmetic_expr(depth), self.int_expr(depth));
                    let c = self.int_expr(depth);
                    Expr::Cond(Box::new(a), Some(Box::new(b)), Box::new(c))
                }
            }
            Form::Cast => self.cast(depth),
            Form::Truncate => {
                let kind = self.int_kind();
                Expr::Truncate(kind, Box::new(self.float_expr(depth)))
            }
            Form::Call => self.call(Type::is_integer)?,
            Form::Comma => {
                let (a, b) = (self.arithmetic_expr(depth), self.int_expr(depth));
                Expr::Comma(Box::new(a), Box::new(b))
            }
            Form::Assign => {
                let place = self.place(&Want::Int, Use::Write)?;
                Expr::Assign(place, Box::new(self.int_expr(depth)))
            }
            Form::Compound => self.compound(depth)?,
            Form::Step => self.step()?,
            Form::Block => self.block_expr(Self::int_expr)?,
            Form::Unevaluated => match self.rng.u32(0..3) {
                0 => self.layout_query(),
                1 => Expr::SizeOfExpr(Box::new(self.arithmetic_expr(depth))),
                _ => Expr::TypeTag(Box::new(self.arithmetic_expr(depth))),
            },
            Form::Builtin => {
                let builtin = self.pick(&[
                    Builtin::Popcount,
                    Builtin::PopcountLl,
                    Builtin::Clz,
                    Builtin::ClzLl,
                    Builtin::Ctz,
                    Builtin::CtzLl,
                    Builtin::Ffs,
                    Builtin::Parity,
                    Builtin::Bswap16,
                    Builtin::Bswap32,
                    Builtin::Bswap64,
                    Builtin::Expect,
                ]);
                Expr::Builtin(builtin, Box::new(self.int_expr(depth)))
            }
            Form::Overflow => {
                let op = self.pick(&[OverflowOp::Add, OverflowOp::Sub, OverflowOp::Mul]);
                let (a, b) = (self.int_expr(depth), self.int_expr(depth));
                let kind = self.raw_kind();
                let wanted = Want::Exactly(Type::Int(kind));
                let place = self.place(&wanted, Use::Address)?;
                Expr::Overflow(op, Box::new(a), Box::new(b), place)
            }
            Form::SamePointer => {
                let target = match self.record() {
                    Some(record) if self.chance(30) => Type::Record(record),
                    _ => self.scalar_type(),
                };
                let a = self.pointer_expr(&target, 1, u32::MAX - 1, 1);
                let b = self.pointer_expr(&target, 1, u32::MAX - 1, 1);
                Expr::SamePointer(self.rng.bool(), Box::new(a), Box::new(b))
            }
            Form::Elements => {
                let place = self.without_effects(|g| g.place(&Want::AnyArray, Use::Read))?;
                let Type::Array(_, length) = self.program.place_type(&place) else {
                    return None;
                };
                if self.is_register(&place) {
                    return None;
                }
                let query = self.pick(&[
                    ElementQuery::Difference,
                    ElementQuery::Less,
                    ElementQuery::GreaterOrEqual,
                    ElementQuery::Same,
                ]);
                let (a, b) = (self.index_expr(length), self.index_expr(length));
                Expr::Elements(query, place, Box::new(a), Box::new(b))
            }
            Form::StrLen => {
                let place = self.place(&Want::Array(Type::Int(IntKind::Char), 1), Use::Write)?;
                if self.is_qualified(&place) {
                    return None;
                }
                Expr::StrLen(place)
            }
            Form::CompareStr => {
                let (a, mut b) = (self.string(), self.string());
                if self.chance(50) {
                    b = a.clone();
                    b.push(b'a');
                }
                let length = self.chance(50).then(|| self.rng.u32(0..6));
                Expr::CompareStr(a, b, length)
            }
            Form::CompareMem => {
                let a = self.place(&Want::RawArray, Use::Read)?;
                let b = self.place(&Want::RawArray, Use::Read)?;
                if self.is_qualified(&a) || self.is_qualified(&b) {
                    return None;
                }
                Expr::CompareMem(a, b)
            }
            Form::Variadic => {
                let count = self.rng.u32(0..5);
                Expr::Variadic((0..count).map(|_| self.arithmetic_expr(depth.min(1))).collect())
            }
        })
    }

    /// Whether the library must not get at the place: it is volatile or has no address.
    pub(super) fn is_qualified(&self, place: &Place) -> bool {
        use crate::program::Qualifier;
        match root_var(place).map(|var| self.program.vars[var].qualifier) {
            Some(Qualifier::Volatile | Qualifier::Register) => true,
            Some(Qualifier::None | Qualifier::Const) | None => false,
        }
    }

    fn is_register(&self, place: &Place) -> bool {
        root_var(place).is_some_and(|var| {
            self.program.vars[var].qualifier == crate::program::Qualifier::Register
        })
    }

    /// `place op= e` on an integer.
    pub(super) fn compound(&mut self, depth: u32) -> Option<Expr> {
        let place = self.place(&Want::Int, Use::Write)?;
        if self.program.wide_bit_field(&place).is_some() {
            return None;
        }
        let (op, guard) = self.arithmetic_op();
        Some(Expr::Compound(op, guard, place, Box::new(self.int_expr(depth))))
    }

    /// `++` or `--` on an integer.
    pub(super) fn step(&mut self) -> Option<Expr> {
        let place = self.place(&Want::Int, Use::Write)?;
        if self.program.wide_bit_field(&place).is_some() {
            return None;
        }
        Some(Expr::Step(self.step_op(), place))
    }

    fn step_op(&mut self) -> StepOp {
        self.pick(&[
            StepOp::PreIncrement,
            StepOp::PreDecrement,
            StepOp::PostIncrement,
            StepOp::PostDecrement,
        ])
    }

    /// An integer or, less often, a floating expression.
    pub(super) fn arithmetic_expr(&mut self, depth: u32) -> Expr {
        if self.chance(85) { self.int_expr(depth) } else { self.float_expr(depth) }
    }

    /// An expression of some floating type.
    pub(super) fn float_expr(&mut self, depth: u32) -> Expr {
        let made = if depth == 0 { None } else { self.try_float(depth - 1) };
        let expr = made.unwrap_or_else(|| self.float_leaf());
        if self.program.footprint(&expr).conflict { self.float_leaf() } else { expr }
    }

    fn float_leaf(&mut self) -> Expr {
        match self.place(&Want::Float, Use::Read) {
            Some(place) if self.chance(65) => Expr::Load(place),
            _ => {
                let kind = self.float_kind();
                self.float_literal(kind)
            }
        }
    }

    fn float_op(&mut self) -> BinaryOp {
        self.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div])
    }

    fn try_float(&mut self, depth: u32) -> Option<Expr> {
        let constant = self.context.constant;
        let effects = self.context.effects;
        Some(match self.rng.u32(0..20) {
            0..8 => {
                let op = self.float_op();
                let a = self.float_expr(depth);
                let b = if constant { self.float_expr(depth) } else { self.arithmetic_expr(depth) };
                let (a, b) = if self.rng.bool() { (a, b) } else { (b, a) };
                Expr::Binary(op, Guard::Small, Box::new(a), Box::new(b))
            }
            8..10 => {
                let op = self.pick(&[UnaryOp::Minus, UnaryOp::Plus]);
                Expr::Unary(op, Box::new(self.float_expr(depth)))
            }
            10..14 => {
                let kind = self.float_kind();
                let operand =
                    if constant { self.int_expr(depth) } else { self.arithmetic_expr(depth) };
                Expr::Cast(Type::Float(kind), Box::new(operand))
            }
            14 => {
                let (a, b, c) =
                    (self.int_expr(depth), self.float_expr(depth), self.float_expr(depth));
                Expr::Cond(Box::new(a), Some(Box::new(b)), Box::new(c))
            }
            15..17 if !constant => self.call(Type::is_float)?,
            17 if effects => {
                let place = self.place(&Want::Float, Use::Write)?;
                Expr::Assign(place, Box::new(self.arithmetic_expr(depth)))
            }
            18 if effects => self.float_update(depth)?,
            19 if effects => {
                let (a, b) = (self.arithmetic_expr(depth), self.float_expr(depth));
                Expr::Comma(Box::new(a), Box::new(b))
            }
            _ => return None,
        })
    }

    /// A compound assignment or step on a floating variable.
    pub(super) fn float_update(&mut self, depth: u32) -> Option<Expr> {
        let place = self.place(&Want::Float, Use::Write)?;
        if self.program.in_union(&place) {
            // Only plain assignments make sure which NaN is stored.
            return None;
        }
        if self.chance(30) {
            return Some(Expr::Step(self.step_op(), place));
        }
        let op = self.float_op();
        Some(Expr::Compound(op, Guard::Small, place, Box::new(self.arithmetic_expr(depth))))
    }

    /// A value of a struct or union type.
    pub(super) fn record_expr(&mut self, record: RecordId, depth: u32) -> Expr {
        let ty = Type::Record(record);
        if depth > 0 {
            let below = depth - 1;
            let made = match self.rng.u32(0..10) {
                0..3 => self.call(|result| *result == ty),
                3 => {
                    let condition = self.int_expr(below);
                    let then = self.record_expr(record, below);
                    let otherwise = self.record_expr(record, below);
                    Some(Expr::Cond(Box::new(condition), Some(Box::new(then)), Box::new(otherwise)))
                }
                4 if self.context.effects => {
                    self.place(&Want::Exactly(ty.clone()), Use::Write).and_then(|place| {
                        self.may_assign_whole(&place)
                            .then(|| Expr::Assign(place, Box::new(self.record_expr(record, below))))
                    })
                }
                5 if self.context.effects => {
                    let first = self.int_expr(below);
                    let second = self.record_expr(record, below);
                    Some(Expr::Comma(Box::new(first), Box::new(second)))
                }
                _ => None,
            };
            if let Some(expr) = made
                && !self.program.footprint(&expr).conflict
            {
                return expr;
            }
        }
        match self.place(&Want::Exactly(ty.clone()), Use::Read) {
            Some(place) if self.chance(70) => Expr::Load(place),
            _ => Expr::Literal(ty, Box::new(self.record_init(record))),
        }
    }

    /// A struct inside a union must not be assigned as a whole: its padding, which other members
    /// show, would take unspecified values (C11 6.2.6.1p6).
    pub(super) fn may_assign_whole(&self, place: &Place) -> bool {
        !self.program.in_union(place)
    }

    /// A member of a struct that a call returns, if it is an integer.
    pub(super) fn member_of_result(&mut self) -> Option<Expr> {
        let value = self.call(|ty| matches!(ty, Type::Record(_)))?;
        let Type::Record(record) = self.program.type_of(&value) else { return None };
        let fields = &self.program.records[record].fields;
        let at = self.rng.usize(0..fields.len());
        let mut place = Place::Field(Box::new(Place::Temporary(Box::new(value))), at as u32);
        if let Type::Array(_, length) = self.program.place_type(&place) {
            let index = self.without_effects(|g| g.index_expr(length));
            place = Place::Index(Box::new(place), Box::new(index));
        }
        self.program.place_type(&place).is_integer().then_some(Expr::Load(place))
    }

    /// A call whose result the test accepts, of a function that may be called here.
    pub(super) fn call(&mut self, accepts: impl Fn(&Type) -> bool) -> Option<Expr> {
        if self.context.constant {
            return None;
        }
        if self.context.indirect_calls
            && self.context.effects
            && self.chance(25)
            && !self.too_expensive(INDIRECT_CALL)
        {
            return self.indirect_call(accepts);
        }
        let mut candidates = Vec::new();
        for (id, function) in self.program.functions.iter() {
            let accepted = function.result.as_ref().is_some_and(&accepts);
            let group = function.recursion.as_ref().map(|recursion| recursion.group);
            let own = group.is_some() && group == self.context.group;
            let allowed = if own {
                // Inside a loop, the number of calls would explode.
                self.context.recursive_calls > 0 && self.context.factor == 1
            } else {
                function.body.is_some() && !self.too_expensive(function.cost)
            };
            let harmless = function.pure || self.context.effects && !self.context.pure;
            if accepted && allowed && harmless {
                candidates.push((id, own));
            }
        }
        if candidates.is_empty() {
            return None;
        }
        let (function, own) = self.pick(&candidates);
        if own {
            self.context.recursive_calls -= 1;
        }
        let params = self.program.functions[function].params.clone();
        let types: Vec<_> = params.iter().map(|p| self.program.vars[*p].ty.clone()).collect();
        let args = types.iter().map(|ty| self.argument(ty)).collect();
        Some(Expr::Call(Callee::Direct(function), args, self.rng.u32(1..=4)))
    }

    /// Something that may be passed for a parameter of that type.
    pub(super) fn argument(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Int(_) | Type::Enum(_) => self.int_expr(1),
            Type::Float(_) => self.arithmetic_expr(1),
            Type::Record(record) => self.record_expr(*record, 1),
            Type::Pointer(target, length) => self.pointer_expr(target, *length, u32::MAX, 1),
            Type::Function(signature) => self.function_value(*signature),
            Type::Array(..) => unreachable!("parameters are no arrays"),
        }
    }

    /// gcc's statement expression: declarations and statements, then a value.
    fn block_expr(&mut self, value: impl Fn(&mut Self, u32) -> Expr) -> Option<Expr> {
        if self.context.level > 6 {
            return None;
        }
        let outer = self.context.clone();
        let mark = self.scope.len();
        self.context.level += 1;
        self.context.enclosed = true;
        self.context.in_loop = false;
        self.context.in_switch = false;
        self.context.labels.clear();
        self.context.budget /= 4;
        let mut block = vec![self.declaration()];
        if self.chance(60) {
            block.extend(self.simple_stmt());
        }
        self.context.effects = false;
        let result = value(self, 1);
        let calls = self.context.recursive_calls;
        self.context = outer;
        self.context.recursive_calls = calls;
        self.scope.truncate(mark);
        Some(Expr::Block(block, Box::new(result)))
    }
}

/// The variable a place is a part of, if it is reached by name.
pub(super) fn root_var(place: &Place) -> Option<crate::program::VarId> {
    match place {
        Place::Var(var) => Some(*var),
        Place::Field(base, _)
        | Place::Index(base, _)
        | Place::Byte(base, _)
        | Place::View(base, _) => root_var(base),
        places!(pointed) | Place::Literal(..) | Place::Char(..) | Place::Temporary(_) => None,
    }
}
