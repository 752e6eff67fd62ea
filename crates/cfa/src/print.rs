//! The text format. [`crate::parse()`] reads it back.
//!
//! ```text
//! program LP64 source
//! entry main.p0
//! global x.v0: bv32 signed = 0:bv32 @ f.c:1:5
//! object buf.o0: global size 16 align 4 = zero @ f.c:2:6
//!
//! proc main.p0() -> bv32 @ f.c:3:5 {
//!   local i.v1: bv32 signed @ f.c:4:7
//!   entry l0
//!   exit l1
//!   l0 -> l2: i.v1 := bvadd(x.v0, 1:bv32) @ f.c:5:3
//!   l2 -> l1: return i.v1 @ f.c:6:3
//! }
//! ```
//!
//! A name is the name in the source, followed by the index. Only the index identifies the thing,
//! because names repeat. A name that is not a plain word stands in quotes. `;` separates several
//! labels on an edge, and `empty` stands for no labels. Line ends have no meaning, and `//` begins
//! a comment.

use std::fmt::{self, Display, Write};

use ravelin_base::{SrcPos, Symbol};
use ravelin_term::text::Names;
use ravelin_term::{Object, Term, Var};

use crate::model::{
    Blocks, Init, Loc, ObjectData, ObjectKind, Proc, Procedure, Program, VarData, VarKind,
};
use crate::op::{AllocKind, Callee, ErrorKind, FreeKind, Gap, HavocKind, Label, MemoryOrder, Op};
use crate::property::Property;

/// Displays a value with a function.
struct Show<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Show<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// Whether source positions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    Shown,
    Hidden,
}

/// Prints the whole program.
pub fn write_program(out: &mut dyn Write, program: &Program, positions: Positions) -> fmt::Result {
    Printer { program, positions, out }.program()
}

/// A term in the text format.
pub fn term(program: &Program, term: Term) -> impl Display + '_ {
    Show(move |f: &mut fmt::Formatter<'_>| program.terms.print(f, term, program))
}

/// An operation in the text format.
pub fn op<'a>(program: &'a Program, op: &'a Op) -> impl Display + 'a {
    Show(move |f: &mut fmt::Formatter<'_>| {
        Printer { program, positions: Positions::Hidden, out: f }.op(op)
    })
}

/// A variable's name and index.
pub fn var(program: &Program, var: Var) -> impl Display + '_ {
    Show(move |f: &mut fmt::Formatter<'_>| program.write_var(f, var))
}

/// An object's name and index.
pub fn object(program: &Program, object: Object) -> impl Display + '_ {
    Show(move |f: &mut fmt::Formatter<'_>| program.write_object(f, object))
}

/// A procedure's name and index.
pub fn proc(program: &Program, proc: Proc) -> impl Display + '_ {
    Show(move |f: &mut fmt::Formatter<'_>| {
        write_word(f, program.name(program.procs[proc].name))?;
        write!(f, ".{proc}")
    })
}

/// A source position as `file:line:column`.
pub fn position(program: &Program, pos: SrcPos) -> impl Display + '_ {
    Show(move |f: &mut fmt::Formatter<'_>| {
        write_file(f, program.name(pos.file))?;
        write!(f, ":{}:{}", pos.line, pos.column)
    })
}

/// The name of a file, in quotes if it is ambiguous without.
pub(crate) fn write_file(f: &mut fmt::Formatter<'_>, file: &str) -> fmt::Result {
    match is_plain_path(file) {
        true => f.write_str(file),
        false => write_quoted(f, file),
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_program(f, self, Positions::Shown)
    }
}

impl Names for Program {
    fn write_var(&self, out: &mut dyn Write, var: Var) -> fmt::Result {
        write_word(out, self.name(self.vars[var].name))?;
        write!(out, ".{var}")
    }

    fn write_object(&self, out: &mut dyn Write, object: Object) -> fmt::Result {
        write_word(out, self.name(self.objects[object].name))?;
        write!(out, ".{object}")
    }
}

impl Blocks {
    /// As in the first line of the text format.
    pub fn name(self) -> &'static str {
        match self {
            Blocks::Source => "source",
            Blocks::Single => "single",
            Blocks::ThreadLocal => "thread_local",
            Blocks::Sequential => "sequential",
        }
    }
}

impl AllocKind {
    /// As in the text format.
    pub fn name(self) -> &'static str {
        match self {
            AllocKind::Heap => "heap",
            AllocKind::HeapZeroed => "heap_zeroed",
            AllocKind::Stack => "stack",
        }
    }
}

impl ErrorKind {
    /// As in the text format.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::ReachError => "reach_error",
            ErrorKind::AssertFailed => "assert_failed",
            ErrorKind::Aborted => "aborted",
            ErrorKind::Trapped => "trapped",
            ErrorKind::Unreachable => "unreachable",
            ErrorKind::SignedOverflow => "signed_overflow",
            ErrorKind::DivisionByZero => "division_by_zero",
            ErrorKind::InvalidShift => "invalid_shift",
            ErrorKind::OverlappingCopy => "overlapping_copy",
            ErrorKind::UnfitFormat => "unfit_format",
            ErrorKind::UninitialisedRead => "uninitialised_read",
            ErrorKind::IndexOutOfBounds => "index_out_of_bounds",
            ErrorKind::InvalidAccess => "invalid_access",
            ErrorKind::InvalidFree => "invalid_free",
            ErrorKind::LostMemory => "lost_memory",
            ErrorKind::DataRace => "data_race",
            ErrorKind::UnfreedMemory => "unfreed_memory",
        }
    }
}

struct Printer<'a> {
    program: &'a Program,
    positions: Positions,
    out: &'a mut dyn Write,
}

impl Printer<'_> {
    fn program(&mut self) -> fmt::Result {
        let program = self.program;
        writeln!(self.out, "program {} {}", program.data_model, program.blocks.name())?;
        if program.checked != Property::UnreachCall.into() {
            write!(self.out, "checks")?;
            for property in program.checked.iter() {
                write!(self.out, " {}", property.name().replace('-', "_"))?;
            }
            writeln!(self.out)?;
        }
        if let Some(entry) = program.entry {
            writeln!(self.out, "entry {}", proc(program, entry))?;
        }
        let mut locals = ravelin_base::SecondaryMap::<Proc, (Vec<Var>, Vec<Object>)>::new();
        for (var, data) in program.vars.iter() {
            match data.kind {
                VarKind::Local(owner) => locals[owner].0.push(var),
                VarKind::Global { .. } | VarKind::ThreadLocal { .. } => self.var_decl(var, data)?,
            }
        }
        for (object, data) in program.objects.iter() {
            match data.kind {
                ObjectKind::Local(owner) => locals[owner].1.push(object),
                ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Function(_) => self.object_decl(object, data)?,
            }
        }
        for (id, procedure) in program.procs.iter() {
            writeln!(self.out)?;
            let (vars, objects) = &locals[id];
            self.procedure(id, procedure, vars, objects)?;
        }
        Ok(())
    }

    fn var_decl(&mut self, id: Var, data: &VarData) -> fmt::Result {
        let (keyword, atomic, init) = match data.kind {
            VarKind::Global { init, atomic } => ("global", atomic, Some(init)),
            VarKind::ThreadLocal { init } => ("thread_local", false, Some(init)),
            VarKind::Local(_) => ("  local", false, None),
        };
        write!(self.out, "{keyword} {}: {}", var(self.program, id), data.sort)?;
        if data.signed {
            self.out.write_str(" signed")?;
        }
        if atomic {
            self.out.write_str(" atomic")?;
        }
        match init {
            Some(Some(init)) => {
                self.out.write_str(" = ")?;
                self.term(init)?;
            }
            Some(None) => self.out.write_str(" = any")?,
            None => {}
        }
        self.position(data.pos)?;
        writeln!(self.out)
    }

    fn object_decl(&mut self, id: Object, data: &ObjectData) -> fmt::Result {
        let (indent, kind) = match data.kind {
            ObjectKind::Global => ("", "global"),
            ObjectKind::Constant => ("", "constant"),
            ObjectKind::ThreadLocal => ("", "thread_local"),
            ObjectKind::Local(_) => ("  ", "local"),
            ObjectKind::Function(_) => ("", "function"),
        };
        write!(self.out, "{indent}object {}: {kind}", object(self.program, id))?;
        if let ObjectKind::Function(target) = data.kind {
            write!(self.out, " {}", proc(self.program, target))?;
        }
        if data.is_record {
            self.out.write_str(" record")?;
        }
        write!(self.out, " size {} align {} = ", data.size, data.align)?;
        match &data.init {
            Init::Indeterminate => self.out.write_str("any")?,
            Init::Zero => self.out.write_str("zero")?,
            Init::Bytes(bytes) => {
                self.out.write_str("bytes \"")?;
                for byte in bytes {
                    write!(self.out, "{byte:02x}")?;
                }
                self.out.write_char('"')?;
            }
            Init::Values(values) => {
                self.out.write_str("{")?;
                for (index, &(offset, value)) in values.iter().enumerate() {
                    let separator = if index == 0 { " " } else { ", " };
                    write!(self.out, "{separator}{offset}: ")?;
                    self.term(value)?;
                }
                self.out.write_str(" }")?;
            }
        }
        self.position(data.pos)?;
        writeln!(self.out)
    }

    fn procedure(
        &mut self,
        id: Proc,
        procedure: &Procedure,
        vars: &[Var],
        objects: &[Object],
    ) -> fmt::Result {
        write!(self.out, "proc {}(", proc(self.program, id))?;
        for (index, &param) in procedure.params.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(self.out, "{separator}{}", var(self.program, param))?;
        }
        self.out.write_char(')')?;
        if let Some(sort) = procedure.result {
            write!(self.out, " -> {sort}")?;
        }
        self.position(procedure.pos)?;
        self.out.write_str(" {\n")?;
        for &local in vars {
            self.var_decl(local, &self.program.vars[local])?;
        }
        for &local in objects {
            self.object_decl(local, &self.program.objects[local])?;
        }
        writeln!(self.out, "  entry {}\n  exit {}", procedure.entry, procedure.exit)?;
        for data in procedure.locs.values() {
            for &edge in &data.out {
                let edge = &procedure.edges[edge];
                self.edge(edge.source, edge.target, &edge.labels)?;
            }
        }
        self.out.write_str("}\n")
    }

    fn edge(&mut self, source: Loc, target: Loc, labels: &[Label]) -> fmt::Result {
        write!(self.out, "  {source} -> {target}: ")?;
        if labels.is_empty() {
            self.out.write_str("empty")?;
        }
        self.sequence(labels, 4)?;
        self.out.write_char('\n')
    }

    fn sequence(&mut self, labels: &[Label], indent: usize) -> fmt::Result {
        for (index, label) in labels.iter().enumerate() {
            if index > 0 {
                write!(self.out, ";\n{:indent$}", "")?;
            }
            if let Op::Choice(branches) = &label.op {
                for (index, branch) in branches.iter().enumerate() {
                    self.out.write_str(if index == 0 { "choice {" } else { " or {" })?;
                    write!(self.out, "\n{:width$}", "", width = indent + 2)?;
                    self.sequence(branch, indent + 2)?;
                    write!(self.out, "\n{:indent$}}}", "")?;
                }
            } else {
                self.op(&label.op)?;
            }
            self.position(label.pos)?;
        }
        Ok(())
    }

    fn op(&mut self, op: &Op) -> fmt::Result {
        if let Some(dst) = op.dst() {
            write!(self.out, "{} := ", var(self.program, dst))?;
        }
        match op {
            Op::Skip => self.out.write_str("skip"),
            Op::Assume(cond) => self.keyword_terms("assume ", &[*cond]),
            Op::Assign { dst: _, value } => self.term(*value),
            Op::Havoc { dst: _, kind } => self.havoc(*kind),
            Op::Load { dst: _, addr, order } => {
                write!(self.out, "load{} ", order_word(*order))?;
                self.term(*addr)
            }
            Op::Store { addr, value, order } => {
                write!(self.out, "store{} ", order_word(*order))?;
                self.terms(&[*addr, *value])
            }
            Op::Copy { dst, src, size } => self.keyword_terms("copy ", &[*dst, *src, *size]),
            Op::Fill { dst, byte, size } => self.keyword_terms("fill ", &[*dst, *byte, *size]),
            Op::HavocMemory { pointers } => self.call_like("havoc_memory", pointers),
            Op::ScopeBegin(id) => write!(self.out, "scope_begin {}", object(self.program, *id)),
            Op::ScopeEnd(id) => write!(self.out, "scope_end {}", object(self.program, *id)),
            Op::Alloc { dst: _, size, kind } => {
                write!(self.out, "alloc {} ", kind.name())?;
                self.term(*size)
            }
            Op::Realloc { dst: _, addr, size } => self.keyword_terms("realloc ", &[*addr, *size]),
            Op::Free { addr, kind: FreeKind::Heap } => self.keyword_terms("free ", &[*addr]),
            Op::Free { addr, kind: FreeKind::Array } => self.keyword_terms("end_array ", &[*addr]),
            Op::Call { dst: _, callee, args } => self.callee("call", callee, args),
            Op::Return { value: None } => self.out.write_str("return"),
            Op::Return { value: Some(value) } => self.keyword_terms("return ", &[*value]),
            Op::Start { dst: _, routine, args } => self.callee("start", routine, args),
            Op::Join { handle, dst: _ } => self.keyword_terms("join ", &[*handle]),
            Op::ThreadExit { value } => self.keyword_terms("thread_exit ", &[*value]),
            Op::ThreadSelf { dst: _ } => self.out.write_str("thread_self"),
            Op::Inspect { dst: _, addr, fact } => {
                write!(self.out, "inspect {} ", fact.name())?;
                self.term(*addr)
            }
            Op::Sync { op, args, dst: _ } => self.call_like(op.info().name, args),
            Op::AtomicBegin => self.out.write_str("atomic_begin"),
            Op::AtomicEnd => self.out.write_str("atomic_end"),
            Op::Print { args } => self.call_like("print", args),
            Op::External { function, assumed, args } => {
                write!(self.out, "external {} ", assumed.name())?;
                write_quoted(self.out, self.program.name(*function))?;
                self.call_like("", args)
            }
            Op::Error(kind) => write!(self.out, "error {}", kind.name()),
            Op::Claim(kind) => write!(self.out, "claim {}", kind.name()),
            Op::Exit { status } => self.keyword_terms("exit ", &[*status]),
            Op::Abort => self.out.write_str("abort"),
            Op::Unsupported(gap) => {
                let (keyword, what) = match gap {
                    Gap::NotModelled(what) => ("unsupported ", what),
                    Gap::Undefined(what) => ("undefined ", what),
                };
                self.out.write_str(keyword)?;
                write_quoted(self.out, self.program.name(*what))
            }
            Op::Choice(branches) => {
                // On its own, without the layout of an edge: one line.
                for (index, branch) in branches.iter().enumerate() {
                    self.out.write_str(if index == 0 { "choice { " } else { " or { " })?;
                    for (index, label) in branch.iter().enumerate() {
                        self.out.write_str(if index == 0 { "" } else { "; " })?;
                        self.op(&label.op)?;
                    }
                    self.out.write_str(" }")?;
                }
                Ok(())
            }
        }
    }

    fn havoc(&mut self, kind: HavocKind) -> fmt::Result {
        let (word, name): (&str, Option<Symbol>) = match kind {
            HavocKind::Input(name) => ("input", Some(name)),
            HavocKind::Uninitialised => ("uninitialised", None),
            HavocKind::Extern(name) => ("extern", Some(name)),
            HavocKind::Unspecified => ("unspecified", None),
            HavocKind::NotModelled(what) => ("not_modelled", Some(what)),
        };
        write!(self.out, "havoc {word}")?;
        if let Some(name) = name {
            self.out.write_char(' ')?;
            write_quoted(self.out, self.program.name(name))?;
        }
        Ok(())
    }

    fn callee(&mut self, word: &str, callee: &Callee, args: &[Term]) -> fmt::Result {
        match callee {
            Callee::Direct(id) => write!(self.out, "{word} {}", proc(self.program, *id))?,
            Callee::Pointer(pointer) => {
                write!(self.out, "{word} *[")?;
                self.term(*pointer)?;
                self.out.write_char(']')?;
            }
        }
        self.call_like("", args)
    }

    fn call_like(&mut self, word: &str, args: &[Term]) -> fmt::Result {
        write!(self.out, "{word}(")?;
        self.terms(args)?;
        self.out.write_char(')')
    }

    fn keyword_terms(&mut self, word: &str, terms: &[Term]) -> fmt::Result {
        self.out.write_str(word)?;
        self.terms(terms)
    }

    fn terms(&mut self, terms: &[Term]) -> fmt::Result {
        for (index, &term) in terms.iter().enumerate() {
            if index > 0 {
                self.out.write_str(", ")?;
            }
            self.term(term)?;
        }
        Ok(())
    }

    fn term(&mut self, term: Term) -> fmt::Result {
        self.program.terms.print(self.out, term, self.program)
    }

    fn position(&mut self, pos: SrcPos) -> fmt::Result {
        match self.positions {
            Positions::Shown if !pos.is_none() => {
                write!(self.out, " @ {}", position(self.program, pos))
            }
            Positions::Shown | Positions::Hidden => Ok(()),
        }
    }
}

fn order_word(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::Plain => "",
        MemoryOrder::Volatile => " volatile",
        MemoryOrder::Atomic => " atomic",
    }
}

/// Whether a name needs no quotes.
pub(crate) fn is_plain_word(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '$');
    name.chars().next().is_some_and(|first| !first.is_ascii_digit() && first != '$')
        && name.chars().all(inner)
}

/// Whether a file name needs no quotes.
pub(crate) fn is_plain_path(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '+');
    !path.is_empty() && path.chars().all(plain)
}

fn write_word(out: &mut dyn Write, name: &str) -> fmt::Result {
    if is_plain_word(name) { out.write_str(name) } else { write_quoted(out, name) }
}

fn write_quoted(out: &mut dyn Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            c if c.is_control() => write!(out, "\\u{{{:x}}}", u32::from(c))?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
