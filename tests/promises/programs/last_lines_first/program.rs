// SPDX-License-Identifier: GPL-2.0
//! Writes the lines of a diary in reverse order, and a digest: from its end, by 64 KiB.
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

const BLOCK: u64 = 1 << 16;

fn main() -> io::Result<()> {
    let mut diary = File::open("diary")?;
    let mut out = BufWriter::with_capacity(BLOCK as usize, File::create("reversed")?);
    let mut at = diary.seek(SeekFrom::End(0))?;
    let mut sum = 0u64;
    // The start of a line, the rest of which came with the block before.
    let (mut block, mut rest) = (Vec::with_capacity(2 * BLOCK as usize), Vec::new());
    while at > 0 {
        let size = at.min(BLOCK);
        at -= size;
        diary.seek(SeekFrom::Start(at))?;
        block.resize(size as usize, 0);
        diary.read_exact(&mut block)?;
        block.extend_from_slice(&rest);
        let mut end = block.len();
        for i in (0..block.len()).rev() {
            sum = (sum ^ u64::from(block[i])).wrapping_mul(0xff51afd7ed558ccd);
            sum ^= sum >> 33;
            if i > 0 && block[i - 1] == b'\n' {
                out.write_all(&block[i..end])?;
                end = i;
            }
        }
        rest.clear();
        rest.extend_from_slice(&block[..end]);
    }
    out.write_all(&rest)?;
    writeln!(out, "{sum}")?;
    out.flush()
}
