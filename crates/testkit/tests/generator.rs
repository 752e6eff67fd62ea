//! The generator and the shrinker by themselves: gcc is compared with gcc.

use ravelin_base::DataModel;
use ravelin_testkit::differential::{Campaign, Refusal, Task, compare_generated};
use ravelin_testkit::gcc::{Execution, Failure, Gcc, Level};
use ravelin_testkit::generate::generate;
use ravelin_testkit::print::print;
use ravelin_testkit::program::{BinaryOp, Expr, Program};
use ravelin_testkit::shrink::shrink;
use ravelin_testkit::tier;
use ravelin_testkit::validate::validate;
use ravelin_testkit::visit::{Visitor, walk_expr, walk_program};
use std::time::{Duration, Instant};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

#[test]
fn programs_are_valid_and_depend_on_the_seed_alone() {
    for model in MODELS {
        for seed in 0..100 {
            let program = generate(seed, model);
            assert_eq!(validate(&program), Ok(()), "seed {seed}, {model}");
            assert_eq!(print(&program), print(&generate(seed, model)));
        }
    }
    assert_ne!(print(&generate(1, MODELS[0])), print(&generate(2, MODELS[0])));
}

fn run_with_gcc(task: Task<'_>, level: Level) -> Result<Execution, Refusal> {
    let source = std::fs::read_to_string(task.path).unwrap();
    let gcc = Gcc { level, ..Gcc::new(task.model) };
    match gcc.run_all(&[source]).remove(0) {
        Ok(execution) => Ok(execution),
        Err(Failure::Crash(message) | Failure::Rejected(message)) => Err(Refusal::Stopped(message)),
        Err(other) => Err(Refusal::Exhausted(format!("{other:?}"))),
    }
}

/// Undefined behaviour and an open order of evaluation tend to show as a difference between
/// optimised and plain code, or are found by the sanitizers.
#[test]
fn programs_mean_the_same_at_every_level_of_gcc() {
    for model in MODELS.into_iter().filter(|model| Gcc::is_available(*model)) {
        let counts = [(Level::Optimised, tier::pick(6, 60)), (Level::Sanitised, tier::pick(3, 30))];
        for (level, count) in counts {
            let campaign = Campaign::new(model, 5_000..5_000 + count);
            let summary = compare_generated(&campaign, &|task| run_with_gcc(task, level));
            for difference in &summary.differences {
                println!("{difference}\n{}", difference.source);
            }
            assert_eq!(summary.differences.len(), 0, "{level:?}");
            assert!(summary.compared >= count - 1, "{summary}");
        }
    }
}

#[test]
fn a_difference_is_found_and_shrunk() {
    let model = DataModel::Lp64;
    if !Gcc::is_available(model) {
        return;
    }
    // A subject that is wrong about every program that prints a multiple of something.
    let subject = |task: Task<'_>| {
        let mut execution = run_with_gcc(task, Level::Plain)?;
        if execution.stdout.iter().filter(|byte| **byte == b'\n').count() > 1 {
            execution.status += 1;
        }
        Ok(execution)
    };
    let campaign = Campaign {
        shrink_time: Duration::from_secs(30),
        stop_after: 1,
        jobs: 1,
        ..Campaign::new(model, 0..1)
    };
    let summary = compare_generated(&campaign, &subject);
    let difference = &summary.differences[0];
    let main = difference.source.split("int main(void)").nth(1).unwrap();
    assert!(main.matches("printf").count() == 2, "{}", difference.source);
    assert!(main.lines().count() < 12, "{}", difference.source);
}

struct Shifts(usize);

impl Visitor for Shifts {
    fn expr(&mut self, expr: &Expr) {
        if matches!(expr, Expr::Binary(BinaryOp::Shl, ..)) {
            self.0 += 1;
        }
        walk_expr(self, expr);
    }
}

fn shifts(program: &Program) -> usize {
    let mut counter = Shifts(0);
    walk_program(&mut counter, program);
    counter.0
}

#[test]
fn shrinking_keeps_the_property_and_little_else() {
    let deadline = Instant::now() + Duration::from_secs(60);
    for seed in 0..5 {
        let program = generate(seed, DataModel::Ilp32);
        assert!(shifts(&program) > 1, "seed {seed} is too poor for this test");
        let small = shrink(program, deadline, &mut |candidate| shifts(candidate) > 0);
        assert_eq!(validate(&small), Ok(()));
        assert_eq!(shifts(&small), 1);
        assert!(print(&small).lines().count() < 40, "{}", print(&small));
    }
}
