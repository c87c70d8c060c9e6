//! Java, Kotlin, Scala: the package that the head of a file says. Never what its folder suggests.

use tree_sitter::Node;

use crate::types::{HintKind, Local, PACKAGE};

/// The package of a file, dots between its parts; none for a file that says none. Scala may say it in
/// several clauses, one after the other.
pub(crate) fn package(root: Node<'_>, source: &str) -> Option<Local> {
    let mut cursor = root.walk();
    let mut parts: Vec<String> = Vec::new();
    let mut line = 0;
    for node in root.named_children(&mut cursor) {
        let Some(name) = name_of(node) else {
            // What stands before the head: comments, annotations of the file.
            if parts.is_empty() && (node.is_extra() || node.kind() == "file_annotation") {
                continue;
            }
            let name = only_object(root, node).and_then(|name| source.get(name.byte_range()));
            parts.extend(name.map(bare));
            break;
        };
        parts.push(bare(source.get(name.byte_range())?));
        line = name.start_position().row as u32 + 1;
        if node.child_by_field_name("body").is_some() {
            break;
        }
    }
    (!parts.is_empty()).then(|| Local {
        name: PACKAGE.to_owned(),
        kind: HintKind::Nothing,
        text: parts.join("."),
        line,
        column: 0,
        end_line: line,
        enclosing: None,
    })
}

/// A name without blanks and backticks.
fn bare(name: &str) -> String {
    let is_part = |c: &char| !c.is_whitespace() && *c != '`';
    name.chars().filter(is_part).collect()
}

/// The name of Scala's package object, which is all that a file defines: what it holds is of that package.
fn only_object<'t>(root: Node<'t>, from: Node<'t>) -> Option<Node<'t>> {
    let mut cursor = root.walk();
    let behind = root.named_children(&mut cursor);
    let behind = behind.skip_while(|node| node.id() != from.id());
    let mut defining =
        behind.filter(|node| !node.is_extra() && node.kind() != "import_declaration");
    let only = defining
        .next()
        .filter(|node| node.kind() == "package_object")?;
    defining
        .next()
        .is_none()
        .then(|| only.child_by_field_name("name"))?
}

fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    match node.kind() {
        "package_declaration" => {
            let mut parts = node.named_children(&mut cursor);
            parts.find(|part| matches!(part.kind(), "scoped_identifier" | "identifier"))
        }
        "package_header" => node.named_child(0),
        "package_clause" => node.child_by_field_name("name"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{PACKAGE, analyze, detect};

    #[test]
    fn heads_of_files_say_their_package() {
        let cases = [
            ("A.java", "// c\npackage a.b;\nclass A {}", Some("a.b")),
            ("A.java", "class A {}", None),
            (
                "a.kt",
                "/* c */\n@file:JvmName(\"X\")\n\npackage a.`in`.c\n\nclass A",
                Some("a.in.c"),
            ),
            ("a.kt", "class A", None),
            (
                "a.scala",
                "package a.b\npackage c\n\nclass A",
                Some("a.b.c"),
            ),
            ("a.scala", "package a { class A }", Some("a")),
            (
                "package.scala",
                "package a\n// c\nimport b.C\npackage object `in` { def f = 1 }",
                Some("a.in"),
            ),
            (
                "package.scala",
                "package a\npackage object b { def f = 1 }\nclass C",
                Some("a"),
            ),
        ];
        for (path, text, expected) in cases {
            let language = detect(path, text.as_bytes()).expect("a language");
            let facts = analyze(text, language);
            let said = facts.locals.iter().find(|local| local.name == PACKAGE);
            assert_eq!(said.map(|local| local.text.as_str()), expected, "{text}");
        }
    }
}
