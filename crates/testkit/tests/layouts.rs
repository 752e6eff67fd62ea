//! Structs and unions are laid out as gcc lays them out. `cargo xtask layouts` compares many more.

use ravelin_base::DataModel;
use ravelin_testkit::layouts::compare;

#[test]
fn generated_records_are_laid_out_as_gcc_does() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let differences = compare(1, 300, model).expect("both accept the records");
        assert!(differences.is_empty(), "{model}: {differences:#?}");
    }
}
