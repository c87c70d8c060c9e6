//! Working trees that scenes begin with: changed, as committed, ahead of the main branch, and in a merge.

use super::demo::{commit_staged, git, git_command, write};
use std::fs;
use std::path::Path;

/// Brings the working tree into the state of a scene; false where that has none of its own.
pub(super) fn work_on(scene: &str, yard: &Path) -> bool {
    match scene {
        "changing" => change_much(yard),
        "unchanged" => put_back(yard),
        "ahead" => get_ahead(yard),
        "merging" => merge(yard),
        _ => return false,
    }
    true
}

/// A signature, what is staged, new and removed files, one that moved, and one that is no code.
fn change_much(yard: &Path) {
    let (router, node) = ("src/router.ts", "src/router/trie-router/node.ts");
    change(
        yard,
        router,
        "match(method: Method, path: string): Match<T>",
        "match(method: Method, path: string, host: string): Match<T>",
    );
    change(
        yard,
        router,
        "/** The methods that",
        "/** The methods of HTTP that",
    );
    change(
        yard,
        node,
        "search(method: Method, path: string): Match<T> {",
        "search(method: Method, path: string): Match<T> {\n    // Most requests ask for the root.",
    );
    git(yard, &["add", node], &[]);
    change(yard, "README.md", "# ", "# The ");
    let (url, path) = (
        yard.join("src/utils/url.ts"),
        yard.join("src/utils/path.ts"),
    );
    fs::rename(url, path).expect("a file");
    fs::remove_file(yard.join("src/handlers/stocks.ts")).expect("a file");
    write(&yard.join("src/router/trie-router/cache.ts"), CACHE);
}

/// Its second function is one of `src/utils/url.ts` by another name.
const CACHE: &str = r#"/** Keeps what was found. */
export function cached<T>(find: () => T): T {
  return find();
}

/** The key of a request. */
export function keyOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.slice(start).search(/[?#]/);
  const path = end < 0 ? url.slice(start) : url.slice(start, start + end);
  return path.slice(0, 8192);
}
"#;

/// As it was committed.
fn put_back(yard: &Path) {
    git(yard, &["checkout", "--quiet", "--", "."], &[]);
}

fn get_ahead(yard: &Path) {
    put_back(yard);
    git(yard, &["checkout", "--quiet", "-b", "faster-routes"], &[]);
    let router = "src/router/linear-router/router.ts";
    let (one, two) = (
        "const segments = splitPath(path);",
        "\n    if (segments.length > 64) return none();",
    );
    change(yard, router, one, &format!("{one}{two}"));
    commit(yard, "2026-05-20T08:00:00Z", "Refuse very long paths");
    change(yard, router, "length > 64", "length > 32");
    commit(yard, "2026-05-21T08:00:00Z", "Refuse long paths");
    let none = "\n\nfunction none<T>(): Match<T> {\n  return { handlers: [], params: {} };\n}\n";
    change(
        yard,
        router,
        "params: {} };\n  }\n}\n",
        &format!("params: {{}} }};\n  }}\n}}{none}"),
    );
    commit(yard, "2026-05-22T08:00:00Z", "Give no handlers for them");
}

/// Both sides changed the same line.
fn merge(yard: &Path) {
    put_back(yard);
    let (app, was) = ("src/app.ts", "\"404 Not Found\"");
    git(yard, &["checkout", "--quiet", "-b", "plain-answers"], &[]);
    change(yard, app, was, "\"Not Found\"");
    commit(yard, "2026-05-20T08:00:00Z", "Answer without the number");
    git(yard, &["checkout", "--quiet", "main"], &[]);
    change(yard, app, was, "`404 ${url}`");
    commit(yard, "2026-05-21T08:00:00Z", "Answer with the address");
    let who = [
        ("GIT_COMMITTER_NAME", "Ana López"),
        ("GIT_COMMITTER_EMAIL", "ana@example.org"),
    ];
    let merged = git_command(yard, &["merge", "--quiet", "plain-answers"], &who).output();
    assert!(!merged.expect("git starts").status.success());
    assert!(yard.join(".git/MERGE_HEAD").exists(), "they conflict");
}

fn commit(yard: &Path, date: &str, message: &str) {
    git(yard, &["add", "."], &[]);
    commit_staged(yard, date, "Ana López", message);
}

fn change(yard: &Path, file: &str, was: &str, now: &str) {
    let file = yard.join(file);
    let text = fs::read_to_string(&file).expect("a source of the demo");
    assert!(text.contains(was), "{was} in {}", file.display());
    write(&file, &text.replacen(was, now, 1));
}
