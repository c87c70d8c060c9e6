//! Functions that extend a type from outside of it, and who sees them: `fun Type.name()` in Kotlin,
//! `name(this Type x)` in C#.

use whyrank_syntax::SymbolKind;

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// Types of Ruby itself that programs open to add methods.
const RUBY_TYPES: [&str; 19] = [
    "Array",
    "BasicObject",
    "Class",
    "Comparable",
    "Enumerable",
    "FalseClass",
    "Float",
    "Hash",
    "IO",
    "Integer",
    "Kernel",
    "Module",
    "NilClass",
    "Numeric",
    "Object",
    "Proc",
    "String",
    "Symbol",
    "TrueClass",
];

impl Resolver<'_> {
    /// Functions that extend one of the types or of their bases.
    pub(crate) fn extensions(&self, ids: &[SymbolId], name: &str) -> Vec<SymbolId> {
        if !ids
            .iter()
            .all(|id| self.family(id.file).rules().extends_from_outside)
        {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        let mut types = ids.to_vec();
        let mut at = 0;
        while let Some(id) = types.get(at).copied().filter(|_| at < 40) {
            let bases = self.bases(id, 0).0;
            types.extend(bases.into_iter().filter(|base| !ids.contains(base)));
            at += 1;
        }
        let of_type = |id: &SymbolId| {
            self.extended(*id).is_some_and(|extended| {
                let mut names = types.iter().map(|id| self.symbol(*id).name.as_str());
                names.any(|name| name == extended) || self.is_generic(*id, extended)
            })
        };
        let named = self.table.named(name).iter().copied();
        named.filter(of_type).collect()
    }

    /// Extensions that a place sees under a name, where the type before the dot is not known: none
    /// where the name may mean a member as well.
    pub(crate) fn visible_extensions(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        if !self.family(site.file).rules().extends_from_outside {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        self.lookups.opened(site.file);
        let named = self.table.named(name).iter().copied();
        let (found, others): (Vec<SymbolId>, Vec<SymbolId>) =
            named.partition(|id| self.extended(*id).is_some());
        let found: Vec<SymbolId> = found
            .into_iter()
            .filter(|id| self.sees_extension(site.file, *id, name))
            .collect();
        let is_bound = self.scope(site.file).bound.contains_key(name);
        let is_rival = |id: &SymbolId| {
            self.family(id.file).rules().extends_from_outside
                && self
                    .parent(*id)
                    .is_some_and(|parent| self.symbol(parent).kind.has_members())
        };
        if !is_bound && others.iter().any(is_rival) {
            Vec::new()
        } else {
            found
        }
    }

    /// Of extensions of one name those of the nearest type around a place, whose value is the receiver that
    /// nobody writes: `common()` in a class for which one of them is. All where none is.
    pub(crate) fn for_implicit_receiver(&self, site: UseSite, ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_extension = |id: &SymbolId| self.extended(*id).is_some();
        let extends = self.family(site.file).rules().extends_from_outside;
        if !extends || ids.len() < 2 || !ids.iter().all(is_extension) {
            return ids;
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let nearest = around.find_map(|id| {
            let types = match self.extended(id) {
                Some(extended) => match self.bare_type(site, extended) {
                    Resolution::Definitions(types) => types,
                    _ => return None,
                },
                None if self.symbol(id).kind.has_members() => vec![id],
                None => return None,
            };
            let name = self.symbol(*ids.first()?).name.as_str();
            let fitting = self.extensions(&types, name);
            let fitting = ids.iter().copied().filter(|id| fitting.contains(id));
            let fitting: Vec<SymbolId> = fitting.collect();
            (!fitting.is_empty()).then_some(fitting)
        });
        nearest.unwrap_or(ids)
    }

    /// Says whether a definition of this name may belong to values of types from outside: who only knows that
    /// a value is one of these does not know that the name is another's.
    pub(crate) fn is_added_outside(&self, file: u32, name: &str) -> bool {
        let family = self.family(file);
        let adds =
            family.rules().extends_from_outside || matches!(family, Family::Swift | Family::Ruby);
        if !adds {
            return false;
        }
        self.lookups.anywhere(name);
        let mut named = self.table.named(name).iter().copied();
        named.any(|id| {
            self.family(id.file) == family
                && match self.extended(id) {
                    Some(extended) => {
                        self.is_generic(id, extended) || !self.defines_type(family, extended)
                    }
                    None => self
                        .parent(id)
                        .is_some_and(|parent| self.is_of_outside(parent)),
                }
        })
    }

    /// A type that is extended here and defined elsewhere: `extension String`, Ruby's `class String`.
    fn is_of_outside(&self, id: SymbolId) -> bool {
        let (family, symbol) = (self.family(id.file), self.symbol(id));
        match family {
            Family::Swift => {
                symbol.kind == SymbolKind::Impl && !self.defines_type(family, &symbol.name)
            }
            Family::Ruby => RUBY_TYPES.binary_search(&symbol.qualified.as_str()).is_ok(),
            _ => false,
        }
    }

    fn defines_type(&self, family: Family, name: &str) -> bool {
        let is_type = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            self.family(id.file) == family && kind.has_members() && kind != SymbolKind::Impl
        };
        self.lookups.anywhere(name);
        self.table.named(name).iter().any(is_type)
    }

    fn sees_extension(&self, file: u32, id: SymbolId, name: &str) -> bool {
        if file == id.file || self.same_package(file, id.file) {
            return true;
        }
        if self.family(file) == Family::Dotnet {
            let owner = self.parent(id).and_then(|parent| self.parent(parent));
            return owner
                .is_none_or(|space| self.sees_namespace(file, &self.symbol(space).qualified));
        }
        let scope = self.scope(file);
        let bound = scope.bound.get(name).into_iter().flatten();
        scope.open.contains(&id.file)
            || bound
                .into_iter()
                .any(|binding| binding.files.contains(&id.file))
    }

    /// The name of the type that a function extends.
    fn extended(&self, id: SymbolId) -> Option<&str> {
        let symbol = self.symbol(id);
        let signature = symbol.signature.as_str();
        let text = match self.family(id.file) {
            Family::Dotnet if symbol.kind == SymbolKind::Method => {
                let rest = signature.split_once("(this ")?.1;
                let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c)));
                &rest[..end.unwrap_or(rest.len())]
            }
            Family::Jvm => {
                let at = signature
                    .match_indices(symbol.name.as_str())
                    .map(|(at, _)| at);
                let before = at
                    .filter_map(|at| signature[..at].strip_suffix('.'))
                    .next()?;
                let before = before.trim_end_matches('?');
                let is_function = ["fun ", "val ", "var "]
                    .iter()
                    .any(|word| before.contains(word));
                let mut depth = 0i32;
                let start = before.char_indices().rev().find(|(_, c)| {
                    match c {
                        '>' => depth += 1,
                        '<' => depth -= 1,
                        _ => {}
                    }
                    depth == 0 && c.is_whitespace()
                });
                let start = start.map(|(at, _)| at + 1).filter(|_| is_function)?;
                before[start..].split('<').next()?
            }
            _ => return None,
        };
        text.rsplit('.').next().filter(|name| !name.is_empty())
    }

    /// Says whether a name is a parameter of a generic function: it extends all types.
    fn is_generic(&self, id: SymbolId, name: &str) -> bool {
        let signature = self.symbol(id).signature.as_str();
        let parameters = signature
            .split_once('<')
            .and_then(|(_, rest)| rest.split_once('>'));
        parameters.is_some_and(|(parameters, _)| {
            let mut words = parameters.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.any(|word| word == name)
        })
    }
}
