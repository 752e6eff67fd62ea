//! Bounds on the input, and the stack that inputs within the bounds need.
//!
//! The parser, the syntax tree's destructor and the lowering recurse over the structure of the
//! program. The tokens alone bound the depth of the recursion, so that Ravelin rejects inputs that
//! would overflow the stack before it parses them.

use std::cell::Cell;
use std::io;

use super::lex::Malformed;
use super::token::{Kind, Token};

/// The longest text that is parsed: the syntax tree takes some hundred times as much memory.
pub const MAX_TEXT_BYTES: usize = 32 << 20;

/// The maximum number of open brackets. (C11 5.2.4.1 asks for 127 blocks and 63 parentheses.)
pub const MAX_NESTING: u32 = 1_000;

/// The maximum depth of the syntax tree.
pub const MAX_DEPTH: u32 = 20_000;

/// The maximum nesting of sizes of types inside each other's types. The parser reads the operand of
/// `sizeof` once for each of two alternatives, and so again at every level inside.
const MAX_DOUBLINGS: u32 = 14;

/// The maximum number of `++` and `--` in a row. No C program has more than two; the parser takes
/// each for two signs as well if what follows is wrong, and so doubles its effort at each.
const MAX_STEPS: u32 = 8;

/// The maximum number of copied tokens: for every expression in parentheses or brackets the parser
/// keeps a copy of the tree; the cost is negligible up to [`FREE_COPIES`] levels.
const MAX_COPIED_TOKENS: u64 = 2_000_000;
const FREE_COPIES: u64 = 4;

/// Room for the deepest recursion over the deepest tree, in any of the passes and unoptimised:
/// 25 kB per level. It costs address space only until it is used.
const STACK_BYTES: usize = 512 << 20;

/// Room for the parser, which needs less than 64 MB for anything within the limits.
pub(super) const PARSER_STACK_BYTES: usize = 128 << 20;

/// Runs `f` with a stack large enough for recursion over the deepest syntax tree that is accepted.
///
/// Code that parses, visits or drops a syntax tree should run inside. Fails if the system has no
/// memory for such a stack.
pub fn with_deep_stack<T: Send>(f: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread_local! {
        static IS_DEEP: Cell<bool> = const { Cell::new(false) };
    }
    if IS_DEEP.get() {
        return Ok(f());
    }
    std::thread::scope(|scope| {
        let run = || {
            IS_DEEP.set(true);
            f()
        };
        let builder = std::thread::Builder::new().name("front end".to_owned());
        let thread = builder.stack_size(STACK_BYTES).spawn_scoped(scope, run)?;
        match thread.join() {
            Ok(value) => Ok(value),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// What is open at a token: how many tree levels have been begun inside the innermost bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    is_brace: bool,
    /// Levels that last to the end of the statement: `if`, loops, labels, `else`.
    statement: u32,
    /// Levels that last to the end of the expression: operators, casts, calls.
    expression: u32,
    /// Conditional operators whose colon is to come.
    conditionals: u32,
    /// How often the parser doubles its effort for what is inside.
    doublings: u32,
}

/// Checks that brackets, statements and expressions are not nested too deeply. Returns a bound on
/// the depth of the syntax tree.
pub(super) fn check_depth(tokens: &[Token]) -> Result<u32, Malformed> {
    let mut enclosing: Vec<Level> = Vec::new();
    let mut level = Level { is_brace: true, ..Level::default() };
    // Levels begun in the enclosing brackets.
    let mut outside = 0;
    let mut deepest = 0;
    // Open parentheses and square brackets, and the copies that they cause.
    let mut copies: u64 = 0;
    let mut copied_tokens = 0;
    let mut steps = 0;
    for (index, token) in tokens.iter().enumerate() {
        steps = if token.kind == Kind::Step { steps + 1 } else { 0 };
        if steps > MAX_STEPS {
            let message = "too many '++' and '--' in a row";
            return Err(malformed(*token, message.to_owned()));
        }
        copied_tokens += copies.saturating_sub(FREE_COPIES);
        match token.kind {
            Kind::Ident | Kind::Number | Kind::Literal | Kind::Type => continue,
            Kind::LParen | Kind::LBracket | Kind::LBrace => {
                copies += u64::from(token.kind != Kind::LBrace);
                let doublings = level.doublings + u32::from(doubles(tokens, index, level));
                outside += 1 + level.statement + level.expression;
                enclosing.push(level);
                level =
                    Level { is_brace: token.kind == Kind::LBrace, doublings, ..Level::default() };
                if doublings > MAX_DOUBLINGS {
                    let message =
                        format!("sizes of types are nested more than {MAX_DOUBLINGS} deep");
                    return Err(malformed(*token, message));
                }
                if enclosing.len() > MAX_NESTING as usize {
                    let message = format!("brackets are nested more than {MAX_NESTING} deep");
                    return Err(malformed(*token, message));
                }
            }
            Kind::RParen | Kind::RBracket | Kind::RBrace => {
                copies -= u64::from(token.kind != Kind::RBrace);
                // The brackets match, so there is an enclosing level.
                level = enclosing.pop().unwrap_or_default();
                outside -= (1 + level.statement + level.expression).min(outside);
                if token.kind != Kind::RBrace {
                    // A call, a subscript, or a cast of what follows.
                    level.expression += 1;
                } else if level.is_brace && level.conditionals == 0 {
                    end_statement(&mut level, tokens.get(index + 1));
                }
            }
            Kind::Semi => {
                level.conditionals = 0;
                end_statement(&mut level, tokens.get(index + 1));
            }
            Kind::Comma => {
                if level.conditionals == 0 {
                    level.expression = 0;
                }
            }
            Kind::Question => {
                level.conditionals += 1;
                level.expression += 1;
            }
            Kind::Colon if level.conditionals > 0 => level.conditionals -= 1,
            Kind::Colon
            | Kind::If
            | Kind::Else
            | Kind::For
            | Kind::While
            | Kind::Do
            | Kind::Switch => level.statement += 1,
            _ => level.expression += 1,
        }
        if copied_tokens > MAX_COPIED_TOKENS {
            let message = "too much code is nested too deeply in parentheses";
            return Err(malformed(*token, message.to_owned()));
        }
        let depth = outside + level.statement + level.expression;
        if depth > deepest {
            if depth > MAX_DEPTH {
                let message = format!("code is nested more than {MAX_DEPTH} levels deep");
                return Err(malformed(*token, message)
                    .with_note("operators, casts, labels and else branches count as levels"));
            }
            deepest = depth;
        }
    }
    Ok(deepest)
}

/// Whether the parser reads what is inside the bracket at `index` twice: the operand of `sizeof`,
/// and members of a struct that is part of a declarator or type name.
fn doubles(tokens: &[Token], index: usize, enclosing: Level) -> bool {
    let before = |distance: usize| {
        index.checked_sub(distance).map_or(Kind::End, |before| tokens[before].kind)
    };
    let is_record = |kind| matches!(kind, Kind::Struct | Kind::Union);
    match tokens[index].kind {
        Kind::LParen => matches!(before(1), Kind::Sizeof | Kind::Alignof),
        Kind::LBrace => {
            !enclosing.is_brace
                && (is_record(before(1)) || before(1).is_ident() && is_record(before(2)))
        }
        _ => false,
    }
}

fn end_statement(level: &mut Level, next: Option<&Token>) {
    // What follows an `else` is inside all the branches before it.
    if next.is_none_or(|token| token.kind != Kind::Else) {
        level.statement = 0;
        level.expression = 0;
    }
}

fn malformed(token: Token, message: String) -> Malformed {
    Malformed::new(token.start as usize, token.end as usize, message)
}
