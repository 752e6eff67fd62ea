//! Programs as C text.
//!
//! The printer adds what keeps the program defined: masks on shift counts, guards on divisors,
//! indices brought into bounds, range checks on conversions from floating types. It writes no
//! directives and declares the library functions itself, so that the text is complete.

mod expr;
mod prelude;
mod stmt;

use crate::program::{
    Block, Designator, Function, FunctionId, Init, Program, Qualifier, RecordKind, Storage, VarId,
};
use crate::types::Type;
use crate::usage::usage;
use prelude::Helper;
use ravelin_base::EntityRef;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Writes the program as one C file.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program);
    printer.globals();
    for (id, function) in program.functions.iter() {
        if let Some(body) = &function.body {
            printer.function(id, function, body);
        }
    }
    printer.main();
    let types = printer.types();
    format!("{}{}{}", prelude::text(&printer.helpers, program.model), types, printer.out)
}

struct Printer<'a> {
    program: &'a Program,
    helpers: BTreeSet<Helper>,
    out: String,
    indent: usize,
    /// The function being printed, `None` for `main` and at file scope.
    function: Option<FunctionId>,
    /// Numbers for variables and labels of the printer's own.
    fresh: u32,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Self {
        Printer {
            program,
            helpers: BTreeSet::new(),
            out: String::new(),
            indent: 0,
            function: None,
            fresh: 0,
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(&if text.is_empty() { "{".to_owned() } else { format!("{text} {{") });
        self.indent += 1;
    }

    fn close(&mut self, tail: &str) {
        self.indent -= 1;
        self.line(&format!("}}{tail}"));
    }

    fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    // Names and types.

    fn var(&self, var: VarId) -> String {
        let letter = match self.program.vars[var].storage {
            Storage::Global => 'g',
            Storage::StaticLocal => 's',
            Storage::Param => 'p',
            Storage::Local => 'v',
        };
        format!("{letter}{}", var.index())
    }

    /// A declaration of `name` with type `ty`.
    fn declare(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Array(element, length) => self.declare(element, &format!("{name}[{length}]")),
            Type::Pointer(target, _) => match **target {
                Type::Array(..) => self.declare(target, &format!("(*{name})")),
                Type::Int(_)
                | Type::Enum(_)
                | Type::Float(_)
                | Type::Record(_)
                | Type::Pointer(..)
                | Type::Function(_) => self.declare(target, &format!("*{name}")),
            },
            Type::Int(kind) => spaced(kind.c_name(), name),
            Type::Enum(id) => spaced(&format!("enum e{}", id.index()), name),
            Type::Float(kind) => spaced(kind.c_name(), name),
            Type::Record(record) => {
                let keyword = match self.program.records[*record].kind {
                    RecordKind::Union => "union u",
                    RecordKind::Struct | RecordKind::Packed | RecordKind::Node => "struct s",
                };
                spaced(&format!("{keyword}{}", record.index()), name)
            }
            Type::Function(signature) => format!("fn{} *{name}", signature.index()),
        }
    }

    fn type_name(&self, ty: &Type) -> String {
        self.declare(ty, "")
    }

    fn types(&self) -> String {
        let mut out = String::new();
        let used = usage(self.program);
        for id in &used.enums {
            let definition = &self.program.enums[*id];
            let _ = write!(out, "enum e{} {{", id.index());
            for (i, value) in definition.values.iter().enumerate() {
                let _ = write!(out, " E{}_{i} = {value},", id.index());
            }
            out.push_str(" };\n");
        }
        for id in &used.records {
            let definition = &self.program.records[*id];
            let _ = writeln!(out, "{} {{", self.type_name(&Type::Record(*id)));
            for (i, field) in definition.fields.iter().enumerate() {
                let declaration = self.declare(&field.ty, &format!("m{i}"));
                let width = field.width.map(|w| format!(" : {w}")).unwrap_or_default();
                let _ = writeln!(out, "    {declaration}{width};");
            }
            out.push_str(match definition.kind {
                RecordKind::Packed => "} __attribute__((packed));\n",
                RecordKind::Struct | RecordKind::Union | RecordKind::Node => "};\n",
            });
        }
        for id in &used.signatures {
            let signature = &self.program.signatures[*id];
            let params: Vec<_> = signature.params.iter().map(|ty| self.type_name(ty)).collect();
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            let name = format!("fn{}({params})", id.index());
            let _ = writeln!(out, "typedef {};", self.declare(&signature.result, &name));
        }
        for (id, function) in self.program.functions.iter() {
            if function.body.is_some() {
                let _ = writeln!(out, "{};", self.head(id, function));
            }
        }
        out
    }

    fn head(&self, id: FunctionId, function: &Function) -> String {
        let mut params: Vec<_> = function
            .params
            .iter()
            .map(|param| self.declare(&self.program.vars[*param].ty, &self.var(*param)))
            .collect();
        if function.recursion.is_some() {
            params.insert(0, "int depth".to_owned());
        }
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let name = format!("f{}({params})", id.index());
        let head = match &function.result {
            Some(ty) => self.declare(ty, &name),
            None => format!("void {name}"),
        };
        format!("static {head}")
    }

    // Definitions.

    fn globals(&mut self) {
        for (var, init) in &self.program.globals {
            self.definition(*var, init);
        }
    }

    fn function(&mut self, id: FunctionId, function: &Function, body: &Block) {
        self.out.push('\n');
        self.function = Some(id);
        self.open(&self.head(id, function));
        if let Some(recursion) = &function.recursion {
            let base = self.expr(&recursion.base, expr::ASSIGNMENT);
            self.line(&format!("if (depth <= 0) return {base};"));
        }
        self.block(body);
        self.close("");
        self.function = None;
    }

    fn main(&mut self) {
        self.out.push_str("\nint main(void) {\n");
        self.indent = 1;
        self.block(&self.program.main);
        self.line("printf(\"checksum %llx\\n\", checksum);");
        self.line("return (int)(checksum & 63);");
        self.close("");
    }

    fn definition(&mut self, var: VarId, init: &Init) {
        let info = &self.program.vars[var];
        let mut text = String::new();
        text.push_str(match info.storage {
            Storage::Global | Storage::StaticLocal => "static ",
            Storage::Param | Storage::Local => "",
        });
        text.push_str(match info.qualifier {
            Qualifier::None => "",
            Qualifier::Const => "const ",
            Qualifier::Volatile => "volatile ",
            Qualifier::Register => "register ",
        });
        let name = self.var(var);
        if let (Init::Vla(length, fill), Type::Array(element, least)) = (init, &info.ty) {
            let length = self.expr(length, expr::BIT_AND);
            let declaration = self.declare(element, &format!("{name}[{least} + ({length} & 7)]"));
            self.line(&format!("{text}{declaration};"));
            let (fill, i) = (self.expr(fill, expr::ASSIGNMENT), self.fresh());
            self.line(&format!(
                "for (unsigned k{i} = 0; k{i} < sizeof {name} / sizeof {name}[0]; k{i}++) \
                 {name}[k{i}] = {fill};"
            ));
            return;
        }
        let declaration = self.declare(&info.ty, &name);
        let init = self.init(&info.ty, init);
        self.line(&format!("{text}{declaration} = {init};"));
    }

    fn init(&mut self, ty: &Type, init: &Init) -> String {
        match (init, ty) {
            (Init::Expr(e), _) => self.expr(e, expr::ASSIGNMENT),
            (Init::Zero, Type::Array(..) | Type::Record(_)) => "{0}".to_owned(),
            (Init::Zero, _) => "0".to_owned(),
            (Init::Str(bytes), _) => string_literal(bytes),
            (Init::List(items), _) => {
                let types = self.program.item_types(ty, items);
                let mut texts = Vec::new();
                for (item, ty) in items.iter().zip(types) {
                    let prefix = match item.designator {
                        Designator::Next => String::new(),
                        Designator::Field(i) => format!(".m{i} = "),
                        Designator::Element(i) => format!("[{i}] = "),
                        Designator::Range(a, b) => format!("[{a} ... {b}] = "),
                    };
                    texts.push(format!("{prefix}{}", self.init(&ty, &item.init)));
                }
                format!("{{{}}}", texts.join(", "))
            }
            (Init::Vla(..), _) => unreachable!("only a definition has a variable length"),
        }
    }
}

fn spaced(ty: &str, name: &str) -> String {
    if name.is_empty() { ty.to_owned() } else { format!("{ty} {name}") }
}

/// A string literal with every byte but plain ASCII as a three-digit octal escape, which no
/// following digit can extend.
fn string_literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(char::from(*byte));
            }
            b'\n' => text.push_str("\\n"),
            // Two question marks may begin a trigraph.
            b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}
