// SPDX-License-Identifier: GPL-2.0
// Draws records of a file by chance, as a statistician does, and estimates a mean of each by many rounds.
use std::fs::{self, File};
use std::os::unix::fs::FileExt;

fn main() {
    let good = std::env::args().nth(1).as_deref() == Some("good");
    let file = File::open("samples.bin").unwrap();
    let whole = if good { fs::read("samples.bin").unwrap() } else { Vec::new() };
    let records = file.metadata().unwrap().len() / 256;
    let mut seed: u64 = 88172645463325252;
    let mut sum = 0.0f64;
    let mut record = [0u8; 256];
    for _ in 0..12000 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let at = seed % records * 256;
        if good {
            record.copy_from_slice(&whole[at as usize..at as usize + 256]);
        } else {
            file.read_exact_at(&mut record, at).unwrap();
        }
        let mut x = 0.5f64;
        for round in 0..40 {
            for byte in record.iter() {
                x = (x * 0.75 + f64::from(*byte) / 256.0 + f64::from(round)).sqrt();
            }
        }
        sum += x;
    }
    fs::write("mean.txt", format!("{:.6}\n", sum / 12000.0)).unwrap();
}
