//! Descent of commits and what they changed, kept on disk by commit id and read as far as needed.
//!
//! A commit never changes, so what is kept of one never goes stale: rows are added, and filled where a
//! commit was not there before. Where refs led last, and some sets of ancestors, are kept beside, so
//! that a new process begins where the last one ended. All of it can be made again from git: a file
//! that is damaged or of another format is replaced.

use parking_lot::{Mutex, MutexGuard};
use roaring::RoaringBitmap;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, TransactionBehavior, params};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;
use whyrank_source::{CommitId, CommitNode};

const FORMAT: i64 = 1;
/// Sets of ancestors on disk.
const MAX_SETS: i64 = 32;
const PATIENCE: Duration = Duration::from_secs(5);

/// A commit that others descend from and that is not there has a row without parents.
const SCHEMA: &str = "
CREATE TABLE node(
    at INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    parents BLOB,
    time_s INTEGER,
    twin INTEGER,
    kin INTEGER,
    picked_from BLOB,
    reverts BLOB,
    summary TEXT,
    patch BLOB
) STRICT;
CREATE INDEX node_twin ON node(twin);
CREATE INDEX node_kin ON node(kin);
CREATE INDEX node_reverts ON node(reverts) WHERE reverts IS NOT NULL;
CREATE INDEX node_missing ON node(at) WHERE parents IS NULL;
CREATE TABLE ancestors(at INTEGER PRIMARY KEY, members BLOB NOT NULL) STRICT;
CREATE TABLE refs(fingerprint TEXT NOT NULL, tips BLOB NOT NULL, members BLOB NOT NULL) STRICT;
PRAGMA user_version = 1;
";

/// Where refs led when they were followed last.
#[derive(Clone, Debug, Default)]
pub(crate) struct FollowedRefs {
    /// As `Repository::refs_fingerprint` sums them up.
    pub(crate) fingerprint: String,
    /// The commits that they point at.
    pub(crate) tips: Vec<u32>,
    /// All commits that they lead to.
    pub(crate) reachable: RoaringBitmap,
}

/// A state of the store that look-ups share. It ends where it is left, by a panic too.
struct Moment<'a>(&'a CommitStore);

impl Drop for Moment<'_> {
    fn drop(&mut self) {
        let _ = self.0.db().execute_batch("COMMIT");
    }
}

/// What was made of a commit's changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchEntry {
    /// Nobody asked yet.
    Unknown,
    /// Its patch id; `None` where it cannot be had.
    Known(Option<[u8; 20]>),
}

/// Commits by index: the number of their row.
#[derive(Debug)]
pub(crate) struct CommitStore {
    connection: Mutex<Connection>,
}

impl CommitStore {
    /// Opens a store; one that cannot be read is rebuilt, and where no file can be made it lies in
    /// memory.
    pub(crate) fn open(path: &Path) -> Self {
        let opened = open_file(path).or_else(|_| {
            for ending in ["", "-wal", "-shm"] {
                let mut file = path.as_os_str().to_owned();
                file.push(ending);
                // What cannot be deleted cannot be opened either.
                let _ = std::fs::remove_file(file);
            }
            open_file(path)
        });
        match opened {
            Ok(connection) => Self {
                connection: Mutex::new(connection),
            },
            Err(_) => Self::in_memory(),
        }
    }

    /// A store that goes with its process.
    pub(crate) fn in_memory() -> Self {
        let connection = Connection::open_in_memory().and_then(with_schema);
        Self {
            connection: Mutex::new(connection.expect("SQLite makes tables in memory")),
        }
    }

    /// Whether it outlives its process.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.db().path().is_some_and(|path| !path.is_empty())
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock()
    }

    /// The first row of a query; what cannot be read is not known.
    fn one<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Option<T> {
        let db = self.db();
        let mut statement = db.prepare_cached(sql).ok()?;
        statement.query_row(values, read).optional().ok().flatten()
    }

    fn all<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Vec<T> {
        let db = self.db();
        let Ok(mut statement) = db.prepare_cached(sql) else {
            return Vec::new();
        };
        let rows = statement.query_map(values, read);
        rows.map_or_else(|_| Vec::new(), |rows| rows.flatten().collect())
    }

    /// Runs many look-ups as one, so that the file is locked once and not for each of them.
    pub(crate) fn at_once<T>(&self, look: impl FnOnce() -> T) -> T {
        // One that begins or ends not leaves look-ups on their own.
        let _ = self.db().execute_batch("BEGIN");
        let _moment = Moment(self);
        look()
    }

    /// Adds commits, all or none. Says whether one of them was missing before: then sets of ancestors
    /// that others know lack what lies above it, and those that were kept are dropped.
    pub(crate) fn add(&self, nodes: &[CommitNode]) -> rusqlite::Result<bool> {
        if nodes.is_empty() {
            return Ok(false);
        }
        let missing: HashSet<CommitId> = self.missing().into_iter().collect();
        let has_filled = nodes.iter().any(|node| missing.contains(&node.id));
        let mut db = self.db();
        let adding = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut known = HashMap::new();
        // Parents first: then their rows are there, but for commits that are nowhere.
        for node in nodes.iter().rev() {
            add_node(&adding, node, &mut known)?;
        }
        if has_filled {
            adding.execute_batch("DELETE FROM ancestors; DELETE FROM refs;")?;
        }
        adding.commit()?;
        Ok(has_filled)
    }

    /// Commits that others descend from and that were not there.
    pub(crate) fn missing(&self) -> Vec<CommitId> {
        let sql = "SELECT id FROM node WHERE parents IS NULL";
        self.all(sql, [], |row| row.get(0).map(CommitId))
    }

    /// How many commits there are.
    pub(crate) fn len(&self) -> usize {
        let sql = "SELECT count(*) FROM node WHERE parents IS NOT NULL";
        self.one(sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0) as usize
    }

    /// A commit's index.
    pub(crate) fn find(&self, id: CommitId) -> Option<u32> {
        let sql = "SELECT at FROM node WHERE id = ?1 AND parents IS NOT NULL";
        self.one(sql, [id.0], |row| row.get(0))
    }

    /// A commit.
    pub(crate) fn node(&self, at: u32) -> Option<CommitNode> {
        let sql = "SELECT id, time_s, twin, kin, picked_from, reverts, summary FROM node
            WHERE at = ?1 AND parents IS NOT NULL";
        let node = self.one(sql, [at], |row| {
            Ok(CommitNode {
                id: CommitId(row.get(0)?),
                parents: Vec::new(),
                time_s: row.get(1)?,
                twin: row.get::<_, i64>(2)? as u64,
                kin: row.get::<_, i64>(3)? as u64,
                picked_from: row.get::<_, Option<[u8; 20]>>(4)?.map(CommitId),
                reverts: row.get::<_, Option<[u8; 20]>>(5)?.map(CommitId),
                summary: row.get(6)?,
            })
        })?;
        let parents = self.parents(at).into_iter();
        Some(CommitNode {
            parents: parents.filter_map(|parent| self.id(parent)).collect(),
            ..node
        })
    }

    fn id(&self, at: u32) -> Option<CommitId> {
        let sql = "SELECT id FROM node WHERE at = ?1";
        self.one(sql, [at], |row| row.get(0).map(CommitId))
    }

    /// When a commit was committed.
    pub(crate) fn time_s(&self, at: u32) -> Option<i64> {
        let sql = "SELECT time_s FROM node WHERE at = ?1 AND parents IS NOT NULL";
        self.one(sql, [at], |row| row.get(0))
    }

    /// A commit's parents, missing ones as well.
    pub(crate) fn parents(&self, at: u32) -> Vec<u32> {
        let sql = "SELECT parents FROM node WHERE at = ?1";
        let bytes = self.one(sql, [at], |row| row.get::<_, Option<Vec<u8>>>(0));
        bytes.flatten().map_or_else(Vec::new, |bytes| ats(&bytes))
    }

    /// Calls `each` with every commit's index and parents, by index.
    pub(crate) fn for_each_parents(&self, mut each: impl FnMut(u32, &[u8])) {
        let sql = "SELECT at, parents FROM node ORDER BY at";
        self.all(sql, [], |row| {
            let parents = row.get_ref(1)?.as_blob_or_null()?;
            each(row.get(0)?, parents.unwrap_or_default());
            Ok(())
        });
    }

    /// Commits with the same author, time and summary, by time.
    pub(crate) fn by_twin(&self, twin: u64) -> Vec<u32> {
        let sql = "SELECT at FROM node WHERE twin = ?1 ORDER BY time_s, id";
        self.all(sql, [twin as i64], |row| row.get(0))
    }

    /// Commits with the same author and time, by time.
    pub(crate) fn by_kin(&self, kin: u64) -> Vec<u32> {
        let sql = "SELECT at FROM node WHERE kin = ?1 ORDER BY time_s, id";
        self.all(sql, [kin as i64], |row| row.get(0))
    }

    /// Commits that undo others, by time: the one undone and the one that undoes it.
    pub(crate) fn reverts(&self) -> Vec<(u32, u32)> {
        let sql =
            "SELECT undone.at, node.at FROM node JOIN node AS undone ON undone.id = node.reverts
            WHERE node.reverts IS NOT NULL ORDER BY node.time_s, node.id";
        self.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// When the newest commit was committed that has no parent that is there.
    pub(crate) fn newest_root_s(&self) -> Option<i64> {
        let missing = "SELECT at FROM node WHERE parents IS NULL";
        let missing: HashSet<u32> = self
            .all(missing, [], |row| row.get(0))
            .into_iter()
            .collect();
        let sql = "SELECT time_s, parents FROM node WHERE parents IS NOT NULL";
        let nodes = self.all(sql, [], |row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?)));
        let is_root = |parents: &[u8]| ats(parents).iter().all(|at| missing.contains(at));
        let roots = nodes.iter().filter(|(_, parents)| is_root(parents));
        roots.map(|(time_s, _)| *time_s).max()
    }

    /// What is known of a commit's changes.
    pub(crate) fn patch(&self, at: u32) -> PatchEntry {
        let sql = "SELECT patch FROM node WHERE at = ?1";
        let kept = self.one(sql, [at], |row| row.get::<_, Option<Vec<u8>>>(0));
        match kept.flatten() {
            None => PatchEntry::Unknown,
            Some(bytes) => PatchEntry::Known(bytes.try_into().ok()),
        }
    }

    /// Keeps what a commit changed.
    pub(crate) fn keep_patch(&self, at: u32, patch: Option<[u8; 20]>) {
        let bytes = patch.map_or_else(Vec::new, Vec::from);
        self.put(
            "UPDATE node SET patch = ?2 WHERE at = ?1",
            params![at, bytes],
        );
    }

    /// Commits whose ancestors are kept.
    pub(crate) fn kept_sets(&self) -> HashSet<u32> {
        let sets = self.all("SELECT at FROM ancestors", [], |row| row.get(0));
        sets.into_iter().collect()
    }

    /// The ancestors of a commit, itself included, where they are kept.
    pub(crate) fn ancestors(&self, at: u32) -> Option<RoaringBitmap> {
        let sql = "SELECT members FROM ancestors WHERE at = ?1";
        self.one(sql, [at], |row| bitmap(row, 0))
    }

    /// Keeps a commit's ancestors; where there are too many sets the oldest commit's goes.
    pub(crate) fn keep_ancestors(&self, at: u32, members: &RoaringBitmap) {
        self.put(
            "INSERT OR REPLACE INTO ancestors VALUES(?1, ?2)",
            params![at, bytes(members)],
        );
        let sql = "DELETE FROM ancestors WHERE at NOT IN
            (SELECT at FROM ancestors ORDER BY at DESC LIMIT ?1)";
        self.put(sql, [MAX_SETS]);
    }

    /// Where refs led last.
    pub(crate) fn refs(&self) -> Option<FollowedRefs> {
        self.one("SELECT fingerprint, tips, members FROM refs", [], |row| {
            Ok(FollowedRefs {
                fingerprint: row.get(0)?,
                tips: ats(&row.get::<_, Vec<u8>>(1)?),
                reachable: bitmap(row, 2)?,
            })
        })
    }

    /// Keeps where refs lead.
    pub(crate) fn keep_refs(&self, refs: &FollowedRefs) {
        let mut db = self.db();
        let mut replace = || -> rusqlite::Result<()> {
            let tips: Vec<u8> = refs.tips.iter().flat_map(|at| at.to_le_bytes()).collect();
            let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change.execute("DELETE FROM refs", [])?;
            let row: [&dyn ToSql; 3] = [&refs.fingerprint, &tips, &bytes(&refs.reachable)];
            change.execute("INSERT INTO refs VALUES(?1, ?2, ?3)", row)?;
            change.commit()
        };
        // What is not kept is worked out again by the next process.
        let _ = replace();
    }

    /// Keeps what can be worked out again: on a full or read-only disk it will be.
    fn put(&self, sql: &str, values: impl rusqlite::Params) {
        let db = self.db();
        let _ = db
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values));
    }
}

fn open_file(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    whyrank_sqlite::write_ahead(&connection, PATIENCE)?;
    connection.execute_batch("PRAGMA synchronous = NORMAL;")?;
    connection.set_prepared_statement_cache_capacity(32);
    let format: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match format {
        FORMAT => Ok(connection),
        0 => with_schema(connection),
        _ => Err(rusqlite::Error::InvalidQuery),
    }
}

fn with_schema(mut connection: Connection) -> rusqlite::Result<Connection> {
    let making = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let format: i64 = making.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    // Another process may have been first.
    if format == 0 {
        making.execute_batch(SCHEMA)?;
    }
    making.commit()?;
    Ok(connection)
}

fn add_node(
    adding: &Connection,
    node: &CommitNode,
    known: &mut HashMap<CommitId, u32>,
) -> rusqlite::Result<()> {
    let mut parents = Vec::with_capacity(4 * node.parents.len());
    for parent in &node.parents {
        parents.extend(row_of(adding, *parent, known)?.to_le_bytes());
    }
    let mut add = adding.prepare_cached(
        "INSERT INTO node(id, parents, time_s, twin, kin, picked_from, reverts, summary)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT(id) DO UPDATE SET parents = excluded.parents, time_s = excluded.time_s,
            twin = excluded.twin, kin = excluded.kin, picked_from = excluded.picked_from,
            reverts = excluded.reverts, summary = excluded.summary
         RETURNING at",
    )?;
    let values = params![
        node.id.0,
        parents,
        node.time_s,
        node.twin as i64,
        node.kin as i64,
        node.picked_from.map(|id| id.0),
        node.reverts.map(|id| id.0),
        node.summary,
    ];
    let at = add.query_row(values, |row| row.get(0))?;
    known.insert(node.id, at);
    Ok(())
}

/// The row of a commit; one without parents where it has none yet.
fn row_of(
    adding: &Connection,
    id: CommitId,
    known: &mut HashMap<CommitId, u32>,
) -> rusqlite::Result<u32> {
    if let Some(at) = known.get(&id) {
        return Ok(*at);
    }
    let mut find = adding.prepare_cached("SELECT at FROM node WHERE id = ?1")?;
    let found = find.query_row([id.0], |row| row.get(0)).optional()?;
    let at = match found {
        Some(at) => at,
        None => adding
            .prepare_cached("INSERT INTO node(id) VALUES(?1) RETURNING at")?
            .query_row([id.0], |row| row.get(0))?,
    };
    known.insert(id, at);
    Ok(at)
}

/// Indices as they are kept: four bytes each, the lowest first.
pub(crate) fn ats(bytes: &[u8]) -> Vec<u32> {
    let (each, _) = bytes.as_chunks::<4>();
    each.iter().map(|at| u32::from_le_bytes(*at)).collect()
}

fn bytes(set: &RoaringBitmap) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(set.serialized_size());
    set.serialize_into(&mut bytes)
        .expect("a vector takes all that is written");
    bytes
}

fn bitmap(row: &Row<'_>, column: usize) -> rusqlite::Result<RoaringBitmap> {
    let bytes = row.get_ref(column)?.as_blob()?;
    RoaringBitmap::deserialize_from(bytes).map_err(|_| rusqlite::Error::InvalidQuery)
}
