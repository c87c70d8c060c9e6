//! Paths from elsewhere.

use whyrank_external::{Budget, PathMatch, PathMatcher};

const VIEW: [&str; 8] = [
    "src/app.js",
    "src/util.js",
    "packages/x/src/index.js",
    "packages/y/src/index.js",
    "packages/y/src/only.js",
    "cmd/main.go",
    "pkg/set/set.go",
    "setup.py",
];

/// The view's file, `?` for several, `-` for none.
fn meant_in(view: &[&str], written: &[&str], root: &str, folder: &str) -> Vec<String> {
    let places = PathMatcher::new(view.iter().copied());
    let mut budget = Budget::new(&|| true);
    budget.allow(0);
    let show = |meant: PathMatch| match meant {
        PathMatch::File(file) => view[file as usize].to_owned(),
        PathMatch::Ambiguous(files) => format!("? {}", files.len()),
        PathMatch::Nothing => "-".to_owned(),
    };
    places
        .all(written, root, folder, &mut budget)
        .into_iter()
        .map(show)
        .collect()
}

fn meant(written: &[&str]) -> Vec<String> {
    meant_in(&VIEW, written, "/work/repo", "coverage")
}

#[test]
fn a_path_from_another_machine_is_found_by_its_end() {
    let written = [
        "/home/ci/build/src/app.js",
        "C:\\ci\\build\\src\\util.js",
        "file:///home/ci/build/src/app.js",
        "src/app.js",
        "./src/app.js",
    ];
    let expected = [
        "src/app.js",
        "src/util.js",
        "src/app.js",
        "src/app.js",
        "src/app.js",
    ];
    assert_eq!(meant(&written), expected);
}

#[test]
fn a_path_below_the_root_means_that_file_alone() {
    let written = ["/work/repo/src/app.js", "/work/repo/lib/src/app.js"];
    assert_eq!(meant(&written), ["src/app.js", "-"]);
}

#[test]
fn go_modules_stand_before_the_path() {
    let written = ["example.com/m/cmd/main.go", "example.com/m/pkg/set/set.go"];
    assert_eq!(meant(&written), ["cmd/main.go", "pkg/set/set.go"]);
}

#[test]
fn several_files_are_ambiguous_until_something_tells() {
    assert_eq!(meant(&["src/index.js"]), ["? 2"]);
    let in_package = meant_in(
        &VIEW,
        &["src/index.js"],
        "/work/repo",
        "packages/x/coverage",
    );
    assert_eq!(in_package, ["packages/x/src/index.js"]);
    // `only.js` tells that `src` represents `packages/y/src`.
    let learned = meant(&["src/index.js", "src/only.js"]);
    assert_eq!(
        learned,
        ["packages/y/src/index.js", "packages/y/src/only.js"]
    );
}

#[test]
fn other_peoples_code_is_not_ours() {
    let written = [
        "/work/repo/node_modules/dep/src/app.js",
        "/usr/lib/python3/site-packages/dep/setup.py",
        "/ci/build/src/app.js",
        "/opt/other/setup.py",
    ];
    assert_eq!(meant(&written), ["-", "-", "src/app.js", "-"]);
}

#[test]
fn a_flat_repository_is_found_by_file_names() {
    let view = ["a.py", "b.py"];
    let found = meant_in(&view, &["/ci/repo/a.py", "/ci/repo/b.py"], "/w", "");
    assert_eq!(found, ["a.py", "b.py"]);
}

#[test]
fn urls_are_decoded() {
    let found = meant_in(
        &["src/my file.js"],
        &["file:///ci/src/my%20file.js?x=1"],
        "",
        "",
    );
    assert_eq!(found, ["src/my file.js"]);
}

#[test]
fn odd_paths_mean_nothing() {
    assert_eq!(
        meant(&["", "/", "..", "%", "file:"]),
        ["-", "-", "-", "-", "-"]
    );
}
