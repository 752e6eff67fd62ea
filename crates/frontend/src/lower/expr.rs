//! Expressions (C11 6.5): their values, their effects, and the branches they decide.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, ConditionalExpression, Expression,
    GenericAssociation, GenericSelection, OffsetMember, OffsetOfExpression, Statement,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use ravelin_cfa::{HavocKind, Loc, Op, Term};
use ravelin_term::{BinOp, UnOp};

use super::checks::Operator;
use super::conditional::is_omitted;
use super::place::{Place, PlaceKind};
use super::scope::Entity;
use super::{Lowerer, Result, Val};
use crate::families::expressions;
use crate::types::{Qualifiers, Ty, TypeKind};

impl<'a> Lowerer<'a> {
    /// The value of an expression; arrays and functions have decayed to pointers.
    pub fn rvalue(&mut self, node: &'a Node<Expression>) -> Result<Val> {
        self.at(node.span);
        match &node.node {
            Expression::Identifier(name) => {
                if let Some(value) = self.constant_identifier(&name.node.name) {
                    return Ok(value);
                }
                let place = self.place(node)?;
                self.load(place)
            }
            Expression::Constant(constant) => self.constant(constant),
            Expression::StringLiteral(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_) => {
                let place = self.place(node)?;
                self.at(node.span);
                self.load(place)
            }
            Expression::GenericSelection(selection) => {
                let chosen = self.generic_selection(selection)?;
                self.rvalue(chosen)
            }
            Expression::Call(call) => self.call(call),
            Expression::SizeOfTy(inner) => {
                let ty = self.type_name(&inner.node.0)?;
                self.size_of(ty, node.span)
            }
            Expression::SizeOfVal(inner) => {
                let ty = self.unpromoted_type_of(&inner.node.0)?;
                self.size_of(ty, node.span)
            }
            Expression::AlignOf(inner) => {
                // C11 6.5.3.4p3: the operand is not evaluated, not even the length of an array.
                let ty = self.nowhere(|lowerer| lowerer.type_name(&inner.node.0)).0?;
                let align = self.types.align_of(ty);
                Ok(self.int_value(i128::from(align), self.types.size))
            }
            Expression::UnaryOperator(unary) => self.unary(unary),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                if self.types.is_void(ty) {
                    self.effect(&cast.node.expression)?;
                    return Ok(self.void_value());
                }
                let value = self.rvalue(&cast.node.expression)?;
                self.at(node.span);
                self.cast(value, ty, node.span)
            }
            Expression::BinaryOperator(binary) => self.binary(binary),
            Expression::Conditional(conditional) => self.conditional(conditional, node.span),
            Expression::Comma(list) => {
                let Some((last, first)) = list.split_last() else {
                    return Ok(self.void_value());
                };
                for expression in first {
                    self.effect(expression)?;
                }
                self.rvalue(last)
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node, node.span),
            Expression::VaArg(va_arg) => self.va_arg(va_arg),
            Expression::Statement(statement) => self.statement_expression(statement),
        }
    }

    /// Evaluates an expression for its effects.
    pub fn effect(&mut self, node: &'a Node<Expression>) -> Result<()> {
        self.at(node.span);
        match &node.node {
            Expression::UnaryOperator(unary)
                if matches!(
                    unary.node.operator.node,
                    UnaryOperator::PostIncrement | UnaryOperator::PostDecrement
                ) =>
            {
                // The old value is unused, so it need not be kept.
                self.increment(unary, false)?;
            }
            Expression::Comma(list) => {
                for expression in list.iter() {
                    self.effect(expression)?;
                }
            }
            Expression::BinaryOperator(binary)
                if matches!(
                    binary.node.operator.node,
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
                ) =>
            {
                let end = self.body.new_loc();
                self.branch(node, end, end)?;
                self.body.start_at(end);
            }
            Expression::Conditional(conditional) => {
                let ConditionalExpression { condition, then_expression, else_expression } =
                    &conditional.node;
                let (yes, no) = (self.body.new_loc(), self.body.new_loc());
                let end = self.body.new_loc();
                self.branch(condition, yes, no)?;
                self.body.start_at(yes);
                if !is_omitted(then_expression) {
                    self.effect(then_expression)?;
                }
                self.body.jump(end);
                self.body.start_at(no);
                self.effect(else_expression)?;
                self.body.jump(end);
                self.body.start_at(end);
            }
            Expression::Cast(cast) => self.effect(&cast.node.expression)?,
            Expression::Statement(statement) => {
                self.statement(statement);
            }
            Expression::Call(call) => self.call_for_effect(call)?,
            _ => {
                self.rvalue(node)?;
            }
        }
        Ok(())
    }

    /// The Boolean value of an expression as a condition.
    pub fn condition(&mut self, node: &'a Node<Expression>) -> Result<Term> {
        let value = self.rvalue(node)?;
        self.truth(value, node.span)
    }

    /// Whether a scalar differs from zero.
    pub fn truth(&mut self, value: Val, span: Span) -> Result<Term> {
        if !self.types.is_scalar(value.ty) {
            let ty = self.spell(value.ty);
            return self.error(span, format!("a value of type '{ty}' cannot be a condition"));
        }
        Ok(self.program.terms.is_nonzero(value.term))
    }

    /// Goes to `yes` or `no`; `&&`, `||` and `!` become control flow.
    pub fn branch(&mut self, node: &'a Node<Expression>, yes: Loc, no: Loc) -> Result<()> {
        match &node.node {
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::LogicalAnd =>
            {
                let middle = self.body.new_loc();
                self.branch(&binary.node.lhs, middle, no)?;
                self.body.start_at(middle);
                return self.branch(&binary.node.rhs, yes, no);
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::LogicalOr =>
            {
                let middle = self.body.new_loc();
                self.branch(&binary.node.lhs, yes, middle)?;
                self.body.start_at(middle);
                return self.branch(&binary.node.rhs, yes, no);
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                return self.branch(&unary.node.operand, no, yes);
            }
            _ => {}
        }
        let condition = self.condition(node)?;
        self.at(node.span);
        self.emit_branch(condition, yes, no);
        Ok(())
    }

    /// Enumeration constants, and other names of values.
    fn constant_identifier(&mut self, name: &str) -> Option<Val> {
        let symbol = self.intern(name);
        match self.scopes.get(symbol)? {
            Entity::Constant { value, ty } => Some(self.int_value(value, ty)),
            Entity::Typedef(_) | Entity::Local { .. } | Entity::Global(_) | Entity::Function(_) => {
                None
            }
        }
    }

    pub fn generic_selection(
        &mut self,
        node: &'a Node<GenericSelection>,
    ) -> Result<&'a Node<Expression>> {
        let ty = self.unpromoted_type_of(&node.node.expression)?;
        let ty = self.types.decayed(ty);
        let mut default = None;
        for association in &node.node.associations {
            match &association.node {
                GenericAssociation::Type(typed) => {
                    let candidate = self.type_name(&typed.node.type_name)?;
                    // C11 6.5.1.1p2, DR 481: the expression has the type of its value, which is
                    // not qualified.
                    let qualifiers = self.types.qualifiers(candidate);
                    if qualifiers.same_access(Qualifiers::NONE)
                        && self.types.compatible(ty, candidate)
                    {
                        return Ok(&typed.node.expression);
                    }
                }
                GenericAssociation::Default(expression) => default = Some(&**expression),
            }
        }
        match default {
            Some(expression) => Ok(expression),
            None => self.error(node.span, "no association matches the type of this _Generic"),
        }
    }

    fn unary(&mut self, node: &'a Node<UnaryOperatorExpression>) -> Result<Val> {
        let operand = &node.node.operand;
        match node.node.operator.node {
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => self.increment(node, true),
            UnaryOperator::Address => self.address_of(operand, node.span),
            UnaryOperator::Indirection => {
                let place = self.dereference(operand, node.span)?;
                self.at(node.span);
                self.load(place)
            }
            UnaryOperator::Plus => {
                let value = self.rvalue(operand)?;
                self.promoted(value, node.span)
            }
            UnaryOperator::Minus => {
                let value = self.rvalue(operand)?;
                let value = self.promoted(value, node.span)?;
                self.check_negation(value, node.node.operator.span);
                let op = if self.types.is_float(value.ty) { UnOp::FNeg } else { UnOp::BvNeg };
                Ok(Val { term: self.program.terms.unary(op, value.term), ty: value.ty })
            }
            UnaryOperator::Complement => {
                let value = self.rvalue(operand)?;
                if !self.types.is_integer(value.ty) {
                    return self.error(node.span, "'~' needs an integer");
                }
                let value = self.promoted(value, node.span)?;
                let term = self.program.terms.unary(UnOp::BvNot, value.term);
                Ok(Val { term, ty: value.ty })
            }
            UnaryOperator::Negate => {
                let condition = self.condition(operand)?;
                let negation = self.program.terms.not(condition);
                Ok(self.bool_value(negation))
            }
        }
    }

    /// 1 or 0 as an `int`, C's type of conditions.
    pub fn bool_value(&mut self, condition: Term) -> Val {
        let term = self.program.terms.bool_to_bv(condition, 32);
        Val { term, ty: self.types.int }
    }

    fn promoted(&mut self, value: Val, span: Span) -> Result<Val> {
        if !self.types.is_arithmetic(value.ty) {
            let ty = self.spell(value.ty);
            return self.error(span, format!("an arithmetic operand is needed, not '{ty}'"));
        }
        let ty = self.types.promote(value.ty);
        self.convert(value, ty, span)
    }

    /// `++` and `--`. With `wanted` false the value is unused.
    fn increment(&mut self, node: &'a Node<UnaryOperatorExpression>, wanted: bool) -> Result<Val> {
        let operator = &node.node.operator.node;
        let place = self.place(&node.node.operand)?;
        self.at(node.span);
        let ty = place.ty;
        if !self.types.is_scalar(ty) {
            let ty = self.spell(ty);
            return self.error(node.span, format!("a value of type '{ty}' cannot be incremented"));
        }
        let atomic = self.types.qualifiers(ty).atomic;
        if atomic {
            self.emit(Op::AtomicBegin);
        }
        let old = self.load(place)?;
        let post = matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PostDecrement);
        let old = if (post && wanted) || atomic { self.snapshot(old) } else { old };
        let one = self.int_value(1, self.types.int);
        let op = match operator {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => BinaryOperator::Plus,
            _ => BinaryOperator::Minus,
        };
        let at = node.node.operator.span;
        let op = if atomic { Operator::of_update(&op, at) } else { Operator::new(&op, at) };
        let new = self.arithmetic(op, old, one, node.span)?;
        let new = self.convert(new, ty, node.span)?;
        let new = self.store(place, new, wanted && !post)?;
        if atomic {
            self.emit(Op::AtomicEnd);
        }
        Ok(if post { old } else { new })
    }

    fn binary(&mut self, node: &'a Node<BinaryOperatorExpression>) -> Result<Val> {
        let BinaryOperatorExpression { operator, lhs, rhs } = &node.node;
        match &operator.node {
            BinaryOperator::Assign => self.assignment(lhs, rhs, node.span),
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => self.logical(node),
            BinaryOperator::Index => {
                let place = self.index(lhs, rhs, node.span)?;
                self.at(node.span);
                self.load(place)
            }
            kind => {
                let at = operator.span;
                if let Some(arithmetic) = compound_operator(kind) {
                    return self.compound_assignment((&arithmetic, at), lhs, rhs, node.span);
                }
                let (left, right) = self.operands(kind, lhs, rhs)?;
                self.at(node.span);
                self.arithmetic(Operator::new(kind, at), left, right, node.span)
            }
        }
    }

    fn assignment(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        span: Span,
    ) -> Result<Val> {
        let (place, value) = self.assigned(lhs, rhs)?;
        if self.types.as_record(place.ty).is_some() {
            if self.types.as_record(value.ty) != self.types.as_record(place.ty) {
                let message = format!(
                    "cannot assign a value of type '{}' to '{}'",
                    self.spell(value.ty),
                    self.spell(place.ty)
                );
                return self.error(span, message);
            }
            self.at(span);
            let target = self.address(place, span)?;
            self.copy_aggregate(target, value.term, place.ty);
            // An atomic object may have been changed since.
            let is_atomic = self.types.qualifiers(place.ty).atomic;
            let term = if is_atomic { value.term } else { target };
            return Ok(Val { term, ty: value.ty });
        }
        let value = self.convert(value, place.ty, span)?;
        self.at(span);
        self.store(place, value, true)
    }

    fn compound_assignment(
        &mut self,
        (operator, at): (&BinaryOperator, Span),
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        span: Span,
    ) -> Result<Val> {
        // gcc performs the calls on the right side before it reads anything on the left.
        let called = match may_call(rhs) {
            true => Some(self.rvalue(rhs)?),
            false => None,
        };
        let called = match called {
            Some(value) if may_call(lhs) => Some(self.snapshot_if_global(value)),
            called => called,
        };
        let place = self.place(lhs)?;
        if self.types.qualifiers(place.ty).atomic {
            // C11 6.5.16.2p3: one read-modify-write; the operand is evaluated before it.
            let value = match called {
                Some(value) => value,
                None => self.rvalue(rhs)?,
            };
            let value = self.snapshot(value);
            self.at(span);
            self.emit(Op::AtomicBegin);
            let old = self.load(place)?;
            let old = self.snapshot(old);
            let operator = Operator::of_update(operator, at);
            let new = self.arithmetic(operator, old, value, span)?;
            let new = self.convert(new, place.ty, span)?;
            let new = self.snapshot(new);
            let new = self.store(place, new, true)?;
            self.emit(Op::AtomicEnd);
            return Ok(new);
        }
        self.at(span);
        let old = self.load(place)?;
        let value = match called {
            Some(value) => value,
            None => self.rvalue(rhs)?,
        };
        self.at(span);
        let new = self.arithmetic(Operator::new(operator, at), old, value, span)?;
        let new = self.convert(new, place.ty, span)?;
        self.store(place, new, true)
    }

    /// GNU statement expressions: the value is that of the last statement, if an expression.
    fn statement_expression(&mut self, node: &'a Node<Statement>) -> Result<Val> {
        let Statement::Compound(items) = &node.node else {
            self.statement(node);
            return Ok(self.void_value());
        };
        self.scopes.enter();
        self.body.enter_block();
        let value = self.block_value(items);
        let value = match value {
            // The block may end the lifetime of objects that it reads.
            Ok(value) if self.types.is_scalar(value.ty) => Ok(self.snapshot(value)),
            Ok(value) if self.types.as_record(value.ty).is_some() => {
                Ok(self.copy_to_outer_block(value))
            }
            other => other,
        };
        self.leave_block();
        self.scopes.leave();
        value
    }

    fn block_value(&mut self, items: &'a [Node<BlockItem>]) -> Result<Val> {
        let Some((last, first)) = items.split_last() else {
            return Ok(self.void_value());
        };
        for item in first {
            self.block_item(item);
        }
        let mut last = match &last.node {
            BlockItem::Statement(statement) => statement,
            BlockItem::Declaration(_) | BlockItem::StaticAssert(_) => {
                self.block_item(last);
                return Ok(self.void_value());
            }
        };
        // A labelled last expression is a value too.
        while let Statement::Labeled(labeled) = &last.node {
            self.label(labeled)?;
            last = &labeled.node.statement;
        }
        match &last.node {
            Statement::Expression(Some(expression)) => self.rvalue(expression),
            _ => {
                self.statement(last);
                Ok(self.void_value())
            }
        }
    }

    /// A struct that outlives the block it was computed in.
    fn copy_to_outer_block(&mut self, value: Val) -> Val {
        let name = self.body.temp_name;
        let inner = self.body.blocks.pop();
        let object = self.new_local_object(name, value.ty, &Default::default());
        self.body.blocks.extend(inner);
        let target = self.program.terms.address(object);
        self.copy_aggregate(target, value.term, value.ty);
        Val { term: target, ty: value.ty }
    }

    fn size_of(&mut self, ty: Ty, span: Span) -> Result<Val> {
        if !self.types.is_complete(ty) {
            let ty = self.spell(ty);
            return self
                .error(span, format!("the size of the incomplete type '{ty}' is asked for"));
        }
        Ok(Val { term: self.size_term(ty), ty: self.types.size })
    }

    /// The size of a type in bytes, of pointer width.
    pub fn size_term(&mut self, ty: Ty) -> Term {
        match *self.types.kind(ty) {
            TypeKind::Vla(element, length) => {
                let size = self.size_term(element);
                let length = self.program.read(length);
                self.program.terms.binary(BinOp::BvMul, length, size)
            }
            _ => {
                let size = self.types.size_of(ty).unwrap_or(0);
                self.program.terms.offset(size)
            }
        }
    }

    fn offset_of(&mut self, node: &'a OffsetOfExpression, span: Span) -> Result<Val> {
        let ty = self.type_name(&node.type_name)?;
        let base = self.program.terms.null();
        let base = self.member_place(base, ty, &node.designator.node.base.node.name, span)?;
        let mut place = base;
        for member in &node.designator.node.members {
            place = match &member.node {
                OffsetMember::Member(name) => {
                    let address = self.address(place, span)?;
                    self.member_place(address, place.ty, &name.node.name, span)?
                }
                OffsetMember::IndirectMember(_) => {
                    return self.error(span, "'->' in offsetof");
                }
                OffsetMember::Index(index) => {
                    let index = self.rvalue(index)?;
                    let Some(element) = self.types.element(place.ty) else {
                        return self.error(span, "this member is not an array");
                    };
                    let address = self.address(place, span)?;
                    let address = self.element_address(address, index, element, span)?;
                    Place::memory(address, element)
                }
            };
        }
        let address = self.address(place, span)?;
        let null = self.program.terms.null();
        let offset = self.program.terms.binary(BinOp::PtrDiff, address, null);
        Ok(Val { term: offset, ty: self.types.size })
    }

    /// The type of an expression that is not evaluated (C11 6.5.3.4p2).
    pub fn type_of(&mut self, node: &'a Node<Expression>) -> Result<Ty> {
        let (ty, _) = self.nowhere(|lowerer| match is_place(node) {
            true => lowerer.place_or_value_type(node),
            false => lowerer.rvalue(node).map(|value| value.ty),
        });
        ty
    }

    /// As [`Self::type_of`], except that an assigned bit-field keeps the type that gcc gives it.
    fn unpromoted_type_of(&mut self, node: &'a Node<Expression>) -> Result<Ty> {
        let assigned = match &node.node {
            Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                BinaryOperator::Assign => Some(&*binary.node.lhs),
                operator => compound_operator(operator).map(|_| &*binary.node.lhs),
            },
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement => Some(&*unary.node.operand),
                _ => None,
            },
            Expression::Comma(list) => match list.last() {
                Some(last) => return self.unpromoted_type_of(last),
                None => None,
            },
            Expression::Member(_) => Some(node),
            _ => None,
        };
        if let Some(Node { node: Expression::Member(_), .. }) = assigned
            && let Some(assigned) = assigned
        {
            let place = self.nowhere(|lowerer| lowerer.place(assigned)).0?;
            if let PlaceKind::Bits(_, bits) = place.kind {
                return Ok(self.bit_field_type(place.ty, bits));
            }
        }
        self.type_of(node)
    }

    fn place_or_value_type(&mut self, node: &'a Node<Expression>) -> Result<Ty> {
        if let Expression::Identifier(name) = &node.node
            && let Some(value) = self.constant_identifier(&name.node.name)
        {
            return Ok(value.ty);
        }
        self.place(node).map(|place| place.ty)
    }

    /// The value of an integer constant expression (C11 6.6), or `None` if it is not constant.
    pub fn try_constant_int(&mut self, node: &'a Node<Expression>) -> Result<Option<i128>> {
        let (value, pure) = self.nowhere(|lowerer| lowerer.rvalue(node));
        let value = value?;
        if !self.types.is_integer(value.ty) || !pure {
            return Ok(None);
        }
        Ok(if self.types.is_signed(value.ty) {
            self.program.terms.as_signed(value.term)
        } else {
            self.program.terms.as_bv(value.term).map(|value| value as i128)
        })
    }

    pub fn constant_int(&mut self, node: &'a Node<Expression>) -> Result<i128> {
        match self.try_constant_int(node)? {
            Some(value) => Ok(value),
            None => self.error(node.span, "an integer constant expression is needed"),
        }
    }

    /// An arbitrary value in place of something unsupported.
    pub fn unsupported_value(&mut self, what: &str, ty: Ty) -> Val {
        self.unsupported(what);
        self.any_value(ty, HavocKind::Unspecified)
    }
}

/// Whether the expression is an lvalue by its syntax.
pub(crate) fn is_place(node: &Node<Expression>) -> bool {
    match &node.node {
        Expression::Identifier(_)
        | Expression::StringLiteral(_)
        | Expression::Member(_)
        | Expression::CompoundLiteral(_) => true,
        Expression::UnaryOperator(unary) => unary.node.operator.node == UnaryOperator::Indirection,
        Expression::BinaryOperator(binary) => binary.node.operator.node == BinaryOperator::Index,
        _ => false,
    }
}

/// `+` for `+=` and so on.
fn compound_operator(operator: &BinaryOperator) -> Option<BinaryOperator> {
    Some(match operator {
        BinaryOperator::AssignMultiply => BinaryOperator::Multiply,
        BinaryOperator::AssignDivide => BinaryOperator::Divide,
        BinaryOperator::AssignModulo => BinaryOperator::Modulo,
        BinaryOperator::AssignPlus => BinaryOperator::Plus,
        BinaryOperator::AssignMinus => BinaryOperator::Minus,
        BinaryOperator::AssignShiftLeft => BinaryOperator::ShiftLeft,
        BinaryOperator::AssignShiftRight => BinaryOperator::ShiftRight,
        BinaryOperator::AssignBitwiseAnd => BinaryOperator::BitwiseAnd,
        BinaryOperator::AssignBitwiseXor => BinaryOperator::BitwiseXor,
        BinaryOperator::AssignBitwiseOr => BinaryOperator::BitwiseOr,
        _ => return None,
    })
}

/// Whether evaluating the expression may run other code: a value read before it must then be kept.
pub(crate) fn may_call(node: &Node<Expression>) -> bool {
    match &node.node {
        expressions!(numbers) | Expression::Identifier(_) | Expression::StringLiteral(_) => false,
        Expression::Member(member) => may_call(&member.node.expression),
        Expression::UnaryOperator(unary) => may_call(&unary.node.operand),
        Expression::Cast(cast) => may_call(&cast.node.expression),
        Expression::BinaryOperator(binary) => {
            may_call(&binary.node.lhs) || may_call(&binary.node.rhs)
        }
        Expression::Conditional(conditional) => {
            may_call(&conditional.node.condition)
                || may_call(&conditional.node.then_expression)
                || may_call(&conditional.node.else_expression)
        }
        Expression::Comma(list) => list.iter().any(may_call),
        Expression::GenericSelection(_)
        | Expression::Call(_)
        | Expression::CompoundLiteral(_)
        | Expression::VaArg(_)
        | Expression::Statement(_) => true,
    }
}
