//! Labels and jumps to them: `goto`, GNU's labels as values, and the lifetimes that begin and end
//! on the way (C11 6.8.6.1, 6.2.4p6).

use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use ravelin_base::Symbol;
use ravelin_cfa::{Init, Loc, Object, ObjectData, ObjectKind, Op, Var};

use super::body::{Block, BlockEnd, LabelInfo};
use super::{Lowerer, Result, Val};
use crate::types::Ty;

/// A jump whose target's blocks may not be known yet.
#[derive(Clone, Debug)]
pub(crate) struct Goto {
    pub from: Loc,
    pub to: Destination,
    pub blocks: Vec<Block>,
    pub span: Span,
}

/// The target of a jump.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Destination {
    Label(Symbol),
    /// To the label whose address this is.
    Computed(Val),
}

/// The kind of a declaration, as far as a jump past it has to make up for it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Made {
    Object(Object),
    Var(Var, Ty),
    /// A variable-length array, past which no jump may lead.
    Vla,
}

/// The blocks around a place, outermost first, with what was declared in each before it.
pub(crate) type Position = Vec<(u32, Vec<Made>)>;

/// The labels of a function whose addresses are taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelAddresses {
    /// A byte for each, so that their differences are numbers.
    object: Option<Object>,
    labels: Vec<Symbol>,
}

impl<'a> Lowerer<'a> {
    pub fn label_loc(&mut self, label: Symbol, span: Span) -> Loc {
        if let Some(info) = self.body.labels.get(&label) {
            return info.loc;
        }
        let loc = self.body.new_loc();
        self.body.labels.insert(label, LabelInfo { loc, position: None, first_use: span });
        loc
    }

    pub fn goto_statement(&mut self, name: &str, span: Span) -> Result<()> {
        let label = self.intern(name);
        self.label_loc(label, span);
        self.add_goto(Destination::Label(label), span);
        Ok(())
    }

    fn add_goto(&mut self, to: Destination, span: Span) {
        let from = self.body.here;
        let blocks = self.body.blocks.clone();
        self.body.gotos.push(Goto { from, to, blocks, span });
        self.body.here = self.body.new_loc();
    }

    /// GNU `&&label`, which the source layer writes as a call.
    pub fn label_address(&mut self, arguments: &'a [Node<Expression>], span: Span) -> Result<Val> {
        let [Node { node: Expression::Identifier(name), .. }] = arguments else {
            return self.error(span, "a label is needed");
        };
        if self.scopes.at_file_scope() {
            return self.error(span, "the address of a label outside of its function");
        }
        let label = self.intern(&name.node.name);
        self.label_loc(label, span);
        let object = match self.body.addresses.object {
            Some(object) => object,
            None => {
                let name = self.intern("%labels");
                let pos = self.position(span);
                let object = self.program.add_object(ObjectData {
                    name,
                    kind: ObjectKind::Constant,
                    size: 0,
                    align: 1,
                    is_record: false,
                    init: Init::Zero,
                    pos,
                });
                self.body.addresses.object = Some(object);
                object
            }
        };
        let labels = &mut self.body.addresses.labels;
        let index = match labels.iter().position(|&known| known == label) {
            Some(index) => index,
            None => {
                labels.push(label);
                self.program.objects[object].size += 1;
                labels.len() - 1
            }
        };
        let base = self.program.terms.address(object);
        let term = self.program.terms.ptr_add_const(base, index as u64);
        Ok(Val { term, ty: self.types.void_ptr })
    }

    /// GNU `goto *address`, which the source layer writes as a call.
    pub fn computed_goto(&mut self, arguments: &'a [Node<Expression>], span: Span) -> Result<Val> {
        let [address] = arguments else {
            return self.error(span, "an address is needed");
        };
        let value = self.rvalue(address)?;
        let value = self.convert(value, self.types.void_ptr, address.span)?;
        self.at(span);
        let value = self.snapshot(value);
        self.add_goto(Destination::Computed(value), span);
        Ok(self.void_value())
    }

    /// The blocks around the code being lowered.
    pub fn block_position(&self) -> Position {
        self.body.blocks.iter().map(|block| (block.id, block.made.clone())).collect()
    }

    /// Records a declaration in the innermost block.
    pub fn note_made(&mut self, made: Made) {
        if let Some(block) = self.body.blocks.last_mut() {
            block.made.push(made);
        }
    }

    /// Reports labels that are jumped to but not defined.
    pub fn check_labels(&mut self) {
        let mut missing: Vec<(Symbol, Span)> = self
            .body
            .labels
            .iter()
            .filter(|(_, info)| info.position.is_none())
            .map(|(&label, info)| (label, info.first_use))
            .collect();
        missing.sort_by_key(|(label, _)| *label);
        for (label, span) in missing {
            let name = self.program.name(label).to_owned();
            // Reported: the goto then leads nowhere, in a program that is rejected anyway.
            let _ = self.error::<()>(span, format!("no label '{name}' in this function"));
        }
    }

    /// Connects the gotos with their labels.
    pub fn connect_gotos(&mut self) {
        for goto in std::mem::take(&mut self.body.gotos) {
            self.body.start_at(goto.from);
            self.at(goto.span);
            match goto.to {
                Destination::Label(label) => self.jump_to_label(&goto, label),
                Destination::Computed(address) => self.jump_to_address(&goto, address),
            }
        }
    }

    /// All local objects of the blocks that a jump leaves end, and those of the blocks that it enters
    /// begin.
    fn jump_to_label(&mut self, goto: &Goto, label: Symbol) {
        let Some(LabelInfo { loc, position: Some(target), .. }) =
            self.body.labels.get(&label).cloned()
        else {
            return;
        };
        let ends: Vec<BlockEnd> = goto
            .blocks
            .iter()
            .rev()
            .flat_map(|block| {
                let stays = target.iter().find(|(id, _)| *id == block.id);
                let made = stays.map(|(_, made)| made.len());
                block.ends.iter().rev().copied().filter(move |end| match (end, made) {
                    (_, None) => true,
                    // C11 6.2.4p7: a jump to before the declaration leaves its scope.
                    (BlockEnd::Array { before, .. }, Some(made)) => *before >= made,
                    (BlockEnd::Object(_) | BlockEnd::Cleanup { .. }, Some(_)) => false,
                })
            })
            .collect();
        self.emit_ends(ends);
        let known = |id| goto.blocks.iter().find(|block| block.id == id);
        let skipped: Vec<Made> = target
            .into_iter()
            .flat_map(|(id, made)| {
                let before = known(id).map_or(0, |block| block.made.len());
                made.into_iter().skip(before)
            })
            .collect();
        self.make_skipped(&skipped, goto.span);
        self.body.jump(loc);
    }

    /// C11 6.2.4p6: an object lives from the entry into its block on, also if its declaration was
    /// jumped over; its value is indeterminate then.
    pub fn make_skipped(&mut self, skipped: &[Made], span: Span) {
        for &made in skipped {
            match made {
                Made::Object(object) => self.emit(Op::ScopeBegin(object)),
                Made::Var(var, ty) => self.leave_uninitialised(var, ty),
                Made::Vla => {
                    // C11 6.8.6.1p1. Reported; the others are still checked.
                    let message = "a jump into the scope of a variable-length array";
                    let _ = self.error::<()>(span, message);
                }
            }
        }
    }

    /// One of the labels whose address is taken: a comparison with each.
    fn jump_to_address(&mut self, goto: &Goto, address: Val) {
        let LabelAddresses { object, labels } = self.body.addresses.clone();
        let base = object.map(|object| self.program.terms.address(object));
        for (index, &label) in labels.iter().enumerate() {
            let Some(base) = base else { break };
            let this = self.program.terms.ptr_add_const(base, index as u64);
            let hit = self.program.terms.eq(address.term, this);
            let (jump, next) = (self.body.new_loc(), self.body.new_loc());
            self.emit_branch(hit, jump, next);
            self.body.start_at(jump);
            self.jump_to_label(goto, label);
            self.body.start_at(next);
            self.at(goto.span);
        }
        self.undefined("a computed goto to what is no label");
        self.emit_end(Op::Abort);
    }
}
