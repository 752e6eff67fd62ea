//! The time for large programs.

use std::fmt::Write;
use std::time::Instant;

use ravelin_base::{Budget, DataModel};
use ravelin_pointsto::{Options, analyse};
use ravelin_ranges::Ranges;

/// Many functions with loops, branches, structs and calls of each other.
fn large_program(functions: usize) -> String {
    let mut text = String::from(
        "struct node { int key; int data[16]; struct node *next; };
        extern int __VERIFIER_nondet_int(void); int total; struct node pool[64];\n",
    );
    for index in 0..functions {
        let call = match index {
            0 => "0".to_owned(),
            _ => format!("f{}(node, n - 1)", index - 1 - (index * 7919) % index.min(50)),
        };
        let _ = write!(
            text,
            "int g{index};
            static int f{index}(struct node *node, int n) {{
                int sum = 0, i, j; char buffer[32];
                for (i = 0; i < 16; i++) {{ node->data[i] = i + n; sum += node->data[i]; }}
                for (i = 0; i < n; i++) for (j = 0; j < 32; j++) buffer[j] = i + j;
                switch (n) {{ case 1: sum++; break; case 2: g{index} = sum; break; default: sum--; }}
                if (node->next && node->key < sum) {{ node = node->next; g{index} += buffer[sum & 31]; }}
                while (n > 0) {{ n -= 2; if (n == {index}) break; sum ^= n; total += sum; }}
                if (sum > 100) sum = 100; else if (sum < -100) sum = -100;
                return sum + {call};
            }}\n"
        );
    }
    let last = functions - 1;
    let _ = write!(text, "int main(void) {{ return f{last}(pool, __VERIFIER_nondet_int()); }}");
    text
}

#[test]
fn large_programs_take_little_time() {
    let count = if ravelin_testkit::tier::is_exhaustive() { 1500 } else { 150 };
    let text = large_program(count);
    let built = ravelin_frontend::build_text("large.c", &text, DataModel::Lp64).expect("it is C");
    let locs: usize = built.program.procs.values().map(|procedure| procedure.locs.len()).sum();
    let mut budget = Budget::unlimited();
    let points_to = analyse(&built.program, &Options::default(), &mut budget).expect("no limit");
    let start = Instant::now();
    let ranges = Ranges::of(&built.program, &points_to, &mut budget).expect("no limit");
    let entry = built.program.entry.expect("there is a main function");
    assert!(ranges.is_reachable(entry, built.program.procs[entry].entry));
    println!("{} bytes, {locs} locations: {:?}", text.len(), start.elapsed());
    let mut small = Budget::unlimited().with_steps(50);
    assert!(Ranges::of(&built.program, &points_to, &mut small).is_err());
}
