//! Strings from repositories made fit to show: cleaned of what a terminal or browser would act on, cut
//! to length. Escaping for a format is the format's own business.

use crate::answer::ReturnedPlace;
use crate::task::Place;

/// Takes out control characters (white space but newline becomes a space) and the marks that turn text
/// around, with which a name could show as another one (CVE-2021-42574).
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' => '\n',
            '\t' | '\r' => ' ',
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
            c if c.is_control() => '\u{FFFD}',
            c => c,
        })
        .collect()
}

/// [`clean`] on a single line of at most `n_chars` characters.
pub(super) fn one_line(text: &str, n_chars: usize) -> String {
    let line = clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(n_chars) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// The first `n_chars` characters, and how many there are in all where that is more.
pub(super) fn head(text: &str, n_chars: usize) -> (&str, Option<usize>) {
    match text.char_indices().nth(n_chars) {
        Some((end, _)) => (&text[..end], Some(text.chars().count())),
        None => (text, None),
    }
}

/// Escapes for HTML text and quoted attributes, and for SVG.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// An expected place on a line: `lib/app.js:12-40 App.use`.
pub(super) fn expected_place(place: &Place) -> String {
    let lines = (place.line, place.end_line);
    spot(
        place.repo.as_deref(),
        &place.file,
        lines,
        place.symbol.as_deref(),
    )
}

/// A found place on a line.
pub(super) fn found_place(found: &ReturnedPlace) -> String {
    let lines = (found.line, found.end_line);
    spot(
        found.repo.as_deref(),
        &found.file,
        lines,
        found.symbol.as_deref(),
    )
}

fn spot(repo: Option<&str>, file: &str, lines: (u32, u32), symbol: Option<&str>) -> String {
    let lines = match lines {
        (0, _) => String::new(),
        (first, last) if last > first => format!(":{first}-{last}"),
        (first, _) => format!(":{first}"),
    };
    let path = format!("{file}{lines}");
    let parts = [repo.unwrap_or_default(), &path, symbol.unwrap_or_default()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    one_line(&parts.join(" "), 160)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_would_act_on_is_escaped_or_replaced() {
        assert_eq!(
            escape("<b a='1'>&\"\u{202E}\u{7}"),
            "&lt;b a=&#39;1&#39;&gt;&amp;&quot;\u{FFFD}\u{FFFD}"
        );
        assert_eq!(one_line("a\n\tb  c", 10), "a b c");
        assert_eq!(one_line("äöüß", 2), "äö…");
        assert_eq!(head("äöüß", 2), ("äö", Some(4)));
        assert_eq!(head("äö", 2), ("äö", None));
    }

    #[test]
    fn a_place_shows_what_it_has() {
        let place = |line, end_line| Place {
            file: "a.rs".into(),
            line,
            end_line,
            ..Place::default()
        };
        assert_eq!(expected_place(&place(0, 0)), "a.rs");
        assert_eq!(expected_place(&place(3, 3)), "a.rs:3");
        assert_eq!(expected_place(&place(3, 9)), "a.rs:3-9");
        let named = Place {
            symbol: Some("f".into()),
            repo: Some("r".into()),
            ..place(3, 0)
        };
        assert_eq!(expected_place(&named), "r a.rs:3 f");
    }
}
