//! Heads of `impl` blocks and traits: which of the types that they name are bases.

use whyrank_syntax::{Symbol, SymbolKind};

/// Heads are kept up to this many characters.
const MAX_HEAD: usize = 200;

/// Says whether a name in a head is a base: not the bound of a parameter.
pub(super) fn is_base(around: &Symbol, name: &str) -> bool {
    match around.kind {
        SymbolKind::Impl => trait_of(&around.signature).is_none_or(|stated| stated == name),
        SymbolKind::Trait => supertraits(&around.signature)
            .is_none_or(|heads| heads.split('+').any(|head| last_name(head) == name)),
        _ => false,
    }
}

/// The trait of `impl<…> path::Trait<…> for Type`, empty for a block without one; none where the head
/// is cut before it says.
fn trait_of(head: &str) -> Option<&str> {
    let rest = head.strip_prefix("unsafe ").unwrap_or(head);
    let rest = after_parameters(rest.strip_prefix("impl")?)?;
    match rest.find(" for ") {
        Some(end) => Some(last_name(&rest[..end])),
        // A block of the type's own, unless the head was cut before its trait ends.
        None => (head.chars().count() < MAX_HEAD).then_some(""),
    }
}

/// What is between the colon of `trait Name<…>: A + B` and its `where`.
fn supertraits(head: &str) -> Option<&str> {
    let (_, rest) = head.split_once("trait ")?;
    let at = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let rest = after_parameters(&rest[at..])?.trim_start();
    let Some(rest) = rest.strip_prefix(':') else {
        return Some("");
    };
    Some(rest.split(" where ").next().unwrap_or(rest))
}

/// What follows `<…>`, or all where nothing opens; none where the brackets do not close.
fn after_parameters(text: &str) -> Option<&str> {
    let text = text.trim_start();
    if !text.starts_with('<') {
        return Some(text);
    }
    let mut depth = 0u32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // `->` closes nothing.
            '>' if last != '-' => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[at + 1..]);
                }
            }
            _ => {}
        }
        last = c;
    }
    None
}

/// The last name of a path, without parameters.
fn last_name(path: &str) -> &str {
    let plain = path.split(['<', '(']).next().unwrap_or(path).trim();
    let plain = plain.trim_start_matches(['!', '?', '~']);
    plain.rsplit(['.', ':', ' ']).next().unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::{supertraits, trait_of};

    #[test]
    fn heads_of_rust_tell_their_traits() {
        for (head, expected) in [
            ("impl Display for A", Some("Display")),
            (
                "impl<T: Into<B>> a::From<T> for C<T> where T: D",
                Some("From"),
            ),
            ("unsafe impl Send for A", Some("Send")),
            ("impl<F> A for F where F: Fn(&str) -> B", Some("A")),
            ("impl<S> A<S> where S: B", Some("")),
            ("impl<T: Into<B>, U", None),
        ] {
            assert_eq!(trait_of(head), expected, "{head}");
        }
        assert_eq!(
            supertraits("pub trait A<T: X>: B + c::D<E> where T: Y"),
            Some(" B + c::D<E>")
        );
        assert_eq!(supertraits("trait A"), Some(""));
    }
}
