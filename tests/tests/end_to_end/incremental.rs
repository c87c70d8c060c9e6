//! What changes is seen; what is shared is kept once.

use std::time::Duration;
use whyrank_tests::{Home, TestRepo, skip};

#[test]
fn a_save_a_rename_and_a_deletion_are_seen() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());

    repo.write(
        "billing/dunning.py",
        "def send_reminder(invoice):\n    \"\"\"Reminds of an unpaid invoice.\"\"\"\n",
    );
    home.index(repo.arg());
    assert_eq!(
        home.paths_of(repo.arg(), "send_reminder")[0],
        "billing/dunning.py"
    );

    repo.rename("billing/dunning.py", "reminders/letters.py");
    home.index(repo.arg());
    let found = home.paths_of(repo.arg(), "send_reminder");
    assert_eq!(found[0], "reminders/letters.py");
    assert!(
        !found.contains(&"billing/dunning.py".to_owned()),
        "{found:?}"
    );

    repo.write(
        "reminders/letters.py",
        "def send_ultimatum(invoice):\n    pass\n",
    );
    home.index(repo.arg());
    assert_eq!(
        home.paths_of(repo.arg(), "send_ultimatum")[0],
        "reminders/letters.py"
    );
    let lookup = home.run(&["lookup", "send_reminder", "--repo", repo.arg()]);
    lookup.fails(1, &["send_reminder"]);

    repo.remove("reminders/letters.py");
    home.index(repo.arg());
    let found = home.paths_of(repo.arg(), "send_ultimatum");
    assert!(
        !found.contains(&"reminders/letters.py".to_owned()),
        "{found:?}"
    );
}

#[test]
fn commits_and_checkouts_are_followed() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    repo.git(&["checkout", "-q", "-b", "currencies"]);
    repo.write(
        "billing/currency.py",
        "def convert_currency(amount, rate):\n    return amount * rate\n",
    );
    repo.commit("convert");
    home.index(repo.arg());
    assert_eq!(
        home.paths_of(repo.arg(), "convert_currency")[0],
        "billing/currency.py"
    );

    repo.git(&["checkout", "-q", "main"]);
    home.index(repo.arg());
    home.run(&["lookup", "convert_currency", "--repo", repo.arg()])
        .fails(1, &[]);

    repo.git(&["checkout", "-q", "currencies"]);
    home.index(repo.arg());
    home.run(&["lookup", "convert_currency", "--repo", repo.arg()])
        .succeeds();
}

#[test]
fn an_index_that_is_up_to_date_is_left_alone() {
    let (repo, home) = (TestRepo::large(400), Home::new());
    let first = home.index(repo.arg()).took;
    let (bytes, generation) = (home.index_bytes(), home.live_generation());
    let second = home.index(repo.arg()).took;
    assert_eq!(home.live_generation(), generation);
    assert!(
        home.index_bytes() < bytes + 200_000,
        "{bytes} grew to {}",
        home.index_bytes()
    );
    assert!(
        second < first.max(Duration::from_millis(400)),
        "first {first:?}, then {second:?}"
    );
}

#[test]
fn copies_of_a_file_are_one_content_however_many_there_are() {
    let (repo, home) = (TestRepo::unborn(), Home::new());
    for folder in ["a", "b", "c"] {
        for n in 0..150 {
            let text = format!(
                "def copied_{n}(value):\n    \"\"\"Stands at three places.\"\"\"\n    return value * {n}\n"
            );
            repo.write(&format!("{folder}/copy{n}.py"), text);
        }
    }
    repo.commit("copies");
    home.index(repo.arg());
    let found = home.paths_of(repo.arg(), "copied_77");
    assert!(found[0].ends_with("copy77.py"), "{found:?}");
    let bytes = home.index_bytes();
    repo.git(&["mv", "a", "d"]);
    home.index(repo.arg());
    assert!(
        home.index_bytes() < bytes + 200_000,
        "{bytes} grew to {}",
        home.index_bytes()
    );
}

#[test]
fn a_second_worktree_costs_next_to_nothing() {
    let (repo, home) = (TestRepo::large(600), Home::new());
    home.index(repo.arg());
    let bytes = home.index_bytes();

    let second = repo.beside("second");
    let second = second.to_str().expect("temporary paths are UTF-8");
    repo.git(&["worktree", "add", "-q", "-b", "other", second]);
    std::fs::write(
        format!("{second}/src/only_here.py"),
        "def only_in_the_second_tree():\n    pass\n",
    )
    .expect("a file");
    home.index(second);

    // That nothing is parsed twice is tested in the index crate; how long it takes is measured, not asserted.
    assert_eq!(home.stores().len(), 1, "worktrees share a store");
    let grown = home.index_bytes().saturating_sub(bytes);
    assert!(grown < 5_000_000, "{grown} bytes");
    assert_eq!(
        home.paths_of(second, "only_in_the_second_tree")[0],
        "src/only_here.py"
    );
    home.run(&["lookup", "only_in_the_second_tree", "--repo", repo.arg()])
        .fails(1, &[]);
    home.run(&["lookup", "only_in_the_second_tree", "--repo", second])
        .succeeds();
}

#[test]
fn a_commit_is_a_view_like_any_other() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let before = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write(
        "billing/tax.py",
        "def levy_of(country):\n    \"\"\"Value added tax.\"\"\"\n    if not country:\n        raise ValueError\n    return 0\n",
    );
    let after = repo.commit("rename the tax");
    home.index(repo.arg());

    let symbol_at = |commit: &str| {
        let args = [
            "search",
            "value added tax",
            "--repo",
            repo.arg(),
            "--as-of",
            commit,
            "--json",
        ];
        let answer = home.json(&args);
        let hits = answer["hits"].as_array().expect("hits").clone();
        let hit = hits
            .into_iter()
            .find(|hit| hit["path"] == "billing/tax.py")
            .expect("the file is there");
        hit["symbol"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(symbol_at(&before), "vat_rate");
    assert_eq!(symbol_at(&after), "levy_of");
    assert_eq!(symbol_at("HEAD~1"), "vat_rate");
    let unknown = [
        "search",
        "tax",
        "--repo",
        repo.arg(),
        "--as-of",
        "no-such-commit",
    ];
    home.run(&unknown).fails(2, &["no-such-commit"]);
}

#[test]
fn a_commit_can_be_given_its_vectors() {
    let Some(home) = Home::with_model() else {
        return skip(
            "a_commit_can_be_given_its_vectors",
            "no embedding model on this machine",
        );
    };
    let repo = TestRepo::shop();
    repo.write("billing/tax.py", "def levy_of(country):\n    return 0\n");
    repo.commit("rename the tax");
    home.index(repo.arg());
    let coverage = || {
        let search = ["search", "value added tax", "--repo", repo.arg()];
        let answer = home.json(&[&search[..], &["--as-of", "HEAD~1", "--json"]].concat());
        answer["coverage"]["vector"].as_f64().expect("a share")
    };
    assert!(coverage() < 1.0, "only what the working tree has too");
    home.run(&["index", repo.arg(), "--as-of", "HEAD~1"])
        .succeeds();
    assert!((coverage() - 1.0).abs() < f64::EPSILON);
}
