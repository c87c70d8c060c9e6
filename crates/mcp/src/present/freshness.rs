//! The first line of an answer whose index is behind the files.

use whyrank_engine::api::Freshness;

use super::clip;

/// Files named; the rest is counted.
const MAX_NAMED: usize = 5;
const MAX_CHARS: usize = 300;

/// Says how far the index is behind, files that the answer names first; `None` where it is current.
pub fn freshness(freshness: &Freshness, named: &[&str]) -> Option<String> {
    if freshness.is_current() {
        return None;
    }
    let note = &freshness.note;
    let line = match (&freshness.partial, freshness.n_behind) {
        (Some((n_files, n_expected)), _) => {
            format!("INDEX PARTIAL: {n_files} of {n_expected} files so far ({note})")
        }
        (None, 0) if !freshness.head_moved => {
            format!("INDEX NOT CHECKED: it may be behind the files ({note})")
        }
        (None, 0) => format!("INDEX BEHIND: HEAD moved after it ({note})"),
        (None, n) => format!(
            "INDEX BEHIND: {} changed after it ({note})",
            files(freshness, n, named)
        ),
    };
    Some(clip(&line, MAX_CHARS))
}

/// Says the same of an index that only adds to what an answer reads from the files.
pub fn index_beside(freshness: &Freshness, named: &[&str]) -> Option<String> {
    let note = &freshness.note;
    let what = match (
        freshness.is_current(),
        freshness.partial,
        freshness.n_behind,
    ) {
        (true, ..) => return None,
        (_, Some((n_files, n_expected)), _) => {
            format!("has {n_files} of {n_expected} files so far")
        }
        (_, None, 0) => "may be older".to_owned(),
        (_, None, n) => format!("is older than {}", files(freshness, n, named)),
    };
    let line =
        format!("changes are read from the files; for users and tests the index {what} ({note})");
    Some(clip(&line, MAX_CHARS))
}

/// Says of an earlier answer, kept under a handle, that its files have changed; `call` made it.
pub fn outdated(call: &str) -> String {
    let line = format!("INDEX AHEAD: files changed since this answer was kept; ask again: {call}");
    clip(&line, MAX_CHARS)
}

fn files(freshness: &Freshness, n: u32, named: &[&str]) -> String {
    let mut behind: Vec<&str> = freshness.behind.iter().map(String::as_str).collect();
    behind.sort_by_key(|path| !named.contains(path));
    behind.truncate(MAX_NAMED);
    let more = n as usize - behind.len();
    let listed = behind.join(", ");
    match more {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(freshness: &Freshness, expected: &str) {
        assert_eq!(
            super::freshness(freshness, &["f.rs"]).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn the_first_line_names_files_of_the_answer_first() {
        let names = ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs", "f.rs", "g.rs"];
        let mut behind = Freshness {
            behind: names.map(str::to_owned).to_vec(),
            n_behind: 7,
            head_moved: true,
            partial: None,
            note: "update running".to_owned(),
        };
        check(
            &behind,
            "INDEX BEHIND: f.rs, a.rs, b.rs, c.rs, d.rs and 2 more changed after it (update running)",
        );
        (behind.behind, behind.n_behind) = (Vec::new(), 0);
        check(
            &behind,
            "INDEX BEHIND: HEAD moved after it (update running)",
        );
        behind.head_moved = false;
        check(
            &behind,
            "INDEX NOT CHECKED: it may be behind the files (update running)",
        );
        behind.partial = Some((3, 9));
        check(
            &behind,
            "INDEX PARTIAL: 3 of 9 files so far (update running)",
        );
        assert_eq!(super::freshness(&Freshness::default(), &[]), None);
    }

    #[test]
    fn an_index_beside_the_files_is_no_doubt_about_them() {
        let behind = Freshness {
            behind: vec!["a.rs".to_owned()],
            n_behind: 1,
            note: "update running".to_owned(),
            ..Freshness::default()
        };
        let line = index_beside(&behind, &[]).expect("it is behind");
        assert_eq!(
            line,
            "changes are read from the files; for users and tests the index is older than a.rs (update running)"
        );
        assert_eq!(index_beside(&Freshness::default(), &[]), None);
    }
}
