//! A package as it is published, turned into a repository.

use std::path::Path;
use std::process::Command;
use whyrank_tests::{Home, TestRepo, assert_sums, skip};

#[test]
fn express_answers_questions_about_itself() {
    let repo = TestRepo::unborn();
    if !unpack_express(repo.root()) {
        let reason = "the npm registry cannot be reached";
        return skip("express_answers_questions_about_itself", reason);
    }
    repo.commit("express 4.21.2");
    let home = Home::new();
    home.index(repo.arg());
    let among = |n: usize, query: &str, path: &str| {
        let found = home.paths_of(repo.arg(), query);
        assert!(
            found.iter().take(n).any(|found| found == path),
            "{query}: {found:?}"
        );
    };
    among(1, "lib/router/layer.js", "lib/router/layer.js");
    among(2, "which function sends a JSON response", "lib/response.js");
    among(
        3,
        "initialize the default configuration of an application",
        "lib/application.js",
    );
    among(
        3,
        "parse the query string of a request",
        "lib/middleware/query.js",
    );
    among(3, "path parameters of a route layer", "lib/router/layer.js");
    assert_sums(&home.json(&["explain", "--last", "--json"]));

    let deps = home.json(&[
        "deps",
        "lib/router/route.js",
        "--repo",
        repo.arg(),
        "--json",
    ]);
    assert!(
        deps["imports"].to_string().contains("lib/router/layer.js"),
        "{deps}"
    );
    let lookup = home.json(&[
        "lookup",
        "createApplication",
        "--repo",
        repo.arg(),
        "--json",
    ]);
    assert_eq!(lookup["definitions"][0]["path"], "lib/express.js");
}

/// Fetches the package with the user's own npm and unpacks it with tar.
fn unpack_express(root: &Path) -> bool {
    let folder = root.parent().expect("a temporary folder");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let pack = Command::new(npm)
        .args([
            "pack",
            "express@4.21.2",
            "--silent",
            "--fetch-retries",
            "1",
            "--fetch-timeout",
            "20000",
        ])
        .current_dir(folder)
        .output();
    pack.is_ok_and(|output| output.status.success())
        && Command::new("tar")
            .args([
                "-xzf",
                "express-4.21.2.tgz",
                "--strip-components",
                "1",
                "-C",
            ])
            .arg(root)
            .current_dir(folder)
            .status()
            .is_ok_and(|status| status.success())
}
