//! Names, paths and modules that a text mentions.

use std::collections::{BTreeMap, HashSet};

/// A name and how much its mention says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    /// As written, qualified where it was: `Session.request`.
    pub(crate) text: String,
    /// What the strongest mention says.
    pub(crate) weight: f64,
}

/// What a mention says by where it stands.
pub(super) mod says {
    /// An identifier in the title.
    pub(crate) const IN_TITLE: f64 = 2.0;
    /// A plain word of the title, which a definition may be called.
    pub(crate) const WORD_OF_TITLE: f64 = 0.8;
    /// Between backticks.
    pub(crate) const QUOTED: f64 = 1.4;
    /// An identifier in prose.
    pub(crate) const IN_PROSE: f64 = 1.0;
    /// Called in code.
    pub(crate) const CALLED: f64 = 1.0;
    /// Read or imported in code.
    pub(crate) const IN_CODE: f64 = 0.5;
    /// Printed.
    pub(crate) const PRINTED: f64 = 0.25;
}

/// Names at most; the strongest, and among equals the first.
const MAX_NAMES: usize = 120;

/// Mentions, gathered.
#[derive(Default)]
pub(super) struct Mentions {
    names: BTreeMap<String, (f64, usize)>,
    pub(super) paths: Vec<String>,
    pub(super) modules: Vec<String>,
    /// What the reporter's own code defines or sets: no names of the repository.
    own: HashSet<String>,
}

impl Mentions {
    fn name(&mut self, text: &str, weight: f64) {
        let n = self.names.len();
        let entry = self.names.entry(text.to_owned()).or_insert((weight, n));
        entry.0 = entry.0.max(weight);
    }

    /// A line of prose: identifiers, paths, and what is between backticks.
    pub(super) fn prose(&mut self, line: &str, weight: f64) {
        for (at, piece) in line.split('`').enumerate() {
            let is_quoted = at % 2 == 1 && piece.len() < 200;
            if is_quoted {
                self.quoted(piece, weight.max(says::QUOTED))
            } else {
                self.words(piece, weight)
            }
        }
    }

    fn quoted(&mut self, piece: &str, weight: f64) {
        if piece.split_whitespace().count() > 6 {
            return self.code_line(piece);
        }
        for word in identifiers(piece) {
            if word.len() > 2 && !is_common(word) {
                self.name(word, weight);
            }
        }
        for word in piece.split_whitespace() {
            self.path_or_module(word);
        }
    }

    fn words(&mut self, text: &str, weight: f64) {
        for word in text.split_whitespace() {
            if let Some(path) = path_of_url(word) {
                self.paths.push(path);
                continue;
            }
            if word.contains("://") {
                continue;
            }
            let is_called = word.contains("()");
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '/');
            let is_path = self.path_or_module(word);
            if is_path {
                continue;
            }
            for part in identifiers(word) {
                if part.len() > 2 && (is_called || is_marked(part)) && !is_common(part) {
                    self.name(part, weight);
                }
            }
        }
    }

    /// Plain words of the title may be names as well: `uniq modifies its argument`.
    pub(super) fn title(&mut self, title: &str) {
        self.prose(title, says::IN_TITLE);
        for word in identifiers(title) {
            let is_plain = word.len() > 3 && word.chars().all(char::is_alphanumeric);
            if is_plain && !is_common(&word.to_lowercase()) {
                self.name(word, says::WORD_OF_TITLE);
            }
        }
    }

    /// A line of code.
    pub(super) fn code_line(&mut self, line: &str) {
        self.imports(line);
        self.defines(line);
        let bytes = line.as_bytes();
        for word in identifiers(line) {
            if word.len() < 3 || is_common(word) {
                continue;
            }
            let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
            let is_called = bytes.get(end) == Some(&b'(');
            let weight = if is_called {
                says::CALLED
            } else {
                says::IN_CODE
            };
            self.name(word, weight);
        }
    }

    /// A line that a program printed.
    pub(super) fn printed(&mut self, line: &str) {
        for word in identifiers(line) {
            if word.len() > 3 && is_marked(word) && !is_common(word) {
                self.name(word, says::PRINTED);
            }
        }
    }

    /// `from a.b import c`, `import a.b`, `use a::b`, `require("a/b")`, `import x from "a/b"`.
    fn imports(&mut self, line: &str) {
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default();
        if !matches!(
            first,
            "from" | "import" | "use" | "using" | "require" | "require_once"
        ) {
            return;
        }
        let rest = line[first.len()..].trim();
        let quoted = rest.split(['"', '\'']).nth(1);
        let module = quoted.or_else(|| rest.split([' ', ';', ',']).next());
        self.modules.extend(module.and_then(module_path));
    }

    /// `x = …`, `def f`, `class C`, `function f`, `const x`.
    fn defines(&mut self, line: &str) {
        let line = line.trim();
        let mut words = line.split(|c: char| c.is_whitespace() || "(:<{".contains(c));
        let first = words.next().unwrap_or_default();
        let keyword = [
            "def",
            "class",
            "function",
            "func",
            "fn",
            "const",
            "let",
            "var",
            "struct",
            "interface",
        ];
        if keyword.contains(&first) {
            self.own.extend(words.next().map(str::to_owned));
        }
        if let Some((left, right)) = line.split_once('=')
            && !right.starts_with('=')
            && !left.contains(['(', '.', '[', '"', '\''])
        {
            let names = left
                .split([',', ' '])
                .map(str::trim)
                .filter(|name| !name.is_empty());
            self.own.extend(names.map(str::to_owned));
        }
    }

    /// Notes a word that is a path or a dotted module; whether it was a path.
    fn path_or_module(&mut self, word: &str) -> bool {
        let word = word.trim_matches(|c: char| "\"'`()[]{}<>,;:!?*".contains(c));
        let plain = word.split_once(':').map_or(word, |(path, _)| path);
        if is_path(plain) {
            self.paths.push(plain.trim_start_matches("./").to_owned());
            return true;
        }
        if word.contains(['.', ':']) && !word.contains('/') {
            self.modules.extend(module_path(word));
        }
        false
    }

    /// Names by falling weight, without those that the reporter's own code defines.
    pub(super) fn names(&self) -> Vec<Name> {
        let foreign = self.names.iter().filter(|(text, _)| {
            let head = text.split(['.', ':']).next().unwrap_or(text);
            !self.own.contains(text.as_str()) && (head.len() == text.len() || head.len() > 1)
        });
        let mut names: Vec<(&String, &(f64, usize))> = foreign.collect();
        names.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.1.1.cmp(&b.1.1)));
        names.truncate(MAX_NAMES);
        let name = |(text, (weight, _)): (&String, &(f64, usize))| Name {
            text: text.clone(),
            weight: *weight,
        };
        names.into_iter().map(name).collect()
    }
}

/// Runs of letters, digits and `_`, joined by dots or `::`: `a.b`, `A::b`.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.' && c != ':');
    let trimmed = runs.map(|run| run.trim_matches(['.', ':']));
    trimmed.filter(|run| {
        let is_name = run.starts_with(|c: char| c.is_alphabetic() || c == '_');
        is_name && !run.contains("..") && run.len() < 100
    })
}

/// An inner capital, an underscore inside, a dot: what prose words do not have.
fn is_marked(word: &str) -> bool {
    let has_inner_capital =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    has_inner_capital
        || word.trim_matches('_').contains('_')
        || word.contains('.')
        || word.starts_with("__")
}

/// Words of languages and of English that name nothing, sorted: they are looked up by halves.
const COMMON: [&str; 96] = [
    "and",
    "any",
    "are",
    "args",
    "array",
    "assert",
    "async",
    "await",
    "bool",
    "break",
    "bug",
    "but",
    "bytes",
    "can",
    "case",
    "catch",
    "class",
    "console.log",
    "const",
    "continue",
    "def",
    "del",
    "dict",
    "does",
    "doesn",
    "don",
    "e.g",
    "elif",
    "else",
    "error",
    "except",
    "false",
    "final",
    "float",
    "for",
    "from",
    "func",
    "function",
    "get",
    "has",
    "have",
    "i.e",
    "import",
    "int",
    "is",
    "isn",
    "lambda",
    "len",
    "let",
    "list",
    "main",
    "map",
    "mut",
    "new",
    "nil",
    "none",
    "not",
    "null",
    "object",
    "of",
    "or",
    "pass",
    "print",
    "println",
    "private",
    "pub",
    "public",
    "raise",
    "range",
    "return",
    "self",
    "set",
    "should",
    "static",
    "str",
    "string",
    "struct",
    "super",
    "test",
    "that",
    "the",
    "this",
    "throw",
    "true",
    "try",
    "tuple",
    "type",
    "undefined",
    "use",
    "using",
    "var",
    "void",
    "when",
    "while",
    "with",
    "work",
];

fn is_common(word: &str) -> bool {
    COMMON.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// Whether a word is a file's path: folders, or a name with a source file's ending.
fn is_path(word: &str) -> bool {
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-@+".contains(&byte));
    let Some((stem, ending)) = word.rsplit_once('.') else {
        return false;
    };
    let is_source = whyrank_syntax::detect(&format!("x.{ending}"), b"")
        .is_some_and(|language| language.is_code());
    let is_stem = stem.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let is_lower = ending.bytes().all(|byte| byte.is_ascii_lowercase());
    plain && is_stem && is_source && is_lower && (stem.contains('/') || !stem.contains('.'))
}

/// The path of a link to a file: `https://github.com/o/r/blob/REF/a/b.py#L12`.
fn path_of_url(word: &str) -> Option<String> {
    let at = word.find("://")?;
    let (_, rest) = word[at..]
        .split_once("/blob/")
        .or_else(|| word[at..].split_once("/tree/"))?;
    let (_, path) = rest.split_once('/')?;
    let end = path
        .find(['#', '?', ')', '>', ']', '"', ','])
        .unwrap_or(path.len());
    let path = path[..end].trim_end_matches(['.', ')', '/']);
    (!path.is_empty()).then(|| path.to_owned())
}

/// `a/b` of `a.b`, `a::b`, `A\b`, `./a/b`: at least two parts, or a path.
fn module_path(text: &str) -> Option<String> {
    let text = text.trim_matches(['.', ':', '"', '\'', ';', '(', ')']);
    let parts: Vec<&str> = text
        .split(['.', ':', '/', '\\'])
        .filter(|part| !part.is_empty() && !matches!(*part, "crate" | "self" | "super" | "@"))
        .collect();
    let is_name = |part: &&str| {
        part.chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    };
    let is_word = |part: &&str| part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let are_names = parts.iter().all(|part| is_name(part) && is_word(part));
    (parts.len() > 1 && parts.len() < 12 && are_names).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(mentions: &Mentions) -> Vec<String> {
        mentions.names().into_iter().map(|name| name.text).collect()
    }

    #[test]
    fn quoted_and_marked_words_are_names_and_plain_ones_are_not() {
        let mut mentions = Mentions::default();
        mentions.prose(
            "The `router` of MyApp breaks url_for, which is bad",
            says::IN_PROSE,
        );
        let mut found = names(&mentions);
        found.sort();
        assert_eq!(found, ["MyApp", "router", "url_for"]);
    }

    #[test]
    fn what_the_reporter_defines_is_no_name_of_the_repository() {
        let mut mentions = Mentions::default();
        for line in [
            "from shop.cart import Cart",
            "def test_it():",
            "    basket = Cart(1)",
            "    basket.add(2)",
        ] {
            mentions.code_line(line);
        }
        assert_eq!(mentions.modules, ["shop/cart"]);
        let found = names(&mentions);
        assert!(found.contains(&"Cart".to_owned()));
        assert!(!found.contains(&"test_it".to_owned()), "{found:?}");
        assert!(!found.contains(&"basket".to_owned()), "{found:?}");
    }

    #[test]
    fn paths_and_links_are_paths() {
        let mut mentions = Mentions::default();
        mentions.prose(
            "In src/shop/cart.py, see https://github.com/o/r/blob/main/lib/a.js#L3-L9.",
            1.0,
        );
        assert_eq!(mentions.paths, ["src/shop/cart.py", "lib/a.js"]);
        assert!(names(&mentions).is_empty());
    }

    #[test]
    fn common_words_are_sorted() {
        assert!(COMMON.is_sorted());
    }
}
