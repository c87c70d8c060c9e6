//! Writes what comes before the last name of a path.

use std::borrow::Cow;

use crate::type_hints;

/// What is between the start of a path and its last name, without the separator and without
/// what is in brackets; one that is too long is written `…`.
pub(super) fn qualifier(text: &str) -> Cow<'_, str> {
    if let Cow::Owned(bare) = type_hints::without_comments(text)
        && bare != text
    {
        return Cow::Owned(qualifier(&bare).into_owned());
    }
    let text = text.trim_end_matches(|c: char| {
        matches!(c, '.' | ':' | '?' | '!' | '>' | '-' | '#' | '\\' | '&') || c.is_whitespace()
    });
    let text = if text.ends_with("::<") {
        text.trim_end_matches("::<")
    } else {
        text
    };
    if text.len() <= 60 && !text.contains(['(', '[', '{', '\n', ' ']) {
        return Cow::Borrowed(text);
    }
    type_hints::plain(text).map_or(Cow::Borrowed("…"), Cow::Owned)
}

/// A path behind what its place gives it: `^:(Type).shared` for `shared`. Of what is not known nothing
/// behind it is.
pub(super) fn behind(owner: String, path: &str) -> Cow<'static, str> {
    let path = path.trim_start_matches(['.', '\\']);
    Cow::Owned(match path {
        "" => owner,
        "…" => "…".to_owned(),
        _ if matches!(owner.as_str(), "^" | "…") => "…".to_owned(),
        path => format!("{owner}.{path}"),
    })
}
