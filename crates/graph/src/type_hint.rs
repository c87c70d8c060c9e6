//! Types as signatures state them: text in, dotted type names out. No resolution.

/// What a signature says of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// The name does not occur.
    Absent,
    /// It occurs without a type.
    Untyped,
    /// The types it may have, dotted.
    Types(Vec<String>),
    /// The expression it is set to.
    Value(String),
}

/// Type names that stand for what they hold.
const WRAPPERS: &[&str] = &[
    "Option",
    "Optional",
    "Box",
    "Rc",
    "Arc",
    "Ref",
    "RefMut",
    "Union",
    "Promise",
    "Awaitable",
    "Type",
    "type",
    "Readonly",
    "Required",
    "Annotated",
    "Self",
    "NonNull",
    "Pin",
    "Cow",
    "Final",
    "ClassVar",
    "typing",
    "t",
    "unique_ptr",
    "shared_ptr",
    "std",
];
/// Words in a type that are no names.
const WORDS: &[&str] = &[
    "mut",
    "dyn",
    "impl",
    "const",
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
];

/// The type of `name` in a signature: a parameter, a receiver, a field, a variable.
pub(crate) fn of_name(signature: &str, name: &str) -> Hint {
    let mut found = Hint::Absent;
    for (at, _) in signature.match_indices(name) {
        let (before, after) = (&signature[..at], &signature[at + name.len()..]);
        let of_self = before.ends_with("self.") || before.ends_with("this.");
        let inside = before.ends_with(|c| is_word(c) || matches!(c, '.' | '\'')) && !of_self;
        let is_default = before.trim_end().ends_with('=');
        if inside || after.starts_with(is_word) || is_default {
            continue;
        }
        match beside(before, after) {
            Hint::Absent => {}
            Hint::Untyped => found = Hint::Untyped,
            typed => return typed,
        }
    }
    found
}

/// The types that a function returns.
pub(crate) fn returned(signature: &str) -> Vec<String> {
    if let Some((_, result)) = signature.rsplit_once("->") {
        return names(result.split(" where ").next().unwrap_or(result));
    }
    let Some(close) = signature.rfind(')') else {
        return Vec::new();
    };
    let after = signature[close + 1..].trim();
    if let Some(result) = after.strip_prefix(':') {
        return names(result.split(['{', '=']).next().unwrap_or(result));
    }
    if signature.starts_with("func") {
        // Go: `func (r *T) Name(params) (A, error)` or `func Name(params) A`.
        let result = if after.is_empty() {
            let open = signature.rfind('(').unwrap_or(close);
            let whole = signature[..open].trim_end().ends_with(')');
            if whole {
                signature[open + 1..close].split(',').next().unwrap_or("")
            } else {
                ""
            }
        } else {
            after.trim_end_matches('{')
        };
        let result = result.trim();
        return names(result.rsplit(' ').next().unwrap_or(result));
    }
    Vec::new()
}

/// What stands around one occurrence of the name.
fn beside(before: &str, after: &str) -> Hint {
    let next = after.trim_start();
    let next = next.strip_prefix(['?', '!']).unwrap_or(next).trim_start();
    if let Some(value) = next.strip_prefix(":=") {
        return Hint::Value(value.trim().to_owned());
    }
    if let Some(rest) = next.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
        return typed(names(type_text(rest)));
    }
    if let Some(value) = next
        .strip_prefix('=')
        .filter(|rest| !rest.starts_with(['=', '>']))
    {
        let own = typed_before(before);
        return if own.is_empty() {
            Hint::Value(value.trim().to_owned())
        } else {
            Hint::Types(own)
        };
    }
    let ends_item = next.is_empty() || next.starts_with([',', ')', ';', ']']);
    if after.starts_with(' ') && !ends_item && !next.starts_with(['(', '{', '<', '|']) {
        // Go: `name Type`.
        return typed(names(type_text(next)));
    }
    if ends_item {
        let own = typed_before(before);
        if !own.is_empty() {
            return Hint::Types(own);
        }
        // Go: `a, b Type` gives both the type.
        if let Some(rest) = next.strip_prefix(',')
            && let Some((_, rest)) = rest.trim_start().split_once(' ')
            && before.trim_start().starts_with("func")
        {
            return typed(names(type_text(rest)));
        }
        return Hint::Untyped;
    }
    Hint::Absent
}

fn typed(names: Vec<String>) -> Hint {
    if names.is_empty() {
        Hint::Untyped
    } else {
        Hint::Types(names)
    }
}

/// C, Java, C#: `Type name`, `const Type &name`.
fn typed_before(before: &str) -> Vec<String> {
    let item = before.rsplit(['(', ',', ';']).next().unwrap_or(before);
    let item = item.trim_end();
    let word = item.trim_end_matches(['*', '&', '>', ']', ' ']);
    if word.is_empty() || !word.ends_with(is_word) {
        return Vec::new();
    }
    names(item)
}

/// The text of a type up to where it ends, brackets counted.
fn type_text(text: &str) -> &str {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' if depth == 0 => return &text[..at],
            ')' | ']' | '>' => depth -= 1,
            ',' | '=' | ';' | '{' if depth <= 0 => return &text[..at],
            _ => {}
        }
    }
    text
}

/// The dotted names of the alternatives of a type, wrappers opened.
fn names(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for alternative in text.split('|') {
        let mut rest = alternative;
        while let Some(start) = rest.find(|c: char| is_word(c) && !c.is_ascii_digit()) {
            let is_path = |c: char| is_word(c) || c == '.' || c == ':' || c == '\\';
            let tail = &rest[start..];
            let end = tail.find(|c| !is_path(c)).unwrap_or(tail.len());
            let path = tail[..end]
                .trim_end_matches([':', '.'])
                .replace("::", ".")
                .replace('\\', ".");
            rest = &tail[end..];
            let last = path.rsplit('.').next().unwrap_or(&path);
            if WORDS.contains(&path.as_str()) || WRAPPERS.contains(&last) {
                continue;
            }
            let lifetime = tail.len() < alternative.len()
                && alternative[..alternative.len() - tail.len()].ends_with('\'')
                && !alternative[alternative.len() - tail.len() + end..].starts_with('\'');
            if lifetime {
                continue;
            }
            if !found.contains(&path) {
                found.push(path);
            }
            break;
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::{Hint, of_name, returned};

    fn check(signature: &str, name: &str, expected: &[&str]) {
        let expected = Hint::Types(expected.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(of_name(signature, name), expected, "{name} in {signature}");
    }

    #[test]
    fn parameters_have_the_types_that_are_written() {
        check(
            "def f(self, ctx: Context, x=1) -> None",
            "ctx",
            &["Context"],
        );
        check("def f(ctx: \"Context\" | None)", "ctx", &["Context"]);
        check("def f(app: t.Optional[Flask] = None)", "app", &["Flask"]);
        check("fn f(&self, glob: &'a mut Glob) -> X", "glob", &["Glob"]);
        check(
            "fn f(set: Option<Box<dyn crate::a::Set>>)",
            "set",
            &["crate.a.Set"],
        );
        check(
            "func (r *Router) Use(mw ...MiddlewareFunc)",
            "r",
            &["Router"],
        );
        check("func f(a, b *Flag, c string)", "a", &["Flag"]);
        check(
            "f(def: core.$ZodType, x?: Foo): Bar",
            "def",
            &["core.$ZodType"],
        );
        check("f(def: core.$ZodType, x?: Foo): Bar", "x", &["Foo"]);
        check("void f(const Foo &foo, Bar *bar)", "foo", &["Foo"]);
        check("void f(const Foo &foo, Bar *bar)", "bar", &["Bar"]);
        check("private final Foo foo", "foo", &["Foo"]);
    }

    #[test]
    fn a_name_without_a_type_is_untyped_or_absent() {
        assert_eq!(of_name("function f(app, x)", "app"), Hint::Untyped);
        assert_eq!(of_name("function f(app, x)", "y"), Hint::Absent);
        assert_eq!(
            of_name("const x = new Foo(1)", "x"),
            Hint::Value("new Foo(1)".to_owned())
        );
    }

    #[test]
    fn results_are_read_in_each_notation() {
        for (signature, expected) in [
            ("fn f(x: u8) -> Result2", "Result2"),
            ("def f(x) -> Context", "Context"),
            ("f(x: number): Foo", "Foo"),
            ("func (r *Router) NewRoute() *Route", "Route"),
            ("func New() (*Route, error)", "Route"),
        ] {
            assert_eq!(returned(signature), [expected], "{signature}");
        }
    }
}
