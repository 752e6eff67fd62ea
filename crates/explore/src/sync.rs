//! Tables of synchronisation objects as words, so that they can be stored with states.

use ravelin_posix::{Entry, MutexKind, Object};

/// By pointer, with threads by number.
pub(crate) type SyncTable = ravelin_posix::SyncTable<u64, u32>;
pub(crate) type Effect = ravelin_posix::Effect<u32>;
pub(crate) type Threads = ravelin_posix::Threads<u32>;

/// Writes a table as words.
pub(crate) fn encode(table: &SyncTable, words: &mut Vec<u64>) {
    words.clear();
    for Entry { key, explicit, object } in table.entries() {
        let (tag, a, b, threads): (u64, u32, u32, &[u32]) = match object {
            Object::Mutex { kind, owner, depth } => {
                let tag = match kind {
                    MutexKind::Normal => 0,
                    MutexKind::Recursive => 1,
                    MutexKind::ErrorChecking => 2,
                };
                (tag, owner.unwrap_or(0), *depth, &[])
            }
            Object::Rw { readers, writer } => {
                (3, writer.map_or(0, |writer| writer + 1), 0, readers)
            }
            Object::Cond { waiters } => (4, 0, 0, waiters),
            Object::Barrier { count, waiting } => (5, *count, 0, waiting),
            Object::Sem { value } => (6, *value, 0, &[]),
            Object::Destroyed => (7, 0, 0, &[]),
        };
        words.push(*key);
        words.push(tag | u64::from(*explicit) << 8 | (threads.len() as u64) << 16);
        words.push(u64::from(a) << 32 | u64::from(b));
        words.extend(threads.iter().map(|&thread| u64::from(thread)));
    }
}

/// Reads a table from words.
pub(crate) fn decode(table: &mut SyncTable, words: &[u64]) {
    table.clear();
    let mut rest = words;
    while let [key, head, data, more @ ..] = rest {
        let count = (head >> 16) as usize;
        let (threads, later) = more.split_at(count.min(more.len()));
        let threads: Threads = threads.iter().map(|&thread| thread as u32).collect();
        rest = later;
        let (a, b) = ((data >> 32) as u32, *data as u32);
        let mutex = |kind| Object::Mutex { kind, owner: (b > 0).then_some(a), depth: b };
        let object = match head & 0xff {
            0 => mutex(MutexKind::Normal),
            1 => mutex(MutexKind::Recursive),
            2 => mutex(MutexKind::ErrorChecking),
            3 => Object::Rw { readers: threads, writer: a.checked_sub(1) },
            4 => Object::Cond { waiters: threads },
            5 => Object::Barrier { count: a, waiting: threads },
            6 => Object::Sem { value: a },
            _ => Object::Destroyed,
        };
        table.push(Entry { key: *key, explicit: head >> 8 & 1 == 1, object });
    }
}

#[cfg(test)]
mod tests {
    use ravelin_cfa::SyncOp;

    use super::*;

    #[test]
    fn tables_come_back_from_words() {
        let mut table = SyncTable::default();
        let normal = MutexKind::Normal;
        let steps = [
            (SyncOp::MutexLock, 1 << 32, 1, 0),
            (SyncOp::RwReadLock, 2 << 32, 2, 0),
            (SyncOp::RwReadLock, 2 << 32, 1, 0),
            (SyncOp::CondWait, 3 << 32, 2, 0),
            (SyncOp::BarrierInit, 4 << 32, 0, 3),
            (SyncOp::BarrierWait, 4 << 32, 1, 0),
            (SyncOp::SemInit, 5 << 32, 0, 7),
            (SyncOp::MutexDestroy, 6 << 32, 0, 0),
            (SyncOp::RwWriteLock, 7 << 32, 3, 0),
        ];
        for (op, key, thread, number) in steps {
            table.perform(op, key, thread, number, normal).unwrap();
        }
        let (mut words, mut again) = (Vec::new(), Vec::new());
        encode(&table, &mut words);
        let mut copy = SyncTable::default();
        decode(&mut copy, &words);
        assert_eq!(copy, table);
        encode(&copy, &mut again);
        assert_eq!(words, again);
    }
}
