//! A graph brought up to date is the graph rebuilt, whatever was edited.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use proptest::prelude::{ProptestConfig, any, prop, proptest};
use whyrank_graph::{
    FileInput, Implementations, ImportGraph, ManifestInput, MemoryJournal, ReferenceIndex,
    ReferenceQuery, Relative, SymbolId, SymbolTable, USES_SECTIONS, Updated, UsesOverlay,
    ViewParts,
};
use whyrank_syntax::FileFacts;

use crate::implementations::RELATIVES;
use crate::sections::{MemorySections, Written, stored, written};

const LANGUAGES: [&str; 11] = [
    "ts", "py", "go", "rs", "java", "rb", "php", "js", "cs", "kt", "hpp",
];
const NAMES: [&str; 6] = ["alpha", "beta", "gamma", "load", "get", "default"];
const TYPES: [&str; 4] = ["Box", "Crate", "Alpha", "Item"];

/// A view with the content of each file as a number.
pub(crate) struct Snapshot {
    pub(crate) files: Vec<(String, String, FileFacts, u64)>,
    manifests: Vec<(String, String)>,
}

impl Snapshot {
    /// `files` by path.
    pub(crate) fn new(files: Vec<(String, String)>) -> Self {
        let mut read = Vec::new();
        for (path, text) in &files {
            let Some(language) = whyrank_syntax::detect(path, text.as_bytes()) else {
                continue;
            };
            let facts = whyrank_syntax::analyze(text, language);
            let content = text.bytes().fold(17u64, |sum, byte| {
                sum.wrapping_mul(1_000_003) ^ u64::from(byte)
            });
            read.push((path.clone(), language.name().to_owned(), facts, content | 1));
        }
        let is_manifest = |path: &str| path.ends_with(".toml") || path.ends_with(".json");
        Self {
            files: read,
            manifests: files
                .into_iter()
                .filter(|(path, _)| is_manifest(path))
                .collect(),
        }
    }

    fn n_symbols(&self) -> Vec<usize> {
        let counts = self.files.iter();
        counts.map(|(.., facts, _)| facts.symbols.len()).collect()
    }

    fn inputs(&self) -> Vec<FileInput<'_>> {
        let files = self.files.iter();
        let input = files.map(|(path, language, facts, _)| FileInput {
            path,
            language,
            facts,
        });
        input.collect()
    }

    fn imports(&self, files: &[FileInput<'_>]) -> ImportGraph {
        let manifests: Vec<ManifestInput<'_>> = self
            .manifests
            .iter()
            .map(|(path, text)| ManifestInput { path, text })
            .collect();
        ImportGraph::resolve(files, &manifests)
    }

    /// Two graphs of this view lead from every definition to the same uses; the relations of the second are
    /// read from a file.
    fn assert_same_answers(&self, known: &ReferenceIndex, other: &ReferenceIndex) {
        let ties = MemorySections::of(&self.ties(known));
        let ties = Implementations::stored(Arc::new(ties), 0).expect("they were written");
        self.assert_same_relatives(known, other, ties);
    }

    fn assert_same_relatives(
        &self,
        known: &ReferenceIndex,
        other: &ReferenceIndex,
        ties: Implementations,
    ) {
        assert_eq!(known, other);
        let files = self.inputs();
        let imports = self.imports(&files);
        let table = SymbolTable::new(&files, &imports);
        let ask = |known| ReferenceQuery::new(&files, &imports, &table, known);
        let (known, other) = (ask(known), ask(other));
        let ties = OnceLock::from(ties);
        let other = other.keeping(&ties);
        for (file, n_symbols) in (0u32..).zip(self.n_symbols()) {
            for symbol in 0..n_symbols as u32 {
                let id = SymbolId { file, symbol };
                assert_eq!(known.all(&[id]), other.all(&[id]), "{id:?}");
                for ask in RELATIVES {
                    let (mut known, mut other) = (ask(&known, &[id]), ask(&other, &[id]));
                    let key =
                        |found: &Relative| (found.depth, found.symbol, found.block, found.line);
                    known.sort_by_key(key);
                    other.sort_by_key(key);
                    assert_eq!(known, other, "{id:?}");
                }
            }
        }
    }

    /// Which types implement which, as a file has it.
    fn ties(&self, known: &ReferenceIndex) -> Vec<Vec<u8>> {
        let files = self.inputs();
        let imports = self.imports(&files);
        let table = SymbolTable::new(&files, &imports);
        let uses = ReferenceQuery::new(&files, &imports, &table, known);
        Implementations::new(&uses).sections()
    }

    /// The graph of this view, from an earlier one.
    pub(crate) fn graph(&self, before: ReferenceIndex) -> ReferenceIndex {
        self.with_parts(|parts| before.update(parts))
    }

    /// The same, written file by file.
    fn written_graph(&self, before: ReferenceIndex) -> Vec<Vec<u8>> {
        self.written_from(before, &mut MemoryJournal::default(), usize::MAX)
            .0
            .expect("nothing stops it")
    }

    /// The same, ended again and again after some files: none is resolved twice.
    fn written_in_parts(&self, before: &ReferenceIndex, most: usize) -> Vec<Vec<u8>> {
        let mut journal = MemoryJournal::default();
        let (_, n_files) =
            self.written_from(before.clone(), &mut MemoryJournal::default(), usize::MAX);
        let mut n_resolved = 0;
        loop {
            let (written, n) = self.written_from(before.clone(), &mut journal, most);
            n_resolved += n;
            if let Some(written) = written {
                assert_eq!(n_resolved, n_files);
                return written;
            }
        }
    }

    /// The same, going on with what a journal has and ended after `most` files; with how many it resolved.
    fn written_from(
        &self,
        before: ReferenceIndex,
        journal: &mut MemoryJournal,
        most: usize,
    ) -> (Option<Vec<Vec<u8>>>, usize) {
        let mut written = Written::default();
        let mut n_resolved = 0;
        let mut watch = |updated: Updated| {
            n_resolved = updated.n_done;
            match n_resolved < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let done =
            self.with_parts(|parts| before.update_into(parts, &mut watch, journal, &mut written));
        (done.map(|()| written.0), n_resolved)
    }

    /// What is other since, over an earlier graph, answers as the graph of this view does; false where it is
    /// not told apart.
    fn assert_overlaid(&self, base: &Base, known: &ReferenceIndex) -> bool {
        let mut go_on = |_| ControlFlow::Continue(());
        let earlier = stored(&base.known, &base.counts);
        let overlay = self.with_parts(|parts| earlier.overlay(parts, &mut go_on));
        let Some(overlay) = overlay else {
            return false;
        };
        let overlay = UsesOverlay::read(&overlay.stored()).expect("it was written");
        let overlay = Arc::new(overlay);
        let file = Arc::new(MemorySections::of(&written(&base.known)));
        let counts = self.n_symbols();
        let overlaid = ReferenceIndex::overlaid(file, Arc::clone(&overlay), counts.into_iter());
        let overlaid = overlaid.expect("it is of this view");
        let made = self.with_parts(|parts| Implementations::overlay(parts, &overlaid, &overlay));
        let ties = Arc::new(MemorySections::of(&base.ties));
        let ties = Implementations::overlaid(ties, 0, overlay, &made).expect("they were written");
        self.assert_same_relatives(known, &overlaid, ties);
        true
    }

    fn with_parts<T>(&self, run: impl FnOnce(&ViewParts<'_>) -> T) -> T {
        let files = self.inputs();
        let contents: Vec<u64> = self.files.iter().map(|file| file.3).collect();
        let imports = self.imports(&files);
        let table = SymbolTable::new(&files, &imports);
        run(&ViewParts {
            files: &files,
            imports: &imports,
            table: &table,
            contents: &contents,
        })
    }
}

/// A graph that lies in a file.
struct Base {
    known: ReferenceIndex,
    counts: Vec<usize>,
    ties: Vec<Vec<u8>>,
}

impl Base {
    fn of(view: &Snapshot) -> Self {
        let known = view.graph(ReferenceIndex::default());
        Self {
            counts: view.n_symbols(),
            ties: view.ties(&known),
            known,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Function {
    name: usize,
    returns: Option<usize>,
    takes: Option<usize>,
    /// Name, and what comes before it: nothing, the parameter, an import, itself, a call.
    calls: Vec<(usize, usize)>,
}

#[derive(Clone, Debug, Default)]
struct Type {
    name: usize,
    base: Option<usize>,
    methods: Vec<Function>,
}

#[derive(Clone, Debug, Default)]
struct Module {
    language: usize,
    number: usize,
    folder: usize,
    /// Module, name or type, how: plainly, under another name, all, passed on.
    imports: Vec<(usize, usize, usize)>,
    functions: Vec<Function>,
    types: Vec<Type>,
}

impl Module {
    fn path(&self) -> String {
        let folder = ["src", "src/pkg"][self.folder % 2];
        let language = LANGUAGES[self.language % LANGUAGES.len()];
        let stem = match (self.number, language) {
            (3, "py") => "__init__".to_owned(),
            (3, "rs") => "mod".to_owned(),
            (3, "ts" | "js") => "index".to_owned(),
            (number, _) => format!("m{number}"),
        };
        format!("{folder}/{stem}.{language}")
    }

    fn text(&self) -> String {
        let mut text = String::new();
        match LANGUAGES[self.language % LANGUAGES.len()] {
            "php" => text.push_str("<?php\nnamespace App;\n"),
            "go" => text.push_str("package pkg\n"),
            "java" | "kt" => text.push_str("package pkg;\n"),
            "cs" => text.push_str(["namespace App;\n", "namespace Other;\n"][self.folder % 2]),
            _ => {}
        }
        for import in &self.imports {
            self.import(&mut text, *import);
        }
        for kind in &self.types {
            self.kind(&mut text, kind);
        }
        for function in &self.functions {
            self.function(&mut text, function, false);
        }
        text
    }

    fn import(&self, text: &mut String, (number, what, how): (usize, usize, usize)) {
        let module = match (number % 4, how % 2) {
            (3, _) => "pkg".to_owned(),
            (number, _) => format!("m{number}"),
        };
        let name = any_name(what);
        let dots = ["./", "../", "./pkg/"][(number + self.folder) % 3];
        let line = match (LANGUAGES[self.language % LANGUAGES.len()], how % 5) {
            ("ts", 0) => format!("import {{ {name} }} from '{dots}{module}';"),
            ("ts", 1) => format!("import {{ {name} as other }} from '{dots}{module}';"),
            ("ts", 2) => format!("import * as space from '{dots}{module}';"),
            ("ts", 3) => format!("export * from '{dots}{module}';"),
            ("ts", _) => format!("export {{ {name} as alpha }} from '{dots}{module}';"),
            ("js", 0) => format!("const space = require('{dots}{module}');"),
            ("js", 1) => format!("const {{ {name} }} = require('{dots}{module}');"),
            ("js", _) => format!("import {name} from '{dots}{module}';"),
            ("py", 0) => format!("from .{module} import {name}"),
            ("py", 1) => format!("from .{module} import {name} as other"),
            ("py", 2) => format!("from . import {module} as space"),
            ("py", _) => format!("from .{module} import *"),
            ("go", _) => format!("import space \"x/src/{module}\""),
            ("rs", 0) => format!("mod {module};"),
            ("rs", 1) => format!("pub use super::{module}::{name};"),
            ("rs", 2) => format!("use crate::{module}::{name} as other;"),
            ("rs", _) => format!("use {module}::*;"),
            ("java", 0) => format!("import pkg.{name};"),
            ("java", _) => "import pkg.*;".to_owned(),
            ("cs", 0) => "global using Other;".to_owned(),
            ("cs", 1) => "global using App;".to_owned(),
            ("cs", _) => "using App;".to_owned(),
            ("kt", 0 | 1) => format!("import pkg.{name}"),
            ("kt", _) => "import pkg.*".to_owned(),
            ("rb", _) => format!("require_relative '{module}'"),
            ("hpp", 0) => format!("using Box::{name};"),
            ("hpp", _) => format!("#include \"{}{module}.hpp\"", &dots[2..]),
            (_, _) => format!("use App\\{name};"),
        };
        let _ = writeln!(text, "{line}");
    }

    fn kind(&self, text: &mut String, kind: &Type) {
        let name = TYPES[kind.name % TYPES.len()];
        let base = kind.base.map(|base| TYPES[base % TYPES.len()]);
        let language = LANGUAGES[self.language % LANGUAGES.len()];
        let head = match (language, base) {
            ("ts" | "js", None) => format!("export class {name} {{"),
            ("ts" | "js", Some(base)) => format!("export class {name} extends {base} {{"),
            ("py", base) => format!("class {name}({}):\n    size: Item", base.unwrap_or("")),
            ("go", base) => format!("type {name} struct {{ {} }}", base.unwrap_or("")),
            ("rs", None) => format!("pub struct {name} {{}}\nimpl {name} {{"),
            ("rs", Some(base)) => {
                format!("pub struct {name} {{}}\nimpl {base} for {name} {{}}\nimpl {name} {{")
            }
            ("rb", base) => format!("class {name} < {}", base.unwrap_or("Object")),
            ("cs", Some(base)) => format!("public class {name} : {base} {{"),
            ("kt", Some(base)) => format!("open class {name} : {base}() {{"),
            ("hpp", Some(base)) => format!("class {name} : public {base} {{\npublic:"),
            ("hpp", None) => format!("class {name} {{\npublic:"),
            (_, None) => format!("class {name} {{"),
            (_, Some(base)) => format!("class {name} extends {base} {{"),
        };
        let _ = writeln!(text, "{head}");
        for method in &kind.methods {
            match language {
                "go" => {
                    let own = NAMES[method.name % NAMES.len()];
                    let _ = writeln!(
                        text,
                        "func (self *{name}) {own}() {{\n{}}}",
                        self.body(method)
                    );
                }
                _ => self.function(text, method, true),
            }
        }
        match language {
            "py" | "go" => {}
            "hpp" => text.push_str("};\n"),
            "rb" => text.push_str("end\n"),
            _ => text.push_str("}\n"),
        }
    }

    fn function(&self, text: &mut String, function: &Function, is_method: bool) {
        let name = NAMES[function.name % NAMES.len()];
        let returns = function.returns.map(|kind| TYPES[kind % TYPES.len()]);
        let takes = function
            .takes
            .map_or("Item", |kind| TYPES[kind % TYPES.len()]);
        let body = self.body(function);
        let result = |before: &str| returns.map_or(String::new(), |kind| format!("{before}{kind}"));
        let _ = match (LANGUAGES[self.language % LANGUAGES.len()], is_method) {
            ("ts", true) => writeln!(text, "{name}(x: {takes}){} {{\n{body}}}", result(": ")),
            ("ts", false) => writeln!(
                text,
                "export function {name}(x: {takes}){} {{\n{body}}}",
                result(": ")
            ),
            ("js", true) => writeln!(text, "{name}(x) {{\n{body}}}"),
            ("js", false) => writeln!(text, "exports.{name} = function (x) {{\n{body}}};"),
            ("py", true) => {
                let body = body.replace("        ", "            ");
                writeln!(
                    text,
                    "    def {name}(self, x: {takes}){}:\n{body}",
                    result(" -> ")
                )
            }
            ("py", false) => writeln!(text, "def {name}(x: {takes}){}:\n{body}", result(" -> ")),
            ("go", _) => writeln!(text, "func {name}(x {takes}) {} {{\n{body}}}", result("")),
            ("rs", true) => {
                writeln!(
                    text,
                    "pub fn {name}(&self, x: {takes}){} {{\n{body}}}",
                    result(" -> ")
                )
            }
            ("rs", false) => {
                writeln!(
                    text,
                    "pub fn {name}(x: {takes}){} {{\n{body}}}",
                    result(" -> ")
                )
            }
            ("java", _) => {
                let result = returns.unwrap_or("void");
                writeln!(text, "public {result} {name}({takes} x) {{\n{body}}}")
            }
            ("rb", _) => writeln!(text, "def {name}(x)\n{body}end"),
            ("hpp", _) => {
                let result = returns.unwrap_or("void");
                writeln!(text, "{result} {name}({takes} x) {{\n{body}}}")
            }
            ("cs", true) => {
                let result = returns.unwrap_or("void");
                writeln!(text, "public {result} {name}({takes} x) {{\n{body}}}")
            }
            ("cs", false) => writeln!(
                text,
                "static class Own {{ public static void {name}(this {takes} x) {{\n{body}}} }}"
            ),
            ("kt", true) => writeln!(text, "fun {name}(x: {takes}){} {{\n{body}}}", result(": ")),
            ("kt", false) => writeln!(text, "fun {takes}.{name}(x: {takes}) = alpha(x)"),
            _ => writeln!(text, "function {name}({takes} $x) {{\n{body}}}"),
        };
    }

    fn body(&self, function: &Function) -> String {
        let mut body = String::new();
        for (name, how) in &function.calls {
            let own = any_name(*name);
            let language = LANGUAGES[self.language % LANGUAGES.len()];
            let passed = match (language, how % 8) {
                ("ts" | "js", 6) => format!("alpha((y) => y.{own}());"),
                ("ts" | "js", 7) => format!("beta({{ {own}: x }});"),
                ("rs", 6) => format!("alpha(|y| y.{own}());"),
                ("py", 6) => format!("found = 'pkg.m1.{own}'"),
                ("py", 7) => format!("found = 'pkg.{own}'"),
                ("kt", 6) => format!("x.alpha {{ it.{own}() }}"),
                _ => String::new(),
            };
            if !passed.is_empty() {
                let _ = writeln!(body, "        {passed}");
                continue;
            }
            let returns = ["", "", "", "return "][name % 4];
            let (before, end) = match language {
                "py" => (["", "x.", "space.", "self.", "alpha().", "other."], ""),
                "rb" => (["", "x.", "Box.", "self.", "alpha.", "Item."], ""),
                "php" => (["", "$x->", "Box::", "$this->", "alpha()->", "Item::"], ";"),
                "rs" => (["", "x.", "crate::m1::", "self.", "alpha().", "Box::"], ";"),
                "go" => (["", "x.", "space.", "self.", "alpha().", "Box."], ""),
                "kt" => (["", "x.", "Box().", "this.", "alpha().", "x?."], ""),
                _ => (["", "x.", "space.", "this.", "alpha().", "new Box()."], ";"),
            };
            let _ = writeln!(body, "        {returns}{}{own}(){end}", before[how % 6]);
        }
        if self.language % LANGUAGES.len() == 1 {
            body.push_str("        pass\n");
        }
        body
    }
}

fn any_name(at: usize) -> &'static str {
    match at % 3 {
        0 => TYPES[at / 3 % TYPES.len()],
        _ => NAMES[at / 3 % NAMES.len()],
    }
}

/// One edit: what, and three numbers that say where.
type Edit = (u8, usize, usize, usize);

fn apply(modules: &mut Vec<Module>, (what, a, b, c): Edit) {
    if what % 16 == 0 || modules.is_empty() {
        modules.push(Module {
            language: a,
            number: b % 4,
            folder: c % 2,
            ..Module::default()
        });
        return;
    }
    let n_modules = modules.len();
    if what % 16 == 1 && n_modules > 3 {
        modules.remove(a % n_modules);
        return;
    }
    let module = &mut modules[a % n_modules];
    let function = Function {
        name: b,
        returns: c.is_multiple_of(3).then_some(c / 3),
        takes: b.is_multiple_of(2).then_some(c),
        calls: vec![(c, b)],
    };
    match what % 16 {
        2 | 3 => module.imports.push((b, c, b / 4 + c)),
        4 if !module.imports.is_empty() => {
            let at = b % module.imports.len();
            module.imports.remove(at);
        }
        5 | 6 => module.functions.push(function),
        7 if !module.functions.is_empty() => {
            let at = b % module.functions.len();
            module.functions.remove(at);
        }
        8 => module.types.push(Type {
            name: b,
            base: c.is_multiple_of(2).then_some(c / 2),
            methods: vec![function],
        }),
        9 if !module.types.is_empty() => {
            let at = b % module.types.len();
            module.types[at].base = (c % 4 != 0).then_some(c);
        }
        10 if !module.types.is_empty() => {
            let at = b % module.types.len();
            module.types[at].methods.push(function);
        }
        11 if !module.types.is_empty() => {
            let at = b % module.types.len();
            module.types.remove(at);
        }
        12 if !module.functions.is_empty() => {
            let at = b % module.functions.len();
            module.functions[at].calls.push((c, b / 2));
        }
        13 if !module.functions.is_empty() => {
            let at = b % module.functions.len();
            module.functions[at].returns = (c % 3 != 0).then_some(c);
        }
        14 if !module.types.is_empty() => {
            // A method moves to another type of the project.
            let at = b % module.types.len();
            let moved = module.types[at].methods.pop();
            let to = &mut modules[c % n_modules];
            if let (Some(moved), Some(kind)) = (moved, to.types.first_mut()) {
                kind.methods.push(moved);
            }
        }
        15 => module.functions.reverse(),
        _ => {}
    }
}

fn snapshot(modules: &[Module]) -> Snapshot {
    let texts = modules.iter().map(|module| (module.path(), module.text()));
    let by_path: std::collections::BTreeMap<String, String> = texts.collect();
    Snapshot::new(by_path.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_update_equals_a_new_graph(
        language in prop::option::of(0..LANGUAGES.len()),
        edits in prop::collection::vec((any::<u8>(), 0..64usize, 0..64usize, 0..64usize), 1..60),
    ) {
        let mut modules: Vec<Module> = Vec::new();
        let mut known = ReferenceIndex::default();
        let mut counts = Vec::new();
        for (step, mut edit) in edits.into_iter().enumerate() {
            if let Some(language) = language {
                // Most uses cross files only within a language.
                if edit.0 % 16 == 0 || modules.is_empty() {
                    edit.1 = language;
                }
            }
            apply(&mut modules, edit);
            if step < 10 {
                continue;
            }
            let now = snapshot(&modules);
            // Read from a file every other time, as the next process does.
            let kept = stored(&known, &counts);
            let as_written = now.written_graph(kept.clone());
            assert!(now.written_in_parts(&kept, edit.1 + 1) == as_written, "in parts after {edit:?}");
            let before = if step % 2 == 0 { kept } else { known };
            known = now.graph(before);
            assert!(as_written == written(&known), "written after {edit:?}");
            assert_eq!(known, now.graph(ReferenceIndex::default()), "after {edit:?}");
            counts = now.n_symbols();
        }
        let last = snapshot(&modules);
        let known = last.graph(known);
        last.assert_same_answers(&known, &stored(&known, &last.n_symbols()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_other_since_over_an_earlier_graph_equals_a_new_graph(
        language in 0..LANGUAGES.len(),
        edits in prop::collection::vec((any::<u8>(), 0..64usize, 0..64usize, 0..64usize), 12..40),
    ) {
        let mut modules: Vec<Module> = Vec::new();
        let mut base: Option<Base> = None;
        for (step, mut edit) in edits.into_iter().enumerate() {
            if edit.0 % 16 == 0 || modules.is_empty() {
                edit.1 = language;
            }
            apply(&mut modules, edit);
            if step < 10 {
                continue;
            }
            let now = snapshot(&modules);
            let known = now.graph(ReferenceIndex::default());
            let is_told_apart = base.as_ref().is_some_and(|base| now.assert_overlaid(base, &known));
            if !is_told_apart {
                base = Some(Base::of(&now));
            }
        }
    }
}

#[test]
fn what_is_other_since_is_told_after_an_edit_a_new_file_and_a_lost_one() {
    let view = |files: &[(&str, &str)]| {
        let files = files.iter();
        Snapshot::new(
            files
                .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
                .collect(),
        )
    };
    let a = (
        "a.c",
        "int one(void) { return 1; }\nint two(void) { return one(); }\n",
    );
    let b = ("b.c", "int one(void);\nint three(void) { return one(); }\n");
    let d = ("d.c", "int two(void);\nint four(void) { return two(); }\n");
    let first = view(&[a, b, d]);
    let base = Base::of(&first);
    let edited = (
        "a.c",
        "int zero(void);\nint one(void) { return 2; }\nint two(void) { return 3; }\n",
    );
    let new = (
        "c.c",
        "int one(void);\nint five(void) { return one() + two(); }\n",
    );
    for now in [
        view(&[edited, b, d]),
        view(&[a, b, new, d]),
        view(&[b, d]),
        view(&[edited, new, d]),
    ] {
        let known = now.graph(ReferenceIndex::default());
        assert!(now.assert_overlaid(&base, &known), "few files differ");
    }
}

#[test]
fn a_table_that_names_the_only_function_follows_a_second_one() {
    let view = |files: &[(&str, &str)]| {
        let files = files.iter();
        let files = files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Snapshot::new(files.collect())
    };
    let load = ("load.c", "int load(int x) { return x; }\n");
    let ops = (
        "ops.c",
        "struct ops { int (*read)(int); };\nstruct ops table = { .read = load };\n",
    );
    let second = ("z.c", "int load(int x) { return 2 * x; }\n");
    let base = Base::of(&view(&[load, ops]));
    for now in [view(&[load, ops, second]), view(&[ops])] {
        let known = now.graph(ReferenceIndex::default());
        assert!(now.assert_overlaid(&base, &known), "few files differ");
    }
}

#[test]
fn what_nothing_looks_at_is_not_resolved_again() {
    let text = |body: &str| {
        Snapshot::new(vec![
            (
                "src/a.ts".to_owned(),
                format!("export function load() {{ {body} }}\nexport function other() {{}}\n"),
            ),
            (
                "src/b.ts".to_owned(),
                "import { load } from './a';\nload();\n".to_owned(),
            ),
            (
                "src/c.ts".to_owned(),
                "import { other } from './a';\nother();\n".to_owned(),
            ),
        ])
    };
    let known = text("").graph(ReferenceIndex::default());
    assert_eq!(text("").n_resolved(known.clone()), 0);
    assert_eq!(text("return 1;").n_resolved(known.clone()), 1);
    let renamed = Snapshot::new(vec![
        (
            "src/a.ts".to_owned(),
            "export function store() {}\nexport function other() {}\n".to_owned(),
        ),
        (
            "src/b.ts".to_owned(),
            "import { load } from './a';\nload();\n".to_owned(),
        ),
        (
            "src/c.ts".to_owned(),
            "import { other } from './a';\nother();\n".to_owned(),
        ),
    ]);
    assert_eq!(renamed.n_resolved(known), 2);
}

impl Snapshot {
    /// How many files an update resolves.
    pub(crate) fn n_resolved(&self, before: ReferenceIndex) -> usize {
        let files: Vec<FileInput<'_>> = self
            .files
            .iter()
            .map(|(path, language, facts, _)| FileInput {
                path,
                language,
                facts,
            })
            .collect();
        let contents: Vec<u64> = self.files.iter().map(|file| file.3).collect();
        let imports = ImportGraph::resolve(&files, &[]);
        let table = SymbolTable::new(&files, &imports);
        let parts = ViewParts {
            files: &files,
            imports: &imports,
            table: &table,
            contents: &contents,
        };
        let mut n_files = 0;
        before.update_watched(&parts, &mut |progress| {
            n_files = progress.n_files;
            std::ops::ControlFlow::Continue(())
        });
        n_files
    }
}

#[test]
fn what_a_header_includes_counts_for_all_that_include_it() {
    let text = |includes: &str, third: &str| {
        Snapshot::new(vec![
            ("a.h".to_owned(), "#include \"b.h\"\n".to_owned()),
            ("b.h".to_owned(), includes.to_owned()),
            ("c.h".to_owned(), "int load(int x);\n".to_owned()),
            ("d.h".to_owned(), third.to_owned()),
            (
                "main.c".to_owned(),
                "#include \"a.h\"\nint run(void) { return load(1); }\n".to_owned(),
            ),
        ])
    };
    let new = |view: &Snapshot| view.graph(ReferenceIndex::default());
    let before = text("#include \"c.h\"\n", "");
    let (of_third, of_none) = (text("#include \"d.h\"\n", "long load();\n"), text("", ""));
    assert_ne!(new(&before), new(&of_none));
    for after in [of_third, of_none] {
        assert_eq!(after.graph(new(&before)), new(&after));
    }
}

#[test]
fn an_import_that_begins_to_be_passed_on_reaches_who_imports_it() {
    let text = |import: &str| {
        let files = [
            ("Sources/Deep/A.swift", "public struct Far {}\n".to_owned()),
            (
                "Sources/Kit/K.swift",
                format!("{import}public struct Near {{}}\n"),
            ),
            (
                "Sources/App/U.swift",
                "import Kit\nfunc f(b: Far) {}\n".to_owned(),
            ),
        ];
        Snapshot::new(files.map(|(path, text)| (path.to_owned(), text)).to_vec())
    };
    let new = |view: &Snapshot| view.graph(ReferenceIndex::default());
    let states = ["import Deep\n", "@_exported import Deep\n", ""].map(text);
    assert_ne!(new(&states[0]), new(&states[1]));
    for (before, after) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
        assert_eq!(
            states[after].graph(new(&states[before])),
            new(&states[after])
        );
    }
}

#[test]
fn a_stored_graph_answers_as_before() {
    let view = Snapshot::new(vec![
        ("src/a.py".to_owned(), "def load():\n    pass\n".to_owned()),
        (
            "src/b.py".to_owned(),
            "from a import load as get\nget()\n".to_owned(),
        ),
    ]);
    let known = view.graph(ReferenceIndex::default());
    let counts = view.n_symbols();
    let kept = || stored(&known, &counts);
    assert_eq!(kept(), known);
    assert_eq!(view.n_resolved(kept()), 0);
    assert!(!kept().met_damage());

    let sections = written(&known);
    assert_eq!(sections.len(), USES_SECTIONS);
    let open =
        |file: MemorySections| ReferenceIndex::stored(Arc::new(file), counts.iter().copied());
    let of_others = Arc::new(MemorySections::of(&sections));
    assert!(ReferenceIndex::stored(of_others, std::iter::once(7)).is_none());
    for (section, bytes) in sections.iter().enumerate() {
        let mut unread = MemorySections::of(&sections);
        unread.unread = Some(section);
        if let Some(graph) = open(unread) {
            let is_other = graph != known || view.n_resolved(graph.clone()) > 0;
            assert!(graph.met_damage() || !is_other, "section {section}");
        }
        for at in 0..bytes.len() {
            // No checksum stands before it here: what it says may be another, but it ends.
            if let Some(graph) = open(MemorySections::of(&sections).flipped(section, at)) {
                graph.each_edge(&mut |_| ());
            }
        }
    }
}
