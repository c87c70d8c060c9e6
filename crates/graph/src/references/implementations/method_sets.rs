//! Method sets: a type implements an interface by having its methods, its own and those of what it embeds.

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{Symbol, SymbolKind};

use super::ties::{Descent, Gathered, MethodSet, MethodSets, Tie};
use crate::{
    input::{files::SymbolId, paths},
    references::reference_query::ReferenceQuery,
    resolution::signatures,
};

/// Methods of interfaces and types of the standard library that are often embedded.
const STANDARD: &[(&str, &[&str])] = &[
    ("context.Context", &["Deadline", "Done", "Err", "Value"]),
    ("driver.Conn", &["Prepare", "Close", "Begin"]),
    ("encoding.TextMarshaler", &["MarshalText"]),
    ("encoding.TextUnmarshaler", &["UnmarshalText"]),
    ("error", &["Error"]),
    ("fmt.Formatter", &["Format"]),
    ("fmt.GoStringer", &["GoString"]),
    ("fmt.Stringer", &["String"]),
    ("flag.Value", &["String", "Set"]),
    ("fs.FS", &["Open"]),
    ("fs.File", &["Stat", "Read", "Close"]),
    (
        "fs.FileInfo",
        &["Name", "Size", "Mode", "ModTime", "IsDir", "Sys"],
    ),
    ("hash.Hash", &["Write", "Sum", "Reset", "Size", "BlockSize"]),
    ("heap.Interface", &["Len", "Less", "Swap", "Push", "Pop"]),
    ("http.Flusher", &["Flush"]),
    ("http.Handler", &["ServeHTTP"]),
    ("http.Hijacker", &["Hijack"]),
    ("http.Pusher", &["Push"]),
    ("http.ResponseWriter", &["Header", "Write", "WriteHeader"]),
    ("http.RoundTripper", &["RoundTrip"]),
    ("io.ByteReader", &["ReadByte"]),
    ("io.ByteWriter", &["WriteByte"]),
    ("io.Closer", &["Close"]),
    ("io.ReadCloser", &["Read", "Close"]),
    ("io.ReadSeeker", &["Read", "Seek"]),
    ("io.ReadWriteCloser", &["Read", "Write", "Close"]),
    ("io.ReadWriter", &["Read", "Write"]),
    ("io.Reader", &["Read"]),
    ("io.ReaderAt", &["ReadAt"]),
    ("io.ReaderFrom", &["ReadFrom"]),
    ("io.Seeker", &["Seek"]),
    ("io.StringWriter", &["WriteString"]),
    ("io.WriteCloser", &["Write", "Close"]),
    ("io.Writer", &["Write"]),
    ("io.WriterAt", &["WriteAt"]),
    ("io.WriterTo", &["WriteTo"]),
    ("json.Marshaler", &["MarshalJSON"]),
    ("json.Unmarshaler", &["UnmarshalJSON"]),
    ("net.Addr", &["Network", "String"]),
    (
        "net.Conn",
        &[
            "Read",
            "Write",
            "Close",
            "LocalAddr",
            "RemoteAddr",
            "SetDeadline",
            "SetReadDeadline",
            "SetWriteDeadline",
        ],
    ),
    ("net.Listener", &["Accept", "Close", "Addr"]),
    (
        "net.PacketConn",
        &[
            "ReadFrom",
            "WriteTo",
            "Close",
            "LocalAddr",
            "SetDeadline",
            "SetReadDeadline",
            "SetWriteDeadline",
        ],
    ),
    (
        "os.FileInfo",
        &["Name", "Size", "Mode", "ModTime", "IsDir", "Sys"],
    ),
    ("sort.Interface", &["Len", "Less", "Swap"]),
    ("sync.Locker", &["Lock", "Unlock"]),
    ("sync.Mutex", &["Lock", "TryLock", "Unlock"]),
    (
        "sync.RWMutex",
        &[
            "Lock", "RLock", "RLocker", "RUnlock", "TryLock", "TryRLock", "Unlock",
        ],
    ),
    ("sync.WaitGroup", &["Add", "Done", "Go", "Wait"]),
    (
        "time.Time",
        &[
            "After", "Before", "Equal", "Format", "String", "Sub", "Unix",
        ],
    ),
];

/// Types that methods of the standard library take and give, without packages.
const STANDARD_TYPES: &[(&str, &[&str], &[&str])] = &[
    ("Close", &[], &["error"]),
    ("Error", &[], &["string"]),
    ("Flush", &[], &[]),
    ("GoString", &[], &["string"]),
    ("Header", &[], &["Header"]),
    ("Len", &[], &["int"]),
    ("Less", &["int", "int"], &["bool"]),
    ("MarshalJSON", &[], &["[]byte", "error"]),
    ("MarshalText", &[], &["[]byte", "error"]),
    ("Read", &["[]byte"], &["int", "error"]),
    ("ReadAt", &["[]byte", "int64"], &["int", "error"]),
    ("ReadByte", &[], &["byte", "error"]),
    ("ReadFrom", &["Reader"], &["int64", "error"]),
    ("RoundTrip", &["*Request"], &["*Response", "error"]),
    ("Seek", &["int64", "int"], &["int64", "error"]),
    ("ServeHTTP", &["ResponseWriter", "*Request"], &[]),
    ("String", &[], &["string"]),
    ("Swap", &["int", "int"], &[]),
    ("UnmarshalJSON", &["[]byte"], &["error"]),
    ("UnmarshalText", &["[]byte"], &["error"]),
    ("Write", &["[]byte"], &["int", "error"]),
    ("WriteAt", &["[]byte", "int64"], &["int", "error"]),
    ("WriteByte", &["byte"], &["error"]),
    ("WriteHeader", &["int"], &[]),
    ("WriteString", &["string"], &["int", "error"]),
    ("WriteTo", &["Writer"], &["int64", "error"]),
];

/// Ties types to the interfaces whose methods they have.
pub(super) fn structural(uses: &ReferenceQuery<'_>, made: &mut Gathered) {
    let sets = Builder::new(uses, made).sets();
    if sets.0.is_empty() {
        return;
    }
    let name = |id: &SymbolId| uses.resolver.symbol(*id).name.as_str();
    let mut by_method: FxHashMap<&str, FxHashSet<SymbolId>> = FxHashMap::default();
    let is_interface = |id: SymbolId| uses.resolver.symbol(id).kind == SymbolKind::Interface;
    for (id, set) in sets.0.iter().filter(|(id, _)| !is_interface(**id)) {
        for method in set
            .methods
            .iter()
            .map(name)
            .chain(set.outer.iter().copied())
        {
            by_method.entry(method).or_default().insert(*id);
        }
    }
    let mut interfaces: Vec<SymbolId> = sets
        .0
        .keys()
        .copied()
        .filter(|id| is_interface(*id))
        .collect();
    interfaces.sort_unstable();
    for interface in interfaces {
        let demanded = &sets.0[&interface];
        let names = demanded.methods.iter().map(name);
        let Some(rarest) =
            names.min_by_key(|name| (by_method.get(name).map_or(0, FxHashSet::len), *name))
        else {
            continue;
        };
        let mut candidates: Vec<SymbolId> = by_method
            .get(rarest)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        for heir in candidates {
            if let Some(is_certain) = fit(uses, interface, demanded, heir, &sets.0[&heir]) {
                let tie = Tie {
                    other: interface,
                    block: None,
                    descent: Descent::Implements,
                    is_certain,
                    line: None,
                    is_slot: false,
                    from: None,
                };
                made.tie(heir, tie);
            }
        }
    }
    made.method_sets = sets;
}

/// Says whether a type has all methods of an interface, and whether that is certain.
fn fit(
    uses: &ReferenceQuery<'_>,
    interface: SymbolId,
    demanded: &MethodSet,
    heir: SymbolId,
    has: &MethodSet,
) -> Option<bool> {
    let folder = |id: SymbolId| paths::parent(uses.resolver.files[id.file as usize].path);
    let mut is_certain = !demanded.is_open;
    let is_generic = [interface, heir].into_iter().any(|id| is_generic(uses, id));
    for method in &demanded.methods {
        let wanted = uses.resolver.symbol(*method);
        let is_private = !wanted.name.starts_with(char::is_uppercase);
        if is_private && folder(interface) != folder(heir) {
            return None;
        }
        let own = has
            .methods
            .iter()
            .find(|own| uses.resolver.symbol(**own).name == wanted.name);
        let Some(own) = own else {
            if !has.outer.contains(&wanted.name.as_str()) {
                return None;
            }
            continue;
        };
        let found = uses.resolver.symbol(*own);
        let types = |symbol: &Symbol| {
            signatures::parameter_and_result_types(&symbol.signature, &symbol.name)
        };
        match (types(wanted), types(found)) {
            (Some(wanted), Some(found)) if wanted == found => {}
            (Some(wanted), Some(found)) => {
                let is_alike = wanted.0.len() == found.0.len() && wanted.1.len() == found.1.len();
                if !(is_generic && is_alike) {
                    return None;
                }
                is_certain = false;
            }
            _ => is_certain = false,
        }
    }
    for name in &demanded.outer {
        let mut own = has.methods.iter().map(|own| uses.resolver.symbol(*own));
        match own.find(|own| own.name == *name) {
            Some(own) => is_certain &= fits_standard(own)?,
            None if has.outer.contains(name) => {}
            None => return None,
        }
    }
    Some(is_certain)
}

/// Says whether a method is certain to be as the standard library's of its name; none where it is another.
fn fits_standard(method: &Symbol) -> Option<bool> {
    let standard = STANDARD_TYPES
        .iter()
        .find(|(name, ..)| *name == method.name);
    let types = signatures::parameter_and_result_types(&method.signature, &method.name);
    let (Some((_, takes, gives)), Some((taken, given))) = (standard, types) else {
        return Some(false);
    };
    (taken == *takes && given == *gives).then_some(true)
}

/// Says whether the head of a type has parameters.
fn is_generic(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let symbol = uses.resolver.symbol(id);
    let rest = symbol
        .signature
        .split_once(&symbol.name)
        .map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.starts_with('['))
}

/// The method sets at work.
struct Builder<'u, 'a> {
    uses: &'u ReferenceQuery<'a>,
    made: &'u Gathered,
    own: FxHashMap<SymbolId, Vec<SymbolId>>,
    outer: FxHashMap<SymbolId, Vec<String>>,
    types: Vec<SymbolId>,
}

impl<'u, 'a> Builder<'u, 'a> {
    fn new(uses: &'u ReferenceQuery<'a>, made: &'u Gathered) -> Self {
        let mut builder = Self {
            uses,
            made,
            own: FxHashMap::default(),
            outer: FxHashMap::default(),
            types: Vec::new(),
        };
        let resolver = &uses.resolver;
        let mut by_name: FxHashMap<(&str, &str), SymbolId> = FxHashMap::default();
        let files = || {
            (0u32..)
                .zip(resolver.files)
                .filter(|(file, _)| resolver.rules(*file).has_method_sets)
        };
        let symbols = |file, input: &'a crate::FileInput<'a>| {
            let ids = (0u32..).zip(input.symbols());
            ids.map(move |(symbol, found)| (SymbolId { file, symbol }, found))
        };
        for (file, input) in files() {
            for (id, symbol) in symbols(file, input) {
                if symbol.kind.has_members() {
                    builder.types.push(id);
                    by_name
                        .entry((paths::parent(input.path), &symbol.name))
                        .or_insert(id);
                }
            }
            for (symbol, base) in &uses.known.glance(file).outer_bases {
                let symbol = *symbol;
                let embedded = builder.outer.entry(SymbolId { file, symbol }).or_default();
                embedded.push(base.clone());
            }
        }
        for (file, input) in files() {
            let methods =
                symbols(file, input).filter(|(_, symbol)| symbol.kind == SymbolKind::Method);
            for (id, _) in methods {
                let of_interface = resolver
                    .parent(id)
                    .filter(|parent| resolver.symbol(*parent).kind.has_members());
                let of_receiver = || {
                    let owner = resolver.table.owner(id)?;
                    by_name.get(&(paths::parent(input.path), owner)).copied()
                };
                if let Some(owner) = of_interface.or_else(of_receiver) {
                    builder.own.entry(owner).or_default().push(id);
                }
            }
        }
        builder
    }

    fn sets(&self) -> MethodSets {
        let mut sets = MethodSets::default();
        for id in &self.types {
            self.fill(*id, &mut sets, &mut FxHashSet::default());
        }
        sets
    }

    fn fill(&self, id: SymbolId, sets: &mut MethodSets, open: &mut FxHashSet<SymbolId>) {
        if sets.0.contains_key(&id) || !open.insert(id) {
            return;
        }
        let mut set = MethodSet {
            methods: self.own.get(&id).cloned().unwrap_or_default(),
            ..MethodSet::default()
        };
        for base in self.outer.get(&id).into_iter().flatten() {
            match STANDARD.iter().find(|(name, _)| name == base) {
                Some((_, methods)) => set.outer.extend(*methods),
                None => set.is_open = true,
            }
        }
        for tie in self.made.bases(id) {
            self.fill(tie.other, sets, open);
            let Some(base) = sets.0.get(&tie.other) else {
                continue;
            };
            let name = |id: &SymbolId| self.uses.resolver.symbol(*id).name.as_str();
            let promoted = base
                .methods
                .iter()
                .filter(|method| !set.methods.iter().any(|own| name(own) == name(method)));
            let promoted: Vec<SymbolId> = promoted.copied().collect();
            set.methods.extend(promoted);
            set.outer.extend(&base.outer);
            set.is_open |= base.is_open;
        }
        sets.0.insert(id, set);
    }
}
