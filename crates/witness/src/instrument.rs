//! From a witness to a program whose executions are those that the witness speaks of.
//!
//! The text of the program gets a counter of the segments that were passed, and where a waypoint is, a look
//! at it: whoever comes to the waypoint of the current segment passes it, or goes another way than the
//! witness says and stops there. The error is one only in the last segment. So a violation witness is
//! confirmed by an execution of that program to its error, and rejected if there is none. Of a correctness
//! witness, invariants become assertions.
//!
//! Everything that verifies programs verifies these; nothing else has to know what a witness is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ravelin_frontend::ErrorCalls;
use ravelin_frontend::outline::expression::{self, Divisors};
use ravelin_frontend::outline::{Item, Kind};

use crate::model::{
    Content, Invariant, Segment, Way, Waypoint, WaypointKind, Witness, WitnessError,
};
pub use crate::places::UnitText;
use crate::places::{self, Place, Sought};
use crate::target::{self, ErrorCall, STARTS, Target};

/// The global variable that counts the segments passed.
pub const COUNTER: &str = "__ravelin_at";

/// What names begin with that are put into the program.
const OWN_PREFIX: &str = "__ravelin_";

/// Fails: the least likely name, since a program declares others as it likes.
const FAIL_FUNCTION: &str = "__assert_rtn";

/// Ends the execution. A program has no such name.
const STOP: &str = "__ravelin_stop();";

/// How much a witness is taken to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// What it says.
    AsWritten,
    /// Every time that a thread comes to a place with a waypoint of some thread, there is a waypoint for it. Of
    /// what Ravelin writes this is nearly always true, and leaves few ways to go.
    AsComplete,
}

/// The texts of the units, changed as the witness says.
pub fn instrument(
    units: &[UnitText<'_>],
    witness: &Witness,
    has_threads: bool,
    reading: Reading,
    error_calls: &ErrorCalls,
) -> Result<Vec<String>, WitnessError> {
    let uses_own_names = |unit: &UnitText<'_>| {
        unit.text.windows(OWN_PREFIX.len()).any(|window| window == OWN_PREFIX.as_bytes())
    };
    if units.iter().any(uses_own_names) {
        let why = format!("names of the program begin with '{OWN_PREFIX}'");
        return Err(WitnessError::unsupported(why));
    }
    if units.iter().any(|unit| unit.outline.functions.contains(FAIL_FUNCTION)) {
        let why = format!("the program defines '{FAIL_FUNCTION}' itself");
        return Err(WitnessError::unsupported(why));
    }
    let types = units.iter().flat_map(|unit| unit.outline.types.iter().cloned()).collect();
    let edits = vec![Edits::default(); units.len()];
    let mut plan = Plan { units, types, has_threads, reading, error_calls, edits };
    let preludes = match &witness.content {
        Content::Violation(segments) => {
            plan.refuse_what_cannot_be_followed(segments)?;
            plan.follow(segments)?;
            [violation_prelude(has_threads), external_prelude(has_threads)]
        }
        Content::Correctness(invariants) => {
            for invariant in invariants {
                plan.assert(invariant)?;
            }
            let check = format!(
                "static void __ravelin_assert(int holds) \
                 {{ if (!holds) {FAIL_FUNCTION}(0, 0, 0, 0); }}"
            );
            [check.clone(), check]
        }
    };
    let texts = units.iter().zip(plan.edits).enumerate();
    Ok(texts
        .map(|(number, (unit, edits))| {
            let prelude = &preludes[number.min(1)];
            // As a marker spells it.
            let name = unit.name.replace('\\', "\\\\").replace('"', "\\\"");
            format!("{prelude}\n# 1 \"{name}\"\n{}", edits.apply(unit.text))
        })
        .collect())
}

fn violation_prelude(has_threads: bool) -> String {
    let mut text = String::from("int __ravelin_at;");
    text += match has_threads {
        true => " _Thread_local int __ravelin_inside;",
        false => " int __ravelin_inside;",
    };
    if has_threads {
        text += " extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\
             int __ravelin_started; _Thread_local int __ravelin_me;\
             struct __ravelin_start { void *(*routine)(void *); int (*c11)(void *); void *arg; int number; };\
             void *__ravelin_run(void *given) { struct __ravelin_start *start = given;\
             __ravelin_me = start->number; return start->routine(start->arg); }\
             int __ravelin_run_c11(void *given) { struct __ravelin_start *start = given;\
             __ravelin_me = start->number; return start->c11(start->arg); }\
             static struct __ravelin_start *__ravelin_new(void *arg) {\
             struct __ravelin_start *start = __builtin_malloc(sizeof *start);\
             start->arg = arg; __VERIFIER_atomic_begin(); start->number = ++__ravelin_started;\
             __VERIFIER_atomic_end(); return start; }\
             void *__ravelin_pack(void *(*routine)(void *), void *arg) {\
             struct __ravelin_start *start = __ravelin_new(arg); start->routine = routine; return start; }\
             void *__ravelin_pack_c11(int (*routine)(void *), void *arg) {\
             struct __ravelin_start *start = __ravelin_new(arg); start->c11 = routine; return start; }";
    }
    text
}

fn external_prelude(has_threads: bool) -> String {
    let mut text = String::from("extern int __ravelin_at;");
    text += match has_threads {
        true => " extern _Thread_local int __ravelin_inside;",
        false => " extern int __ravelin_inside;",
    };
    if has_threads {
        text += " extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\
             extern _Thread_local int __ravelin_me; extern void *__ravelin_run(void *);\
             extern int __ravelin_run_c11(void *);\
             extern void *__ravelin_pack(void *(*)(void *), void *);\
             extern void *__ravelin_pack_c11(int (*)(void *), void *);";
    }
    text
}

/// What is inserted into a text.
#[derive(Clone, Debug, Default)]
struct Edits {
    insertions: Vec<Insertion>,
}

#[derive(Clone, Debug)]
struct Insertion {
    at: usize,
    /// Ends of ranges come before beginnings; the ends of smaller ranges and the beginnings of larger ones
    /// are outside.
    is_begin: bool,
    size: usize,
    text: String,
}

impl Edits {
    /// Puts something before and behind a range.
    fn wrap(&mut self, range: &Range<usize>, before: String, behind: String) {
        let size = range.len();
        self.insertions.push(Insertion { at: range.start, is_begin: true, size, text: before });
        self.insertions.push(Insertion { at: range.end, is_begin: false, size, text: behind });
    }

    /// Puts something before a statement or declaration, where nobody who comes to it gets past.
    fn put_before(&mut self, item: &Item, what: &str) {
        match &item.kind {
            Kind::Statement { behind_labels, is_result: false } => {
                self.wrap(behind_labels, format!("{{ {what} "), " }".to_owned());
            }
            Kind::Statement { behind_labels, is_result: true } => {
                self.wrap(behind_labels, format!("{what} "), String::new());
            }
            Kind::Declaration | Kind::Call { .. } | Kind::Branch { .. } => {
                self.wrap(&item.range, format!("{what} "), String::new());
            }
        }
    }

    fn apply(mut self, text: &[u8]) -> String {
        let key = |it: &Insertion| {
            let size = it.size as isize;
            (it.at, it.is_begin, if it.is_begin { -size } else { size })
        };
        // What was wrapped first is outside, of two that wrap the same.
        let (begins, mut ends): (Vec<_>, Vec<_>) =
            self.insertions.drain(..).partition(|it| it.is_begin);
        ends.reverse();
        let mut all = begins;
        all.append(&mut ends);
        all.sort_by_key(key);
        let mut out = Vec::with_capacity(text.len() + 64 * all.len());
        let mut from = 0;
        for Insertion { at, text: inserted, .. } in all {
            out.extend_from_slice(&text[from..at]);
            out.extend_from_slice(inserted.as_bytes());
            from = at;
        }
        out.extend_from_slice(&text[from..]);
        String::from_utf8_lossy(&out).into_owned()
    }
}

struct Plan<'a> {
    units: &'a [UnitText<'a>],
    /// Names of types.
    types: BTreeSet<String>,
    has_threads: bool,
    reading: Reading,
    error_calls: &'a ErrorCalls,
    edits: Vec<Edits>,
}

/// What is looked at in one place.
#[derive(Debug, Default)]
struct Looks {
    /// By the number of the segment.
    cases: Vec<String>,
    /// Whether some thread passes this place and no other.
    is_of_thread: bool,
}

/// Which side of an item a look is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    Behind,
    Condition,
    Call,
    /// After a call, whether or not it has a result.
    Return,
    Result,
}

impl Plan<'_> {
    /// What would make a look say something else than the witness does.
    fn refuse_what_cannot_be_followed(&self, segments: &[Segment]) -> Result<(), WitnessError> {
        if let Some(name) = target::mentioned_error(self.units, self.error_calls) {
            let why = format!("the program does more with '{name}' than to call it");
            return Err(WitnessError::unsupported(why));
        }
        if !self.has_threads {
            return Ok(());
        }
        let is_mentioned =
            |name: &&&str| self.units.iter().any(|unit| unit.outline.mentioned.contains(**name));
        let waypoints = segments.iter().flat_map(|it| it.avoid.iter().chain([&it.follow]));
        if waypoints.into_iter().any(|it| it.thread.is_some())
            && let Some(name) = STARTS.iter().find(is_mentioned)
        {
            let why = format!("the program does more with '{name}' than to call it");
            return Err(WitnessError::unsupported(why));
        }
        let needed = ["malloc", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];
        match needed.iter().find(|name| self.is_defined(name)) {
            Some(name) => {
                let why = format!("the program defines '{name}' itself");
                Err(WitnessError::unsupported(why))
            }
            None => Ok(()),
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.units.iter().any(|unit| unit.outline.functions.contains(name))
    }

    fn follow(&mut self, segments: &[Segment]) -> Result<(), WitnessError> {
        let mut looks: BTreeMap<(Place, Side), Looks> = BTreeMap::new();
        let last = segments.len().saturating_sub(1);
        for (number, segment) in segments.iter().enumerate() {
            for (waypoint, is_followed) in
                segment.avoid.iter().map(|it| (it, false)).chain([(&segment.follow, true)])
            {
                if matches!(waypoint.kind, WaypointKind::Target | WaypointKind::AnyTarget) {
                    if number != last || !is_followed {
                        return Err(WitnessError::new("a target in the middle, or avoided"));
                    }
                    self.target(waypoint, last)?;
                    continue;
                }
                let (side, holds) = self.look_of(waypoint)?;
                let then = match is_followed {
                    true => format!("__ravelin_at = {};", number + 1),
                    false => STOP.to_owned(),
                };
                let is_strict = segment.is_strict || self.reading == Reading::AsComplete;
                let otherwise = match is_followed && is_strict {
                    true => format!(" else {STOP}"),
                    false => String::new(),
                };
                let places = self.places_of(waypoint, segment.is_strict)?;
                // Of several places in a line it is not known which one is meant.
                let is_known = places.len() == 1;
                for place in places {
                    let holds = match &holds {
                        Holds::Expression(holds) => holds.clone(),
                        Holds::NoCase => self.no_case(place),
                    };
                    let look = match holds.as_str() {
                        "1" => then.clone(),
                        _ => format!("if ({holds}) {then}{otherwise}"),
                    };
                    let look = match self.is_thread(waypoint.thread) {
                        Some(is_thread) => format!("if ({is_thread}) {{ {look} }}"),
                        None => look,
                    };
                    let looks = looks.entry((place, side)).or_default();
                    looks.cases.push(format!("case {number}: {{ {look} break; }}"));
                    looks.is_of_thread |= waypoint.thread.is_some() && is_followed && is_known;
                }
            }
        }
        for (((unit, item), side), looks) in looks {
            self.insert(unit, item, side, &looks);
        }
        if self.has_threads {
            self.number_threads();
        }
        Ok(())
    }

    /// Whether this is the thread that a waypoint is for, if it is for one. Without threads, all is done by the
    /// main thread.
    fn is_thread(&self, thread: Option<u32>) -> Option<String> {
        match (thread, self.has_threads) {
            (Some(thread), true) => Some(format!("__ravelin_me == {thread}")),
            (None, _) | (Some(0), false) => None,
            (Some(_), false) => Some("0".to_owned()),
        }
    }

    /// Where a waypoint is looked at. Who is not strict may mean any place in the line.
    fn places_of(&self, waypoint: &Waypoint, is_strict: bool) -> Result<Vec<Place>, WitnessError> {
        let sought = Sought::by(&waypoint.kind);
        if is_strict {
            return Ok(vec![places::find(self.units, &waypoint.location, &sought)?]);
        }
        let mut places = places::find_all(self.units, &waypoint.location, &sought)?;
        match &waypoint.kind {
            WaypointKind::Effect(_) => {
                // Behind the last statement of a statement expression there is nothing: its value would be lost.
                places.retain(|&(unit, item)| {
                    let kind = &self.units[unit].outline.items[item].kind;
                    !matches!(kind, Kind::Statement { is_result: true, .. })
                });
            }
            WaypointKind::FunctionReturn(None, _) if places.len() > 1 => {
                let line = waypoint.location.line;
                let why = format!("which call of line {line} has the result is not said");
                return Err(WitnessError::unsupported(why));
            }
            WaypointKind::Assumption(_)
            | WaypointKind::Branching(_)
            | WaypointKind::FunctionEnter(_)
            | WaypointKind::FunctionReturn(..)
            | WaypointKind::Target
            | WaypointKind::AnyTarget => {}
        }
        match places.is_empty() {
            true => Err(WitnessError::unsupported("a value that holds inside of an expression")),
            false => Ok(places),
        }
    }

    /// How a waypoint is looked at, and what has to hold there.
    fn look_of(&self, waypoint: &Waypoint) -> Result<(Side, Holds), WitnessError> {
        let always = || Holds::Expression("1".to_owned());
        Ok(match &waypoint.kind {
            WaypointKind::Assumption(value) => (Side::Before, self.expression(value)?),
            WaypointKind::Effect(value) => (Side::Behind, self.expression(value)?),
            WaypointKind::Branching(way) => {
                let holds = match way {
                    Way::Condition(true) => Holds::Expression("__ravelin_value".to_owned()),
                    Way::Condition(false) => Holds::Expression("!__ravelin_value".to_owned()),
                    Way::Case(value) => Holds::Expression(format!("__ravelin_value == {value}")),
                    Way::Default => Holds::NoCase,
                };
                (Side::Condition, holds)
            }
            WaypointKind::FunctionEnter(_) => (Side::Call, always()),
            WaypointKind::FunctionReturn(_, None) => (Side::Return, always()),
            WaypointKind::FunctionReturn(_, Some(value)) => {
                if value.contains(OWN_PREFIX) {
                    return Err(WitnessError::new(format!("'{value}' is not about the program")));
                }
                let value = value.replace("\\result", "__ravelin_value");
                (Side::Result, self.checked(&value)?)
            }
            WaypointKind::Target | WaypointKind::AnyTarget => {
                return Err(WitnessError::new("a target in the middle"));
            }
        })
    }

    fn expression(&self, value: &str) -> Result<Holds, WitnessError> {
        match value.contains(OWN_PREFIX) {
            true => Err(WitnessError::new(format!("'{value}' is not about the program"))),
            false => self.checked(value),
        }
    }

    /// An expression of the witness, of which it is sure that it changes nothing. An execution in which it cannot be
    /// evaluated (a null access, a division by zero) is undefined there: it confirms nothing, and rejects nothing.
    fn checked(&self, value: &str) -> Result<Holds, WitnessError> {
        match expression::check(value, &self.types) {
            Ok(_) => Ok(Holds::Expression(match value {
                "1" => value.to_owned(),
                _ => format!("({value})").replace(['\n', '\r'], " "),
            })),
            Err(refusal) => Err(WitnessError::new(format!("'{value}' {refusal}"))),
        }
    }

    /// That a switch leads to none of its cases.
    fn no_case(&self, (unit, item): Place) -> String {
        let UnitText { text, outline, .. } = self.units[unit];
        let Kind::Branch { cases: Some(cases), .. } = &outline.items[item].kind else {
            return "1".to_owned();
        };
        let value = |range: &Range<usize>| {
            let text = String::from_utf8_lossy(&text[range.clone()]);
            format!("(__typeof__(__ravelin_value))({text})")
        };
        let is_it = cases.iter().map(|[low, high]| {
            format!("{} <= __ravelin_value && __ravelin_value <= {}", value(low), value(high))
        });
        let any: Vec<String> = is_it.collect();
        match any.is_empty() {
            true => "1".to_owned(),
            false => format!("!({})", any.join(" || ")),
        }
    }

    fn insert(&mut self, unit: usize, item: usize, side: Side, looks: &Looks) {
        let UnitText { text, outline, .. } = self.units[unit];
        let item = &outline.items[item];
        let Item { kind, range, .. } = item;
        let mut look = format!("switch (__ravelin_at) {{ {} }}", looks.cases.join(" "));
        if self.reading == Reading::AsComplete && looks.is_of_thread {
            look = format!(
                "{{ int __ravelin_was = __ravelin_at; {look} \
                 if (__ravelin_was == __ravelin_at) {STOP} }}"
            );
        }
        if self.has_threads {
            look = format!("__VERIFIER_atomic_begin(); {look} __VERIFIER_atomic_end();");
        }
        let raw = |range: &Range<usize>| String::from_utf8_lossy(&text[range.clone()]).into_owned();
        let edits = &mut self.edits[unit];
        match (side, kind) {
            (Side::Before, _) => edits.put_before(item, &look),
            (Side::Behind, Kind::Declaration) => {
                edits.wrap(range, String::new(), format!(" {look}"))
            }
            (Side::Behind, _) => edits.wrap(range, "{ ".to_owned(), format!(" {look} }}")),
            (Side::Condition, Kind::Branch { condition: Some(condition), cases, .. }) => {
                let value = match cases {
                    Some(_) => {
                        format!("({{ __typeof__(({}) + 0) __ravelin_value = (", raw(condition))
                    }
                    None => "({ int __ravelin_value = !!(".to_owned(),
                };
                edits.wrap(condition, value, format!("); {look} __ravelin_value; }})"));
            }
            (Side::Return, Kind::Call { is_unused: true, .. }) => {
                edits.wrap(range, "({ ".to_owned(), format!("; {look} }})"));
            }
            (Side::Result | Side::Return, _) => {
                let before = format!("({{ __typeof__({}) __ravelin_value = (", raw(range));
                edits.wrap(range, before, format!("); {look} __ravelin_value; }})"));
            }
            (Side::Call | Side::Condition, _) => {
                edits.wrap(range, format!("({{ {look} "), "; })".to_owned());
            }
        }
    }

    /// The error is one in the last segment only, and at the target.
    fn target(&mut self, target: &Waypoint, last: usize) -> Result<(), WitnessError> {
        let meant = match target.kind {
            WaypointKind::AnyTarget => Target::Anywhere,
            _ => {
                let statements =
                    places::find_all(self.units, &target.location, &Sought::Statement)?;
                Target::of(self.units, self.error_calls, &statements)
            }
        };
        let mut is_other = format!("__ravelin_at != {last}");
        if let Some(is_thread) = self.is_thread(target.thread) {
            is_other += &format!(" || !({is_thread})");
        }
        if let Target::Inside(calls) = &meant {
            is_other += " || !__ravelin_inside";
            for &(unit, item) in calls {
                self.count_inside(unit, item);
            }
        }
        for ErrorCall { place: (unit, call), condition } in
            target::errors(self.units, self.error_calls)
        {
            let is_meant = match &meant {
                Target::Calls(calls) => calls.contains(&(unit, call)),
                Target::Inside(_) | Target::Anywhere => true,
            };
            let is_other = if is_meant { &is_other } else { "1" };
            let range = &self.units[unit].outline.items[call].range;
            match condition {
                None => {
                    let guard = format!("({{ if ({is_other}) {STOP} ");
                    self.edits[unit].wrap(range, guard, "; })".to_owned());
                }
                Some(condition) => {
                    let after = format!(
                        "); if (!__ravelin_value && ({is_other})) {STOP} __ravelin_value; }})"
                    );
                    let before = "({ int __ravelin_value = !!(".to_owned();
                    self.edits[unit].wrap(&condition, before, after);
                }
            }
        }
        Ok(())
    }

    /// Counts how often a thread is inside of a call.
    fn count_inside(&mut self, unit: usize, item: usize) {
        let UnitText { text, outline, .. } = self.units[unit];
        let Item { kind, range, .. } = &outline.items[item];
        let (begin, end) = match kind {
            Kind::Call { is_unused: true, .. } => {
                ("({ __ravelin_inside++; ".to_owned(), "; __ravelin_inside--; })".to_owned())
            }
            _ => {
                let call = String::from_utf8_lossy(&text[range.clone()]);
                let begin =
                    format!("({{ __ravelin_inside++; __typeof__({call}) __ravelin_value = (");
                (begin, "); __ravelin_inside--; __ravelin_value; })".to_owned())
            }
        };
        self.edits[unit].wrap(range, begin, end);
    }

    /// Threads are numbered by the order in which they start.
    fn number_threads(&mut self) {
        for (number, UnitText { outline, .. }) in self.units.iter().enumerate() {
            for item in &outline.items {
                let Kind::Call { name: Some(name), arguments, .. } = &item.kind else { continue };
                if self.is_defined(name) {
                    continue;
                }
                let (routine, arg, pack) = match (name.as_str(), arguments.as_slice()) {
                    ("pthread_create", [_, _, routine, arg]) => {
                        (routine, arg, "__ravelin_run, __ravelin_pack(")
                    }
                    ("thrd_create", [_, routine, arg]) => {
                        (routine, arg, "__ravelin_run_c11, __ravelin_pack_c11(")
                    }
                    _ => continue,
                };
                let both = routine.start..arg.end;
                self.edits[number].wrap(&both, pack.to_owned(), ")".to_owned());
            }
        }
    }

    fn assert(&mut self, invariant: &Invariant) -> Result<(), WitnessError> {
        let Invariant { is_of_loop, location, value } = invariant;
        if value.contains(OWN_PREFIX) {
            return Err(WitnessError::new(format!("'{value}' is not about the program")));
        }
        match expression::check(value, &self.types) {
            Ok(Divisors::Constant) => {}
            Ok(Divisors::Any) => {
                let why = format!("'{value}' divides by what may be zero");
                return Err(WitnessError::unsupported(why));
            }
            Err(refusal) => return Err(WitnessError::new(format!("'{value}' {refusal}"))),
        }
        let check = format!("__ravelin_assert(!!({}));", value.replace(['\n', '\r'], " "));
        let sought = if *is_of_loop { Sought::Loop } else { Sought::Statement };
        let (unit, item) = places::find(self.units, location, &sought)?;
        let item = &self.units[unit].outline.items[item];
        let edits = &mut self.edits[unit];
        match &item.kind {
            Kind::Branch { condition: Some(condition), .. } => {
                edits.wrap(condition, format!("({{ {check} 1; }}) && ("), ")".to_owned());
            }
            Kind::Branch { body: Some(body), .. } => {
                edits.wrap(body, format!("{{ {check} "), " }".to_owned());
            }
            Kind::Statement { .. }
            | Kind::Declaration
            | Kind::Call { .. }
            | Kind::Branch { .. } => edits.put_before(item, &check),
        }
        Ok(())
    }
}

/// What has to hold where a waypoint is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Holds {
    Expression(String),
    /// The value of a switch is that of no case.
    NoCase,
}
