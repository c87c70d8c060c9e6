//! Lines that read like a declaration, found without an index: the truth of two kinds of questions.

use regex::Regex;
use std::collections::BTreeMap;
use std::path::Path;

/// Words before the keyword, keyword, receiver, name, and what may follow a name that is declared.
const DECLARATION: &str = r"(?x)
    ^\s*
    (?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|fileprivate|static
        |final|abstract|async|unsafe|const|open|override|virtual|sealed|data|inline|extern|partial
        |suspend|local|readonly|implicit|case)\s+)*
    (?:fn|func|function\*?|def|defp|class|struct|enum|interface|trait|protocol|type|object|record|fun)
    \s+(?:\([^)]*\)\s*)?
    (?:self\.|[A-Z]\w*[.:])?
    ([A-Za-z_]\w*)
    \s*(?:$|[(<{:=\[]|(?:extends|implements|where|struct|interface|func|map)\b)";

/// A name that one line of the repository declares.
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) path: String,
    /// From 1.
    pub(super) line: u32,
    /// The comment at it, its words only; empty for none.
    pub(super) comment: String,
}

/// Names of at least `min` letters that one line alone declares, in the order of paths and lines.
pub(super) fn unique(root: &Path, min: usize) -> Vec<Declaration> {
    let Ok(pattern) = Regex::new(DECLARATION) else {
        return Vec::new();
    };
    let mut found: Vec<Declaration> = Vec::new();
    for (path, text) in crate::subjects::text_files(root) {
        if is_source(&path) {
            found.extend(declared(&pattern, &path, &text));
        }
    }
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for declaration in &found {
        *counts.entry(declaration.name.clone()).or_default() += 1;
    }
    found.retain(|declaration| declaration.name.len() >= min && counts[&declaration.name] == 1);
    found
}

fn declared<'a>(
    pattern: &'a Regex,
    path: &'a str,
    text: &'a str,
) -> impl Iterator<Item = Declaration> + 'a {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).filter_map(move |index| {
        let name = pattern.captures(lines[index])?.get(1)?.as_str().to_owned();
        Some(Declaration {
            comment: comment(&lines, index),
            path: path.to_owned(),
            line: index as u32 + 1,
            name,
        })
    })
}

/// The comment above a line, attributes between them left out, or the docstring below it.
fn comment(lines: &[&str], index: usize) -> String {
    let is_attribute = |line: &str| line.starts_with('@') || line.starts_with("#[");
    let mut above: Vec<&str> = lines[..index]
        .iter()
        .rev()
        .map(|line| line.trim())
        .skip_while(|line| is_attribute(line))
        .take_while(|line| is_comment(line))
        .map(bare)
        .collect();
    above.reverse();
    let text = above.join("\n");
    if !text.trim().is_empty() {
        return text;
    }
    let mut below = lines[index + 1..].iter().map(|line| line.trim());
    match below.next().and_then(|line| line.strip_prefix("\"\"\"")) {
        Some(first) if !lines[index].contains('{') => first.trim_end_matches("\"\"\"").to_owned(),
        _ => String::new(),
    }
}

fn is_comment(line: &str) -> bool {
    let beginnings = ["//", "/*", "*", "# ", "--"];
    beginnings
        .iter()
        .any(|beginning| line.starts_with(beginning))
}

/// A comment's line without its marks.
fn bare(line: &str) -> &str {
    line.trim_start_matches(['/', '*', '#', '-', '!'])
        .trim_end_matches("*/")
        .trim()
}

/// Whether a file is code and no test.
pub(super) fn is_source(file: &str) -> bool {
    let endings = [
        "rs", "py", "js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "go", "java", "kt", "c", "h",
        "cc", "cpp", "hpp", "rb", "php", "cs", "swift", "scala", "ex", "exs", "hs", "lua", "sh",
        "zig", "dart",
    ];
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    endings.contains(&ending) && !file.to_lowercase().contains("test") && !file.contains("spec")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<(String, u32, String)> {
        let pattern = Regex::new(DECLARATION).unwrap();
        declared(&pattern, path, text)
            .map(|found| (found.name, found.line, found.comment))
            .collect()
    }

    #[test]
    fn declarations_are_told_from_prose_and_calls() {
        let go = "// Start runs the server.\nfunc (s *Server) Start(at string) error {\n\treturn run()\n}\ntype Handler func()\n";
        assert_eq!(
            names("a.go", go),
            [
                ("Start".into(), 2, "Start runs the server.".into()),
                ("Handler".into(), 5, String::new())
            ]
        );
        let prose = " * type names that nobody declares\n// function that runs\nclassify(x)\n";
        assert!(names("a.ts", prose).is_empty());
        assert_eq!(
            names("a.ts", "export default async function load<T>() {")[0].0,
            "load"
        );
    }

    #[test]
    fn comments_stand_above_attributes_or_in_a_docstring() {
        let rust = "    /// Adds one.\n    ///\n    #[must_use]\n    pub(crate) const fn inc(n: u8) -> u8 {\n";
        assert_eq!(names("a.rs", rust)[0].2, "Adds one.\n");
        let python = "@cached\ndef price(x):\n    \"\"\"Return the price in cents.\"\"\"\n";
        assert_eq!(names("a.py", python)[0].2, "Return the price in cents.");
    }
}
