//! Declarations of the text format, and the program they make up.

use ravelin_base::{EntityRef, PrimaryMap, SrcPos};
use ravelin_term::{Term, TermPool};
use rustc_hash::FxHashMap;

use super::lex::MAX_INDEX;
use super::{ParseError, Parser, Place, Token};
use crate::model::{
    Blocks, Init, Loc, ObjectData, ObjectKind, Proc, Procedure, Program, VarData, VarKind,
};
use crate::op::Label;
use crate::property::{Properties, Property};

type Labels = smallvec::SmallVec<[Label; 1]>;

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Result<(), ParseError> {
        self.expect_word("program")?;
        let place = self.place;
        let model = self.word("a data model")?;
        self.program.data_model =
            model.parse().map_err(|message: String| ParseError::new(place, message))?;
        self.program.terms = TermPool::new(self.program.data_model.pointer_bits());
        self.program.blocks = self.blocks()?;
        if self.eat_word("checks")? {
            self.program.checked = self.checked()?;
        }
        if self.eat_word("entry")? {
            self.program.entry = Some(self.proc()?);
        }
        loop {
            match &self.token {
                Token::End => return Ok(()),
                Token::Word(word) => match word.as_str() {
                    "global" | "thread_local" => self.shared_var()?,
                    "object" => self.object_decl(None)?,
                    "proc" => self.procedure()?,
                    _ => return self.unexpected("a declaration"),
                },
                _ => return self.unexpected("a declaration"),
            }
        }
    }

    /// The finished program, if no index is missing.
    pub(super) fn finish(mut self) -> Result<Program, ParseError> {
        let (vars, objects, procs) = (
            std::mem::take(&mut self.vars),
            std::mem::take(&mut self.objects),
            std::mem::take(&mut self.procs),
        );
        self.program.vars = self.dense('v', vars)?;
        self.program.objects = self.dense('o', objects)?;
        self.program.procs = self.dense('p', procs)?;
        Ok(self.program)
    }

    fn dense<K: EntityRef, V>(
        &self,
        kind: char,
        mut declared: FxHashMap<u32, V>,
    ) -> Result<PrimaryMap<K, V>, ParseError> {
        // A name that was used but not declared, the first in the text.
        let missing = self
            .names
            .iter()
            .filter(|((name_kind, index), _)| *name_kind == kind && !declared.contains_key(index))
            .map(|((_, index), (_, place))| (place.line, place.column, *index))
            .min();
        if let Some((line, column, index)) = missing {
            let message = format!("{kind}{index} is not declared");
            return Err(ParseError::new(Place { line, column }, message));
        }
        let count = declared.len();
        let mut map = PrimaryMap::with_capacity(count);
        for index in 0..count as u32 {
            match declared.remove(&index) {
                Some(value) => map.push(value),
                None => {
                    return self.error(format!("there are {count} {kind}s, but no {kind}{index}"));
                }
            };
        }
        Ok(map)
    }

    fn checked(&mut self) -> Result<Properties, ParseError> {
        let mut properties = Properties::default();
        while let Token::Word(word) = &self.token
            && let Some(property) = Property::named(&word.replace('_', "-"))
        {
            self.word("a property")?;
            properties.insert(property);
        }
        Ok(properties)
    }

    fn blocks(&mut self) -> Result<Blocks, ParseError> {
        let word = self.word("a kind of blocks")?;
        let all = [Blocks::Source, Blocks::Single, Blocks::ThreadLocal, Blocks::Sequential];
        match all.into_iter().find(|blocks| blocks.name() == word) {
            Some(blocks) => Ok(blocks),
            None => self.error(format!("'{word}' is no kind of blocks")),
        }
    }

    fn shared_var(&mut self) -> Result<(), ParseError> {
        let is_global = self.word("a declaration")? == "global";
        let (index, place, mut data) = self.var_head(VarKind::ThreadLocal { init: None })?;
        let atomic = is_global && self.eat_word("atomic")?;
        self.expect_punct("=")?;
        let init = if self.eat_word("any")? { None } else { Some(self.term()?) };
        data.kind = match is_global {
            true => VarKind::Global { init, atomic },
            false => VarKind::ThreadLocal { init },
        };
        data.pos = self.position()?;
        self.declare_var(index, place, data)
    }

    fn local_var(&mut self, owner: Proc) -> Result<(), ParseError> {
        self.expect_word("local")?;
        let (index, place, mut data) = self.var_head(VarKind::Local(owner))?;
        data.pos = self.position()?;
        self.declare_var(index, place, data)
    }

    fn var_head(&mut self, kind: VarKind) -> Result<(u32, Place, VarData), ParseError> {
        let place = self.place;
        let index = self.name('v', "a variable")?;
        let name = self.symbol_of('v', index);
        self.expect_punct(":")?;
        let sort = self.sort()?;
        let signed = self.eat_word("signed")?;
        Ok((index, place, VarData { name, sort, signed, kind, pos: SrcPos::NONE }))
    }

    fn declare_var(&mut self, index: u32, place: Place, data: VarData) -> Result<(), ParseError> {
        match self.vars.insert(index, data) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(place, format!("v{index} is declared twice"))),
        }
    }

    fn symbol_of(&mut self, kind: char, index: u32) -> ravelin_base::Symbol {
        match self.names.get(&(kind, index)) {
            Some((name, _)) => self.program.names.intern(name),
            None => ravelin_base::Interner::EMPTY,
        }
    }

    fn object_decl(&mut self, owner: Option<Proc>) -> Result<(), ParseError> {
        self.expect_word("object")?;
        let place = self.place;
        let index = self.object()?.as_u32();
        let name = self.symbol_of('o', index);
        self.expect_punct(":")?;
        let word = self.word("a kind of object")?;
        let kind = match (word.as_str(), owner) {
            ("global", None) => ObjectKind::Global,
            ("constant", None) => ObjectKind::Constant,
            ("thread_local", None) => ObjectKind::ThreadLocal,
            ("function", None) => ObjectKind::Function(self.proc()?),
            ("local", Some(owner)) => ObjectKind::Local(owner),
            _ => return self.error(format!("'{word}' is no kind of object here")),
        };
        let is_record = self.eat_word("record")?;
        self.expect_word("size")?;
        let size = self.number()?;
        self.expect_word("align")?;
        let align = self.number()?;
        self.expect_punct("=")?;
        let init = self.init()?;
        let pos = self.position()?;
        let data = ObjectData { name, kind, size, align, is_record, init, pos };
        match self.objects.insert(index, data) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(place, format!("o{index} is declared twice"))),
        }
    }

    fn init(&mut self) -> Result<Init, ParseError> {
        if self.eat_word("any")? {
            return Ok(Init::Indeterminate);
        }
        if self.eat_word("zero")? {
            return Ok(Init::Zero);
        }
        if self.eat_word("bytes")? {
            let place = self.place;
            let digits = self.quoted()?;
            return match parse_bytes(&digits) {
                Some(bytes) => Ok(Init::Bytes(bytes)),
                None => Err(ParseError::new(place, "expected two hexadecimal digits per byte")),
            };
        }
        self.expect_punct("{")?;
        let mut values: Vec<(u64, Term)> = Vec::new();
        while !self.at_punct("}") {
            if !values.is_empty() {
                self.expect_punct(",")?;
            }
            let offset = self.number()?;
            self.expect_punct(":")?;
            values.push((offset, self.term()?));
        }
        self.expect_punct("}")?;
        Ok(Init::Values(values))
    }

    fn procedure(&mut self) -> Result<(), ParseError> {
        self.expect_word("proc")?;
        let place = self.place;
        let proc = self.proc()?;
        let index = proc.as_u32();
        let name = self.symbol_of('p', index);
        let mut procedure = Procedure::new(name, SrcPos::NONE);
        self.expect_punct("(")?;
        while !self.at_punct(")") {
            if !procedure.params.is_empty() {
                self.expect_punct(",")?;
            }
            procedure.params.push(self.var()?);
        }
        self.expect_punct(")")?;
        if self.eat_punct("->")? {
            procedure.result = Some(self.sort()?);
        }
        procedure.pos = self.position()?;
        self.expect_punct("{")?;
        while self.at_word("local") {
            self.local_var(proc)?;
        }
        while self.at_word("object") {
            self.object_decl(Some(proc))?;
        }
        self.graph(&mut procedure)?;
        match self.procs.insert(index, procedure) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(place, format!("p{index} is declared twice"))),
        }
    }

    /// Entry, exit and edges, to the end of the procedure.
    fn graph(&mut self, procedure: &mut Procedure) -> Result<(), ParseError> {
        let place = self.place;
        self.expect_word("entry")?;
        let entry = self.loc()?;
        self.expect_word("exit")?;
        let exit = self.loc()?;
        let mut edges: Vec<(Loc, Loc, Labels)> = Vec::new();
        while !self.eat_punct("}")? {
            let source = self.loc()?;
            self.expect_punct("->")?;
            let target = self.loc()?;
            self.expect_punct(":")?;
            edges.push((source, target, self.labels()?));
        }
        let ends = edges.iter().flat_map(|(source, target, _)| [*source, *target]);
        let count = 1 + ends.chain([entry, exit]).map(EntityRef::index).max().unwrap_or(0);
        // Every location except entry and exit is the end of some edge, so a location number cannot
        // be much larger than the text.
        if count > 2 * edges.len() + 2 {
            return Err(ParseError::new(place, "the numbers of locations have holes"));
        }
        procedure.locs = PrimaryMap::with_capacity(count);
        (0..count).for_each(|_| {
            procedure.add_loc();
        });
        procedure.entry = entry;
        procedure.exit = exit;
        for (source, target, labels) in edges {
            procedure.add_edge(source, target, labels);
        }
        Ok(())
    }

    fn loc(&mut self) -> Result<Loc, ParseError> {
        let found = match &self.token {
            Token::Word(word) => loc_index(word),
            _ => None,
        };
        match found {
            Some(index) => {
                self.bump()?;
                Ok(Loc::new(index as usize))
            }
            None => self.unexpected("a location"),
        }
    }
}

/// The number in a location's name.
pub(super) fn loc_index(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('l')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten().filter(|&index| index <= MAX_INDEX)
}

fn parse_bytes(digits: &str) -> Option<Box<[u8]>> {
    if !digits.is_ascii() {
        return None;
    }
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let text = std::str::from_utf8(pair).ok().filter(|text| text.len() == 2)?;
            u8::from_str_radix(text, 16).ok().filter(|_| !text.starts_with('+'))
        })
        .collect()
}
