//! What a generation takes over from one of an earlier version: vectors, which belong to texts. A text
//! that is cut and named as before is not encoded again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use whyrank_sqlite::Sums;

/// Copies dense and token vectors without the chunks that had them, which have other numbers now. What
/// is there already stays; what cannot be copied is encoded again, which costs time and nothing else.
/// Cost: the files are written once.
pub(crate) fn migrate_vectors(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (source, target) = (entry.path(), to.join(&name));
        // Only what is whole gets its name.
        let unfinished = to.join(format!("carried-{name}"));
        let copied = if target.exists() {
            continue;
        } else if name.starts_with("vectors-") && name.ends_with(".db") {
            copy_table(&source, &unfinished, "DELETE FROM chunk_vector")
        } else if name.starts_with("tokens-") {
            copy_tokens(&source, &unfinished)
        } else {
            continue;
        };
        if copied
            .and_then(|()| Ok(fs::rename(&unfinished, &target)?))
            .is_err()
        {
            remove(&unfinished);
        }
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn copy_tokens(source: &Path, target: &Path) -> Outcome {
    remove(target);
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target.join(entry.file_name()))?;
        }
    }
    let (from, to) = (source.join("table.db"), target.join("table.db"));
    copy_table(&from, &to, "DELETE FROM chunk_doc")
}

/// With what its log holds, and without the chunks.
///
/// Files are copied, since `VACUUM INTO` writes pages that its cache has no room for before the first
/// one, which says that they have sums: from two megabytes on such a copy counts as damaged.
fn copy_table(source: &Path, target: &Path, unlink: &str) -> Outcome {
    remove(target);
    remove(&log_of(target));
    // Nobody writes, for the writer of both holds the lock; and while somebody reads, the log stays, so
    // that what is moved from it into the file meanwhile is in both.
    let reader = whyrank_sqlite::open(source, Sums::IfThere)?;
    reader.execute_batch("BEGIN")?;
    reader.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    fs::copy(source, target)?;
    if log_of(source).exists() {
        fs::copy(log_of(source), log_of(target))?;
    }
    drop(reader);
    let copy = whyrank_sqlite::open(target, Sums::IfThere)?;
    copy.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    // An earlier version may have written it without sums.
    whyrank_sqlite::add_sums(&copy, target)?;
    drop(copy);
    let copy = whyrank_sqlite::open(target, Sums::Required)?;
    copy.execute_batch(unlink)?;
    Ok(copy.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?)
}

fn log_of(file: &Path) -> PathBuf {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

fn copy_folder(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let (from, to) = (entry.path(), target.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&from, &to)?
        } else {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// What a killed run left, if it did.
fn remove(path: &Path) {
    let _ = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_table_larger_than_a_cache_is_copied_whole_with_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("a.db"), folder.path().join("b.db"));
        let writer = whyrank_sqlite::open(&source, Sums::Required).unwrap();
        whyrank_sqlite::write_ahead(&writer, Duration::from_secs(1)).unwrap();
        let fill = "CREATE TABLE chunk_vector (id); CREATE TABLE held (block BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
            INSERT INTO held SELECT randomblob(1000000) FROM n;
            INSERT INTO chunk_vector VALUES (7);";
        writer.execute_batch(fill).unwrap();
        copy_table(&source, &target, "DELETE FROM chunk_vector").unwrap();
        assert_eq!(
            whyrank_sqlite::verify(&target, Sums::Required).unwrap(),
            Vec::<String>::new()
        );
        let copy = whyrank_sqlite::open(&target, Sums::Required).unwrap();
        let count = |table: &str| -> u32 {
            let counted = format!("SELECT count(*) FROM {table}");
            copy.query_row(&counted, [], |row| row.get(0)).unwrap()
        };
        assert_eq!((count("held"), count("chunk_vector")), (6, 0));
        assert!(!log_of(&target).exists() || fs::metadata(log_of(&target)).unwrap().len() == 0);
    }
}
