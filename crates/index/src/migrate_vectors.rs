//! What a generation takes over from one of an earlier version: vectors, which belong to texts. A text
//! that is cut and named as before is not encoded again.

use std::fs;
use std::io;
use std::path::Path;
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
fn copy_table(source: &Path, target: &Path, unlink: &str) -> Outcome {
    remove(target);
    let path = target.to_str().ok_or("a path that is no text")?;
    // An earlier version may have written it without sums; the copy has them.
    whyrank_sqlite::open(source, Sums::IfThere)?.execute("VACUUM INTO ?1", [path])?;
    Ok(whyrank_sqlite::open(target, Sums::Required)?.execute_batch(unlink)?)
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
