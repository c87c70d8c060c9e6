//! Components in few bits, with what gives them back and a sum to know them by.

use super::kernels;
use std::fs::File;
use std::io;

/// Bits of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeWidth {
    /// A cosine of random vectors is off by less than .01.
    Byte,
    /// By less than .02, at half the room.
    Nibble,
}

/// A code in units of the scale, and the CRC-32 of both.
const TAIL_BYTES: usize = 8;

impl CodeWidth {
    pub(super) fn from_bits(bits: u32) -> Option<Self> {
        [Self::Byte, Self::Nibble]
            .into_iter()
            .find(|width| width.bits() == bits)
    }

    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Byte => 8,
            Self::Nibble => 4,
        }
    }

    /// Bytes of a row.
    pub(super) fn row_bytes(self, dim: usize) -> usize {
        (dim * self.bits() as usize).div_ceil(8) + TAIL_BYTES
    }

    /// The row of a vector: codes, scale, sum. Four bits hold a component and the one half a vector
    /// further, so that halves of a query are compared as they lie.
    pub(super) fn row(self, vector: &[f32]) -> Vec<u8> {
        let (mut row, scale) = match self {
            Self::Byte => {
                let (codes, scale) = quantise(vector, 127.0);
                (codes.into_iter().map(i8::cast_unsigned).collect(), scale)
            }
            Self::Nibble => {
                let (codes, scale) = quantise(vector, 7.0);
                let (low, high) = codes.split_at(codes.len().div_ceil(2));
                let high = high.iter().copied().chain([0]);
                let pack = |(low, high): (&i8, i8)| (low + 8) as u8 | ((high + 8) as u8) << 4;
                (low.iter().zip(high).map(pack).collect::<Vec<u8>>(), scale)
            }
        };
        row.extend(scale.to_le_bytes());
        row.extend(crc32fast::hash(&row).to_le_bytes());
        row
    }
}

/// The rows of a file. They are read where they are asked for: a query asks for few, all over the file,
/// and a mapping would take the pages around each.
pub(super) struct CodesFile {
    pub(super) file: File,
    pub(super) row_bytes: usize,
}

/// Rows that are read though nobody asks for them, between two that are asked for.
const MAX_GAP: u32 = 8;
/// Rows of one read, at most.
const MAX_READ: usize = 256;

impl CodesFile {
    /// Calls `visit` with each of some rows, in ascending order.
    pub(super) fn read(&self, rows: &[u32], mut visit: impl FnMut(u32, &[u8])) -> io::Result<()> {
        let mut buffer = Vec::new();
        let near = rows.chunk_by(|a, b| b - a <= MAX_GAP);
        for run in near.flat_map(|run| run.chunks(MAX_READ)) {
            let (first, last) = (run[0], run[run.len() - 1]);
            buffer.resize((last - first + 1) as usize * self.row_bytes, 0);
            read_at(
                &self.file,
                &mut buffer,
                u64::from(first) * self.row_bytes as u64,
            )?;
            for row in run {
                let from = (row - first) as usize * self.row_bytes;
                visit(*row, &buffer[from..from + self.row_bytes]);
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                buffer = &mut buffer[n..];
                offset += n as u64;
            }
        }
    }
    Ok(())
}

/// A query, to be compared with rows.
pub(super) struct CodedQuery {
    width: CodeWidth,
    codes: Vec<i8>,
    scale: f32,
}

impl CodedQuery {
    pub(super) fn new(width: CodeWidth, query: &[f32]) -> Self {
        let (codes, scale) = quantise(query, 127.0);
        Self {
            width,
            codes,
            scale,
        }
    }

    /// The dot product with a row; `None` where the row does not fit its sum.
    pub(super) fn dot(&self, row: &[u8]) -> Option<f32> {
        let (body, sum) = row.split_last_chunk::<4>()?;
        let (codes, scale) = body.split_last_chunk::<4>()?;
        if crc32fast::hash(body).to_le_bytes() != *sum {
            return None;
        }
        let dot = match self.width {
            CodeWidth::Byte => kernels::dot(bytemuck::cast_slice(codes), &self.codes),
            CodeWidth::Nibble => kernels::nibble_dot(codes, &self.codes),
        };
        Some(dot as f32 * f32::from_le_bytes(*scale) * self.scale)
    }
}

/// Components as whole parts of the largest, which has `n_parts`, and what one part is.
fn quantise(vector: &[f32], n_parts: f32) -> (Vec<i8>, f32) {
    let largest = vector
        .iter()
        .fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let scale = if largest > 0.0 {
        largest / n_parts
    } else {
        1.0
    };
    let codes = vector.iter().map(|value| (value / scale).round() as i8);
    (codes.collect(), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit vector that differs for each seed.
    fn vector(dim: usize, seed: u64) -> Vec<f32> {
        let hash = |at: u64| (at + seed * 1_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let values = (0..dim as u64).map(|at| hash(at) as f32 / (1_u64 << 24) as f32 - 0.5);
        let values: Vec<f32> = values.collect();
        let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.iter().map(|value| value / norm).collect()
    }

    #[test]
    fn both_widths_keep_the_cosine() {
        for (width, within) in [(CodeWidth::Byte, 0.01), (CodeWidth::Nibble, 0.02)] {
            for (dim, seed) in [(256, 1), (384, 2), (33, 3), (64, 4)] {
                let (a, b) = (vector(dim, seed), vector(dim, seed + 20));
                let row = width.row(&a);
                assert_eq!(row.len(), width.row_bytes(dim));
                for query in [&a, &b] {
                    let exact: f32 = a.iter().zip(query).map(|(a, b)| a * b).sum();
                    let dot = CodedQuery::new(width, query)
                        .dot(&row)
                        .expect("a whole row");
                    assert!((dot - exact).abs() < within, "{dot} for {exact} of {dim}");
                }
            }
        }
    }

    #[test]
    fn a_changed_bit_is_told() {
        let query = vector(64, 1);
        let mut row = CodeWidth::Nibble.row(&query);
        for byte in 0..row.len() {
            row[byte] ^= 4;
            assert_eq!(CodedQuery::new(CodeWidth::Nibble, &query).dot(&row), None);
            row[byte] ^= 4;
        }
    }
}
