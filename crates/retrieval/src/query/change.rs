//! Queries about a change: commit messages and titles of issues. `fix(router): keep the
//! query on redirect (#12)` asks for the place where the query is lost, and names the part of the
//! program beforehand, as conventional commits and the kernel's `area: what` do.

/// What such a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangeMessage {
    /// The part that it names: `router`, `net/http`. Empty for none.
    pub(crate) areas: Vec<String>,
    /// What the first line says, without marks and numbers.
    pub(crate) subject: String,
    /// The other lines.
    pub(crate) body: String,
    /// The message's own word for it says that something else than code changes.
    pub(crate) is_about: Option<About>,
}

/// What a change changes besides code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Tests,
    Docs,
    Build,
}

/// Types of conventional commits (conventionalcommits.org and Angular's guidelines).
const TYPES: [&str; 15] = [
    "build", "bug", "bugfix", "chore", "ci", "docs", "feat", "fix", "hotfix", "perf", "refactor",
    "revert", "style", "test", "tests",
];
/// Words that say that something changed, and nothing about what.
const OF_CHANGE: [&str; 6] = ["fix", "fixes", "fixed", "fixing", "bugfix", "hotfix"];
/// Words before the number of an issue that a change deals with.
const DEALS_WITH: [&str; 5] = ["closes", "closed", "resolves", "resolved", "issue"];
const QUESTIONS: [&str; 7] = ["how", "what", "where", "which", "who", "why", "when"];
/// An area is short.
const MAX_AREA: usize = 40;
const MAX_AREA_WORDS: usize = 3;

impl ChangeMessage {
    /// Reads a query as the message of a change; `None` when it is none. `is_part` says about a name whether
    /// the program has a part that is called so.
    pub(crate) fn read(text: &str, is_part: impl Fn(&str) -> bool) -> Option<Self> {
        let (first, body) = text.split_once('\n').unwrap_or((text, ""));
        let first = without_marks(first);
        let (kind, areas, rest) = head(first);
        let closes = rest
            .split_whitespace()
            .zip(rest.split_whitespace().skip(1))
            .any(|(word, next)| {
                (is_of_change(word) || is_one_of(word, &DEALS_WITH)) && is_number(next)
            });
        let opens = rest.split_whitespace().next().is_some_and(is_of_change);
        let names_parts = !areas.is_empty() && areas.iter().all(|area| is_part(area));
        let is_of_parts = names_parts && !is_said_otherwise(&areas, rest);
        if kind.is_none() && !opens && !closes && !is_of_parts {
            return None;
        }
        Some(Self {
            areas,
            subject: without_numbers(rest),
            body: without_numbers(body),
            is_about: kind.and_then(|kind| match kind {
                "test" | "tests" => Some(About::Tests),
                "docs" => Some(About::Docs),
                "build" | "ci" | "chore" => Some(About::Build),
                _ => None,
            }),
        })
    }
}

/// Whether what comes before a colon is no part of the program: `TypeError: …`, `note: …`; or what
/// follows it is a question.
fn is_said_otherwise(areas: &[String], rest: &str) -> bool {
    const MARKS: [&str; 9] = [
        "error",
        "exception",
        "warning",
        "panic",
        "note",
        "todo",
        "hint",
        "info",
        "debug",
    ];
    let is_mark = |area: &String| MARKS.iter().any(|mark| area.ends_with(mark));
    let first = rest.split_whitespace().next().unwrap_or("");
    areas.iter().any(is_mark) || rest.trim_end().ends_with('?') || is_one_of(first, &QUESTIONS)
}

/// Whether a word says no more than that something was repaired.
pub(crate) fn is_of_change(word: &str) -> bool {
    is_one_of(word, &OF_CHANGE)
}

fn is_one_of(word: &str, known: &[&str]) -> bool {
    let word = word.trim_matches(|char: char| !char.is_alphanumeric());
    known.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// `#12`, `(#12)`, `#12:`.
fn is_number(word: &str) -> bool {
    let word = word.trim_matches(|char: char| "()[]:,.;-".contains(char));
    word.strip_prefix('#').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// `KEY-12`, as trackers number their issues.
fn is_ticket(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',']);
    word.split_once('-').is_some_and(|(key, digits)| {
        key.len() > 1
            && key.bytes().all(|byte| byte.is_ascii_uppercase())
            && digits.len() > 1
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Takes off what comes before a message: bullets, `[branch]`, the number of an issue.
fn without_marks(line: &str) -> &str {
    let mut line = line;
    loop {
        let before = line;
        line = line.trim_start_matches(|char: char| char.is_whitespace() || "-*•".contains(char));
        if let Some((_, after)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            line = after;
        }
        let word = line.split_whitespace().next().unwrap_or("");
        if is_ticket(word) || is_number(word) || (word == "PR" && line.starts_with("PR #")) {
            line = &line[word.len()..];
        }
        if line == before {
            return line;
        }
    }
}

/// The type of a conventional commit, the areas that it names, and the rest of the line.
fn head(line: &str) -> (Option<&str>, Vec<String>, &str) {
    let Some((before, rest)) = line.split_once(": ") else {
        return (None, Vec::new(), line);
    };
    let is_short = before.len() <= MAX_AREA
        && before.split_whitespace().count() <= MAX_AREA_WORDS
        && !before.contains(['"', '\'', '`']);
    if !is_short {
        return (None, Vec::new(), line);
    }
    let (word, areas) = match before.trim_end_matches('!').split_once('(') {
        Some((word, areas)) => (word.trim(), areas.trim_end_matches(')')),
        None => (before.trim_end_matches('!'), ""),
    };
    let kind = TYPES
        .into_iter()
        .find(|kind| kind.eq_ignore_ascii_case(word));
    let areas = match (kind, areas) {
        (None, "") => word,
        (None, _) => return (None, Vec::new(), line),
        (Some(_), areas) => areas,
    };
    let areas = areas.split([',', '|', '&']).map(str::trim);
    let areas = areas.filter(|area| !area.is_empty() && !is_of_change(area));
    (kind, areas.map(str::to_lowercase).collect(), rest)
}

/// A text without the numbers of issues.
fn without_numbers(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !is_number(word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, String) {
        let change = ChangeMessage::read(text, |_| false).expect("a change");
        (change.areas, change.subject)
    }

    #[test]
    fn areas_are_told_from_what_is_said() {
        let none: [&str; 0] = [];
        for (text, areas, subject) in [
            (
                "fix(router): keep the query (#12)",
                vec!["router"],
                "keep the query",
            ),
            ("net/http: fix a leak", vec!["net/http"], "fix a leak"),
            ("KEY-908 Curl: Fix proxy URL", vec!["curl"], "Fix proxy URL"),
            (
                "[13.x] Fix ratio comparison",
                none.to_vec(),
                "Fix ratio comparison",
            ),
            (
                "- Fixed reading of numbers",
                none.to_vec(),
                "Fixed reading of numbers",
            ),
            ("feat!: drop old parsers", none.to_vec(), "drop old parsers"),
            (
                "Lifetime can be an integer. Fixes #310",
                none.to_vec(),
                "Lifetime can be an integer. Fixes",
            ),
        ] {
            let (found, said) = read(text);
            assert_eq!(
                (found, said.as_str()),
                (
                    areas.iter().map(|area| (*area).to_owned()).collect(),
                    subject
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn questions_and_messages_of_programs_are_no_changes() {
        for text in [
            "how are bugs fixed",
            "where is the fix for redirects applied",
            "error: cannot open file",
            "parse a url: the host part",
            "fixture loading",
            "UTF-8 decoding",
        ] {
            assert_eq!(ChangeMessage::read(text, |_| false), None, "{text}");
        }
    }

    #[test]
    fn what_stands_before_a_colon_is_an_area_where_the_program_has_it() {
        let is_part = |area: &str| ["router", "net/http", "errors", "typeerror"].contains(&area);
        let (areas, subject) = {
            let change = ChangeMessage::read("router: keep the query on redirect", is_part);
            let change = change.expect("a change");
            (change.areas, change.subject)
        };
        assert_eq!(
            (areas[0].as_str(), subject.as_str()),
            ("router", "keep the query on redirect")
        );
        for text in [
            "parse a url: the host part",
            "TypeError: x is not a function",
            "router: where are routes matched",
            "net/http: which client is used?",
        ] {
            assert_eq!(ChangeMessage::read(text, is_part), None, "{text}");
        }
    }
}
