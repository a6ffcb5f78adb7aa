use std::io::{self, BufWriter, Write};

fn main() {
    if std::env::args().nth(1).unwrap() == "good" {
        let mut out = BufWriter::new(io::stdout().lock());
        for i in 0..300000 {
            writeln!(out, "line {}", i).unwrap();
        }
    } else {
        for i in 0..300000 {
            println!("line {}", i);
        }
    }
}
