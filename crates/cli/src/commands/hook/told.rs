//! What a session was told: a finding is told once, and again only where it was gone meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use whyrank_mcp::present::BreakageLine;
use whyrank_system::regular;

/// Sessions that are remembered; the oldest go.
const MAX_SESSIONS: usize = 50;
/// Files of a session with findings; beyond, all is told anew.
const MAX_FILES: usize = 500;
const MAX_BYTES: u64 = 1 << 20;
const MAX_NAME: usize = 64;

/// By file, the findings that are still there.
type Told = BTreeMap<PathBuf, Vec<u64>>;

/// Returns the findings of a file that its session was not told yet, and notes all of them. Without a
/// session, or where the note cannot be kept, all are new.
pub(super) fn new_ones<'f>(
    folder: &Path,
    session: &str,
    file: &Path,
    found: &'f [BreakageLine],
) -> Vec<&'f BreakageLine> {
    let is_plain = |char: &char| char.is_ascii_alphanumeric() || *char == '-';
    let name: String = session.chars().filter(is_plain).take(MAX_NAME).collect();
    if name.is_empty() {
        return found.iter().collect();
    }
    let note = folder.join(name).with_extension("json");
    let text = regular::read_text(&note, MAX_BYTES).unwrap_or_default();
    let mut told: Told = serde_json::from_str(&text).unwrap_or_default();
    let before = told.remove(file).unwrap_or_default();
    let new = found.iter().filter(|one| !before.contains(&hash(one)));
    let new: Vec<&BreakageLine> = new.collect();
    if !found.is_empty() {
        if told.len() >= MAX_FILES {
            told.clear();
        }
        told.insert(file.to_owned(), found.iter().map(hash).collect());
    }
    if !(found.is_empty() && before.is_empty()) {
        let _ = keep(folder, &note, &told);
    }
    new
}

fn hash(one: &BreakageLine) -> u64 {
    let mut hasher = DefaultHasher::new();
    one.key.hash(&mut hasher);
    hasher.finish()
}

fn keep(folder: &Path, note: &Path, told: &Told) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(note, serde_json::to_vec(told)?)?;
    let age = |path: &PathBuf| {
        let written = path.metadata().and_then(|found| found.modified());
        written.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let entries = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let mut notes: Vec<PathBuf> = entries.collect();
    notes.sort_by_key(|path| std::cmp::Reverse(age(path)));
    notes
        .iter()
        .skip(MAX_SESSIONS)
        .try_for_each(fs::remove_file)
}
