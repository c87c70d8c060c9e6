//! Jupyter notebooks as the code that people read in them: the lines of their cells, each on the line of the
//! file where it is written. Outputs are not read.
//!
//! Lines of cells that are written on one line of the file are joined by [`LINE_END`]. Prose is in comments,
//! and so is what only IPython understands. The first line names the language where it is not Python, or
//! where lines are joined: `#!jupyter julia`.

mod json;

use std::collections::BTreeMap;
use std::ops::Range;

use json::{Json, decoded};

/// Ends a line of a cell that another one follows on the same line of the file.
pub(crate) const LINE_END: char = '␊';
/// Nobody writes more cells.
const MAX_CELLS: usize = 20_000;
/// Cell magics whose cell is Python all the same.
const PYTHON_CELLS: [&str; 9] = [
    "%%time",
    "%%timeit",
    "%%capture",
    "%%prun",
    "%%memit",
    "%%mprun",
    "%%lprun",
    "%%cython",
    "%%python",
];
/// Magics that run what follows them.
const RUNNING: [&str; 5] = ["%time ", "%timeit ", "%prun ", "%memit ", "%debug "];

/// Says whether a file is called as notebooks are.
pub(crate) fn is_notebook(path: &str) -> bool {
    let ending = path.rsplit('.').next();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ipynb"))
}

/// Returns the lines of a notebook's cells at their lines; `None` for what is no notebook. O(length).
pub(crate) fn cells(text: &str) -> Option<String> {
    let notebook = Notebook::read(text)?;
    let language = notebook.language();
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let places = LineStarts::of(text);
    for cell in &notebook.cells {
        let kind = cell.kind.as_deref().unwrap_or("code");
        let written = cell.lines(text, &places);
        for (line, code) in shown(written, kind == "code", &language) {
            lines.entry(line).or_default().push(code);
        }
    }
    Some(laid_out(text, lines, &language))
}

/// Puts lines where they belong, and the language first where it must be said.
fn laid_out(text: &str, mut lines: BTreeMap<usize, Vec<String>>, language: &str) -> String {
    let is_joined = lines.values().any(|joined| joined.len() > 1);
    if is_joined || language != "python" || lines.contains_key(&0) {
        let first = lines.entry(0).or_default();
        first.insert(0, format!("#!jupyter {language} "));
    }
    let mut shown = String::with_capacity(text.len() / 2);
    for (at, _) in text.split('\n').enumerate() {
        if at > 0 {
            shown.push('\n');
        }
        for (n_before, line) in lines.remove(&at).into_iter().flatten().enumerate() {
            if n_before > 0 {
                shown.push(LINE_END);
            }
            shown.push_str(&line);
        }
    }
    shown
}

type Line = (usize, String);

/// The lines of a cell as code.
fn shown(lines: Vec<Line>, is_code: bool, language: &str) -> Vec<Line> {
    let mark = comment_mark(language);
    let in_comment = |(at, line): Line| {
        let is_blank = line.trim().is_empty();
        let line = if is_blank {
            line
        } else {
            format!("{mark} {line}")
        };
        (at, line)
    };
    if !is_code {
        return lines.into_iter().map(in_comment).collect();
    }
    if language != "python" {
        return lines;
    }
    let first = lines.iter().find(|(_, line)| !line.trim().is_empty());
    let magic = first.and_then(|(_, line)| line.split_whitespace().next());
    let is_other =
        magic.is_some_and(|word| word.starts_with("%%") && !PYTHON_CELLS.contains(&word));
    if is_other {
        return lines.into_iter().map(in_comment).collect();
    }
    let mut goes_on = false;
    let python = |(at, line): Line| {
        let is_more = goes_on;
        let is_command = is_more || line.trim_start().starts_with(['!', '%']);
        goes_on = is_command && line.trim_end().ends_with('\\');
        if is_more {
            return in_comment((at, line));
        }
        (at, without_magic(line))
    };
    lines.into_iter().map(python).collect()
}

fn comment_mark(language: &str) -> &'static str {
    match language {
        "c" | "cpp" | "csharp" | "dart" | "fsharp" | "go" | "groovy" | "java" | "javascript"
        | "kotlin" | "php" | "rust" | "scala" | "swift" | "typescript" => "//",
        "haskell" | "lua" | "sql" => "--",
        "clojure" | "lisp" => ";;",
        _ => "#",
    }
}

/// A line of IPython as a line of Python: what runs code is left out before it, the rest is a comment.
fn without_magic(line: String) -> String {
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let is_word = |rest: &str| rest.starts_with(|char: char| char.is_ascii_alphabetic());
    for magic in RUNNING {
        let run = code.strip_prefix(magic).map(str::trim_start);
        if let Some(run) = run.filter(|run| !run.is_empty() && !run.starts_with('-')) {
            return format!("{indent}{run}");
        }
    }
    let is_magic = code
        .strip_prefix('%')
        .is_some_and(|rest| is_word(rest.trim_start_matches('%')));
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '?' | '%');
    let is_help = code.contains('?') && code.trim_end().chars().all(is_part);
    if is_magic || is_help || code.starts_with('!') {
        let place = if indent.is_empty() { "" } else { "pass  " };
        return format!("{indent}{place}# {code}");
    }
    let assigned = code.split_once('=').filter(|(names, value)| {
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | ',' | ' ');
        let value = value.trim_start();
        let runs = value.starts_with('!') && !value.starts_with("!=");
        names.chars().all(is_name) && (runs || value.strip_prefix('%').is_some_and(is_word))
    });
    match assigned {
        Some((names, value)) => format!("{indent}{names}= None  #{value}"),
        None => line,
    }
}

/// The parts of a notebook that matter, as they are written.
#[derive(Default)]
struct Notebook {
    cells: Vec<Cell>,
    /// Of the kernel, then of what its cells are in, then the name of the kernel.
    languages: [Option<String>; 3],
}

#[derive(Default)]
struct Cell {
    kind: Option<String>,
    /// Inside the quotes.
    texts: Vec<Range<usize>>,
}

impl Cell {
    /// Its lines, each with the number of the line in the file where it begins, from 0.
    fn lines(&self, text: &str, places: &LineStarts) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut is_open = false;
        for part in &self.texts {
            let place = places.line_of(part.start);
            let decoded = decoded(&text[part.clone()]);
            for piece in decoded.split_inclusive('\n') {
                let line = piece.strip_suffix('\n').unwrap_or(piece);
                let line = line.replace(['\n', '\r', LINE_END], " ");
                match lines.last_mut().filter(|_| is_open) {
                    Some(last) => last.1.push_str(&line),
                    None => lines.push((place, line)),
                }
                is_open = !piece.ends_with('\n');
            }
        }
        lines
    }
}

/// Where the lines of a text begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        Self(std::iter::once(0).chain(ends.map(|end| end + 1)).collect())
    }

    fn line_of(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte) - 1
    }
}

impl Notebook {
    fn read(text: &str) -> Option<Self> {
        let mut json = Json::new(text);
        let (mut notebook, mut has_cells) = (Self::default(), false);
        json.object(|json, key| match key {
            "cells" => {
                has_cells = true;
                notebook.read_cells(json)
            }
            // The third format has sheets.
            "worksheets" => json.list(|json| {
                json.object(|json, key| match key {
                    "cells" => {
                        has_cells = true;
                        notebook.read_cells(json)
                    }
                    _ => json.skip(),
                })
            }),
            "metadata" => notebook.read_metadata(json),
            _ => json.skip(),
        })?;
        has_cells.then_some(notebook)
    }

    fn read_cells(&mut self, json: &mut Json<'_>) -> Option<()> {
        json.list(|json| {
            let mut cell = Cell::default();
            json.object(|json, key| match key {
                "cell_type" => {
                    cell.kind = json.text_of_value()?;
                    Some(())
                }
                "source" | "input" => json.texts(&mut cell.texts),
                _ => json.skip(),
            })?;
            if self.cells.len() < MAX_CELLS {
                self.cells.push(cell);
            }
            Some(())
        })
    }

    fn read_metadata(&mut self, json: &mut Json<'_>) -> Option<()> {
        json.object(|json, key| {
            let is_kernel = match key {
                "kernelspec" => true,
                "language_info" => false,
                _ => return json.skip(),
            };
            json.object(|json, key| {
                let at = match (key, is_kernel) {
                    ("language", true) => 0,
                    ("name", false) => 1,
                    ("name", true) => 2,
                    _ => return json.skip(),
                };
                self.languages[at] = json.text_of_value()?;
                Some(())
            })
        })
    }

    /// The language of its cells, by our names.
    fn language(&self) -> String {
        let said = self.languages.iter().flatten().next();
        let said = said.map_or("python", String::as_str).to_lowercase();
        let known = match said.as_str() {
            "ir" => "r",
            "c#" => "csharp",
            "f#" => "fsharp",
            "deno" => "typescript",
            name if name.starts_with("python") || name.starts_with("ipython") => "python",
            name if name.starts_with("c++") => "cpp",
            name if name.starts_with("julia") => "julia",
            name => name,
        };
        let is_name = |char: char| char.is_ascii_alphanumeric() || char == '-';
        let name: String = known
            .chars()
            .filter(|char| is_name(*char))
            .take(40)
            .collect();
        if name.is_empty() {
            "python".to_owned()
        } else {
            name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a notebook that is written over some lines.
    fn check(text: &str, expected: &str) {
        assert_eq!(cells(text).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn lines_of_cells_stand_where_they_are_written() {
        check(
            r##"{
 "cells": [
  {"cell_type": "markdown", "source": ["# Churn\n", "\n", "Who \"leaves\"."]},
  {"outputs": [{"text": ["def no():\n"]}], "cell_type": "code", "source": [
    "import a\n",
    "def f(x=\"l\"):\n",
    "\treturn x\n"
  ]},
  {"cell_type": "code", "source": "f(1)\nf(2)", "metadata": {"source": ["no"]}}
 ],
 "metadata": {"language_info": {"name": "python"}}
}"##,
            "#!jupyter python \n\n# # Churn␊␊# Who \"leaves\".\n\nimport a\ndef f(x=\"l\"):\n\treturn x\n\nf(1)␊f(2)\n\n\n",
        );
    }

    #[test]
    fn a_notebook_on_one_line_is_on_line_one() {
        check(
            r#"{"cells":[{"cell_type":"code","source":["a = 1\n","b = a\n"]}]}"#,
            "#!jupyter python ␊a = 1␊b = a",
        );
    }

    #[test]
    fn the_language_is_the_kernel_s() {
        for (metadata, language) in [
            (r#"{"kernelspec":{"language":"R","name":"ir"}}"#, "r"),
            (r#"{"kernelspec":{"name":"ir"}}"#, "r"),
            (r#"{"language_info":{"name":"C++17"}}"#, "cpp"),
            (
                r#"{"kernelspec":{"name":"julia-1.9","display_name":"Julia"}}"#,
                "julia",
            ),
            (
                r#"{"kernelspec":{"language":null},"language_info":{"name":"typescript"}}"#,
                "typescript",
            ),
        ] {
            let cell = r#"{"cell_type":"code","source":["f(1)\n"]}"#;
            let text = format!("{{\n\"cells\":[\n{cell}],\n\"metadata\":{metadata}}}");
            check(&text, &format!("#!jupyter {language} \n\nf(1)\n"));
        }
    }

    #[test]
    fn prose_and_magic_are_comments() {
        for (source, expected) in [
            ("%matplotlib inline", "# %matplotlib inline"),
            ("    !ls {x}", "    pass  # !ls {x}"),
            ("%time train(model)", "train(model)"),
            ("%timeit -n 10 f(x)", "# %timeit -n 10 f(x)"),
            ("files = !ls", "files = None  # !ls"),
            ("x = %sql select 1", "x = None  # %sql select 1"),
            ("frame.head?", "# frame.head?"),
            ("?frame", "# ?frame"),
            ("a != b", "a != b"),
            ("  % b)", "  % b)"),
            ("x = y % z", "x = y % z"),
        ] {
            assert_eq!(without_magic(source.to_owned()), expected);
        }
        let lines = |text: &str| {
            let lines = text.lines().map(|line| (0, line.to_owned()));
            let shown = shown(lines.collect(), true, "python").into_iter();
            shown.map(|(_, line)| line).collect::<Vec<_>>()
        };
        assert_eq!(lines("%%bash\nls -l"), ["# %%bash", "# ls -l"]);
        assert_eq!(lines("%%time\nfit()"), ["# %%time", "fit()"]);
        assert_eq!(
            lines("!run \\\n  --all \\\n  x\nfit()"),
            ["# !run \\", "#   --all \\", "#   x", "fit()"]
        );
    }

    #[test]
    fn what_is_no_notebook_is_none() {
        for text in [
            "",
            "{",
            "[]",
            "{}",
            "print(1)",
            "{\"cells\": 3}",
            "{\"cells\": [",
            "{\"cells\": [{\"source\": \"\\",
            "{\"metadata\": {}}",
            "{\"cells\": [{\"source\" 1}]}",
        ] {
            assert_eq!(cells(text), None, "{text}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        assert_eq!(cells(&deep), None);
    }
}
