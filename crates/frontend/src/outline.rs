//! The positions of statements, calls and branches of a unit, which witnesses refer to.

pub mod expression;

use std::collections::BTreeSet;
use std::mem;
use std::ops::Range;

use lang_c::ast::{
    Attribute, BlockItem, CallExpression, CaseRange, CastExpression, Declaration,
    DeclarationSpecifier, DerivedDeclarator, DoWhileStatement, Expression, ForInitializer,
    ForStatement, FunctionDefinition, IfStatement, Label, ParameterDeclaration, SizeOfVal,
    SpecifierQualifier, Statement, StorageClassSpecifier, SwitchStatement, TypeOf, TypeSpecifier,
    WhileStatement,
};
use lang_c::span::{Node, Span as TreeSpan};
use lang_c::visit::{self, Visit};
use ravelin_base::source::{SourceMap, Span};

use crate::families::{expressions, statements};
use crate::prescan::declared_name;
use crate::source::{ParsedUnit, original_name};

/// The outline of a unit.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The items of its functions; an outer item comes before its inner ones.
    pub items: Vec<Item>,
    /// Names that are types wherever they stand.
    pub types: BTreeSet<String>,
    /// Functions that have a body here.
    pub functions: BTreeSet<String>,
    /// Names that expressions mention otherwise than to call a function of that name.
    pub mentioned: BTreeSet<String>,
}

/// A position; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    /// In the text that was parsed.
    pub column: u32,
    /// In the source, where macros may stand before it in the line.
    pub told: u32,
}

/// Something in a function.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    /// Its bytes in the text of the unit.
    pub range: Range<usize>,
    /// Where it begins, and its last character: of a call the closing parenthesis.
    pub start: Spot,
    pub end: Spot,
    pub function: String,
    /// Whether it stands there in the source, too; otherwise a macro does.
    pub is_verbatim: bool,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A statement, wherever it stands.
    Statement {
        /// Its bytes without the labels before it: jumps to the labels arrive here.
        behind_labels: Range<usize>,
        /// Whether its value is that of a statement expression, which braces would hide.
        is_result: bool,
    },
    /// A declaration in a block.
    Declaration,
    Call {
        /// Unless it is through a pointer; but a variable may have this name.
        name: Option<String>,
        arguments: Vec<Range<usize>>,
        /// Whether its value, if it has one, is unused.
        is_unused: bool,
    },
    Branch {
        /// Where the condition is, if there is one.
        condition: Option<Range<usize>>,
        /// What is repeated, if this is a loop.
        body: Option<Range<usize>>,
        /// The first and last values of the cases, if there are more ways than two.
        cases: Option<Vec<[Range<usize>; 2]>>,
    },
}

pub fn outline(unit: &ParsedUnit) -> Outline {
    let mut outliner = Outliner {
        map: &unit.map,
        function: String::new(),
        outline: Outline::default(),
        no_types: BTreeSet::new(),
        switches: Vec::new(),
        is_static: false,
        is_unused: false,
        returns_void: false,
    };
    outliner.visit_translation_unit(&unit.ast);
    let Outliner { mut outline, no_types, .. } = outliner;
    outline.types.retain(|name| !no_types.contains(name));
    outline
}

struct Outliner<'a> {
    map: &'a SourceMap,
    function: String,
    outline: Outline,
    /// Names that are declared as something else than a type.
    no_types: BTreeSet<String>,
    /// The items of the switches around this place.
    switches: Vec<Option<usize>>,
    /// Whether this is inside of an expression that is not evaluated.
    is_static: bool,
    /// Whether the value of the next expression is unused.
    is_unused: bool,
    /// Whether the function has no result: GNU C may return a call of another without one.
    returns_void: bool,
}

/// The use of a statement's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// There is none, or it is dropped.
    Dropped,
    /// It is the value of a statement expression, which is used or not.
    Result { is_unused: bool },
}

impl<'ast> Outliner<'_> {
    fn range(&self, span: &TreeSpan) -> Range<usize> {
        let span = Span { start: span.start as u32, end: span.end as u32 };
        let range = self.map.original_range(span);
        range.start as usize..range.end as usize
    }

    fn spot(&self, offset: usize) -> Spot {
        let position = self.map.position(offset as u32);
        let (line, column) = (position.line, position.column);
        Spot { file: position.file.to_owned(), line, column, told: column }
    }

    fn is_told(&self) -> bool {
        !self.function.is_empty() && !self.is_static
    }

    fn add(&mut self, kind: Kind, span: &TreeSpan) {
        if !self.is_told() {
            return;
        }
        let item = Item {
            kind,
            range: self.range(span),
            start: self.spot(span.start),
            end: self.spot(span.end.saturating_sub(1)),
            function: self.function.clone(),
            is_verbatim: true,
        };
        self.outline.items.push(item);
    }

    /// Adds a branch for the statement that was added last: it is the same place.
    fn branch(&mut self, condition: Option<&Node<Expression>>, body: Option<&Node<Statement>>) {
        let condition = condition.map(|it| self.range(&it.span));
        let body = body.map(|it| self.range(&it.span));
        if self.is_told()
            && let Some(statement) = self.outline.items.last().cloned()
        {
            let kind = Kind::Branch { condition, body, cases: None };
            self.outline.items.push(Item { kind, ..statement });
        }
    }

    fn statement(&mut self, node: &'ast Statement, span: &'ast TreeSpan, value: Value) {
        let (mut unlabelled, mut rest) = (span, node);
        while let Statement::Labeled(labelled) = rest {
            unlabelled = &labelled.node.statement.span;
            rest = &labelled.node.statement.node;
        }
        let behind_labels = self.range(unlabelled);
        self.add(Kind::Statement { behind_labels, is_result: value != Value::Dropped }, span);
        match node {
            Statement::Labeled(labelled) => {
                self.visit_label(&labelled.node.label.node, &labelled.node.label.span);
                let Node { node, span } = &*labelled.node.statement;
                self.statement(node, span, value);
            }
            Statement::Expression(Some(expression)) => {
                self.is_unused = match value {
                    Value::Dropped => true,
                    Value::Result { is_unused } => is_unused,
                };
                self.visit_expression(&expression.node, &expression.span);
            }
            Statement::Return(Some(result)) => self.unused(result, self.returns_void),
            statements!(branches, loops, jumps)
            | Statement::Compound(_)
            | Statement::Expression(None)
            | Statement::Return(None)
            | Statement::Asm(_) => visit::visit_statement(self, node, span),
        }
    }

    /// The statements of a statement expression. They have no item together, since nothing can be put around
    /// them.
    fn statement_expression(&mut self, node: &'ast Node<Statement>, is_unused: bool) {
        let Statement::Compound(items) = &node.node else {
            return self.statement(&node.node, &node.span, Value::Dropped);
        };
        for (number, item) in items.iter().enumerate() {
            match &item.node {
                BlockItem::Statement(last) if number + 1 == items.len() => {
                    self.statement(&last.node, &last.span, Value::Result { is_unused });
                }
                BlockItem::Statement(_)
                | BlockItem::Declaration(_)
                | BlockItem::StaticAssert(_) => self.visit_block_item(&item.node, &item.span),
            }
        }
    }

    fn unused(&mut self, expression: &'ast Node<Expression>, is_unused: bool) {
        self.is_unused = is_unused;
        self.visit_expression(&expression.node, &expression.span);
        self.is_unused = false;
    }

    fn case(&mut self, low: &Node<Expression>, high: &Node<Expression>) {
        let values = [self.range(&low.span), self.range(&high.span)];
        if let Some(Some(number)) = self.switches.last()
            && let Some(Item { kind: Kind::Branch { cases: Some(cases), .. }, .. }) =
                self.outline.items.get_mut(*number)
        {
            cases.push(values);
        }
    }

    fn not_evaluated(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = mem::replace(&mut self.is_static, true);
        visit(self);
        self.is_static = before;
    }
}

impl Item {
    pub fn is_statement(&self) -> bool {
        match self.kind {
            Kind::Statement { .. } | Kind::Declaration => true,
            Kind::Call { .. } | Kind::Branch { .. } => false,
        }
    }

    /// Whether another item of the same unit is inside.
    pub fn encloses(&self, inner: &Item) -> bool {
        self.range.start <= inner.range.start && inner.range.end <= self.range.end
    }
}

fn is_void(cast: &CastExpression) -> bool {
    let is_void = |specifier: &Node<SpecifierQualifier>| matches!(&specifier.node, SpecifierQualifier::TypeSpecifier(it) if it.node == TypeSpecifier::Void);
    let name = &cast.type_name.node;
    name.declarator.is_none() && name.specifiers.iter().any(is_void)
}

impl<'ast> Visit<'ast> for Outliner<'_> {
    fn visit_function_definition(&mut self, node: &'ast FunctionDefinition, span: &'ast TreeSpan) {
        self.function = declared_name(&node.declarator.node)
            .map(|name| original_name(name).into_owned())
            .unwrap_or_default();
        let is_void = node.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::TypeSpecifier(it)
                if it.node == TypeSpecifier::Void)
        });
        let is_pointer = node
            .declarator
            .node
            .derived
            .iter()
            .any(|derived| matches!(derived.node, DerivedDeclarator::Pointer(_)));
        self.returns_void = is_void && !is_pointer;
        self.no_types.insert(self.function.clone());
        self.outline.functions.insert(self.function.clone());
        visit::visit_function_definition(self, node, span);
        self.function.clear();
    }

    fn visit_declaration(&mut self, node: &'ast Declaration, span: &'ast TreeSpan) {
        let is_typedef = node.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if class.node == StorageClassSpecifier::Typedef)
        });
        let names = node.declarators.iter();
        let names = names.filter_map(|it| declared_name(&it.node.declarator.node));
        let names = names.map(|name| original_name(name).into_owned());
        match is_typedef {
            true => self.outline.types.extend(names),
            false => self.no_types.extend(names),
        }
        visit::visit_declaration(self, node, span);
    }

    fn visit_parameter_declaration(
        &mut self,
        node: &'ast ParameterDeclaration,
        span: &'ast TreeSpan,
    ) {
        let name = node.declarator.as_ref().and_then(|it| declared_name(&it.node));
        self.no_types.extend(name.map(|name| original_name(name).into_owned()));
        visit::visit_parameter_declaration(self, node, span);
    }

    fn visit_block_item(&mut self, node: &'ast BlockItem, span: &'ast TreeSpan) {
        if let BlockItem::Declaration(_) = node {
            self.add(Kind::Declaration, span);
        }
        visit::visit_block_item(self, node, span);
    }

    fn visit_statement(&mut self, node: &'ast Statement, span: &'ast TreeSpan) {
        self.statement(node, span, Value::Dropped);
    }

    fn visit_if_statement(&mut self, node: &'ast IfStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.condition), None);
        visit::visit_if_statement(self, node, span);
    }

    fn visit_switch_statement(&mut self, node: &'ast SwitchStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.expression), None);
        let last = self.outline.items.len().checked_sub(1);
        let number = last.filter(|_| self.is_told());
        if let Some(number) = number
            && let Kind::Branch { cases, .. } = &mut self.outline.items[number].kind
        {
            *cases = Some(Vec::new());
        }
        self.switches.push(number);
        visit::visit_switch_statement(self, node, span);
        self.switches.pop();
    }

    fn visit_label(&mut self, node: &'ast Label, _span: &'ast TreeSpan) {
        match node {
            Label::Case(value) => self.case(value, value),
            Label::CaseRange(Node { node: CaseRange { low, high }, .. }) => self.case(low, high),
            Label::Identifier(_) | Label::Default => {}
        }
    }

    fn visit_while_statement(&mut self, node: &'ast WhileStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.expression), Some(&node.statement));
        visit::visit_while_statement(self, node, span);
    }

    fn visit_do_while_statement(&mut self, node: &'ast DoWhileStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.expression), Some(&node.statement));
        visit::visit_do_while_statement(self, node, span);
    }

    fn visit_for_statement(&mut self, node: &'ast ForStatement, _span: &'ast TreeSpan) {
        self.branch(node.condition.as_deref(), Some(&node.statement));
        match &node.initializer.node {
            ForInitializer::Expression(expression) => self.unused(expression, true),
            ForInitializer::Empty
            | ForInitializer::Declaration(_)
            | ForInitializer::StaticAssert(_) => {
                self.visit_for_initializer(&node.initializer.node, &node.initializer.span);
            }
        }
        if let Some(condition) = &node.condition {
            self.visit_expression(&condition.node, &condition.span);
        }
        if let Some(step) = &node.step {
            self.unused(step, true);
        }
        self.visit_statement(&node.statement.node, &node.statement.span);
    }

    fn visit_expression(&mut self, node: &'ast Expression, span: &'ast TreeSpan) {
        let is_unused = mem::take(&mut self.is_unused);
        match node {
            Expression::Identifier(name) => {
                if !self.is_static {
                    let name = original_name(&name.node.name).into_owned();
                    self.outline.mentioned.insert(name);
                }
            }
            Expression::Call(call) => {
                self.is_unused = is_unused;
                self.visit_call_expression(&call.node, &call.span);
            }
            Expression::Comma(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    self.unused(part, is_unused || number + 1 < parts.len());
                }
            }
            Expression::Conditional(conditional) => {
                let choice = &conditional.node;
                let condition = Some(self.range(&choice.condition.span));
                let kind = Kind::Branch { condition, body: None, cases: None };
                self.add(kind, &conditional.span);
                self.unused(&choice.condition, false);
                self.unused(&choice.then_expression, is_unused);
                self.unused(&choice.else_expression, is_unused);
            }
            Expression::Cast(cast) if is_void(&cast.node) => {
                self.unused(&cast.node.expression, true);
            }
            Expression::Statement(statement) => self.statement_expression(statement, is_unused),
            expressions!(numbers)
            | Expression::StringLiteral(_)
            | Expression::GenericSelection(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_)
            | Expression::UnaryOperator(_)
            | Expression::Cast(_)
            | Expression::BinaryOperator(_)
            | Expression::VaArg(_) => visit::visit_expression(self, node, span),
        }
    }

    fn visit_call_expression(&mut self, node: &'ast CallExpression, span: &'ast TreeSpan) {
        let is_unused = mem::take(&mut self.is_unused);
        let name = match &node.callee.node {
            Expression::Identifier(name) => Some(original_name(&name.node.name).into_owned()),
            _ => None,
        };
        let is_named = name.is_some();
        let arguments = node.arguments.iter().map(|it| self.range(&it.span)).collect();
        self.add(Kind::Call { name, arguments, is_unused }, span);
        if !is_named {
            self.visit_expression(&node.callee.node, &node.callee.span);
        }
        for argument in &node.arguments {
            self.visit_expression(&argument.node, &argument.span);
        }
    }

    fn visit_attribute(&mut self, node: &'ast Attribute, span: &'ast TreeSpan) {
        // What has another name is called by that.
        if node.name.node.trim_matches('_') == "alias" {
            let names = node.arguments.iter().filter_map(|argument| match &argument.node {
                Expression::StringLiteral(name) => Some(name.node.concat()),
                _ => None,
            });
            let names = names.map(|name| name.trim_matches('"').to_owned());
            self.outline.mentioned.extend(names);
        }
        visit::visit_attribute(self, node, span);
    }

    fn visit_sizeofval(&mut self, node: &'ast SizeOfVal, span: &'ast TreeSpan) {
        self.not_evaluated(|it| visit::visit_sizeofval(it, node, span));
    }

    fn visit_type_of(&mut self, node: &'ast TypeOf, span: &'ast TreeSpan) {
        self.not_evaluated(|it| visit::visit_type_of(it, node, span));
    }
}
