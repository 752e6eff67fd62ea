//! Families of operators, expressions and statements of the syntax tree, as patterns: a match that treats a
//! whole family alike names it, and stays exhaustive.

/// Operators with two operands: `division`, which traps on zero, `arithmetic` for the others that
/// compute numbers, `relations`, and `assignments` with and without an operation.
macro_rules! operators {
    (division) => {
        ::lang_c::ast::BinaryOperator::Divide | ::lang_c::ast::BinaryOperator::Modulo
    };
    (arithmetic) => {
        ::lang_c::ast::BinaryOperator::Multiply
            | ::lang_c::ast::BinaryOperator::Plus
            | ::lang_c::ast::BinaryOperator::Minus
            | ::lang_c::ast::BinaryOperator::ShiftLeft
            | ::lang_c::ast::BinaryOperator::ShiftRight
            | ::lang_c::ast::BinaryOperator::BitwiseAnd
            | ::lang_c::ast::BinaryOperator::BitwiseXor
            | ::lang_c::ast::BinaryOperator::BitwiseOr
    };
    (relations) => {
        ::lang_c::ast::BinaryOperator::Less
            | ::lang_c::ast::BinaryOperator::Greater
            | ::lang_c::ast::BinaryOperator::LessOrEqual
            | ::lang_c::ast::BinaryOperator::GreaterOrEqual
            | ::lang_c::ast::BinaryOperator::Equals
            | ::lang_c::ast::BinaryOperator::NotEquals
    };
    (assignments) => {
        ::lang_c::ast::BinaryOperator::Assign
            | ::lang_c::ast::BinaryOperator::AssignMultiply
            | ::lang_c::ast::BinaryOperator::AssignDivide
            | ::lang_c::ast::BinaryOperator::AssignModulo
            | ::lang_c::ast::BinaryOperator::AssignPlus
            | ::lang_c::ast::BinaryOperator::AssignMinus
            | ::lang_c::ast::BinaryOperator::AssignShiftLeft
            | ::lang_c::ast::BinaryOperator::AssignShiftRight
            | ::lang_c::ast::BinaryOperator::AssignBitwiseAnd
            | ::lang_c::ast::BinaryOperator::AssignBitwiseXor
            | ::lang_c::ast::BinaryOperator::AssignBitwiseOr
    };
    ($family:ident, $($others:ident),+) => {
        $crate::families::operators!($family) | $crate::families::operators!($($others),+)
    };
}

/// Expressions: `numbers`, which are constants.
macro_rules! expressions {
    (numbers) => {
        ::lang_c::ast::Expression::Constant(_)
            | ::lang_c::ast::Expression::SizeOfTy(_)
            | ::lang_c::ast::Expression::SizeOfVal(_)
            | ::lang_c::ast::Expression::AlignOf(_)
            | ::lang_c::ast::Expression::OffsetOf(_)
    };
}

/// Statements: `branches` and `loops` with statements inside, and `jumps` other than `return`.
macro_rules! statements {
    (branches) => {
        ::lang_c::ast::Statement::If(_) | ::lang_c::ast::Statement::Switch(_)
    };
    (loops) => {
        ::lang_c::ast::Statement::While(_)
            | ::lang_c::ast::Statement::DoWhile(_)
            | ::lang_c::ast::Statement::For(_)
    };
    (jumps) => {
        ::lang_c::ast::Statement::Goto(_)
            | ::lang_c::ast::Statement::Continue
            | ::lang_c::ast::Statement::Break
    };
    ($family:ident, $($others:ident),+) => {
        $crate::families::statements!($family) | $crate::families::statements!($($others),+)
    };
}

pub(crate) use {expressions, operators, statements};
