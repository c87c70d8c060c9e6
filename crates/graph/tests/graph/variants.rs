//! Small texts of one language each, in `variants/`: what each place means that a line's mark names.
//!
//! A section begins with `=== title`; the text before the first one stands at the head of each. A mark
//! stands behind `#:` or `//:`: `Box.go` is certainly meant, `Box.go?` may be, `Box.go-` is ruled out.

use crate::support::View;

/// Checks all sections and names those that are wrong.
pub(crate) fn check(path: &'static str, sections: &'static str) {
    let mut parts = sections.split("\n=== ");
    let head = parts.next().unwrap_or_default();
    let mut wrong = Vec::new();
    for part in parts {
        let (title, body) = part.split_once('\n').unwrap_or((part, ""));
        let text: &'static str = Box::leak(format!("{head}\n{body}\n").into_boxed_str());
        wrong.extend(
            mistakes(path, text)
                .into_iter()
                .map(|it| format!("{title}: {it}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn mistakes(path: &'static str, text: &'static str) -> Vec<String> {
    let view = View::new(&[(path, text)]);
    let mut wrong = Vec::new();
    for (n, line) in (1..).zip(text.lines()) {
        let Some((code, marks)) = line.split_once("#:").or_else(|| line.split_once("//:")) else {
            continue;
        };
        for mark in marks.split_whitespace() {
            let name = mark.trim_end_matches(['?', '-']);
            let place = format!("{path}:{n}");
            let is_certain = view.uses(name).contains(&place);
            let rulings = view.rulings(name);
            let of_place = rulings
                .iter()
                .find_map(|it| it.strip_prefix(&format!("{place} ")));
            let ruling = of_place.unwrap_or("not ruled on");
            let is_open = ruling == "Used" || ruling.starts_with("Unsettled");
            let is_right = match mark.as_bytes().last() {
                Some(b'?') => is_open && !is_certain,
                Some(b'-') => !is_open && !is_certain,
                _ => is_certain && is_open,
            };
            if !is_right {
                let certain = if is_certain { "certain, " } else { "" };
                wrong.push(format!("`{}` {mark} is {certain}{ruling}", code.trim()));
            }
        }
    }
    wrong
}

#[test]
fn python_values_are_what_each_way_leaves() {
    check("a.py", include_str!("variants/python.txt"));
}

#[test]
fn typescript_values_are_what_each_way_leaves() {
    check("a.ts", include_str!("variants/script.txt"));
}

#[test]
fn javascript_values_are_what_each_way_leaves() {
    check("a.js", include_str!("variants/plain.txt"));
}
