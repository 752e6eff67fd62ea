//! Which errors a target speaks of: those that are called in its statement, or else those that happen in what the
//! statement calls.

use ravelin_frontend::outline::{Item, Kind};

use crate::places::{Place, UnitText};

/// Functions whose calls are errors, whatever bodies they have.
const ALWAYS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Functions whose calls are errors unless the program defines them.
const UNDEFINED: &[&str] =
    &["__assert_fail", "__assert_perror_fail", "__assert", "__assert_rtn", "_assert"];

/// Functions that start threads: what a thread does is not done in the statement that starts it.
pub(crate) const STARTS: &[&str] = &["pthread_create", "thrd_create"];

#[derive(Debug)]
pub(crate) enum Target {
    /// All errors.
    Anywhere,
    /// These calls are the errors.
    Calls(Vec<Place>),
    /// Any error is one while one of these calls is executed.
    Inside(Vec<Place>),
}

impl Target {
    /// What a target means that is one of these statements.
    pub(crate) fn of(units: &[UnitText<'_>], statements: &[Place]) -> Target {
        let item = |&(unit, item): &Place| &units[unit].outline.items[item];
        // The bodies of these functions are not executed: their calls are what is looked for.
        if statements.iter().any(|place| ALWAYS.contains(&item(place).function.as_str())) {
            return Target::Anywhere;
        }
        let is_in = |call: &Place| {
            let is_around = |it: &Place| it.0 == call.0 && item(it).encloses(item(call));
            statements.iter().any(is_around)
        };
        let calls: Vec<Place> = errors(units).into_iter().filter(is_in).collect();
        if !calls.is_empty() {
            return Target::Calls(calls);
        }
        let inside = items(units).filter(|(_, item)| may_lead_to_error(units, item));
        Target::Inside(inside.map(|(place, _)| place).filter(is_in).collect())
    }
}

fn items<'a>(units: &'a [UnitText<'a>]) -> impl Iterator<Item = (Place, &'a Item)> {
    units.iter().enumerate().flat_map(|(number, unit)| {
        unit.outline.items.iter().enumerate().map(move |(item, it)| ((number, item), it))
    })
}

fn is_defined(units: &[UnitText<'_>], name: &str) -> bool {
    units.iter().any(|unit| unit.outline.functions.contains(name))
}

/// The calls that are errors.
pub(crate) fn errors(units: &[UnitText<'_>]) -> Vec<Place> {
    let is_error = |item: &Item| match &item.kind {
        Kind::Call { name: Some(name), .. } => is_error_function(units, name),
        Kind::Call { name: None, .. }
        | Kind::Statement { .. }
        | Kind::Declaration
        | Kind::Branch { .. } => false,
    };
    items(units).filter(|(_, item)| is_error(item)).map(|(place, _)| place).collect()
}

fn is_error_function(units: &[UnitText<'_>], name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    ALWAYS.contains(&name) || UNDEFINED.contains(&name) && !is_defined(units, name)
}

/// An error function that the program does more with than to call it: who calls it then cannot be told.
pub(crate) fn mentioned_error<'a>(units: &[UnitText<'a>]) -> Option<&'a str> {
    let mentioned = units.iter().flat_map(|unit| &unit.outline.mentioned);
    mentioned.map(String::as_str).find(|name| is_error_function(units, name))
}

/// Whether an item is a call behind which there may be code of the program: what the compiler and the library have
/// names for is none, but a variable may have any other name.
fn may_lead_to_error(units: &[UnitText<'_>], item: &Item) -> bool {
    let Kind::Call { name, .. } = &item.kind else { return false };
    match name.as_deref() {
        Some(name) => {
            !STARTS.contains(&name) && (is_defined(units, name) || !name.starts_with("__"))
        }
        None => true,
    }
}
