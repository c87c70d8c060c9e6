//! Branches of C# that the grammar cannot read: `#if` between parts of an expression. The first branch is read, the
//! others and the directives are blanked. So are lines that begin with `#:`, which tell how a file is run.

use super::errors::error_bytes;
use crate::parse::parse;
use crate::tables::Tables;
use tree_sitter::Tree;

/// The tree of a text with such branches, where the grammar can read it so better.
pub(crate) fn read_again(source: &str, tree: &Tree, tables: &Tables) -> Option<Tree> {
    if !tree.root_node().has_error() {
        return None;
    }
    let errors = errors(tree);
    let mut text = source.as_bytes().to_vec();
    for block in blocks(source) {
        let is_broken = errors
            .iter()
            .any(|error| error.start < block.end && error.end > block.start);
        if is_broken {
            for range in block.left_out {
                blank(&mut text[range]);
            }
        }
    }
    if text == source.as_bytes() {
        return None;
    }
    let again = parse(&String::from_utf8(text).ok()?, tables, &[])?;
    (error_bytes(&again) < error_bytes(tree)).then_some(again)
}

fn blank(text: &mut [u8]) {
    let inside = text
        .iter_mut()
        .filter(|byte| !matches!(**byte, b'\n' | b'\r'));
    inside.for_each(|byte| *byte = b' ');
}

type BytesOf = std::ops::Range<usize>;

/// From `#if` to `#endif`, with what is not read.
struct Block {
    start: usize,
    end: usize,
    left_out: Vec<BytesOf>,
}

/// The outermost blocks, and lines that begin with `#:`.
fn blocks(source: &str) -> Vec<Block> {
    let mut blanks = Vec::new();
    let mut open: Option<Block> = None;
    let (mut depth, mut offset, mut is_first) = (0u32, 0, true);
    for line in source.split_inclusive('\n') {
        let range = offset..offset + line.len();
        offset = range.end;
        let directive = line.trim_start().strip_prefix('#').unwrap_or("");
        let word = directive
            .trim_start()
            .split([' ', '\t', '\r', '\n', '('])
            .next();
        match word.filter(|_| !directive.is_empty()).unwrap_or("") {
            "if" => {
                depth += 1;
                if depth == 1 {
                    is_first = true;
                    open = Some(Block {
                        start: range.start,
                        end: range.end,
                        left_out: vec![range],
                    });
                    continue;
                }
            }
            "else" | "elif" if depth == 1 => is_first = false,
            "endif" if depth == 1 => {
                depth = 0;
                if let Some(mut block) = open.take() {
                    block.end = range.end;
                    block.left_out.push(range);
                    blanks.push(block);
                }
                continue;
            }
            "endif" => depth = depth.saturating_sub(1),
            word if word.starts_with(':') => blanks.push(Block {
                start: range.start,
                end: range.end,
                left_out: vec![range.clone()],
            }),
            _ => {}
        }
        if let Some(block) = open.as_mut().filter(|_| !is_first) {
            block.left_out.push(range);
        }
    }
    blanks
}

/// The bytes of the outermost errors.
fn errors(tree: &Tree) -> Vec<BytesOf> {
    let mut open = vec![tree.root_node()];
    let mut blanks = Vec::new();
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            blanks.push(node.start_byte()..node.end_byte().max(node.start_byte() + 1));
        } else if node.has_error() {
            open.extend(node.children(&mut node.walk()));
        }
    }
    blanks
}

#[cfg(test)]
mod tests {
    use crate::analyze::analyze;
    use crate::language::detect;

    #[test]
    fn a_branch_between_parts_of_an_expression_is_read() {
        for source in [
            "class A { int F() =>\n#if NET6\n    G(1);\n#else\n    2;\n#endif\n  int G(int x) => x; }\n",
            "class A { int F(int t) { return t switch {\n    1 => 2,\n#if NET6\n    2 => G(3),\n#elif NET5\n    2 => 4,\n\
             #else\n    2 => 5,\n#endif\n    _ => 5 }; }\n  int G(int x) => x; }\n",
            "#:package Foo@1.0\nclass A { int F() => G(1); int G(int x) => x; }\n",
        ] {
            let language = detect("A.cs", source.as_bytes()).expect("C#");
            let facts = analyze(source, language);
            assert!(facts.errors.is_empty(), "{source} {:?}", facts.errors);
            let names: Vec<&str> = facts.symbols.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names, ["A", "F", "G"]);
            assert!(facts.references.iter().any(|one| one.name == "G"));
        }
    }
}
