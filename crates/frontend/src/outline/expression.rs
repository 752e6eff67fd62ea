//! Checks whether a text is one C expression that states something about a state and changes
//! nothing.

use std::collections::BTreeSet;
use std::fmt;

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, Constant, Enumerator, Expression,
    ExternalDeclaration, Statement, StructDeclaration, TypeName, TypeOf, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

use crate::families::operators;
use crate::source::{ParsedUnit, TextKind, parse_text};

/// How an expression divides. C does not define a division by zero or anything after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divisors {
    /// Only by constants other than zero, if at all.
    Constant,
    Any,
}

/// Why a text is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not exactly one expression; names of types have to be known.
    NoExpression,
    /// It contains something that may have effects.
    Has(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoExpression => f.write_str("is not one C expression"),
            Refusal::Has(what) => write!(f, "has {what} in it"),
        }
    }
}

/// Checks an expression in which these names are types.
pub fn check(text: &str, types: &BTreeSet<String>) -> Result<Divisors, Refusal> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words: BTreeSet<&str> = text.split(|c| !is_word(c)).collect();
    let mut unit = String::new();
    for name in types.iter().filter(|name| words.contains(name.as_str())) {
        unit += &format!("typedef int {name}; ");
    }
    // All on one line: the parser reports an error if a comment hides the rest.
    unit += &format!("int main(void) {{ return ({}); }}", text.replace(['\n', '\r'], " "));
    let unit = parse_text("expression", &unit, TextKind::Preprocessed)
        .map_err(|_| Refusal::NoExpression)?;
    let mut divisors = Divisors::Constant;
    look(only_result(&unit).ok_or(Refusal::NoExpression)?, &mut divisors)?;
    Ok(divisors)
}

/// The expression that the only function returns in its only statement.
fn only_result(unit: &ParsedUnit) -> Option<&Expression> {
    let mut functions = unit.ast.0.iter().filter_map(|part| match &part.node {
        ExternalDeclaration::FunctionDefinition(function) => Some(&function.node),
        ExternalDeclaration::Declaration(_) | ExternalDeclaration::StaticAssert(_) => None,
    });
    let (function, None) = (functions.next()?, functions.next()) else { return None };
    let Statement::Compound(items) = &function.statement.node else { return None };
    let [Node { node: BlockItem::Statement(statement), .. }] = items.as_slice() else {
        return None;
    };
    match &statement.node {
        Statement::Return(Some(value)) => Some(&value.node),
        _ => None,
    }
}

fn look(expression: &Expression, divisors: &mut Divisors) -> Result<(), Refusal> {
    let has = |what: &'static str| Err(Refusal::Has(what));
    match expression {
        Expression::Identifier(_) | Expression::Constant(_) => Ok(()),
        Expression::SizeOfTy(size) => look_at_type(&size.node.0),
        Expression::AlignOf(align) => look_at_type(&align.node.0),
        Expression::SizeOfVal(size) => look(&size.node.0.node, divisors),
        Expression::Member(member) => look(&member.node.expression.node, divisors),
        Expression::Cast(cast) => {
            look_at_type(&cast.node.type_name)?;
            look(&cast.node.expression.node, divisors)
        }
        Expression::UnaryOperator(unary) => match unary.node.operator.node {
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => has("an increment or decrement"),
            UnaryOperator::Address
            | UnaryOperator::Indirection
            | UnaryOperator::Plus
            | UnaryOperator::Minus
            | UnaryOperator::Complement
            | UnaryOperator::Negate => look(&unary.node.operand.node, divisors),
        },
        Expression::BinaryOperator(binary) => look_at_binary(&binary.node, divisors),
        Expression::Conditional(conditional) => {
            let choice = &conditional.node;
            look(&choice.condition.node, divisors)?;
            look(&choice.then_expression.node, divisors)?;
            look(&choice.else_expression.node, divisors)
        }
        Expression::Call(_) => has("a call"),
        Expression::Statement(_) => has("a statement"),
        Expression::Comma(_) => has("a comma"),
        Expression::StringLiteral(_) => has("a string"),
        Expression::GenericSelection(_)
        | Expression::CompoundLiteral(_)
        | Expression::OffsetOf(_)
        | Expression::VaArg(_) => has("something unusual"),
    }
}

/// Types may have sizes that are computed, and may declare something.
fn look_at_type(name: &Node<TypeName>) -> Result<(), Refusal> {
    let mut parts = TypeParts { has_more_than_names: false };
    parts.visit_type_name(&name.node, &name.span);
    match parts.has_more_than_names {
        true => Err(Refusal::Has("a type with more than names")),
        false => Ok(()),
    }
}

struct TypeParts {
    has_more_than_names: bool,
}

impl<'ast> Visit<'ast> for TypeParts {
    fn visit_expression(&mut self, _: &'ast Expression, _: &'ast Span) {
        self.has_more_than_names = true;
    }

    fn visit_type_of(&mut self, _: &'ast TypeOf, _: &'ast Span) {
        self.has_more_than_names = true;
    }

    fn visit_struct_declaration(&mut self, _: &'ast StructDeclaration, _: &'ast Span) {
        self.has_more_than_names = true;
    }

    fn visit_enumerator(&mut self, _: &'ast Enumerator, _: &'ast Span) {
        self.has_more_than_names = true;
    }
}

fn look_at_binary(
    binary: &BinaryOperatorExpression,
    divisors: &mut Divisors,
) -> Result<(), Refusal> {
    match binary.operator.node {
        operators!(assignments) => return Err(Refusal::Has("an assignment")),
        operators!(division) => {
            if !is_constant_divisor(&binary.rhs.node) {
                *divisors = Divisors::Any;
            }
        }
        operators!(arithmetic, relations)
        | BinaryOperator::Index
        | BinaryOperator::LogicalAnd
        | BinaryOperator::LogicalOr => {}
    }
    look(&binary.lhs.node, divisors)?;
    look(&binary.rhs.node, divisors)
}

/// Whether a division by this has a result whatever is divided.
fn is_constant_divisor(divisor: &Expression) -> bool {
    let Expression::Constant(constant) = divisor else { return false };
    match &constant.node {
        Constant::Integer(integer) => integer.number.bytes().any(|digit| digit != b'0'),
        Constant::Float(_) => true,
        Constant::Character(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<Divisors, Refusal> {
        check(text, &BTreeSet::from(["word".to_owned()]))
    }

    #[test]
    fn what_only_looks_is_taken() {
        for text in [
            "x == 1",
            "a[i] <= (unsigned char)'}' && p->next != (struct node *)0",
            "((word)x) - 7 > 0.1f || !(word)(x) ? *p : ~y",
            "(x /* the first */ & 3) == sizeof(int) / 2",
            "x %\n 10U != 0x1p-3",
        ] {
            assert_eq!(checked(text), Ok(Divisors::Constant), "{text}");
        }
        for text in ["1 / (i - 9) || 1", "x % y", "x / 0x0", "x / -1", "x / '\\0'"] {
            assert_eq!(checked(text), Ok(Divisors::Any), "{text}");
        }
    }

    #[test]
    fn what_does_more_is_refused() {
        for (text, what) in [
            ("(y = 7)", "an assignment"),
            ("a[y += 1]", "an assignment"),
            ("y++ < 9", "an increment or decrement"),
            ("--y", "an increment or decrement"),
            ("f()", "a call"),
            ("(f)(x)", "a call"),
            ("({ while (1); 1; })", "a statement"),
            ("(x, y)", "a comma"),
            ("sizeof(int[y = 7]) > 0", "a type with more than names"),
            ("(int (*)[f()])p != 0", "a type with more than names"),
            ("(__typeof__(f()))x", "a type with more than names"),
            ("sizeof(enum { y = 7 }) == 4", "a type with more than names"),
            ("sizeof(struct s { int a; }) == 4", "a type with more than names"),
        ] {
            assert_eq!(checked(text), Err(Refusal::Has(what)), "{text}");
        }
        for text in [
            "",
            "x ==",
            "1) { y = 7; } if (1",
            "1)); return 0; ((1",
            "1); } int g(void) { return (1",
            "1); return (2",
            "x // 1",
            "x /* 1",
            "int",
            "unknown y",
            "\\forall int k; k == k",
        ] {
            assert_eq!(checked(text), Err(Refusal::NoExpression), "{text}");
        }
    }
}
