//! What the name of a folder says about the files below it: examples, documentation, benchmarks, copies
//! of other projects, build output. One list each for search, the graph and the listings.
//!
//! In: a path with `/` between parts. Capitals, and `_` or `.` before a name, do not count, and `-` is
//! `_`. Whether a path holds tests is in [`crate::test_paths`].

const EXAMPLES: [&str; 6] = ["examples", "example", "samples", "sample", "demo", "demos"];
const DOCUMENTATION: [&str; 4] = ["docs", "doc", "docs_src", "doc_src"];
const BENCHMARKS: [&str; 4] = ["bench", "benches", "benchmark", "benchmarks"];
/// Names that hold copies of other projects and nothing else.
const VENDORED: [&str; 6] = [
    "node_modules",
    "vendor",
    "vendored",
    "third_party",
    "thirdparty",
    "3rdparty",
];
/// Names that hold such copies in one project and own code in the next.
const OFTEN_VENDORED: [&str; 2] = ["external", "deps"];
const BUILD_OUTPUT: [&str; 2] = ["dist", "build"];

/// Returns whether a path lies among examples or documentation.
pub fn is_example(path: &str) -> bool {
    lies_in(path, &EXAMPLES) || lies_in(path, &DOCUMENTATION)
}

/// Returns whether a path lies among benchmarks.
pub fn is_benchmark(path: &str) -> bool {
    lies_in(path, &BENCHMARKS)
}

/// Returns whether a path lies in a copy of another project.
pub fn is_vendored(path: &str) -> bool {
    lies_in(path, &VENDORED)
}

/// Returns whether a path most likely lies in a copy of another project: good enough to rank it lower,
/// not to say that nothing of it is used.
pub fn is_likely_vendored(path: &str) -> bool {
    is_vendored(path) || lies_in(path, &OFTEN_VENDORED)
}

/// Returns whether a path lies in what a build makes.
pub fn is_build_output(path: &str) -> bool {
    lies_in(path, &BUILD_OUTPUT)
}

fn lies_in(path: &str, names: &[&str]) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let is_one = |folder: &str| {
        let folder = folder.trim_start_matches(['_', '.']).replace('-', "_");
        names.iter().any(|name| folder.eq_ignore_ascii_case(name))
    };
    folders.split('/').any(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_counts_and_a_file_of_its_name_does_not() {
        assert!(is_example("Samples/Web/app.cs") && is_example("docs/conf.py"));
        assert!(!is_example("src/demo.rs") && !is_example("example"));
        assert!(is_benchmark("core/benches/a.rs") && !is_benchmark("src/bench.rs"));
        assert!(is_vendored("a/thirdparty/x.c") && !is_vendored("crates/external/src/lib.rs"));
        assert!(is_vendored("src/pip/_vendor/rich/text.py") && is_vendored("third-party/a.c"));
        assert!(is_likely_vendored("external/zlib/zlib.h"));
        assert!(is_build_output("build/a.js") && !is_build_output("src/build.rs"));
    }
}
