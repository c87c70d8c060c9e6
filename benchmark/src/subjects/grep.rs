//! The baselines of the original primitives benchmark, command by command: what an agent does with
//! `grep` and `cat` alone. The fair style is smart-grep with the repository's languages.

mod across;
mod dead;
mod imports;
mod style;

use super::Subject;
use super::side_by_side::SideBySide;
use crate::checkouts::Checkout;
use crate::process::{self, children_cpu_ms};
use crate::watch::Watch;
use imports::{never, python_imports, relative_imports};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use style::ORIGINAL;
pub(super) use style::{FAIR, GrepStyle};
use whyrank_eval::{
    Answer, Call, Category, Direction, Question, RepositoryInfo, ReturnedPlace, SubjectInfo, Task,
};

const LIMIT: Duration = Duration::from_secs(30);
/// A hit: path, line, text.
struct GrepHit {
    file: String,
    line: u32,
    text: String,
}

impl From<&GrepHit> for ReturnedPlace {
    fn from(hit: &GrepHit) -> Self {
        Self {
            file: hit.file.clone(),
            line: hit.line,
            ..Self::default()
        }
    }
}

pub(super) struct Grep {
    style: GrepStyle,
    root: PathBuf,
    /// The repository and the others that its tasks speak of.
    both: Option<SideBySide>,
}

/// What was run and read for one task.
struct Shell<'a> {
    grep: &'a Grep,
    /// Where it runs.
    root: PathBuf,
    watch: &'a Watch,
    answer: Answer,
}

impl Grep {
    pub(super) fn new(style: GrepStyle) -> Self {
        Self {
            style,
            root: PathBuf::new(),
            both: None,
        }
    }
}

impl Subject for Grep {
    fn info(&self) -> SubjectInfo {
        SubjectInfo {
            name: self.style.name().to_owned(),
            notes: self.style.notes().to_owned(),
            ..SubjectInfo::default()
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        others: &[Checkout],
        _: &mut RepositoryInfo,
        _: &Watch,
    ) -> Result<(), String> {
        if !process::is_there("grep") {
            return Err("there is no `grep` on the path".to_owned());
        }
        self.root.clone_from(&checkout.root);
        let both = (!others.is_empty()).then(|| SideBySide::of(checkout, others));
        self.both = both.transpose()?;
        Ok(())
    }

    fn answer(&mut self, task: &Task, watch: &Watch) -> Answer {
        let started = Instant::now();
        let before = children_cpu_ms();
        let mut shell = Shell {
            grep: self,
            root: self.root.clone(),
            watch,
            answer: Answer::default(),
        };
        match (&task.question, task.category) {
            (Question::Symbol { symbol, .. }, Category::P1) => shell.definition(symbol),
            (Question::Symbol { symbol, .. }, Category::P2) => shell.references(symbol),
            (
                Question::Symbol {
                    symbol, relation, ..
                },
                Category::P3,
            ) => {
                if !shell.across(symbol, *relation) {
                    return Answer::unsupported();
                }
            }
            (Question::File { file, direction }, _) => shell.dependencies(file, *direction),
            (Question::Dead { symbol, file, .. }, _) => shell.is_dead(symbol, file),
            (Question::DeadNames, _) => shell.dead_names(),
            _ => return Answer::unsupported(),
        }
        let mut answer = shell.answer;
        answer.wall_ms = started.elapsed().as_secs_f64() * 1e3;
        answer.cpu_ms = children_cpu_ms()
            .zip(before)
            .map(|(after, before)| after - before);
        answer
    }
}

impl Shell<'_> {
    /// Runs a line of shell in the repository; its output is read.
    fn run(&mut self, line: &str) -> String {
        self.answer.calls.push(Call {
            tool: "sh".to_owned(),
            arguments: line.to_owned(),
        });
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&self.root);
        match process::run(&mut command, None, LIMIT, self.watch) {
            Ok(output) => {
                self.answer.text += &output.stdout;
                output.stdout
            }
            Err(error) => {
                self.answer.error = Some(error);
                String::new()
            }
        }
    }

    fn hits(&mut self, line: &str) -> Vec<GrepHit> {
        parse_hits(&self.run(line))
    }

    /// A whole file, as `cat` would print it.
    fn read(&mut self, file: &str, most_bytes: u64) -> Option<String> {
        self.answer.calls.push(Call {
            tool: "cat".to_owned(),
            arguments: file.to_owned(),
        });
        let path = inside(&self.root, file)?;
        let size = std::fs::metadata(&path).ok()?.len();
        if size > most_bytes {
            return None;
        }
        Some(String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned())
    }

    /// The first ten files of the hits, in full.
    fn read_files_of(&mut self, hits: &[GrepHit]) {
        let mut seen = BTreeSet::new();
        let files: Vec<String> = hits
            .iter()
            .filter(|hit| seen.insert(&hit.file))
            .map(|hit| hit.file.clone())
            .collect();
        for file in files.iter().take(10) {
            if let Some(text) = self.read(file, 200_000) {
                self.answer.text += &format!("\n=== {file} ===\n{text}\n");
            }
        }
    }

    fn definition(&mut self, symbol: &str) {
        let style = self.grep.style;
        let name = self.name_of(symbol);
        let filters = style.filters();
        if style == GrepStyle::Naive {
            let hits = self.hits(&format!(
                "grep -rn {filters} {} . 2>/dev/null | head -50",
                quote(&name)
            ));
            self.read_files_of(&hits);
            let shape = definition_of(&name, style);
            let best = hits
                .iter()
                .find(|hit| shape.is_match(&hit.text))
                .or(hits.first());
            self.answer.found = best.map(ReturnedPlace::from).into_iter().collect();
            return;
        }
        let extra = if style == GrepStyle::Smart {
            "|export default function|export default class"
        } else {
            ""
        };
        let pattern = format!(
            "({}{extra})\\s+{}\\b",
            style.keywords(),
            regex::escape(&name)
        );
        let mut hits = self.hits(&format!(
            "grep -rnE {filters} {} . 2>/dev/null | head -10",
            quote(&pattern)
        ));
        if hits.is_empty() {
            hits = self.hits(&format!(
                "grep -rn {filters} {} . 2>/dev/null | head -10",
                quote(&name)
            ));
        }
        if let Some(hit) = hits.first() {
            self.context(&hit.file.clone(), hit.line);
        }
        self.answer.found = hits.first().map(ReturnedPlace::from).into_iter().collect();
    }

    /// Ten lines around a hit.
    fn context(&mut self, file: &str, line: u32) {
        if let Some(text) = self.read(file, 500_000) {
            let lines: Vec<&str> = text.split('\n').collect();
            let from = (line as usize).saturating_sub(11);
            let to = lines.len().min(line as usize + 10);
            let shown = lines.get(from..to).unwrap_or_default().join("\n");
            self.answer.text += &format!("\n=== {file}:{}-{to} ===\n{shown}\n", from + 1);
        }
    }

    fn references(&mut self, symbol: &str) {
        let style = self.grep.style;
        let name = self.name_of(symbol);
        let filters = style.filters();
        let hits = match style {
            GrepStyle::Naive => self.hits(&format!(
                "grep -rn {filters} {} . 2>/dev/null | head -50",
                quote(&name)
            )),
            _ => self.hits(&format!(
                "grep -rnw {filters} {} . 2>/dev/null | head -100",
                quote(&name)
            )),
        };
        if style == GrepStyle::Naive {
            self.read_files_of(&hits);
        }
        let shape = definition_of(&name, style);
        let kept = hits
            .iter()
            .filter(|hit| style == GrepStyle::Naive || !shape.is_match(&hit.text));
        self.answer.found = kept.map(ReturnedPlace::from).collect();
    }

    fn dependencies(&mut self, file: &str, direction: Direction) {
        let style = self.grep.style;
        let text = self.read(file, u64::MAX).unwrap_or_default();
        self.answer.text += &match style {
            GrepStyle::Naive => format!("\n=== {file} ===\n{text}\n"),
            _ => format!(
                "=== {file} (head) ===\n{}\n",
                text.chars().take(4000).collect::<String>()
            ),
        };
        let base = base_name(file, style);
        let filters = style.filters();
        let out = self.run(&format!(
            "grep -rln {filters} {} . 2>/dev/null | head -30",
            quote(&base)
        ));
        let importers = out
            .lines()
            .map(|line| line.trim().trim_start_matches("./").to_owned());
        let importers = importers
            .filter(|path| !path.is_empty() && path != file)
            .collect();
        if direction != Direction::Importers {
            self.answer.imports = self.imports_of(&text, file);
        }
        if direction != Direction::Imports {
            self.answer.importers = importers;
        }
    }

    /// Relative imports, as the original resolves them: by path, without an extension. The fair style
    /// looks which file is there, and knows Python's imports.
    fn imports_of(&self, text: &str, file: &str) -> Vec<String> {
        let imports = relative_imports(text, file);
        if self.grep.style != GrepStyle::Fair {
            return imports;
        }
        let mut imports: Vec<String> = imports.iter().map(|path| self.existing(path)).collect();
        if file.ends_with(".py") {
            imports.extend(
                python_imports(text, file)
                    .iter()
                    .filter_map(|module| self.python_file(module)),
            );
        }
        imports.sort();
        imports.dedup();
        imports
    }

    fn existing(&self, path: &str) -> String {
        let endings = [
            "",
            ".ts",
            ".tsx",
            ".js",
            ".mjs",
            ".cjs",
            "/index.ts",
            "/index.js",
        ];
        let candidates = endings.iter().map(|ending| format!("{path}{ending}"));
        let mut there = candidates
            .filter(|candidate| inside(&self.root, candidate).is_some_and(|path| path.is_file()));
        there.next().unwrap_or_else(|| path.to_owned())
    }

    fn python_file(&self, module: &str) -> Option<String> {
        let roots = ["", "src/", "lib/"];
        let candidates = roots.iter().flat_map(|root| {
            [
                format!("{root}{module}.py"),
                format!("{root}{module}/__init__.py"),
            ]
        });
        candidates
            .into_iter()
            .find(|path| inside(&self.root, path).is_some_and(|path| path.is_file()))
    }

    /// The original's symbols are bare; the fair style looks for the last part of a qualified one.
    fn name_of(&self, symbol: &str) -> String {
        match self.grep.style {
            GrepStyle::Fair => symbol
                .rsplit(['.', ':', '#'])
                .next()
                .unwrap_or(symbol)
                .to_owned(),
            _ => symbol.to_owned(),
        }
    }
}

/// A file of the repository; none for a path that leads out of it. Task files may come from anywhere.
fn inside(root: &Path, file: &str) -> Option<PathBuf> {
    let path = root.join(file).canonicalize().ok()?;
    path.starts_with(root.canonicalize().ok()?).then_some(path)
}

fn definition_of(name: &str, style: GrepStyle) -> Regex {
    // Go's methods have a receiver between the keyword and the name.
    let receiver = if style == GrepStyle::Fair {
        r"(\([^)]*\)\s*)?"
    } else {
        ""
    };
    let pattern = format!(
        r"({})\s+{receiver}{}\b",
        style.keywords(),
        regex::escape(name)
    );
    Regex::new(&pattern).unwrap_or_else(|_| never())
}

fn parse_hits(out: &str) -> Vec<GrepHit> {
    let hits = out.lines().filter_map(|line| {
        let line = line.strip_prefix("./").unwrap_or(line);
        let (file, rest) = line.split_once(':')?;
        let (number, text) = rest.split_once(':')?;
        Some(GrepHit {
            file: file.to_owned(),
            line: number.parse().ok()?,
            text: text.to_owned(),
        })
    });
    hits.collect()
}

fn base_name(file: &str, style: GrepStyle) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let endings: &[&str] = match style {
        GrepStyle::Naive => &["ts", "tsx", "js", "jsx", "mjs", "cjs"],
        GrepStyle::Smart => ORIGINAL,
        GrepStyle::Fair => FAIR,
    };
    match name.rsplit_once('.') {
        Some((stem, ending)) if endings.contains(&ending) => stem.to_owned(),
        _ => name.to_owned(),
    }
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_as_the_original_reads_them() {
        let text = "import { a } from './b.js';\nconst c = require('../c');\nimport d from 'd';\n";
        assert_eq!(relative_imports(text, "lib/x/a.js"), ["lib/x/b", "lib/c"]);
    }

    #[test]
    fn python_s_imports_name_modules_and_what_is_in_them() {
        let modules = python_imports(
            "from . import ctx\nfrom .json import tag\nimport os.path\n",
            "src/flask/app.py",
        );
        assert!(modules.contains(&"src/flask/ctx".to_owned()));
        assert!(modules.contains(&"src/flask/json".to_owned()));
        assert!(modules.contains(&"os/path".to_owned()));
    }

    #[test]
    fn names_with_quotes_stay_one_word() {
        assert_eq!(quote("a'b"), r"'a'\''b'");
    }

    #[test]
    fn lines_of_grep_are_taken_apart_at_the_first_colons() {
        let hits = parse_hits("./a/b.js:12:x: y\nBinary file matches\n");
        assert_eq!(hits.len(), 1);
        assert_eq!(
            (hits[0].file.as_str(), hits[0].line, hits[0].text.as_str()),
            ("a/b.js", 12, "x: y")
        );
    }
}
