//! Which paths hold tests: one rule for search, the graph and the search for secrets.
//!
//! In: a path with `/` between parts, written as on disk. Capitals count: `RouterTest.java` is a test,
//! `latest.java` is none. Never a judgement of content: what only looks like a test is told by who
//! imports it, above.

/// Folders that hold tests by their whole name.
const FOLDERS: [&str; 11] = [
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "__snapshots__",
    "spec",
    "specs",
    "testdata",
    "fixtures",
    "e2e",
    "cypress",
];
/// Ends of the names of folders that hold tests.
const FOLDER_ENDS: [&str; 8] = [
    "-tests",
    "_tests",
    ".tests",
    ".test",
    "_test",
    "unit-test",
    "integration-test",
    "e2e-test",
];
/// Ends of the names of test files, before the first dot.
const FILE_ENDS: [&str; 6] = ["_test", "_tests", "_spec", "-test", "-tests", "-spec"];

/// Endings of code whose file of tests is often called `test` and no more.
const CALLED_TEST: [&str; 11] = [
    "c", "cc", "cjs", "cpp", "js", "jsx", "mjs", "rb", "rs", "ts", "tsx",
];

/// Returns whether a path holds tests: by a folder on its way, or by its name.
pub fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    lies_in_tests(folders) || !is_shipped(folders) && is_test_name(name)
}

/// Returns whether one of the folders on a way holds tests. Below one that a build ships whole, their
/// names say nothing.
pub fn lies_in_tests(folders: &str) -> bool {
    let above = shipped_set(folders).map_or(folders, |at| &folders[..at]);
    above.split('/').any(is_test_folder)
}

/// Returns whether a build ships what lies in these folders, whatever the files are called: there a
/// `TestCase` is a class of a test framework.
pub fn is_shipped(folders: &str) -> bool {
    shipped_set(folders).is_some() || folders.split('/').any(|folder| folder == "Sources")
}

/// Where the set of sources begins that is shipped: `src/main` of Maven, Gradle and sbt, `src/jvmMain` of
/// Kotlin.
fn shipped_set(folders: &str) -> Option<usize> {
    let sets = folders.match_indices("src/").filter(|(at, _)| {
        let before = &folders[..*at];
        before.is_empty() || before.ends_with('/')
    });
    let mut shipped = sets.filter(|(at, mark)| {
        let set = folders[at + mark.len()..].split('/').next().unwrap_or("");
        set == "main" || set.len() > "Main".len() && set.ends_with("Main")
    });
    shipped.next().map(|(at, _)| at)
}

/// Returns whether a folder of this name holds tests: `tests`, `integration-tests`, `jvmTest`,
/// `Shop.Tests`. One like `tokio-test` is a package that helps to test, `XCTest` a test framework.
pub fn is_test_folder(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    FOLDERS.contains(&lower.as_str())
        || FOLDER_ENDS.iter().any(|end| lower.ends_with(end))
        || name != "XCTest" && ends_in_word(name, &["Test", "Tests"])
}

/// Returns whether a file of this name holds tests: `test_app.py`, `mux_test.go`, `a.spec.ts`,
/// `a.test-d.ts`, `RouterTest.java`, `RouterSuite.scala`, `conftest.py`.
pub fn is_test_name(name: &str) -> bool {
    let (written, rest) = name.split_once('.').unwrap_or((name, ""));
    let stem = written.to_ascii_lowercase();
    let extension = rest.rsplit('.').next().unwrap_or("");
    let marked = |parts: &str, words: &[&str]| {
        parts
            .split('.')
            .any(|part| words.contains(&part.to_ascii_lowercase().as_str()))
    };
    // Only before an ending: `a.spec` alone is how a package is built.
    let before_ending = rest.rsplit_once('.').map_or("", |(before, _)| before);
    // `Test.java` is the annotation, `test.py` a module that helps to test, `test.yml` a workflow.
    matches!(written, "tests" | "Tests" | "conftest")
        || marked(before_ending, &["test-d", "spec-d"])
        || written == "test" && CALLED_TEST.contains(&extension)
        || marked(rest, &["test", "tests"])
        || marked(before_ending, &["spec"])
        || ["test_", "test-"]
            .iter()
            .any(|start| stem.starts_with(start))
        || FILE_ENDS.iter().any(|end| stem.ends_with(end))
        || ends_in_word(written, test_words(extension))
}

/// The last words of the names of test classes, where files are called after their classes. `Spec`
/// and `Suite` are everyday words in Java and Kotlin: `KeySpec`, `CipherSuite`.
fn test_words(extension: &str) -> &'static [&'static str] {
    match extension {
        "java" | "kt" | "kts" | "go" | "rs" => &["Test", "Tests", "TestCase", "TestSuite"],
        _ => &["Test", "Tests", "TestCase", "Spec", "Specs", "Suite"],
    }
}

/// A capital begins a word: `unitTests`, not `latest`.
fn ends_in_word(name: &str, words: &[&str]) -> bool {
    let ends = |word: &&str| {
        let before = name.strip_suffix(word);
        before.is_some_and(|before| before.ends_with(|char: char| char.is_ascii_alphanumeric()))
    };
    words.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::is_test;

    #[test]
    fn tests_are_known_by_folder_and_name() {
        for path in [
            "tests/a.py",
            "a/test_b.py",
            "a/tests.rs",
            "src/a/test.rs",
            "mux_test.go",
            "x/y.spec.ts",
            "spec/a_spec.rb",
            "src/router-test.js",
            "types/index.test-d.ts",
            "src/RouterTest.java",
            "src/test/java/RouterTest.java",
            "integration-tests/src/main/java/Shop.java",
            "src/routing/RouteSuite.scala",
            "src/appTests.cs",
            "appsettings.Test.json",
            "src/__mocks__/fs.js",
            "app/e2e/login.ts",
            "src/Shop.Tests/Checkout.cs",
            "core/src/jvmTest/kotlin/Server.kt",
            "integration-tests/a.go",
            "conftest.py",
        ] {
            assert!(is_test(path), "{path}");
        }
    }

    #[test]
    fn words_that_only_end_like_tests_are_none() {
        for path in [
            "src/latest.py",
            "src/testing.py",
            "contest/a.go",
            "tokio-test/src/io.rs",
            "src/main/java/javax/crypto/KeySpec.java",
            "okhttp/src/CipherSuite.kt",
            "packaging/app.spec",
            "scrapy/utils/test.py",
            ".github/workflows/test.yml",
            "src/main/java/org/junit/Test.java",
            "api/src/main/java/org/junit/RepeatedTest.java",
            "engine/src/main/java/org/junit/tests/Order.java",
            "core/src/commonMain/kotlin/StringSpec.kt",
            "Sources/Quick/QuickTestCase.swift",
        ] {
            assert!(!is_test(path), "{path}");
        }
    }
}
