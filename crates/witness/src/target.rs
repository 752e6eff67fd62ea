//! Which errors a target speaks of: those that are called in its statement, or else those that happen in what the
//! statement calls.

use std::ops::Range;

use ravelin_frontend::outline::{Item, Kind};
use ravelin_frontend::{ErrorCalls, ErrorRole};

use crate::places::{Place, UnitText};

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
    pub(crate) fn of(
        units: &[UnitText<'_>],
        error_calls: &ErrorCalls,
        statements: &[Place],
    ) -> Target {
        let item = |&(unit, item): &Place| &units[unit].outline.items[item];
        // The bodies of these functions are not executed: their calls are what is looked for.
        let is_always =
            |place: &Place| error_calls.role(&item(place).function) == Some(ErrorRole::Always);
        if statements.iter().any(is_always) {
            return Target::Anywhere;
        }
        let is_in = |call: &Place| {
            let is_around = |it: &Place| it.0 == call.0 && item(it).encloses(item(call));
            statements.iter().any(is_around)
        };
        let calls: Vec<Place> =
            errors(units, error_calls).into_iter().map(|error| error.place).filter(is_in).collect();
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

/// A call that is an error.
#[derive(Clone, Debug)]
pub(crate) struct ErrorCall {
    pub place: Place,
    /// Where the condition stands that must not hold, if the call is an assertion.
    pub condition: Option<Range<usize>>,
}

/// The calls that are errors.
pub(crate) fn errors(units: &[UnitText<'_>], error_calls: &ErrorCalls) -> Vec<ErrorCall> {
    let error_of = |(place, item): (Place, &Item)| {
        let Kind::Call { name: Some(name), arguments, .. } = &item.kind else { return None };
        let condition = match role(units, error_calls, name)? {
            ErrorRole::Always | ErrorRole::Undefined => None,
            ErrorRole::Assertion => Some(arguments.first()?.clone()),
        };
        Some(ErrorCall { place, condition })
    };
    items(units).filter_map(error_of).collect()
}

fn role(units: &[UnitText<'_>], error_calls: &ErrorCalls, name: &str) -> Option<ErrorRole> {
    let usual = name.strip_prefix("__builtin_").unwrap_or(name);
    match error_calls.role(name)? {
        ErrorRole::Always => Some(ErrorRole::Always),
        role @ (ErrorRole::Undefined | ErrorRole::Assertion) => {
            (!is_defined(units, name) && !is_defined(units, usual)).then_some(role)
        }
    }
}

/// An error function that the program uses beyond calls: its callers are not known then.
pub(crate) fn mentioned_error<'a>(
    units: &[UnitText<'a>],
    error_calls: &ErrorCalls,
) -> Option<&'a str> {
    let mentioned = units.iter().flat_map(|unit| &unit.outline.mentioned);
    mentioned.map(String::as_str).find(|name| role(units, error_calls, name).is_some())
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
