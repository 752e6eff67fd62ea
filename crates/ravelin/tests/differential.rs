//! The interpreter against gcc, on generated programs, before and after the default passes.
//!
//! `cargo xtask differential` does the same with more programs, and with those of csmith.

use ravelin_base::DataModel;
use ravelin_testkit::differential::{Campaign, compare_generated};
use ravelin_testkit::gcc::Gcc;
use ravelin_testkit::interpreter::Pipeline;
use ravelin_testkit::tier;
use std::ops::Range;
use std::time::Duration;

fn check(model: DataModel, seeds: Range<u64>) {
    let count = seeds.end - seeds.start;
    let campaign = Campaign {
        shrink_time: Duration::from_secs(30),
        stop_after: 1,
        ..Campaign::new(model, seeds)
    };
    let summary = compare_generated(&campaign, &Pipeline::run_with_and_without_passes);
    println!("{model} | {summary}");
    for difference in &summary.differences {
        println!("{}\n{}", difference.report(), difference.source);
    }
    assert!(summary.differences.is_empty(), "gcc and the interpreter disagree");
    // gcc itself fails now and then; it must stay the exception.
    assert!(summary.compared * 100 >= count * 95, "too few programs compared: {summary}");
}

/// One test for both data models, as each keeps two cores busy by itself.
#[test]
fn interpreter_and_gcc_agree() {
    assert!(Gcc::is_available(DataModel::Lp64), "gcc is needed for this test");
    let count = tier::pick(30, 300);
    if Gcc::is_available(DataModel::Ilp32) {
        check(DataModel::Ilp32, 10_000..10_000 + count);
        check(DataModel::Lp64, 20_000..20_000 + count);
    } else {
        println!("no 32-bit libraries here: LP64 only");
        check(DataModel::Lp64, 20_000..20_000 + 2 * count);
    }
}
