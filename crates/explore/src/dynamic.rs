//! The search with dynamic reduction: which threads move in a state is decided by what was found below it.
//!
//! The search goes depth first. In a state, the moves of one thread `p` are followed. What all threads were
//! found to do below is the *summary* of that. Each thread that does something there that conflicts with
//! the step of `p` here is followed, too, and so on (Flanagan, Godefroid: "Dynamic partial-order reduction
//! for model checking software", 2005; with summaries of visited states: Yang, Chen, Gopalakrishnan, Kirby:
//! "Efficient stateful dynamic partial order reduction", 2008). A thread that was followed *sleeps* below
//! the moves of others until one of them conflicts with its step (Godefroid: "Partial-order methods for the
//! verification of concurrent systems", 1996).
//!
//! # Why nothing is lost
//!
//! Two steps that touch nothing in common that one of them writes can change places. In a state `s`, `T(s)`
//! are the threads in [`Frame::wanted`] when the search leaves it, and `Z(s)` are those that slept when it
//! came there first. *First* visits are meant until the last paragraph. Moves that end the run or leave it
//! stuck inside of an atomic section lead nowhere.
//!
//! *Summaries cover.* If after a run `w` from `s` the next step of a thread `q` is `e`, then the summary of
//! `s` has `e` for `q` (or for who started it, and so on, if `q` is not in `s`), behind no more mutexes and
//! ends of threads than `q` took and waited for in `w`. *Sets are persistent.* As long as no thread of
//! `T(s)` moves, no other does anything that conflicts with their next steps. Both hold for all states,
//! those that were left first being first:
//! - Let `w` be a run without `T(s)`, and `e` the first step after it that conflicts with that of a `p` in
//!   `T(s)`. Without `p`, nobody takes a mutex that it holds or waits for its end. The steps of `w` can all
//!   be made behind that of `p`. The state there was left before `s` or is still open; then its summary
//!   covers `e`, or what stands in for it does: all that its threads can do by the static tables.
//!   So the thread of `e` is in `T(s)` after all. If `p` sleeps, its summary is from where it was followed,
//!   and covers `p` and `w` from there, with what lies in between. If all that `p` can do leads nowhere,
//!   or what was to be added cannot move, then all threads are in `T(s)`, or a set that is persistent by
//!   the static tables.
//! - If the first thread of `T(s)` in `w` is `p`, its step can as well be the first, and what is behind is
//!   covered there: in the state it leads to, or by the summary with which it sleeps. If there is none,
//!   `w` can be made behind a step of `T(s)` that was followed to a state that was left before `s`: if
//!   there is no such step, `T(s)` is all. If `w` is empty, the next steps in `s` are in its summary.
//!
//! *Runs are found.* Let a run `w` from `s` be one that no thread asleep in `s` could begin by changing
//! places. Then the search makes its steps, in some order that comes from such changes. For if threads of
//! `T(s)` could begin it, the first of them that was followed leads to where the rest of `w` is still such
//! a run: who sleeps there and could begin it could have begun `w`, and slept here or was followed before.
//! If not, `w` is such a run from behind a step of `T(s)` that leads to a state that was left before `s`.
//! Either `w` gets shorter or the state is one that was left earlier, so this ends.
//!
//! *Coming back.* A state is left alone where the search comes to it again, unless some thread slept there
//! that is awake now. Such threads are then followed from there, and no longer count as asleep in the
//! state; those that were followed there before do not sleep below them. So if threads that once slept
//! in `s` could begin `w`, take the last time that such were followed, and of these the first: who sleeps
//! behind it is asleep in `s` to the end, or was followed at the same time before.

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::Program;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ahead::Joins;
use crate::machine::{AT_BARRIER, FINISHED, JOINED, WAITING};
use crate::reduce::{Known, Reducer};
use crate::result::{Ending, Reason};
use crate::search::{Reached, Search, members};
use crate::store::Pool;
use crate::summary::{Made, NOTHING, Summaries, thread_bit};

/// How far the search is with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Open,
    Left,
    /// It is beyond the search, which is not complete then.
    Cut,
}

/// A thread that sleeps, and what was found where it was followed.
type Sleeper = (u32, u32);

/// A thread of a state that has not ended.
#[derive(Clone, Copy, Debug)]
struct Part {
    position: usize,
    tid: u32,
    status: u64,
    /// The footprint of its next step.
    next: u32,
    /// The mutex without which it cannot make it.
    takes: u64,
    joins: Joins,
    /// The mutexes known by name that it holds.
    held: u64,
}

/// A state that the search is in. Sets are of indices into `parts`.
struct Frame {
    state: u32,
    parts: SmallVec<[Part; 4]>,
    /// The threads that may move: all, or the one in an atomic section.
    candidates: u64,
    sleep: SmallVec<[Sleeper; 4]>,
    asleep: u64,
    /// Whether the search came back for those that slept before.
    comes_back: bool,
    /// Persistent sets by the static tables in which nobody was found yet that can move.
    sets: Vec<u64>,
    /// The first of them in which somebody can.
    bound: Option<u64>,
    /// The threads that are to be followed.
    wanted: u64,
    /// Those that were, those of them that can move, and those that led nowhere.
    tried: u64,
    enabled: u64,
    dead_ends: u64,
    /// The sleeping threads that were looked at.
    checked: u64,
    /// Whether a move led to a state that was left.
    progressed: bool,
    /// The thread that is followed, and where its moves lead.
    running: Option<usize>,
    reached: Vec<Reached>,
    at: usize,
    /// Whether the search went there already.
    went: bool,
    /// The summary of what is below the moves of this thread, and of all so far.
    below: u32,
    all_below: u32,
    /// The threads that were followed, and their summaries.
    followed: SmallVec<[(usize, u32); 4]>,
}

/// What is known of all states.
struct Dynamic {
    phases: Vec<Phase>,
    summaries: Vec<u32>,
    /// Who sleeps there, as a number in `sets`.
    sleeps: Vec<u32>,
    sets: Pool<u32>,
    pool: Summaries,
    /// The stand-ins for the summaries of open states.
    stand_ins: FxHashMap<u32, u32>,
    stack: Vec<Frame>,
}

impl Dynamic {
    fn bytes(&self) -> usize {
        9 * self.phases.len() + self.sets.bytes() + self.pool.bytes()
    }

    fn reserved_bytes(&self) -> usize {
        // What frames have beside themselves is mostly where moves lead.
        let frame = size_of::<Frame>() + 2 * size_of::<Reached>();
        self.bytes() + self.stack.len() * frame
    }

    /// Notes new states.
    fn know(&mut self, reached: &[Reached]) {
        for _ in reached.iter().filter(|reached| reached.is_new) {
            self.phases.push(Phase::New);
            self.summaries.push(NOTHING);
            self.sleeps.push(0);
        }
    }
}

impl Search<'_, '_, '_> {
    /// Visits all states that are needed; how many bytes were needed beside those for states.
    pub(crate) fn visit_dynamically(
        &mut self,
        initial: u32,
        budget: &mut Budget,
    ) -> (usize, Result<(), Reason>) {
        let mut dynamic = Dynamic {
            phases: vec![Phase::New],
            summaries: vec![NOTHING],
            sleeps: vec![0],
            sets: Pool::default(),
            pool: Summaries::new(),
            stand_ins: FxHashMap::default(),
            stack: Vec::new(),
        };
        let Some(mut reducer) = self.reducer.take() else { return (0, Ok(())) };
        let mut visited = 0;
        let mut result = Ok(());
        self.enter(&mut dynamic, &mut reducer, initial, SmallVec::new(), &[]);
        while result.is_ok() && !self.is_over() {
            let Some(frame) = dynamic.stack.last_mut() else { break };
            result = match frame.running {
                Some(index) if frame.at < frame.reached.len() => {
                    let own = dynamic.reserved_bytes();
                    self.go_on(&mut dynamic, &mut reducer, index);
                    self.tick(&mut visited, own, budget)
                }
                Some(index) => {
                    self.come_up(&mut dynamic, &mut reducer, index);
                    Ok(())
                }
                None => match self.pick(&mut dynamic, &mut reducer) {
                    Some(index) => self.follow(&mut dynamic, &mut reducer, index, budget),
                    None => {
                        self.leave(&mut dynamic);
                        Ok(())
                    }
                },
            };
        }
        self.reducer = Some(reducer);
        (dynamic.bytes(), result)
    }

    /// Goes into a state in which these threads sleep: for the first time, or for those that slept before.
    fn enter(
        &mut self,
        dynamic: &mut Dynamic,
        reducer: &mut Reducer<'_>,
        state: u32,
        sleep: SmallVec<[Sleeper; 4]>,
        awake: &[u32],
    ) {
        let comes_back = !awake.is_empty();
        self.machine.restore(state);
        let mut tids: Vec<u32> = sleep.iter().map(|&(tid, _)| tid).collect();
        tids.sort_unstable();
        dynamic.sleeps[state as usize] = dynamic.sets.intern(&tids).0;
        let Some(candidates) = self.candidates() else {
            self.endings.insert(Ending::Exit(0));
            dynamic.phases[state as usize] = Phase::Left;
            return;
        };
        let mut parts: SmallVec<[Part; 4]> = SmallVec::new();
        let (mut may_move, mut asleep, mut wanted) = (0u64, 0, 0);
        for position in 0..self.machine.thread_count() {
            let (tid, status) = self.machine.head(position);
            if matches!(status, FINISHED | JOINED) {
                continue;
            }
            let known = reducer.known(&mut self.machine, position);
            let Known { next, takes, joins, control: _ } = known;
            let held = reducer.held(&self.machine, tid);
            let index = parts.len();
            if index == 64 {
                dynamic.phases[state as usize] = Phase::Cut;
                self.machine.note(Reason::Beyond("so many threads", SrcPos::NONE));
                return;
            }
            parts.push(Part { position, tid, status, next, takes, joins, held });
            may_move |= u64::from(candidates.contains(&position)) << index;
            asleep |= u64::from(tids.contains(&tid)) << index;
            wanted |= u64::from(awake.contains(&tid)) << index;
        }
        let mut all_below = NOTHING;
        if !comes_back {
            dynamic.phases[state as usize] = Phase::Open;
            let program = self.machine.code.program;
            let nexts = parts.iter().map(|part| (part.tid, part.next, part.takes));
            all_below = dynamic.pool.of_next_steps(nexts);
            for &(_, summary) in &sleep {
                all_below = dynamic.pool.unite(reducer, program, all_below, summary);
            }
        }
        let reduces = !comes_back && self.machine.atomic.is_none() && candidates.len() > 1;
        let sets = if reduces {
            reducer.persistent_sets(&mut self.machine, &candidates)
        } else {
            Vec::new()
        };
        dynamic.stack.push(Frame {
            state,
            parts,
            candidates: may_move,
            sleep,
            asleep: asleep & may_move,
            comes_back,
            sets: sets.into_iter().rev().collect(),
            bound: None,
            wanted: wanted & may_move,
            tried: 0,
            enabled: 0,
            dead_ends: 0,
            checked: 0,
            progressed: false,
            running: None,
            reached: Vec::new(),
            at: 0,
            went: false,
            below: NOTHING,
            all_below,
            followed: SmallVec::new(),
        });
    }

    /// The next thread to follow in the state on top.
    fn pick(&mut self, dynamic: &mut Dynamic, reducer: &mut Reducer<'_>) -> Option<usize> {
        let program = self.machine.code.program;
        let Dynamic { stack, pool, sets, sleeps, .. } = dynamic;
        let frame = stack.last_mut()?;
        loop {
            let open = !frame.tried & !frame.asleep;
            // The thread that was started last comes first: who started it often waits for it, or looks at
            // what it did.
            let next = members(frame.wanted & open).last();
            if frame.comes_back {
                return next;
            }
            if frame.bound.is_none() {
                let Some(&set) = frame.sets.last() else {
                    frame.bound = Some(frame.candidates);
                    frame.wanted = frame.candidates;
                    continue;
                };
                // A thread that only may wake up without reason is not enough.
                let may_move =
                    |&index: &usize| !matches!(frame.parts[index].status, WAITING | AT_BARRIER);
                if let Some(index) = members(set & open).filter(may_move).last() {
                    return Some(index);
                }
                if set & frame.asleep == 0 {
                    frame.sets.pop();
                } else {
                    // That the set is small saves more than that somebody sleeps.
                    sleeps[frame.state as usize] = frame.wake(set, sets);
                }
                continue;
            }
            // What conflicts with the steps of these, or lets them make one, cannot be seen from here.
            let unseen = frame.wanted & frame.dead_ends;
            frame.wanted |= match frame.bound {
                _ if unseen == 0 => 0,
                Some(bound) if unseen & !bound == 0 => bound,
                Some(_) | None => frame.candidates,
            };
            if next.is_some() {
                return next;
            }
            let unchecked = frame.wanted & frame.asleep & !frame.checked;
            if let Some(index) = members(unchecked).next() {
                frame.checked |= 1 << index;
                let tid = frame.parts[index].tid;
                let sleeper = frame.sleep.iter().find(|&&(sleeper, _)| sleeper == tid);
                let summary = sleeper.map_or(NOTHING, |&(_, summary)| summary);
                frame.add_conflicting(pool, reducer, program, index, summary);
                continue;
            }
            if frame.wanted & open != 0 {
                continue;
            }
            if frame.progressed || frame.wanted == frame.candidates {
                return None;
            }
            if frame.wanted & frame.asleep == 0 {
                frame.wanted = frame.candidates;
            } else {
                sleeps[frame.state as usize] = frame.wake(frame.wanted, sets);
            }
        }
    }

    /// Makes all moves of a thread in the state on top.
    fn follow(
        &mut self,
        dynamic: &mut Dynamic,
        reducer: &mut Reducer<'_>,
        index: usize,
        budget: &mut Budget,
    ) -> Result<(), Reason> {
        let Some(frame) = dynamic.stack.last() else { return Ok(()) };
        let (state, position) = (frame.state, frame.parts[index].position);
        self.machine.restore(state);
        let enabled = self.expand_thread(state, position, Some(reducer), budget)?;
        dynamic.know(&self.reached);
        let Some(frame) = dynamic.stack.last_mut() else { return Ok(()) };
        frame.tried |= 1 << index;
        frame.enabled |= u64::from(enabled) << index;
        frame.running = Some(index);
        frame.reached = std::mem::take(&mut self.reached);
        frame.at = 0;
        frame.below = NOTHING;
        if enabled && frame.bound.is_none() {
            frame.bound = frame.sets.last().copied();
            frame.wanted |= 1 << index;
        }
        if frame.reached.iter().all(|reached| reached.is_stuck) {
            frame.dead_ends |= 1 << index;
        }
        Ok(())
    }

    /// Goes where the next move of the followed thread leads, or takes the summary from there.
    fn go_on(&mut self, dynamic: &mut Dynamic, reducer: &mut Reducer<'_>, index: usize) {
        let program = self.machine.code.program;
        let Dynamic { stack, pool, phases, summaries, sleeps, sets, stand_ins } = dynamic;
        let Some(frame) = stack.last_mut() else { return };
        let part = frame.parts[index];
        let reached = &frame.reached[frame.at];
        let (state, is_stuck) = (reached.state, reached.is_stuck);
        let made = Made {
            tid: part.tid,
            locks: reached.held & !part.held,
            joined: match part.joins {
                Joins::One(tid) => thread_bit(tid),
                Joins::Nobody | Joins::Somebody => 0,
            },
            started: &reached.started,
        };
        if !std::mem::replace(&mut frame.went, true) {
            let mut sleep: SmallVec<[Sleeper; 4]> = SmallVec::new();
            let slept = frame.sleep.iter().copied();
            let followed = frame.followed.iter();
            let followed = followed.map(|&(other, summary)| (frame.parts[other].tid, summary));
            for (tid, summary) in slept.chain(followed) {
                let other = frame.parts.iter().find(|other| other.tid == tid);
                if tid != part.tid
                    && other.is_some_and(|other| !reducer.conflict(other.next, part.next))
                {
                    sleep.push((tid, pool.behind(reducer, program, summary, &made)));
                }
            }
            if phases[state as usize] == Phase::New {
                return self.enter(dynamic, reducer, state, sleep, &[]);
            }
            let before = sets.get(sleeps[state as usize]);
            let sleeps_now = |tid: &u32| sleep.iter().any(|(sleeper, _)| sleeper == tid);
            let awake: Vec<u32> = before.iter().copied().filter(|tid| !sleeps_now(tid)).collect();
            if !awake.is_empty() {
                sleep.retain(|(tid, _)| before.contains(tid));
                return self.enter(dynamic, reducer, state, sleep, &awake);
            }
        }
        let there = match phases[state as usize] {
            Phase::Left => {
                frame.progressed |= !is_stuck;
                summaries[state as usize]
            }
            Phase::Cut => NOTHING,
            // A new one would have been entered.
            Phase::Open | Phase::New => *stand_ins.entry(state).or_insert_with(|| {
                self.machine.restore(state);
                let mut controls = Vec::new();
                for position in 0..self.machine.thread_count() {
                    let (tid, status) = self.machine.head(position);
                    if !matches!(status, FINISHED | JOINED) {
                        controls.push((tid, reducer.known(&mut self.machine, position).control));
                    }
                }
                pool.of_futures(controls.into_iter())
            }),
        };
        let before = pool.before(reducer, program, there, &made);
        frame.below = pool.unite(reducer, program, frame.below, before);
        frame.at += 1;
        frame.went = false;
    }

    /// All moves of the followed thread are done.
    fn come_up(&mut self, dynamic: &mut Dynamic, reducer: &mut Reducer<'_>, index: usize) {
        let program = self.machine.code.program;
        let Dynamic { stack, pool, .. } = dynamic;
        let Some(frame) = stack.last_mut() else { return };
        frame.running = None;
        let below = frame.below;
        if !frame.comes_back {
            frame.all_below = pool.unite(reducer, program, frame.all_below, below);
            if frame.wanted >> index & 1 == 1 {
                frame.add_conflicting(pool, reducer, program, index, below);
            }
        }
        if (frame.enabled & !frame.dead_ends) >> index & 1 == 1 {
            frame.followed.push((index, below));
        }
    }

    /// The search is done with the state on top.
    fn leave(&mut self, dynamic: &mut Dynamic) {
        let Some(frame) = dynamic.stack.pop() else { return };
        if frame.comes_back {
            return;
        }
        dynamic.summaries[frame.state as usize] = frame.all_below;
        dynamic.phases[frame.state as usize] = Phase::Left;
        if frame.enabled == 0 && frame.asleep == 0 {
            // That somebody wakes up without reason may happen, but need not.
            self.endings.insert(Ending::Deadlock);
            if self.machine.code.program.tracks_memory() {
                self.machine.restore(frame.state);
                self.look_for_lost_memory(frame.state);
            }
        }
    }
}

impl Frame {
    /// Makes the threads of a set sleep no longer; who sleeps then. It is as if the search came back for
    /// them: below their moves, those do not sleep that were followed while they slept.
    fn wake(&mut self, set: u64, sets: &mut Pool<u32>) -> u32 {
        self.asleep &= !set;
        self.followed.clear();
        let parts = &self.parts;
        self.sleep.retain(|(tid, _)| !members(set).any(|index| parts[index].tid == *tid));
        let mut tids: Vec<u32> = self.sleep.iter().map(|&(tid, _)| tid).collect();
        tids.sort_unstable();
        sets.intern(&tids).0
    }

    /// Wants all threads that do something in the summary that conflicts with the step of this one.
    fn add_conflicting(
        &mut self,
        pool: &mut Summaries,
        reducer: &mut Reducer<'_>,
        program: &Program,
        index: usize,
        summary: u32,
    ) {
        let part = self.parts[index];
        for other in members(self.candidates & !self.wanted) {
            let step = (part.tid, part.next, part.held);
            if pool.conflicts(reducer, program, step, summary, self.parts[other].tid) {
                self.wanted |= 1 << other;
            }
        }
    }
}
