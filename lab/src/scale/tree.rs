//! A made-up tree of any size: the same for the same seed, written as it is made.
//!
//! Four languages in turn (Python, TypeScript, headers and sources of C). Files import earlier ones of
//! their language, popular ones far more often; functions call what is imported; one name in four is
//! common, so that thousands of files define it; types have bases, and C fills tables of functions.

use std::fmt::Write as _;
use std::io::{self, Write};

/// Functions of a file.
const N_FUNCTIONS: u32 = 8;
/// Files in a folder, and folders in a folder.
const FAN_OUT: u32 = 32;
const VERBS: [&str; 12] = [
    "load", "flush", "merge", "parse", "route", "split", "check", "build", "fetch", "store",
    "close", "watch",
];
const NOUNS: [&str; 16] = [
    "queue", "order", "token", "frame", "index", "cache", "batch", "event", "route", "stream",
    "record", "buffer", "header", "session", "bucket", "cursor",
];
const COMMON: [&str; 6] = ["get", "run", "reset", "handle", "init", "update"];

/// Which tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree {
    pub(super) seed: u64,
    pub(super) n_files: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    TypeScript,
    Header,
    Source,
}

const LANGUAGES: [Language; 4] = [
    Language::Python,
    Language::TypeScript,
    Language::Header,
    Language::Source,
];

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32 % n.max(1)
    }

    fn one<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u32) as usize]
    }

    /// Small numbers far more often.
    fn popular(&mut self, n: u32) -> u32 {
        let share = f64::from(self.below(1 << 20)) / f64::from(1 << 20);
        (share.powi(3) * f64::from(n)) as u32
    }
}

impl Tree {
    fn random(self, file: u32, what: u32) -> Random {
        Random(self.seed ^ (u64::from(file) << 20) ^ (u64::from(what) << 56))
    }

    pub(super) fn path(self, file: u32) -> String {
        let extension = match language(file) {
            Language::Python => "py",
            Language::TypeScript => "ts",
            Language::Header => "h",
            Language::Source => "c",
        };
        let (outer, inner) = (file / FAN_OUT / FAN_OUT, file / FAN_OUT % FAN_OUT);
        format!("src/p{outer}/q{inner}/m{file}.{extension}")
    }

    /// The name of a function; every fourth is common.
    pub(super) fn function(self, file: u32, n: u32) -> String {
        let mut random = self.random(file, 1 + n);
        if n % 4 == 3 && language(file) != Language::Header {
            return random.one(&COMMON).to_owned();
        }
        let (verb, noun) = (random.one(&VERBS), random.one(&NOUNS));
        format!("{verb}_{noun}_{}", file * N_FUNCTIONS + n)
    }

    fn kind(self, file: u32) -> String {
        let noun = self.random(file, 40).one(&NOUNS);
        let (first, rest) = noun.split_at(1);
        format!("{}{rest}{file}", first.to_uppercase())
    }

    fn words(self, random: &mut Random) -> String {
        let n = 4 + random.below(5);
        let words = (0..n).map(|at| random.one(if at % 2 == 0 { &VERBS[..] } else { &NOUNS[..] }));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Earlier files that a file imports.
    fn imports(self, file: u32) -> Vec<u32> {
        let own = match language(file) {
            Language::Source => Language::Header,
            language => language,
        };
        let phase = own as u32;
        let n_earlier = (file + 3 - phase) / 4;
        let mut random = self.random(file, 50);
        let n = n_earlier.min(1 + random.below(5));
        let mut found: Vec<u32> = (0..n)
            .map(|_| random.popular(n_earlier) * 4 + phase)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The text of a file; `revision` differs after a commit that changes it.
    pub(super) fn text(self, file: u32, revision: u32) -> String {
        let mut random = self.random(file, 60);
        let imports = self.imports(file);
        let mut text = self.head(file, &imports, revision);
        for n in 0..N_FUNCTIONS {
            let (name, words) = (self.function(file, n), self.words(&mut random));
            let from = imports.get(random.below(imports.len() as u32) as usize);
            let callee = match from {
                Some(import) => self.function(*import, random.below(N_FUNCTIONS)),
                None => self.function(file, 0),
            };
            let _ = match language(file) {
                Language::Python => write!(
                    text,
                    "\n\ndef {name}(value, limit=LIMIT):\n    \"\"\"{words}.\"\"\"\n    found = {callee}(value)\n    if found is None:\n        return limit\n    return found + {n}\n"
                ),
                Language::TypeScript => write!(
                    text,
                    "\n/** {words}. */\nexport function {name}(value: number): number {{\n  const found = {callee}(value);\n  return found > LIMIT_{file} ? found : {n};\n}}\n"
                ),
                Language::Header => write!(text, "\n/* {words} */\nint {name}(int value);\n"),
                Language::Source => write!(
                    text,
                    "\n/* {words} */\nstatic int {name}(int value)\n{{\n\tint found = {callee}(value);\n\n\treturn found < 0 ? {n} : found;\n}}\n"
                ),
            };
        }
        self.foot(&mut text, file, &imports);
        text
    }

    fn head(self, file: u32, imports: &[u32], revision: u32) -> String {
        let mut text = String::new();
        for import in imports {
            let (path, kind) = (self.path(*import), self.kind(*import));
            let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
            let mut names: Vec<String> = (0..N_FUNCTIONS)
                .map(|n| self.function(*import, n))
                .collect();
            names.sort();
            names.dedup();
            let names = names.join(", ");
            let _ = match language(file) {
                Language::Python => {
                    let module = stem.replace('/', ".");
                    writeln!(text, "from {module} import {kind}, {names}")
                }
                Language::TypeScript => {
                    let module = stem.trim_start_matches("src/");
                    writeln!(
                        text,
                        "import {{ {kind}, {names} }} from \"../../{module}\";"
                    )
                }
                _ => writeln!(text, "#include \"{}\"", path.trim_start_matches("src/")),
            };
        }
        let _ = match language(file) {
            Language::Python => writeln!(text, "\nLIMIT = {revision}"),
            Language::TypeScript => writeln!(text, "\nexport const LIMIT_{file} = {revision};"),
            _ => writeln!(text, "\n#define LIMIT_{file} {revision}"),
        };
        text
    }

    /// The type of a file, which has the first import's as its base.
    fn foot(self, text: &mut String, file: u32, imports: &[u32]) {
        let kind = self.kind(file);
        let base = imports.first().map(|import| self.kind(*import));
        let _ = match language(file) {
            Language::Python => {
                let base = base.map_or_else(String::new, |base| format!("({base})"));
                write!(
                    text,
                    "\n\nclass {kind}{base}:\n    def get(self, key):\n        return {}(key)\n\n    def run(self):\n        return self.get({file})\n",
                    self.function(file, 0)
                )
            }
            Language::TypeScript => {
                let base = base.map_or_else(String::new, |base| format!(" extends {base}"));
                write!(
                    text,
                    "\nexport class {kind}{base} {{\n  get(key: number): number {{\n    return {}(key);\n  }}\n\n  run(): number {{\n    return this.get({file});\n  }}\n}}\n",
                    self.function(file, 0)
                )
            }
            Language::Header => write!(
                text,
                "\nstruct {kind} {{\n\tint (*get)(int value);\n\tint (*run)(int value);\n}};\n"
            ),
            Language::Source => match base {
                Some(base) => write!(
                    text,
                    "\nstatic const struct {base} ops_{file} = {{\n\t.get = {},\n\t.run = {},\n}};\n",
                    self.function(file, 0),
                    self.function(file, 1)
                ),
                None => Ok(()),
            },
        };
    }

    /// The history as `git fast-import` reads it: all files, then a changed one with each commit.
    pub(super) fn write_history(self, n_commits: u32, out: &mut dyn Write) -> io::Result<()> {
        let mut random = self.random(0, 70);
        for commit in 0..n_commits.max(1) {
            let who = format!(
                "Ada <ada@example.org> {} +0000",
                1_500_000_000 + commit * 60
            );
            let message = format!("{} {commit}", self.words(&mut random));
            write!(
                out,
                "commit refs/heads/main\ncommitter {who}\ndata {}\n{message}\n",
                message.len()
            )?;
            let changed = random.popular(self.n_files);
            let files = match commit {
                0 => 0..self.n_files,
                _ => changed..changed + 1,
            };
            for file in files {
                let text = self.text(file, commit);
                let path = self.path(file);
                write!(out, "M 100644 inline {path}\ndata {}\n{text}\n", text.len())?;
            }
        }
        Ok(())
    }
}

fn language(file: u32) -> Language {
    LANGUAGES[file as usize % LANGUAGES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_one_tree_and_another_makes_another() {
        let tree = |seed| Tree { seed, n_files: 400 };
        for file in [0, 1, 2, 3, 397, 398, 399] {
            assert_eq!(tree(7).text(file, 0), tree(7).text(file, 0));
            assert!(tree(7).text(file, 0) != tree(8).text(file, 0));
        }
        let history = |tree: Tree| {
            let mut bytes = Vec::new();
            tree.write_history(3, &mut bytes).expect("memory takes it");
            bytes
        };
        assert_eq!(history(tree(7)), history(tree(7)));
    }

    #[test]
    fn files_import_earlier_ones_of_a_language_that_they_can() {
        let tree = Tree {
            seed: 1,
            n_files: 4000,
        };
        for file in 0..tree.n_files {
            for import in tree.imports(file) {
                assert!(import < file, "{import} in {file}");
                let (from, of) = (language(import), language(file));
                assert!(from == of || from == Language::Header && of == Language::Source);
            }
        }
        let popular = (8..tree.n_files).filter(|file| tree.imports(*file).contains(&0));
        assert!(popular.count() > 50);
    }
}
