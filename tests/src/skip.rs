//! Tests that cannot run on this machine: they say so where the test command lists it.

use std::io::Write;

/// Notes that a test did not run, and why. The test command prints the notes at its end.
#[expect(
    clippy::print_stderr,
    reason = "the test runner shows it under --nocapture"
)]
pub fn skip(test: &str, reason: &str) {
    eprintln!("skipped: {test}: {reason}");
    let Some(path) = std::env::var_os("WHYRANK_TEST_SKIPS") else {
        return;
    };
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path);
    if let Ok(mut file) = file {
        let _ = file.write_all(format!("{test}: {reason}\n").as_bytes());
    }
}
