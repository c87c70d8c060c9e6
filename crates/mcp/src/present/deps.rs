//! Imports and importers of a file: two lists, and what lies beyond them.

use whyrank_engine::api::{DepEdge, DepStep, DepsDirection, DepsResponse};

use super::Style;
use super::page::{Footer, Page, cost, count};
use crate::tokens::chars_within;

/// A list that takes more of the budget than this is told by folder.
const LONG: f64 = 0.25;
/// Files named of a folder, and folders named.
const N_OF_FOLDER: usize = 3;
const N_FOLDERS: usize = 20;

/// Writes what `response.path` imports and who imports it; `direction` leaves out the list not asked
/// for.
pub fn deps(response: &DepsResponse, direction: DepsDirection, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let mut shown = 0;
    let mut total = 0;
    if direction != DepsDirection::Importers {
        let (external, own): (Vec<&DepEdge>, Vec<&DepEdge>) =
            response.imports.iter().partition(|edge| edge.external);
        page.head(&format!(
            "{} imports {}",
            response.path,
            count(files(&own).len(), "file")
        ));
        // The two lists share the room: neither pushes the other out.
        let room = if direction == DepsDirection::Both {
            page.room() / 2
        } else {
            0
        };
        shown += list(&mut page, &own, room, style);
        shown += externals(&mut page, &external);
        shown += tree(
            &mut page,
            &response.further_imports,
            room,
            "imported by them",
        );
        total += files(&own).len() + files(&external).len() + response.further_imports.len();
    }
    if direction != DepsDirection::Imports {
        let importers: Vec<&DepEdge> = response.importers.iter().collect();
        let n_files = files(&importers).len();
        page.head(&format!(
            "{} is imported by {}",
            response.path,
            count(n_files, "file")
        ));
        shown += list(&mut page, &importers, 0, style);
        shown += tree(&mut page, &response.further_importers, 0, "importing them");
        total += n_files + response.further_importers.len();
    }
    page.finish(&Footer {
        shown,
        total,
        what: "files",
        note: (shown < total && !style.detailed).then_some("format=detailed lists them"),
        ..Footer::default()
    })
}

/// Lists files while more than `keep` characters stay free, a long list by folder; answers how many.
fn list(page: &mut Page, edges: &[&DepEdge], keep: usize, style: Style) -> usize {
    let files = files(edges);
    let lines: Vec<(usize, String)> = if style.detailed {
        files
            .iter()
            .map(|(path, edges)| (1, file_line(path, edges, style)))
            .collect()
    } else {
        together(&files)
    };
    let n_chars: usize = lines.iter().map(|(_, line)| cost(line)).sum();
    let lines = if !style.detailed && n_chars as f64 > chars_within(style.budget) as f64 * LONG {
        by_folder(&files)
    } else {
        lines
    };
    let mut shown = 0;
    for (n_files, line) in lines {
        if page.room() <= keep + line.len() || !page.line(&line) {
            break;
        }
        shown += n_files;
    }
    shown
}

/// Files beyond the first step: a head a step, below it a line for each file that leads there.
///
/// `  src/a.ts > src/b.ts: 3, src/c.ts: 9`, a file once, by its shortest way.
fn tree(page: &mut Page, steps: &[DepStep], keep: usize, what: &str) -> usize {
    let mut shown = 0;
    for of_depth in steps.chunk_by(|a, b| a.depth == b.depth) {
        let n = count(of_depth.len(), "file");
        let head = format!("{} steps: {n} {what}", of_depth[0].depth);
        if page.room() <= keep + head.len() || !page.line(&head) {
            break;
        }
        for of_file in of_depth.chunk_by(|a, b| a.from == b.from) {
            let files = of_file
                .iter()
                .map(|step| format!("{}:{}", step.path, step.line));
            let files: Vec<String> = files.collect();
            let line = format!("  {} > {}", of_file[0].from, files.join(", "));
            if page.room() <= keep + line.len() || !page.line(&line) {
                return shown;
            }
            shown += of_file.len();
        }
    }
    shown
}

/// Folders by how many of the files lie in them: `src/api/ 12: a.ts, b.ts, c.ts`.
fn by_folder(files: &[(&str, Vec<&DepEdge>)]) -> Vec<(usize, String)> {
    let mut folders: Vec<(&str, Vec<&str>)> = Vec::new();
    for (path, _) in files {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, names)) => names.push(name),
            None => folders.push((folder, vec![name])),
        }
    }
    folders.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let line = |(folder, names): &(&str, Vec<&str>)| {
        let shown = &names[..names.len().min(N_OF_FOLDER)];
        let folder = if folder.is_empty() { "./" } else { folder };
        (
            shown.len(),
            format!("  {folder} {}: {}", names.len(), shown.join(", ")),
        )
    };
    folders.iter().take(N_FOLDERS).map(line).collect()
}

/// Files of a folder that the same lines bring (an import of a namespace brings all of its files)
/// share a line: `src/linq/{A.cs,B.cs}: 32`.
fn together(files: &[(&str, Vec<&DepEdge>)]) -> Vec<(usize, String)> {
    let mut groups: Vec<(&str, Vec<u32>, Vec<&str>)> = Vec::new();
    for (path, edges) in files {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        let lines: Vec<u32> = edges.iter().map(|edge| edge.line).collect();
        match groups.last_mut() {
            Some((last, same, names)) if *last == folder && *same == lines && names.len() < 12 => {
                names.push(name);
            }
            _ => groups.push((folder, lines, vec![name])),
        }
    }
    let written = groups.into_iter().map(|(folder, lines, names)| {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let named = match names.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("{{{}}}", several.join(",")),
        };
        (
            names.len(),
            format!("  {folder}{named}: {}", lines.join(",")),
        )
    });
    written.collect()
}

fn file_line(path: &str, edges: &[&DepEdge], style: Style) -> String {
    let lines: Vec<String> = edges.iter().map(|edge| edge.line.to_string()).collect();
    if style.detailed {
        format!(
            "  {path} as {} at line {}",
            edges[0].module,
            lines.join(",")
        )
    } else {
        format!("  {path}: {}", lines.join(","))
    }
}

fn externals(page: &mut Page, edges: &[&DepEdge]) -> usize {
    let files = files(edges);
    let names: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    if names.is_empty() || !page.line(&format!("  external: {}", names.join(", "))) {
        0
    } else {
        names.len()
    }
}

/// Edges by the other file, in the order given.
fn files<'a>(edges: &[&'a DepEdge]) -> Vec<(&'a str, Vec<&'a DepEdge>)> {
    let mut files: Vec<(&str, Vec<&DepEdge>)> = Vec::new();
    for edge in edges {
        match files.iter_mut().find(|(path, _)| *path == edge.path) {
            Some((_, edges)) => edges.push(edge),
            None => files.push((&edge.path, vec![edge])),
        }
    }
    files
}
