//! What templates of issues bring along, and what machines print of themselves: headings, checklists,
//! questions to the reporter, lists of versions. It says nothing about the bug.

/// Headings of templates, lower-cased, without marks. What is below them is read.
const HEADINGS: [&str; 42] = [
    "actual behavior",
    "actual behaviour",
    "actual result",
    "actual results",
    "additional context",
    "additional information",
    "bug",
    "bug description",
    "bug report",
    "context",
    "current behavior",
    "current behaviour",
    "describe the bug",
    "describe the problem",
    "description",
    "details",
    "error",
    "error message",
    "expected",
    "expected behavior",
    "expected behaviour",
    "expected result",
    "expected results",
    "how to reproduce",
    "issue",
    "minimal reproduction",
    "possible solution",
    "problem",
    "proposed solution",
    "repro",
    "reproduction",
    "reproduction steps",
    "screenshots",
    "solution",
    "stack trace",
    "steps to reproduce",
    "suggested fix",
    "summary",
    "to reproduce",
    "traceback",
    "what happened",
    "what did you do",
];
/// Headings below which machines are described, until the next heading.
const OF_MACHINES: [&str; 18] = [
    "checklist",
    "configuration",
    "debug info",
    "desktop",
    "environment",
    "environment info",
    "info",
    "installed packages",
    "package versions",
    "platform",
    "pip list",
    "setup",
    "smartphone",
    "system",
    "system info",
    "system information",
    "version",
    "versions",
];
/// Parts of sentences that templates ask reporters with.
const ASKED: [&str; 16] = [
    "a clear and concise description",
    "a detailed description of the bug",
    "a short description",
    "before submitting",
    "check these guidelines",
    "have you searched",
    "if applicable, add",
    "include your os",
    "is there an existing issue",
    "operating system versions",
    "output of `pip list`",
    "please fill",
    "please provide",
    "please read",
    "thanks for submitting an issue",
    "thank you for taking the time",
];

/// What a heading says about what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// A template's, over text of the reporter.
    Template,
    /// Over versions and checklists.
    Machine,
    /// The reporter's own words.
    Own,
}

/// The heading that a line is: `## Steps`, `**Steps**`, `Steps to reproduce:`.
pub(super) fn heading(line: &str) -> Option<Heading> {
    let line = line.trim();
    let is_marked = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    let is_bold =
        line.len() > 4 && line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    let words = plain(line);
    let is_asked = |list: &[&str]| {
        let is = |known: &&str| words == *known || words.strip_suffix('s') == Some(*known);
        list.iter().any(is)
    };
    let is_label = line.ends_with(':') || is_marked || is_bold;
    if is_label && is_asked(&OF_MACHINES) || is_of_versions(&words) && (is_marked || is_bold) {
        return Some(Heading::Machine);
    }
    if is_label && is_asked(&HEADINGS) {
        return Some(Heading::Template);
    }
    (is_marked || is_bold).then_some(Heading::Own)
}

fn is_of_versions(words: &str) -> bool {
    words
        .split(' ')
        .any(|word| matches!(word, "version" | "versions" | "environment"))
}

fn plain(line: &str) -> String {
    let letters = line
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' });
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a line is a template's: a box to tick, a question to the reporter, a rule, an image, or a
/// version of something.
pub(super) fn is_boilerplate(line: &str) -> bool {
    let line = line.trim();
    let item = line.trim_start_matches(['-', '*', '+', ' ']);
    let is_box = ["[ ]", "[x]", "[X]"]
        .iter()
        .any(|mark| item.starts_with(mark));
    let is_rule = !line.is_empty() && line.bytes().all(|byte| b"-=_*~ ".contains(&byte));
    let is_image = item.starts_with("![") || item.starts_with("<img");
    let lower = line.to_lowercase();
    let is_asked = ASKED.iter().any(|asked| lower.contains(asked));
    is_box || is_rule || is_image || is_asked || is_version(item)
}

/// `python 3.8.2`, `pytest==6.0`, `OS: Ubuntu 20.04`, `attrs              19.3.0`: a name or three and a version.
fn is_version(line: &str) -> bool {
    let is_call = |(at, _): (usize, char)| line[..at].ends_with(|c: char| c.is_alphanumeric());
    if line.contains(" = ") || line.char_indices().filter(|(_, c)| *c == '(').any(is_call) {
        return false;
    }
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || "=:,()`*[]<>~^@".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &&&str| {
        let word = word.trim_start_matches(['v', 'V']).trim_end_matches('.');
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.contains('.')
            && 3 * digits >= word.len()
    };
    let n_numbers = words.iter().filter(is_number).count();
    n_numbers > 0 && words.len() <= 3 + 2 * n_numbers && words.len() <= 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_templates_are_told_from_the_reporter_s() {
        assert_eq!(heading("### Steps to Reproduce"), Some(Heading::Template));
        assert_eq!(heading("**Describe the bug**"), Some(Heading::Template));
        assert_eq!(heading("Expected behavior:"), Some(Heading::Template));
        assert_eq!(heading("## Environment"), Some(Heading::Machine));
        assert_eq!(heading("**Python version:**"), Some(Heading::Machine));
        assert_eq!(
            heading("## Blueprints lose their prefix"),
            Some(Heading::Own)
        );
        assert_eq!(heading("It fails here:"), None);
        assert_eq!(heading("#include <stdio.h>"), None);
    }

    #[test]
    fn boxes_questions_and_versions_say_nothing() {
        for line in [
            "- [x] I searched the issues",
            "A clear and concise description of what the bug is.",
            "- Python version: 3.8.2",
            "attrs              19.3.0",
            "pytest==6.0.0rc1",
            "---",
            "![shot](https://x/y.png)",
        ] {
            assert!(is_boilerplate(line), "{line}");
        }
        for line in [
            "It works in 1.0 but not in 1.1 any more, because of the cache",
            "x = f(1.5)",
            "raise on dots",
            "",
        ] {
            assert!(!is_boilerplate(line), "{line}");
        }
    }
}
