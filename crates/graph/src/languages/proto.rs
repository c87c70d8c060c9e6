//! Protocol buffers: a name is sought from the innermost message or package outwards, in the file and in what it
//! imports; a dot before it means the root. What other languages make of it bears names of their own.

use whyrank_syntax::{Family, Reference, ReferenceKind, Symbol, SymbolKind};

use super::{
    rules::LanguageRules,
    spellings::{in_capitals, in_snake_case, with_small_head},
};
use crate::{
    imports::resolve::to_leads,
    input::{files::SymbolId, paths, view_paths::ViewPaths},
    resolution::{
        resolver::{Resolution, Resolver, UseSite},
        wanted::Wanted,
    },
    steps,
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Proto,
    free_name: Some(|resolver, site, name, wanted| resolver.proto_name(site, name, wanted)),
    by_path: |resolver, file, reference| Some(resolver.proto_path(file, reference)),
    imported_files: |imports, file, import| {
        to_leads(imported(&imports.places, file, &import.module))
    },
    imports_name_files: true,
    names_cross_languages: true,
    names_elsewhere,
    entry_functions: &[],
    ..LanguageRules::PLAIN
};

impl Resolver<'_> {
    /// Resolves a name that nothing stands before.
    fn proto_name(&self, site: UseSite, name: &str, wanted: Wanted) -> Resolution {
        let is_type = wanted == Wanted::Type;
        if let Some(value) = self.proto_value(site, name).filter(|_| !is_type) {
            return Resolution::Definitions(vec![value]);
        }
        self.proto_meaning(site, name, is_type)
    }

    /// Resolves a name behind a path.
    fn proto_path(&self, file: u32, reference: &Reference) -> Resolution {
        let path = format!("{}.{}", reference.qualifier, reference.name);
        let is_type = reference.kind == ReferenceKind::Type;
        self.proto_meaning(UseSite::of(file, reference), &path, is_type)
    }

    /// The meaning of a path, which the scopes around its place are tried for from the innermost.
    fn proto_meaning(&self, site: UseSite, path: &str, is_type: bool) -> Resolution {
        let whole = path.trim_start_matches('.');
        let name = whole.rsplit('.').next().unwrap_or(whole);
        self.lookups.anywhere(name);
        self.lookups.opened(site.file);
        self.lookups.reached_from(site.file);
        let named = self.table.named(name);
        steps::count(named.len());
        let is_kind = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            self.rules(id.file) == &RULES && fits(kind, is_type)
        };
        let named: Vec<SymbolId> = named.iter().copied().filter(is_kind).collect();
        let scope = match whole.len() < path.len() {
            true => String::new(),
            false => self.proto_scope(site),
        };
        let mut hidden = Vec::new();
        for scope in outwards(&scope) {
            let full = joined(scope, whole);
            let called = named.iter().copied();
            let called = called.filter(|id| self.proto_full_name(*id) == full);
            let (seen, unseen): (Vec<SymbolId>, Vec<SymbolId>) =
                called.partition(|id| self.proto_sees(site.file, id.file));
            if !seen.is_empty() {
                return Resolution::Definitions(seen);
            }
            hidden.extend(unseen);
        }
        match hidden.as_slice() {
            [] => Resolution::External,
            // Nothing else is called so, wherever its import leads.
            [_] => Resolution::Definitions(hidden),
            _ => Resolution::Unknown,
        }
    }

    /// The value of the enum that the field around a place is of: `[default = VALUE]`.
    fn proto_value(&self, site: UseSite, name: &str) -> Option<SymbolId> {
        let field = SymbolId {
            file: site.file,
            symbol: site.enclosing?,
        };
        let field = self.symbol(field);
        let stated = field_type(field).filter(|_| field.kind == SymbolKind::Field)?;
        let Resolution::Definitions(types) = self.proto_meaning(site, stated, true) else {
            return None;
        };
        self.members_of(&types, name).into_iter().next()
    }

    /// The message or package that a place stands in, by its whole name.
    fn proto_scope(&self, site: UseSite) -> String {
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let scope = around.find(|id| {
            let kind = self.symbol(*id).kind;
            kind.has_members() || kind == SymbolKind::Namespace
        });
        scope.map_or_else(String::new, |id| self.symbol(id).qualified.clone())
    }

    /// The whole name of a definition; a value stands beside its enum, not in it.
    fn proto_full_name(&self, id: SymbolId) -> String {
        let symbol = self.symbol(id);
        let of_enum = self
            .parent(id)
            .filter(|_| symbol.kind == SymbolKind::EnumMember);
        let Some(of_enum) = of_enum else {
            return symbol.qualified.clone();
        };
        let around = self.symbol(of_enum).qualified.rsplit_once('.');
        joined(around.map_or("", |(around, _)| around), &symbol.name)
    }

    /// Says whether a file sees what another defines: it imports that, or a file that passes it on.
    fn proto_sees(&self, file: u32, other: u32) -> bool {
        let mut seen = vec![file];
        let mut next: Vec<u32> = self.scope(file).open.clone();
        while let Some(opened) = next.pop() {
            if !seen.contains(&opened) {
                seen.push(opened);
                next.extend(&self.scope(opened).passed_on);
            }
        }
        seen.contains(&other)
    }
}

/// Says whether a path can mean a definition of a kind where a type is wanted, or a value or an option.
fn fits(kind: SymbolKind, is_type: bool) -> bool {
    match kind {
        SymbolKind::Struct | SymbolKind::Enum => is_type,
        SymbolKind::EnumMember | SymbolKind::Field => !is_type,
        _ => false,
    }
}

/// A scope and those around it, the root last.
fn outwards(scope: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(scope), |scope| {
        let outer = scope.rsplit_once('.').map(|(outer, _)| outer);
        outer.or_else(|| (!scope.is_empty()).then_some(""))
    })
}

fn joined(scope: &str, path: &str) -> String {
    match scope {
        "" => path.to_owned(),
        scope => format!("{scope}.{path}"),
    }
}

/// The type of a field, as its head says it.
fn field_type(field: &Symbol) -> Option<&str> {
    let mut words = field.signature.split_whitespace();
    words.find(|word| !matches!(*word, "optional" | "required" | "repeated"))
}

/// `import "a/b.proto"`: below a folder that the file lies in too, else the nearest file whose path ends so.
fn imported(places: &ViewPaths<'_>, file: u32, path: &str) -> Option<u32> {
    let mut folder = places.folder_of(file);
    loop {
        let below = paths::join(folder, path).and_then(|path| places.file(&path));
        if below.is_some() {
            return below;
        }
        if folder.is_empty() {
            return places.nearest_ending_with(path, file);
        }
        folder = paths::parent(folder);
    }
}

/// What generators call a definition in other languages, where that is another word than its name.
fn names_elsewhere(symbol: &Symbol) -> Vec<String> {
    let name = symbol.name.as_str();
    let upper = in_capitals(name);
    let lower = with_small_head(&upper);
    let mut names = match symbol.kind {
        SymbolKind::Field => {
            let accessors = ["Get", "get", "Set", "set", "Has", "has", "Clear", "clear"];
            let made = ["set_", "has_", "clear_", "mutable_", "add_"];
            let of_lists = [("get", "List"), ("add", ""), ("Add", ""), ("get", "Map")];
            let accessors = accessors.iter().map(|verb| format!("{verb}{upper}"));
            let made = made.iter().map(|verb| format!("{verb}{name}"));
            let of_lists = of_lists.map(|(verb, end)| format!("{verb}{upper}{end}"));
            accessors.chain(made).chain(of_lists).collect()
        }
        SymbolKind::Interface => SERVICE_ENDS
            .iter()
            .flat_map(|(start, end)| [format!("{start}{name}{end}")])
            .chain([in_snake_case(name)])
            .collect(),
        SymbolKind::Method => vec![in_snake_case(name), format!("{upper}Async")],
        SymbolKind::EnumMember => enum_values(symbol),
        SymbolKind::Struct | SymbolKind::Enum => of_types(symbol),
        _ => Vec::new(),
    };
    names.extend([upper, lower]);
    names.retain(|other| other != name);
    names.sort_unstable();
    names.dedup();
    names
}

/// What stands around the name of a service in generated code.
const SERVICE_ENDS: [(&str, &str); 18] = [
    ("", "Client"),
    ("", "Server"),
    ("New", "Client"),
    ("Register", "Server"),
    ("Unimplemented", "Server"),
    ("Unsafe", "Server"),
    ("", "_ServiceDesc"),
    ("", "Grpc"),
    ("", "GrpcKt"),
    ("", "ImplBase"),
    ("", "CoroutineImplBase"),
    ("", "Stub"),
    ("", "BlockingStub"),
    ("", "FutureStub"),
    ("", "Servicer"),
    ("", "Base"),
    ("I", ""),
    ("", "Service"),
];

/// `Outer.Inner` is one word in Go, C and others; a type has companions.
fn of_types(symbol: &Symbol) -> Vec<String> {
    let (name, parts) = (&symbol.name, symbol.qualified.split('.'));
    let types: Vec<&str> = parts
        .filter(|part| part.starts_with(char::is_uppercase))
        .collect();
    let companions = ["OrBuilder", "Schema", "Kt", "OuterClass"];
    let companions = companions.iter().map(|end| format!("{name}{end}"));
    companions
        .chain([types.join("_"), types.concat(), in_snake_case(name)])
        .collect()
}

/// `Kind_SMALL` in Go, `small` and `Small` where the name of the enum is taken off.
fn enum_values(symbol: &Symbol) -> Vec<String> {
    let name = symbol.name.as_str();
    let mut owners = symbol.qualified.rsplit('.').skip(1);
    let of_enum = owners.next().unwrap_or_default();
    let around = owners
        .next()
        .filter(|outer| outer.starts_with(char::is_uppercase));
    let outer = around.map_or_else(|| of_enum.to_owned(), |outer| format!("{outer}_{of_enum}"));
    let prefix = format!("{}_", in_snake_case(of_enum).to_uppercase());
    let short = name.strip_prefix(&prefix).unwrap_or(name);
    vec![
        format!("{outer}_{name}"),
        format!("{}_{name}", around.unwrap_or(of_enum)),
        short.to_owned(),
        in_capitals(&short.to_lowercase()),
        with_small_head(&in_capitals(&short.to_lowercase())),
    ]
}

#[cfg(test)]
mod tests {
    use super::outwards;

    #[test]
    fn scopes_end_at_the_root() {
        assert_eq!(outwards("a.b").collect::<Vec<_>>(), ["a.b", "a", ""]);
        assert_eq!(outwards("").collect::<Vec<_>>(), [""]);
    }
}
