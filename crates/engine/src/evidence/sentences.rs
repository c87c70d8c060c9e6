//! The sentences of a claim that an index can check: names with a relation between them.

/// A word of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// In backticks, shaped like code or a path, or a plain word that is a known name where a name is
    /// expected.
    pub(super) is_code: bool,
    /// In backticks or shaped like code: a name whether it is known or not.
    pub(super) is_marked: bool,
    /// A file or folder, as opposed to a symbol.
    pub(super) is_place: bool,
    ends_sentence: bool,
}

/// What a sentence says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sentence {
    Uses(String, String),
    UsedIn(String, String),
    Imports(String, String),
    /// Heir, verb, base.
    Extends(String, &'static str, String),
    DefinedIn(String, String),
    HasMember(String, String),
    Used(String),
    Unused(String),
    Tested(String),
    Untested(String),
    /// The opposite of what it holds.
    Not(Box<Self>),
    /// Names, and nothing about them that an index knows.
    Unread(String),
}

/// Words between two names that say nothing of their relation.
const FILLERS: [&str; 22] = [
    "is", "are", "was", "be", "gets", "directly", "always", "also", "then", "only", "the", "a",
    "an", "by", "its", "of", "function", "method", "class", "struct", "module", "file",
];
const NEGATIONS: [&str; 12] = [
    "not", "never", "no", "doesn't", "don't", "isn't", "aren't", "cannot", "nothing", "nobody",
    "none", "nowhere",
];
/// A plain word after one of these may be a folder.
const BEFORE_PLACES: [&str; 6] = ["in", "inside", "within", "below", "under", "from"];
const USING: [&str; 12] = [
    "calls",
    "call",
    "uses",
    "use",
    "invokes",
    "invoke",
    "using",
    "calling",
    "references",
    "instantiates",
    "constructs",
    "delegates",
];
const USED: [&str; 5] = ["called", "used", "invoked", "referenced", "instantiated"];
const EXTENDING: [&str; 14] = [
    "extends",
    "inherits",
    "implements",
    "subclasses",
    "subclass",
    "extend",
    "implement",
    "inherit",
    "derives",
    "embeds",
    "satisfies",
    "satisfy",
    "overrides",
    "override",
];
const PLACED: [&str; 5] = ["defined", "declared", "implemented", "lives", "located"];
const USERS: [&str; 8] = [
    "caller",
    "callers",
    "user",
    "users",
    "uses",
    "usages",
    "references",
    "call",
];

const MEMBERS: [&str; 7] = [
    "method",
    "function",
    "field",
    "property",
    "member",
    "attribute",
    "constructor",
];

/// What an index knows of the words of a claim.
pub(super) trait Names {
    /// Whether a word is the name of a definition, as it is written.
    fn is_symbol(&self, word: &str) -> bool;
    /// Whether a name with the shape of a path means one: `Context.json` may be a method.
    fn is_place(&self, name: &str) -> bool;
    /// Whether a word is a folder.
    fn is_folder(&self, word: &str) -> bool;
}

/// Reads a claim's words.
pub(super) fn read(claim: &str, names: &dyn Names) -> Vec<Word> {
    let mut words = Vec::new();
    for raw in claim.split_whitespace() {
        let open = raw.trim_start_matches(['(', '"', '\'', '`', '[']);
        let body = open.trim_end_matches([')', '"', '\'', '`', ']', ',', ';', '.', ':', '!', '?']);
        // `run()` is a name and its call; the brackets are no part of it.
        let text = body.trim_end_matches('(').trim_end_matches("()");
        let is_marked = raw.contains('`') || looks_like_code(text) || raw.contains("()");
        let ends_sentence = raw.ends_with(['.', ';', '!', '?']);
        if !text.is_empty() {
            words.push(Word {
                is_code: is_marked,
                is_marked,
                is_place: is_marked && names.is_place(text),
                text: text.to_owned(),
                ends_sentence,
            });
        }
    }
    mark_folders(&mut words, names);
    mark_plain_names(&mut words, names);
    words
}

/// `in src` names a folder, where there is one.
fn mark_folders(words: &mut [Word], names: &dyn Names) {
    for at in 1..words.len() {
        let before = words[at - 1].text.to_lowercase();
        let is_after = BEFORE_PLACES.contains(&before.as_str()) && !words[at - 1].ends_sentence;
        let word = &mut words[at];
        if is_after && !word.is_place && !names.is_symbol(&word.text) && names.is_folder(&word.text)
        {
            (word.is_code, word.is_place) = (true, true);
        }
    }
}

/// Plain words beside a relation are names where they are known: `Server starts` says nothing of a
/// symbol, `Server calls Load` does.
fn mark_plain_names(words: &mut [Word], names: &dyn Names) {
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let is_relation = |at: usize| {
        let word = lower[at].as_str();
        let is_verb = [
            USING.as_slice(),
            &USED,
            &EXTENDING,
            &PLACED,
            &["imports", "tested", "unused"],
        ]
        .iter()
        .any(|verbs| verbs.contains(&word));
        is_verb || NEGATIONS.contains(&word)
    };
    let is_plain = |word: &str| {
        let is_filler = FILLERS.contains(&word) || NEGATIONS.contains(&word) || word.len() < 2;
        !is_filler
            && !matches!(
                word,
                "from" | "in" | "has" | "have" | "and" | "or" | "it" | "this" | "that"
            )
    };
    for at in 0..words.len() {
        if words[at].is_code || is_relation(at) || !is_plain(&lower[at]) {
            continue;
        }
        // Before a relation, perhaps with `is` between; or after one, perhaps with `by the`.
        let steps = |range: &mut dyn Iterator<Item = usize>| {
            let mut near = range.skip_while(|near| FILLERS.contains(&lower[*near].as_str()));
            near.next().is_some_and(is_relation)
        };
        let ends = words[at].ends_sentence;
        let is_beside = (!ends && steps(&mut (at + 1..words.len()))) || steps(&mut (0..at).rev());
        words[at].is_code = is_beside && names.is_symbol(&words[at].text);
    }
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
    let is_short = matches!(text, "e.g" | "i.e" | "etc");
    is_name && !is_number && !is_short && (inner_upper || joined) && !text.starts_with("http")
}

/// Whether a name has the shape of a path: a slash, or the ending of a file.
pub(super) fn looks_like_path(text: &str) -> bool {
    let stem = text.split(':').next().unwrap_or(text);
    let ending = stem.rsplit_once('.').map_or("", |(_, ending)| ending);
    let language = whyrank_syntax::detect(&format!("x.{ending}"), b"");
    stem.contains('/') || language.is_some_and(|language| language.name() != "text")
}

/// What is between two names, or after one, of each sentence; a sentence with names of which
/// nothing could be read is unread.
pub(super) fn sentences(words: &[Word]) -> Vec<Sentence> {
    let ends = |word: &Word| word.ends_sentence;
    let of_one = words.split_inclusive(ends);
    of_one.flat_map(in_sentence).collect()
}

fn in_sentence(words: &[Word]) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.is_code) {
        let rest = &words[at + 1..];
        let n_between = rest.iter().take_while(|next| !next.is_code).count();
        let between: Vec<String> = rest[..n_between]
            .iter()
            .map(|word| word.text.to_lowercase())
            .collect();
        let object = rest.get(n_between);
        found.extend(sentence(&word.text, &between, object));
    }
    let names = words.iter().filter(|word| word.is_code).count();
    // A list of names, or a name alone, says only that they are there.
    if found.is_empty() && names > 0 && words.len() > names + 1 {
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        found.push(Sentence::Unread(text.join(" ")));
    }
    found
}

fn sentence(subject: &str, between: &[String], object: Option<&Word>) -> Option<Sentence> {
    let has = |words: &[&str]| between.iter().any(|word| words.contains(&word.as_str()));
    let name = || subject.to_owned();
    let is_negated = has(&NEGATIONS);
    let negate = |sentence: Sentence| {
        if is_negated {
            Sentence::Not(Box::new(sentence))
        } else {
            sentence
        }
    };
    if let Some(object) = object
        && let Some(read) = relation(subject, between, object)
    {
        return Some(negate(read));
    }
    if has(&["unused", "dead"]) || (has(&["without"]) && has(&USERS)) {
        return Some(Sentence::Unused(name()));
    }
    if has(&["untested"]) {
        return Some(Sentence::Untested(name()));
    }
    if has(&["tested", "tests", "test"]) {
        return Some(if is_negated {
            Sentence::Untested(name())
        } else {
            Sentence::Tested(name())
        });
    }
    let is_of_use = has(&USED) || (has(&["has", "have", "had", "with", "no"]) && has(&USERS));
    is_of_use.then(|| {
        if is_negated {
            Sentence::Unused(name())
        } else {
            Sentence::Used(name())
        }
    })
}

/// That one stands in for the other, and by which verb.
fn extends(heir: &str, verb: &str, base: &str) -> Sentence {
    let verb = match verb {
        "implements" | "implement" | "satisfies" | "satisfy" => "implements",
        "overrides" | "override" => "overrides",
        _ => "extends",
    };
    Sentence::Extends(heir.to_owned(), verb, base.to_owned())
}

/// A relation between two names.
fn relation(subject: &str, between: &[String], object: &Word) -> Option<Sentence> {
    let is_place = object.is_place;
    let object = object.text.as_str();
    let has = |words: &[&str]| between.iter().any(|word| words.contains(&word.as_str()));
    let pair = || (subject.to_owned(), object.to_owned());
    let turned = || (object.to_owned(), subject.to_owned());
    let of = |make: fn(String, String) -> Sentence, (one, other): (String, String)| {
        Some(make(one, other))
    };
    // Behind another clause the second name belongs to that.
    if has(&["and", "but", "while", "whereas"]) {
        return None;
    }
    let mut telling = between.iter().map(String::as_str).filter(|word| {
        !FILLERS.contains(word) && !NEGATIONS.contains(word) && !matches!(*word, "does" | "do")
    });
    match telling.next()? {
        word if USING.contains(&word) => of(Sentence::Uses, pair()),
        word if USED.contains(&word)
            && is_place
            && has(&["in", "from", "by", "within", "inside"]) =>
        {
            of(Sentence::UsedIn, pair())
        }
        word if USED.contains(&word) && has(&["by", "from", "in"]) => of(Sentence::Uses, turned()),
        "imports" | "import" | "requires" => of(Sentence::Imports, pair()),
        "imported" if has(&["by", "in", "from"]) => of(Sentence::Imports, turned()),
        word if EXTENDING.contains(&word) => Some(extends(subject, word, object)),
        "implemented" if has(&["by"]) => Some(extends(object, "implements", subject)),
        "extended" | "subclassed" if has(&["by"]) => Some(extends(object, "extends", subject)),
        "overridden" if has(&["by", "in"]) && !is_place => {
            Some(extends(object, "overrides", subject))
        }
        word if PLACED.contains(&word) && is_place => of(Sentence::DefinedIn, pair()),
        "in" if is_place => of(Sentence::DefinedIn, pair()),
        "has" if has(&MEMBERS) && !is_place => of(Sentence::HasMember, pair()),
        "contains" | "defines" | "declares" | "exposes" | "provides" if !is_place => {
            of(Sentence::HasMember, pair())
        }
        "member" if has(&["of"]) => of(Sentence::HasMember, turned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;

    impl Names for Known {
        fn is_symbol(&self, word: &str) -> bool {
            ["Load", "start", "Server"].contains(&word)
        }

        fn is_place(&self, name: &str) -> bool {
            looks_like_path(name) && name != "Context.json"
        }

        fn is_folder(&self, word: &str) -> bool {
            word == "src"
        }
    }

    fn check(claim: &str, expected: &[Sentence]) {
        let words = read(claim, &Known);
        assert_eq!(sentences(&words), expected, "{claim}");
    }

    fn uses(user: &str, used: &str) -> Sentence {
        Sentence::Uses(user.to_owned(), used.to_owned())
    }

    #[test]
    fn sentences_are_read() {
        let text = str::to_owned;
        check("`run` calls `stop`.", &[uses("run", "stop")]);
        check(
            "`stop` is called by startServer()",
            &[uses("startServer", "stop")],
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
        check(
            "`stop` is called in src/main.rs",
            &[Sentence::UsedIn(text("stop"), text("src/main.rs"))],
        );
        check("`stop` has no callers", &[Sentence::Unused(text("stop"))]);
        check("`stop` is tested.", &[Sentence::Tested(text("stop"))]);
        check("`stop` is used", &[Sentence::Used(text("stop"))]);
        check(
            "`Router` has a method `use`",
            &[Sentence::HasMember(text("Router"), text("use"))],
        );
        check("Nothing here is code, e.g. 3.14 or 10-20.", &[]);
    }

    #[test]
    fn plain_words_are_names_beside_a_relation() {
        check("changeConfig calls Load.", &[uses("changeConfig", "Load")]);
        check("Load is called by the Server", &[uses("Server", "Load")]);
        check(
            "start never calls Load",
            &[Sentence::Not(Box::new(uses("start", "Load")))],
        );
        check("Load balances the Server", &[]);
    }

    #[test]
    fn names_that_end_like_files_are_symbols_where_they_are_known() {
        let text = str::to_owned;
        let used_in = Sentence::UsedIn(text("Context.json"), text("src"));
        check(
            "Context.json is called by nobody in src",
            &[Sentence::Not(Box::new(used_in))],
        );
        check("`run` uses Context.json.", &[uses("run", "Context.json")]);
        check(
            "`run` is used in package.json",
            &[Sentence::UsedIn(text("run"), text("package.json"))],
        );
    }

    #[test]
    fn what_is_denied_and_what_is_not_read_is_said() {
        check(
            "`a` does not call `b`",
            &[Sentence::Not(Box::new(uses("a", "b")))],
        );
        check(
            "`a` is faster than `b`.",
            &[Sentence::Unread("a is faster than b".to_owned())],
        );
        check("`a`, `b`", &[]);
    }
}
