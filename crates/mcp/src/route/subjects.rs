//! What a question is about: names, paths and the revision since which something changed.

/// What a question is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subjects {
    /// Names of definitions, in order.
    pub(super) names: Vec<String>,
    /// Files and folders, in order.
    pub(super) paths: Vec<String>,
    /// The revision that something is compared with.
    pub(super) since: Option<String>,
}

/// A word without what punctuation surrounds it.
pub(super) fn bare(raw: &str) -> &str {
    let word = raw
        .trim_matches(|c: char| "()[]\"'`,;:!?".contains(c))
        .trim_end_matches('.');
    word.trim_end_matches("()")
}

/// Words in backticks, words shaped like code, paths, folders after `in`, names where a question has
/// one, and the revision after `since`.
pub(super) fn subjects(question: &str, is_place: &dyn Fn(&str) -> bool) -> Subjects {
    let mut found = Subjects::default();
    let words: Vec<&str> = question.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
    for (at, raw) in words.iter().enumerate() {
        let word = bare(raw);
        let before = |n: usize| at.checked_sub(n).map_or("", |at| lower[at].as_str());
        let is_quoted = raw.contains('`');
        if word.is_empty() {
            continue;
        }
        if is_since(&lower[..at]) && is_revision(word) {
            found.since = Some(word.to_owned());
        } else if is_path(word)
            || (is_placing(before(1), before(2)) && !is_quoted && is_place(word))
        {
            found.paths.push(word.to_owned());
        } else if is_quoted
            || is_identifier(word)
            || raw.contains("()")
            || is_name_expected(&lower, at)
        {
            found.names.push(word.to_owned());
        }
    }
    found.since = found.since.or_else(|| last_commits(&lower));
    found
}

/// Whether a revision may follow.
fn is_since(before: &[String]) -> bool {
    let last = |n: usize| {
        before
            .len()
            .checked_sub(n)
            .map_or("", |at| before[at].as_str())
    };
    let is_cue = |word: &str| matches!(word, "since" | "against" | "versus" | "vs" | "after");
    let is_second = matches!(
        last(1),
        "the" | "commit" | "branch" | "tag" | "to" | "with" | "on"
    ) && (is_cue(last(2))
        || matches!(last(2), "compared" | "relative" | "changed"));
    is_cue(last(1)) || is_second
}

/// `HEAD~3`, `main`, `origin/dev`, `v1.2.0`, a commit's id.
fn is_revision(word: &str) -> bool {
    let is_id = (7..=40).contains(&word.len()) && word.chars().all(|c| c.is_ascii_hexdigit());
    let version = word.trim_start_matches(['v', 'V']);
    let is_version = version.starts_with(|c: char| c.is_ascii_digit())
        && (version.contains('.') || word != version);
    let is_branch = matches!(
        word,
        "main" | "master" | "develop" | "dev" | "trunk" | "release"
    );
    let is_remote = word.starts_with("origin/") || word.starts_with("upstream/");
    word.starts_with("HEAD")
        || word.contains(['~', '^'])
        || is_id
        || is_version
        || is_branch
        || is_remote
}

/// `the last 3 commits`: the revision before them.
fn last_commits(lower: &[String]) -> Option<String> {
    let at = lower
        .iter()
        .position(|word| matches!(word.as_str(), "last" | "latest" | "previous"))?;
    let n = |word: &str| match word {
        "two" => Some(2),
        "three" => Some(3),
        "five" => Some(5),
        word => word.parse::<u32>().ok(),
    };
    match (lower.get(at + 1).map(String::as_str)?, lower.get(at + 2)) {
        ("commit", _) => Some("HEAD~1".to_owned()),
        (count, Some(what)) if what.starts_with("commit") => Some(format!("HEAD~{}", n(count)?)),
        _ => None,
    }
}

/// Whether a folder may follow: `in`, or `in the`.
fn is_placing(last: &str, second: &str) -> bool {
    let is_cue = |word: &str| matches!(word, "in" | "under" | "below" | "inside" | "within" | "of");
    is_cue(last) || (matches!(last, "the" | "folder" | "directory" | "package") && is_cue(second))
}

/// Before a name in a question of who or what.
const VERBS: [&str; 13] = [
    "calls",
    "call",
    "uses",
    "use",
    "covers",
    "cover",
    "reads",
    "writes",
    "invokes",
    "references",
    "tests",
    "test",
    "reaches",
];
/// The same, where types and members that stand in for another are asked for.
const HEIRS: [&str; 9] = [
    "implements",
    "implement",
    "extends",
    "extend",
    "subclasses",
    "overrides",
    "override",
    "satisfies",
    "satisfy",
];
/// After a name that is said to be something.
const STATES: [&str; 10] = [
    "defined",
    "declared",
    "used",
    "called",
    "unused",
    "tested",
    "dead",
    "untested",
    "implemented",
    "referenced",
];
/// Before `of`, `to` or `for` and a name.
const NOUNS: [&str; 14] = [
    "callers",
    "users",
    "usages",
    "uses",
    "references",
    "definition",
    "signature",
    "impact",
    "implementations",
    "implementors",
    "implementers",
    "subclasses",
    "subtypes",
    "descendants",
];

/// Whether the word at a place is a name though nothing about it looks like one: `who calls load`,
/// `where is load defined`, `tests for load`.
fn is_name_expected(lower: &[String], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| lower.get(at)).map_or("", String::as_str);
    let (before, second, next) = (
        word(at.checked_sub(1)),
        word(at.checked_sub(2)),
        word(Some(at + 1)),
    );
    let is_last = at + 1 == lower.len() || matches!(next, "in" | "since" | "and" | "from" | "to");
    let is_asked = lower
        .iter()
        .any(|word| matches!(word.as_str(), "who" | "what" | "which" | "where"));
    let is_plain = lower[at].len() > 1
        && !matches!(
            lower[at].as_str(),
            "there"
                | "anything"
                | "any"
                | "these"
                | "those"
                | "it"
                | "this"
                | "that"
                | "them"
                | "the"
                | "what"
                | "code"
                | "my"
        );
    is_plain
        && ((is_last && is_asked && VERBS.contains(&before))
            || (is_last && asks_heirs(lower, second) && HEIRS.contains(&before))
            || (matches!(before, "is" | "are") && STATES.contains(&next))
            || (is_last
                && before == "from"
                && matches!(
                    second,
                    "inherit" | "inherits" | "derive" | "derives" | "derived"
                ))
            || (is_last
                && matches!(before, "of" | "to" | "for")
                && (NOUNS.contains(&second) || second == "tests"))
            || (is_last
                && matches!(
                    before,
                    "class" | "function" | "method" | "struct" | "trait" | "interface"
                )))
}

/// `who implements load`, `which types extend load`; not `what should I implement next`.
fn asks_heirs(lower: &[String], before_verb: &str) -> bool {
    let first = lower.first().map_or("", String::as_str);
    matches!(first, "who" | "what" | "which")
        && !matches!(before_verb, "i" | "we" | "you" | "they" | "to")
}

fn is_path(word: &str) -> bool {
    let stem_and_ending = word.rsplit_once('.');
    let ends_as_file = stem_and_ending
        .is_some_and(|(stem, ending)| !stem.is_empty() && FILE_ENDINGS.contains(&ending));
    ends_as_file || (word.contains('/') && !word.starts_with("http") && word.len() > 2)
}

const FILE_ENDINGS: [&str; 40] = [
    "rs", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "java", "kt", "c", "h", "cc", "cpp",
    "hpp", "cs", "rb", "php", "swift", "scala", "lua", "sh", "vue", "svelte", "astro", "ex", "exs",
    "hs", "zig", "dart", "proto", "tf", "sql", "md", "ipynb", "json", "toml", "yaml", "yml",
];

/// `camelCase`, `PascalCase`, `snake_case`, `a.b`, `A::b`.
fn is_identifier(word: &str) -> bool {
    let is_name = word
        .chars()
        .all(|c| c.is_alphanumeric() || "_.:#$".contains(c));
    let has_letter = word.chars().any(char::is_alphabetic);
    let inner_upper =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let joined = word.contains('_') || word.contains("::") || word.trim_matches('.').contains('.');
    is_name && has_letter && (inner_upper || joined) && !matches!(word, "e.g" | "i.e")
}
