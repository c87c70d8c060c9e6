//! Files of the text index that were found to fit their checksums, kept between processes: reading all
//! bytes again takes a tenth of a second for each ten thousand files of a repository.
//!
//! A file is believed as long as its size and the time of its last change are those of the check; programs
//! cannot set the latter back. A health check believes nothing.

use super::checksum;
use crate::error::{IndexError, Result};
use crate::layout::DERIVED;
use crate::mapped_sections::MappedSections;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use whyrank_graph::Sections as _;
use whyrank_source::FileStat;

const RECORD: &str = "text-checked.1.bin";
const STAMP: &str = "text files";
/// Newly checked bytes from which the record is written: fewer are read faster.
const LEAST_NEW_BYTES: u64 = 4 << 20;
/// A file that changed so shortly before its check may be changed again within one tick of the file
/// system's clock.
const TICK_NS: i64 = 2_000_000_000;

/// Size and last change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    size_bytes: u64,
    changed_ns: i64,
}

/// What is known of the files of a text index.
pub(super) struct CheckedFiles {
    folder: PathBuf,
    sound: BTreeMap<String, Stamp>,
    /// Where it is kept.
    record: Option<PathBuf>,
    n_new_bytes: u64,
}

impl CheckedFiles {
    /// Knows what earlier processes found out about the text index of a folder.
    pub(super) fn known(folder: &Path) -> Self {
        let record = folder.with_file_name(DERIVED).join(RECORD);
        let sound = read(&record).unwrap_or_default();
        Self {
            sound,
            record: Some(record),
            ..Self::none(folder)
        }
    }

    /// Knows nothing, and leaves nothing behind.
    pub(super) fn none(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            sound: BTreeMap::new(),
            record: None,
            n_new_bytes: 0,
        }
    }

    /// Makes sure of a file. O(bytes) the first time.
    ///
    /// # Errors
    /// One that does not fit its checksum, or cannot be read.
    pub(super) fn check(&mut self, name: &str) -> Result<()> {
        let path = self.folder.join(name);
        let damaged = |detail: String| IndexError::Damaged {
            path: self.folder.clone(),
            detail: format!("lexical index: {detail}"),
        };
        // Read before the bytes: whoever changes these later leaves another time.
        let stamp = FileStat::read(&path).map(|stat| Stamp {
            size_bytes: stat.size_bytes,
            changed_ns: stat.changed_ns,
        });
        if stamp.is_some() && self.sound.get(name) == stamp.as_ref() {
            return Ok(());
        }
        match checksum::is_sound(&path) {
            Ok(true) => {}
            Ok(false) => return Err(damaged(format!("{name} is damaged"))),
            // A merge may have removed it meanwhile; if it is needed, opening it fails.
            Err(_) if !path.exists() => return Ok(()),
            Err(error) => return Err(damaged(error.to_string())),
        }
        if let Some(stamp) = stamp {
            self.n_new_bytes += stamp.size_bytes;
            self.sound.insert(name.to_owned(), stamp);
        }
        Ok(())
    }

    /// Keeps what is known for other processes, where it spares them much. Those who cannot read it check
    /// for themselves.
    pub(super) fn keep(&mut self) {
        let Some(record) = &self.record else { return };
        if self.n_new_bytes < LEAST_NEW_BYTES {
            return;
        }
        self.n_new_bytes = 0;
        let folder = &self.folder;
        self.sound.retain(|name, _| folder.join(name).exists());
        let before_ns = now_ns().saturating_sub(TICK_NS);
        let settled = self.sound.iter();
        let settled: BTreeMap<&String, &Stamp> = settled
            .filter(|(_, stamp)| stamp.changed_ns < before_ns)
            .collect();
        if let Ok(bytes) = postcard::to_stdvec(&settled) {
            let _ = MappedSections::write(record, STAMP, &[&bytes]);
        }
    }
}

fn read(record: &Path) -> Option<BTreeMap<String, Stamp>> {
    let file = MappedSections::open(record, STAMP)?;
    let bytes = file.bytes(0, 0..file.len_of(0))?;
    postcard::from_bytes(bytes).ok()
}

fn now_ns() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    elapsed.map_or(0, |elapsed| elapsed.as_nanos() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File, FileTimes};
    use std::time::Duration;

    const NAME: &str = "a.store";

    /// A file as the library writes it, of an hour ago.
    fn write(path: &Path, body: &[u8]) {
        let crc = crc32fast::hash(body);
        let footer = format!("{{\"crc\":{crc}}}");
        let mut bytes = [body, footer.as_bytes()].concat();
        bytes.extend((footer.len() as u32).to_le_bytes());
        bytes.extend(1337u32.to_le_bytes());
        fs::write(path, bytes).expect("written");
    }

    #[test]
    fn a_file_is_believed_until_it_is_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("lexical");
        fs::create_dir(&folder).expect("made");
        let path = folder.join(NAME);
        write(&path, &vec![7; LEAST_NEW_BYTES as usize]);
        let mut files = CheckedFiles::known(&folder);
        files.check(NAME).expect("sound");
        // As if it had been written an hour ago.
        let stamp = files.sound.get_mut(NAME).expect("known");
        stamp.changed_ns -= 3_600_000_000_000;
        let an_hour_ago = *stamp;
        files.keep();
        assert_eq!(CheckedFiles::known(&folder).sound[NAME], an_hour_ago);

        let mut bytes = fs::read(&path).expect("read");
        bytes[100] ^= 1;
        fs::write(&path, &bytes).expect("written");
        // Whatever a program sets, the time of the last change is another.
        let file = File::options().write(true).open(&path).expect("open");
        let back = SystemTime::now() - Duration::from_secs(3_600);
        file.set_times(FileTimes::new().set_modified(back))
            .expect("set back");
        let found = CheckedFiles::known(&folder).check(NAME);
        assert!(
            matches!(found, Err(IndexError::Damaged { .. })),
            "{found:?}"
        );
    }

    #[test]
    fn what_was_just_written_and_little_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("lexical");
        fs::create_dir(&folder).expect("made");
        write(&folder.join(NAME), &vec![7; LEAST_NEW_BYTES as usize]);
        write(&folder.join("small"), b"little");
        let mut files = CheckedFiles::known(&folder);
        files.check("small").expect("sound");
        files.keep();
        let record = folder.with_file_name(DERIVED).join(RECORD);
        assert!(!record.exists());
        files.check(NAME).expect("sound");
        files.keep();
        assert!(record.exists());
        assert!(CheckedFiles::known(&folder).sound.is_empty());
        assert!(CheckedFiles::none(&folder).record.is_none());
    }

    #[test]
    fn a_file_that_a_merge_took_away_is_no_damage() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = CheckedFiles::none(folder.path());
        files.check("gone").expect("no damage");
    }
}
