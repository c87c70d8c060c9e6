//! Rewrites of which file holds what: re-exports, imports that nothing needs, definitions in another file.

use tree_sitter::Node;

use super::super::rewritten::{Edits, Piece, Rewritten, Written};
use super::super::site::{Site, named, words_at};

/// An import through a file that passes on what it asks for.
pub(super) fn barrel(site: &mut Site<'_>) -> Option<Rewritten> {
    match site.shape.language {
        "javascript" | "typescript" => script_barrel(site),
        "python" => python_barrel(site),
        "rust" => rust_barrel(site),
        _ => None,
    }
}

fn script_barrel(site: &mut Site<'_>) -> Option<Rewritten> {
    for import in site.all_nodes_shuffled(&["import_statement"]) {
        let Some(source) = import.child_by_field_name("source") else {
            continue;
        };
        let from = site.text(source);
        let clause = named(import)
            .into_iter()
            .find(|it| it.kind() == "import_clause");
        let Some(clause) = clause else { continue };
        let parts = named(clause);
        let [list] = parts[..] else { continue };
        if list.kind() != "named_imports" || site.text(import).contains("type ") {
            continue;
        }
        let quote = from.chars().next()?;
        let inner = from.trim_matches(quote);
        if !inner.starts_with('.') && !inner.starts_with("@/") {
            continue;
        }
        let names: Vec<&str> = named(list)
            .iter()
            .filter_map(|it| it.child_by_field_name("name"))
            .map(|it| site.text(it))
            .collect();
        let stem = format!("rw{}", site.number);
        let path = site.fresh_path(&stem);
        // Node wants the ending where the others have it.
        let ending = if inner.ends_with(".js") { ".js" } else { "" };
        let text = match site.dice.below(3) {
            0 => format!("export * from {from};\n"),
            _ => format!("export {{ {} }} from {from};\n", names.join(", ")),
        };
        let mut edits = site.edits();
        edits.replace(
            source.byte_range(),
            format!("{quote}./{stem}{ending}{quote}"),
        );
        let about = names.first().copied().unwrap_or_default().to_owned();
        return Some(
            Rewritten::from(edits)
                .and(Written::fresh(path, text))
                .about(&about),
        );
    }
    None
}

fn python_barrel(site: &mut Site<'_>) -> Option<Rewritten> {
    for import in site.all_nodes_shuffled(&["import_from_statement"]) {
        let module = import.child_by_field_name("module_name")?;
        let text = site.text(module);
        let is_module = text.starts_with('.') && !text.trim_start_matches('.').is_empty();
        let is_top = import.parent().is_some_and(|it| it.id() == site.root.id());
        let statement = site.text(import);
        if !is_module || !is_top || statement.contains('*') {
            continue;
        }
        let mut cursor = import.walk();
        let names: Vec<&str> = import
            .children_by_field_name("name", &mut cursor)
            .map(|it| site.text(it.child_by_field_name("name").unwrap_or(it)))
            .collect();
        let stem = format!("rw{}", site.number);
        let path = site.fresh_path(&stem);
        let line = format!("from {text} import {}\n", names.join(", "));
        let mut edits = site.edits();
        edits.replace(module.byte_range(), format!(".{stem}"));
        let about = names.first().copied().unwrap_or_default().to_owned();
        return Some(
            Rewritten::from(edits)
                .and(Written::fresh(path, line))
                .about(&about),
        );
    }
    None
}

fn rust_barrel(site: &mut Site<'_>) -> Option<Rewritten> {
    let root = site
        .view
        .files
        .iter()
        .position(|file| file.path.ends_with("src/lib.rs"))?;
    if root == site.file
        || !site.source().path.starts_with("src/")
        || site.source().path == "src/main.rs"
    {
        return None;
    }
    for import in site.all_nodes_shuffled(&["use_declaration"]) {
        let argument = import.child_by_field_name("argument")?;
        let text = site.text(argument);
        let Some(rest) = text.strip_prefix("crate::") else {
            continue;
        };
        let is_plain = !rest.contains('*') && !rest.contains(" as ") && rest.contains("::");
        if !is_plain || import.parent().is_none_or(|it| it.id() != site.root.id()) {
            continue;
        }
        let stem = site.fresh();
        let (module, names) = rest.split_once("::")?;
        let mut edits = site.edits();
        edits.replace(argument.byte_range(), format!("crate::{stem}::{names}"));
        let mut of_root = Edits::of(site.view, root);
        let end = site.view.files[root].text.len();
        of_root.add(
            end,
            format!("\npub mod {stem} {{\n    pub use crate::{module}::{names};\n}}\n"),
        );
        return Some(Rewritten::from(edits).and(of_root.written()));
    }
    None
}

/// What an async function asks a module for, asked for when it runs (TypeScript, JavaScript).
pub(super) fn import_later(site: &mut Site<'_>) -> Option<Rewritten> {
    for import in site.all_nodes_shuffled(&["import_statement"]) {
        let Some(source) = import.child_by_field_name("source") else {
            continue;
        };
        let clause = named(import)
            .into_iter()
            .find(|it| it.kind() == "import_clause");
        let Some(clause) = clause else { continue };
        let parts = named(clause);
        let [list] = parts[..] else { continue };
        let names: Vec<&str> = match list.kind() {
            "named_imports" => named(list)
                .iter()
                .filter(|it| it.child_by_field_name("alias").is_none())
                .filter_map(|it| it.child_by_field_name("name"))
                .map(|it| site.text(it))
                .collect(),
            "identifier" => vec![site.text(list)],
            _ => continue,
        };
        let is_whole = list.kind() == "identifier" || names.len() == named(list).len();
        let body = only_async_body(site, &names);
        let (Some(body), true) = (body, is_whole && !names.is_empty()) else {
            continue;
        };
        let from = site.text(source);
        let wanted = match list.kind() {
            "identifier" => format!("{{ default: {} }}", names[0]),
            _ => format!("{{ {} }}", names.join(", ")),
        };
        let text = format!("\n  const {wanted} = await import({from});");
        let mut edits = site.edits();
        edits.replace(import.byte_range(), "");
        edits.add(body, text);
        return Some(Rewritten::from(edits).about(names[0]));
    }
    None
}

/// Behind the brace of the one async function that has all uses of these names, none of them as a type.
fn only_async_body(site: &Site<'_>, names: &[&str]) -> Option<usize> {
    let functions = site.nodes(&["function_declaration"]);
    let is_async = |text: &str| text.starts_with("async");
    let function = functions.into_iter().find(|it| {
        is_async(site.text(*it))
            && names
                .iter()
                .all(|name| !words_at(site.text(*it), name).is_empty())
    })?;
    let body = function.child_by_field_name("body")?;
    let uses = site
        .names(site.root)
        .into_iter()
        .filter(|it| names.contains(&site.text(*it)));
    let mut uses = uses.peekable();
    uses.peek()?;
    let is_fit = uses.all(|it| {
        it.kind() == "identifier"
            && body.start_byte() < it.start_byte()
            && it.end_byte() < body.end_byte()
    });
    is_fit.then_some(body.start_byte() + 1)
}

/// An import that nothing needs.
pub(super) fn unused_import(site: &mut Site<'_>) -> Option<Rewritten> {
    let space = site.fresh();
    let path = site.source().path.clone();
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let siblings: Vec<String> = site
        .view
        .files
        .iter()
        .filter(|file| {
            file.language == site.source().language && folder(&file.path) == folder(&path)
        })
        .filter(|file| file.path != path)
        .filter_map(|file| {
            let name = file.path.rsplit('/').next()?;
            Some(name.rsplit_once('.')?.0.to_owned())
        })
        .filter(|stem| stem.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .collect();
    let other = site.dice.pick(&siblings).cloned();
    let line = match site.shape.language {
        "typescript" => format!("import * as {space} from './{}';\n", other?),
        "javascript" => format!("import * as {space} from './{}.js';\n", other?),
        "python" => format!("import json as {space}\n"),
        "rust" => format!("use std::collections::HashMap as Rw{};\n", site.number),
        "java" => "import java.util.concurrent.TimeUnit;\n".to_owned(),
        "kotlin" => "import java.util.concurrent.TimeUnit\n".to_owned(),
        "scala" => "import java.util.concurrent.TimeUnit\n".to_owned(),
        "csharp" => "using System.Threading;\n".to_owned(),
        "php" => format!("use ArrayObject as Rw{};\n", site.number),
        "ruby" => format!("require_relative '{}'\n", other?),
        "swift" => "import Foundation\n".to_owned(),
        "c" => "#include <stddef.h>\n".to_owned(),
        "cpp" => "#include <cstddef>\n".to_owned(),
        _ => return None,
    };
    let kinds = [
        "import_statement",
        "import_from_statement",
        "use_declaration",
        "import_declaration",
        "import",
        "using_directive",
        "namespace_use_declaration",
        "preproc_include",
    ];
    let first = named(site.root)
        .into_iter()
        .find(|it| kinds.contains(&it.kind()))?;
    if line.contains("TimeUnit") && site.has_word("TimeUnit") {
        return None;
    }
    let mut edits = site.edits();
    edits.add(first.start_byte(), line);
    Some(edits.into())
}

/// A definition in a file of its own, with all imports of the old one.
pub(super) fn moved(site: &mut Site<'_>) -> Option<Rewritten> {
    let kinds: &[&str] = match site.shape.language {
        "go" => &["function_declaration", "method_declaration"],
        "kotlin" | "swift" => &["function_declaration", "class_declaration"],
        "csharp" | "java" => &["class_declaration"],
        "scala" => &["class_definition", "trait_definition"],
        _ => return None,
    };
    let path = site.fresh_path(&format!("Rw{}", site.number));
    let old = &site.source().path;
    let is_kept = ["main.swift", "Package.swift", "_test.go"];
    if is_kept.iter().any(|end| old.ends_with(end)) || !site.path_is_free(&path) {
        return None;
    }
    let nodes = site.shuffled(kinds);
    let node = nodes.into_iter().find(|node| is_movable(site, *node))?;
    let name = node.child_by_field_name("name").map(|it| site.text(it))?;
    let mut edits = site.edits();
    edits.replace(node.byte_range(), "");
    let fresh = |text: String| Piece::Fresh { text, of: None };
    let kept = Piece::Kept {
        file: site.file,
        range: node.byte_range(),
    };
    let file = Written {
        path,
        old: None,
        pieces: vec![fresh(head(site)), kept, fresh("\n".to_owned())],
    };
    Some(Rewritten::from(edits).and(file).about(name))
}

/// Package and imports of a file, for another one.
fn head(site: &Site<'_>) -> String {
    let is_kept = |kind: &str| match site.shape.language {
        "go" => kind == "package_clause",
        "swift" => kind == "import_declaration",
        "csharp" => matches!(
            kind,
            "using_directive" | "file_scoped_namespace_declaration"
        ),
        _ => kind.contains("package") || kind.contains("import"),
    };
    let parts = named(site.root).into_iter().filter(|it| is_kept(it.kind()));
    let lines = parts.map(|part| format!("{}\n", site.text(part).trim_end()));
    format!("{}\n", lines.collect::<String>())
}

/// Says whether a definition means the same in another file of its package.
fn is_movable(site: &Site<'_>, node: Node<'_>) -> bool {
    let Some(name) = node.child_by_field_name("name").map(|it| site.text(it)) else {
        return false;
    };
    let at_top = node.parent().is_some_and(|it| it.id() == site.root.id());
    if !at_top || is_private(site, node) || uses_private(site, node) {
        return false;
    }
    match site.shape.language {
        // Imports that nothing needs are errors.
        "go" => {
            let names: Vec<&str> = site.names(node).iter().map(|it| site.text(*it)).collect();
            let imports = site.all_nodes(&["import_spec"]);
            let last = |import: &Node<'_>| {
                let path = site.text(*import).trim_matches('"');
                path.rsplit('/').next().unwrap_or(path)
            };
            !imports.iter().any(|import| names.contains(&last(import)))
        }
        // A public class stands in a file of its name.
        "java" => !site.source().path.ends_with(&format!("/{name}.java")),
        // A class and its object, and the heirs of what is sealed, stand in one file.
        "scala" => {
            let objects = site.nodes(&["object_definition"]);
            let has_companion = objects.iter().any(|it| {
                let named = it.child_by_field_name("name");
                named.is_some_and(|it| site.text(it) == name)
            });
            !has_companion && !site.has_word("sealed")
        }
        _ => !site.has_word("sealed"),
    }
}

fn is_private(site: &Site<'_>, node: Node<'_>) -> bool {
    let head = site.text(node).split(['{', '=']).next().unwrap_or_default();
    let words = ["private", "fileprivate"].iter();
    words.map(|word| words_at(head, word).len()).sum::<usize>() > 0
}

/// Says whether a definition names what is private to its file.
fn uses_private(site: &Site<'_>, node: Node<'_>) -> bool {
    let own: Vec<&str> = named(site.root)
        .into_iter()
        .filter(|it| is_private(site, *it))
        .flat_map(|it| site.names(it))
        .map(|it| site.text(it))
        .collect();
    site.names(node)
        .iter()
        .any(|it| own.contains(&site.text(*it)))
}
