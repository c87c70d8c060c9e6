//! Sources that say which of their uses are certain: a line ends in `//= Type.member other`. A name with
//! `?` is one that has a use on the line, and none that is certain.

use std::collections::BTreeSet;

use crate::support::View;

/// Checks that the certain uses of each name that a mark says are the lines that bear the mark, and no
/// others.
pub(crate) fn check(files: &[(&'static str, &'static str)]) {
    let view = View::new(files);
    let mut marks: BTreeSet<(&str, String)> = BTreeSet::new();
    for (path, text) in files {
        for (n, line) in (1..).zip(text.lines()) {
            let (_, names) = line.split_once("//= ").unwrap_or_default();
            let names = names.split_whitespace();
            marks.extend(names.map(|name| match name.strip_suffix('?') {
                Some(name) => (name, format!("{path}:{n}?")),
                None => (name, format!("{path}:{n}")),
            }));
        }
    }
    let names: BTreeSet<&str> = marks.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for name in names {
        let told: BTreeSet<String> = view.uses(name).into_iter().collect();
        let of_name = marks.iter().filter(|(marked, _)| *marked == name);
        let marked: BTreeSet<&str> = of_name.map(|(_, place)| place.as_str()).collect();
        let is_certain = |place: &&str| !place.ends_with(['?', '~']);
        for place in &marked {
            let bare = place.trim_end_matches('?');
            let is_told = match is_certain(place) {
                true => told.contains(*place),
                false => ["?", "~"]
                    .iter()
                    .any(|mark| told.contains(&format!("{bare}{mark}"))),
            };
            if !is_told {
                let as_told = told
                    .iter()
                    .find(|told| told.trim_end_matches(['?', '~']) == bare);
                wrong.push(format!("{name}: {place} is {as_told:?}"));
            }
        }
        let certain = told.iter().map(String::as_str).filter(is_certain);
        let unmarked = certain.filter(|place| !marked.contains(place));
        wrong.extend(unmarked.map(|place| format!("{name}: {place} should not be certain")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
