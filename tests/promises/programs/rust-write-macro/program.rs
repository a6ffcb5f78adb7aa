// SPDX-License-Identifier: GPL-2.0
// Rust writes a CSV report with write! straight to the File, several writes for each row; mended,
// through a BufWriter
use std::fs::File;
use std::io::{BufWriter, Write};

fn score(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9e3779b97f4a7c15) | 1;
    for _ in 0..1000 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}

fn report(out: &mut dyn Write) -> std::io::Result<()> {
    for id in 0..90000u64 {
        let s = score(id);
        write!(out, "{},customer-{},{}.{:02}\n", id, s % 5000, s % 977, s % 100)?;
    }
    out.flush()
}

fn main() {
    let f = File::create("report.csv").unwrap();
    if std::env::args().nth(1).unwrap() == "good" {
        report(&mut BufWriter::new(f)).unwrap();
    } else {
        let mut f = f;
        report(&mut f).unwrap();
    }
}
