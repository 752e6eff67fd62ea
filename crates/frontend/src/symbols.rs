//! The symbols of a program: the linker's view of its names.
//!
//! A name of C is a symbol of the same name, unless `asm("symbol")`, `#pragma redefine_extname`,
//! `alias` or `weakref` say otherwise. Of the definitions of a symbol, a strong one counts, or else
//! the first weak one. All symbols are resolved before the first unit is lowered, since units may
//! use definitions of later ones.

use lang_c::ast::{
    Attribute, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    Expression, Extension, ExternalDeclaration, FunctionDefinition, FunctionSpecifier, Identifier,
    InitDeclarator, StorageClassSpecifier, TranslationUnit,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prescan::declared_name;

/// A pragma about symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolPragma {
    /// `#pragma weak name`, or `#pragma weak name = target`.
    Weak { name: String, target: Option<String> },
    /// `#pragma redefine_extname name symbol`.
    Rename { name: String, symbol: String },
}

/// The symbols of all units.
#[derive(Debug, Default)]
pub struct Symbols {
    units: Vec<UnitSymbols>,
    /// Symbols that are other names of a symbol.
    aliases: FxHashMap<String, String>,
    /// The unit whose definition counts, of symbols with weak ones.
    chosen: FxHashMap<String, usize>,
    /// Variables and functions that some unit defines.
    defined: FxHashSet<String>,
    /// Functions that a function of the program selects at its start.
    indirect: FxHashSet<String>,
    /// Symbols that have another name in C.
    renamed: FxHashSet<String>,
}

/// The symbols of a unit's names.
#[derive(Debug, Default)]
struct UnitSymbols {
    /// By name in C.
    symbols: FxHashMap<String, String>,
    /// Names with internal linkage that have a symbol because of an alias.
    exported: FxHashMap<String, String>,
    statics: FxHashSet<String>,
    /// Names that have a declaration beside their definition.
    declared: FxHashSet<String>,
    weak: FxHashSet<String>,
    functions: Vec<String>,
    variables: Vec<String>,
    /// Other names, and what they stand for.
    aliases: Vec<(String, String)>,
    /// Functions with `ifunc`, and the functions that select them.
    indirect: Vec<(String, String)>,
}

impl Symbols {
    pub fn collect<'a>(
        units: impl IntoIterator<Item = (&'a TranslationUnit, &'a [SymbolPragma])>,
    ) -> Self {
        let mut symbols = Symbols::default();
        for (ast, pragmas) in units {
            symbols.units.push(UnitSymbols::collect(ast, pragmas));
        }
        symbols.choose_definitions();
        symbols.resolve_aliases();
        for unit in &symbols.units {
            symbols.renamed.extend(unit.symbols.values().cloned());
            symbols.renamed.extend(unit.exported.values().cloned());
        }
        for (alias, target) in &symbols.aliases {
            symbols.renamed.extend([alias.clone(), target.clone()]);
        }
        symbols
    }

    /// Of the definitions of a symbol, a strong one counts, and otherwise the first.
    fn choose_definitions(&mut self) {
        let mut found: FxHashMap<String, Vec<(usize, bool)>> = FxHashMap::default();
        for (index, unit) in self.units.iter().enumerate() {
            let aliases = unit.aliases.iter().map(|(name, _)| name);
            let indirect = unit.indirect.iter().map(|(name, _)| name);
            self.indirect
                .extend(unit.indirect.iter().map(|(name, _)| unit.symbol(name).to_owned()));
            for name in unit.functions.iter().chain(&unit.variables).chain(aliases).chain(indirect)
            {
                if !unit.statics.contains(name) {
                    let symbol = unit.symbol(name).to_owned();
                    found.entry(symbol).or_default().push((index, unit.weak.contains(name)));
                }
            }
        }
        for (symbol, definitions) in found {
            let strong = definitions.iter().find(|(_, weak)| !weak);
            let (unit, _) = *strong.unwrap_or(&definitions[0]);
            if definitions.iter().any(|(_, weak)| *weak) {
                self.chosen.insert(symbol.clone(), unit);
            }
            self.defined.insert(symbol);
        }
    }

    fn resolve_aliases(&mut self) {
        for index in 0..self.units.len() {
            for (name, target) in std::mem::take(&mut self.units[index].aliases) {
                let symbol = self.units[index].symbol(&name).to_owned();
                if self.loses(Some(index), &symbol) {
                    continue;
                }
                let unit = &mut self.units[index];
                let other = match unit.statics.contains(&target) {
                    true => match unit.exported.get(&target) {
                        Some(other) => other.clone(),
                        None => {
                            unit.exported.insert(target, symbol);
                            continue;
                        }
                    },
                    false => unit.symbol(&target).to_owned(),
                };
                if other != symbol {
                    self.aliases.insert(symbol, other);
                }
            }
        }
    }

    /// The symbol of a name of C, if it has one. Library models have no unit.
    pub fn symbol<'n>(
        &'n self,
        unit: Option<usize>,
        name: &'n str,
        internal: bool,
    ) -> Option<&'n str> {
        let Some(unit) = unit.and_then(|unit| self.units.get(unit)) else {
            return (!internal).then_some(name);
        };
        let symbol = match internal {
            true => unit.exported.get(name)?.as_str(),
            false => unit.symbol(name),
        };
        Some(self.canonical(symbol))
    }

    fn canonical<'n>(&'n self, symbol: &'n str) -> &'n str {
        const LONGEST_CHAIN: usize = 64;
        let mut symbol = symbol;
        for _ in 0..LONGEST_CHAIN {
            match self.aliases.get(symbol) {
                Some(other) => symbol = other,
                None => break,
            }
        }
        symbol
    }

    /// Whether a definition of another unit replaces this unit's.
    pub fn loses(&self, unit: Option<usize>, symbol: &str) -> bool {
        self.chosen.get(symbol).is_some_and(|&chosen| unit != Some(chosen))
    }

    /// Whether the unit may do without a definition of this name.
    pub fn is_weak(&self, unit: Option<usize>, name: &str) -> bool {
        unit.and_then(|unit| self.units.get(unit)).is_some_and(|unit| unit.weak.contains(name))
    }

    pub fn is_defined(&self, symbol: &str) -> bool {
        self.defined.contains(symbol)
    }

    /// Whether a function selects this one at the start.
    pub fn is_indirect(&self, symbol: &str) -> bool {
        self.indirect.contains(symbol)
    }

    /// Whether the symbol is known by several names.
    pub fn is_renamed(&self, symbol: &str) -> bool {
        self.renamed.contains(symbol)
    }

    /// The functions of a unit that others select, and the selecting functions.
    pub fn resolvers(&self, unit: Option<usize>) -> Vec<(String, String)> {
        unit.and_then(|unit| self.units.get(unit)).map_or(Vec::new(), |unit| unit.indirect.clone())
    }

    /// The symbols of all functions with bodies.
    pub fn functions(&self) -> FxHashSet<String> {
        let mut functions = FxHashSet::default();
        for (index, unit) in self.units.iter().enumerate() {
            for name in &unit.functions {
                let internal = unit.statics.contains(name);
                functions.extend(self.symbol(Some(index), name, internal).map(str::to_owned));
            }
        }
        functions
    }
}

impl UnitSymbols {
    fn collect(ast: &TranslationUnit, pragmas: &[SymbolPragma]) -> Self {
        let mut unit = UnitSymbols::default();
        for declaration in &ast.0 {
            match &declaration.node {
                ExternalDeclaration::Declaration(declaration) => {
                    unit.declaration(&declaration.node);
                }
                ExternalDeclaration::FunctionDefinition(definition) => {
                    let definition = &definition.node;
                    let Some(name) = declared_name(&definition.declarator.node) else { continue };
                    let specifiers = &definition.specifiers;
                    if has_storage(specifiers, StorageClassSpecifier::Static) {
                        unit.statics.insert(name.to_owned());
                    }
                    unit.attributes(name, specifiers, &definition.declarator.node);
                    if !passes_arguments_on(definition) {
                        unit.functions.push(name.to_owned());
                    }
                }
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        for pragma in pragmas {
            match pragma {
                SymbolPragma::Weak { name, target } => {
                    unit.weak.insert(name.clone());
                    if let Some(target) = target {
                        unit.aliases.push((name.clone(), target.clone()));
                    }
                }
                // gcc renames what is declared, not what is defined without a declaration.
                SymbolPragma::Rename { name, symbol } if unit.declared.contains(name) => {
                    unit.symbols.insert(name.clone(), symbol.clone());
                }
                SymbolPragma::Rename { .. } => {}
            }
        }
        unit
    }

    fn symbol<'n>(&'n self, name: &'n str) -> &'n str {
        self.symbols.get(name).map_or(name, String::as_str)
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let specifiers = &declaration.specifiers;
        // The labels of register variables are registers.
        if has_storage(specifiers, StorageClassSpecifier::Typedef)
            || has_storage(specifiers, StorageClassSpecifier::Register)
        {
            return;
        }
        for Node { node: InitDeclarator { declarator, initializer }, .. } in
            &declaration.declarators
        {
            let Some(name) = declared_name(&declarator.node) else { continue };
            self.declared.insert(name.to_owned());
            if has_storage(specifiers, StorageClassSpecifier::Static) {
                self.statics.insert(name.to_owned());
            }
            let stands_for_other = self.attributes(name, specifiers, &declarator.node);
            let is_defined = initializer.is_some()
                || !has_storage(specifiers, StorageClassSpecifier::Extern)
                    && !declares_function(&declarator.node);
            if is_defined && !stands_for_other {
                self.variables.push(name.to_owned());
            }
        }
    }

    /// Reads the attributes of a name. Returns whether it is an alias.
    fn attributes(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Declarator,
    ) -> bool {
        let (mut refers, mut other) = (false, None);
        let mut extensions: Vec<&Node<Extension>> = Vec::new();
        for specifier in specifiers {
            if let DeclarationSpecifier::Extension(list) = &specifier.node {
                extensions.extend(list);
            }
        }
        let mut inner = Some(declarator);
        while let Some(declarator) = inner {
            extensions.extend(&declarator.extensions);
            inner = match &declarator.kind.node {
                DeclaratorKind::Declarator(inner) => Some(&inner.node),
                DeclaratorKind::Abstract | DeclaratorKind::Identifier(_) => None,
            };
        }
        for extension in extensions {
            let attribute = match &extension.node {
                Extension::AsmLabel(label) => {
                    self.symbols.insert(name.to_owned(), text(&label.node));
                    continue;
                }
                Extension::Attribute(attribute) => attribute,
                Extension::AvailabilityAttribute(_) => continue,
            };
            match attribute.name.node.trim_matches('_') {
                "weak" => _ = self.weak.insert(name.to_owned()),
                "weakref" => {
                    refers = true;
                    other = argument(attribute).or(other);
                }
                "alias" => other = argument(attribute).or(other),
                "ifunc" => {
                    if let Some(resolver) = argument(attribute) {
                        self.indirect.push((name.to_owned(), resolver));
                    }
                }
                _ => {}
            }
        }
        let Some(other) = other else { return false };
        if refers {
            // Uses of the name mean the other one, if there is such a symbol.
            self.weak.insert(name.to_owned());
            self.exported.insert(name.to_owned(), other.clone());
            self.symbols.insert(name.to_owned(), other);
        } else {
            self.aliases.push((name.to_owned(), other));
        }
        true
    }
}

fn has_storage(specifiers: &[Node<DeclarationSpecifier>], storage: StorageClassSpecifier) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class) if class.node == storage)
    })
}

/// Whether a definition passes its variable arguments on with `__builtin_va_arg_pack`. gcc inlines such a function of a
/// header everywhere, and it defines no symbol: the library has the function that does the same.
pub fn passes_arguments_on(definition: &FunctionDefinition) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_identifier(&mut self, node: &'a Identifier, _span: &'a Span) {
            self.0 |= node.name == "__builtin_va_arg_pack";
        }
    }
    let is_inline = definition.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::Function(function)
            if function.node == FunctionSpecifier::Inline)
    });
    if !is_inline || has_storage(&definition.specifiers, StorageClassSpecifier::Static) {
        return false;
    }
    let mut finder = Finder(false);
    let body = &definition.statement;
    finder.visit_statement(&body.node, &body.span);
    finder.0
}

/// Whether the declarator itself makes a function, as far as one can see without knowing typedefs.
fn declares_function(declarator: &Declarator) -> bool {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && !inner.node.derived.is_empty()
    {
        return declares_function(&inner.node);
    }
    let suffix =
        declarator.derived.iter().find(|part| !matches!(part.node, DerivedDeclarator::Pointer(_)));
    suffix.is_some_and(|part| {
        matches!(part.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    })
}

/// The string that an attribute has as its argument.
fn argument(attribute: &Attribute) -> Option<String> {
    match &attribute.arguments.first()?.node {
        Expression::StringLiteral(literal) => Some(text(&literal.node)),
        _ => None,
    }
}

/// The text of adjacent string literals without escapes.
fn text(parts: &[String]) -> String {
    parts.iter().map(|part| part.trim_matches('"')).collect()
}
