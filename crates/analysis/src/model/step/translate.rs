//! From the operations on an edge to the statements of a step.

use ravelin_base::SrcPos;
use ravelin_cfa::{Label, Life, Op, ops};

use super::maker::{Draft, Maker};
use crate::model::space::life_of;
use crate::model::statement::{Action, Statement, Update};

impl Maker<'_, '_, '_> {
    /// The statements of labels that neither begin a step by waiting nor end it. Synchronisation is what it does to
    /// memory; remarks do nothing.
    pub(super) fn draft(&mut self, labels: Vec<Label>) -> Draft {
        let mut draft = Draft::default();
        for Label { op, pos } in labels {
            let action = match op {
                ops!(remark) | Op::Skip => continue,
                Op::AtomicBegin => {
                    draft.deeper += 1;
                    continue;
                }
                Op::AtomicEnd => {
                    draft.deeper -= 1;
                    continue;
                }
                Op::Sync { op, args, dst } => {
                    self.sync(op, &args, dst, pos, &mut draft.statements);
                    continue;
                }
                Op::ThreadSelf { dst } => {
                    // Replicas have no names.
                    let value = match self.steps.replicated {
                        Some(_) => None,
                        None => Some(self.space.handle(self.thread)),
                    };
                    draft.statements.push(Statement::assign(dst, value, pos));
                    continue;
                }
                Op::Choice(branches) => {
                    let branches: Vec<Draft> =
                        branches.into_iter().map(|branch| self.draft(branch)).collect();
                    // Where atomic blocks begin and end is the same on all ways.
                    draft.deeper += branches.first().map_or(0, |branch| branch.deeper);
                    Action::Choice(branches.into_iter().map(|branch| branch.statements).collect())
                }
                Op::Assume(condition) => Action::Assume(condition),
                Op::Assign { dst, value } => Update::Assign { dst, value }.into(),
                Op::Havoc { dst, kind } => Update::Havoc { dst, kind }.into(),
                Op::Load { dst, addr, order: _ } => Update::Load { dst, addr }.into(),
                Op::Store { addr, value, order: _ } => Update::Store { addr, value }.into(),
                Op::Copy { dst, src, size } => Update::Copy { dst, src, size }.into(),
                Op::Fill { dst, byte, size } => Update::Fill { dst, byte, size }.into(),
                Op::HavocMemory { pointers } => Update::HavocMemory { pointers }.into(),
                op @ (ops!(scope) | Op::Alloc { .. } | Op::Realloc { .. } | Op::Free { .. }) => {
                    self.object(op, pos, &mut draft.statements);
                    continue;
                }
                Op::Inspect { dst, addr, fact } => match self.space.fact_about(addr, fact) {
                    Some(value) => Update::Assign { dst, value }.into(),
                    None => {
                        let memory = self.space.state_memory(addr, fact);
                        Update::Inspect { dst, addr, memory }.into()
                    }
                },
                ops!(procedure, end) | Op::Claim(_) | Op::Start { .. } | Op::ThreadExit { .. } => {
                    unreachable!("the verifier of the IR wants it last on its edge, in no choice")
                }
                Op::Join { .. } => {
                    unreachable!("the verifier of the IR wants it first on its edge, in no choice")
                }
            };
            draft.statements.push(Statement::new(action, pos));
        }
        draft
    }

    /// Begins or ends an object, and keeps its state where the program asks for it.
    fn object(&mut self, op: Op, pos: SrcPos, statements: &mut Vec<Statement>) {
        let mut push = |update: Update| statements.push(Statement::new(update, pos));
        match op {
            Op::ScopeBegin(object) => {
                push(Update::ScopeBegin(object));
                self.space.begun(object).into_iter().for_each(push);
            }
            Op::ScopeEnd(object) => {
                push(Update::ScopeEnd(object));
                self.space.over(object).into_iter().for_each(push);
            }
            Op::Alloc { dst, size, kind } => {
                push(Update::Alloc { dst, size, kind });
                self.space.made(dst, size, life_of(kind)).into_iter().for_each(push);
            }
            Op::Realloc { dst, addr, size } => {
                // The old object ends before `dst`, which may hold the pointer to it, is written.
                self.space.ended(addr).into_iter().for_each(&mut push);
                push(Update::Realloc { dst, addr, size });
                self.space.made(dst, size, Life::Heap).into_iter().for_each(push);
            }
            Op::Free { addr, kind } => {
                push(Update::Free { addr, kind });
                self.space.ended(addr).into_iter().for_each(push);
            }
            _ => {}
        }
    }
}
