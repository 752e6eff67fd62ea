//! What a location in a witness means.

use std::collections::BTreeSet;

use ravelin_frontend::outline::{Item, Kind, Outline, Spot};

use crate::model::{Location, Way, WaypointKind, WitnessError};
use crate::target::STARTS;

/// A unit of the program: its text and what is in it.
#[derive(Clone, Copy, Debug)]
pub struct UnitText<'a> {
    pub name: &'a str,
    pub text: &'a [u8],
    pub outline: &'a Outline,
}

/// An item, by the numbers of its unit and in it.
pub(crate) type Place = (usize, usize);

/// What a location is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    Statement,
    /// Of a function, if its name is known.
    Call(Option<String>),
    Condition,
    Switch,
    Loop,
}

impl Sought {
    /// What a waypoint is at.
    pub(crate) fn by(kind: &WaypointKind) -> Sought {
        match kind {
            WaypointKind::Assumption(_)
            | WaypointKind::Effect(_)
            | WaypointKind::Target
            | WaypointKind::AnyTarget => Sought::Statement,
            WaypointKind::Branching(Way::Condition(_)) => Sought::Condition,
            WaypointKind::Branching(Way::Case(_) | Way::Default) => Sought::Switch,
            WaypointKind::FunctionEnter(name) | WaypointKind::FunctionReturn(name, _) => {
                Sought::Call(name.clone())
            }
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Sought::Statement => "statement",
            Sought::Call(_) => "call",
            Sought::Condition | Sought::Switch => "branch",
            Sought::Loop => "loop",
        }
    }

    fn fits(&self, item: &Item) -> bool {
        match (self, &item.kind) {
            (Sought::Statement, _) => item.is_statement(),
            (Sought::Call(None), Kind::Call { .. }) => true,
            (Sought::Call(Some(wanted)), Kind::Call { name: Some(name), .. }) => {
                // Who says that a thread is started does not say how.
                let is_start = |name: &String| STARTS.contains(&name.as_str());
                name == wanted || is_start(name) && is_start(wanted)
            }
            (Sought::Condition, Kind::Branch { condition, cases, .. }) => {
                condition.is_some() && cases.is_none()
            }
            (Sought::Switch, Kind::Branch { cases, .. }) => cases.is_some(),
            (Sought::Loop, Kind::Branch { body, .. }) => body.is_some(),
            (_, Kind::Statement { .. } | Kind::Declaration)
            | (_, Kind::Call { .. })
            | (_, Kind::Branch { .. }) => false,
        }
    }

    /// Where it is: calls are where they end.
    pub(crate) fn spot<'a>(&self, item: &'a Item) -> &'a Spot {
        match self {
            Sought::Call(_) => &item.end,
            Sought::Statement | Sought::Condition | Sought::Switch | Sought::Loop => &item.start,
        }
    }
}

/// The files of the program that a location may mean: none is more like its own.
fn files<'a>(units: &[UnitText<'a>], location: &Location) -> BTreeSet<&'a str> {
    let mut files: BTreeSet<&str> = BTreeSet::new();
    for UnitText { outline, .. } in units {
        let mut latest = "";
        for Spot { file, .. } in outline.items.iter().flat_map(|item| [&item.start, &item.end]) {
            if file != latest {
                latest = file;
                files.insert(file);
            }
        }
    }
    let best = files.iter().map(|file| location.likeness(file)).max().filter(|&best| best > 0);
    files.retain(|file| Some(location.likeness(file)) == best);
    files
}

/// Everything that fits in the line of a location, with its column.
fn in_line(units: &[UnitText<'_>], location: &Location, sought: &Sought) -> Vec<(u32, Place)> {
    let files = files(units, location);
    let mut found = Vec::new();
    for (unit, UnitText { outline, .. }) in units.iter().enumerate() {
        for (number, item) in outline.items.iter().enumerate() {
            let Spot { file, line, told, .. } = sought.spot(item);
            if *line == location.line && sought.fits(item) && files.contains(file.as_str()) {
                found.push((*told, (unit, number)));
            }
        }
    }
    found
}

fn missing(location: &Location, sought: &Sought) -> WitnessError {
    let Location { file, line, .. } = location;
    WitnessError::new(format!("there is no {} at {file}:{line}", sought.word()))
}

/// What a location means: the first that fits in its line, or if it names a column, what is nearest to it: some
/// count columns from zero, or point beside.
pub(crate) fn find(
    units: &[UnitText<'_>],
    location: &Location,
    sought: &Sought,
) -> Result<Place, WitnessError> {
    let distance = |column: u32| location.column.map_or(column, |wanted| column.abs_diff(wanted));
    let found = in_line(units, location, sought);
    let nearest = found.iter().min_by_key(|(column, _)| distance(*column));
    nearest.map(|(_, place)| *place).ok_or_else(|| missing(location, sought))
}

/// As [`find`], or if there is no column, everything that fits in the line.
pub(crate) fn find_all(
    units: &[UnitText<'_>],
    location: &Location,
    sought: &Sought,
) -> Result<Vec<Place>, WitnessError> {
    if location.column.is_some() {
        return Ok(vec![find(units, location, sought)?]);
    }
    let found = in_line(units, location, sought);
    match found.is_empty() {
        true => Err(missing(location, sought)),
        false => Ok(found.into_iter().map(|(_, place)| place).collect()),
    }
}
