use super::*;
use sha2::{Digest, Sha256};

const CONTENT: &[u8] = b"weights";

fn lock() -> ModelLock {
    let sha256 = hex::encode(Sha256::digest(CONTENT));
    ModelLock::parse(&format!(
        "schema = 1\ndefault = \"m\"\n[model.m]\ntitle = \"M\"\narch = \"bert\"\ndim = 8\n\
         pooling = \"mean\"\nmax_tokens = 8\nmax_query_tokens = 8\nquery_prefix = \"\"\n\
         document_prefix = \"\"\nlicence = \"MIT\"\nupstream = \"u\"\nsources = []\n\
         files = [{{ name = \"w\", size_bytes = 7, sha256 = \"{sha256}\" }}]\n"
    ))
    .unwrap()
}

fn store(dir: &Path) -> ModelStore {
    ModelStore::with_lock(dir.join("store"), lock())
}

#[test]
fn an_imported_model_is_present_until_its_bytes_change() {
    let temp = tempfile::tempdir().unwrap();
    let store = store(temp.path());
    assert_eq!(store.state("m").unwrap(), ModelState::Absent);
    assert!(matches!(
        store.path("m"),
        Err(InferenceError::ModelAbsent { .. })
    ));

    fs::write(temp.path().join("w"), CONTENT).unwrap();
    let dir = import(&store, temp.path()).unwrap();
    assert_eq!(store.path("m").unwrap(), dir);
    assert_eq!(
        store.verify("m").unwrap(),
        ModelState::Present { dir: dir.clone() }
    );

    fs::write(dir.join("w"), b"Weights").unwrap();
    assert!(matches!(
        store.verify("m").unwrap(),
        ModelState::Damaged { .. }
    ));
    assert!(matches!(
        store.path("m"),
        Err(InferenceError::ModelDamaged { .. })
    ));

    import(&store, temp.path()).unwrap();
    assert_eq!(store.path("m").unwrap(), dir);
}

fn import(store: &ModelStore, from: &Path) -> Result<PathBuf, InferenceError> {
    store.import("m", from, &mut |_| (), &|| false)
}

#[test]
fn an_import_counts_its_bytes_and_a_cancelled_one_leaves_nothing() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("w"), CONTENT).unwrap();
    let store = store(temp.path());
    let mut seen = Vec::new();
    let cancelled = store.import("m", temp.path(), &mut |step| seen.push(step), &|| true);
    assert!(matches!(cancelled, Err(InferenceError::Cancelled)));
    assert_eq!((seen[0].done_bytes, seen[0].total_bytes), (0, 7));
    assert_eq!(store.state("m").unwrap(), ModelState::Absent);
    let entry = store.lock.get("m").unwrap();
    assert!(!store.partial_dir(entry).exists());

    let dir = import(&store, temp.path()).unwrap();
    let mut seen = Vec::new();
    let calls = std::cell::Cell::new(0);
    // The model that is there outlives an import that is given up halfway.
    let stop = || calls.replace(calls.get() + 1) == 1;
    let cancelled = store.import("m", temp.path(), &mut |step| seen.push(step), &stop);
    assert!(matches!(cancelled, Err(InferenceError::Cancelled)));
    assert_eq!(seen.last().unwrap().done_bytes, 7);
    assert_eq!(store.verify("m").unwrap(), ModelState::Present { dir });
    assert!(!store.partial_dir(entry).exists());
}

#[test]
fn an_import_keeps_what_a_pull_has_fetched() {
    let temp = tempfile::tempdir().unwrap();
    let store = store(temp.path());
    let partial = store.partial_dir(store.lock.get("m").unwrap());
    fs::create_dir_all(partial.join("import")).unwrap();
    fs::write(partial.join("import").join("killed"), b"half").unwrap();
    fs::write(partial.join("fetched"), b"half").unwrap();
    fs::write(temp.path().join("w"), b"weightZ").unwrap();
    import(&store, temp.path()).unwrap_err();
    assert!(partial.join("fetched").exists() && !partial.join("import").exists());
}

#[test]
fn import_refuses_other_bytes_and_leaves_no_model() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("w"), b"weightZ").unwrap();
    let store = store(temp.path());
    let error = import(&store, temp.path()).unwrap_err();
    assert!(matches!(error, InferenceError::WrongFile { .. }), "{error}");
    assert_eq!(store.state("m").unwrap(), ModelState::Absent);
}

#[test]
fn files_put_in_by_hand_are_hashed_before_use() {
    let temp = tempfile::tempdir().unwrap();
    let store = store(temp.path());
    let dir = store.live_dir(store.lock.get("m").unwrap());
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("w"), b"Weights").unwrap();
    assert!(matches!(
        store.state("m").unwrap(),
        ModelState::Present { .. }
    ));
    assert!(matches!(
        store.path("m"),
        Err(InferenceError::ModelDamaged { .. })
    ));
    fs::write(dir.join("w"), CONTENT).unwrap();
    assert_eq!(store.path("m").unwrap(), dir);
}

#[test]
fn unknown_names_list_the_known_ones() {
    let error = ModelStore::new("/nowhere")
        .state("bge")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("coderank-embed, ") && error.contains(", minilm-l6"),
        "{error}"
    );
}

/// A model of which nobody knows one file's hash.
fn unpinned_lock() -> ModelLock {
    let sha256 = hex::encode(Sha256::digest(CONTENT));
    ModelLock::parse(&format!(
        "schema = 1\ndefault = \"m\"\n[model.m]\ntitle = \"M\"\narch = \"modern-bert\"\ndim = 8\n\
         max_tokens = 8\nmax_query_tokens = 8\nlicence = \"MIT\"\nupstream = \"o/m@c0ffee\"\n\
         sources = []\nimport_only = true\n\
         files = [{{ name = \"w\", size_bytes = 7, sha256 = \"{sha256}\" }}, {{ name = \"d/h\" }}]\n\
         token_heads = [{{ name = \"d/h\", dim = 4 }}]\n"
    ))
    .unwrap()
}

#[test]
fn what_is_not_pinned_is_recorded_when_it_comes_in_and_checked_ever_after() {
    let temp = tempfile::tempdir().unwrap();
    let store = ModelStore::with_lock(temp.path().join("store"), unpinned_lock());
    let entry = store.lock().get("m").unwrap().clone();
    let refused = store
        .pull("m", &mut |_| {}, &|| false)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("d/h") && refused.contains("models import m"),
        "{refused}"
    );
    let absent = store.path("m").unwrap_err().to_string();
    assert!(
        absent.contains("models import m") && absent.contains("o/m@c0ffee"),
        "{absent}"
    );

    fs::write(temp.path().join("w"), CONTENT).unwrap();
    assert!(matches!(
        import(&store, temp.path()),
        Err(InferenceError::File { .. })
    ));
    fs::create_dir(temp.path().join("d")).unwrap();
    fs::write(temp.path().join("d/h"), b"any").unwrap();
    let dir = import(&store, temp.path()).unwrap();
    assert_eq!(store.path("m").unwrap(), dir);
    assert_eq!(fs::read(dir.join("d/h")).unwrap(), b"any");
    let stored = store.as_stored(&entry);
    assert_eq!(
        stored.file("d/h").unwrap().sha256,
        hex::encode(Sha256::digest(b"any"))
    );
    assert_eq!(
        stored.token_heads[0].sha256,
        stored.file("d/h").unwrap().sha256
    );

    fs::write(dir.join("d/h"), b"ANY").unwrap();
    assert!(matches!(
        store.verify("m").unwrap(),
        ModelState::Damaged { .. }
    ));
    fs::write(dir.join("d/h"), b"any").unwrap();
    fs::remove_file(dir.join("imported.json")).unwrap();
    let ModelState::Damaged { problems, .. } = store.verify("m").unwrap() else {
        panic!("a file without a record is not trusted")
    };
    assert_eq!(problems[0].file, "d/h");
}
