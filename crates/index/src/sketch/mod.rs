//! A derived index over many vectors: sign bits to find candidates, bytes to put them in order.
//!
//! sqlite-vec keeps the vectors, exact and filterable, and reads all of them for each query. From
//! [`MIN_VECTORS`] on a sketch answers instead: the signs of each vector after centring and a fixed
//! random rotation (Charikar 2002, the rotation as in RaBitQ, Gao and Long 2024) are compared by
//! Hamming distance, and the nearest are scored by their components in bytes. The sketch can be
//! deleted at any time; the vector store makes it again.

mod codes;
mod files;
mod kernels;
mod reader;
mod rotate;

pub(crate) use files::{SketchAppender, SketchRow, follow};
pub(crate) use reader::{Sketched, Vectors};

use codes::{CodedQuery, CodesFile};
use files::SketchHeader;
use memmap2::Mmap;
use parking_lot::Mutex;
use rotate::Rotation;
use std::fs::File;
use std::path::{Path, PathBuf};
use whyrank_system::mapped::{Kept, Watch};

/// Below this many vectors the exact search fits the budget of the channels, and is exact.
pub(crate) const MIN_VECTORS: u64 = 20_000;
/// Candidates at least, and as a share of all rows.
const MIN_CANDIDATES: usize = 400;
const CANDIDATE_SHARE: usize = 500;

/// A sketch as its head had it when it was opened.
pub(crate) struct Sketch {
    head: SketchHeader,
    rotation: Rotation,
    bits: Mmap,
    codes: CodesFile,
    /// Rows are appended to it, and what the head counts stays: altered, its sum is compared again.
    watch: Mutex<(PathBuf, Watch)>,
}

/// A row that cannot be read or does not fit its sum: nothing of the sketch is relied on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DamagedRow;

impl Sketch {
    /// `Ok(None)` where there is none, `Err` in words where it is damaged: search exactly then. The
    /// rows of codes are checked as they are read.
    pub(crate) fn open(folder: &Path, dim: usize) -> Result<Option<Self>, String> {
        let Some(head) = SketchHeader::read(folder)?.filter(|head| head.dim == dim) else {
            return Ok(None);
        };
        let open = |(name, row_bytes): (&str, u64)| {
            let path = head.file(folder, name);
            let told = |error: std::io::Error| format!("{}: {error}", path.display());
            let file = File::open(&path).map_err(told)?;
            let n_bytes = file.metadata().map_err(told)?.len();
            match n_bytes < head.n_rows * row_bytes {
                true => Err(format!("{} is cut short", path.display())),
                false => Ok(file),
            }
        };
        let [of_bits, of_codes] = head.parts();
        let path = head.file(folder, of_bits.0);
        let watch = Watch::apart(&path, Kept::Bytes).map_err(|error| error.to_string())?;
        let (bits, codes) = (open(of_bits)?, open(of_codes)?);
        #[expect(unsafe_code, reason = "mapping a file is what makes it a slice")]
        // SAFETY: rows that a head counts are not written again; what somebody else does to the file is
        // noticed (`system::mapped`).
        let bits = unsafe { Mmap::map(&bits) }.map_err(|error| error.to_string())?;
        if !fits(&head, &bits) {
            return Err(format!("{} does not fit its checksum", path.display()));
        }
        Ok(Some(Self {
            rotation: Rotation::new(dim),
            bits,
            watch: Mutex::new((path, watch)),
            codes: CodesFile {
                file: codes,
                row_bytes: of_codes.1 as usize,
            },
            head,
        }))
    }

    /// Vectors that it knows: those with the ids 1 to this.
    pub(crate) fn n_rows(&self) -> u64 {
        self.head.n_rows
    }

    /// Rows of the candidates with their dot products, best first, ties by row. At least `limit` if
    /// there are as many; `mask` has a bit for each row that may be found.
    ///
    /// O(rows · dim / 64) for the distances, O(candidates · dim) for the order.
    pub(crate) fn nearest(
        &self,
        query: &[f32],
        mask: Option<&[u64]>,
        limit: usize,
    ) -> Result<Vec<(u32, f32)>, DamagedRow> {
        self.check_again()?;
        let n_rows = self.head.n_rows as usize;
        let mut bits = Vec::new();
        self.rotation.bits(query, &self.head.centre, &mut bits);
        let words: &[u64] = bytemuck::cast_slice(&self.bits[..n_rows * bits.len() * 8]);
        let mut far = Vec::with_capacity(n_rows);
        kernels::distances(words, &bits, mask, &mut far);
        let wanted = (n_rows / CANDIDATE_SHARE)
            .max(MIN_CANDIDATES)
            .max(4 * limit);
        let near = within(&far, radius(&far, self.rotation.padded, wanted));
        let near: Vec<u32> = near.map(|row| row as u32).collect();
        let mut found = self.scored(query, &near)?;
        self.check_again()?;
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(found)
    }

    /// Compares the sum again where somebody altered the file since.
    fn check_again(&self) -> Result<(), DamagedRow> {
        let mut watch = self.watch.lock();
        if !watch.1.is_altered() {
            return Ok(());
        }
        let again = Watch::apart(&watch.0, Kept::Bytes).map_err(|_| DamagedRow)?;
        let n_there = std::fs::metadata(&watch.0).map_or(0, |metadata| metadata.len());
        // What is not there must not be touched.
        if n_there < self.n_bit_bytes() as u64 || !fits(&self.head, &self.bits) {
            return Err(DamagedRow);
        }
        watch.1 = again;
        Ok(())
    }

    fn n_bit_bytes(&self) -> usize {
        n_bit_bytes(&self.head)
    }

    /// Dot products of some rows, `None` where there is no row.
    pub(crate) fn dots(
        &self,
        query: &[f32],
        rows: impl Iterator<Item = Option<u32>>,
    ) -> Result<Vec<Option<f32>>, DamagedRow> {
        let rows: Vec<Option<u32>> = rows.collect();
        let mut there: Vec<u32> = rows.iter().flatten().copied().collect();
        there.sort_unstable();
        there.dedup();
        let scored = self.scored(query, &there)?;
        let dot = |row: &u32| {
            let at = scored.binary_search_by_key(row, |(row, _)| *row).ok()?;
            Some(scored[at].1)
        };
        Ok(rows.iter().map(|row| row.as_ref().and_then(dot)).collect())
    }

    /// Dot products of rows in ascending order, by their codes.
    fn scored(&self, query: &[f32], rows: &[u32]) -> Result<Vec<(u32, f32)>, DamagedRow> {
        let query = CodedQuery::new(self.head.width, query);
        let mut scored = Vec::with_capacity(rows.len());
        let mut add = |row, codes: &[u8]| scored.extend(query.dot(codes).map(|dot| (row, dot)));
        let read = self.codes.read(rows, &mut add);
        match read.is_ok() && scored.len() == rows.len() {
            true => Ok(scored),
            false => Err(DamagedRow),
        }
    }

    /// Whether each row of codes fits its sum. O(bytes).
    fn is_whole(&self) -> bool {
        let rows: Vec<u32> = (0..self.head.n_rows as u32).collect();
        let zeros = vec![0.0; self.head.dim];
        rows.chunks(1 << 16)
            .all(|rows| self.scored(&zeros, rows).is_ok())
    }
}

fn n_bit_bytes(head: &SketchHeader) -> usize {
    let [(_, row_bytes), _] = head.parts();
    (head.n_rows * row_bytes) as usize
}

/// Says whether the bits are those that the head has the sum of.
fn fits(head: &SketchHeader, bits: &[u8]) -> bool {
    bits.get(..n_bit_bytes(head)).map(crc32fast::hash) == Some(head.sum)
}

/// What is wrong with the sketch in a folder, in words. O(bytes).
pub(crate) fn check(folder: &Path) -> Option<String> {
    let head = SketchHeader::read(folder);
    let opened = head.and_then(|head| match head {
        Some(head) => Sketch::open(folder, head.dim),
        None => Ok(None),
    });
    match opened {
        Ok(sketch) => {
            let is_whole = sketch.is_none_or(|sketch| sketch.is_whole());
            (!is_whole).then(|| "a row of its codes does not fit its checksum".to_owned())
        }
        Err(detail) => Some(detail),
    }
}

/// The least distance within which `wanted` rows lie.
fn radius(far: &[u16], n_bits: usize, wanted: usize) -> u16 {
    let mut counts = vec![0_usize; n_bits + 1];
    for distance in far {
        if let Some(count) = counts.get_mut(usize::from(*distance)) {
            *count += 1;
        }
    }
    let mut n = 0;
    let reached = counts.iter().position(|count| {
        n += count;
        n >= wanted
    });
    reached.unwrap_or(n_bits) as u16
}

fn within(far: &[u16], radius: u16) -> impl Iterator<Item = usize> {
    let near = far
        .iter()
        .enumerate()
        .filter(move |(_, distance)| **distance <= radius);
    near.map(|(row, _)| row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIM: usize = 192;

    /// Vectors in a few directions with much noise, not centred.
    fn vectors(n: u64) -> Vec<Vec<f32>> {
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
        };
        (0..n)
            .map(|at| {
                let mut one: Vec<f32> = (0..DIM)
                    .map(|d| next() + if d as u64 % 12 == at % 12 { 0.8 } else { 0.2 })
                    .collect();
                let norm = one.iter().map(|x| x * x).sum::<f32>().sqrt();
                one.iter_mut().for_each(|x| *x /= norm);
                one
            })
            .collect()
    }

    fn sketch(folder: &Path, all: &[Vec<f32>]) -> Sketch {
        let mut vector = |id: u64| Ok(all[id as usize - 1].clone());
        follow(folder, DIM, all.len() as u64, &mut vector).expect("a sketch");
        Sketch::open(folder, DIM).expect("whole").expect("there")
    }

    fn exact(all: &[Vec<f32>], query: &[f32], k: usize) -> Vec<u32> {
        let dot = |one: &Vec<f32>| one.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
        let mut scored: Vec<(f32, u32)> = all.iter().map(dot).zip(0..).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.iter().take(k).map(|(_, row)| *row).collect()
    }

    #[test]
    fn nearly_all_of_the_nearest_are_found_and_bytes_keep_their_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let all = vectors(5_000);
        let sketch = sketch(folder.path(), &all);
        let mut n_found = 0;
        for query in all.iter().step_by(250) {
            let found: Vec<u32> = sketch
                .nearest(query, None, 10)
                .expect("whole rows")
                .iter()
                .map(|(row, _)| *row)
                .take(10)
                .collect();
            n_found += exact(&all, query, 10)
                .iter()
                .filter(|row| found.contains(row))
                .count();
        }
        assert!(n_found >= 190, "{n_found} of 200");
    }

    #[test]
    fn a_mask_is_kept_and_growth_changes_nothing() {
        let (one, two) = (
            tempfile::tempdir().expect("a folder"),
            tempfile::tempdir().expect("a folder"),
        );
        let all = vectors(3_000);
        let whole = sketch(one.path(), &all);
        sketch(two.path(), &all[..1_000]);
        let grown = sketch(two.path(), &all);
        assert_eq!((whole.n_rows(), grown.n_rows()), (3_000, 3_000));
        let mut mask = vec![0_u64; 3_000_usize.div_ceil(64)];
        mask[3] = !0;
        let found = whole
            .nearest(&all[200], Some(&mask), 10)
            .expect("whole rows");
        assert!(found.len() == 64 && found.iter().all(|(row, _)| (192..256).contains(row)));
        assert_eq!(found[0].0, 200);
        let again = grown
            .nearest(&all[200], Some(&mask), 10)
            .expect("whole rows");
        let rows = |found: &[(u32, f32)]| found.iter().map(|(row, _)| *row).collect::<Vec<_>>();
        assert_eq!(rows(&found), rows(&again));
    }

    #[test]
    fn fourfold_growth_takes_a_new_centre_and_leaves_one_set_of_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let all = vectors(2_100);
        sketch(folder.path(), &all[..500]);
        let grown = sketch(folder.path(), &all);
        assert_eq!((grown.head.generation, grown.head.n_at_centre), (2, 2_100));
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            3
        );
    }

    #[test]
    fn damage_is_told_and_repaired_by_the_next_writer() {
        let folder = tempfile::tempdir().expect("a folder");
        let all = vectors(600);
        sketch(folder.path(), &all);
        let codes = folder.path().join("codes-1");
        let mut bytes = std::fs::read(&codes).expect("a file");
        bytes[700] ^= 1;
        std::fs::write(&codes, bytes).expect("a file");
        assert!(check(folder.path()).is_some());
        let opened = Sketch::open(folder.path(), DIM)
            .expect("whole")
            .expect("there");
        assert!(opened.nearest(&all[0], None, 600).is_err());
        std::fs::write(&codes, b"short").expect("a file");
        assert!(Sketch::open(folder.path(), DIM).is_err());
        std::fs::write(folder.path().join("head"), b"WRSKETCHxx").expect("a file");
        assert!(Sketch::open(folder.path(), DIM).is_err());
        assert_eq!(sketch(folder.path(), &all).head.generation, 2);
        assert!(
            Sketch::open(&folder.path().join("none"), DIM)
                .expect("no damage")
                .is_none()
        );
    }

    #[test]
    fn bits_that_are_altered_after_they_were_checked_are_checked_again() {
        let all = vectors(600);
        let wait = || std::thread::sleep(std::time::Duration::from_millis(20));
        for is_cut in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let sketch = sketch(folder.path(), &all);
            let found =
                |sketch: &Sketch| sketch.nearest(&all[0], None, 10).map(|found| found.len());
            let n_found = found(&sketch).expect("whole");
            let path = folder.path().join("bits-1");
            let bytes = std::fs::read(&path).expect("a file");
            wait();
            // A writer appends.
            std::fs::write(&path, [bytes.as_slice(), b"more"].concat()).expect("written");
            assert_eq!(found(&sketch).expect("whole"), n_found);
            wait();
            let mut bytes = bytes;
            bytes[9] ^= 1;
            bytes.truncate(if is_cut { 5_000 } else { bytes.len() });
            std::fs::write(&path, bytes).expect("written");
            assert!(found(&sketch).is_err());
        }
    }

    /// What this thread has used, on Linux.
    fn cpu_us() -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let ns = stat.split(' ').next().and_then(|ns| ns.parse::<u64>().ok());
        ns.unwrap_or_default() / 1_000
    }

    /// `cargo test -p whyrank-index million -- --ignored --nocapture`: 1M × 384 made-up vectors.
    #[test]
    #[ignore = "takes minutes and 2 GB; prints figures"]
    fn a_million_vectors() {
        let folder = tempfile::tempdir().expect("a folder");
        let (n, dim) = (1_000_000_u64, 384);
        let hash = |at: u64| {
            let mut bits = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
        };
        let value = |at: u64| (hash(at) >> 40) as f32 / (1_u64 << 24) as f32 - 0.5;
        // A thousand topics, and 20 kinds of text within each.
        let vector = |id: u64| {
            let (topic, kind) = (hash(id) % 1_000, hash(id + n) % 20);
            let mut one: Vec<f32> = (0..dim)
                .map(|d| {
                    let of_topic = value(topic * dim + d + (1 << 32));
                    let of_kind = value((topic * 20 + kind) * dim + d + (1 << 40));
                    0.6 * of_topic + 0.5 * of_kind + 0.5 * value(id * dim + d) + 0.1
                })
                .collect();
            let norm = one.iter().map(|x| x * x).sum::<f32>().sqrt();
            one.iter_mut().for_each(|x| *x /= norm);
            one
        };
        let started = std::time::Instant::now();
        follow(folder.path(), dim as usize, n, &mut |id| Ok(vector(id))).expect("a sketch");
        println!("made in {:?}", started.elapsed());
        let sketch = Sketch::open(folder.path(), dim as usize)
            .expect("whole")
            .expect("there");
        let all: Vec<Vec<f32>> = (1..=n).map(vector).collect();
        let (mut n_found, mut times) = (0, Vec::new());
        for query in (0..n).step_by(50_021) {
            // A query is no text of the store: half a text, half noise.
            let of = |d: u64| {
                all[query as usize][d as usize] + 0.6 * value(query * dim + d + (1 << 50)) / 5.6
            };
            let query: Vec<f32> = (0..dim).map(of).collect();
            let started = cpu_us();
            // The system counts in steps of some milliseconds.
            let mut found = Vec::new();
            for _ in 0..10 {
                found = sketch.nearest(&query, None, 10).expect("whole rows");
            }
            times.push((cpu_us() - started) / 10);
            let exact = exact(&all, &query, 10);
            n_found += exact
                .iter()
                .filter(|row| found.iter().take(10).any(|(one, _)| one == *row))
                .count();
        }
        times.sort();
        println!(
            "{} queries: median {} µs of CPU, recall@10 {}",
            times.len(),
            times[times.len() / 2],
            n_found as f64 / times.len() as f64 / 10.0
        );
    }
}
