//! Live variables of straight code: which slots may still be read before they are written.

/// The slots that an instruction reads and writes, and its successors.
#[derive(Clone, Debug)]
pub struct SlotEffect {
    pub reads: Vec<u32>,
    pub writes: Option<u32>,
    /// Instructions by number; numbers behind the last instruction are ignored.
    pub successors: [Option<u32>; 2],
}

/// For each instruction, one bit per slot: whether the slot is live before the instruction.
#[derive(Clone, Debug)]
pub struct LiveSlots {
    words: usize,
    live: Vec<u64>,
}

impl LiveSlots {
    pub fn new(effects: &[SlotEffect], slots: usize) -> Self {
        let words = slots.div_ceil(64);
        let mut found = LiveSlots { words, live: vec![0; words * effects.len()] };
        let mut row = vec![0u64; words];
        // Backward until nothing changes. Code is mostly in the order of execution, so a few rounds
        // suffice.
        let mut changed = words > 0;
        while changed {
            changed = false;
            for (pc, effect) in effects.iter().enumerate().rev() {
                row.fill(0);
                for successor in effect.successors.into_iter().flatten() {
                    if (successor as usize) < effects.len() {
                        let live = found.row(successor);
                        row.iter_mut().zip(live).for_each(|(word, live)| *word |= live);
                    }
                }
                if let Some(slot) = effect.writes {
                    row[slot as usize / 64] &= !(1 << (slot % 64));
                }
                for &slot in &effect.reads {
                    row[slot as usize / 64] |= 1 << (slot % 64);
                }
                let old = &mut found.live[pc * words..(pc + 1) * words];
                if *old != *row {
                    old.copy_from_slice(&row);
                    changed = true;
                }
            }
        }
        found
    }

    fn row(&self, pc: u32) -> &[u64] {
        let start = pc as usize * self.words;
        &self.live[start..start + self.words]
    }

    /// Whether the slot is live before the instruction.
    pub fn is_live(&self, pc: u32, slot: u32) -> bool {
        self.row(pc)[slot as usize / 64] >> (slot % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_keeps_what_it_reads_alive() {
        let effect = |reads: &[u32], writes, successors| SlotEffect {
            reads: reads.to_vec(),
            writes,
            successors,
        };
        // 0: s70 = ...; 1: if s70 goto 3; 2: s70 = s1, goto 1; 3: end
        let code = [
            effect(&[], Some(70), [Some(1), None]),
            effect(&[70], None, [Some(2), Some(3)]),
            effect(&[1], Some(70), [Some(1), None]),
            effect(&[], None, [Some(4), None]),
        ];
        let live = LiveSlots::new(&code, 71);
        let rows: Vec<_> = (0..4).map(|pc| (live.is_live(pc, 1), live.is_live(pc, 70))).collect();
        assert_eq!(rows, [(true, false), (true, true), (true, false), (false, false)]);
    }
}
