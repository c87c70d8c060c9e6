//! What size costs: the small end of `whyrank-lab scale`, under a ceiling of memory.

use whyrank_tests::{Home, TestRepo};

/// Half as much again as indexing and the first answers take on this tree (108 MB, debug build).
const CEILING_MB: &str = "160";

#[test]
fn a_generated_tree_keeps_to_its_ceiling_of_memory() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let folder = repo.beside("scale");
    let folder = folder.to_str().expect("a temporary path is text");
    let args = [
        "scale",
        folder,
        "--files",
        "2000",
        "--commits",
        "20",
        "--looks",
        "5",
        "--json",
        "--ceiling-mb",
        CEILING_MB,
    ];
    let points = home.run_lab(&args).succeeds().json();
    let point = &points[0];
    assert_eq!(
        (points.as_array().map(Vec::len), &point["n_files"]),
        (Some(1), &2000.into())
    );
    for part in ["index", "search", "lookup", "refs"] {
        assert!(
            point[part]["peak_mb"].as_f64().is_some_and(|mb| mb > 1.0),
            "{point}"
        );
    }
    let report = repo.beside("scale").join("report.html");
    let report = std::fs::read_to_string(report).expect("the report lies in the folder");
    assert!(report.contains("<svg") && report.contains("first search"));
}
