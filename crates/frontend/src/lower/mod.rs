//! From the syntax tree to the automaton, in one pass over each unit.
//!
//! Types are checked on the way: an expression is lowered to a term and its C type at once, so that
//! no second tree is built. The effects of an expression (assignments, calls, loads) become labels
//! on edges in gcc's order.
//!
//! - [`declare`]: specifiers and declarators to types; [`record`]: structs, unions, enumerations;
//!   [`attribute`]: attributes; [`global`]: file-scope names; [`linkage`]: which functions names
//!   link to; [`scope`]: names;
//! - [`body`]: the graph under construction; [`stmt`], [`labels`]: statements; [`start`]: what calls
//!   `main`;
//! - [`checks`]: which operations are checked for the asked properties, by their operands' [`bounds`];
//! - [`expr`], [`conditional`]: expressions; [`place`]: lvalues; [`arith`], [`convert`],
//!   [`literal`]: values; [`parts`], [`vectors`]: complex numbers and vectors; [`order`]: which operand comes first; [`init`], [`init_constant`]:
//!   initialisers;
//! - [`call`], [`varargs`]: calls, [`external`]: of functions without body; [`intrinsics`], [`atomics`],
//!   [`bits`], [`floats`], [`formatted`]: library functions lowered by code; [`inputs`], [`asynchronous`]: those of
//!   verifiers;
//! - [`posix`]: effects of library functions that only some programs observe;
//! - [`rounding`]: floats in other rounding modes; [`jumps`]: `setjmp` and `longjmp`; [`object_size`]: what gcc knows of
//!   the sizes of objects;
//! - [`reconcile`]: calls whose declaration was not the definition's; [`thread_end`]: what happens where threads
//!   and the program end.

mod arguments;
mod arith;
mod assembly;
mod asynchronous;
mod atomics;
mod attribute;
mod bits;
mod body;
mod bounds;
mod call;
mod checks;
mod conditional;
mod convert;
mod declare;
mod expr;
mod external;
mod floats;
mod formatted;
mod global;
mod init;
mod init_constant;
mod initialisation;
mod inner_bounds;
mod inputs;
mod intrinsics;
mod jumps;
mod labels;
mod linkage;
mod literal;
mod object_size;
mod order;
mod parts;
mod place;
mod posix;
mod reconcile;
mod record;
mod rounding;
mod scope;
mod start;
mod stmt;
mod thread_end;
mod uninterpreted;
mod varargs;
mod vectors;

use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use ravelin_base::{Diagnostic, PrimaryMap, SourceMap, SrcPos, Symbol};
use ravelin_cfa::{AllocKind, Gap, Object, Op, Program, Property, Sort, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::errors::ErrorCalls;
use crate::library::CModel;
use crate::prescan::{self, Facts};
use crate::source::original_name;
use crate::types::{Parts, Ty, Types};
use crate::{External, Reading};
pub(crate) use asynchronous::starts_thread;
use body::Body;
use global::{Func, Function, Global, GlobalData};
use scope::Scopes;

/// An error was reported; lowering skips the construct around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Result<T> = std::result::Result<T, Reported>;

/// The value of an expression: a scalar's term, or the address of a struct's bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Val {
    pub term: Term,
    pub ty: Ty,
}

/// The alignment of glibc's `malloc`, in both data models.
const HEAP_ALIGNMENT: u32 = 16;

/// A unit and how its positions are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit<'a> {
    pub ast: &'a TranslationUnit,
    pub map: &'a SourceMap,
    /// Its number, if it is one of the program's.
    pub index: Option<usize>,
}

/// The state of lowering.
pub(crate) struct Lowerer<'a> {
    pub program: Program,
    pub types: Types,
    pub diagnostics: Vec<Diagnostic>,
    facts: Facts<'a>,
    errors: &'a ErrorCalls,
    /// The number of the current unit.
    unit: u32,
    /// The functions that the current unit defines.
    defined_here: FxHashSet<&'a str>,
    map: &'a SourceMap,
    scopes: Scopes,
    functions: PrimaryMap<Func, Function>,
    globals: PrimaryMap<Global, GlobalData>,
    /// Variables of this unit whose type must be completed by its end.
    incomplete_globals: Vec<(Global, lang_c::span::Span)>,
    /// Functions with external linkage, over all units.
    external_functions: linkage::ExternalFunctions,
    /// The number of the unit being lowered.
    unit_index: Option<usize>,
    /// The linker's decisions.
    link_time: linkage::LinkTime,
    /// Variables with external linkage, over all units.
    external_globals: FxHashMap<Symbol, Global>,
    strings: FxHashMap<Box<[u8]>, Object>,
    /// The parts of values at addresses to which nothing else is written.
    known_parts: FxHashMap<(Term, Parts), Box<[Term]>>,
    constants_of_parts: FxHashMap<(Parts, Box<[Term]>), Term>,
    /// The answers of uninterpreted functions.
    uninterpreted: FxHashMap<Symbol, Vec<uninterpreted::Answer>>,
    /// How floats are rounded, if the program may change that.
    rounding: Option<Var>,
    /// Jumps out of functions, if the program has any.
    jumps: Option<jumps::Jumps>,
    /// Objects of functions that are defined as constants.
    constant_locals: FxHashSet<Object>,
    /// How many functions were defined so far.
    definitions: u32,
    body: Body,
    /// How many expressions around the code are lowered for their types or constant values alone.
    unevaluated: u32,
    /// What becomes of the element of an array at this place: for its bounds.
    use_of_element: Option<(lang_c::span::Span, inner_bounds::Use)>,
    /// C models that a call asked for, to be lowered after the units.
    wanted_models: Vec<CModel>,
    known_models: FxHashSet<&'static str>,
    /// The assumed effects of functions without body.
    external: External,
    /// Files by the pointer of their interned name: most positions are in the same file.
    last_file: Option<(usize, Symbol)>,
}

impl<'a> Lowerer<'a> {
    pub fn new(reading: &'a Reading, facts: Facts<'a>, map: &'a SourceMap) -> Self {
        let data_model = reading.data_model;
        let by_text = match facts.describes_environment {
            true => External::Havoc,
            false => External::default(),
        };
        let mut program = Program::new(data_model);
        program.checked = reading.checked;
        let body = Body::scratch(&mut program);
        let mut types = Types::new(data_model);
        types.joins_bit_fields = reading.checked.contains(Property::NoDataRace);
        let mut lowerer = Lowerer {
            program,
            types,
            diagnostics: Vec::new(),
            facts,
            errors: &reading.errors,
            unit: 0,
            defined_here: FxHashSet::default(),
            map,
            scopes: Scopes::default(),
            functions: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            incomplete_globals: Vec::new(),
            external_functions: linkage::ExternalFunctions::default(),
            unit_index: None,
            link_time: linkage::LinkTime::default(),
            external_globals: FxHashMap::default(),
            strings: FxHashMap::default(),
            known_parts: FxHashMap::default(),
            constants_of_parts: FxHashMap::default(),
            uninterpreted: FxHashMap::default(),
            rounding: None,
            jumps: None,
            constant_locals: FxHashSet::default(),
            definitions: 0,
            body,
            unevaluated: 0,
            use_of_element: None,
            wanted_models: Vec::new(),
            known_models: FxHashSet::default(),
            external: reading.external.unwrap_or(by_text),
            last_file: None,
        };
        lowerer.declare_predefined_names();
        lowerer.declare_rounding_mode();
        lowerer.declare_jumps();
        lowerer
    }

    /// Lowers a unit. Errors are collected; lowering continues after each.
    pub fn unit(&mut self, unit: Unit<'a>) {
        self.map = unit.map;
        self.unit_index = unit.index;
        self.last_file = None;
        self.unit += 1;
        self.defined_here = prescan::definitions(unit.ast);
        self.scopes.enter();
        for declaration in &unit.ast.0 {
            // A reported error concerns its declaration alone.
            let _ = match &declaration.node {
                ExternalDeclaration::Declaration(declaration) => {
                    self.file_scope_declaration(declaration)
                }
                ExternalDeclaration::StaticAssert(assertion) => self.static_assert(assertion),
                ExternalDeclaration::FunctionDefinition(definition) => {
                    self.function_definition(definition)
                }
            };
        }
        self.check_incomplete_globals();
        self.find_resolvers();
        self.scopes.leave();
    }

    /// Lowers a library model: a unit whose names were not scanned yet.
    pub fn model(&mut self, unit: Unit<'a>) {
        self.facts.add(unit.ast);
        self.external_functions.in_model = true;
        self.unit(unit);
        self.external_functions.in_model = false;
    }

    /// The C models requested since the last call.
    pub fn take_wanted_models(&mut self) -> Vec<CModel> {
        std::mem::take(&mut self.wanted_models)
    }

    /// Ends lowering: tentative definitions become definitions, and the program gets its start.
    pub fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.check_error_functions();
        self.complete_globals();
        self.complete_functions();
        self.complete_streams();
        let finish = self.make_finish();
        self.end_threads(finish);
        self.make_start(finish);
        let mut has_stack_blocks = false;
        self.program.for_each_label(|_, label| {
            has_stack_blocks |= matches!(label.op, Op::Alloc { kind: AllocKind::Stack, .. });
        });
        if !has_stack_blocks {
            self.program.terms.set_made_alignment(HEAP_ALIGNMENT);
        }
        if self.diagnostics.iter().all(|d| !d.is_error()) {
            reconcile::reconcile_calls(&mut self.program);
            if self.program.checked.contains(Property::ValidInit) {
                initialisation::check_initialisation(&mut self.program);
            }
        }
        (self.program, self.diagnostics)
    }

    /// A name that a user gives for an error function is a mistake if the program does not know it.
    fn check_error_functions(&mut self) {
        for name in &self.errors.functions {
            let is_known = self.functions.values().any(|it| self.program.name(it.name) == name);
            if !is_known {
                let message = format!("the error function '{name}' is not in the program");
                self.diagnostics.push(Diagnostic::warning(message));
            }
        }
    }

    pub fn error<T>(&mut self, span: lang_c::span::Span, message: impl Into<String>) -> Result<T> {
        let diagnostic = Diagnostic::error(message).at(self.map, base_span(span));
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    pub fn warn(&mut self, span: lang_c::span::Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::warning(message).at(self.map, base_span(span));
        self.diagnostics.push(diagnostic);
    }

    /// Resolves a source position.
    pub fn position(&mut self, span: lang_c::span::Span) -> SrcPos {
        if span.is_none() {
            return SrcPos::NONE;
        }
        let position = self.map.position(base_span(span).start);
        let key = position.file.as_ptr() as usize;
        let file = match self.last_file {
            Some((last, symbol)) if last == key => symbol,
            _ => {
                let symbol = self.program.names.intern(position.file);
                self.last_file = Some((key, symbol));
                symbol
            }
        };
        SrcPos { file, line: position.line, column: position.column }
    }

    /// Labels emitted from here on stand at `span`.
    pub fn at(&mut self, span: lang_c::span::Span) {
        self.body.span = span;
    }

    pub fn spell(&self, ty: Ty) -> String {
        self.types.spell(ty, &self.program.names)
    }

    /// The symbol of a name, as the program spells it.
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.program.names.intern(&original_name(name))
    }

    /// An arbitrary value of a scalar type.
    pub fn any_value(&mut self, ty: Ty, kind: ravelin_cfa::HavocKind) -> Val {
        let Some(sort) = self.types.sort(ty) else {
            return self.void_value();
        };
        let dst = self.temp(sort, self.types.is_signed(ty));
        self.emit(Op::Havoc { dst, kind });
        let term = self.program.read(dst);
        if self.types.kind(ty) == &crate::types::TypeKind::Bool {
            return Val { term: self.low_bit(term), ty };
        }
        Val { term, ty }
    }

    /// A variable without initialisation: any value of its type.
    pub fn leave_uninitialised(&mut self, var: Var, ty: Ty) {
        self.emit(Op::Havoc { dst: var, kind: ravelin_cfa::HavocKind::Uninitialised });
        if self.types.kind(ty) == &crate::types::TypeKind::Bool {
            let any = self.program.read(var);
            let value = self.low_bit(any);
            self.emit(Op::Assign { dst: var, value });
        }
    }

    /// C11 6.2.6.1: other bit patterns of a `_Bool` than 0 and 1 are trap representations.
    fn low_bit(&mut self, value: Term) -> Term {
        let one = self.program.terms.bv(8, 1);
        self.program.terms.binary(ravelin_term::BinOp::BvAnd, value, one)
    }

    pub fn void_value(&mut self) -> Val {
        Val { term: self.program.terms.null(), ty: self.types.void }
    }

    pub fn int_value(&mut self, value: i128, ty: Ty) -> Val {
        let width = self.types.int_width(ty).unwrap_or(32);
        Val { term: self.program.terms.bv(width, value as u128), ty }
    }

    /// A fresh local variable of the function being lowered.
    pub fn temp(&mut self, sort: Sort, signed: bool) -> Var {
        let name = self.body.temp_name;
        self.local(name, sort, signed)
    }

    /// Lowers code to a location that nothing reaches. Also returns whether nothing was emitted.
    pub fn nowhere<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let (here, span) = (self.body.here, self.body.span);
        let declared = self.body.blocks.last().map(|block| (block.ends.len(), block.made.len()));
        let start = self.body.new_loc();
        self.body.here = start;
        self.unevaluated += 1;
        let result = lower(self);
        self.unevaluated -= 1;
        let pure = self.body.here == start;
        (self.body.here, self.body.span) = (here, span);
        if let (Some(block), Some(declared)) = (self.body.blocks.last_mut(), declared) {
            block.ends.truncate(declared.0);
            block.made.truncate(declared.1);
        }
        (result, pure)
    }

    /// Reaching this makes the answer UNKNOWN.
    pub fn unsupported(&mut self, what: &str) {
        let what = self.intern(what);
        self.emit(Op::Unsupported(Gap::NotModelled(what)));
    }

    /// The behaviour from here on is undefined by C or POSIX.
    pub fn undefined(&mut self, what: &str) {
        let what = self.intern(what);
        self.emit(Op::Unsupported(Gap::Undefined(what)));
    }
}

fn base_span(span: lang_c::span::Span) -> ravelin_base::Span {
    let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    ravelin_base::Span { start: clamp(span.start), end: clamp(span.end) }
}
