//! Types as written: what they name, what an alias stands for, what a container holds.

use whyrank_syntax::SymbolKind;

use crate::{
    family::{Family, has_members},
    input::SymbolId,
    lookup::{Lookup, MAX_DEPTH, Meaning, Site, joined},
    type_hint::{self, Hint, TypeName},
};

impl Lookup<'_> {
    /// A value of a type, as written.
    pub(crate) fn typed(&self, site: Site, text: &str, depth: u32) -> Meaning {
        let mut meaning = Meaning::Unknown;
        for name in type_hint::types(text) {
            let found = self.instance(site, &name, depth);
            meaning = match (meaning, found) {
                (Meaning::Elements(_), found @ Meaning::Instances(_)) => found,
                (first, second) => joined(first, second),
            };
        }
        meaning
    }

    fn instance(&self, site: Site, name: &TypeName, depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        let path = name.path.as_str();
        let last = path.rsplit('.').next().unwrap_or(path);
        let meaning = match path.rsplit_once('.') {
            _ if path.is_empty() => Meaning::External,
            _ if path == "$struct" => return self.anonymous_struct(site),
            _ if matches!(last, "Self" | "this" | "self" | "static") => self.enclosing_type(site),
            None => self.type_named(site, path, depth),
            Some((owner, last)) => {
                let owner = self.expression(site, owner, depth + 1);
                self.member(&owner, last, depth + 1)
            }
        };
        let is_type = |id: &SymbolId| has_members(self.symbol(*id).kind);
        match meaning {
            Meaning::Definitions(ids) | Meaning::Instances(ids) => {
                let types: Vec<SymbolId> = ids.into_iter().filter(is_type).collect();
                if types.is_empty() {
                    return Meaning::Unknown;
                }
                return self.unaliased(types, depth);
            }
            Meaning::External => {}
            _ => {
                self.reads.anywhere(last);
                if self.table.named(last).iter().any(is_type) {
                    return Meaning::Unknown;
                }
            }
        }
        // From outside, or of the language itself.
        match name
            .held
            .as_deref()
            .map(|held| self.typed(site, held, depth + 1))
        {
            Some(Meaning::Instances(ids) | Meaning::Elements(ids)) => Meaning::Elements(ids),
            _ => Meaning::External,
        }
    }

    /// A type by its bare name: a parameter of a generic stands for its bound.
    fn type_named(&self, site: Site, name: &str, depth: u32) -> Meaning {
        let found = self.bare_type(site, name);
        if found != Meaning::Unknown {
            return found;
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let bounded = std::iter::successors(first, |id| self.parent(*id)).find_map(|id| {
            let signature = &self.symbol(id).signature;
            // A small letter begins a value: `value is Type`.
            let is_generic = name.starts_with(char::is_uppercase);
            let bound = match type_hint::bound(signature, name).filter(|_| is_generic) {
                Some(bound) => Hint::Type(bound.to_owned()),
                None => type_hint::of_name(signature, name),
            };
            match bound {
                Hint::Type(bound) if bound != name => {
                    let outside = Site::inside(id.file, self.symbol(id).parent);
                    Some(self.typed(outside, &bound, depth + 1))
                }
                _ => None,
            }
        });
        match bounded {
            Some(meaning) => meaning,
            None if self.is_from_outside(site.file, name) => Meaning::External,
            None => self.only_type(site.file, name),
        }
    }

    /// Where names need no import: the one type of the view that bears a name.
    pub(crate) fn only_type(&self, file: u32, name: &str) -> Meaning {
        let family = self.family(file);
        let needs_import = family.names_are_imported() || family == Family::Other;
        if needs_import || !name.starts_with(char::is_uppercase) {
            return Meaning::Unknown;
        }
        self.reads.anywhere(name);
        let is_type = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            self.family(id.file) == family
                && (has_members(kind) && kind != SymbolKind::Impl || kind == SymbolKind::Module)
        };
        let named = self.table.named(name).iter().copied();
        let found: Vec<SymbolId> = named.filter(is_type).collect();
        let is_one = found
            .windows(2)
            .all(|pair| self.symbol(pair[0]).qualified == self.symbol(pair[1]).qualified);
        match found.is_empty() || !is_one {
            true => Meaning::Unknown,
            false => Meaning::Definitions(found),
        }
    }

    /// Other names of types stand for these types.
    pub(crate) fn unaliased(&self, types: Vec<SymbolId>, depth: u32) -> Meaning {
        let mut kept = Vec::new();
        for id in types {
            let symbol = self.symbol(id);
            let aliased = (symbol.kind == SymbolKind::TypeAlias)
                .then(|| self.alias_of(id, depth))
                .flatten();
            match aliased {
                Some(Meaning::Instances(ids)) => {
                    // TypeScript: `A & { own: B }` has members of its own.
                    kept.extend(symbol.signature.contains(" & ").then_some(id));
                    kept.extend(ids);
                }
                Some(Meaning::Elements(ids)) => return Meaning::Elements(ids),
                // A name of its own for something from outside may have methods of its own.
                _ => kept.push(id),
            }
        }
        kept.dedup();
        Meaning::Instances(kept)
    }

    fn alias_of(&self, id: SymbolId, depth: u32) -> Option<Meaning> {
        let symbol = self.symbol(id);
        let text = symbol.signature.as_str();
        let rest = match text.split_once('=') {
            Some((_, rest)) => rest,
            // C: `typedef struct x y;`, or a name for the struct that ends on its line.
            None if text.starts_with("typedef") => {
                text.strip_prefix("typedef")?.rsplit_once(&symbol.name)?.0
            }
            None => return self.typedef_of(id),
        };
        let site = Site::inside(id.file, symbol.parent);
        let meaning = self.typed(site, rest, depth + 1);
        let is_itself = matches!(&meaning, Meaning::Instances(ids) if ids.contains(&id));
        (!is_itself).then_some(meaning)
    }

    fn typedef_of(&self, id: SymbolId) -> Option<Meaning> {
        let line = self.symbol(id).name_line;
        let symbols = (0u32..).zip(&self.files[id.file as usize].facts.symbols);
        let mut ending = symbols.filter(|(symbol, found)| {
            found.span.end_line == line && has_members(found.kind) && *symbol != id.symbol
        });
        let (symbol, found) = ending.next()?;
        let file = id.file;
        self.reads.in_file(file, &found.name);
        (self.family(file) == Family::Native)
            .then(|| Meaning::Instances(vec![SymbolId { file, symbol }]))
    }
}
