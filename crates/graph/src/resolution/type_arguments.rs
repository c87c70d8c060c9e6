//! Parameters and arguments of generics, as heads and types write them: text in, text out.

use crate::resolution::{
    signatures,
    type_names::{WRAPPERS, is_bound, is_word, split_top},
};

/// The parameters of a generic that a head states: behind the name (`class Box<T>`, `class Box[+T]`), or
/// before it (`fun <T> List<T>.second()`).
pub(crate) fn parameters_of<'s>(signature: &'s str, name: &str) -> Vec<&'s str> {
    if !signature.contains(['<', '[']) {
        return Vec::new();
    }
    let behind = signature.match_indices(name).find_map(|(at, _)| {
        let is_whole = !signature[..at].ends_with(is_word);
        let list = bracketed(signature[at + name.len()..].trim_start())?;
        is_whole.then_some(list)
    });
    let list = behind.or_else(|| {
        let at = signature.find('<').filter(|at| {
            let before = signature[..*at].trim_end();
            before.is_empty() || before.split_whitespace().all(is_modifier)
        })?;
        bracketed(&signature[at..])
    });
    let names = list.map_or_else(Vec::new, |list| split_top(list, ','));
    let names = names.into_iter().filter_map(|part| {
        let mut words = part.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        words.find(|word| !matches!(*word, "in" | "out" | "reified" | "const"))
    });
    names.collect()
}

fn is_modifier(word: &str) -> bool {
    word.starts_with('@') || word.chars().all(|c| c.is_ascii_lowercase())
}

/// What stands in the angle or square brackets that a text begins with.
fn bracketed(text: &str) -> Option<&str> {
    text.strip_prefix(['<', '['])?;
    let mut depth = 0i32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' | '>' if is_bound(text, at) => {}
            '<' | '[' | '(' => depth += 1,
            '>' if matches!(last, '-' | '=') => {}
            '>' | ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[1..at]);
        }
        last = c;
    }
    None
}

/// The arguments of a type: `K` and `V` of `Map<K, V>`.
pub(crate) fn arguments(text: &str) -> Vec<&str> {
    let is_path = |c: char| is_word(c) || matches!(c, '.' | ':');
    let rest = text.trim_start_matches(is_path);
    bracketed(rest).map_or_else(Vec::new, split)
}

/// A list at its commas.
pub(crate) fn split(list: &str) -> Vec<&str> {
    match list.trim() {
        "" => Vec::new(),
        list => split_top(list, ','),
    }
}

/// A type without what only wraps it.
pub(crate) fn unwrapped(text: &str) -> &str {
    unwrapped_to(text, "")
}

/// The same, where a type of the view bears a name that wrappers have.
pub(crate) fn unwrapped_to<'s>(text: &'s str, own: &str) -> &'s str {
    let mut text = text.trim().trim_end_matches(['?', '!']);
    for _ in 0..4 {
        let name = text.split(['<', '[']).next().unwrap_or("");
        let last = name.rsplit('.').next().unwrap_or(name);
        let is_wrapper = WRAPPERS.contains(&last) && last != own;
        match arguments(text).first() {
            Some(held) if is_wrapper => text = held.trim_end_matches(['?', '!']),
            _ => break,
        }
    }
    text
}

/// What a container holds: the elements of an array, the last argument.
pub(crate) fn element(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['?', '!']);
    match text.strip_suffix("[]") {
        Some(held) => Some(held),
        None => arguments(text).pop(),
    }
}

/// The type of a container that is made: `List<Foo>` of `List<Foo>()`, `Foo[]` of `Foo[]`.
pub(crate) fn container_made(text: &str) -> Option<&str> {
    let end = text.find(['(', '{']).unwrap_or(text.len());
    let (made, rest) = text.split_at(end);
    let is_whole = matches!(rest, "" | "()" | "(){}" | "{}");
    let is_container = made.ends_with('>') && !made.ends_with("<>") || made.ends_with("[]");
    (is_whole && is_container).then_some(made)
}

/// What a function of this type gives.
pub(crate) fn result(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['?', '!']);
    if let Some((parameters, result)) = text.rsplit_once("->").or_else(|| text.rsplit_once("=>")) {
        return parameters.contains('(').then(|| result.trim());
    }
    let name = text.split('<').next().unwrap_or("");
    let name = name.rsplit('.').next().unwrap_or(name);
    matches!(name, "Func" | "Function" | "BiFunction" | "Supplier")
        .then(|| arguments(text).pop())
        .flatten()
}

/// Says whether a method of a function calls it.
pub(crate) fn calls(name: &str) -> bool {
    matches!(name, "Invoke" | "invoke" | "apply")
}

/// The type that an extension extends, with its arguments: `List<T>` of `fun <T> List<T>.second()`.
pub(crate) fn extended<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    if let Some((_, rest)) = signature.split_once("(this ") {
        let parameter = split_top(rest, ',').first().copied()?;
        return parameter.rsplit_once(' ').map(|(stated, _)| stated);
    }
    let at = signature.find(&format!(".{name}"))?;
    let before = signature[..at].trim_end_matches('?');
    let rest = before.split_once("fun ").or(before.split_once("val "))?.1;
    let generics = bracketed(rest).map_or(0, |list| list.len() + 2);
    Some(rest[generics..].trim())
}

/// The types that the head of a type says to be its bases.
pub(crate) fn bases<'s>(signature: &'s str, name: &str) -> Vec<&'s str> {
    let Some(at) = signature.find(name) else {
        return Vec::new();
    };
    let mut rest = signature[at + name.len()..].trim_start();
    if let Some(list) = bracketed(rest) {
        rest = rest[list.len() + 2..].trim_start();
    }
    if rest.starts_with('(') {
        let end = signatures::parameters(signature, name).map(|(_, rest)| rest);
        rest = end.unwrap_or("").trim_start();
    }
    let rest = rest.split(" where ").next().unwrap_or(rest);
    let lists = rest.split(" with ");
    let lists = lists.flat_map(|part| part.split(" implements "));
    let lists = lists.map(|part| {
        let part = part.trim().trim_start_matches(':');
        part.trim()
            .trim_start_matches("extends ")
            .trim_start_matches("implements ")
    });
    let found = lists.flat_map(|list| split_top(list, ','));
    found.filter(|base| !base.is_empty()).collect()
}

/// The words of a type.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{
        arguments, bases, element, extended, parameters_of, result, unwrapped, unwrapped_to,
    };

    #[test]
    fn heads_state_parameters_before_or_behind_the_name() {
        for (signature, name, expected) in [
            ("public class Box<T> : Base<T>", "Box", &["T"][..]),
            ("interface IStore<out T>", "IStore", &["T"]),
            ("class Pair[+A, B <: C]", "Pair", &["A", "B"]),
            ("fun <T, R : A> List<T>.second(): T", "second", &["T", "R"]),
            ("public static <T> T make(Class<T> c)", "make", &["T"]),
            ("public static T Make<T>()", "Make", &["T"]),
            ("List<A> all()", "all", &[]),
            ("class Crate<T : Any>(val held: T)", "Crate", &["T"]),
        ] {
            assert_eq!(parameters_of(signature, name), expected, "{signature}");
        }
    }

    #[test]
    fn types_have_arguments_elements_and_results() {
        assert_eq!(arguments("a.Map<K, List<V>>"), ["K", "List<V>"]);
        assert_eq!(unwrapped("Task<Option<Box<A>>>?"), "A");
        assert_eq!(unwrapped_to("Task<Box<A>>", "Box"), "Box<A>");
        assert_eq!(element("A[]"), Some("A"));
        assert_eq!(element("Map<K, List<V>>"), Some("List<V>"));
        assert_eq!(result("Func<A, B>"), Some("B"));
        assert_eq!(result("(A) -> B"), Some("B"));
        assert_eq!(result("List<A>"), None);
    }

    #[test]
    fn heads_name_bases_and_what_is_extended() {
        for (signature, name, expected) in [
            (
                "class Crate : Box<Merger>, IFoo",
                "Crate",
                &["Box<Merger>", "IFoo"][..],
            ),
            ("class A<T>(val x: T) : B<T>(x), C", "A", &["B<T>(x)", "C"]),
            (
                "class A<T> extends B<T> implements C<T>, D",
                "A",
                &["B<T>", "C<T>", "D"],
            ),
            ("class A[T](x: T) extends B[T] with C", "A", &["B[T]", "C"]),
        ] {
            assert_eq!(bases(signature, name), expected, "{signature}");
        }
        assert_eq!(
            extended("fun <T> List<T>.second(): T", "second"),
            Some("List<T>")
        );
        assert_eq!(
            extended("static T F<T>(this IEnumerable<T> all, int n)", "F"),
            Some("IEnumerable<T>")
        );
    }
}
