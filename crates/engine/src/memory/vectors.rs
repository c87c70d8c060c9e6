//! Vectors of memos, in a file beside memory that can be deleted at any time.
//!
//! A text is encoded when it is recorded, and what lacks a vector a few at a time when someone asks.
//! Whatever goes wrong here costs a channel, never an answer.

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use whyrank_inference::{BiEncoder, QueryKind};
use whyrank_memory::Ledger;

/// Texts that are encoded while someone waits for an answer.
const MAX_WAITING: usize = 8;
/// Entries of the channel.
const MAX_LIST: usize = 200;

type Sum = [u8; 16];

/// The vectors of one model.
pub(super) struct MemoVectors {
    path: PathBuf,
    fingerprint: String,
    known: HashMap<Sum, Vec<f32>>,
}

impl MemoVectors {
    /// The vectors that a memory's texts have from a model.
    pub(super) fn open(memory: &Path, fingerprint: &str) -> Self {
        let mut vectors = Self {
            path: memory.with_extension("vectors.db"),
            fingerprint: fingerprint.to_owned(),
            known: HashMap::new(),
        };
        match vectors.read() {
            Ok(known) => vectors.known = known,
            Err(error) => tracing::warn!(%error, "vectors of memos are made anew"),
        }
        vectors
    }

    /// Whether they are of that model.
    pub(super) fn is_of(&self, fingerprint: &str) -> bool {
        self.fingerprint == fingerprint
    }

    /// Versions by cosine with a question, best first. `wanted` first are encoded first.
    pub(super) fn nearest(
        &mut self,
        encoder: &dyn BiEncoder,
        ledger: &Ledger,
        query: &str,
        wanted: &[u32],
    ) -> Vec<(u32, f32)> {
        let Ok(asked) = encoder.encode_query(query, QueryKind::NaturalLanguage) else {
            return Vec::new();
        };
        self.fill(encoder, ledger, wanted);
        let of = |version: &u32| {
            let vector = self.known.get(&sum(&ledger.version(*version)?.content))?;
            let cosine: f32 = vector.iter().zip(&asked).map(|(a, b)| a * b).sum();
            Some((*version, cosine))
        };
        let mut found: Vec<(u32, f32)> = wanted.iter().filter_map(of).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MAX_LIST);
        found
    }

    /// Encodes the first texts that lack a vector.
    pub(super) fn fill(&mut self, encoder: &dyn BiEncoder, ledger: &Ledger, wanted: &[u32]) {
        let texts = wanted.iter().filter_map(|version| ledger.version(*version));
        let mut missing: Vec<&str> = texts
            .map(|version| version.content.as_str())
            .filter(|text| !self.known.contains_key(&sum(text)))
            .take(MAX_WAITING)
            .collect();
        missing.dedup();
        if missing.is_empty() {
            return;
        }
        let Ok(made) = encoder.encode_documents(&missing, &|| false) else {
            return;
        };
        let fresh: Vec<(Sum, Vec<f32>)> = missing.iter().map(|text| sum(text)).zip(made).collect();
        if let Err(error) = self.write(&fresh) {
            tracing::warn!(%error, "vectors of memos were not kept");
        }
        self.known.extend(fresh);
    }

    /// Forgets all vectors: those of a purged text must not stay.
    pub(super) fn clear(memory: &Path) {
        let path = memory.with_extension("vectors.db");
        for ending in ["", "-wal", "-shm", "-journal"] {
            let mut name = path.clone().into_os_string();
            name.push(ending);
            // One that is not there needs no deleting.
            let _ = std::fs::remove_file(name);
        }
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let connection = Connection::open(&self.path)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS vector(model TEXT, sum BLOB, vector BLOB, PRIMARY KEY(model, sum)) STRICT, WITHOUT ROWID",
        )?;
        Ok(connection)
    }

    fn read(&self) -> rusqlite::Result<HashMap<Sum, Vec<f32>>> {
        let connection = self.connect()?;
        let mut statement =
            connection.prepare("SELECT sum, vector FROM vector WHERE model = ?1")?;
        let rows = statement.query_map([&self.fingerprint], |row| {
            Ok((row.get::<_, Sum>(0)?, row.get::<_, Vec<u8>>(1)?))
        })?;
        let vector = |bytes: Vec<u8>| -> Vec<f32> {
            let parts = bytes.chunks_exact(4);
            parts
                .map(|part| f32::from_le_bytes([part[0], part[1], part[2], part[3]]))
                .collect()
        };
        rows.map(|row| row.map(|(sum, bytes)| (sum, vector(bytes))))
            .collect()
    }

    fn write(&self, fresh: &[(Sum, Vec<f32>)]) -> rusqlite::Result<()> {
        let mut connection = self.connect()?;
        let transaction = connection.transaction()?;
        for (sum, vector) in fresh {
            let bytes: Vec<u8> = vector.iter().flat_map(|part| part.to_le_bytes()).collect();
            transaction.execute(
                "INSERT OR REPLACE INTO vector(model, sum, vector) VALUES(?1, ?2, ?3)",
                params![self.fingerprint, sum.as_slice(), bytes],
            )?;
        }
        transaction.commit()
    }
}

fn sum(text: &str) -> Sum {
    let digest = Sha256::digest(text);
    let mut sum = [0; 16];
    sum.copy_from_slice(&digest[..16]);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_inference::FakeBiEncoder;
    use whyrank_memory::{Author, Draft, Kind, Memory, Point, Scribe};

    #[test]
    fn the_nearest_text_comes_first_and_vectors_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memos.db");
        let mut memory = Memory::open(&path).expect("a memory");
        for content in ["retries wait longer each time", "the door is red"] {
            let add = |ledger: &Ledger, recorded_at| {
                let scribe = Scribe {
                    ledger,
                    recorded_at,
                    clock: None,
                    at: Point {
                        sha: None,
                        at: recorded_at,
                    },
                    commit: None,
                    author: Author::default(),
                };
                scribe.add(Draft {
                    content: content.to_owned(),
                    kind: Kind::Context,
                    tags: Vec::new(),
                    anchors: Vec::new(),
                    confidence: 1.0,
                })
            };
            memory.write(1, add).expect("it is recorded");
        }
        let encoder = FakeBiEncoder::new(32);
        let mut vectors = MemoVectors::open(&path, "fake");
        let found = vectors.nearest(
            &encoder,
            memory.ledger(),
            "retries wait longer each time",
            &[0, 1],
        );
        assert_eq!((found.len(), found[0].0), (2, 0));
        assert_eq!(MemoVectors::open(&path, "fake").known.len(), 2);
        assert!(MemoVectors::open(&path, "another").known.is_empty());
        MemoVectors::clear(&path);
        assert!(MemoVectors::open(&path, "fake").known.is_empty());
    }
}
