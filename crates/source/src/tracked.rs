//! The files that git tracks, without a walk: what can be read before there is a listing.

use crate::repository::path_text;
use crate::rules::Rules;
use crate::{BlobId, FileFilter, Repository, shown};
use git2::IndexEntryExtendedFlag;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use whyrank_system::regular;

/// Kind of a file in git's index: neither link nor submodule.
const REGULAR: u32 = 0o100_000;
/// How files begin that hold entries of an index that is split.
const SHARED: &[u8] = b"sharedindex.";

impl Repository {
    /// Returns paths of the files in git's index, in its order; none where it cannot be read.
    ///
    /// Milliseconds for tens of thousands; files that were never added are not among them.
    pub fn tracked_paths(&self) -> Vec<String> {
        let git = self.git();
        let Ok(mut index) = git.index() else {
            return Vec::new();
        };
        // What an earlier question read may be older than the file.
        let _ = index.read(false);
        let entries = index.iter();
        let regular = entries.filter(|entry| entry.mode & 0o170_000 == REGULAR);
        regular
            .filter_map(|entry| path_text(&entry.path).ok())
            .collect()
    }

    /// Returns the content that git's index has of a path, from the root; `None` for one that git does not
    /// track. What it names as a link or a submodule is tracked, too.
    pub fn tracked_blob(&self, path: &str) -> Option<BlobId> {
        let git = self.git();
        let mut index = git.index().ok()?;
        // What an earlier question read may be older than the file; without one nothing is tracked.
        let _ = index.read(false);
        let entry = index.get_path(Path::new(path), 0)?;
        Some(BlobId(entry.id.as_bytes().try_into().ok()?))
    }

    /// Every path in git's index that is checked out, links and submodules among them; none where the
    /// index cannot be read. Names that are not UTF-8 are left out.
    pub(crate) fn indexed_paths(&self) -> Vec<String> {
        let git = self.git();
        let Ok(mut index) = git.index() else {
            return Vec::new();
        };
        // What an earlier question read may be older than the file; without one there are no entries.
        let _ = index.read(false);
        let is_here = |entry: &git2::IndexEntry| {
            let flags = IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended);
            !flags.is_skip_worktree()
        };
        let entries = index.iter().filter(is_here);
        entries
            .filter_map(|entry| path_text(&entry.path).ok())
            .collect()
    }

    /// Returns files, links and submodules that git tracks and that are checked out here.
    pub fn n_tracked(&self) -> usize {
        self.indexed_paths().len()
    }

    /// Says whether git tracks more than `n` files, links and submodules that are checked out here. The
    /// number in the head of git's index mostly decides, so that a large one is not read.
    pub fn tracks_more_than(&self, n: usize) -> bool {
        let most = self.n_entries();
        most.is_none_or(|most| most > n) && self.n_tracked() > n
    }

    /// The number of entries that git's index says it has: as many as are tracked, or more. `None` where
    /// entries lie in another file too, or there is no saying.
    fn n_entries(&self) -> Option<usize> {
        let files = fs::read_dir(self.git_dir()).ok()?.flatten();
        let is_shared =
            |file: fs::DirEntry| file.file_name().as_encoded_bytes().starts_with(SHARED);
        if files.into_iter().any(is_shared) {
            return None;
        }
        let mut head = [0; 12];
        let mut index = fs::File::open(self.git_dir().join("index")).ok()?;
        index.read_exact(&mut head).ok()?;
        let count = head.strip_prefix(b"DIRC")?.last_chunk()?;
        usize::try_from(u32::from_be_bytes(*count)).ok()
    }

    /// Returns a digest of what is held back in whatever view: by `.whyrankignore` files of the
    /// working tree, and as a secret.
    pub fn hidden_digest(&self) -> String {
        format!("{} {}", self.judged_by(), Rules::of(self).hidden_digest())
    }

    /// The file of excludes that git's configuration names.
    pub(crate) fn excludes_file(&self) -> Option<PathBuf> {
        let config = self.git().config().ok()?;
        config.get_path("core.excludesfile").ok()
    }

    /// Reads files one by one as a listing would.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            repository: self,
            rules: Rules::of(self),
            filter: self.filter(),
        }
    }
}

/// Reads files one by one, by the rules of a listing: what one would leave out is not read.
pub struct Reader<'a> {
    repository: &'a Repository,
    rules: Rules,
    filter: FileFilter,
}

impl Reader<'_> {
    /// Returns the text of a file of at most this many bytes; `None` where it is larger, a listing
    /// would leave it out (ignored, secret, binary, minified, linked), or it is gone.
    pub fn text(&mut self, path: &str, most_bytes: u64) -> Option<String> {
        if !self.rules.lets_in(path, false) {
            return None;
        }
        let path_here = self.repository.checked_path(path).ok()?;
        let bytes = regular::read(&path_here, most_bytes).ok()?;
        let text = shown(path, &bytes, &self.filter).ok()?;
        Some(text.into_owned())
    }
}
