//! The parameters of a function as its signature states them, and what a function type takes.
//!
//! Text in, text out; nothing is resolved.

use crate::resolution::type_names::{WRAPPERS, split_top};

/// The argument that stands behind the brackets: the last parameter takes it.
pub(crate) const LAST: usize = 99;

/// What a function type says about the function: the object that it runs on, and what it is given.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FunctionType<'s> {
    pub(crate) receiver: Option<&'s str>,
    pub(crate) parameters: Vec<&'s str>,
}

/// The type of the n-th parameter of a function, as its signature states it.
pub(crate) fn parameter_type<'s>(signature: &'s str, name: &str, n: usize) -> Option<&'s str> {
    let mut parameters = split_top(parameter_list(signature, name)?, ',');
    if parameters.first().is_some_and(|first| is_receiver(first)) {
        parameters.remove(0);
    }
    let parameter = match n {
        LAST => parameters.last()?,
        n => parameters.get(n).or_else(|| {
            // A rest parameter takes all that follow.
            parameters.last().filter(|last| last.starts_with("..."))
        })?,
    };
    stated(parameter)
}

/// The type of the parameter of a label, as Swift writes it: `label name: Type`, `name: Type`. `_N` is the
/// N-th one, which has no label; a case of an enumeration states its type alone.
pub(crate) fn labelled_type<'s>(signature: &'s str, name: &str, label: &str) -> Option<&'s str> {
    let parameters = split_top(parameter_list(signature, name)?, ',');
    let label_of = |parameter: &&'s str| {
        let (words, _) = parameter.split_once(':').unwrap_or(("_", ""));
        words.split_whitespace().next().unwrap_or("")
    };
    let parameter = match label
        .strip_prefix('_')
        .and_then(|n| n.parse::<usize>().ok())
    {
        Some(n) => parameters
            .get(n)
            .filter(|parameter| label_of(parameter) == "_"),
        None => parameters
            .iter()
            .find(|parameter| label_of(parameter) == label),
    };
    let parameter = parameter?;
    match parameter.contains(':') {
        true => stated(parameter),
        false => Some(parameter.trim()),
    }
}

fn is_receiver(parameter: &str) -> bool {
    let bare = parameter.trim_start_matches(['&', '*']);
    matches!(bare, "self" | "cls")
        || bare.ends_with(" self")
        || ["self:", "mut self:", "this:", "this "]
            .iter()
            .any(|start| bare.starts_with(start))
}

/// What is in the brackets behind a function's name.
fn parameter_list<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let starts = signature.match_indices(name).map(|(at, _)| at + name.len());
    starts.into_iter().find_map(|start| {
        let mut depth = 0i32;
        let rest = &signature[start..];
        let mut last = ' ';
        for (at, c) in rest.char_indices() {
            match c {
                '(' if depth == 0 => return Some(&rest[at + 1..]),
                '<' | '[' => depth += 1,
                '>' if last == '=' && depth == 0 => return None,
                '>' if matches!(last, '-' | '=') => {}
                '>' | ']' => depth -= 1,
                ',' | ')' | ';' | '.' if depth == 0 => return None,
                c if depth == 0 && !rest[..at].contains('=') && is_word(c) => return None,
                _ => {}
            }
            last = c;
        }
        None
    })
}

/// The type that a parameter states: `name: Type = value`, `Type name`.
fn stated(parameter: &str) -> Option<&str> {
    let before_value = without_default(parameter);
    let named = split_top(before_value, ':');
    match named[..] {
        [] => None,
        [first, ..] if named.len() > 1 => {
            let rest = before_value.trim()[first.len()..].trim_start();
            rest.strip_prefix(':').map(str::trim)
        }
        [only, ..] => {
            let (before, name) = only.trim().rsplit_once([' ', '*', '&'])?;
            let is_name = name.chars().all(is_word) && !name.is_empty();
            is_name.then(|| before.trim_start_matches("final ").trim())
        }
    }
}

/// A parameter without ` = value`; the arrow of a function type stays.
fn without_default(parameter: &str) -> &str {
    let parts = split_top(parameter, '=');
    let start = parameter.as_ptr() as usize;
    let mut ends = parts.windows(2).filter(|pair| !pair[1].starts_with('>'));
    match ends.next() {
        Some(pair) => &parameter[..pair[0].as_ptr() as usize - start + pair[0].len()],
        None => parameter,
    }
}

/// Reads a function type; `signature` has the bounds of its generics (`F: FnOnce(&A) -> B`).
pub(crate) fn function_type<'s>(text: &'s str, signature: &'s str) -> Option<FunctionType<'s>> {
    read(text, 0).or_else(|| {
        let name = text.trim().trim_start_matches(['&', '?']);
        let name = name.strip_prefix("mut ").unwrap_or(name);
        (!name.is_empty() && name.chars().all(is_word)).then_some(())?;
        let bound = signature.match_indices(name).find_map(|(at, _)| {
            let is_whole = !signature[..at].ends_with(is_word);
            let rest = signature[at + name.len()..].trim_start();
            let rest = rest
                .strip_prefix(':')
                .or_else(|| rest.strip_prefix("extends "))?;
            is_whole.then_some(rest)
        })?;
        split_top(bound, ',')
            .first()
            .and_then(|bound| read(bound, 0))
    })
}

fn read(text: &str, depth: u32) -> Option<FunctionType<'_>> {
    let mut text = text.trim();
    for word in [
        "&",
        "mut ",
        "dyn ",
        "impl ",
        "suspend ",
        "crossinline ",
        "noinline ",
        "vararg ",
        "@escaping ",
        "@Sendable ",
        "readonly ",
        "const ",
    ] {
        text = text.strip_prefix(word).unwrap_or(text).trim_start();
    }
    if depth > 4 {
        return None;
    }
    if let Some(inside) = text.strip_prefix('(') {
        let parts = split_top(inside, ',');
        let end = closing(inside)?;
        let after = inside[end + 1..].trim_start();
        if after.starts_with("=>") || after.starts_with("->") {
            return Some(FunctionType {
                receiver: None,
                parameters: parts.into_iter().map(typed).collect(),
            });
        }
        return read(&inside[..end], depth + 1);
    }
    // TypeScript: `<T>(a: A) => B`.
    if let Some(rest) = text.strip_prefix('<') {
        return read(&rest[rest.find(">(")? + 1..], depth + 1);
    }
    let end = text.find(|c| !(is_word(c) || c == '.' || c == ':'));
    let (head, rest) = text.split_at(end.unwrap_or(text.len()));
    let name = head.rsplit(['.', ':']).next().unwrap_or(head);
    if let Some(inside) = rest.strip_prefix('(') {
        let parameters = split_top(inside, ',').into_iter().map(typed).collect();
        if matches!(name, "Fn" | "FnMut" | "FnOnce" | "fn" | "func") {
            return Some(FunctionType {
                receiver: None,
                parameters,
            });
        }
        // Kotlin: `Type.() -> Unit`.
        let receiver = head.strip_suffix('.').filter(|_| rest.contains("->"))?;
        return Some(FunctionType {
            receiver: Some(receiver),
            parameters,
        });
    }
    let arguments = split_top(rest.strip_prefix(['<', '['])?, ',');
    generic(name, arguments, depth)
}

/// `Func<A, R>`, `Callable[[A], R]`, `Option<impl Fn(A)>`.
fn generic<'s>(name: &str, arguments: Vec<&'s str>, depth: u32) -> Option<FunctionType<'s>> {
    let n_taken = match name {
        "Func" | "Function" | "BiFunction" => arguments.len().checked_sub(1)?,
        "ToIntFunction" | "ToLongFunction" | "ToDoubleFunction" => 1,
        "Action" | "Consumer" | "BiConsumer" | "Predicate" | "BiPredicate" => arguments.len(),
        "Comparator" | "BinaryOperator" | "Comparison" => {
            let one = *arguments.first()?;
            return Some(FunctionType {
                receiver: None,
                parameters: vec![one, one],
            });
        }
        "UnaryOperator" => 1,
        "Callable" => {
            let given = arguments.first()?.strip_prefix('[')?;
            return Some(FunctionType {
                receiver: None,
                parameters: split_top(given, ','),
            });
        }
        "Expression" => return read(arguments.first()?, depth + 1),
        name if WRAPPERS.contains(&name) => return read(arguments.first()?, depth + 1),
        _ => return None,
    };
    Some(FunctionType {
        receiver: None,
        parameters: arguments.into_iter().take(n_taken).collect(),
    })
}

/// `name: Type` gives `Type`.
fn typed(parameter: &str) -> &str {
    stated(parameter)
        .filter(|_| parameter.contains(':'))
        .unwrap_or(parameter)
}

/// Where the bracket that is open before a text closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        (depth < 0).then_some(at)
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::{LAST, function_type, labelled_type, parameter_type};

    #[test]
    fn a_parameter_is_found_by_its_label() {
        let head = "func set(_ a: A, to b: B = .x, c: [C: D], for e: (E) -> F) -> G";
        for (label, expected) in [
            ("_0", Some("A")),
            ("_1", None),
            ("to", Some("B")),
            ("c", Some("[C: D]")),
            ("for", Some("(E) -> F")),
            ("b", None),
        ] {
            assert_eq!(labelled_type(head, "set", label), expected, "{label}");
        }
        assert_eq!(
            labelled_type("case ok(Int), bad(at: A)", "ok", "_0"),
            Some("Int")
        );
        assert_eq!(
            labelled_type("case ok(Int), bad(at: A)", "bad", "at"),
            Some("A")
        );
    }

    #[test]
    fn a_parameter_has_the_type_that_its_place_states() {
        for (signature, name, n, expected) in [
            (
                "export function f(a: A, { b }: Opts = {}): R",
                "f",
                1,
                Some("Opts"),
            ),
            ("f = async (a: A): Promise<R> =>", "f", 0, Some("A")),
            (
                "fn each<F: Fn(&A)>(&mut self, f: F) -> bool",
                "each",
                0,
                Some("F"),
            ),
            (
                "public void run(final Foo foo, Bar[] bars)",
                "run",
                0,
                Some("Foo"),
            ),
            (
                "fun module(flag: Boolean = false, block: Module.() -> Unit): Module",
                "module",
                LAST,
                Some("Module.() -> Unit"),
            ),
            (
                "def on(self, handler: Callable[[Event], None])",
                "on",
                0,
                Some("Callable[[Event], None]"),
            ),
            (
                "function each(run: (o: Other) => void = noop)",
                "each",
                0,
                Some("(o: Other) => void"),
            ),
            ("f(a: A)", "f", 3, None),
        ] {
            assert_eq!(parameter_type(signature, name, n), expected, "{signature}");
        }
    }

    #[test]
    fn a_function_type_says_what_the_function_gets() {
        for (text, signature, expected) in [
            ("(c: Context, next: Next) => Response", "", "-|Context|Next"),
            ("((c: Context) => void) | undefined", "", "-|Context"),
            ("F", "fn f<F: FnOnce(&A, B) -> C>(f: F)", "-|&A|B"),
            ("Option<Box<dyn Fn(A)>>", "", "-|A"),
            ("Module.(Int) -> Unit", "", "Module|Int"),
            ("suspend (A) -> B", "", "-|A"),
            ("Func<A, B, C>", "", "-|A|B"),
            ("Expression<Func<A, bool>>", "", "-|A"),
            ("Callable[[A, B], C]", "", "-|A|B"),
        ] {
            let read = function_type(text, signature).expect(text);
            let shown = format!(
                "{}|{}",
                read.receiver.unwrap_or("-"),
                read.parameters.join("|")
            );
            assert_eq!(shown, expected, "{text}");
        }
        assert_eq!(function_type("Foo", ""), None);
    }
}
