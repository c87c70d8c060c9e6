//! A disk of tests: it fails at one act after another, and forgets what was not flushed, in any order.

use crate::{Sums, open, verify, write_ahead};
use rusqlite::ffi;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_int};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// An act of SQLite on a file.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Read,
    Write(i64, Vec<u8>),
    Truncate(i64),
    Sync,
    /// With whether its folder is flushed after it.
    Delete(bool),
}

/// Acts so far, and which of them fail.
#[derive(Default)]
struct Disk {
    acts: Vec<(String, Act)>,
    /// From 1.
    fails_at: Option<usize>,
    /// All that follow fail too.
    for_good: bool,
    n_acts: usize,
    has_failed: bool,
}

thread_local! {
    static DISK: RefCell<Option<Disk>> = const { RefCell::new(None) };
}

/// The path that SQLite opens; its own temporary files have none.
pub(crate) fn path(name: *const c_char) -> String {
    if name.is_null() {
        return String::new();
    }
    #[expect(unsafe_code, reason = "SQLite hands over a C string")]
    // SAFETY: names end in a zero and live as long as the call.
    let name = unsafe { CStr::from_ptr(name) };
    name.to_string_lossy().into_owned()
}

/// Notes an act; the code of an error where it is to fail, and that of success where it is not to be done.
pub(crate) fn tried(path: &str, act: Act) -> Option<c_int> {
    DISK.with_borrow_mut(|disk| {
        let disk = disk.as_mut()?;
        disk.n_acts += 1;
        let is_due = disk
            .fails_at
            .is_some_and(|at| disk.n_acts == at || (disk.for_good && disk.n_acts > at));
        if is_due {
            disk.has_failed = true;
            return Some(match act {
                Act::Read => ffi::SQLITE_IOERR_READ,
                Act::Write(..) => ffi::SQLITE_FULL,
                Act::Truncate(_) => ffi::SQLITE_IOERR_TRUNCATE,
                Act::Sync => ffi::SQLITE_IOERR_FSYNC,
                Act::Delete(_) => ffi::SQLITE_IOERR_DELETE,
            });
        }
        // The disk below need not be waited for.
        let is_done = matches!(act, Act::Sync).then_some(ffi::SQLITE_OK);
        if !matches!(act, Act::Read) {
            disk.acts.push((path.to_owned(), act));
        }
        is_done
    })
}

/// Runs `work` on such a disk.
fn on(disk: Disk, work: impl FnOnce()) -> Disk {
    DISK.set(Some(disk));
    work();
    DISK.take().expect("set above")
}

/// The rows that a file should have, after each transaction.
type Rows = BTreeMap<i64, String>;

/// Writes transaction by transaction as memory does, durable when each returns, and tells of each that was
/// acknowledged, with what was written so far.
fn transactions(path: &Path, told: &mut dyn FnMut(&Rows, Acknowledged)) -> rusqlite::Result<()> {
    let connection = open(path, Sums::Required)?;
    write_ahead(&connection, Duration::from_millis(50))?;
    // Small, so that the log is folded into the file meanwhile.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 6;
         CREATE TABLE IF NOT EXISTS row(id INTEGER PRIMARY KEY, text TEXT);",
    )?;
    let mut rows = Rows::new();
    for turn in 0..6_i64 {
        let mut next = rows.clone();
        connection.execute_batch("BEGIN IMMEDIATE")?;
        for id in turn * 5..turn * 5 + 9 {
            let text = format!("row {id} of turn {turn} ").repeat((id % 40) as usize + 1);
            connection.execute("INSERT OR REPLACE INTO row VALUES(?1, ?2)", (id, &text))?;
            next.insert(id, text);
        }
        connection.execute("DELETE FROM row WHERE id % 7 = ?1", [turn % 7])?;
        next.retain(|id, _| id % 7 != turn % 7);
        told(&next, Acknowledged::NotYet);
        connection.execute_batch("COMMIT")?;
        rows = next;
        told(&rows, Acknowledged::Yes);
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Acknowledged {
    Yes,
    NotYet,
}

fn rows_of(path: &Path) -> rusqlite::Result<Rows> {
    let connection = open(path, Sums::Required)?;
    let is_there = "SELECT count(*) FROM sqlite_schema WHERE name = 'row'";
    if connection.query_row(is_there, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(Rows::new());
    }
    let mut statement = connection.prepare("SELECT id, text FROM row")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Says whether a file has what was acknowledged last, or what was on its way then.
fn is_one_of(path: &Path, acknowledged: &Rows, on_its_way: &Rows) -> Result<(), String> {
    let mut outcome = Ok(());
    on(Disk::default(), || {
        outcome = read_is_one_of(path, acknowledged, on_its_way);
    });
    outcome
}

fn read_is_one_of(path: &Path, acknowledged: &Rows, on_its_way: &Rows) -> Result<(), String> {
    let found = rows_of(path).map_err(|error| error.to_string())?;
    let wrong = verify(path, Sums::Required).map_err(|error| error.to_string())?;
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    match found == *acknowledged || found == *on_its_way {
        true => Ok(()),
        false => Err(format!(
            "{} rows for {} or {}",
            found.len(),
            acknowledged.len(),
            on_its_way.len()
        )),
    }
}

/// As SQLite tests itself: the first act fails, then the second, until a run has none that does.
#[test]
fn an_error_at_each_act_in_turn_loses_nothing_that_was_acknowledged() {
    for for_good in [false, true] {
        let mut n_failed = 0;
        for at in 1.. {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("rows.db");
            let (mut acknowledged, mut on_its_way) = (Rows::new(), Rows::new());
            let mut is_whole = false;
            let disk = Disk {
                fails_at: Some(at),
                for_good,
                ..Disk::default()
            };
            let disk = on(disk, || {
                let written = transactions(&path, &mut |rows, is_told| {
                    on_its_way.clone_from(rows);
                    if is_told == Acknowledged::Yes {
                        acknowledged.clone_from(rows);
                    }
                });
                is_whole = written.is_ok();
            });
            let outcome = is_one_of(&path, &acknowledged, &on_its_way);
            assert_eq!(outcome, Ok(()), "act {at}, for good: {for_good}");
            if !disk.has_failed {
                assert!(is_whole, "without a failure all is written");
                break;
            }
            n_failed += 1;
        }
        assert!(n_failed > 50, "{n_failed} acts");
    }
}

/// Files as a disk has them after the power went: all that was flushed, and of the rest what chance has it, parts of
/// pages too.
fn after_power_loss(acts: &[(String, Act)], folder: &Path, chance: &mut u64) {
    let mut files: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    let names: BTreeSet<&str> = acts.iter().map(|(name, _)| name.as_str()).collect();
    for name in names {
        let of_file: Vec<&Act> = acts
            .iter()
            .filter(|(of, _)| of == name)
            .map(|(_, act)| act)
            .collect();
        let is_flush = |act: &&Act| matches!(act, Act::Sync | Act::Delete(true));
        let last_sync = of_file.iter().rposition(is_flush);
        let mut bytes = Vec::new();
        let (mut is_gone, mut rest) = (false, Vec::new());
        for (at, act) in of_file.iter().enumerate() {
            let is_flushed = last_sync.is_some_and(|last| at <= last);
            if is_flushed {
                apply(act, &mut bytes, &mut is_gone, None);
            } else if next(chance).is_multiple_of(2) {
                rest.push(*act);
            }
        }
        // In any order.
        for at in (1..rest.len()).rev() {
            rest.swap(at, (next(chance) % (at as u64 + 1)) as usize);
        }
        for act in rest {
            let part = next(chance)
                .is_multiple_of(4)
                .then(|| (next(chance) % 9) as usize * 512);
            apply(act, &mut bytes, &mut is_gone, part);
        }
        if !is_gone {
            files.insert(name, bytes);
        }
    }
    for (name, bytes) in files {
        let name = Path::new(name).file_name().expect("a file");
        fs::write(folder.join(name), bytes).expect("written");
    }
}

fn apply(act: &Act, bytes: &mut Vec<u8>, is_gone: &mut bool, part: Option<usize>) {
    match act {
        Act::Write(offset, written) => {
            let written = &written[..part.unwrap_or(written.len()).min(written.len())];
            let start = *offset as usize;
            bytes.resize(bytes.len().max(start + written.len()), 0);
            bytes[start..start + written.len()].copy_from_slice(written);
            *is_gone = false;
        }
        Act::Truncate(size) => bytes.resize(*size as usize, 0),
        Act::Delete(_) => {
            bytes.clear();
            *is_gone = true;
        }
        Act::Read | Act::Sync => {}
    }
}

fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// With `WHYRANK_POWER_LOSSES` losses for each moment; 2 without.
#[test]
fn what_was_acknowledged_outlives_a_loss_of_power_with_writes_lost_and_in_another_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.db");
    let mut told: Vec<(usize, Rows, Acknowledged)> = Vec::new();
    let disk = on(Disk::default(), || {
        transactions(&path, &mut |rows, is_told| {
            let n_acts = DISK.with_borrow(|disk| disk.as_ref().map_or(0, |disk| disk.acts.len()));
            told.push((n_acts, rows.clone(), is_told));
        })
        .expect("written");
    });
    let n_losses = std::env::var("WHYRANK_POWER_LOSSES").ok();
    let n_losses = n_losses.and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut chance = 4_177;
    for n_done in 0..=disk.acts.len() {
        let known = |wanted: Acknowledged| {
            let mut until = told
                .iter()
                .filter(|(at, _, is)| *at <= n_done && *is == wanted);
            until
                .next_back()
                .map(|(_, rows, _)| rows.clone())
                .unwrap_or_default()
        };
        for _ in 0..n_losses {
            let after = tempfile::tempdir().expect("a folder");
            after_power_loss(&disk.acts[..n_done], after.path(), &mut chance);
            let outcome = is_one_of(
                &after.path().join("rows.db"),
                &known(Acknowledged::Yes),
                &known(Acknowledged::NotYet),
            );
            assert_eq!(
                outcome,
                Ok(()),
                "after {n_done} of {} acts",
                disk.acts.len()
            );
        }
    }
}

/// That the disk does forget: what is written without being flushed is lost.
#[test]
fn a_disk_that_forgets_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.db");
    let disk = on(Disk::default(), || {
        let connection = open(&path, Sums::Required).expect("open");
        connection
            .execute_batch("PRAGMA synchronous = OFF; CREATE TABLE row(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO row VALUES(1, 'a');")
            .expect("written");
    });
    let mut chance = 1;
    let lost = (0..20).filter(|_| {
        let after = tempfile::tempdir().expect("a folder");
        after_power_loss(&disk.acts, after.path(), &mut chance);
        !rows_of(&after.path().join("rows.db")).is_ok_and(|rows| rows.len() == 1)
    });
    assert!(lost.count() > 5);
}
