//! Facts about a whole program that lowering needs before it sees the first statement: which names
//! have their address taken, and which functions have bodies.
//!
//! Both go by name alone, regardless of scope: an address taken of one `x` makes every scalar `x`
//! an object in memory, which costs precision, never correctness.

use lang_c::ast::{
    Attribute, CallExpression, Declarator, DeclaratorKind, Expression, ExternalDeclaration,
    Identifier, TranslationUnit, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;

use crate::symbols::{Symbols, passes_arguments_on};

/// Where scalar variables are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variables {
    /// In memory only where their address is taken; the others are pure.
    #[default]
    Pure,
    /// All in memory, to measure the benefit of pure variables.
    InMemory,
}

/// What the units of a program contain, by name.
#[derive(Debug, Default)]
pub struct Facts<'a> {
    /// Names that stand under a unary `&`.
    address_taken: FxHashSet<&'a str>,
    /// Whether every variable is kept in memory.
    all_in_memory: bool,
    /// Functions with external linkage that some unit of the program defines.
    pub external_definitions: FxHashSet<String>,
    /// The linker's view of the program's names.
    pub symbols: Symbols,
    /// Whether a function that starts threads is named anywhere.
    pub starts_threads: bool,
    /// Whether the program reads `errno`.
    pub reads_errno: bool,
    /// Whether a name of SV-COMP occurs by which a program describes its environment.
    pub describes_environment: bool,
    /// Whether an expression names a function that changes how floats are rounded.
    pub changes_rounding: bool,
    /// Whether an expression names a function that jumps out of functions.
    pub jumps: bool,
    /// Variables and functions that some unit declares outside of functions.
    at_file_scope: FxHashSet<&'a str>,
    /// Names in expressions of the program, and of its attributes; not those of library models.
    mentioned: FxHashSet<&'a str>,
    /// Whether the unit that is added belongs to the program.
    is_program: bool,
}

impl<'a> Facts<'a> {
    pub fn collect(
        units: impl IntoIterator<Item = &'a TranslationUnit>,
        symbols: Symbols,
        variables: Variables,
    ) -> Self {
        let mut facts =
            Facts { all_in_memory: variables == Variables::InMemory, ..Facts::default() };
        facts.is_program = true;
        for unit in units {
            facts.add(unit);
        }
        facts.is_program = false;
        facts.external_definitions = symbols.functions();
        facts.symbols = symbols;
        facts
    }

    /// Whether a variable of this name is kept in memory.
    pub fn is_in_memory(&self, name: &str) -> bool {
        self.all_in_memory || self.address_taken.contains(name)
    }

    /// Whether a variable or function of this name is declared outside of functions, wherever that is.
    pub fn is_at_file_scope(&self, name: &str) -> bool {
        self.at_file_scope.contains(name)
    }

    /// Whether the program itself uses one of these names in an expression.
    pub fn mentions(&self, names: &[&str]) -> bool {
        names.iter().any(|&name| self.mentioned.contains(name))
    }

    /// Adds a unit, or a library model. What that defines, the program does not.
    pub fn add(&mut self, unit: &'a TranslationUnit) {
        self.visit_translation_unit(unit);
        self.at_file_scope.extend(definitions(unit));
        for declaration in &unit.0 {
            if let ExternalDeclaration::Declaration(declaration) = &declaration.node {
                let declarators = declaration.node.declarators.iter();
                self.at_file_scope.extend(
                    declarators.filter_map(|init| declared_name(&init.node.declarator.node)),
                );
            }
        }
    }
}

/// The functions that a unit defines, of whatever linkage.
pub fn definitions(unit: &TranslationUnit) -> FxHashSet<&str> {
    unit.0
        .iter()
        .filter_map(|declaration| match &declaration.node {
            ExternalDeclaration::FunctionDefinition(definition)
                if !passes_arguments_on(&definition.node) =>
            {
                declared_name(&definition.node.declarator.node)
            }
            ExternalDeclaration::FunctionDefinition(_)
            | ExternalDeclaration::Declaration(_)
            | ExternalDeclaration::StaticAssert(_) => None,
        })
        .collect()
}

/// The name a declarator declares, if it has one.
pub fn declared_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}

impl<'a> Visit<'a> for Facts<'a> {
    fn visit_unary_operator_expression(
        &mut self,
        node: &'a UnaryOperatorExpression,
        span: &'a Span,
    ) {
        if node.operator.node == UnaryOperator::Address
            && let Node { node: Expression::Identifier(name), .. } = &*node.operand
        {
            self.address_taken.insert(&name.node.name);
        }
        visit::visit_unary_operator_expression(self, node, span);
    }

    fn visit_expression(&mut self, node: &'a Expression, span: &'a Span) {
        if let Expression::Identifier(name) = node {
            let name = &*name.node.name;
            self.changes_rounding |= matches!(name, "fesetround" | "fesetenv" | "feupdateenv");
            self.jumps |=
                matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__builtin_longjmp");
            if self.is_program {
                self.mentioned.insert(name);
            }
        }
        visit::visit_expression(self, node, span);
    }

    fn visit_attribute(&mut self, node: &'a Attribute, span: &'a Span) {
        if self.is_program {
            self.mentioned.insert(node.name.node.trim_matches('_'));
        }
        visit::visit_attribute(self, node, span);
    }

    fn visit_identifier(&mut self, node: &'a Identifier, _span: &'a Span) {
        self.starts_threads |= matches!(&*node.name, "pthread_create" | "thrd_create")
            || crate::lower::starts_thread(&node.name);
        let of_environment = ["nondet_", "assume", "error", "atomic_"];
        self.describes_environment |= node
            .name
            .strip_prefix("__VERIFIER_")
            .is_some_and(|rest| of_environment.iter().any(|prefix| rest.starts_with(prefix)));
    }

    fn visit_call_expression(&mut self, node: &'a CallExpression, span: &'a Span) {
        self.reads_errno |= matches!(
            &node.callee.node,
            Expression::Identifier(name) if name.node.name == "__errno_location"
        );
        visit::visit_call_expression(self, node, span);
    }
}
