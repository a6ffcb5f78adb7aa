// SPDX-License-Identifier: GPL-2.0
// Lists the boxes of a film: reads the header of each, and steps over what is in it.
use std::convert::TryInto;
use std::env;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

fn main() -> std::io::Result<()> {
    let bad = env::args().nth(1).as_deref() == Some("bad");
    let mut film = BufReader::new(File::open("film.box")?);
    let mut header = [0u8; 8];
    let mut boxes = 0u64;
    let mut keys = 0u64;
    let mut bytes = 0u64;
    while film.read_exact(&mut header).is_ok() {
        let length = u32::from_be_bytes(header[..4].try_into().unwrap()) as i64;
        boxes += 1;
        bytes += length as u64;
        keys += (&header[4..] == b"keyf") as u64;
        if bad {
            film.seek(SeekFrom::Current(length))?;
        } else {
            film.seek_relative(length)?;
        }
    }
    println!("{boxes} boxes, {keys} key frames, {bytes} bytes");
    Ok(())
}
