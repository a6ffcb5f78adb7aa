use std::fs::File;
use std::io::{BufWriter, Write};

fn lines(out: &mut dyn Write) {
    for i in 0..150000 {
        writeln!(out, "line {}", i).unwrap();
    }
}

fn main() {
    let mut file = File::create("out").unwrap();
    if std::env::args().nth(1).unwrap() == "good" {
        lines(&mut BufWriter::new(file));
    } else {
        lines(&mut file);
    }
}
