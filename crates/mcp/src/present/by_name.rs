//! Places that only their name makes uses: what an answer without certain uses falls back to.

use whyrank_engine::api::{ByName, RefHit};

use super::page::{Page, clip, count, short, thousands};

const WHY_CHARS: usize = 110;

/// What an answer says at its head: that nothing is certain, or that there is nothing at all.
pub(super) fn verdict(found: &ByName, what: &str) -> String {
    let files = count(found.n_files as usize, "file");
    match (found.n_uses, found.n_ruled_out, found.hidden.as_str()) {
        (0, _, hidden) if !hidden.is_empty() => format!("no certain {what}: {hidden}"),
        (0, 0, _) => format!("no {what}; the name occurs nowhere else in {files}"),
        (0, n, _) => format!(
            "no {what}; of {} of the name none means it ({files} read)",
            count(n as usize, "other place")
        ),
        (n, _, _) => format!("no certain {what}; {} by name only", thousands(n as usize)),
    }
}

/// Writes the places, a line a file with the definitions around them; gives how many it wrote.
pub(super) fn write(page: &mut Page, found: &ByName) -> usize {
    let head = format!("by name only: {}", clip(&found.why, WHY_CHARS));
    if found.uses.is_empty() || !page.line(&head) {
        return 0;
    }
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for hit in &found.uses {
        let place = place(hit);
        match files.iter_mut().find(|(path, _)| *path == hit.path) {
            Some((_, places)) => places.push(place),
            None => files.push((&hit.path, vec![place])),
        }
    }
    let mut shown = 0;
    for (path, places) in files {
        if !page.line(&format!("  {path}: {}", places.join(", "))) {
            break;
        }
        shown += places.len();
    }
    shown
}

fn place(hit: &RefHit) -> String {
    match &hit.enclosing {
        Some(name) => format!("{} {}", hit.line, short(name)),
        None => hit.line.to_string(),
    }
}
