//! Types as signatures state them: text in, type text and dotted names out. No resolution.

use super::type_names::{is_word, parts_of, types};

/// What a signature says about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StatedType {
    /// The name does not occur.
    Absent,
    /// It occurs without a type.
    Untyped,
    /// The type, as written.
    Type(String),
    /// The expression it is set to.
    Value(String),
}

/// The type of `name` in a signature: a parameter, a receiver, a field, a variable.
pub(crate) fn of_name(signature: &str, name: &str) -> StatedType {
    let mut found = StatedType::Absent;
    for (at, _) in signature.match_indices(name) {
        let (before, after) = (&signature[..at], &signature[at + name.len()..]);
        // PHP: `Type $name`.
        let before = before.strip_suffix('$').unwrap_or(before);
        let of_self = before.ends_with("self.") || before.ends_with("this.");
        let inside = before.ends_with(|c| is_word(c) || matches!(c, '.' | '\'' | '#')) && !of_self;
        let is_default = before.trim_end().ends_with('=');
        if inside || after.starts_with(is_word) || is_default || is_in_type(before) {
            continue;
        }
        match beside(before, after) {
            StatedType::Absent => {}
            StatedType::Untyped => found = StatedType::Untyped,
            typed => return typed,
        }
    }
    found
}

/// Says whether what follows stands in the type of a name before it: `n: Nam`, `n: dict[str, Nam]`, `n: A | Nam`.
fn is_in_type(before: &str) -> bool {
    let mut depth = 0i32;
    let mut start = None;
    for (at, c) in before.char_indices().rev() {
        match c {
            '>' if before[..at].ends_with(['-', '=']) => {}
            ')' | ']' | '}' | '>' => depth += 1,
            '(' | '{' if depth == 0 => {
                start = start.or(Some(at + 1));
                break;
            }
            // Inside of the brackets of a type: what counts is where these stand.
            '[' | '<' if depth == 0 => start = None,
            '(' | '[' | '{' | '<' => depth -= 1,
            ',' | ';' if depth == 0 => start = start.or(Some(at + 1)),
            _ => {}
        }
    }
    let item = &before[start.unwrap_or(0)..];
    let mut colons = item.match_indices(':').map(|(at, _)| at);
    colons.any(|at| {
        let (before, after) = (&item[..at], &item[at + 1..]);
        let is_path = before.ends_with(':') || after.starts_with(':');
        // Kotlin: `@field:Named("a") val foo: Foo`.
        let word = before.trim_end_matches(is_word);
        !is_path && !word.ends_with('@')
    })
}

/// What a parameter of a generic must be, as its head says: `D: Hook`, `T extends Shape`.
pub(crate) fn bound<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    signature.match_indices(name).find_map(|(at, _)| {
        let rest = signature[at + name.len()..].trim_start();
        let bound = rest
            .strip_prefix(':')
            .or_else(|| rest.strip_prefix("extends "))?;
        let is_whole = !signature[..at].ends_with(|c| is_word(c) || matches!(c, '.' | ':' | '\''));
        (is_whole && !bound.starts_with(':')).then(|| type_text(bound).trim())
    })
}

/// The type that a function returns, as written behind its parameters.
pub(crate) fn returned(signature: &str) -> Option<&str> {
    if let Some((_, result)) = signature.rsplit_once("->") {
        return Some(result.split(" where ").next().unwrap_or(result).trim());
    }
    let close = signature.rfind(')')?;
    let after = signature[close + 1..].trim();
    if let Some(result) = after.strip_prefix(':') {
        return Some(type_text(result).trim());
    }
    if signature.starts_with("func") {
        returned_unmarked(signature)
    } else {
        None
    }
}

/// `func (r *T) Name(params) (A, error)`, `func Name(params) A`, or without `func` in an interface.
pub(crate) fn returned_unmarked(signature: &str) -> Option<&str> {
    let close = signature.rfind(')')?;
    let after = signature[close + 1..].trim();
    if !after.is_empty() {
        return Some(after.trim_end_matches('{').trim());
    }
    let open = signature.rfind('(')?;
    let is_result = signature[..open].trim_end().ends_with(')');
    let is_method = signature[..open].matches('(').count() > 1 || !signature.starts_with("func (");
    (is_result && is_method).then(|| &signature[open..])
}

/// The types of several results, or of one in brackets, without the names that they may have:
/// `(a, b *Foo, err error)`.
pub(crate) fn unnamed_parts(result: &str) -> Vec<&str> {
    if !result.starts_with('(') {
        return Vec::new();
    }
    let parts = parts_of(result);
    let stated = |part: &str| {
        parts
            .iter()
            .skip_while(|other| **other != part)
            .find_map(named)
    };
    parts
        .iter()
        .map(|part| stated(part).unwrap_or(part))
        .collect()
}

/// `Type` of `name Type`; none for a type alone.
fn named<'s>(part: &&'s str) -> Option<&'s str> {
    let (name, stated) = part.split_once(' ')?;
    let begins_type = matches!(name, "chan" | "func" | "map" | "interface" | "struct");
    (name.chars().all(is_word) && !begins_type).then(|| stated.trim())
}

/// The type that stands before a function's name (C, Java, C#).
pub(crate) fn returned_before<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let at = signature.match_indices(name).map(|(at, _)| at).find(|at| {
        let after = signature[at + name.len()..].trim_start();
        after.starts_with(['(', '<'])
    })?;
    let mut before = signature[..at].trim_end();
    // `Foo Bar::name`
    while let Some(owner) = before.strip_suffix("::") {
        before = owner.trim_end_matches(|c| is_word(c) || matches!(c, '<' | '>' | ','));
    }
    let before = before.trim_end_matches(['*', '&', ' ']);
    let mut depth = 0i32;
    let start = before
        .char_indices()
        .rev()
        .find(|(_, c)| {
            match c {
                '>' | ']' | ')' => depth += 1,
                '<' | '[' | '(' => depth -= 1,
                _ => {}
            }
            c.is_whitespace() && depth == 0
        })
        .map_or(0, |(at, _)| at);
    let found = before[start..].trim();
    (!found.is_empty()).then_some(found)
}

/// What is around one occurrence of the name.
fn beside(before: &str, after: &str) -> StatedType {
    let next = after.trim_start();
    let next = next.strip_prefix(['?', '!']).unwrap_or(next).trim_start();
    if let Some(value) = next.strip_prefix(":=") {
        return StatedType::Value(value.trim().to_owned());
    }
    if let Some(rest) = next.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
        return typed(type_text(rest));
    }
    if let Some(bound) = next.strip_prefix("extends ") {
        return typed(type_text(bound));
    }
    if let Some(value) = next
        .strip_prefix('=')
        .filter(|rest| !rest.starts_with(['=', '>']))
    {
        return match typed_before(before) {
            Some(own) => typed(own),
            None => StatedType::Value(value.trim().to_owned()),
        };
    }
    let ends_item = next.is_empty() || next.starts_with([',', ')', ';', ']']);
    if after.starts_with(' ') && !ends_item && !next.starts_with(['(', '{', '<', '|']) {
        // Go: `name Type`.
        return typed(type_text(next));
    }
    if !ends_item {
        let is_property = ["{ get", "{ set", "{ init", "{ private", "{ protected", "=>"]
            .iter()
            .any(|begin| next.starts_with(begin));
        return match (is_property || next.starts_with('['))
            .then(|| typed_before(before))
            .flatten()
        {
            // C: `Type name[4]`; C#: `Type Name { get; }`.
            Some(own) => typed(own),
            None => StatedType::Absent,
        };
    }
    if let Some(own) = typed_before(before) {
        return typed(own);
    }
    // Go: `a, b Type` gives both the type.
    if let Some(rest) = next.strip_prefix(',')
        && let Some((_, rest)) = rest.trim_start().split_once(' ')
        && before.trim_start().starts_with("func ")
    {
        return typed(type_text(rest));
    }
    StatedType::Untyped
}

fn typed(text: &str) -> StatedType {
    if types(text).is_empty() {
        StatedType::Untyped
    } else {
        StatedType::Type(text.trim().to_owned())
    }
}

/// C, Java, C#: `Type name`, `const Type &name`.
fn typed_before(before: &str) -> Option<&str> {
    let mut depth = 0i32;
    let start = before.char_indices().rev().find(|(_, c)| {
        match c {
            '>' | ']' => depth += 1,
            '<' | '[' => depth -= 1,
            _ => {}
        }
        // A bracket that closes here ends an annotation: `@Column(name = "a") Foo foo`.
        depth < 0 || depth == 0 && matches!(c, '(' | ')' | ',' | ';' | '{')
    });
    let item = before[start.map_or(0, |(at, c)| at + c.len_utf8())..].trim_end();
    let word = item.trim_end_matches(['*', '&', '>', ']', '[', ' ', '.']);
    // Kotlin, Swift, Scala: an annotation before `val` is no type.
    let last = word.rsplit(|c| !is_word(c)).next().unwrap_or(word);
    let is_keyword = matches!(
        last,
        "val" | "var" | "let" | "const" | "def" | "by" | "lateinit"
    );
    if word.is_empty() || is_keyword || !word.ends_with(is_word) || types(item).is_empty() {
        return None;
    }
    Some(item)
}

/// The text of a type up to where it ends, brackets counted.
pub(crate) fn type_text(text: &str) -> &str {
    let mut depth = 0i32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            '>' if matches!(last, '-' | '=') => {}
            ')' | ']' | '>' if depth == 0 => return &text[..at],
            ')' | ']' | '>' => depth -= 1,
            ',' | ';' | '{' if depth <= 0 => return &text[..at],
            '=' if depth <= 0 && !text[at..].starts_with("=>") => return &text[..at],
            _ => {}
        }
        last = c;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{StatedType, of_name, returned, returned_before, unnamed_parts};
    use crate::resolution::type_names::{TypeName, parts_of, types};

    fn check(signature: &str, name: &str, expected: &[&str]) {
        let StatedType::Type(text) = of_name(signature, name) else {
            panic!("{name} has no type in {signature}");
        };
        assert_eq!(shown(&types(&text)), expected, "{name} in {signature}");
    }

    /// `path` or `path of held`.
    fn shown(types: &[TypeName]) -> Vec<String> {
        let show = |name: &TypeName| match &name.held {
            Some(held) => format!("{} of {held}", name.path),
            None => name.path.clone(),
        };
        types.iter().map(show).collect()
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
        check("@Mock Foo foo;", "foo", &["Foo"]);
        check("@Mock(name = \"x\") private @a.B Foo foo;", "foo", &["Foo"]);
        check("@A @B(1) final List<Foo> foo", "foo", &["List of Foo"]);
        check(
            "[Inject, Key(\"a\")] private readonly Foo foo;",
            "foo",
            &["Foo"],
        );
        check(
            "void f(@Named(\"a\") Foo foo, [In] Bar bar)",
            "foo",
            &["Foo"],
        );
        check(
            "void f(@Named(\"a\") Foo foo, [In] Bar bar)",
            "bar",
            &["Bar"],
        );
    }

    #[test]
    fn a_name_without_a_type_is_untyped_or_absent() {
        assert_eq!(of_name("function f(app, x)", "app"), StatedType::Untyped);
        assert_eq!(of_name("function f(app, x)", "y"), StatedType::Absent);
        for signature in [
            "function f(n: Nam, k: string)",
            "function f(n: Nam | string, k: string)",
            "function f(n: A & Nam, k: string): Nam",
            "function f(cb: (n: Nam, k: string) => void)",
            "func f(n: Nam, k: Int)",
            "def f(n: dict[str, Nam], k: int) -> Nam",
            "def f(n: Nam | None = None)",
            "fn f(n: &mut Nam, k: u8)",
            "fn f(n: Option<Nam>, k: u8)",
        ] {
            let told = of_name(signature, "Nam");
            let is_told = matches!(told, StatedType::Type(_) | StatedType::Value(_));
            assert!(!is_told, "{signature}: {told:?}");
        }
        assert_eq!(
            of_name("const x = new Foo(1)", "x"),
            StatedType::Value("new Foo(1)".to_owned())
        );
    }

    #[test]
    fn results_are_read_in_each_notation() {
        for (signature, expected) in [
            ("fn f(x: u8) -> Result2", "Result2"),
            ("def f(x) -> Context", "Context"),
            ("f(x: number): Foo", "Foo"),
            ("func (r *Router) NewRoute() *Route", "Route"),
        ] {
            let result = returned(signature).expect("a result");
            assert_eq!(shown(&types(result)), [expected], "{signature}");
        }
        let several = returned("func New() (*Route, error)").expect("results");
        assert_eq!(parts_of(several), ["*Route", "error"]);
        for (result, expected) in [
            ("(t *Tx, err error)", &["*Tx", "error"][..]),
            ("(a, b *Tx, n int)", &["*Tx", "*Tx", "int"]),
            ("(chan Tx, func(a int) Tx)", &["chan Tx", "func(a int) Tx"]),
            ("(t *Tx)", &["*Tx"]),
            ("[]Tx", &[]),
        ] {
            assert_eq!(unnamed_parts(result), expected, "{result}");
        }
        for (signature, name, expected) in [
            ("public static Map<K, V> of(K k)", "of", "Map<K, V>"),
            ("struct foo *make(int n)", "make", "foo"),
            ("Foo Bar::run(int x)", "run", "Foo"),
            ("public (Foo, Bar) Both()", "Both", "(Foo, Bar)"),
        ] {
            assert_eq!(
                returned_before(signature, name),
                Some(expected),
                "{signature}"
            );
        }
        assert_eq!(returned_before("Foo(int x)", "Foo"), None);
    }

    #[test]
    fn what_a_type_holds_is_kept_beside_it() {
        for text in ["any", "t.Any", "void", "object", "const"] {
            assert!(types(text).is_empty(), "{text}");
        }
        for (text, expected) in [
            ("Vec<Foo>", "Vec of Foo"),
            ("&'a [Foo]", " of Foo"),
            ("[Foo; 4]", " of Foo"),
            ("[]*Foo", " of *Foo"),
            ("Foo[]", " of Foo"),
            ("readonly Foo[]", " of Foo"),
            ("Map<string, Foo>", "Map of Foo"),
            ("map[string]Foo", " of Foo"),
            ("list[Foo]", "list of Foo"),
            ("Foo...", " of Foo"),
            ("Option<Box<dyn a::Foo>>", "a.Foo"),
            ("Result<Foo, Error>", "Foo"),
            ("const struct foo *", "foo"),
            ("Foo?", "Foo"),
        ] {
            assert_eq!(shown(&types(text)), [expected], "{text}");
        }
        assert_eq!(shown(&types("Foo | Bar | null")), ["Foo", "Bar"]);
    }
}
