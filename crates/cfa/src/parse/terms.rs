//! Terms of the text format.

use ravelin_base::EntityRef;
use ravelin_term::{BinOp, Object, Sort, Term, UnOp, Var};

use super::{ParseError, Parser, Place, Token};

/// An operator whose operands are being read.
struct Pending {
    op: TermOp,
    place: Place,
    operands: Vec<Term>,
}

#[derive(Clone, Copy)]
enum TermOp {
    Unary(UnOp),
    Binary(BinOp),
    Ite,
    Read(Sort),
    Write,
}

impl TermOp {
    fn arity(self) -> usize {
        match self {
            TermOp::Unary(_) => 1,
            TermOp::Binary(_) | TermOp::Read(_) => 2,
            TermOp::Ite | TermOp::Write => 3,
        }
    }
}

impl Parser<'_> {
    /// A term, with or without `let` for its shared subterms.
    pub(super) fn term(&mut self) -> Result<Term, ParseError> {
        let mut bound = Vec::new();
        if self.eat_word("let")? {
            loop {
                match self.token {
                    Token::Bound(number) if number == bound.len() => {}
                    _ => return self.unexpected(&format!("'${}'", bound.len())),
                }
                self.bump()?;
                self.expect_punct("=")?;
                let term = self.plain_term(&bound)?;
                bound.push(term);
                if !self.eat_punct(",")? {
                    break;
                }
            }
            self.expect_word("in")?;
        }
        self.plain_term(&bound)
    }

    /// Without recursion, because texts nest as deep as terms.
    fn plain_term(&mut self, bound: &[Term]) -> Result<Term, ParseError> {
        let mut stack: Vec<Pending> = Vec::new();
        loop {
            let place = self.place;
            if let Token::Word(word) = &self.token
                && let Some(op) = operator(word)
            {
                self.bump()?;
                self.expect_punct("(")?;
                stack.push(Pending { op, place, operands: Vec::with_capacity(op.arity()) });
                continue;
            }
            let mut term = self.leaf(bound)?;
            // Adds the term to the operators that it completes.
            loop {
                let Some(pending) = stack.last_mut() else {
                    return Ok(term);
                };
                pending.operands.push(term);
                if pending.operands.len() < pending.op.arity() {
                    self.expect_punct(",")?;
                    break;
                }
                self.expect_punct(")")?;
                let Some(pending) = stack.pop() else {
                    return Ok(term);
                };
                term = self.apply(&pending)?;
            }
        }
    }

    fn apply(&mut self, pending: &Pending) -> Result<Term, ParseError> {
        let terms = &mut self.program.terms;
        let built = match (pending.op, pending.operands.as_slice()) {
            (TermOp::Unary(op), &[a]) => {
                terms.unary_sort(op, terms.sort(a)).map(|_| terms.unary(op, a))
            }
            (TermOp::Binary(op), &[a, b]) => {
                terms.binary_sort(op, terms.sort(a), terms.sort(b)).map(|_| terms.binary(op, a, b))
            }
            (TermOp::Ite, &[cond, a, b]) => {
                let fits = terms.sort(cond) == Sort::Bool && terms.sort(a) == terms.sort(b);
                fits.then(|| terms.ite(cond, a, b))
            }
            (TermOp::Read(sort), &[mem, pointer]) => {
                let fits = terms.sort(mem) == Sort::Mem && terms.sort(pointer) == Sort::Ptr;
                (fits && terms.bytes_of(sort).is_some()).then(|| terms.read(mem, pointer, sort))
            }
            (TermOp::Write, &[mem, pointer, value]) => {
                let fits = terms.sort(mem) == Sort::Mem && terms.sort(pointer) == Sort::Ptr;
                let fits = fits && terms.bytes_of(terms.sort(value)).is_some();
                fits.then(|| terms.write(mem, pointer, value))
            }
            (
                TermOp::Unary(_)
                | TermOp::Binary(_)
                | TermOp::Ite
                | TermOp::Read(_)
                | TermOp::Write,
                _,
            ) => None,
        };
        built.ok_or_else(|| {
            let sorts: Vec<String> =
                pending.operands.iter().map(|&operand| terms.sort(operand).to_string()).collect();
            let message = format!("the operator does not apply to {}", sorts.join(", "));
            ParseError::new(pending.place, message)
        })
    }

    fn leaf(&mut self, bound: &[Term]) -> Result<Term, ParseError> {
        match &self.token {
            Token::Named(..) => {
                let place = self.place;
                let index = self.name('v', "a variable")?;
                match self.vars.get(&index).map(|data| data.sort) {
                    Some(sort) => Ok(self.program.terms.var(Var::new(index as usize), sort)),
                    None => Err(ParseError::new(place, format!("v{index} is not declared"))),
                }
            }
            Token::Punct("&") => {
                self.bump()?;
                let index = self.name('o', "an object")?;
                Ok(self.program.terms.address(Object::new(index as usize)))
            }
            Token::Bound(number) => match bound.get(*number) {
                Some(&term) => {
                    self.bump()?;
                    Ok(term)
                }
                None => self.unexpected("a term"),
            },
            Token::Number(digits) => {
                let (digits, place) = (digits.clone(), self.place);
                self.bump()?;
                self.expect_punct(":")?;
                let sort = self.sort()?;
                self.program.terms.parse_constant(&digits, sort).ok_or_else(|| {
                    ParseError::new(place, format!("{digits} is no constant of sort {sort}"))
                })
            }
            Token::Word(word) => {
                let term = match word.as_str() {
                    "true" => self.program.terms.bool(true),
                    "false" => self.program.terms.bool(false),
                    "null" => self.program.terms.null(),
                    _ => return self.unexpected("a term"),
                };
                self.bump()?;
                Ok(term)
            }
            Token::Quoted(_) | Token::Position(..) | Token::Punct(_) | Token::End => {
                self.unexpected("a term")
            }
        }
    }

    pub(super) fn sort(&mut self) -> Result<Sort, ParseError> {
        let place = self.place;
        let word = self.word("a sort")?;
        word.parse().map_err(|message: String| ParseError::new(place, message))
    }
}

fn operator(word: &str) -> Option<TermOp> {
    match word {
        "ite" => return Some(TermOp::Ite),
        "write" => return Some(TermOp::Write),
        _ => {}
    }
    if let Some(sort) = word.strip_prefix("read[").and_then(|rest| rest.strip_suffix(']')) {
        return sort.parse().ok().map(TermOp::Read);
    }
    let unary = || word.parse().ok().map(TermOp::Unary);
    word.parse().ok().map(TermOp::Binary).or_else(unary)
}
