//! Whoever asks for a file, listing, reader or comparison, gets the same judgement.

use crate::drawn::drawn_file;
use crate::fixture::{Fixture, paths, skipped};
use whyrank_source::{
    Blame, FileFilter, LineChange, SkipReason, changed_lines, classify, decode, shown,
    without_secrets_in,
};

#[test]
fn a_file_is_listed_if_and_only_if_it_is_shown_and_stays_as_it_is_shown() {
    let filter = FileFilter::default();
    let (mut n_struck, mut n_left_out) = (0, 0);
    for seed in 0..4000 {
        let (path, bytes) = drawn_file(seed);
        let found = shown(&path, &bytes, &filter);
        let reason = classify(&path, &bytes, &filter);
        assert_eq!(reason, found.as_ref().err().cloned(), "{seed} {path}");
        let Ok(text) = found else {
            n_left_out += u32::from(reason == Some(SkipReason::Secret));
            continue;
        };
        let whole = decode(&bytes).expect("it is shown");
        n_struck += u32::from(text != whole);
        assert_eq!(text.len(), whole.len(), "{seed} {path}");
        let ends = |text: &str| -> Vec<usize> {
            let found = text.match_indices('\n');
            found.map(|(at, _)| at).collect()
        };
        assert_eq!(ends(&text), ends(&whole), "{seed} {path}");
        let again = shown(&path, text.as_bytes(), &filter);
        assert_eq!(again.as_deref(), Ok(&*text), "{seed} {path}");
    }
    assert!(
        n_struck > 200 && n_left_out > 200,
        "{n_struck} {n_left_out}"
    );
}

#[test]
fn listings_and_readers_agree_on_files_with_secrets() {
    let fixture = Fixture::new();
    let files: Vec<(String, Vec<u8>)> = (0..300).map(drawn_file).collect();
    for (path, bytes) in &files {
        fixture.write(path, bytes);
    }
    let commit = fixture.commit("first");
    let repository = fixture.open();
    let listing = fixture.list();
    let of_commit = repository.list_commit(commit, &FileFilter::default(), &|_, _| None);
    let of_commit = of_commit.expect("a listing");
    assert_eq!(paths(&listing), paths(&of_commit));
    assert_eq!(skipped(&listing), skipped(&of_commit));
    let mut reader = repository.reader();
    for (path, _) in &files {
        let is_read = reader.text(path, 1 << 20).is_some();
        assert_eq!(is_read, paths(&listing).contains(&path.as_str()), "{path}");
    }
}

#[test]
fn a_secret_that_nobody_touched_is_no_change() {
    let filter = FileFilter::default();
    for seed in 0..1500 {
        let (path, old) = drawn_file(seed);
        let Ok(text) = decode(&old) else { continue };
        let new = format!("{text}\n\nlast line\n");
        let sides = [text.as_bytes(), new.as_bytes()].map(|side| shown(&path, side, &filter));
        let [Ok(old), Ok(new)] = sides else { continue };
        let changes = changed_lines(old.as_bytes(), new.as_bytes());
        let n_old = u32::try_from(old.lines().count()).expect("few lines");
        let is_below = |change: &LineChange| change.start >= n_old;
        assert!(changes.iter().all(is_below), "{seed} {path} {changes:?}");
    }
}

#[test]
fn who_wrote_a_secret_is_told_beside_it() {
    let fixture = Fixture::new();
    let text = "import os\nPASSWORD = \"Zq8tLx3nBw7Rk2\"\n";
    fixture.write("app.py", text.as_bytes());
    let first = fixture.commit("first");
    fixture.write("app.py", format!("{text}x = 1\n").as_bytes());
    let second = fixture.commit("second");
    let now = format!("{text}x = 1\n");
    let text = shown("app.py", now.as_bytes(), &FileFilter::default()).expect("shown");
    assert!(!text.contains("Zq8t"), "{text}");
    let blame = fixture
        .open()
        .blame(second, "app.py", text.as_bytes(), &|| false);
    let Blame { lines, .. } = blame.expect("a blame");
    let found: Vec<_> = lines.iter().map(|one| (one.n_lines, one.commit)).collect();
    assert_eq!(found, [(2, Some(first)), (1, Some(second))]);
}

#[test]
fn a_commits_subject_and_a_files_name_hold_no_secret() {
    let key = "ghp_3k8xW7bR2mT5vY8cP4nH6dJ1gLfSeUuaZ3kQ";
    let fixture = Fixture::new();
    fixture.write("a.txt", b"a\n");
    fixture.write(&format!("b-{key}.txt"), b"b\n");
    let commit = fixture.commit(&format!("ci: drop {key} from the script"));
    let info = fixture.open().commit_info(commit).expect("it can be read");
    let stars = "*".repeat(key.len());
    assert_eq!(info.summary, format!("ci: drop {stars} from the script"));
    assert_eq!(paths(&fixture.list()), ["a.txt"]);
    assert_eq!(
        without_secrets_in("password validator, token refresh"),
        "password validator, token refresh"
    );
}

#[test]
fn a_value_on_a_line_below_its_name_is_struck_out() {
    let text = "SECRET_KEY = (\n    \"Zq8tLx3nBw7Rk2mT5vY9cP4nH6dJ1gLf\"\n)\n\ndef alpha():\n    return 1\n";
    let shown = shown("settings.py", text.as_bytes(), &FileFilter::default()).expect("shown");
    let stars = "*".repeat(32);
    assert_eq!(
        shown,
        text.replace("Zq8tLx3nBw7Rk2mT5vY9cP4nH6dJ1gLf", &stars)
    );
}
