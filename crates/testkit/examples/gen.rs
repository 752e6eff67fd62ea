use ravelin_testkit::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let s: u64 = a.next().unwrap().parse().unwrap();
    let m: ravelin_base::DataModel = a.next().unwrap().parse().unwrap();
    let p = generate::generate(s, m);
    if let Err(e) = validate::validate(&p) { eprintln!("seed {s}: {e}"); }
    print!("{}", print::print(&p));
}
