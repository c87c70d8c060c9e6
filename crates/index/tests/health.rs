//! Damage is found, named and repaired, whichever file it is in.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::Indexed;
use whyrank_index::{IndexError, Pool, Unattended, WriteMode, tokens};
use whyrank_inference::FakeBiEncoder;
use whyrank_source::Repository;

const FILES: [(&str, &str); 3] = [
    ("router.py", "def add_route(path):\n    return path\n"),
    (
        "session.py",
        "def open_session(app):\n    return app.secret\n",
    ),
    ("README.md", "# Shop\n\nSessions and routes.\n"),
];

fn indexed() -> Indexed {
    let indexed = Indexed::new(&FILES);
    let mut writer = indexed.store().writer(WriteMode::Update).unwrap();
    let encoder = FakeBiEncoder::new(16);
    writer
        .embed_view(&indexed.key(), &encoder, &Unattended)
        .unwrap();
    writer.finish().unwrap();
    let reader = indexed.store().reader().unwrap();
    let sections: [&[u8]; 2] = [b"worked out", b"and more"];
    reader.keep("relations-x", 1, "stamp", &sections).unwrap();
    indexed
}

/// What a search finds, with its scores.
fn found(indexed: &Indexed) -> Result<String, IndexError> {
    let reader = indexed.store().reader()?;
    let view = reader.view(&indexed.key())?;
    let words: Vec<(String, f32)> = tokens("routes session path")
        .into_iter()
        .map(|token| (token, 1.0))
        .collect();
    let scores = Pool::new([(&reader, &view)]).bm25(&words)?;
    let texts: Vec<String> = view
        .files
        .iter()
        .map(|file| reader.text(file.content_id))
        .collect::<Result<_, _>>()?;
    Ok(format!(
        "{:?} {texts:?}",
        scores.best(&view, &view.visible, 10)
    ))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path))
        } else {
            found.push(path)
        }
    }
    found.sort();
    found
}

#[test]
fn a_damaged_byte_is_never_an_answer_and_the_next_writer_mends_it() {
    let first = indexed();
    let wanted = found(&first).unwrap();
    assert_eq!(first.store().verify(true), []);
    let n_files = files_below(first.store().folder()).len();
    for nth in 0..n_files {
        let indexed = indexed();
        let path = files_below(indexed.store().folder())[nth].clone();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut bytes = fs::read(&path).unwrap();
        // Locks and logs hold nothing; what tantivy lists for its own sweeping is not read.
        let is_idle = name.ends_with("lock") || name.ends_with("-shm") || name.ends_with("-wal");
        if bytes.is_empty() || is_idle || name == ".managed.json" {
            continue;
        }
        let at = bytes.len() / 2;
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).unwrap();
        if let Ok(now) = found(&indexed) {
            assert_eq!(now, wanted, "{name} answers otherwise");
        }
        let parts = indexed.store().repair().unwrap();
        indexed.update();
        assert_eq!(indexed.view().files.len(), FILES.len(), "{name}");
        assert_eq!(found(&indexed).unwrap(), wanted, "{name} {parts:?}");
        assert_eq!(indexed.store().verify(true), [], "{name}");
    }
}

#[test]
fn a_file_of_full_text_without_its_end_is_damage() {
    for length in [0, 3, 6, 9] {
        let indexed = indexed();
        let files = files_below(&indexed.store().folder().join("gen-1/lexical"));
        let positions = files
            .into_iter()
            .find(|path| path.extension().is_some_and(|ending| ending == "pos"))
            .unwrap();
        let bytes = fs::read(&positions).unwrap();
        fs::write(&positions, &bytes[..length]).unwrap();
        let error = found(&indexed).unwrap_err();
        assert!(
            matches!(error, IndexError::Damaged { .. }),
            "{length}: {error}"
        );
    }
}

#[test]
fn an_index_that_is_set_aside_says_why() {
    let indexed = indexed();
    let catalog = files_below(indexed.store().folder())
        .into_iter()
        .find(|path| path.ends_with("catalog.db"))
        .unwrap();
    let mut bytes = fs::read(&catalog).unwrap();
    let at = bytes.len() - 100;
    bytes[at] ^= 1;
    fs::write(&catalog, bytes).unwrap();
    let parts = indexed.store().verify(false);
    assert_eq!(parts.len(), 1, "{parts:?}");
    assert!(parts[0].is_vital);
    indexed.store().repair().unwrap();
    let error = indexed.store().reader().err().unwrap();
    assert!(matches!(error, IndexError::SetAside { .. }), "{error}");
    assert!(error.to_string().contains("to rebuild it"), "{error}");
}

#[test]
fn files_that_a_killed_writer_left_in_full_text_stop_nobody() {
    let indexed = indexed();
    let repository = Repository::discover(&indexed.root()).unwrap();
    for time in 0..5 {
        for name in ["router.py", "session.py"] {
            indexed.write(
                name,
                &format!("def other():\n    return '{name}', {time}\n"),
            );
        }
        let mut writer = indexed.store().writer(WriteMode::Update).unwrap();
        writer
            .update_view(&repository, &indexed.key(), 4_000_000_000, &Unattended)
            .unwrap();
        writer.finish().unwrap();
    }
    leave_deletions(&indexed.store().folder().join("gen-1/lexical"));
    let mut writer = indexed.store().writer(WriteMode::Update).unwrap();
    writer.sweep().unwrap();
    writer.finish().unwrap();
    assert_eq!(indexed.store().verify(true), []);
}

/// As a writer does that is killed after it wrote which documents are gone, and before the commit.
fn leave_deletions(lexical: &Path) {
    let managed = lexical.join(".managed.json");
    let mut names: Vec<String> = serde_json::from_slice(&fs::read(&managed).unwrap()).unwrap();
    let segments: Vec<String> = names
        .iter()
        .filter_map(|name| Some(name.strip_suffix(".term")?.to_owned()))
        .collect();
    for segment in segments {
        for stamp in 0..200 {
            let name = format!("{segment}.{stamp}.del");
            fs::write(lexical.join(&name), b"").unwrap();
            names.push(name);
        }
    }
    fs::write(managed, serde_json::to_vec(&names).unwrap()).unwrap();
}
