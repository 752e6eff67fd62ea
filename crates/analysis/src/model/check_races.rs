//! Checks for data races, put before and around the accesses that may race.
//!
//! An execution has a race if it comes to a state in which two threads are about to make conflicting accesses
//! (`ravelin_por::races`). Accesses that may race with each other, directly or through others, form a *group* with a *mark*:
//! what a thread of the group is about to access, and whether it writes. A plain write sets the mark, and takes it back in
//! the step in which it writes; so does a plain read that may race with a write in an atomic section, where nobody
//! can wait. Before it accesses, every thread of the group looks at the mark: it is the error if that conflicts.
//!
//! Where the mark says so, its thread is about to make the access: the error is one. And an execution to a race has the error
//! in another order of steps: each thread marks directly before it accesses, so no two marks meet, except the last one,
//! which the other thread of the race then finds. So one mark for a group is enough, and reads need none among themselves.
//!
//! The pass wants one label per edge, and each outside of atomic sections touching at most one shared location. What the
//! program does besides the marks stays as it is.

use std::time::Duration;

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::{
    Edge, ErrorKind, Label, Loc, ObjectFact, Op, Proc, Program, Property, VarData, VarKind,
};
use ravelin_pointsto::{Options, analyse};
use ravelin_por::Doubt;
use ravelin_por::races::{Length, Races, SharedAccess, Touched};
use ravelin_term::{BinOp, Sort, Term, Var};
use rustc_hash::FxHashMap;

/// What was found out about races before any engine starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RaceChecks {
    /// Pairs of accesses that touch something in common, one of which writes, and not both atomic.
    pub conflicts: usize,
    /// Those that locks and the order of threads do not keep apart.
    pub candidates: usize,
}

/// Two accesses that may race: where they are, and whether they write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceCandidate {
    pub accesses: [(SrcPos, bool); 2],
}

/// What there is to know about races of a program.
#[derive(Clone, Debug, Default)]
pub struct FoundRaces {
    pub checks: RaceChecks,
    pub candidates: Vec<RaceCandidate>,
    /// Where an access cannot be checked, there is no proof.
    pub doubt: Option<Doubt>,
}

/// The points-to analysis may take this long.
const POINTS_TO: Duration = Duration::from_secs(10);

/// Adds the checks, if the program is about races.
pub fn check_races(program: &mut Program, budget: &Budget) -> FoundRaces {
    if !program.checked.contains(Property::NoDataRace) || !program.is_concurrent() {
        return FoundRaces::default();
    }
    let options = Options { indices_wrap: false, ..Options::default() };
    let Ok(points_to) = analyse(program, &options, &mut budget.clone().sooner(POINTS_TO)) else {
        let what = "accesses through pointers of which nothing is known in time".to_owned();
        let doubt = Some(Doubt { what, pos: SrcPos::default() });
        return FoundRaces { doubt, ..FoundRaces::default() };
    };
    let races = Races::of(program, &points_to);
    let checks = RaceChecks { conflicts: races.conflicts, candidates: races.candidates.len() };
    let reaches = |number: usize| matches!(races.accesses[number].touched, Touched::Reach { .. });
    let unseen = races.candidates.iter().find_map(|&(a, b)| {
        let number = [a, b].into_iter().find(|&it| reaches(it))?;
        Some(races.accesses[number].pos)
    });
    let doubt = unseen.map(|pos| {
        let what = "an access of unknown extent that other threads' accesses may race with".into();
        Doubt { what, pos }
    });
    let checkable = races.candidates.iter().filter(|(a, b)| !reaches(*a) && !reaches(*b));
    let pairs: Vec<(usize, usize)> = checkable.copied().collect();
    let is_exact = |a: usize, b: usize| races.begin_together(&points_to, a, b);
    let groups = groups(&races, &pairs, &is_exact);
    Instrument { program }.insert(&races.accesses, &groups);
    let candidates = races.candidates.iter().map(|&(a, b)| {
        let told = |number: usize| (races.accesses[number].pos, races.accesses[number].writes);
        RaceCandidate { accesses: [told(a), told(b)] }
    });
    FoundRaces { checks, candidates: candidates.collect(), doubt }
}

/// Accesses that share a mark.
struct Group {
    /// By number, and whether the access sets the mark.
    members: Vec<(usize, bool)>,
    extent: Extent,
}

/// What of an access a mark has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// All touch the same.
    Same,
    /// Two of them touch the same if they begin at the same address, and nothing in common otherwise.
    Address,
    /// Any range of bytes in any object.
    Range,
}

fn groups(
    races: &Races,
    pairs: &[(usize, usize)],
    is_exact: &dyn Fn(usize, usize) -> bool,
) -> Vec<Group> {
    let mut leader: Vec<usize> = (0..races.accesses.len()).collect();
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    for &(a, b) in pairs {
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        leader[a.max(b)] = a.min(b);
    }
    let is_synchronised =
        |access: &SharedAccess| access.is_atomic || access.is_inside || access.may_be_inside;
    let mut marks = vec![false; races.accesses.len()];
    for &(a, b) in pairs {
        for (one, other) in [(a, b), (b, a)] {
            let (access, other) = (&races.accesses[one], &races.accesses[other]);
            // A read has to wait for a write that perhaps cannot wait itself.
            marks[one] |= !access.is_atomic
                && !access.is_inside
                && (access.writes || (other.writes && is_synchronised(other)));
        }
    }
    let mut found: Vec<Group> = Vec::new();
    let mut number_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut members: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    members.sort_unstable();
    members.dedup();
    for member in members {
        let leader = find(&mut leader, member);
        let number = *number_of.entry(leader).or_insert_with(|| {
            found.push(Group { members: Vec::new(), extent: Extent::Same });
            found.len() - 1
        });
        found[number].members.push((member, marks[member]));
    }
    for group in &mut found {
        let first = group.members[0].0;
        let var = races.accesses[first].var();
        let is_same_var =
            var.is_some() && group.members.iter().all(|&(it, _)| races.accesses[it].var() == var);
        if !is_same_var {
            let numbers = group.members.iter().map(|&(it, _)| it);
            // What may touch only partly the same may not even be a candidate, so all pairs are looked at.
            let all: Vec<usize> = numbers.collect();
            let is_exact = all
                .iter()
                .enumerate()
                .all(|(index, &a)| all[index..].iter().all(|&b| is_exact(a, b)));
            group.extent = if is_exact { Extent::Address } else { Extent::Range };
        }
    }
    found
}

/// The variables of a mark.
#[derive(Clone, Copy)]
struct Mark {
    /// 0 if it is not set, else what the thread is about to do.
    action: Var,
    /// The address, or the start of the object.
    base: Option<Var>,
    /// Offset and length in bytes.
    range: Option<(Var, Var)>,
}

/// Whether a variable says what a thread that has a mark is about to do: 1 to read, 2 to write.
pub fn race_mark(program: &Program, var: Var) -> bool {
    let name = program.name(program.vars[var].name);
    name.starts_with("race%") && name.ends_with(".action")
}

const READS: u128 = 1;
const WRITES: u128 = 2;

/// Where an access goes: the address and its range, as terms over locals.
#[derive(Clone, Copy)]
struct Extents {
    base: Option<Term>,
    range: Option<(Term, Term)>,
}

/// An access of a group, by its number; whether it sets the mark.
#[derive(Clone, Copy)]
struct Member {
    number: usize,
    mark: Mark,
    sets: bool,
}

struct Instrument<'a> {
    program: &'a mut Program,
}

impl Instrument<'_> {
    fn insert(&mut self, accesses: &[SharedAccess], groups: &[Group]) {
        let mut by_edge: FxHashMap<(Proc, Edge), Vec<Member>> = FxHashMap::default();
        for (number, group) in groups.iter().enumerate() {
            let mark = self.mark(number, group.extent, accesses[group.members[0].0].pos);
            for &(member, sets) in &group.members {
                let access = &accesses[member];
                let there = by_edge.entry((access.proc, access.edge)).or_default();
                there.push(Member { number: member, mark, sets });
            }
        }
        let mut edges: Vec<(Proc, Edge)> = by_edge.keys().copied().collect();
        edges.sort_unstable();
        for (proc, edge) in edges {
            let Some(members) = by_edge.get(&(proc, edge)) else { continue };
            self.surround((proc, edge), accesses, members);
        }
    }

    fn mark(&mut self, number: usize, extent: Extent, pos: SrcPos) -> Mark {
        let offset = self.program.terms.address_sort();
        let mut var = |name: &str, sort: Sort| {
            let name = self.program.names.intern(&format!("race%{number}.{name}"));
            let init = Some(self.program.terms.zero(sort));
            let kind = VarKind::Global { init, atomic: true };
            self.program.vars.push(VarData { name, sort, signed: false, kind, pos })
        };
        let action = var("action", Sort::Bv(8));
        match extent {
            Extent::Same => Mark { action, base: None, range: None },
            Extent::Address => Mark { action, base: Some(var("address", Sort::Ptr)), range: None },
            Extent::Range => Mark {
                action,
                base: Some(var("object", Sort::Ptr)),
                range: Some((var("offset", offset), var("length", offset))),
            },
        }
    }

    /// Puts the checks of the accesses on an edge before it, and their marks around it.
    fn surround(
        &mut self,
        (proc, edge): (Proc, Edge),
        accesses: &[SharedAccess],
        members: &[Member],
    ) {
        let source = self.program.procs[proc].edges[edge].source;
        let is_inside = accesses[members[0].number].is_inside;
        let pos = accesses[members[0].number].pos;
        let mut path = Path { at: source, proc };
        // Guards stand first on their edges, so all that leaves a location is moved behind the checks.
        let out = std::mem::take(&mut self.program.procs[proc].locs[source].out);
        let mut unmark = Vec::new();
        for &Member { number, mark, sets } in members {
            let access = &accesses[number];
            let extents = self.extents(&mut path, access, mark);
            let sets = sets && !is_inside;
            if !is_inside {
                self.step(&mut path, Op::AtomicBegin, pos);
            }
            let read = self.read(&mut path, mark, access.pos);
            if sets {
                let action = if access.writes { WRITES } else { READS };
                let action = self.program.terms.bv(8, action);
                self.assign(&mut path, mark.action, action, pos);
                if let Some((var, base)) = mark.base.zip(extents.base) {
                    self.assign(&mut path, var, base, pos);
                }
                if let Some(((offset, length), (at, bytes))) = mark.range.zip(extents.range) {
                    self.assign(&mut path, offset, at, pos);
                    self.assign(&mut path, length, bytes, pos);
                }
                unmark.push(mark);
            }
            if !is_inside {
                self.step(&mut path, Op::AtomicEnd, pos);
            }
            let conflict = self.conflict(access, read, extents);
            self.fail_if(&mut path, conflict, access.pos);
        }
        if !unmark.is_empty() {
            self.step(&mut path, Op::AtomicBegin, pos);
        }
        for &edge in &out {
            self.program.procs[proc].edges[edge].source = path.at;
        }
        self.program.procs[proc].locs[path.at].out = out;
        if !unmark.is_empty() {
            let target = self.program.procs[proc].edges[edge].target;
            let done = self.program.procs[proc].add_loc();
            self.program.procs[proc].edges[edge].target = done;
            let mut path = Path { at: done, proc };
            for mark in unmark {
                let none = self.program.terms.bv(8, 0);
                self.assign(&mut path, mark.action, none, pos);
                if let Some(base) = mark.base {
                    let null = self.program.terms.null();
                    self.assign(&mut path, base, null, pos);
                }
                if let Some((offset, length)) = mark.range {
                    let zero = self.program.terms.offset(0);
                    self.assign(&mut path, offset, zero, pos);
                    self.assign(&mut path, length, zero, pos);
                }
            }
            let last = path.at;
            self.program.procs[proc].add_edge(last, target, [Label::new(Op::AtomicEnd, pos)]);
        }
    }

    /// Where an access goes, as far as its mark keeps that.
    fn extents(&mut self, path: &mut Path, access: &SharedAccess, mark: Mark) -> Extents {
        let (addr, length) = match access.touched {
            Touched::Var(_) => return Extents { base: None, range: None },
            Touched::Bytes { addr, length } => (addr, Some(length)),
            Touched::Object { addr } | Touched::Reach { pointer: addr } => (addr, None),
        };
        match (mark.base, mark.range) {
            (None, _) => Extents { base: None, range: None },
            (Some(_), None) => Extents { base: Some(addr), range: None },
            (Some(_), Some(_)) => {
                let offset = self.inspect(path, addr, ObjectFact::Offset, access.pos);
                let bytes = match length {
                    Some(Length::Constant(bytes)) => self.program.terms.offset(bytes),
                    Some(Length::Term(bytes)) => bytes,
                    None => self.inspect(path, addr, ObjectFact::Size, access.pos),
                };
                let terms = &mut self.program.terms;
                let zero = terms.offset(0);
                let back = terms.binary(BinOp::BvSub, zero, offset);
                let base = terms.ptr_add(addr, back);
                let start = if length.is_some() { offset } else { zero };
                Extents { base: Some(base), range: Some((start, bytes)) }
            }
        }
    }

    /// The mark, read into locals.
    fn read(&mut self, path: &mut Path, mark: Mark, pos: SrcPos) -> (Term, Extents) {
        let mut read = |var: Var| {
            let data =
                VarData { kind: VarKind::Local(path.proc), ..self.program.vars[var].clone() };
            let local = self.program.vars.push(data);
            let value = self.program.read(var);
            self.assign(path, local, value, pos);
            self.program.read(local)
        };
        let action = read(mark.action);
        let base = mark.base.map(&mut read);
        let range = mark.range.map(|(offset, length)| (read(offset), read(length)));
        (action, Extents { base, range })
    }

    /// Whether an access conflicts with a mark.
    fn conflict(
        &mut self,
        access: &SharedAccess,
        (action, marked): (Term, Extents),
        extents: Extents,
    ) -> Term {
        let terms = &mut self.program.terms;
        let mut conflict = match access.writes {
            true => {
                let none = terms.bv(8, 0);
                let is_none = terms.eq(action, none);
                terms.not(is_none)
            }
            false => {
                let writes = terms.bv(8, WRITES);
                terms.eq(action, writes)
            }
        };
        if let Some((mine, theirs)) = extents.base.zip(marked.base) {
            let is_same = terms.eq(mine, theirs);
            conflict = terms.and(conflict, is_same);
        }
        if let Some(((at, bytes), (there, length))) = extents.range.zip(marked.range) {
            let (end, last) =
                (terms.binary(BinOp::BvAdd, at, bytes), terms.binary(BinOp::BvAdd, there, length));
            let before = terms.binary(BinOp::BvUlt, at, last);
            let after = terms.binary(BinOp::BvUlt, there, end);
            conflict = terms.and(conflict, before);
            conflict = terms.and(conflict, after);
        }
        conflict
    }

    fn fail_if(&mut self, path: &mut Path, conflict: Term, pos: SrcPos) {
        let fine = self.program.terms.not(conflict);
        let procedure = &mut self.program.procs[path.proc];
        let (good, bad) = (procedure.add_loc(), procedure.add_loc());
        procedure.add_edge(path.at, good, [Label::new(Op::Assume(fine), pos)]);
        procedure.add_edge(path.at, bad, [Label::new(Op::Assume(conflict), pos)]);
        let exit = procedure.exit;
        procedure.add_edge(bad, exit, [Label::new(Op::Error(ErrorKind::DataRace), pos)]);
        path.at = good;
    }

    fn inspect(&mut self, path: &mut Path, addr: Term, fact: ObjectFact, pos: SrcPos) -> Term {
        let name = self.program.names.intern(&format!("%{}", fact.name()));
        let sort = self.program.terms.address_sort();
        let kind = VarKind::Local(path.proc);
        let dst = self.program.vars.push(VarData { name, sort, signed: false, kind, pos });
        self.step(path, Op::Inspect { dst, addr, fact }, pos);
        self.program.read(dst)
    }

    fn assign(&mut self, path: &mut Path, dst: Var, value: Term, pos: SrcPos) {
        self.step(path, Op::Assign { dst, value }, pos);
    }

    fn step(&mut self, path: &mut Path, op: Op, pos: SrcPos) {
        let procedure = &mut self.program.procs[path.proc];
        let next = procedure.add_loc();
        procedure.add_edge(path.at, next, [Label::new(op, pos)]);
        path.at = next;
    }
}

/// The end of what was put before an edge so far.
struct Path {
    proc: Proc,
    at: Loc,
}
