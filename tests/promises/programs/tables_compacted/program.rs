// SPDX-License-Identifier: GPL-2.0
// Merges four sorted tables of a store into one, and only then removes them.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Lines, Write};

type Table = Lines<BufReader<File>>;

fn take(table: &mut Table) -> Option<(String, String)> {
    let row = table.next()?.ok()?;
    let (key, value) = row.split_once('\t')?;
    Some((key.to_string(), value.to_string()))
}

fn main() -> std::io::Result<()> {
    let names: Vec<String> = (0..4).map(|i| format!("table{i}")).collect();
    let mut tables: Vec<Table> = Vec::new();
    for name in &names {
        tables.push(BufReader::new(File::open(name)?).lines());
    }
    let mut heads = BTreeMap::new();
    for (i, table) in tables.iter_mut().enumerate() {
        if let Some((key, value)) = take(table) {
            heads.insert((key, i), value);
        }
    }
    let mut merged = BufWriter::with_capacity(65536, File::create("merged.new")?);
    let mut last = String::new();
    let mut rows = 0;
    while let Some(head) = heads.keys().next().cloned() {
        let value = heads.remove(&head).unwrap();
        let (key, i) = head;
        if key != last {
            writeln!(merged, "{}\t{}", key, value)?;
            rows += 1;
        }
        last = key;
        if let Some((key, value)) = take(&mut tables[i]) {
            heads.insert((key, i), value);
        }
    }
    merged.into_inner()?.sync_all()?;
    fs::rename("merged.new", "merged")?;
    File::open(".")?.sync_all()?;
    for name in &names {
        fs::remove_file(name)?;
    }
    println!("{} rows", rows);
    Ok(())
}
