//! From a witness to a program whose executions are those that the witness speaks of.
//!
//! The text of the program gets a counter of the segments that were passed, and where a waypoint is, a look
//! at it: whoever comes to the waypoint of the current segment passes it, or goes another way than the
//! witness says and stops there. The error is one only in the last segment. So a violation witness is
//! confirmed by an execution of that program to its error, and rejected if there is none. Of a correctness
//! witness, invariants become assertions.
//!
//! Everything that verifies programs verifies these; nothing else has to know what a witness is.

use std::collections::BTreeMap;
use std::ops::Range;

use ravelin_frontend::outline::{Item, Kind, Spot};

use crate::model::{
    Content, Invariant, Location, Segment, Way, Waypoint, WaypointKind, Witness, WitnessError,
};
use crate::target::{self, Target};

/// The global variable that counts the segments passed.
pub const COUNTER: &str = "__ravelin_at";

/// A unit of the program: its text and what is in it.
#[derive(Clone, Copy, Debug)]
pub struct UnitText<'a> {
    pub name: &'a str,
    pub text: &'a [u8],
    pub items: &'a [Item],
}

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
) -> Result<Vec<String>, WitnessError> {
    let edits = vec![Edits::default(); units.len()];
    let mut plan = Plan { units, has_threads, reading, edits };
    let prelude = match &witness.content {
        Content::Violation(segments) => {
            plan.follow(segments)?;
            violation_prelude(has_threads)
        }
        Content::Correctness(invariants) => {
            for invariant in invariants {
                plan.assert(invariant)?;
            }
            String::from(
                "extern void reach_error(void); static void __ravelin_assert(int holds) \
                 { if (!holds) reach_error(); }",
            )
        }
    };
    let texts = units.iter().zip(plan.edits).enumerate();
    Ok(texts
        .map(|(number, (unit, edits))| {
            let prelude = match (&witness.content, number) {
                (Content::Violation(_), 1..) => external_prelude(has_threads),
                _ => prelude.clone(),
            };
            format!("{prelude}\n# 1 \"{}\"\n{}", unit.name, edits.apply(unit.text))
        })
        .collect())
}

fn violation_prelude(has_threads: bool) -> String {
    let mut text = String::from("extern void abort(void); int __ravelin_at;");
    text += match has_threads {
        true => " _Thread_local int __ravelin_inside;",
        false => " int __ravelin_inside;",
    };
    if has_threads {
        text += " extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\
             extern void *malloc(__SIZE_TYPE__); int __ravelin_started; _Thread_local int __ravelin_me;\
             struct __ravelin_start { void *(*routine)(void *); void *arg; int number; };\
             void *__ravelin_run(void *given) { struct __ravelin_start *start = given;\
             __ravelin_me = start->number; return start->routine(start->arg); }\
             void *__ravelin_pack(void *(*routine)(void *), void *arg) {\
             struct __ravelin_start *start = malloc(sizeof *start); start->routine = routine;\
             start->arg = arg; __VERIFIER_atomic_begin(); start->number = ++__ravelin_started;\
             __VERIFIER_atomic_end(); return start; }";
    }
    text
}

fn external_prelude(has_threads: bool) -> String {
    let mut text = String::from("extern void abort(void); extern int __ravelin_at;");
    text += match has_threads {
        true => " extern _Thread_local int __ravelin_inside;",
        false => " extern int __ravelin_inside;",
    };
    if has_threads {
        text += " extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\
             extern _Thread_local int __ravelin_me; extern void *__ravelin_run(void *);\
             extern void *__ravelin_pack(void *(*)(void *), void *);";
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
    has_threads: bool,
    reading: Reading,
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

/// A place in a unit, by numbers.
pub(crate) type Place = (usize, usize);

/// Which side of an item a look is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    Behind,
    Condition,
    Call,
    Result,
}

impl<'a> Plan<'a> {
    fn follow(&mut self, segments: &[Segment]) -> Result<(), WitnessError> {
        let mut looks: BTreeMap<(Place, Side), Looks> = BTreeMap::new();
        let last = segments.len().saturating_sub(1);
        for (number, segment) in segments.iter().enumerate() {
            for (waypoint, is_followed) in
                segment.avoid.iter().map(|it| (it, false)).chain([(&segment.follow, true)])
            {
                if waypoint.kind == WaypointKind::Target {
                    self.target(waypoint, last)?;
                    continue;
                }
                let (places, side, holds) = self.look_of(waypoint, segment.is_strict)?;
                let holds = match waypoint.thread {
                    // Nothing is said of other threads that come here.
                    Some(_) if !self.has_threads => continue,
                    Some(_) | None => holds,
                };
                let then = match is_followed {
                    true => format!("__ravelin_at = {};", number + 1),
                    false => "abort();".to_owned(),
                };
                let is_strict = segment.is_strict || self.reading == Reading::AsComplete;
                let otherwise = match is_followed && is_strict && holds != "1" {
                    true => " else abort();",
                    false => "",
                };
                let look = format!("if ({holds}) {then}{otherwise}");
                let look = match waypoint.thread {
                    Some(thread) => format!("if (__ravelin_me == {thread}) {{ {look} }}"),
                    None => look,
                };
                // Of several places in a line it is not known which one is meant.
                let is_known = places.len() == 1;
                for place in places {
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

    /// Where a waypoint is looked at, and what has to hold there. Who is not strict may mean any place in
    /// the line.
    fn look_of(
        &self,
        waypoint: &Waypoint,
        is_strict: bool,
    ) -> Result<(Vec<Place>, Side, String), WitnessError> {
        let location = &waypoint.location;
        let is_statement = |item: &Item| matches!(item.kind, Kind::Statement | Kind::Declaration);
        match &waypoint.kind {
            WaypointKind::Assumption(value) => {
                let places =
                    self.find_all(location, is_strict, "statement", is_statement, |it| &it.start)?;
                Ok((places, Side::Before, value.clone()))
            }
            WaypointKind::Effect(value) => {
                let places =
                    self.find_all(location, is_strict, "statement", is_statement, |it| &it.start)?;
                Ok((places, Side::Behind, value.clone()))
            }
            WaypointKind::Branching(way) => {
                let is_branch = |item: &Item| {
                    matches!(&item.kind, Kind::Branch { condition: Some(_), is_switch, .. }
                        if *is_switch == matches!(way, Way::Case(_)))
                };
                let places =
                    self.find_all(location, is_strict, "branch", is_branch, |it| &it.start)?;
                let holds = match way {
                    Way::Condition(true) => "__ravelin_value".to_owned(),
                    Way::Condition(false) => "!__ravelin_value".to_owned(),
                    Way::Case(value) => format!("__ravelin_value == {value}"),
                };
                Ok((places, Side::Condition, holds))
            }
            WaypointKind::FunctionEnter(name) => {
                let places =
                    self.find_all(location, is_strict, "call", is_call(name), |it| &it.end)?;
                Ok((places, Side::Call, "1".to_owned()))
            }
            WaypointKind::FunctionReturn(name, value) => {
                let places =
                    self.find_all(location, is_strict, "call", is_call(name), |it| &it.end)?;
                match value {
                    Some(value) => {
                        Ok((places, Side::Result, value.replace("\\result", "__ravelin_value")))
                    }
                    // Whether there is a result is not known here.
                    None => Ok((places, Side::Call, "1".to_owned())),
                }
            }
            WaypointKind::Target => Err(WitnessError::new("a target in the middle")),
        }
    }

    /// As [`Plan::find`]; or everything that fits in the line, if that may be meant.
    fn find_all(
        &self,
        location: &Location,
        is_strict: bool,
        what: &str,
        fits: impl Fn(&Item) -> bool,
        spot: impl Fn(&Item) -> &Spot,
    ) -> Result<Vec<Place>, WitnessError> {
        let first = self.find(location, what, &fits, &spot)?;
        if is_strict || location.column.is_some() {
            return Ok(vec![first]);
        }
        let mut places = Vec::new();
        for (unit, UnitText { items, .. }) in self.units.iter().enumerate() {
            for (number, item) in items.iter().enumerate() {
                let Spot { file, line, .. } = spot(item);
                if fits(item) && *line == location.line && location.is_in(file) {
                    places.push((unit, number));
                }
            }
        }
        Ok(places)
    }

    /// What a location means: the first that fits in its line, or if it names a column, what is there.
    fn find(
        &self,
        location: &Location,
        what: &str,
        fits: impl Fn(&Item) -> bool,
        spot: impl Fn(&Item) -> &Spot,
    ) -> Result<Place, WitnessError> {
        let mut best: Option<(u32, Place)> = None;
        for (unit, UnitText { items, .. }) in self.units.iter().enumerate() {
            for (number, item) in items.iter().enumerate() {
                let Spot { file, line, column } = spot(item);
                if !fits(item) || *line != location.line || !location.is_in(file) {
                    continue;
                }
                let distance = match location.column {
                    // Some count columns from zero, or point beside.
                    Some(wanted) => column.abs_diff(wanted),
                    None => *column,
                };
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, (unit, number)));
                }
            }
        }
        best.map(|(_, place)| place).ok_or_else(|| {
            let Location { file, line, .. } = location;
            WitnessError::new(format!("there is no {what} at {file}:{line}"))
        })
    }

    fn insert(&mut self, unit: usize, item: usize, side: Side, looks: &Looks) {
        let UnitText { text, items, .. } = self.units[unit];
        let Item { kind, range, .. } = &items[item];
        let mut look = format!("switch (__ravelin_at) {{ {} }}", looks.cases.join(" "));
        if self.reading == Reading::AsComplete && looks.is_of_thread {
            look = format!(
                "{{ int __ravelin_was = __ravelin_at; {look} \
                 if (__ravelin_was == __ravelin_at) abort(); }}"
            );
        }
        if self.has_threads {
            look = format!("__VERIFIER_atomic_begin(); {look} __VERIFIER_atomic_end();");
        }
        let raw = |range: &Range<usize>| String::from_utf8_lossy(&text[range.clone()]).into_owned();
        let edits = &mut self.edits[unit];
        match (side, kind) {
            (Side::Before, Kind::Declaration) => {
                edits.wrap(range, format!("{look} "), String::new())
            }
            (Side::Behind, Kind::Declaration) => {
                edits.wrap(range, String::new(), format!(" {look}"))
            }
            (Side::Before, _) => edits.wrap(range, format!("{{ {look} "), " }".to_owned()),
            (Side::Behind, _) => edits.wrap(range, "{ ".to_owned(), format!(" {look} }}")),
            (Side::Condition, Kind::Branch { condition: Some(condition), is_switch, .. }) => {
                let value = match is_switch {
                    true => format!("({{ __typeof__({}) __ravelin_value = (", raw(condition)),
                    false => "({ int __ravelin_value = !!(".to_owned(),
                };
                edits.wrap(condition, value, format!("); {look} __ravelin_value; }})"));
            }
            (Side::Result, _) => {
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
        let is_statement = |item: &Item| matches!(item.kind, Kind::Statement | Kind::Declaration);
        let statements =
            self.find_all(&target.location, false, "statement", is_statement, |item| &item.start)?;
        let meant = Target::of(self.units, &statements);
        let mut is_other = format!("__ravelin_at != {last}");
        if let Some(thread) = target.thread.filter(|_| self.has_threads) {
            is_other += &format!(" || __ravelin_me != {thread}");
        }
        if let Target::Inside(statements) = &meant {
            is_other += " || !__ravelin_inside";
            for &(unit, item) in statements {
                self.count_inside(unit, item);
            }
        }
        for (unit, call) in target::errors(self.units) {
            let is_meant = match &meant {
                Target::Calls(calls) => calls.contains(&(unit, call)),
                Target::Inside(_) => true,
                Target::Nothing => false,
            };
            let guard = match is_meant {
                true => format!("({{ if ({is_other}) abort(); "),
                false => "({ abort(); ".to_owned(),
            };
            let range = &self.units[unit].items[call].range;
            self.edits[unit].wrap(range, guard, "; })".to_owned());
        }
        Ok(())
    }

    /// Counts how often a thread is inside of a statement. Who leaves it by a jump or with a result remains
    /// inside: the witness is then taken to say less than it does.
    fn count_inside(&mut self, unit: usize, item: usize) {
        let Item { kind, range, .. } = &self.units[unit].items[item];
        let (begin, end) = match kind {
            Kind::Declaration => ("__ravelin_inside++; ", " __ravelin_inside--;"),
            _ => ("{ __ravelin_inside++; ", " __ravelin_inside--; }"),
        };
        self.edits[unit].wrap(range, begin.to_owned(), end.to_owned());
    }

    /// Threads are told apart by the order in which they are started.
    fn number_threads(&mut self) {
        for (number, UnitText { items, .. }) in self.units.iter().enumerate() {
            for item in items.iter() {
                if let Kind::Call { name: Some(name), arguments } = &item.kind
                    && name == "pthread_create"
                    && let [_, _, routine, arg] = arguments.as_slice()
                {
                    let both = routine.start..arg.end;
                    let edits = &mut self.edits[number];
                    edits.wrap(&both, "__ravelin_run, __ravelin_pack(".to_owned(), ")".to_owned());
                }
            }
        }
    }

    fn assert(&mut self, invariant: &Invariant) -> Result<(), WitnessError> {
        let Invariant { is_of_loop, location, value } = invariant;
        let check = format!("__ravelin_assert(!!({value}));");
        if !is_of_loop {
            let is_statement =
                |item: &Item| matches!(item.kind, Kind::Statement | Kind::Declaration);
            let (unit, item) =
                self.find(location, "statement", is_statement, |item| &item.start)?;
            let Item { kind, range, .. } = &self.units[unit].items[item];
            match kind {
                Kind::Declaration => {
                    self.edits[unit].wrap(range, format!("{check} "), String::new());
                }
                _ => self.edits[unit].wrap(range, format!("{{ {check} "), " }".to_owned()),
            }
            return Ok(());
        }
        let is_loop = |item: &Item| matches!(item.kind, Kind::Branch { body: Some(_), .. });
        let (unit, item) = self.find(location, "loop", is_loop, |item| &item.start)?;
        if let Kind::Branch { condition, body: Some(body), .. } = &self.units[unit].items[item].kind
        {
            match condition {
                Some(condition) => self.edits[unit].wrap(
                    condition,
                    format!("({{ {check} 1; }}) && ("),
                    ")".to_owned(),
                ),
                None => self.edits[unit].wrap(body, format!("{{ {check} "), " }".to_owned()),
            }
        }
        Ok(())
    }
}

fn is_call(name: &Option<String>) -> impl Fn(&Item) -> bool {
    move |item| match (&item.kind, name) {
        (Kind::Call { .. }, None) => true,
        (Kind::Call { name: Some(called), .. }, Some(name)) => called == name,
        _ => false,
    }
}
