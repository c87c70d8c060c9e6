//! The sentences of a claim that an index can check: two names with a verb between them.

/// A word of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// In backticks, or shaped like code or a path.
    pub(super) is_code: bool,
    ends_sentence: bool,
}

/// A sentence whose truth the index knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sentence {
    Uses(String, String),
    Imports(String, String),
    /// Heir, verb, base.
    Extends(String, &'static str, String),
    DefinedIn(String, String),
    Unused(String),
    Untested(String),
}

pub(super) fn read(claim: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for raw in claim.split_whitespace() {
        let open = raw.trim_start_matches(['(', '"', '\'', '`', '[']);
        let body = open.trim_end_matches([')', '"', '\'', '`', ']', ',', ';', '.', ':', '!', '?']);
        // `run()` is a name and its call; the brackets are no part of it.
        let text = body.trim_end_matches('(').trim_end_matches("()");
        let quoted = raw.contains('`');
        let ends_sentence = raw.ends_with(['.', ';', '!', '?']);
        if !text.is_empty() {
            words.push(Word {
                is_code: quoted || looks_like_code(text) || raw.contains("()"),
                text: text.to_owned(),
                ends_sentence,
            });
        }
    }
    words
}

/// `camelCase`, `snake_case`, `a.b`, `A::b`, `src/a.rs`.
fn looks_like_code(text: &str) -> bool {
    let inner_upper =
        text.chars().skip(1).any(char::is_uppercase) && text.chars().any(char::is_lowercase);
    let joined = text
        .trim_matches(['.', '/', '_'])
        .contains(['_', '/', '.', ':']);
    let is_name = text
        .chars()
        .all(|c| c.is_alphanumeric() || "_./:-#$@".contains(c));
    let is_number = text
        .chars()
        .all(|c| c.is_ascii_digit() || ".,:-/".contains(c));
    is_name && !is_number && (inner_upper || joined) && !text.starts_with("http")
}

pub(super) fn is_path(text: &str) -> bool {
    let stem = text.split(':').next().unwrap_or(text);
    let ending = stem.rsplit_once('.').map_or("", |(_, ending)| ending);
    let language = whyrank_syntax::detect(&format!("x.{ending}"), b"");
    stem.contains('/') || language.is_some_and(|language| language.name() != "text")
}

/// Sentences of the form code, verb, code: what stands between two names, or after one.
pub(super) fn sentences(words: &[Word]) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.is_code) {
        let mut between: Vec<String> = Vec::new();
        if word.ends_sentence {
            continue;
        }
        let mut object = None;
        for next in &words[at + 1..] {
            if next.is_code {
                object = Some(&next.text);
                break;
            }
            between.push(next.text.to_lowercase());
            if next.ends_sentence {
                break;
            }
        }
        found.extend(sentence(&word.text, &between, object));
    }
    found
}

fn sentence(subject: &str, between: &[String], object: Option<&String>) -> Option<Sentence> {
    let has = |words: &[&str]| between.iter().any(|word| words.contains(&word.as_str()));
    let negated = has(&["not", "never", "no", "doesn't", "don't", "isn't", "cannot"]);
    let subject = subject.to_owned();
    let first = between.iter().map(String::as_str).find(|word| {
        !matches!(
            *word,
            "is" | "are"
                | "was"
                | "be"
                | "directly"
                | "always"
                | "also"
                | "then"
                | "the"
                | "a"
                | "an"
                | "function"
                | "method"
                | "class"
        )
    });
    if has(&["unused", "dead"]) || (negated && has(&["called", "used", "referenced"])) {
        return Some(Sentence::Unused(subject));
    }
    if has(&["untested"]) || (negated && has(&["tested", "tests", "test"])) {
        return Some(Sentence::Untested(subject));
    }
    // What something does not do is left to the reader.
    let object = object.filter(|_| !negated)?.clone();
    match first? {
        "calls" | "call" | "uses" | "use" | "invokes" | "invoke" => {
            Some(Sentence::Uses(subject, object))
        }
        "called" | "used" | "invoked" if has(&["by", "from"]) => {
            Some(Sentence::Uses(object, subject))
        }
        "imports" | "import" | "requires" => Some(Sentence::Imports(subject, object)),
        "imported" if has(&["by"]) => Some(Sentence::Imports(object, subject)),
        "extends" | "inherits" | "subclasses" | "subclass" | "embeds" => {
            Some(Sentence::Extends(subject, "extends", object))
        }
        "implements" | "satisfies" => Some(Sentence::Extends(subject, "implements", object)),
        "overrides" => Some(Sentence::Extends(subject, "overrides", object)),
        "implemented" if has(&["by"]) => Some(Sentence::Extends(object, "implements", subject)),
        "extended" | "subclassed" if has(&["by"]) => {
            Some(Sentence::Extends(object, "extends", subject))
        }
        "overridden" if has(&["by", "in"]) => Some(Sentence::Extends(object, "overrides", subject)),
        "defined" | "declared" | "implemented" | "lives" | "located" if is_path(&object) => {
            Some(Sentence::DefinedIn(subject, object))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(claim: &str, expected: &[Sentence]) {
        assert_eq!(sentences(&read(claim)), expected, "{claim}");
    }

    #[test]
    fn sentences_are_read() {
        let text = str::to_owned;
        check(
            "`run` calls `stop`.",
            &[Sentence::Uses(text("run"), text("stop"))],
        );
        check(
            "`stop` is called by startServer()",
            &[Sentence::Uses(text("startServer"), text("stop"))],
        );
        check(
            "The class FooBar is defined in src/foo.ts:12, and `old_way` is never used.",
            &[
                Sentence::DefinedIn(text("FooBar"), text("src/foo.ts:12")),
                Sentence::Unused(text("old_way")),
            ],
        );
        check(
            "src/a.py imports src/b.py",
            &[Sentence::Imports(text("src/a.py"), text("src/b.py"))],
        );
        check(
            "`A` extends `B`. `C` has no tests",
            &[
                Sentence::Extends(text("A"), "extends", text("B")),
                Sentence::Untested(text("C")),
            ],
        );
        check(
            "`B.m` is overridden in `A`. `A` is a subclass of `B`",
            &[
                Sentence::Extends(text("A"), "overrides", text("B.m")),
                Sentence::Extends(text("A"), "extends", text("B")),
            ],
        );
        check("`a` does not call `b`", &[]);
        check("Nothing here is code, e.g. 3.14 or 10-20.", &[]);
    }
}
