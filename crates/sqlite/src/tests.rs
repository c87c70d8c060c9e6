use super::*;
use rusqlite::ErrorCode;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const ROWS: u32 = 400;

fn filled(connection: &Connection) {
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; CREATE TABLE row(id INTEGER PRIMARY KEY, text TEXT);",
        )
        .unwrap();
    for id in 0..ROWS {
        let text = format!("row {id} ").repeat(id as usize % 90);
        connection
            .execute("INSERT INTO row VALUES(?1, ?2)", (id, text))
            .unwrap();
    }
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
}

fn fixture() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.db");
    filled(&open(&path, Sums::Required).unwrap());
    (folder, path)
}

/// Everything that can be read, as one text.
fn read(path: &Path, sums: Sums) -> rusqlite::Result<String> {
    let connection = open(path, sums)?;
    let mut statement = connection.prepare("SELECT id, text FROM row ORDER BY id")?;
    let rows = statement.query_map([], |row| {
        Ok(format!(
            "{} {}\n",
            row.get::<_, i64>(0)?,
            row.get::<_, String>(1)?
        ))
    })?;
    rows.collect()
}

fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

#[test]
fn no_damaged_byte_is_read_as_an_answer() {
    let (_folder, path) = fixture();
    let (good, bytes) = (
        read(&path, Sums::Required).unwrap(),
        fs::read(&path).unwrap(),
    );
    for at in (0..bytes.len()).step_by(211) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        match read(&path, Sums::Required) {
            Ok(text) => assert_eq!(text, good, "byte {at} of {}", bytes.len()),
            Err(error) => assert!(is_damage(&error), "byte {at}: {error}"),
        }
        assert!(
            !verify(&path, Sums::Required).is_ok_and(|found| found.is_empty()),
            "byte {at}"
        );
    }
    fs::write(&path, &bytes).unwrap();
    assert_eq!(verify(&path, Sums::Required).unwrap(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_cut_under_its_reader_is_an_error_and_no_signal() {
    let (_folder, path) = fixture();
    let connection = open(&path, Sums::Required).unwrap();
    connection
        .execute_batch("PRAGMA mmap_size = 268435456")
        .unwrap();
    let count = |connection: &Connection| {
        connection.query_row("SELECT sum(length(text)) FROM row", [], |row| {
            row.get::<_, i64>(0)
        })
    };
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(8192).unwrap();
    assert!(count(&connection).is_err());
}

#[test]
fn what_was_written_without_sums_is_given_them_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    filled(&Connection::open(&path).unwrap());
    let good = read(&path, Sums::IfThere).unwrap();
    assert!(is_damage(&read(&path, Sums::Required).unwrap_err()));
    let connection = open(&path, Sums::IfThere).unwrap();
    add_sums(&connection, &path).unwrap();
    connection
        .execute("INSERT INTO row VALUES(1000, 'more')", [])
        .unwrap();
    drop(connection);
    assert_eq!(
        read(&path, Sums::Required).unwrap(),
        format!("{good}1000 more\n")
    );
    assert_eq!(verify(&path, Sums::Required).unwrap(), Vec::<String>::new());
}

/// What a disk is on which nobody can write: the file of the log's locks cannot be made.
#[test]
fn a_file_is_read_without_locks_and_its_sums_are_compared() {
    let (_folder, path) = fixture();
    let count = |path: &Path| {
        let connection = open_without_locks(path, Sums::Required)?;
        connection.query_row(
            "SELECT count(text), sum(length(text)) FROM row",
            [],
            |row| row.get::<_, u32>(0),
        )
    };
    assert!(has_no_log(&path));
    assert_eq!(count(&path).unwrap(), ROWS);
    let odd = path.with_file_name("50% of #1?.db");
    fs::copy(&path, &odd).unwrap();
    assert_eq!(count(&odd).unwrap(), ROWS);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(count(&path).is_err());
}

#[test]
fn a_copy_by_vacuum_has_sums_too() {
    let (folder, path) = fixture();
    let copy = folder.path().join("copy.db");
    let connection = open(&path, Sums::Required).unwrap();
    connection
        .execute("VACUUM INTO ?1", [copy.to_str().unwrap()])
        .unwrap();
    assert_eq!(
        read(&copy, Sums::Required).unwrap(),
        read(&path, Sums::Required).unwrap()
    );
}
