//! Which threads have to move in a state, so that the others may wait.

/// What the next step of a thread depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dependence {
    /// The threads of which a step, now or later, conflicts with its next one, or that it waits for: as
    /// bits by position. Itself does not count.
    pub on: u64,
}

/// Persistent sets of threads (Godefroid: "Partial-order methods for the verification of concurrent
/// systems", 1996): nothing that the others do before a thread of such a set moves depends on the next
/// steps of the set. Each is a set of positions, and stands for all threads if one in it can move; the
/// smallest come first, and the set of all is left out.
///
/// `live` are the threads that have not ended, blocked ones too, and `dependences` their
/// dependences by position.
pub fn persistent_sets(live: u64, dependences: &[Dependence]) -> Vec<u64> {
    let mut sets = Vec::new();
    for seed in members(live) {
        let mut set = 1u64 << seed;
        let mut looked_at = 0;
        while set & !looked_at != 0 {
            let position = (set & !looked_at).trailing_zeros() as usize;
            looked_at |= 1 << position;
            set |= dependences.get(position).map_or(live, |it| it.on) & live;
        }
        if set != live && !sets.contains(&set) {
            sets.push(set);
        }
    }
    // Among equals, the thread that was started first.
    sets.sort_by_key(|set: &u64| (set.count_ones(), set.trailing_zeros()));
    sets
}

fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |position| set >> position & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_closed_under_dependence() {
        let on = |threads: &[usize]| Dependence {
            on: threads.iter().fold(0, |set, thread| set | 1 << thread),
        };
        // 0 depends on 1, 1 on 2, 2 on nobody; 3 and 4 on each other.
        let dependences = [on(&[1]), on(&[2]), on(&[]), on(&[4]), on(&[3])];
        assert_eq!(persistent_sets(0b11111, &dependences), [0b00100, 0b00110, 0b11000, 0b00111]);
        // Threads that ended do not count.
        assert_eq!(persistent_sets(0b00011, &dependences), [0b00010]);
        assert!(persistent_sets(0b00001, &dependences).is_empty());
    }
}
