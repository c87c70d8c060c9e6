//! The names that run-time systems give to functions, taken apart.

use super::run::{RunFunction, Scope};

/// What lies in no file of any repository.
pub(super) fn foreign(name: &str) -> RunFunction {
    RunFunction {
        name: name.to_owned(),
        scope: Scope::Outside,
        ..RunFunction::default()
    }
}

/// Python's: `Router.match`, `outer.<locals>.inner`, `<module>`, `<lambda>`.
pub(super) fn python(name: &str, path: &str, line: u32) -> RunFunction {
    let scope = match name {
        "<module>" => Scope::TopLevel,
        _ => Scope::Function,
    };
    let mut parts = name.rsplit('.').filter(|part| *part != "<locals>");
    let own = parts.next().unwrap_or(name);
    let container = parts.next().unwrap_or_default();
    RunFunction {
        path: path.to_owned(),
        // Comprehensions and lambdas have no name of their own.
        name: if own.starts_with('<') { "" } else { own }.to_owned(),
        container: container.to_owned(),
        line,
        scope,
    }
}

/// Go's: `github.com/a/b.(*Server).Serve.func1.2`, `main.run`, `a/b.Map[go.shape.int].Get`.
pub(super) fn go(name: &str) -> (String, String) {
    let plain = without_brackets(name, '[', ']');
    let last = plain.rsplit('/').next().unwrap_or(&plain);
    // Dots in the last part of a path are `%2e`: the first dot ends the package.
    let inside = last.split_once('.').map_or(last, |(_, inside)| inside);
    let mut parts: Vec<&str> = inside.split('.').collect();
    // A closure belongs to the function around it.
    while parts.len() > 1 && parts.last().is_some_and(|part| is_closure(part)) {
        parts.pop();
    }
    let own = parts.pop().unwrap_or_default();
    let container = parts.pop().unwrap_or_default();
    let container = container.trim_matches(['(', ')', '*']);
    // `run-fm` is the method bound to its receiver.
    let own = own.strip_suffix("-fm").unwrap_or(own);
    (own.to_owned(), container.to_owned())
}

/// `func1`, `2`, `gowrap1`, `deferwrap2`, `-range1`.
fn is_closure(part: &str) -> bool {
    let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_numbered = stem.len() < part.len();
    (is_numbered && matches!(stem, "" | "func" | "gowrap" | "deferwrap" | "-range"))
        || part.is_empty()
}

/// C's, C++'s and Rust's, demangled: `ns::Vec<T>::push(int)`, `<a::B as c::D>::run::h0123456789abcdef`.
pub(super) fn native(name: &str) -> (String, String) {
    let name = without_hash(name);
    let owner;
    let name = match name.strip_prefix('<').and_then(split_qualified_self) {
        Some((own, rest)) => {
            owner = format!("{own}{rest}");
            owner.as_str()
        }
        None => name,
    };
    let plain = without_brackets(name, '<', '>');
    let head = match plain.find("operator()") {
        Some(at) => &plain[..at + "operator()".len()],
        None => plain.split('(').next().unwrap_or(&plain),
    };
    // `int f` of a template's function names its return type.
    let head = head.trim_end().rsplit(' ').next().unwrap_or(head);
    let mut parts = head
        .rsplit("::")
        .filter(|part| !part.starts_with('{') && !part.is_empty());
    let own = parts.next().unwrap_or_default();
    let container = parts.next().unwrap_or_default();
    (own.to_owned(), container.to_owned())
}

/// `a::B as c::D>::run` is `a::B` and `::run`.
fn split_qualified_self(inside: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            // `->` is no bracket.
            b'>' if at == 0 || inside.as_bytes()[at - 1] != b'-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let own = inside[..at].split(" as ").next()?;
            return Some((own, &inside[at + 1..]));
        }
    }
    None
}

/// Rust's older symbols end in a hash.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((before, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            before
        }
        _ => name,
    }
}

/// A name without what is in brackets: arguments of types.
fn without_brackets(name: &str, open: char, close: char) -> String {
    let mut depth = 0_u32;
    let mut plain = String::with_capacity(name.len());
    let mut last = ' ';
    for char in name.chars() {
        if char == open {
            depth += 1;
        } else if char == close && last != '-' {
            depth = depth.saturating_sub(1);
        } else if depth == 0 {
            plain.push(char);
        }
        last = char;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_run_time_systems_are_taken_apart() {
        let pair = |name: &str, container: &str| (name.to_owned(), container.to_owned());
        for (name, expected) in [
            (
                "github.com/a/b.(*Server).Serve.func1.2",
                pair("Serve", "Server"),
            ),
            ("main.run", pair("run", "")),
            ("main.main.gowrap1", pair("main", "")),
            (
                "gopkg.in/yaml%2ev3.Map[go.shape.int].Get",
                pair("Get", "Map"),
            ),
            ("a/b.(*T).run-fm", pair("run", "T")),
        ] {
            assert_eq!(go(name), expected, "{name}");
        }
        for (name, expected) in [
            (
                "ns::Vec<std::pair<int, T>>::push(int, char const*) const",
                pair("push", "Vec"),
            ),
            (
                "app::Server::run::{{closure}}::h0123456789abcdef",
                pair("run", "Server"),
            ),
            (
                "<app::Foo<T> as core::fmt::Display>::fmt",
                pair("fmt", "Foo"),
            ),
            ("dictFind", pair("dictFind", "")),
            ("void fmt::print<int>(int)", pair("print", "fmt")),
        ] {
            assert_eq!(native(name), expected, "{name}");
        }
    }
}
