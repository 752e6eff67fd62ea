//! Which errors a target speaks of: those that are called in its statement, or else those in functions that
//! the statement calls.

use std::collections::BTreeSet;

use ravelin_frontend::outline::{Item, Kind};

use crate::instrument::{Place, UnitText};

/// Functions whose calls are errors.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error", "__assert_fail", "__assert", "assert"];

/// Functions that start threads: what a thread does is not done in the statement that starts it.
const STARTS: &[&str] = &["pthread_create", "thrd_create"];

#[derive(Debug)]
pub(crate) enum Target {
    /// These calls are the errors.
    Calls(Vec<Place>),
    /// Any error is one while one of these statements is executed.
    Inside(Vec<Place>),
    /// There is no error.
    Nothing,
}

impl Target {
    /// What a target means that is one of these statements.
    pub(crate) fn of(units: &[UnitText<'_>], statements: &[Place]) -> Target {
        let is_in = |&(unit, call): &Place| {
            let call = &units[unit].items[call];
            statements
                .iter()
                .any(|&(number, it)| number == unit && encloses(&units[number].items[it], call))
        };
        let calls: Vec<Place> = errors(units).filter(is_in).collect();
        if !calls.is_empty() {
            return Target::Calls(calls);
        }
        let leading = leading_to_errors(units);
        let mut inside: Vec<Place> = Vec::new();
        for &(unit, statement) in statements {
            let UnitText { items, .. } = units[unit];
            let calls = |it: &Item| {
                items
                    .iter()
                    .filter(|call| encloses(it, call))
                    .filter(|call| leads(units[unit], call, &leading))
                    .count()
            };
            let wanted = calls(&items[statement]);
            // Around labels and braces there is nothing more to execute, and no way past the beginning.
            let innermost = items.iter().rposition(|it| {
                matches!(it.kind, Kind::Statement | Kind::Declaration)
                    && encloses(&items[statement], it)
                    && calls(it) == wanted
            });
            let place = (unit, innermost.unwrap_or(statement));
            if wanted > 0 && !inside.contains(&place) {
                inside.push(place);
            }
        }
        match inside.is_empty() {
            true => Target::Nothing,
            false => Target::Inside(inside),
        }
    }
}

fn encloses(outer: &Item, inner: &Item) -> bool {
    outer.range.start <= inner.range.start && inner.range.end <= outer.range.end
}

fn items<'a>(units: &'a [UnitText<'a>]) -> impl Iterator<Item = (Place, &'a Item)> {
    units.iter().enumerate().flat_map(|(number, unit)| {
        unit.items.iter().enumerate().map(move |(item, it)| ((number, item), it))
    })
}

/// The calls that are errors.
pub(crate) fn errors<'a>(units: &'a [UnitText<'a>]) -> impl Iterator<Item = Place> + 'a {
    items(units).filter(|(_, item)| is_error(item)).map(|(place, _)| place)
}

fn is_error(item: &Item) -> bool {
    match &item.kind {
        Kind::Call { name: Some(name), .. } => ERRORS.contains(&name.as_str()),
        Kind::Call { name: None, .. }
        | Kind::Statement
        | Kind::Declaration
        | Kind::Branch { .. } => false,
    }
}

/// The functions that an error may be reached from.
fn leading_to_errors<'a>(units: &'a [UnitText<'a>]) -> BTreeSet<&'a str> {
    let mut leading = BTreeSet::new();
    loop {
        let before = leading.len();
        for ((unit, _), item) in items(units) {
            if is_error(item) || leads(units[unit], item, &leading) {
                leading.insert(item.function.as_str());
            }
        }
        if leading.len() == before {
            return leading;
        }
    }
}

/// Whether an item is a call that may lead to an error: of such a function, through a pointer, or of a function
/// that is given one to call.
fn leads(unit: UnitText<'_>, item: &Item, leading: &BTreeSet<&str>) -> bool {
    let Kind::Call { name, arguments } = &item.kind else { return false };
    let Some(name) = name.as_deref() else { return true };
    if STARTS.contains(&name) {
        return false;
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    leading.contains(name)
        || arguments.iter().any(|argument| {
            let words = unit.text[argument.clone()].split(|byte| !is_word(byte));
            words.filter_map(|word| str::from_utf8(word).ok()).any(|word| leading.contains(word))
        })
}
