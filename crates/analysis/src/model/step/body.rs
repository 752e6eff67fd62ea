//! What steps along an edge do, shared by all control states from which they do the same.

use std::rc::Rc;

use ravelin_base::{PrimaryMap, entity_impl};
use ravelin_cfa::Edge;
use ravelin_por::Place;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::control::Frame;
use crate::model::space::Space;
use crate::model::statement::Statement;
use crate::reduction::Places;
use crate::reduction::statements::{self, StatementCounts};

/// The statements of a step, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Body(u32);
entity_impl!(Body, "b");

/// What of a body has to be evaluated.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub statements: Rc<[Statement]>,
    pub counts: StatementCounts,
}

#[derive(Debug)]
struct BodyData {
    statements: Rc<[Statement]>,
    /// The places that it writes, if somebody asked.
    written: Option<Rc<[Place]>>,
    /// What has to be evaluated, by what was said of those places ([`statements::answers`]).
    reduced: FxHashMap<u64, Reduced>,
}

/// All bodies.
#[derive(Debug, Default)]
pub struct Bodies {
    bodies: PrimaryMap<Body, BodyData>,
    /// Those of an edge as a frame sees it: one, unless they depend on where other threads are.
    of_edges: FxHashMap<(Frame, Edge), SmallVec<[Body; 1]>>,
}

impl Bodies {
    /// The body with these statements, of a step that a frame makes along an edge.
    pub fn intern(
        &mut self,
        frame: Frame,
        edge: Edge,
        statements: Vec<Statement>,
    ) -> (Body, Rc<[Statement]>) {
        let bodies = self.of_edges.entry((frame, edge)).or_default();
        let is_known = |&&body: &&Body| *self.bodies[body].statements == *statements;
        if let Some(&known) = bodies.iter().find(is_known) {
            return (known, Rc::clone(&self.bodies[known].statements));
        }
        let statements: Rc<[Statement]> = statements.into();
        let (written, reduced) = Default::default();
        let data = BodyData { statements: Rc::clone(&statements), written, reduced };
        let body = self.bodies.push(data);
        bodies.push(body);
        (body, statements)
    }

    /// The places that a body writes.
    pub fn written(&mut self, space: &mut Space<'_>, body: Body) -> Rc<[Place]> {
        let BodyData { statements, written, .. } = &mut self.bodies[body];
        Rc::clone(written.get_or_insert_with(|| statements::written(space, statements).into()))
    }

    /// What of a body has to be evaluated where these places are observed of those that are tracked.
    pub fn reduced(
        &mut self,
        space: &mut Space<'_>,
        body: Body,
        observed: &Places,
        tracked: &Places,
    ) -> Reduced {
        let written = self.written(space, body);
        let BodyData { statements: all, reduced, .. } = &mut self.bodies[body];
        let mut make = || {
            let (kept, counts) = statements::simplify(space, all, observed, tracked);
            let is_whole = counts.left_out + counts.opened == 0;
            let statements = if is_whole { Rc::clone(all) } else { kept.into() };
            Reduced { statements, counts }
        };
        let Some(answers) = statements::answers(&written, observed, tracked) else {
            return make();
        };
        let found = reduced.entry(answers).or_insert_with(&mut make).clone();
        debug_assert_eq!(
            found.statements,
            make().statements,
            "it depends on more than the answers"
        );
        found
    }
}
