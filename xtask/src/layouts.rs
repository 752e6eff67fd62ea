//! `cargo xtask layouts`: the layout of random structs and unions against gcc's.

use std::process::ExitCode;

use clap::Args;
use ravelin_base::DataModel;
use ravelin_testkit::layouts::{Batch, compare};

/// Compare the layout of generated records with gcc's, in both data models.
#[derive(Args, Debug)]
pub struct Options {
    /// How many records in each data model.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: usize,
    /// The seed of the first batch; the others follow.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// How many differences are printed.
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: usize,
    /// Print the C text of the first batch for this data model, and compare nothing.
    #[arg(long, value_name = "MODEL")]
    print: Option<DataModel>,
}

/// Records that go through gcc together.
const BATCH: usize = 200;

/// Runs the comparison and prints a line of figures for each data model.
pub fn run(options: &Options) -> ExitCode {
    if let Some(model) = options.print {
        print!("{}", Batch::new(options.seed, BATCH.min(options.count), model).text());
        return ExitCode::SUCCESS;
    }
    let mut failed = false;
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (mut records, mut differing, mut shown) = (0, 0, 0);
        let mut seed = options.seed;
        while records < options.count {
            let count = BATCH.min(options.count - records);
            match compare(seed, count, model) {
                Ok(differences) => {
                    let mut names: Vec<_> = differences.iter().map(|d| &d.record).collect();
                    names.dedup();
                    differing += names.len();
                    for difference in &differences {
                        if shown < options.show {
                            shown += 1;
                            println!(
                                "seed {seed} {model}: {} is {} here, {} in gcc\n{}",
                                difference.what, difference.ours, difference.gcc, difference.record
                            );
                        }
                    }
                }
                Err(message) => {
                    println!("seed {seed} {model}: {message}");
                    failed = true;
                }
            }
            records += count;
            seed += 1;
        }
        println!("{model}: {records} records, {differing} laid out otherwise than by gcc");
        failed |= differing > 0;
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
