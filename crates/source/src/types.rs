//! What a repository's text is: blob ids, listings, and the reasons for which a file is left out.

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::fmt;

/// A file's content as git names it: SHA-1 over `blob <len>\0<bytes>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobId(pub [u8; 20]);

/// Names a content as git does: SHA-1 over `blob <len>\0<bytes>`.
pub fn blob_id(bytes: &[u8]) -> BlobId {
    let mut sha = Sha1::new();
    sha.update(format!("blob {}\0", bytes.len()));
    sha.update(bytes);
    BlobId(sha.finalize().into())
}

/// A commit's id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CommitId(pub [u8; 20]);

macro_rules! hex_id {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), hex::encode(self.0))
            }
        }
    };
}
hex_id!(BlobId);
hex_id!(CommitId);

/// What a commit says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitInfo {
    /// The first line of its message.
    pub summary: String,
    /// The author's name.
    pub author: String,
    /// When it was committed, in seconds since the epoch.
    pub time_s: i64,
}

/// Where HEAD points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Head {
    /// A branch without a commit.
    Unborn {
        /// The branch's short name.
        branch: String,
    },
    /// A branch and its newest commit.
    Branch {
        /// The branch's short name.
        branch: String,
        /// The commit it points at.
        commit: CommitId,
    },
    /// A commit, no branch.
    Detached {
        /// The commit.
        commit: CommitId,
    },
}

/// One file of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the repository root, `/` between parts.
    pub path: String,
    /// The content's id.
    pub blob: BlobId,
    /// Size of the content in bytes.
    pub size_bytes: u64,
    /// Modification time in nanoseconds since the epoch; 0 for files of a commit.
    pub mtime_ns: i64,
}

/// Why a file is not indexed. Ignored files are not listed at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SkipReason {
    /// The content holds NUL bytes or a binary signature.
    Binary,
    /// Larger than the limit.
    TooLarge {
        /// Its size.
        size_bytes: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// The name or the content says that it holds secrets (`.env`, private keys).
    Secret,
    /// Neither UTF-8 nor UTF-16 with a byte-order mark, nor mostly text.
    Encoding,
    /// The file could not be read.
    Unreadable {
        /// What the system said.
        message: String,
    },
    /// A symbolic link: its target is indexed under its own path, if it lies in the repository.
    Symlink,
    /// Another repository that git tracks as a part of this one, checked out or not.
    Submodule,
    /// Another repository inside this one, of which git knows nothing.
    NestedRepository,
    /// Minified or machine-made: lines so long that nobody reads them.
    Minified,
    /// The name is not UTF-8, or holds control characters; the listed path shows what it holds.
    Name,
}

/// A file that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedFile {
    /// Path relative to the repository root.
    pub path: String,
    /// The reason.
    pub reason: SkipReason,
}

/// All files of a commit or a working tree, in path order.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Files to index, sorted by path.
    pub files: Vec<SourceFile>,
    /// Files left out, sorted by path.
    pub skipped: Vec<SkippedFile>,
}
