//! What a module shows to others: its own definitions, re-exports, submodules, its default.

use std::collections::HashSet;

use whyrank_syntax::{FileFacts, SymbolKind};

use crate::{
    input::{files::SymbolId, paths},
    languages::TypeExports,
    resolution::{
        namesakes::FEW,
        resolver::{MAX_DEPTH, Resolution, Resolver, UseSite, joined, without_impls},
        scope::Bound,
        top_level::{exports_by_name, plain},
    },
    steps,
};

impl<'a> Resolver<'a> {
    /// What modules are that stand by themselves, behind `* as name` or `require`: one that exports by name and
    /// says no default is an object of its exports.
    pub(crate) fn module_as_value(&self, files: &[u32], local: &str) -> Vec<SymbolId> {
        let is_object = |file: &u32| {
            self.lookups.exports_of(*file);
            let symbols = self.files[*file as usize].symbols();
            exports_by_name(symbols) && self.said_default(*file).is_empty()
        };
        let values = files.iter().filter(|file| !is_object(file));
        values
            .flat_map(|file| self.default_of_file(*file, local))
            .collect()
    }

    /// What a module is as a value: the export of that name, of the file's name, or the only one.
    pub(crate) fn default_of(&self, files: &[u32], local: &str) -> Vec<SymbolId> {
        files
            .iter()
            .flat_map(|file| self.default_of_file(*file, local))
            .collect()
    }

    fn default_of_file(&self, file: u32, local: &str) -> Vec<SymbolId> {
        self.lookups.exports_of(file);
        let said = self.said_default(file);
        if !said.is_empty() {
            return said;
        }
        let top = self.top(file);
        let path = self.view_paths.path(file);
        let stem = match paths::base_name(paths::without_extension(path)) {
            "index" => paths::base_name(paths::parent(path)),
            stem => stem,
        };
        let named = |wanted: &str| {
            self.lookups.in_file(file, wanted);
            top.by_name.get(&plain(wanted)).cloned().unwrap_or_default()
        };
        let only = || top.only.into_iter().collect();
        let is_kept = |symbol: &u32| {
            let id = SymbolId {
                file,
                symbol: *symbol,
            };
            self.rules(file).default_may_be_owned || self.owner_name(id).is_none()
        };
        let kept = |found: Vec<u32>| -> Vec<u32> { found.into_iter().filter(is_kept).collect() };
        [named("default"), named(local), named(stem), only()]
            .map(kept)
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default()
            .into_iter()
            .map(|symbol| SymbolId { file, symbol })
            .collect()
    }

    /// What a file says to be its default, or the file that it takes it from: `export { default } from`.
    fn said_default(&self, file: u32) -> Vec<SymbolId> {
        let mut at = file;
        for _ in 0..MAX_DEPTH {
            // Modules may give one another's default as theirs.
            let said = self.effort.within(|| self.said_here(at));
            let said = said.unwrap_or_default();
            if !said.is_empty() {
                return said;
            }
            let bindings = self.scope(at).bound.get("default").into_iter().flatten();
            let mut passed = bindings.filter(|binding| binding.what == Bound::Default);
            let Some(next) = passed.find_map(|binding| binding.files.first().copied()) else {
                break;
            };
            self.lookups.in_file(at, "default");
            self.lookups.exports_of(next);
            at = next;
        }
        Vec::new()
    }

    /// `export default class X`, `export default x`, `module.exports = x`.
    fn said_here(&self, file: u32) -> Vec<SymbolId> {
        let facts = self.files[file as usize].facts();
        let exported = (0u32..).zip(&facts.symbols).find(|(_, symbol)| {
            symbol.parent.is_none() && symbol.signature.starts_with("export default ")
        });
        if let Some((symbol, _)) = exported {
            return vec![SymbolId { file, symbol }];
        }
        let Some(said) = self.renamed(file, "default") else {
            return Vec::new();
        };
        let site = UseSite::inside(file, None);
        match self.outer(site, said, self.in_scope(site, said)) {
            Resolution::Definitions(ids) => ids,
            _ => Vec::new(),
        }
    }

    /// What the name is in the file that leaves it as `name`: `own` of `export { own as name }`.
    fn renamed(&self, file: u32, name: &str) -> Option<&str> {
        let mut exported = renamed_exports(self.files[file as usize].facts());
        exported
            .find(|(_, given)| *given == name)
            .map(|(own, _)| own)
    }

    /// What a module gives under a name, re-exports followed.
    pub(crate) fn exported(&self, file: u32, name: &str, seen: &mut HashSet<u32>) -> Resolution {
        if !seen.insert(file) {
            return Resolution::Unknown;
        }
        if self.rules(file).imports_are_private {
            self.lookups.in_file(file, name);
            return match self.shown_by(file, name) {
                Resolution::Unknown => self.passed_on(file, name, seen),
                other => other,
            };
        }
        let name = self.renamed(file, name).unwrap_or(name);
        self.lookups.in_file(file, name);
        let own = self.top_level(file, name);
        let scope = self.scope(file);
        let bound = scope.bound.get(name);
        let bound = bound.map(|bindings| self.bindings(bindings, name, seen));
        if !own.is_empty() {
            // Defined and imported, each in its branch: a fallback, or a platform's own version.
            let own = Resolution::Definitions(own);
            return joined(own, bound.unwrap_or(Resolution::Unknown));
        }
        if let Some(bound) = bound {
            return bound;
        }
        self.lookups.opened(file);
        let mut opened = Resolution::Unknown;
        for open in &scope.open {
            opened = joined(opened, self.exported(*open, name, seen));
            if opened != Resolution::Unknown && !self.rules(file).exports_have_alternatives {
                break;
            }
        }
        if opened != Resolution::Unknown {
            return opened;
        }
        if let Some(module) = self.submodule(file, name) {
            return Resolution::Modules(vec![module]);
        }
        self.shown_by(file, name)
    }

    /// What a file gives under a name that it imports for others: `@_exported import`.
    fn passed_on(&self, file: u32, name: &str, seen: &mut HashSet<u32>) -> Resolution {
        if !self.rules(file).imports_may_be_public {
            return Resolution::Unknown;
        }
        self.lookups.opened(file);
        let scope = self.scope(file);
        let by_name = scope.passed_by_name.get(name).into_iter().flatten();
        let of_all = scope.passed_on.iter();
        let of_all = of_all.filter(|_| !scope.left_out.contains(&name));
        let passed_on = by_name.chain(of_all);
        let mut found = passed_on.map(|next| self.exported(*next, name, seen));
        found
            .find(|found| *found != Resolution::Unknown)
            .unwrap_or(Resolution::Unknown)
    }

    /// What a file gives under a name without what it imports: its own, that of its types, of its package.
    pub(super) fn shown_by(&self, file: u32, name: &str) -> Resolution {
        let mut found = self.top_level(file, name);
        if found.is_empty() {
            found = self.of_types(file, name);
        }
        if found.is_empty() {
            found = self.in_package(file, name);
        }
        if found.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::Definitions(found)
        }
    }

    /// What an import of a type's own names leads to: `use Enum::Variant`, `import static A.f`.
    fn of_types(&self, file: u32, name: &str) -> Vec<SymbolId> {
        let own = self.table.named_in(file, name).iter().copied();
        own.filter(|id| self.is_given_by_type(*id)).collect()
    }

    /// Says whether an import of a type's names gives it.
    pub(super) fn is_given_by_type(&self, id: SymbolId) -> bool {
        match self.rules(id.file).type_exports {
            TypeExports::Nothing => false,
            TypeExports::EnumMembers => self.symbol(id).kind == SymbolKind::EnumMember,
            TypeExports::Members => {
                let parent = self.parent(id);
                parent.is_some_and(|parent| self.is_top_level(parent))
            }
        }
    }

    /// A file that is a module inside another file's module, or that file's own module by name.
    fn submodule(&self, file: u32, name: &str) -> Option<u32> {
        (self.rules(file).submodule)(self, file, name)
    }

    /// Definitions of a name that a file shows to others.
    pub(super) fn top_level(&self, file: u32, name: &str) -> Vec<SymbolId> {
        let own = self.table.named_in(file, name);
        steps::count(own.len().min(FEW));
        let own = if own.len() > FEW {
            let file_of = |id: SymbolId| self.is_top_level(id).then_some(id.file);
            self.sharing(name, |known| &known.tops, file_of, &file)
        } else {
            own.iter()
                .copied()
                .filter(|id| self.is_top_level(*id))
                .collect()
        };
        let mut own = without_impls(self, own);
        let is_direct = |id: &SymbolId| self.symbol(*id).parent.is_none();
        if self.rules(file).inner_modules_are_apart && own.iter().any(is_direct) {
            own.retain(is_direct);
        }
        own
    }

    pub(crate) fn is_top_level(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let in_space = self.parent(id).is_none_or(|parent| {
            matches!(
                self.symbol(parent).kind,
                SymbolKind::Module | SymbolKind::Namespace
            )
        });
        in_space && (!symbol.kind.is_member() || self.is_module_property(id))
    }

    /// `exports.f = …`: a property of the module.
    fn is_module_property(&self, id: SymbolId) -> bool {
        let owner = self.owner_name(id);
        owner.is_none_or(|owner| matches!(owner, "exports" | "module"))
            && self.rules(id.file).modules_are_objects
    }
}

/// Names in a file, and the names that it exports them by.
pub(crate) fn renamed_exports(facts: &FileFacts) -> impl Iterator<Item = (&str, &str)> {
    let exported = facts.locals.iter().filter(|local| local.end_line == 0);
    exported.map(|local| (local.text.as_str(), local.name.as_str()))
}
