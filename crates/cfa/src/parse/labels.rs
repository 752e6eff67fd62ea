//! Labels of the text format.

use ravelin_base::EntityRef;
use ravelin_term::{Object, Term, Var};
use smallvec::SmallVec;

use super::{ParseError, Parser, Token};
use crate::model::Proc;
use crate::op::{
    AllocKind, Assumed, Callee, ErrorKind, FreeKind, Gap, HavocKind, Label, MemoryOrder,
    ObjectFact, Op, SyncOp,
};

/// The maximum nesting of choices, because the parser recurses into them.
const MAX_CHOICE_DEPTH: usize = 100;

impl Parser<'_> {
    /// The labels of an edge.
    pub(super) fn labels(&mut self) -> Result<SmallVec<[Label; 1]>, ParseError> {
        if self.eat_word("empty")? {
            return Ok(SmallVec::new());
        }
        Ok(self.sequence(0)?.into())
    }

    fn sequence(&mut self, depth: usize) -> Result<Vec<Label>, ParseError> {
        let mut labels = Vec::with_capacity(1);
        loop {
            let op = self.op(depth)?;
            let pos = self.position()?;
            labels.push(Label { op, pos });
            if !self.eat_punct(";")? {
                return Ok(labels);
            }
        }
    }

    fn op(&mut self, depth: usize) -> Result<Op, ParseError> {
        if matches!(self.token, Token::Named(..)) {
            let dst = self.var()?;
            self.expect_punct(":=")?;
            return self.op_with_result(dst);
        }
        let Token::Word(word) = &self.token else {
            return self.unexpected("an operation");
        };
        let word = word.clone();
        if let Some(op) = SyncOp::from_name(&word) {
            self.bump()?;
            return Ok(Op::Sync { op, args: self.args()?, dst: None });
        }
        let simple = match word.as_str() {
            "skip" => Some(Op::Skip),
            "abort" => Some(Op::Abort),
            "atomic_begin" => Some(Op::AtomicBegin),
            "atomic_end" => Some(Op::AtomicEnd),
            _ => None,
        };
        if let Some(op) = simple {
            self.bump()?;
            return Ok(op);
        }
        match word.as_str() {
            "assume" => {
                self.bump()?;
                Ok(Op::Assume(self.term()?))
            }
            "store" => {
                self.bump()?;
                let order = self.order()?;
                let [addr, value] = self.terms()?;
                Ok(Op::Store { addr, value, order })
            }
            "copy" => {
                self.bump()?;
                let [dst, src, size] = self.terms()?;
                Ok(Op::Copy { dst, src, size })
            }
            "fill" => {
                self.bump()?;
                let [dst, byte, size] = self.terms()?;
                Ok(Op::Fill { dst, byte, size })
            }
            "havoc_memory" => {
                self.bump()?;
                Ok(Op::HavocMemory { pointers: self.args()? })
            }
            "scope_begin" => {
                self.bump()?;
                Ok(Op::ScopeBegin(self.object()?))
            }
            "scope_end" => {
                self.bump()?;
                Ok(Op::ScopeEnd(self.object()?))
            }
            "free" => {
                self.bump()?;
                Ok(Op::Free { addr: self.term()?, kind: FreeKind::Heap })
            }
            "end_array" => {
                self.bump()?;
                Ok(Op::Free { addr: self.term()?, kind: FreeKind::Array })
            }
            "call" => {
                self.bump()?;
                let (callee, args) = self.callee()?;
                Ok(Op::Call { dst: None, callee, args })
            }
            "return" => {
                self.bump()?;
                let value = if self.at_term() { Some(self.term()?) } else { None };
                Ok(Op::Return { value })
            }
            "join" => {
                self.bump()?;
                Ok(Op::Join { handle: self.term()?, dst: None })
            }
            "thread_exit" => {
                self.bump()?;
                Ok(Op::ThreadExit { value: self.term()? })
            }
            "print" => {
                self.bump()?;
                Ok(Op::Print { args: self.args()? })
            }
            "external" => {
                self.bump()?;
                let word = self.word("what is assumed")?;
                let Some(assumed) = Assumed::ALL.into_iter().find(|it| it.name() == word) else {
                    return self.error(format!("'{word}' is nothing that is assumed"));
                };
                let function = self.quoted()?;
                let function = self.program.names.intern(&function);
                Ok(Op::External { function, assumed, args: self.args()? })
            }
            "error" => {
                self.bump()?;
                Ok(Op::Error(self.error_kind()?))
            }
            "claim" => {
                self.bump()?;
                Ok(Op::Claim(self.error_kind()?))
            }
            "exit" => {
                self.bump()?;
                Ok(Op::Exit { status: self.term()? })
            }
            "unsupported" => {
                self.bump()?;
                let what = self.quoted()?;
                Ok(Op::Unsupported(Gap::NotModelled(self.program.names.intern(&what))))
            }
            "undefined" => {
                self.bump()?;
                let what = self.quoted()?;
                Ok(Op::Unsupported(Gap::Undefined(self.program.names.intern(&what))))
            }
            "choice" => {
                self.bump()?;
                self.choice(depth + 1)
            }
            _ => self.unexpected("an operation"),
        }
    }

    fn op_with_result(&mut self, dst: Var) -> Result<Op, ParseError> {
        let word = match &self.token {
            Token::Word(word) => word.clone(),
            _ => return Ok(Op::Assign { dst, value: self.term()? }),
        };
        if let Some(op) = SyncOp::from_name(&word) {
            self.bump()?;
            return Ok(Op::Sync { op, args: self.args()?, dst: Some(dst) });
        }
        match word.as_str() {
            "havoc" => {
                self.bump()?;
                Ok(Op::Havoc { dst, kind: self.havoc_kind()? })
            }
            "load" => {
                self.bump()?;
                let order = self.order()?;
                Ok(Op::Load { dst, addr: self.term()?, order })
            }
            "alloc" => {
                self.bump()?;
                let word = self.word("a kind of allocation")?;
                let all = [AllocKind::Heap, AllocKind::HeapZeroed, AllocKind::Stack];
                match all.into_iter().find(|kind| kind.name() == word) {
                    Some(kind) => Ok(Op::Alloc { dst, size: self.term()?, kind }),
                    None => self.error(format!("'{word}' is no kind of allocation")),
                }
            }
            "inspect" => {
                self.bump()?;
                let word = self.word("a fact about an object")?;
                match ObjectFact::ALL.into_iter().find(|fact| fact.name() == word) {
                    Some(fact) => Ok(Op::Inspect { dst, addr: self.term()?, fact }),
                    None => self.error(format!("'{word}' is no fact about an object")),
                }
            }
            "realloc" => {
                self.bump()?;
                let [addr, size] = self.terms()?;
                Ok(Op::Realloc { dst, addr, size })
            }
            "call" => {
                self.bump()?;
                let (callee, args) = self.callee()?;
                Ok(Op::Call { dst: Some(dst), callee, args })
            }
            "start" => {
                self.bump()?;
                let (routine, args) = self.callee()?;
                Ok(Op::Start { dst, routine, args })
            }
            "join" => {
                self.bump()?;
                Ok(Op::Join { handle: self.term()?, dst: Some(dst) })
            }
            "thread_self" => {
                self.bump()?;
                Ok(Op::ThreadSelf { dst })
            }
            _ => Ok(Op::Assign { dst, value: self.term()? }),
        }
    }

    fn choice(&mut self, depth: usize) -> Result<Op, ParseError> {
        if depth > MAX_CHOICE_DEPTH {
            return self.error("choices nest too deep");
        }
        let mut branches = Vec::new();
        loop {
            self.expect_punct("{")?;
            branches.push(self.sequence(depth)?);
            self.expect_punct("}")?;
            if !self.eat_word("or")? {
                return Ok(Op::Choice(branches));
            }
        }
    }

    fn havoc_kind(&mut self) -> Result<HavocKind, ParseError> {
        let word = self.word("a kind of havoc")?;
        Ok(match word.as_str() {
            "input" => {
                let name = self.quoted()?;
                HavocKind::Input(self.program.names.intern(&name))
            }
            "extern" => {
                let name = self.quoted()?;
                HavocKind::Extern(self.program.names.intern(&name))
            }
            "not_modelled" => {
                let what = self.quoted()?;
                HavocKind::NotModelled(self.program.names.intern(&what))
            }
            "uninitialised" => HavocKind::Uninitialised,
            "unspecified" => HavocKind::Unspecified,
            _ => return self.error(format!("'{word}' is no kind of havoc")),
        })
    }

    fn error_kind(&mut self) -> Result<ErrorKind, ParseError> {
        let word = self.word("a kind of error")?;
        match ErrorKind::ALL.into_iter().find(|kind| kind.name() == word) {
            Some(kind) => Ok(kind),
            None => self.error(format!("'{word}' is no kind of error")),
        }
    }

    fn order(&mut self) -> Result<MemoryOrder, ParseError> {
        Ok(if self.eat_word("volatile")? {
            MemoryOrder::Volatile
        } else if self.eat_word("atomic")? {
            MemoryOrder::Atomic
        } else {
            MemoryOrder::Plain
        })
    }

    fn callee(&mut self) -> Result<(Callee, Vec<Term>), ParseError> {
        let callee = if self.eat_punct("*[")? {
            let pointer = self.term()?;
            self.expect_punct("]")?;
            Callee::Pointer(pointer)
        } else {
            Callee::Direct(self.proc()?)
        };
        Ok((callee, self.args()?))
    }

    fn args(&mut self) -> Result<Vec<Term>, ParseError> {
        self.expect_punct("(")?;
        let mut args = Vec::new();
        while !self.at_punct(")") {
            if !args.is_empty() {
                self.expect_punct(",")?;
            }
            args.push(self.term()?);
        }
        self.expect_punct(")")?;
        Ok(args)
    }

    /// Exactly `N` terms, separated by commas.
    fn terms<const N: usize>(&mut self) -> Result<[Term; N], ParseError> {
        let first = self.term()?;
        let mut terms = [first; N];
        for term in terms.iter_mut().skip(1) {
            self.expect_punct(",")?;
            *term = self.term()?;
        }
        Ok(terms)
    }

    /// Whether a term may begin here, instead of the next edge or the end of the body.
    fn at_term(&self) -> bool {
        match &self.token {
            Token::Named(_, kind, _) => *kind == 'v',
            Token::Number(_) => true,
            Token::Punct(punct) => *punct == "&",
            Token::Word(word) => super::declare::loc_index(word).is_none(),
            Token::Quoted(_) | Token::Position(..) | Token::Bound(_) | Token::End => false,
        }
    }

    pub(super) fn var(&mut self) -> Result<Var, ParseError> {
        Ok(Var::new(self.name('v', "a variable")? as usize))
    }

    pub(super) fn object(&mut self) -> Result<Object, ParseError> {
        Ok(Object::new(self.name('o', "an object")? as usize))
    }

    pub(super) fn proc(&mut self) -> Result<Proc, ParseError> {
        Ok(Proc::new(self.name('p', "a procedure")? as usize))
    }
}
