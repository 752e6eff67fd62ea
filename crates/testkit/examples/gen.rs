use ravelin_testkit::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let from: u64 = a.next().unwrap().parse().unwrap();
    let to: u64 = a.next().unwrap().parse().unwrap();
    let m: ravelin_base::DataModel = a.next().unwrap().parse().unwrap();
    let dir = a.next().unwrap();
    for s in from..to {
        let p = generate::generate(s, m);
        if let Err(e) = validate::validate(&p) {
            println!("seed {s}: {e}");
        }
        std::fs::write(format!("{dir}/p{s}.c"), print::print(&p)).unwrap();
    }
}
