//! What threads were found to do below a state.
//!
//! A summary has for every thread what it may come to do: footprints, each with what has to happen before.
//! A thread that takes a mutex cannot do so while another one holds it, and one that waits for the end of
//! another not before that. So what is behind can be ruled out as long as the other does not move. What a
//! thread does that does not exist yet is counted to who starts it.
//!
//! Summaries are numbers; operations on them are looked up.

use ravelin_cfa::Program;
use rustc_hash::FxHashMap;

use crate::reduce::Reducer;
use crate::store::Pool;

/// The summary in which nobody does anything.
pub(crate) const NOTHING: u32 = 0;

/// More entries than these for a thread are not told apart.
const MAX_ENTRIES: usize = 12;

/// Something that a thread may come to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// The mutexes that it, or a thread it starts, takes before or with that.
    locks: u64,
    /// The threads that it, or a thread it starts, waits for the end of before.
    joined: u64,
    item: Item,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// A footprint.
    Touched(u32),
    /// Whatever it can do from there on.
    Future(u32),
}

impl Entry {
    fn encode(self) -> [u64; 3] {
        let item = match self.item {
            Item::Touched(footprint) => u64::from(footprint) << 1,
            Item::Future(control) => u64::from(control) << 1 | 1,
        };
        [self.locks, self.joined, item]
    }

    fn decode(words: &[u64]) -> Entry {
        let [locks, joined, item] = [words[0], words[1], words[2]];
        let number = (item >> 1) as u32;
        let item = if item & 1 == 1 { Item::Future(number) } else { Item::Touched(number) };
        Entry { locks, joined, item }
    }

    /// Whether this happens no later than `other`.
    fn precedes(&self, other: &Entry) -> bool {
        self.locks & !other.locks == 0 && self.joined & !other.joined == 0
    }
}

/// What a move does that later moves rely on.
#[derive(Clone, Debug)]
pub(crate) struct Made<'a> {
    /// The thread that moves.
    pub(crate) tid: u32,
    /// The mutexes that it takes.
    pub(crate) locks: u64,
    /// The threads whose ends it waited for.
    pub(crate) joined: u64,
    /// The threads that it starts.
    pub(crate) started: &'a [u32],
}

impl Made<'_> {
    fn is_plain(&self) -> bool {
        self.locks == 0 && self.joined == 0 && self.started.is_empty()
    }
}

/// A thread in a set of threads with numbers below 64; beyond, none is known.
pub(crate) fn thread_bit(tid: u32) -> u64 {
    if tid < 64 { 1 << tid } else { 0 }
}

/// All summaries.
#[derive(Debug)]
pub(crate) struct Summaries {
    /// What one thread does: entries of three words, ascending.
    threads: Pool<u64>,
    /// What all do: threads and what each does, ascending.
    all: Pool<u32>,
    thread_unions: FxHashMap<(u32, u32), u32>,
    unions: FxHashMap<(u32, u32), u32>,
    conflicts: FxHashMap<(u32, u64, u64, u32), bool>,
}

impl Summaries {
    pub(crate) fn new() -> Self {
        let mut all = Pool::default();
        all.intern(&[]);
        Summaries {
            threads: Pool::default(),
            all,
            thread_unions: FxHashMap::default(),
            unions: FxHashMap::default(),
            conflicts: FxHashMap::default(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let memos = 16 * (self.thread_unions.len() + self.unions.len()) + 32 * self.conflicts.len();
        self.threads.bytes() + self.all.bytes() + memos
    }

    /// The summary in which each of these threads touches this next, when it has these mutexes.
    pub(crate) fn of_next_steps(&mut self, nexts: impl Iterator<Item = (u32, u32, u64)>) -> u32 {
        let mut list = Vec::new();
        for (tid, next, takes) in nexts {
            let entry = Entry { locks: takes, joined: 0, item: Item::Touched(next) };
            list.push((tid, self.threads.intern(&entry.encode()).0));
        }
        self.intern(list)
    }

    /// The summary in which each of these threads does whatever it can from here on.
    pub(crate) fn of_futures(&mut self, controls: impl Iterator<Item = (u32, u32)>) -> u32 {
        let mut list = Vec::new();
        for (tid, control) in controls {
            let entry = Entry { locks: 0, joined: 0, item: Item::Future(control) };
            list.push((tid, self.threads.intern(&entry.encode()).0));
        }
        self.intern(list)
    }

    fn intern(&mut self, mut list: Vec<(u32, u32)>) -> u32 {
        list.sort_unstable();
        let words: Vec<u32> = list.into_iter().flat_map(|(tid, thread)| [tid, thread]).collect();
        self.all.intern(&words).0
    }

    fn list(&self, summary: u32) -> Vec<(u32, u32)> {
        self.all.get(summary).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    }

    fn entries(&self, thread: u32) -> Vec<Entry> {
        self.threads.get(thread).chunks_exact(3).map(Entry::decode).collect()
    }

    /// What a thread does in a summary.
    fn of_thread(&self, summary: u32, tid: u32) -> Option<u32> {
        let pairs = self.all.get(summary).chunks_exact(2);
        pairs.into_iter().find(|pair| pair[0] == tid).map(|pair| pair[1])
    }

    /// What is in either of two summaries.
    pub(crate) fn unite(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        a: u32,
        b: u32,
    ) -> u32 {
        if a == b || b == NOTHING {
            return a;
        }
        if a == NOTHING {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&union) = self.unions.get(&key) {
            return union;
        }
        let mut list = self.list(a);
        for (tid, thread) in self.list(b) {
            self.add(reducer, program, &mut list, tid, thread);
        }
        let union = self.intern(list);
        self.unions.insert(key, union);
        union
    }

    /// Adds what a thread does to a list.
    fn add(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        list: &mut Vec<(u32, u32)>,
        tid: u32,
        thread: u32,
    ) {
        match list.iter_mut().find(|(other, _)| *other == tid) {
            Some((_, old)) => *old = self.unite_threads(reducer, program, *old, thread),
            None => list.push((tid, thread)),
        }
    }

    fn unite_threads(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        a: u32,
        b: u32,
    ) -> u32 {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&union) = self.thread_unions.get(&key) {
            return union;
        }
        let mut entries = self.entries(a);
        entries.extend(self.entries(b));
        let union = self.thread(reducer, program, entries);
        self.thread_unions.insert(key, union);
        union
    }

    /// The number of a thread's entries, after those were put together that can be.
    fn thread(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        mut entries: Vec<Entry>,
    ) -> u32 {
        entries.sort_unstable();
        entries.dedup();
        let mut merged: Vec<Entry> = Vec::new();
        for entry in entries {
            let footprint = match entry.item {
                Item::Touched(footprint) => footprint,
                Item::Future(_) => {
                    merged.push(entry);
                    continue;
                }
            };
            let same = merged.iter_mut().find_map(|other| match &mut other.item {
                Item::Touched(old)
                    if (other.locks, other.joined) == (entry.locks, entry.joined) =>
                {
                    Some(old)
                }
                Item::Touched(_) | Item::Future(_) => None,
            });
            match same {
                Some(old) => *old = reducer.union(*old, footprint),
                None => merged.push(entry),
            }
        }
        let mut kept: Vec<Entry> = Vec::new();
        for (index, entry) in merged.iter().enumerate() {
            let is_said = merged.iter().enumerate().any(|(other, earlier)| {
                other != index
                    && earlier.precedes(entry)
                    && match (earlier.item, entry.item) {
                        (Item::Touched(all), Item::Touched(some)) => {
                            reducer.union(all, some) == all
                        }
                        (Item::Future(all), Item::Future(some)) => all == some,
                        (Item::Touched(_), Item::Future(_))
                        | (Item::Future(_), Item::Touched(_)) => false,
                    }
            });
            if !is_said {
                kept.push(*entry);
            }
        }
        if kept.len() > MAX_ENTRIES {
            // That something happens at once includes that it happens later.
            let footprints = kept.iter().map(|entry| match entry.item {
                Item::Touched(footprint) => footprint,
                Item::Future(control) => reducer.future(program, control, 0),
            });
            let footprints: Vec<u32> = footprints.collect();
            let all = footprints.into_iter().reduce(|all, one| reducer.union(all, one));
            let item = all.map(Item::Touched);
            kept = item.map(|item| Entry { locks: 0, joined: 0, item }).into_iter().collect();
        }
        kept.sort_unstable();
        let words: Vec<u64> = kept.into_iter().flat_map(Entry::encode).collect();
        self.threads.intern(&words).0
    }

    /// What is done from before a move on, by what is done behind it.
    pub(crate) fn before(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        behind: u32,
        made: &Made<'_>,
    ) -> u32 {
        if made.is_plain() {
            return behind;
        }
        let mut list = self.list(behind);
        // Who is started cannot move before.
        let mut own = Vec::new();
        list.retain(|&(tid, thread)| {
            let is_own = tid == made.tid || made.started.contains(&tid);
            if is_own {
                own.push(thread);
            }
            !is_own
        });
        let mut entries: Vec<Entry> = own.into_iter().flat_map(|it| self.entries(it)).collect();
        for entry in &mut entries {
            entry.locks |= made.locks;
            entry.joined |= made.joined;
        }
        if !entries.is_empty() {
            let thread = self.thread(reducer, program, entries);
            list.push((made.tid, thread));
        }
        self.intern(list)
    }

    /// What is done from behind a move on, by what was known before it.
    pub(crate) fn behind(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        before: u32,
        made: &Made<'_>,
    ) -> u32 {
        if made.is_plain() {
            return before;
        }
        let mut list = self.list(before);
        let Some(index) = list.iter().position(|&(tid, _)| tid == made.tid) else {
            return before;
        };
        let mut entries = self.entries(list[index].1);
        for entry in &mut entries {
            entry.locks &= !made.locks;
            entry.joined &= !made.joined;
        }
        let thread = self.thread(reducer, program, entries);
        list[index].1 = thread;
        // Some of it may be what the new threads do.
        for &tid in made.started {
            self.add(reducer, program, &mut list, tid, thread);
        }
        self.intern(list)
    }

    /// Whether what `other` may do while `tid` does not move, and holds these mutexes, conflicts with the
    /// footprint of the next step of `tid`.
    pub(crate) fn conflicts(
        &mut self,
        reducer: &mut Reducer<'_>,
        program: &Program,
        (tid, next, held): (u32, u32, u64),
        summary: u32,
        other: u32,
    ) -> bool {
        let Some(thread) = self.of_thread(summary, other) else { return false };
        let waited = thread_bit(tid);
        if let Some(&known) = self.conflicts.get(&(next, held, waited, thread)) {
            return known;
        }
        let conflicts = self.entries(thread).into_iter().any(|entry| {
            entry.locks & held == 0
                && entry.joined & waited == 0
                && match entry.item {
                    Item::Touched(footprint) => reducer.conflict(next, footprint),
                    Item::Future(control) => {
                        let future = reducer.future(program, control, held);
                        reducer.conflict(next, future)
                    }
                }
        });
        self.conflicts.insert((next, held, waited, thread), conflicts);
        conflicts
    }
}
