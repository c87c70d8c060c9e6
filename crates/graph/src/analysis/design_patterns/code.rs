//! The code of a view as detectors look at it: types with their members and bases, bodies by line.

use std::collections::HashMap;

use whyrank_syntax::{Reference, ReferenceKind, Symbol, SymbolKind};

use super::draft::DesignPatternInput;
use super::words::{has_word, is_part};
use crate::{
    input::files::SymbolId,
    languages::{LanguageRules, Rules},
};

/// Lines of a body that are looked at.
const MAX_BODY_LINES: usize = 600;

/// A type, or an object with methods, with all of its members wherever they are written.
pub(super) struct Type<'a> {
    pub(super) id: SymbolId,
    pub(super) name: &'a str,
    pub(super) kind: SymbolKind,
    pub(super) members: Vec<SymbolId>,
    /// What it extends, implements or mixes in: name, file and line.
    pub(super) bases: Vec<(&'a str, u32, u32)>,
}

pub(super) struct PatternCode<'a> {
    pub(super) input: &'a DesignPatternInput<'a>,
    lines: Vec<Vec<&'a str>>,
    /// By file and symbol: its children, and the references in it and not in a child.
    children: Vec<Vec<Vec<u32>>>,
    references: Vec<Vec<Vec<u32>>>,
    pub(super) types: Vec<Type<'a>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    /// References of each name: file and place among its references, in order.
    named: HashMap<&'a str, Vec<(u32, u32)>>,
}

impl<'a> PatternCode<'a> {
    pub(super) fn new(input: &'a DesignPatternInput<'a>) -> Self {
        let mut code = Self {
            input,
            lines: (0..input.files.len())
                .map(|file| code_lines(input, file))
                .collect(),
            children: Vec::new(),
            references: Vec::new(),
            types: Vec::new(),
            by_name: HashMap::new(),
            named: HashMap::new(),
        };
        for (number, file) in (0u32..).zip(input.files) {
            let n_symbols = file.symbols().len();
            let mut children = vec![Vec::new(); n_symbols];
            let mut references = vec![Vec::new(); n_symbols];
            for (at, symbol) in (0u32..).zip(file.symbols()) {
                if let Some(parent) = symbol.parent {
                    children[parent as usize].push(at);
                }
            }
            for (at, reference) in (0u32..).zip(&file.facts().references) {
                let named = code.named.entry(&reference.name).or_default();
                named.push((number, at));
                if let Some(enclosing) = reference.enclosing {
                    references[enclosing as usize].push(at);
                }
            }
            code.children.push(children);
            code.references.push(references);
        }
        code.add_types();
        code
    }

    fn add_types(&mut self) {
        let with_text = |file: &u32| !self.lines[*file as usize].is_empty();
        let files: Vec<u32> = (0..self.input.files.len() as u32)
            .filter(with_text)
            .collect();
        files.iter().for_each(|file| self.add_declared(*file));
        files.iter().for_each(|file| self.add_apart(*file));
    }

    fn add_declared(&mut self, file: u32) {
        let symbols = self.input.files[file as usize].symbols();
        for (at, symbol) in (0u32..).zip(symbols) {
            let id = SymbolId { file, symbol: at };
            let is_type = symbol.kind.is_type()
                || matches!(symbol.kind, SymbolKind::Module | SymbolKind::TypeAlias);
            let is_closure = symbol.kind.is_callable()
                && self
                    .children_of(id)
                    .filter(|(_, child)| child.kind.is_callable())
                    .count()
                    > 1;
            if !is_type && !is_closure {
                continue;
            }
            let bases = self.bases_of(id);
            let members = self.children_of(id).map(|(id, _)| id).collect();
            let name = symbol.name.as_str();
            self.by_name.entry(name).or_default().push(self.types.len());
            self.types.push(Type {
                id,
                name,
                kind: symbol.kind,
                members,
                bases,
            });
        }
    }

    /// Members that are written outside of their type: Rust's `impl`, Go's methods, `app.use = …`.
    fn add_apart(&mut self, file: u32) {
        let symbols = self.input.files[file as usize].symbols();
        for (at, symbol) in (0u32..).zip(symbols) {
            let id = SymbolId { file, symbol: at };
            if symbol.kind == SymbolKind::Impl {
                let owner = self.owner(&symbol.name, id);
                let members: Vec<SymbolId> = self.children_of(id).map(|(id, _)| id).collect();
                let bases = self.bases_of(id);
                self.types[owner].members.extend(members);
                self.types[owner].bases.extend(bases);
            } else if symbol.parent.is_none()
                && symbol.kind.is_callable()
                && let Some(owner) = owner_name(symbol)
            {
                let owner = self.owner(owner, id);
                self.types[owner].members.push(id);
            }
        }
    }

    /// The type of that name that is nearest to a member; a new one where there is none.
    fn owner(&mut self, name: &'a str, member: SymbolId) -> usize {
        let folder = |file: u32| {
            let path = self.input.files[file as usize].path;
            path.rsplit_once('/').map_or("", |(folder, _)| folder)
        };
        let known = self.by_name.get(name).into_iter().flatten().copied();
        let near = known.min_by_key(|at| {
            let file = self.types[*at].id.file;
            (file != member.file, folder(file) != folder(member.file))
        });
        let is_near = |at: &usize| folder(self.types[*at].id.file) == folder(member.file);
        near.filter(is_near).unwrap_or_else(|| {
            self.by_name.entry(name).or_default().push(self.types.len());
            self.types.push(Type {
                id: member,
                name,
                kind: SymbolKind::Namespace,
                members: Vec::new(),
                bases: Vec::new(),
            });
            self.types.len() - 1
        })
    }

    fn bases_of(&self, id: SymbolId) -> Vec<(&'a str, u32, u32)> {
        let symbol = self.symbol(id);
        if self.rules(id.file).blocks_name_types && symbol.kind != SymbolKind::Trait {
            // Bounds are uses of the same kind, and no bases.
            let base = implemented(&symbol.signature);
            return base
                .map(|name| (name, id.file, symbol.name_line))
                .into_iter()
                .collect();
        }
        self.references_in(id)
            .filter(|reference| reference.kind == ReferenceKind::Inherit)
            .map(|reference| (reference.name.as_str(), id.file, reference.line))
            .collect()
    }

    pub(super) fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.input.files[id.file as usize].symbols()[id.symbol as usize]
    }

    pub(super) fn language(&self, file: u32) -> &'a str {
        self.input.files[file as usize].language
    }

    pub(super) fn rules(&self, file: u32) -> Rules {
        LanguageRules::of(self.language(file))
    }

    pub(super) fn is_test(&self, file: u32) -> bool {
        (self.input.is_test)(file)
    }

    pub(super) fn children_of(&self, id: SymbolId) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        let children = &self.children[id.file as usize][id.symbol as usize];
        let file = id.file;
        let symbols = self.input.files[file as usize].symbols();
        children.iter().map(move |symbol| {
            (
                SymbolId {
                    file,
                    symbol: *symbol,
                },
                &symbols[*symbol as usize],
            )
        })
    }

    /// References in a definition, without those in the definitions inside.
    pub(super) fn references_in(&self, id: SymbolId) -> impl Iterator<Item = &'a Reference> {
        let references = &self.input.files[id.file as usize].facts().references;
        let own = &self.references[id.file as usize][id.symbol as usize];
        own.iter().map(move |at| &references[*at as usize])
    }

    /// All references of a name with their files, by place.
    pub(super) fn references_named(
        &self,
        name: &str,
    ) -> impl Iterator<Item = (u32, &'a Reference)> {
        let found = self.named.get(name).into_iter().flatten();
        let files = self.input.files;
        found.map(move |(file, at)| {
            let references = &files[*file as usize].facts().references;
            (*file, &references[*at as usize])
        })
    }

    /// Functions and methods, with those without a type.
    pub(super) fn functions(&self) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        let files = (0u32..).zip(self.input.files);
        files
            .filter(|(file, _)| !self.lines[*file as usize].is_empty())
            .flat_map(|(file, input)| {
                let symbols = (0u32..).zip(input.symbols());
                symbols.map(move |(symbol, one)| (SymbolId { file, symbol }, one))
            })
            .filter(|(_, symbol)| symbol.kind.is_callable())
    }

    /// A line of a file, trimmed; empty past the end.
    pub(super) fn line(&self, file: u32, line: u32) -> &'a str {
        let lines = &self.lines[file as usize];
        lines.get(line as usize - 1).map_or("", |text| text.trim())
    }

    /// The lines of a definition, its head included, trimmed and without comments.
    pub(super) fn body(&self, id: SymbolId) -> impl Iterator<Item = (u32, &'a str)> {
        let symbol = self.symbol(id);
        let lines = &self.lines[id.file as usize];
        let first = (symbol.name_line as usize)
            .saturating_sub(1)
            .min(lines.len());
        let last = (symbol.span.end_line as usize)
            .min(lines.len())
            .min(first + MAX_BODY_LINES)
            .max(first);
        (symbol.name_line..)
            .zip(lines[first..last].iter().map(|line| line.trim()))
            .filter(|(_, line)| !is_comment(line))
    }

    /// The body without its head and the braces around it.
    pub(super) fn inner(&self, id: SymbolId) -> Vec<(u32, &'a str)> {
        let head = self.symbol(id).name_line;
        let lines: Vec<(u32, &str)> = self.body(id).collect();
        if let [(line, only)] = lines.as_slice() {
            let inside = only
                .split_once('{')
                .map(|(_, inside)| inside.trim_end().trim_end_matches('}').trim())
                .or_else(|| only.split_once("=>").map(|(_, value)| value.trim()));
            return inside.map(|inside| (*line, inside)).into_iter().collect();
        }
        let is_code = |line: &str| !matches!(line, "" | "{" | "}" | "};" | "end" | ")");
        lines
            .into_iter()
            .filter(|(line, text)| *line > head && is_code(text))
            .collect()
    }

    /// The first line of a definition that something holds for.
    pub(super) fn line_where(
        &self,
        id: SymbolId,
        holds: impl Fn(&str) -> bool,
    ) -> Option<(u32, &'a str)> {
        self.body(id).find(|(_, line)| holds(line))
    }

    /// Types of a name.
    pub(super) fn types_named(&self, name: &str) -> impl Iterator<Item = &Type<'a>> {
        let found = self.by_name.get(name).into_iter().flatten();
        found.map(|at| &self.types[*at])
    }

    /// A type that can be made: a class or a struct of this name.
    pub(super) fn is_class(&self, name: &str) -> bool {
        self.types_named(name).any(|one| {
            matches!(
                one.kind,
                SymbolKind::Class | SymbolKind::Struct | SymbolKind::Enum
            )
        })
    }

    /// Says whether only an idea is behind a type: an interface, a trait, an abstract class.
    pub(super) fn is_abstract(&self, one: &Type<'_>) -> bool {
        let signature = self.symbol(one.id).signature.as_str();
        matches!(one.kind, SymbolKind::Interface | SymbolKind::Trait)
            || has_word(signature, "abstract")
            || has_word(signature, "protocol")
            || one
                .bases
                .iter()
                .any(|base| matches!(base.0, "ABC" | "Protocol" | "ABCMeta"))
    }

    /// Members that are called.
    pub(super) fn methods<'t>(
        &'t self,
        one: &'t Type<'a>,
    ) -> impl Iterator<Item = (SymbolId, &'a Symbol)> + 't {
        let members = one.members.iter().map(|id| (*id, self.symbol(*id)));
        members.filter(|(_, symbol)| symbol.kind.is_callable())
    }

    pub(super) fn method<'t>(
        &'t self,
        one: &'t Type<'a>,
        is_it: impl Fn(&str) -> bool + 't,
    ) -> Option<(SymbolId, &'a Symbol)> {
        self.methods(one).find(|(_, symbol)| is_it(&symbol.name))
    }
}

/// The lines of a file; those of doc comments are empty, for they hold examples.
fn code_lines<'a>(input: &DesignPatternInput<'a>, file: usize) -> Vec<&'a str> {
    let mut lines: Vec<&str> = input.texts[file].lines().collect();
    for doc in input.files[file]
        .symbols()
        .iter()
        .filter_map(|symbol| symbol.doc)
    {
        let last = (doc.end_line as usize).min(lines.len());
        let first = (doc.start_line as usize).saturating_sub(1).min(last);
        lines[first..last].fill("");
    }
    lines
}

/// `Iterator` of `impl<T> std::iter::Iterator<T> for X where …`.
fn implemented(signature: &str) -> Option<&str> {
    let (head, _) = signature.split_once(" for ")?;
    let head = head.split_once("impl")?.1;
    let mut depth = 0_i32;
    let starts = head.find(|char| {
        depth += match char {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        depth == 0 && char != '>' && !char.is_whitespace()
    })?;
    let path = head[starts..].trim().split(['<', ' ']).next()?;
    path.rsplit("::").next().filter(|name| !name.is_empty())
}

fn owner_name(symbol: &Symbol) -> Option<&str> {
    let rest = symbol.qualified.strip_suffix(symbol.name.as_str())?;
    let owner = rest.trim_end_matches(['.', ':', '#']);
    let owner = owner.rsplit(['.', ':']).next()?;
    (!owner.is_empty() && owner != "exports" && owner != "module").then_some(owner)
}

fn is_comment(line: &str) -> bool {
    let is_doc_star = line.starts_with("* ") || line == "*" || line.starts_with("*/");
    line.starts_with("//")
        || line.starts_with("/*")
        || line.starts_with("--")
        || line.starts_with("\"\"\"")
        || is_doc_star
        || (line.starts_with('#') && !line.starts_with("#[") && !line.starts_with("#define"))
}

/// The names of a definition's parameters, as its head has them.
pub(super) fn parameters(symbol: &Symbol) -> Vec<&str> {
    // What comes before the name is Go's receiver.
    let start = symbol.signature.find(&format!("{}(", symbol.name));
    let head = &symbol.signature[start.unwrap_or(0)..];
    let Some((_, rest)) = head.split_once('(') else {
        return Vec::new();
    };
    let mut depth = 0;
    let end = rest.find(|char| {
        match char {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        depth < 0
    });
    let inside = &rest[..end.unwrap_or(rest.len())];
    let mut names = Vec::new();
    for part in inside.split(',') {
        let head = part.split([':', '=']).next().unwrap_or("").trim();
        // Types stand before names in some languages, behind them in others.
        names.extend(
            head.split(|char: char| !is_part(char))
                .filter(|word| !word.is_empty()),
        );
    }
    names
}
