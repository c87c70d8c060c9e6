//! Vectors of memos, in a file beside memory that can be deleted at any time.
//!
//! A text is encoded when it is recorded, and what lacks a vector a few at a time when someone asks.
//! Whatever goes wrong here costs a channel, never an answer.

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use whyrank_inference::{BiEncoder, QueryKind};
use whyrank_memory::Ledger;

/// Texts that are encoded while someone waits for an answer.
const MAX_WAITING: usize = 8;
/// Entries of the channel.
const MAX_LIST: usize = 200;

type Sum = [u8; 16];

/// A text that has no vector yet.
pub(super) struct Missing {
    text: String,
    sum: Sum,
}

impl Missing {
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

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
            Err(error) => tracing::warn!(%error, "vectors of memos are rebuilt"),
        }
        vectors
    }

    /// Whether they are of that model.
    pub(super) fn is_of(&self, fingerprint: &str) -> bool {
        self.fingerprint == fingerprint
    }

    /// The texts of versions that lack a vector, each once, and how many different texts there are.
    pub(super) fn missing(&self, ledger: &Ledger, wanted: &[u32]) -> (Vec<Missing>, usize) {
        let mut seen = HashSet::new();
        let texts = wanted.iter().filter_map(|version| ledger.version(*version));
        let fresh = texts.filter_map(|version| {
            let sum = sum(&version.content);
            let is_new = seen.insert(sum);
            (is_new && !self.known.contains_key(&sum)).then(|| Missing {
                text: version.content.clone(),
                sum,
            })
        });
        (fresh.collect(), seen.len())
    }

    /// Keeps vectors that were made.
    pub(super) fn keep<'a>(&mut self, made: impl Iterator<Item = (&'a Missing, Vec<f32>)>) {
        let fresh: Vec<(Sum, Vec<f32>)> = made.map(|(one, vector)| (one.sum, vector)).collect();
        if let Err(error) = self.write(&fresh) {
            tracing::warn!(%error, "vectors of memos were not kept");
        }
        self.known.extend(fresh);
    }

    /// Versions by cosine with a question, best first, and how many have no vector. `wanted` first are
    /// encoded first, a few while someone waits.
    pub(super) fn nearest(
        &mut self,
        encoder: &dyn BiEncoder,
        ledger: &Ledger,
        query: &str,
        wanted: &[u32],
    ) -> (Vec<(u32, f32)>, usize) {
        let Ok(asked) = encoder.encode_query(query, QueryKind::NaturalLanguage) else {
            return (Vec::new(), 0);
        };
        let sums = wanted.iter().filter_map(|version| {
            let content = &ledger.version(*version)?.content;
            Some((*version, sum(content)))
        });
        let sums: Vec<(u32, Sum)> = sums.collect();
        self.fill(encoder, ledger, &sums);
        let of = |(version, sum): &(u32, Sum)| {
            let vector = self.known.get(sum)?;
            let cosine: f32 = vector.iter().zip(&asked).map(|(a, b)| a * b).sum();
            Some((*version, cosine))
        };
        let mut found: Vec<(u32, f32)> = sums.iter().filter_map(of).collect();
        let n_missing = sums.len() - found.len();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MAX_LIST);
        (found, n_missing)
    }

    /// Encodes the first texts that lack a vector.
    fn fill(&mut self, encoder: &dyn BiEncoder, ledger: &Ledger, sums: &[(u32, Sum)]) {
        let lacking = sums.iter().filter(|(_, sum)| !self.known.contains_key(sum));
        let lacking: Vec<u32> = lacking
            .map(|(version, _)| *version)
            .take(MAX_WAITING)
            .collect();
        let (missing, _) = self.missing(ledger, &lacking);
        if missing.is_empty() {
            return;
        }
        let texts: Vec<&str> = missing.iter().map(Missing::text).collect();
        if let Ok(made) = encoder.encode_documents(&texts, &|| false) {
            self.keep(missing.iter().zip(made));
        }
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
    use whyrank_memory::{Author, Draft, FactWriter, Memory};

    #[test]
    fn the_nearest_text_comes_first_and_vectors_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memos.db");
        let mut memory = Memory::open(&path).expect("a memory");
        for content in ["retries wait longer each time", "the door is red"] {
            let add = |ledger: &Ledger, recorded_at| {
                FactWriter::by_time(ledger, recorded_at, Author::default()).add(Draft::new(content))
            };
            memory.write(1, add).expect("it is recorded");
        }
        let encoder = FakeBiEncoder::new(32);
        let mut vectors = MemoVectors::open(&path, "fake");
        let (missing, n_texts) = vectors.missing(memory.ledger(), &[1, 0, 1]);
        let missing: Vec<&str> = missing.iter().map(Missing::text).collect();
        assert_eq!(
            (missing, n_texts),
            (vec!["the door is red", "retries wait longer each time"], 2)
        );
        let (found, n_missing) = vectors.nearest(
            &encoder,
            memory.ledger(),
            "retries wait longer each time",
            &[0, 1],
        );
        assert_eq!((found.len(), found[0].0, n_missing), (2, 0, 0));
        assert_eq!(MemoVectors::open(&path, "fake").known.len(), 2);
        assert!(MemoVectors::open(&path, "another").known.is_empty());
        MemoVectors::clear(&path);
        assert!(MemoVectors::open(&path, "fake").known.is_empty());
    }
}
