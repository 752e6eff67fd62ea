//! Families of statements, places and expressions, as patterns: a match that treats a whole family alike
//! names it, and stays exhaustive.

/// Statements: `plain` ones without statements inside, `jumps`, and `bytes`, which work on memory.
macro_rules! stmts {
    (plain) => {
        $crate::program::Stmt::Expr(_)
            | $crate::program::Stmt::Mix(_)
            | $crate::program::Stmt::Print(_)
            | $crate::program::Stmt::Observe(_)
    };
    (jumps) => {
        $crate::program::Stmt::Break
            | $crate::program::Stmt::Continue
            | $crate::program::Stmt::Return(_)
            | $crate::program::Stmt::Goto(_)
    };
    (bytes) => {
        $crate::program::Stmt::Fill(..)
            | $crate::program::Stmt::Copy(..)
            | $crate::program::Stmt::Shift(..)
            | $crate::program::Stmt::Clear(_)
    };
    ($family:ident, $($others:ident),+) => {
        $crate::families::stmts!($family) | $crate::families::stmts!($($others),+)
    };
}

/// Places: `parts` of another place, and those that a pointer leads to (`pointed`).
macro_rules! places {
    (parts) => {
        $crate::program::Place::Field(..)
            | $crate::program::Place::Index(..)
            | $crate::program::Place::Byte(..)
            | $crate::program::Place::View(..)
    };
    (pointed) => {
        $crate::program::Place::Deref(_) | $crate::program::Place::Element(..)
    };
    ($family:ident, $($others:ident),+) => {
        $crate::families::places!($family) | $crate::families::places!($($others),+)
    };
}

/// Expressions without operands: `leaves`.
macro_rules! exprs {
    (leaves) => {
        $crate::program::Expr::Int { .. }
            | $crate::program::Expr::Float { .. }
            | $crate::program::Expr::Enumerator(..)
            | $crate::program::Expr::SizeOfType(_)
            | $crate::program::Expr::OffsetOf(..)
            | $crate::program::Expr::CompareStr(..)
            | $crate::program::Expr::Function(_)
    };
}

pub(crate) use {exprs, places, stmts};
