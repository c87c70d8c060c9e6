//! Index, then look: what the index just took in, or left out, is not behind.

#[path = "../../source/tests/it/drawn.rs"]
mod drawn;

use std::fs;
use whyrank_index::{Store, Unattended, ViewKey, WorktreeRecord, WriteMode};
use whyrank_source::Repository;

const NOW_S: i64 = 4_000_000_000;

#[test]
fn nothing_is_behind_after_an_update_whatever_secrets_files_hold() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    git2::Repository::init(&root).unwrap();
    for seed in 0..300 {
        let (path, bytes) = drawn::drawn_file(seed);
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let repository = Repository::discover(&root).unwrap();
    let key = ViewKey::Worktree(root.to_string_lossy().into_owned());
    let store = Store::at(&folder.path().join("store"));
    let mut writer = store.writer(WriteMode::Update).unwrap();
    let report = writer
        .update_view(&repository, &key, NOW_S, &Unattended)
        .unwrap();
    writer.finish().unwrap();
    let view = store.reader().unwrap().view(&key).unwrap();
    assert_eq!(report.n_files + report.n_skipped, 300);
    let behind = WorktreeRecord::default()
        .compare(&repository, &view, NOW_S * 1_000_000_000, &|| true)
        .unwrap();
    assert!(behind.is_empty(), "{behind:?}");
}
