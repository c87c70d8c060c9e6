//! The modules of a crate, what each defines and names, and which file an item comes from.

use super::tokens::{after_group, is_word, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A crate as read from its sources.
pub(super) struct Crate {
    files: Vec<PathBuf>,
    /// The first one is the root.
    modules: Vec<Module>,
}

/// Names by the file that uses them and the file that defines them.
pub(super) type Edges = BTreeMap<(u32, u32), BTreeSet<String>>;

#[derive(Default)]
struct Module {
    file: u32,
    parent: usize,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    /// Words in the arguments of macros, which may define items by these names.
    macro_words: BTreeSet<String>,
    imports: Vec<Import>,
    paths: BTreeSet<Vec<String>>,
}

struct Import {
    path: Vec<String>,
    /// The name here; `*` for all.
    name: String,
    is_public: bool,
}

#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    File(u32),
}

/// A module under construction: the folder of its children, and its index.
struct Place {
    folder: PathBuf,
    module: usize,
}

pub(crate) fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the workspace")
}

impl Crate {
    pub(super) fn read(path: &Path) -> Self {
        let folder = path.join("src");
        let root = ["lib.rs", "main.rs"].map(|name| folder.join(name));
        let file = root.into_iter().find(|path| path.exists());
        let mut read = Self {
            files: Vec::new(),
            modules: Vec::new(),
        };
        read.add_file(file.expect("a root"), folder, 0);
        read
    }

    pub(super) fn file(&self, file: u32) -> String {
        let path = &self.files[file as usize];
        let path = path.strip_prefix(root()).expect("in the workspace");
        path.to_string_lossy().into_owned()
    }

    pub(super) fn edges(&self) -> Edges {
        let mut edges = Edges::new();
        for (idx, module) in self.modules.iter().enumerate() {
            let is_named =
                |name: &String| module.paths.iter().any(|path| path.first() == Some(name));
            let imported = module.imports.iter();
            let imported = imported
                .filter(|import| !import.is_public || is_named(&import.name))
                .map(|import| &import.path);
            for path in module.paths.iter().chain(imported) {
                let target = self.resolve(idx, path, &mut BTreeSet::new());
                if let Some(Target::File(file)) = target
                    && file != module.file
                {
                    let names = edges.entry((module.file, file)).or_default();
                    names.insert(path.last().cloned().unwrap_or_default());
                }
            }
        }
        edges
    }

    fn resolve(
        &self,
        module: usize,
        path: &[String],
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let mut target = Target::Module(module);
        for (idx, segment) in path.iter().enumerate() {
            let Target::Module(module) = target else {
                break;
            };
            let is_last = idx + 1 == path.len();
            target = match segment.as_str() {
                "crate" => Target::Module(0),
                "self" => Target::Module(module),
                "super" => Target::Module(self.modules[module].parent),
                name => self.look_up(module, name, is_last, seen)?,
            };
        }
        Some(target)
    }

    fn look_up(
        &self,
        idx: usize,
        name: &str,
        is_last: bool,
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let module = &self.modules[idx];
        let child = module
            .children
            .get(name)
            .map(|child| Target::Module(*child));
        if child.is_some() && !is_last {
            return child;
        }
        if module.items.contains(name) {
            return Some(Target::File(module.file));
        }
        if !seen.insert((idx, name.to_owned())) {
            return child;
        }
        let mut imports = module.imports.iter().filter(|import| import.name == name);
        let found = imports.find_map(|import| self.resolve(idx, &import.path, seen));
        let mut globs = module.imports.iter().filter(|import| import.name == "*");
        let found = found.or_else(|| {
            globs.find_map(|glob| match self.resolve(idx, &glob.path, seen)? {
                Target::Module(from) => self.look_up(from, name, is_last, seen),
                Target::File(_) => None,
            })
        });
        let is_made = module.macro_words.contains(name);
        found
            .or(child)
            .or_else(|| is_made.then_some(Target::File(module.file)))
    }

    fn add_file(&mut self, path: PathBuf, folder: PathBuf, parent: usize) -> usize {
        let text = std::fs::read_to_string(&path).expect("a source");
        self.files.push(path);
        let file = self.files.len() as u32 - 1;
        self.add_module(&tokens(&text), folder, file, parent)
    }

    fn add_module(&mut self, tokens: &[&str], folder: PathBuf, file: u32, parent: usize) -> usize {
        let module = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            ..Module::default()
        });
        let place = Place { folder, module };
        let (mut at, mut depth) = (0, 0);
        while at < tokens.len() {
            match tokens[at] {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            at = match tokens[at] {
                "mod" if depth == 0 => self.read_child(tokens, at + 1, &place),
                "use" if at == 0 || tokens[at - 1] != "<" => self.read_import(tokens, at, module),
                token if is_word(token) => self.read_word(tokens, at, depth == 0, module),
                _ => at + 1,
            };
        }
        module
    }

    fn read_child(&mut self, tokens: &[&str], at: usize, place: &Place) -> usize {
        let name = tokens[at].to_owned();
        let folder = place.folder.join(&name);
        let (child, end) = if tokens[at + 1] == "{" {
            let file = self.modules[place.module].file;
            let end = after_group(tokens, at + 1);
            let body = &tokens[at + 2..end - 1];
            (self.add_module(body, folder, file, place.module), end)
        } else {
            let own = folder.with_extension("rs");
            let path = if own.exists() {
                own
            } else {
                folder.join("mod.rs")
            };
            (self.add_file(path, folder, place.module), at + 2)
        };
        self.modules[place.module].children.insert(name, child);
        end
    }

    fn read_import(&mut self, tokens: &[&str], at: usize, module: usize) -> usize {
        let len = tokens[at..].iter().position(|token| *token == ";");
        let end = at + len.expect("an import ends");
        let is_public = at > 0 && matches!(tokens[at - 1], "pub" | ")");
        let mut leaves = Vec::new();
        read_tree(&tokens[at + 1..end], &[], &mut leaves);
        let imports = leaves.into_iter().map(|(path, name)| Import {
            path,
            name,
            is_public,
        });
        self.modules[module].imports.extend(imports);
        end + 1
    }

    /// Reads a path, or what a word of the language defines.
    fn read_word(&mut self, tokens: &[&str], at: usize, is_item: bool, module: usize) -> usize {
        const DEFINING: &[&str] = &[
            "struct", "enum", "fn", "trait", "type", "const", "static", "union",
        ];
        let module = &mut self.modules[module];
        let next = |offset: usize| tokens.get(at + offset).copied().unwrap_or_default();
        if DEFINING.contains(&tokens[at]) && is_word(next(1)) {
            if is_item && !DEFINING.contains(&next(1)) {
                module.items.insert(next(1).to_owned());
                return at + 2;
            }
            return at + 1;
        }
        if tokens[at] == "macro_rules" {
            module.items.insert(next(2).to_owned());
            return at + 3;
        }
        if is_item && next(1) == "!" {
            let end = after_group(tokens, at + 2);
            let words = tokens[at + 2..end].iter().filter(|token| is_word(token));
            module
                .macro_words
                .extend(words.map(|word| (*word).to_owned()));
        }
        if at > 0 && matches!(tokens[at - 1], "." | "::") {
            return at + 1;
        }
        let mut path = vec![tokens[at].to_owned()];
        let mut end = at + 1;
        while tokens.get(end) == Some(&"::")
            && tokens.get(end + 1).is_some_and(|next| is_word(next))
        {
            path.push(tokens[end + 1].to_owned());
            end += 2;
        }
        // A lone word in small letters is a variable or field, unless it is called.
        let is_called = matches!(tokens.get(end), Some(&("(" | "!")));
        if path.len() > 1 || is_called || path[0].starts_with(char::is_uppercase) {
            module.paths.insert(path);
        }
        end
    }
}

/// The leaves of a tree of imports: the whole path of each, and its name here.
fn read_tree(tokens: &[&str], prefix: &[String], leaves: &mut Vec<(Vec<String>, String)>) {
    let mut path = prefix.to_vec();
    let mut name = String::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => {
                let end = after_group(tokens, at);
                read_tree(&tokens[at + 1..end - 1], &path, leaves);
                at = end;
                path = prefix.to_vec();
                name.clear();
                continue;
            }
            "," => {
                push_leaf(&path, &name, leaves);
                path = prefix.to_vec();
                name.clear();
            }
            "as" => {
                at += 1;
                tokens[at].clone_into(&mut name);
            }
            "*" => {
                path.push("self".to_owned());
                "*".clone_into(&mut name);
            }
            "self" if path.len() > prefix.len() || !prefix.is_empty() => {
                name = path.last().cloned().unwrap_or_default();
            }
            word if is_word(word) => {
                path.push(word.to_owned());
                word.clone_into(&mut name);
            }
            _ => {}
        }
        at += 1;
    }
    push_leaf(&path, &name, leaves);
}

fn push_leaf(path: &[String], name: &str, leaves: &mut Vec<(Vec<String>, String)>) {
    if !name.is_empty() {
        leaves.push((path.to_vec(), name.to_owned()));
    }
}
