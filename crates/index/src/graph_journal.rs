//! The symbol graph of a view in the making, file by file: a lane that is cancelled or killed goes on with
//! the files that it had. Read once, whole, before it is gone on with; ends at the first record that is not
//! what was written.
//!
//! ```text
//! head       mark, length and CRC-32 of the stamp, the stamp
//! records    length of the uses, length of their basis, CRC-32 of all of it, uses, basis; file by file
//! ```

use crate::error::{IndexError, Result};
use crate::kept_graphs;
use crate::view::View;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use whyrank_graph::{PackedFile, UsesJournal};
use whyrank_system::files;

/// What the files are called by.
pub(crate) const BEGUN: &str = "begun";

const ENDING: &str = "journal";
const MARK: &[u8; 8] = b"WRBEGUN\x01";
/// A longer record is none.
const MOST_BYTES: u32 = 1 << 30;

/// A journal on disk. What fails is told at the end.
pub(crate) struct GraphJournal {
    path: PathBuf,
    stamp: String,
    out: BufWriter<File>,
    /// Where the sound records end, as far as they are read or written.
    n_bytes: u64,
    outcome: Result<()>,
}

impl GraphJournal {
    /// Opens the journal of a view, with what it has of this very state of the view.
    pub(crate) fn open(folder: &Path, view: &View) -> Result<Self> {
        let path = folder.join(format!("{}.{ENDING}", view.key.topic(BEGUN)));
        let open = || {
            files::create_private_folder(folder)?;
            if !path.exists() {
                files::create_private(&path)?;
            }
            File::options().read(true).write(true).open(&path)
        };
        let file = open().map_err(|error| IndexError::io(&path, error))?;
        let mut journal = Self {
            out: BufWriter::with_capacity(1 << 18, file),
            stamp: stamp(view),
            n_bytes: 0,
            outcome: Ok(()),
            path,
        };
        let head = journal.head();
        journal.n_bytes = head.len() as u64;
        let is_ours = journal.reader(0).is_ok_and(|mut from| {
            let mut read = vec![0; head.len()];
            from.read_exact(&mut read).is_ok() && read == head
        });
        match is_ours {
            true => journal.cut_at_damage(),
            false => journal.clear(),
        }
        Ok(journal)
    }

    /// Says what failed. The journal stays.
    pub(crate) fn outcome(&mut self) -> Result<()> {
        std::mem::replace(&mut self.outcome, Ok(()))
    }

    /// Takes the journal of a view away: all that it had is in its graph.
    pub(crate) fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }

    fn head(&self) -> Vec<u8> {
        let mut head = MARK.to_vec();
        head.extend((self.stamp.len() as u32).to_le_bytes());
        head.extend(crc32fast::hash(self.stamp.as_bytes()).to_le_bytes());
        head.extend(self.stamp.as_bytes());
        head
    }

    fn reader(&self, from: u64) -> std::io::Result<BufReader<File>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(from))?;
        Ok(BufReader::with_capacity(1 << 18, file))
    }

    /// What a killed process left of a record goes, and all behind it.
    fn cut_at_damage(&mut self) {
        let start = self.n_bytes;
        let mut end = start;
        let read = self.reader(start).map(|mut from| {
            while let Some(record) = Record::take(&mut from) {
                end += record.n_bytes();
            }
        });
        self.note(read);
        self.cut(end);
    }

    fn cut(&mut self, end: u64) {
        self.n_bytes = end;
        let cut = self.out.flush().and_then(|()| {
            let file = self.out.get_mut();
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end)).map(|_| ())
        });
        self.note(cut);
    }

    fn note<T>(&mut self, done: std::io::Result<T>) {
        if let (Err(error), true) = (done, self.outcome.is_ok()) {
            self.outcome = Err(IndexError::io(&self.path, error));
        }
    }
}

impl UsesJournal for GraphJournal {
    fn each(&mut self, each: &mut dyn FnMut(PackedFile<'_>) -> bool) {
        let flushed = self.out.flush();
        self.note(flushed);
        let (mut at, end) = (self.head().len() as u64, self.n_bytes);
        let mut is_wanted = true;
        let read = self.reader(at).map(|mut from| {
            while at < end && is_wanted {
                let Some(record) = Record::take(&mut from) else {
                    break;
                };
                at += record.n_bytes();
                is_wanted = each(record.packed());
            }
        });
        self.note(read);
        if at < end && is_wanted && self.outcome.is_ok() {
            self.outcome = Err(IndexError::Damaged {
                path: self.path.clone(),
                detail: "it is not what was written".to_owned(),
            });
        }
    }

    fn add(&mut self, file: PackedFile<'_>) {
        let record = Record::of(file);
        self.n_bytes += record.n_bytes();
        let written = (self.out.write_all(&record.head())).and_then(|()| {
            self.out.write_all(file.uses)?;
            self.out.write_all(file.basis)
        });
        self.note(written);
    }

    fn clear(&mut self) {
        self.cut(0);
        let head = self.head();
        self.n_bytes = head.len() as u64;
        let written = self.out.write_all(&head);
        self.note(written);
    }
}

/// A file as it lies there.
struct Record {
    n_uses: u32,
    n_basis: u32,
    crc: u32,
    /// Uses and basis; empty of one that is written from elsewhere.
    bytes: Vec<u8>,
}

impl Record {
    fn of(file: PackedFile<'_>) -> Self {
        Self {
            n_uses: file.uses.len() as u32,
            n_basis: file.basis.len() as u32,
            crc: sum(file.uses, file.basis),
            bytes: Vec::new(),
        }
    }

    fn head(&self) -> [u8; 12] {
        let mut head = [0; 12];
        for (at, number) in [self.n_uses, self.n_basis, self.crc].iter().enumerate() {
            head[4 * at..4 * at + 4].copy_from_slice(&number.to_le_bytes());
        }
        head
    }

    fn n_bytes(&self) -> u64 {
        12 + u64::from(self.n_uses) + u64::from(self.n_basis)
    }

    /// The next record; `None` at the end, and where it is not what was written.
    fn take(from: &mut impl std::io::Read) -> Option<Self> {
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let mut bytes = [0; 4];
            from.read_exact(&mut bytes).ok()?;
            *number = u32::from_le_bytes(bytes);
        }
        let [n_uses, n_basis, crc] = numbers;
        let n_bytes = n_uses.checked_add(n_basis).filter(|n| *n <= MOST_BYTES)?;
        let mut bytes = Vec::new();
        let n_read = from.take(n_bytes.into()).read_to_end(&mut bytes).ok()?;
        let record = Self {
            n_uses,
            n_basis,
            crc,
            bytes,
        };
        let is_whole = n_read == n_bytes as usize;
        let packed = record.packed();
        (is_whole && sum(packed.uses, packed.basis) == crc).then_some(record)
    }

    fn packed(&self) -> PackedFile<'_> {
        let n_uses = (self.n_uses as usize).min(self.bytes.len());
        let (uses, basis) = self.bytes.split_at(n_uses);
        PackedFile { uses, basis }
    }
}

/// Whether a file is a journal.
pub(crate) fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING)
}

fn sum(uses: &[u8], basis: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&(uses.len() as u32).to_le_bytes());
    sum.update(uses);
    sum.update(basis);
    sum.finalize()
}

/// What a journal is of: these rules, and this state of the view.
fn stamp(view: &View) -> String {
    let mut digest = Sha256::new();
    for file in &view.files {
        digest.update((file.path.len() as u64).to_le_bytes());
        digest.update(&file.path);
        digest.update(file.language.name());
        digest.update(file.blob.0);
    }
    let digest = hex::encode(digest.finalize());
    format!("{} {} {digest}", kept_graphs::format(), view.version)
}
