//! Types as written: the dotted names in a text, wrappers opened, and what a container holds. Text
//! in, names out; nothing is resolved.

/// One of the alternatives of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeName {
    /// The dotted name; empty for an array.
    pub(crate) path: String,
    /// The type of what it holds, as written: the last argument, the elements of an array.
    pub(crate) held: Option<String>,
    /// How many arguments it is given.
    pub(crate) n_given: usize,
}

impl TypeName {
    fn of(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            held: None,
            n_given: 0,
        }
    }

    /// An array.
    fn many(held: &str) -> Self {
        Self {
            path: String::new(),
            held: Some(held.trim().to_owned()),
            n_given: 0,
        }
    }
}

/// Type names that mean what they hold.
pub(crate) const WRAPPERS: &[&str] = &[
    "Annotated",
    "Arc",
    "AtomicReference",
    "Awaitable",
    "Box",
    "Cell",
    "ClassVar",
    "CompletableFuture",
    "Coroutine",
    "Cow",
    "Deferred",
    "Final",
    "Future",
    "Lazy",
    "LazyLock",
    "ManuallyDrop",
    "MaybeUninit",
    "Mutex",
    "MutexGuard",
    "NonNull",
    "NoInfer",
    "NonNullable",
    "Omit",
    "OnceCell",
    "OnceLock",
    "Option",
    "Optional",
    "Partial",
    "Pick",
    "Pin",
    "Promise",
    "PromiseLike",
    "Provider",
    "Rc",
    "ReadOnly",
    "Readonly",
    "Ref",
    "RefCell",
    "RefMut",
    "Required",
    "Result",
    "RwLock",
    "SoftReference",
    "Supplier",
    "Task",
    "ThreadLocal",
    "Type",
    "Union",
    "UniquePtr",
    "ValueTask",
    "Weak",
    "WeakRef",
    "WeakReference",
    "optional",
    "reference_wrapper",
    "shared_ptr",
    "type",
    "unique_ptr",
    "weak_ptr",
];

/// Words in a type that are no names.
const WORDS: &[&str] = &[
    "mut",
    "dyn",
    "impl",
    "readonly",
    "keyof",
    "typeof",
    "unique",
    "None",
    "null",
    "undefined",
    "struct",
    "enum",
    "class",
    "union",
    "final",
    "ref",
    "out",
    "in",
    "volatile",
    "unsigned",
    "var",
    "let",
    "val",
    "static",
    "public",
    "private",
    "protected",
    "abstract",
    "override",
    "async",
    "fn",
    "func",
    "chan",
    "map",
    "interface",
    "this",
    "is",
    "as",
    "pub",
    "const",
    "inline",
    "extern",
    "virtual",
    "constexpr",
    "internal",
    "sealed",
    "synchronized",
    "native",
    "default",
    "new",
    "partial",
    "explicit",
    "friend",
    "export",
    "declare",
    "function",
    "typename",
    "register",
    "unsafe",
    "crate",
];

/// Types that say nothing of what a value is.
const NOTHING: &[&str] = &[
    "Any",
    "AnyObject",
    "None",
    "any",
    "dynamic",
    "id",
    "mixed",
    "never",
    "nil",
    "null",
    "object",
    "undefined",
    "unknown",
    "void",
];

/// Tells what a wrapper's name means where the text stands.
pub(crate) type MeaningOf<'m> = &'m dyn Fn(&str) -> WrapperName;

/// The alternatives of a type, wrappers opened.
pub(crate) fn types(text: &str) -> Vec<TypeName> {
    types_seen(text, &|_| WrapperName::Wrapper)
}

/// The meaning of a wrapper's name where a type is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrapperName {
    /// What it holds.
    Wrapper,
    /// A type of the checkout, which may hand on the members of what it holds.
    Both,
    /// A type of the checkout.
    Type,
}

/// The same, where the checkout may have types that bear the names of wrappers.
pub(crate) fn types_seen(text: &str, meaning: MeaningOf<'_>) -> Vec<TypeName> {
    let mut found = Vec::new();
    for alternative in split_top(text, '|') {
        // TypeScript: `A & B` has the members of both.
        for part in alternative.split(" & ") {
            add_types(part, &mut found, 0, meaning);
        }
    }
    found
}

/// The parts of a tuple or of several results, as written.
pub(crate) fn parts_of(text: &str) -> Vec<&str> {
    let text = text.trim();
    let inner = ["(", "[", "tuple[", "Tuple[", "Result<(", "Option<("]
        .iter()
        .find_map(|open| text.strip_prefix(open));
    inner.map_or_else(Vec::new, |inner| split_top(inner, ','))
}

/// Says whether an angle bracket of a text states a bound, as in Scala: `A <: B`, `A >: B`.
pub(crate) fn is_bound(text: &str, at: usize) -> bool {
    let (before, rest) = text.split_at(at);
    let behind = &rest[1..];
    before.ends_with(' ') && behind.starts_with(':') && !behind.starts_with("::")
}

/// Splits outside of brackets, up to the bracket that closes the text around.
pub(crate) fn split_top(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut last) = (0i32, 0, ' ');
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match c {
            '<' | '>' if is_bound(text, at) => {}
            '(' | '[' | '<' | '{' => depth += 1,
            '>' if matches!(last, '-' | '=') => {}
            ')' | ']' | '>' | '}' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
        if depth < 0 {
            end = at;
            break;
        }
        last = c;
    }
    if start < end {
        parts.push(text[start..end].trim());
    }
    parts
}

fn add_types(text: &str, found: &mut Vec<TypeName>, depth: u32, meaning: MeaningOf<'_>) {
    let whole = text.trim().trim_start_matches(['&', '?', '$']);
    if matches!(whole, "static" | "self" | "this" | "Self") {
        return found.push(TypeName::of(whole));
    }
    let text = without_marks(text);
    if depth > 6 || text.is_empty() {
        return;
    }
    if let Some(rest) = text.strip_prefix('[') {
        return found.push(bracketed(text, rest));
    }
    if let Some(rest) = text.strip_prefix('(') {
        match split_top(rest, ',')[..] {
            [only] if text.ends_with("[]") => found.push(TypeName::many(only)),
            [only] => found.extend(types_seen(only, meaning)),
            _ => {}
        }
        return;
    }
    let is_path = |c: char| is_word(c) || matches!(c, '.' | ':' | '\\');
    let end = text.find(|c| !is_path(c)).unwrap_or(text.len());
    let plain = text[..end]
        .trim_end_matches([':', '.'])
        .trim_start_matches(['\\', ':', '.']);
    // PHP: `\Type` is no type of the namespace around.
    let root = if text.starts_with('\\') { "." } else { "" };
    let path = format!("{root}{plain}")
        .replace("::", ".")
        .replace('\\', ".");
    let rest = text[end..].trim_start();
    if path == "map" && rest.starts_with('[') {
        let held = rest.find(']').map_or("", |at| &rest[at + 1..]);
        return found.push(TypeName::many(held));
    }
    if rest.starts_with("[]") || text[..end].ends_with("...") {
        return found.push(TypeName::many(&path));
    }
    let arguments = match rest.chars().next() {
        Some('<' | '[') => split_top(&rest[1..], ','),
        _ => Vec::new(),
    };
    let last = path.rsplit('.').next().unwrap_or(&path);
    let meant = (WRAPPERS.contains(&last) && !arguments.is_empty()).then(|| meaning(last));
    if meant == Some(WrapperName::Both) {
        found.push(TypeName::of(&path));
    }
    if meant.is_some_and(|meant| meant != WrapperName::Type) {
        for argument in wrapped(last, arguments) {
            add_types(argument, found, depth + 1, meaning);
        }
        return;
    }
    if !arguments.is_empty() && text.ends_with("[]") {
        return found.push(TypeName::many(&text[..text.len() - 2]));
    }
    let is_name = plain.starts_with(|c: char| is_word(c) && !c.is_ascii_digit());
    let is_nothing =
        WORDS.contains(&path.as_str()) || NOTHING.contains(&path.rsplit('.').next().unwrap_or(""));
    let held = arguments.last().map(|held| (*held).to_owned());
    let name = TypeName {
        path,
        held,
        n_given: arguments.len(),
    };
    if is_name && !is_nothing && !found.contains(&name) {
        found.push(name);
    }
}

/// `[T]`, `[T; 4]`, `[K: V]`; in Go `[]T`.
fn bracketed(text: &str, rest: &str) -> TypeName {
    let inner = split_top(rest, ';');
    let first = inner.first().copied().unwrap_or("");
    let after = text.find(']').map_or("", |at| &text[at + 1..]);
    let is_go = after.starts_with(|c: char| is_word(c) || matches!(c, '*' | '[' | '('));
    TypeName::many(if is_go {
        after
    } else {
        first.rsplit(':').next().unwrap_or(first)
    })
}

/// The alternatives of what a wrapper holds, by its arguments.
fn wrapped<'t>(wrapper: &str, mut arguments: Vec<&'t str>) -> Vec<&'t str> {
    if wrapper == "Coroutine" {
        arguments.reverse();
    }
    if wrapper != "Union" {
        arguments.truncate(1);
    }
    let alternatives = arguments.iter().map(|argument| split_top(argument, '|'));
    alternatives.flatten().collect()
}

/// A type without what says how it is held: references, lifetimes, modifiers.
pub(crate) fn without_marks(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        text = without_annotation(text.trim_start());
        let rest = text.trim_start_matches(['&', '*', '?', '@', '^', '"', ' ']);
        let rest = rest.strip_prefix("...").unwrap_or(rest);
        let rest = match rest.strip_prefix('\'') {
            Some(quoted) if quoted.ends_with('\'') => &quoted[..quoted.len() - 1],
            Some(lifetime) => lifetime.trim_start_matches(is_word),
            None => rest,
        };
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let is_mark = end < rest.len()
            && WORDS.contains(&&rest[..end])
            && rest[end..].starts_with([' ', '*', '&']);
        let rest = if is_mark { &rest[end..] } else { rest };
        if rest.len() == text.len() {
            return rest.trim_end_matches([';', '"', '?', '!', ' ']);
        }
        text = rest;
    }
}

/// What follows the annotation or attribute that a type begins with: `@A(b) Foo`, `[A] Foo`, `#[A] Foo`.
fn without_annotation(text: &str) -> &str {
    let follows = |rest: &str| {
        let next = rest.trim_start();
        next.len() < rest.len() && next.starts_with(|c: char| is_word(c) || matches!(c, '@' | '['))
    };
    let is_path = |c: char| is_word(c) || c == '.';
    let rest = match text.strip_prefix('@') {
        Some(named) => named.trim_start_matches(is_path),
        None => text.strip_prefix('#').unwrap_or(text),
    };
    let rest = match bracket_end(rest) {
        Some(end) if rest.starts_with('(') == text.starts_with('@') => &rest[end..],
        _ if text.starts_with('@') => rest,
        _ => return text,
    };
    if follows(rest) {
        rest.trim_start()
    } else {
        text
    }
}

/// Where the bracket that a text begins with ends.
fn bracket_end(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    let begins = text.starts_with(['(', '[']);
    let mut ends = text.char_indices().filter(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth == 0
    });
    let end = ends.next().filter(|_| begins);
    end.map(|(at, c)| at + c.len_utf8())
}

/// Says whether a type is written as parameters of generics are: `T`, `K2`, `TResult`.
pub(crate) fn is_type_parameter(text: &str) -> bool {
    let mut chars = text.trim_matches(['?', '&', '*', ' ']).chars();
    let (first, rest) = (chars.next(), chars.as_str());
    let is_short = rest.chars().all(|char| char.is_ascii_digit());
    let is_long = rest.starts_with(|char: char| char.is_ascii_uppercase())
        && rest.chars().all(char::is_alphanumeric);
    match first {
        Some('T') => is_short || is_long,
        first => first.is_some_and(|char| char.is_ascii_uppercase()) && is_short,
    }
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
