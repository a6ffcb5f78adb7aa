// SPDX-License-Identifier: GPL-2.0
// A formatter asks for each source whether a folder above it has settings.
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn has(folder: &Path) -> bool {
    [".formatter.toml", ".editorconfig", "formatter.toml"].iter().any(|name| folder.join(name).exists())
}

fn main() {
    let bad = std::env::args().nth(1).unwrap() == "bad";
    let mut known: HashMap<PathBuf, bool> = HashMap::new();
    let (mut with, mut lines) = (0, 0u64);
    for i in 0..12000 {
        let path = PathBuf::from(format!("src/main/org/example/shop/model/part{}/file{}.txt", i % 20, i));
        let mut found = 0;
        for folder in path.ancestors().skip(1) {
            let it = if bad {
                has(folder)
            } else if let Some(&it) = known.get(folder) {
                it
            } else {
                let it = has(folder);
                known.insert(folder.to_path_buf(), it);
                it
            };
            found += it as u32;
        }
        with += found;
        lines = (0..2000u64).fold(lines, |sum, x| (sum ^ x).wrapping_mul(1099511628211));
    }
    fs::write("result.txt", format!("{} {}\n", with, lines)).unwrap();
}
