//! Relations between quantities.

use ravelin_cfa::Term;
use ravelin_term::BinOp;

use crate::eval::Env;
use crate::num::Num;
use crate::state::{Key, Mode, State};

/// What is known of pairs of quantities.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Relations {}

impl Relations {
    pub(crate) fn is_same(&self, _: &Relations) -> bool {
        true
    }
}

impl Env<'_> {
    pub(crate) fn absorb_relations(&self, _: &mut State, _: &State, _: Mode<'_>) -> bool {
        false
    }

    pub(crate) fn relate_order(&self, state: State, _: BinOp, _: Term, _: Term) -> Option<State> {
        Some(state)
    }

    pub(crate) fn relate_different(&self, state: State, _: Term, _: Term) -> Option<State> {
        Some(state)
    }

    pub(crate) fn relate_access(&self, state: State, _: Term, _: u64) -> Option<State> {
        Some(state)
    }

    pub(crate) fn restricted(&self, state: State, _: Key, _: &Num) -> Option<State> {
        Some(state)
    }

    pub(crate) fn forget_relations(&self, _: &mut State, _: Key) {}

    pub(crate) fn forget_changed(&self, _: &mut State, _: &dyn Fn(Key) -> bool) {}
}
