//! The files of a sketch and how they grow.
//!
//! ```text
//! sketch-<model>/head      "WRSKETCH", version, dim, bits a code, generation, rows, rows at the centring,
//!                          CRC-32 of `bits`, centre (f32 each), CRC-32; little endian; replaced by rename
//!                bits-<g>  rows × padded / 64 words: signs after centring and rotation
//!                codes-<g> rows × (codes, f32, CRC-32 of both): components as parts of the largest, what
//!                          one part is
//! ```
//!
//! Row `i` is the vector with id `i + 1`. Rows beyond those of the head are not there yet: a killed
//! writer leaves some, the next one writes over them. `bits` is read as a whole and has one sum; of
//! `codes` a query reads few rows, so that each has its own.

use super::codes::CodeWidth;
use super::rotate::Rotation;
use crate::error::{IndexError, Result};
use crc32fast::Hasher;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"WRSKETCH";
const VERSION: u32 = 3;
/// Vectors that the centre is the mean of; more would not move it.
const N_CENTRE: u64 = 20_000;
/// Rows between two looks at what else is to do.
const ROWS_A_FLUSH: u64 = 4_096;

/// What the other files hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SketchHeader {
    pub(super) dim: usize,
    pub(super) width: CodeWidth,
    /// Which files: `bits-<generation>`.
    pub(super) generation: u32,
    pub(super) n_rows: u64,
    /// Rows there were when the centre was taken.
    pub(super) n_at_centre: u64,
    /// CRC-32 of the rows in `bits`.
    pub(super) sum: u32,
    pub(super) centre: Vec<f32>,
}

impl SketchHeader {
    /// `Ok(None)` where there is no sketch of this version, `Err` with what is wrong with the one there is.
    pub(super) fn read(folder: &Path) -> std::result::Result<Option<Self>, String> {
        let bytes = match fs::read(folder.join("head")) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let version = bytes.strip_prefix(MAGIC).and_then(<[u8]>::first_chunk::<4>);
        if version.is_some_and(|version| *version != VERSION.to_le_bytes()) {
            return Ok(None);
        }
        Self::parse(&bytes)
            .map(Some)
            .ok_or_else(|| "its head is damaged".to_owned())
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (body, crc) = bytes.split_at_checked(bytes.len().checked_sub(4)?)?;
        let u32_at = |at: usize| Some(u32::from_le_bytes(body.get(at..at + 4)?.try_into().ok()?));
        let u64_at = |at: usize| Some(u64::from_le_bytes(body.get(at..at + 8)?.try_into().ok()?));
        let is_ours = body.starts_with(MAGIC) && u32_at(8)? == VERSION;
        if !is_ours || crc32fast::hash(body).to_le_bytes() != crc {
            return None;
        }
        let dim = u32_at(12)? as usize;
        let centre = body.get(44..)?.as_chunks::<4>().0;
        let centre: Vec<f32> = centre
            .iter()
            .map(|value| f32::from_le_bytes(*value))
            .collect();
        (centre.len() == dim).then_some(Self {
            dim,
            width: CodeWidth::from_bits(u32_at(16)?)?,
            generation: u32_at(20)?,
            n_rows: u64_at(24)?,
            n_at_centre: u64_at(32)?,
            sum: u32_at(40)?,
            centre,
        })
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let mut body = MAGIC.to_vec();
        body.extend(VERSION.to_le_bytes());
        body.extend((self.dim as u32).to_le_bytes());
        body.extend(self.width.bits().to_le_bytes());
        body.extend(self.generation.to_le_bytes());
        body.extend(self.n_rows.to_le_bytes());
        body.extend(self.n_at_centre.to_le_bytes());
        body.extend(self.sum.to_le_bytes());
        body.extend(self.centre.iter().flat_map(|value| value.to_le_bytes()));
        body.extend(crc32fast::hash(&body).to_le_bytes());
        let (new, head) = (folder.join("head.tmp"), folder.join("head"));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&new)?;
            file.write_all(&body)?;
            file.sync_all()?;
            fs::rename(&new, &head)
        };
        write().map_err(|source| IndexError::io(&head, source))
    }

    /// Whether the files have the rows that it counts.
    fn is_whole(&self, folder: &Path) -> bool {
        self.parts().iter().all(|(name, row_bytes)| {
            let meta = fs::metadata(self.file(folder, name));
            meta.is_ok_and(|meta| meta.len() >= self.n_rows * row_bytes)
        })
    }

    /// The files and the bytes that each has for a row.
    pub(super) fn parts(&self) -> [(&'static str, u64); 2] {
        let bits = Rotation::padded(self.dim) as u64 / 8;
        [
            ("bits", bits),
            ("codes", self.width.row_bytes(self.dim) as u64),
        ]
    }

    pub(super) fn file(&self, folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}-{}", self.generation))
    }
}

/// Brings a sketch up to `n_all` vectors; `vector` gives one by its id, from 1.
///
/// A centre taken when there were fewer than a quarter as many vectors is taken again, with all rows.
pub(crate) fn follow(
    folder: &Path,
    dim: usize,
    n_all: u64,
    vector: &mut dyn FnMut(u64) -> Result<Vec<f32>>,
) -> Result<()> {
    let known = SketchHeader::read(folder).ok().flatten();
    let fits = |head: &SketchHeader| {
        let is_of_these = head.dim == dim && head.n_rows <= n_all && n_all / 4 < head.n_at_centre;
        is_of_these && head.is_whole(folder)
    };
    let (mut head, is_new) = match known.filter(fits) {
        Some(head) => (head, false),
        None => (first_head(folder, dim, n_all, vector)?, true),
    };
    if head.n_rows == n_all && !is_new {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|source| IndexError::io(folder, source))?;
    let mut rows = SketchWriter::open(folder, &head)?;
    for id in head.n_rows + 1..=n_all {
        rows.push(&vector(id)?, &head)?;
        if id % ROWS_A_FLUSH == 0 && !is_new {
            rows.flush(true)?;
            (head.n_rows, head.sum) = (id, rows.sum());
            head.write(folder)?;
        }
    }
    rows.flush(true)?;
    (head.n_rows, head.sum) = (n_all, rows.sum());
    head.write(folder)?;
    if is_new {
        remove_others(folder, &head);
    }
    Ok(())
}

fn first_head(
    folder: &Path,
    dim: usize,
    n_all: u64,
    vector: &mut dyn FnMut(u64) -> Result<Vec<f32>>,
) -> Result<SketchHeader> {
    let step = (n_all / N_CENTRE).max(1);
    let (mut sum, mut n) = (vec![0.0_f64; dim], 0_u32);
    for id in (1..=n_all).step_by(step as usize) {
        let one = vector(id)?;
        sum.iter_mut()
            .zip(&one)
            .for_each(|(sum, value)| *sum += f64::from(*value));
        n += 1;
    }
    let mean = |sum: f64| (sum / f64::from(n.max(1))) as f32;
    Ok(SketchHeader {
        dim,
        width: CodeWidth::Byte,
        generation: newest_generation(folder) + 1,
        n_rows: 0,
        n_at_centre: n_all,
        sum: crc32fast::hash(&[]),
        centre: sum.into_iter().map(mean).collect(),
    })
}

fn generations(folder: &Path) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (_, number) = name.rsplit_once('-')?;
        Some((number.parse().ok()?, entry.path()))
    });
    numbered.collect()
}

fn newest_generation(folder: &Path) -> u32 {
    let all = generations(folder).into_iter();
    all.map(|(generation, _)| generation).max().unwrap_or(0)
}

/// Files that no head names; anyone who still has them mapped keeps them.
fn remove_others(folder: &Path, head: &SketchHeader) {
    for (generation, path) in generations(folder) {
        if generation != head.generation {
            // What cannot be removed costs space and nothing else; the next rebuild tries again.
            let _ = fs::remove_file(path);
        }
    }
}

/// A row as the files have it.
pub(crate) struct SketchRow {
    bits: Vec<u8>,
    codes: Vec<u8>,
}

impl SketchRow {
    fn of(vector: &[f32], head: &SketchHeader, rotation: &Rotation) -> Self {
        let mut bits = Vec::new();
        rotation.bits(vector, &head.centre, &mut bits);
        Self {
            bits: bits.iter().flat_map(|word| word.to_le_bytes()).collect(),
            codes: head.width.row(vector),
        }
    }
}

/// A sketch that nothing else keeps the vectors of: rows are added, and none is made again. Its centre
/// is zero, and a component takes four bits: what is read of it is an order and a rough cosine.
pub(crate) struct SketchAppender {
    folder: PathBuf,
    head: SketchHeader,
    rows: SketchWriter,
}

impl SketchAppender {
    /// Rows that the head in a folder counts, if it and the files are whole.
    pub(crate) fn n_rows(folder: &Path) -> Option<u64> {
        let head = SketchHeader::read(folder).ok().flatten()?;
        head.is_whole(folder).then_some(head.n_rows)
    }

    /// Opens the rows of vectors of `dim` in a folder, which is there, behind the last.
    pub(crate) fn open(folder: &Path, dim: usize) -> Result<Self> {
        let known = SketchHeader::read(folder).ok().flatten();
        let head = known.unwrap_or_else(|| SketchHeader {
            dim,
            width: CodeWidth::Nibble,
            generation: 1,
            n_rows: 0,
            n_at_centre: 0,
            sum: crc32fast::hash(&[]),
            centre: vec![0.0; dim],
        });
        Ok(Self {
            rows: SketchWriter::open(folder, &head)?,
            folder: folder.to_owned(),
            head,
        })
    }

    pub(crate) fn row(&self, vector: &[f32]) -> SketchRow {
        SketchRow::of(vector, &self.head, &self.rows.rotation)
    }

    pub(crate) fn push(&mut self, row: &SketchRow) -> Result<()> {
        self.head.n_rows += 1;
        self.rows.push_row(row)
    }

    /// Makes what was pushed readable. Nothing waits for the disk: what a crash leaves does not fit its
    /// checksums, and is made again.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.rows.flush(false)?;
        self.head.sum = self.rows.sum();
        self.head.write(&self.folder)
    }
}

/// The two files, open for writing behind the rows that the head knows.
struct SketchWriter {
    rotation: Rotation,
    files: [(PathBuf, BufWriter<File>); 2],
    /// Of `bits`, as far as it is written.
    hasher: Hasher,
}

impl SketchWriter {
    fn open(folder: &Path, head: &SketchHeader) -> Result<Self> {
        let open = |(name, row_bytes): (&str, u64)| {
            let path = head.file(folder, name);
            let begin = || -> std::io::Result<BufWriter<File>> {
                let mut options = OpenOptions::new();
                let mut file = options
                    .create(true)
                    .truncate(false)
                    .write(true)
                    .open(&path)?;
                let known = head.n_rows * row_bytes;
                if file.metadata()?.len() < known {
                    return Err(std::io::Error::other("shorter than its head says"));
                }
                file.seek(SeekFrom::Start(known))?;
                Ok(BufWriter::with_capacity(1 << 20, file))
            };
            match begin() {
                Ok(file) => Ok((path, file)),
                Err(source) => Err(IndexError::io(&path, source)),
            }
        };
        let [bits, codes] = head.parts();
        Ok(Self {
            rotation: Rotation::new(head.dim),
            files: [open(bits)?, open(codes)?],
            hasher: Hasher::new_with_initial_len(head.sum, head.n_rows * bits.1),
        })
    }

    fn push(&mut self, vector: &[f32], head: &SketchHeader) -> Result<()> {
        let row = SketchRow::of(vector, head, &self.rotation);
        self.push_row(&row)
    }

    fn push_row(&mut self, row: &SketchRow) -> Result<()> {
        self.hasher.update(&row.bits);
        for ((path, file), bytes) in self.files.iter_mut().zip([&row.bits, &row.codes]) {
            file.write_all(bytes)
                .map_err(|source| IndexError::io(&*path, source))?;
        }
        Ok(())
    }

    fn sum(&self) -> u32 {
        self.hasher.clone().finalize()
    }

    /// Hands what was pushed to the system, and waits until it is on the disk if it is to be `durable`.
    fn flush(&mut self, durable: bool) -> Result<()> {
        for (path, file) in &mut self.files {
            let flushed = file.flush().and_then(|()| match durable {
                true => file.get_ref().sync_data(),
                false => Ok(()),
            });
            flushed.map_err(|source| IndexError::io(&*path, source))?;
        }
        Ok(())
    }
}
