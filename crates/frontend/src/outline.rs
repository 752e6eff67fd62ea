//! Where the statements, calls and branches of a unit stand in its text: what witnesses speak of.

use std::ops::Range;

use lang_c::ast::{
    BlockItem, CallExpression, ConditionalExpression, DoWhileStatement, Expression, ForStatement,
    FunctionDefinition, IfStatement, Statement, SwitchStatement, WhileStatement,
};
use lang_c::span::{Node, Span as TreeSpan};
use lang_c::visit::{self, Visit};
use ravelin_base::source::{SourceMap, Span};

use crate::prescan::declared_name;
use crate::source::{ParsedUnit, original_name};

/// A place as people know it; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub column: u32,
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
    Statement,
    /// A declaration in a block.
    Declaration,
    Call {
        /// Unless it is through a pointer.
        name: Option<String>,
        arguments: Vec<Range<usize>>,
    },
    Branch {
        /// Where the condition is, if there is one.
        condition: Option<Range<usize>>,
        /// What is repeated, if this is a loop.
        body: Option<Range<usize>>,
        /// Whether there are more ways than two.
        is_switch: bool,
    },
}

/// What there is in the functions of a unit; what contains something comes before it.
pub fn outline(unit: &ParsedUnit) -> Vec<Item> {
    let mut outliner =
        Outliner { map: &unit.map, function: String::new(), items: Vec::new(), is_static: false };
    outliner.visit_translation_unit(&unit.ast);
    outliner.items
}

struct Outliner<'a> {
    map: &'a SourceMap,
    function: String,
    items: Vec<Item>,
    /// Whether this is inside of an expression that is not evaluated.
    is_static: bool,
}

impl Outliner<'_> {
    fn range(&self, span: &TreeSpan) -> Range<usize> {
        let span = Span { start: span.start as u32, end: span.end as u32 };
        let range = self.map.original_range(span);
        range.start as usize..range.end as usize
    }

    fn spot(&self, offset: usize) -> Spot {
        let position = self.map.position(offset as u32);
        Spot { file: position.file.to_owned(), line: position.line, column: position.column }
    }

    fn add(&mut self, kind: Kind, span: &TreeSpan) {
        if self.function.is_empty() || self.is_static {
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
        self.items.push(item);
    }

    fn branch(&mut self, condition: Option<&Node<Expression>>, body: Option<&Node<Statement>>) {
        let condition = condition.map(|it| self.range(&it.span));
        let body = body.map(|it| self.range(&it.span));
        // The statement was added last: it is the same place.
        if let Some(statement) = self.items.last().cloned()
            && !self.is_static
        {
            let kind = Kind::Branch { condition, body, is_switch: false };
            self.items.push(Item { kind, ..statement });
        }
    }
}

impl Item {
    /// Whether a place is in it.
    pub fn contains(&self, file: &str, line: u32, column: u32) -> bool {
        let (start, end) = (&self.start, &self.end);
        start.file == file
            && (start.line, start.column) <= (line, column)
            && (line, column) <= (end.line, end.column)
    }
}

impl<'ast> Visit<'ast> for Outliner<'_> {
    fn visit_function_definition(&mut self, node: &'ast FunctionDefinition, span: &'ast TreeSpan) {
        self.function = declared_name(&node.declarator.node)
            .map(|name| original_name(name).into_owned())
            .unwrap_or_default();
        visit::visit_function_definition(self, node, span);
        self.function.clear();
    }

    fn visit_block_item(&mut self, node: &'ast BlockItem, span: &'ast TreeSpan) {
        if let BlockItem::Declaration(_) = node {
            self.add(Kind::Declaration, span);
        }
        visit::visit_block_item(self, node, span);
    }

    fn visit_statement(&mut self, node: &'ast Statement, span: &'ast TreeSpan) {
        self.add(Kind::Statement, span);
        visit::visit_statement(self, node, span);
    }

    fn visit_if_statement(&mut self, node: &'ast IfStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.condition), None);
        visit::visit_if_statement(self, node, span);
    }

    fn visit_switch_statement(&mut self, node: &'ast SwitchStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.expression), None);
        if let Some(Item { kind: Kind::Branch { is_switch, .. }, .. }) = self.items.last_mut() {
            *is_switch = true;
        }
        visit::visit_switch_statement(self, node, span);
    }

    fn visit_while_statement(&mut self, node: &'ast WhileStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.expression), Some(&node.statement));
        visit::visit_while_statement(self, node, span);
    }

    fn visit_do_while_statement(&mut self, node: &'ast DoWhileStatement, span: &'ast TreeSpan) {
        self.branch(Some(&node.expression), Some(&node.statement));
        visit::visit_do_while_statement(self, node, span);
    }

    fn visit_for_statement(&mut self, node: &'ast ForStatement, span: &'ast TreeSpan) {
        self.branch(node.condition.as_deref(), Some(&node.statement));
        visit::visit_for_statement(self, node, span);
    }

    fn visit_conditional_expression(
        &mut self,
        node: &'ast ConditionalExpression,
        span: &'ast TreeSpan,
    ) {
        let condition = Some(self.range(&node.condition.span));
        self.add(Kind::Branch { condition, body: None, is_switch: false }, span);
        visit::visit_conditional_expression(self, node, span);
    }

    fn visit_call_expression(&mut self, node: &'ast CallExpression, span: &'ast TreeSpan) {
        let name = match &node.callee.node {
            Expression::Identifier(name) => Some(original_name(&name.node.name).into_owned()),
            _ => None,
        };
        let arguments = node.arguments.iter().map(|it| self.range(&it.span)).collect();
        self.add(Kind::Call { name, arguments }, span);
        visit::visit_call_expression(self, node, span);
    }

    fn visit_sizeofval(&mut self, node: &'ast lang_c::ast::SizeOfVal, span: &'ast TreeSpan) {
        let before = std::mem::replace(&mut self.is_static, true);
        visit::visit_sizeofval(self, node, span);
        self.is_static = before;
    }
}
