//! Facts about a program that engines share. Each is computed when an engine first asks for it, and borrowed from then on.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ravelin_base::{Budget, Exhausted};
use ravelin_cfa::Program;
use ravelin_pointsto::{Division, Options, PointsTo, Regions, analyse};

use crate::doubt::{Doubt, doubt, may_doubt};
use crate::tables::Tables;

/// Pointers, memory regions, dependences of steps, and what bars a proof, of one program.
#[derive(Debug)]
pub struct ProgramFacts<'p> {
    pub program: &'p Program,
    budget: Budget,
    points_to: OnceLock<Result<Arc<PointsTo>, Exhausted>>,
    /// For the default division, and so are the tables.
    regions: OnceLock<Arc<Regions>>,
    tables: OnceLock<Arc<Tables>>,
    doubt: OnceLock<Option<Doubt>>,
    /// What was known to bar a proof before the automaton was made.
    known_doubt: Option<Doubt>,
}

/// The points-to analysis may take this long.
const POINTS_TO: Duration = Duration::from_secs(5);

impl<'p> ProgramFacts<'p> {
    /// Computes nothing yet. The points-to analysis ends with this budget, or sooner.
    pub fn new(program: &'p Program, budget: Budget) -> Self {
        ProgramFacts {
            program,
            budget,
            points_to: OnceLock::new(),
            regions: OnceLock::new(),
            tables: OnceLock::new(),
            doubt: OnceLock::new(),
            known_doubt: None,
        }
    }

    /// With what bars a proof for another reason than the automaton, if anything does.
    pub fn doubting(self, doubt: Option<Doubt>) -> Self {
        ProgramFacts { known_doubt: doubt, ..self }
    }

    /// What pointers may point to.
    pub fn points_to(&self) -> Result<&Arc<PointsTo>, Exhausted> {
        let result = self.points_to.get_or_init(|| {
            let mut budget = self.budget.clone().sooner(POINTS_TO);
            analyse(self.program, &Options::default(), &mut budget).map(Arc::new)
        });
        result.as_ref().map_err(|&exhausted| exhausted)
    }

    /// Memory, divided by what pointers may point to.
    pub fn regions(&self, division: Division) -> Result<Arc<Regions>, Exhausted> {
        let points_to = self.points_to()?;
        let make = || Arc::new(Regions::new(self.program, points_to, division));
        match division == Division::default() {
            true => Ok(Arc::clone(self.regions.get_or_init(make))),
            false => Ok(make()),
        }
    }

    /// Which steps depend on each other.
    pub fn tables(&self, division: Division) -> Result<Arc<Tables>, Exhausted> {
        let points_to = self.points_to()?;
        let make = || Arc::new(Tables::divided(self.program, points_to, division));
        match division == Division::default() {
            true => Ok(Arc::clone(self.tables.get_or_init(make))),
            false => Ok(make()),
        }
    }

    /// What bars a proof about this program, if anything does.
    pub fn doubt(&self) -> Result<Option<&Doubt>, Exhausted> {
        if self.known_doubt.is_some() || !may_doubt(self.program) {
            return Ok(self.known_doubt.as_ref());
        }
        let points_to = self.points_to()?;
        Ok(self.doubt.get_or_init(|| doubt(self.program, points_to)).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use ravelin_base::DataModel;

    use super::*;

    #[test]
    fn engines_share_what_is_computed() {
        let program = Program::new(DataModel::Lp64);
        let facts = ProgramFacts::new(&program, Budget::unlimited());
        let first = Arc::as_ptr(facts.points_to().expect("enough time"));
        assert!(std::ptr::eq(first, Arc::as_ptr(facts.points_to().expect("enough time"))));
        let division = Division::default();
        let regions = || facts.regions(division).expect("enough time");
        assert!(Arc::ptr_eq(&regions(), &regions()));
        let tables = || facts.tables(division).expect("enough time");
        assert!(Arc::ptr_eq(&tables(), &tables()));
    }
}
