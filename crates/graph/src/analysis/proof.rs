//! Is it certain that nothing means a definition? Every place where its name stands as a word must be
//! ruled out, by scope, by imports or by the type of what comes before it.
//!
//! A guess rules out nothing: a receiver of unknown type may hold the definition's own type.

use super::doubt::Meaning;
pub(crate) use super::doubt::{Doubt, Proof, file_of, hidden};

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{ImportKind, Reference, Symbol, SymbolKind, name_rules};

use crate::analysis::file_lines::FileLines;
use crate::analysis::mentions::{Mention, MentionFile, Mentions, ReadMentions, word_of};
use crate::analysis::other_spellings::names_elsewhere;
use crate::analysis::question::ReachQuestion;
use crate::analysis::roots::Roots;
use crate::analysis::ruling::{RuledPlace, Ruling};
use crate::analysis::type_doubts::inside;
use crate::input::files::SymbolId;
use crate::languages::visibility::{Visibility, is_private_member, is_upper, says};
use crate::references::find_references::ReferenceHit;
use crate::references::implementations::Relative;
use crate::references::reference_query::ReferenceQuery;
use crate::resolution::resolver::{Resolution, UseSite};

/// Macros whose arguments are code for another place, where names mean something else.
const CODE_MACROS: [&str; 4] = [
    "quote",
    "quote_spanned",
    "parse_quote",
    "parse_quote_spanned",
];

impl<'u, 'a> Proof<'u, 'a> {
    /// Reads the texts for the names of these definitions.
    pub(crate) fn new(
        uses: &'u ReferenceQuery<'a>,
        ids: impl Iterator<Item = SymbolId>,
        read: &ReadMentions<'_>,
    ) -> Self {
        let with_extensions = ids.flat_map(|id| {
            let extensions = inside(uses, id).filter(|id| uses.resolver.extends(*id));
            extensions.chain([id]).collect::<Vec<_>>()
        });
        let sought: Vec<SymbolId> = with_extensions.collect();
        let elsewhere: Vec<String> = sought
            .iter()
            .flat_map(|id| names_elsewhere(uses, *id))
            .collect();
        let own = sought
            .iter()
            .map(|id| uses.resolver.symbol(*id).name.as_str());
        let names = own.chain(elsewhere.iter().map(String::as_str));
        let names: HashSet<&str> = names.filter_map(word_of).collect();
        let mentions = if names.is_empty() {
            Mentions::default()
        } else {
            read(&names)
        };
        Self {
            uses,
            mentions,
            roots: Roots::default(),
            facts: RefCell::default(),
            writers: RefCell::default(),
            lines: RefCell::default(),
            meanings: RefCell::default(),
            stand_ins: RefCell::default(),
            registrars: OnceCell::new(),
            stems: OnceCell::new(),
            respelled: OnceCell::new(),
            opened: RefCell::default(),
            bases_of_heirs: RefCell::default(),
        }
    }

    /// What a reference of a file means.
    pub(crate) fn meaning(&self, file: u32, reference: &'a Reference) -> Rc<Resolution> {
        self.grounded(file, reference).0
    }

    /// The same, with what it rests on.
    pub(super) fn grounded(&self, file: u32, reference: &'a Reference) -> Meaning {
        let at: *const Reference = reference;
        if let Some(known) = self.meanings.borrow().get(&at) {
            return known.clone();
        }
        let site = UseSite::of(file, reference);
        self.uses.resolver.rests_on.take();
        let found = Rc::new(self.uses.resolver.reference(site, reference));
        let found = (found, self.uses.resolver.rests_on.take());
        self.meanings.borrow_mut().insert(at, found.clone());
        found
    }

    /// The definitions of a file by line.
    pub(crate) fn lines(&self, file: u32) -> Rc<FileLines> {
        let make = || {
            Rc::new(FileLines::new(
                self.uses.resolver.files[file as usize].symbols(),
            ))
        };
        let mut lines = self.lines.borrow_mut();
        Rc::clone(lines.entry(file).or_insert_with(make))
    }

    /// The types that a type or one of its heirs inherits from, wherever it is opened.
    pub(crate) fn bases_of_heirs(&self, owner: SymbolId) -> Rc<FxHashSet<SymbolId>> {
        if let Some(known) = self.bases_of_heirs.borrow().get(&owner) {
            return Rc::clone(known);
        }
        let nodes = self.uses.type_nodes(owner);
        let heirs = self.uses.subtypes(&[owner]).into_iter();
        let mut next: Vec<SymbolId> = nodes.clone();
        next.extend(heirs.map(|heir| heir.symbol));
        let mut walked: FxHashSet<SymbolId> = FxHashSet::default();
        let mut bases: FxHashSet<SymbolId> = FxHashSet::default();
        while let Some(id) = next.pop() {
            if walked.insert(id) {
                let found = self.uses.resolver.bases(id, 0).0;
                bases.extend(&found);
                next.extend(found);
            }
        }
        let bases = Rc::new(bases);
        let mut known = self.bases_of_heirs.borrow_mut();
        let all = nodes.into_iter().chain([owner]);
        known.extend(all.map(|node| (node, Rc::clone(&bases))));
        bases
    }

    /// Files whose words were read.
    pub(crate) fn n_files(&self) -> usize {
        self.mentions.n_files
    }

    /// How something may reach a definition that it does not name, in words.
    pub(crate) fn way_without_name(&self, id: SymbolId) -> Option<String> {
        self.hidden_way(id).or_else(|| self.way_of_language(id))
    }

    /// How something other than a user of the package reaches what that shows.
    pub(crate) fn way_past_users(&self, id: SymbolId) -> Option<String> {
        if let Some(why) = self.by_parts(id) {
            return Some(why);
        }
        let owner = self.uses.resolver.owner_of_member(id);
        let of_owner = || owner.and_then(|owner| self.by_bases(id, owner));
        let way = self.way_of_language(id).or_else(of_owner);
        way.or_else(|| self.by_enumeration(id))
    }

    /// How the language itself reaches a definition without its name, or by one that is no word.
    fn way_of_language(&self, id: SymbolId) -> Option<String> {
        let symbol = self.uses.resolver.symbol(id);
        let (name, language) = (
            &symbol.name,
            self.uses.resolver.files[id.file as usize].language,
        );
        let is_renamed =
            symbol.kind == SymbolKind::Method && name_rules(language).methods_have_other_names;
        if is_renamed {
            return Some("other languages call it by another name".to_owned());
        }
        let by = called_by(language, name);
        let no_word = || format!("`{name}` is not a word to look for");
        by.map(str::to_owned)
            .or_else(|| word_of(name).is_none().then(no_word))
    }

    /// What may mean a definition, in the order of the view; nothing where it is proven unused.
    pub(crate) fn doubts(&self, id: SymbolId, hits: &[ReferenceHit]) -> Vec<Doubt> {
        if let Some(why) = self.way_without_name(id) {
            return vec![hidden(why)];
        }
        let mut doubts: Vec<Doubt> = hits.iter().map(|hit| self.used(hit)).collect();
        doubts.extend(self.places(id).0);
        doubts.extend(self.stated_overrides(id));
        for member in inside(self.uses, id) {
            let hits = self.outer_hits(id, member);
            doubts.extend(hits.iter().map(|hit| self.used(hit)));
            if self.uses.resolver.extends(member) {
                doubts.extend(self.doubts(member, &[]));
            }
        }
        doubts
    }

    /// The members that say that they override one: without it they would not compile.
    fn stated_overrides(&self, id: SymbolId) -> Vec<Doubt> {
        let resolver = &self.uses.resolver;
        let heirs = self.uses.overriding(&[id]).into_iter();
        let stating = heirs.filter(|heir| says(resolver.symbol(heir.symbol), "override"));
        let doubt = |heir: Relative| {
            let (file, line) = (heir.symbol.file, resolver.symbol(heir.symbol).name_line);
            Doubt {
                at: Some((file, line)),
                within: self.around(Some(heir.symbol)),
                why: format!("overridden at {}", self.place(file, line)),
            }
        };
        stating.map(doubt).collect()
    }

    /// Every place that bears a definition's name, ruled on, in the order of the view; then those that load its
    /// module as a whole and name none of it.
    pub(crate) fn rulings(&self, id: SymbolId) -> Vec<RuledPlace> {
        let same = self.uses.same(id);
        let Some(question) = ReachQuestion::new(self, id, &same) else {
            return Vec::new();
        };
        let mut lines: HashSet<(Option<u32>, u32)> = HashSet::new();
        let mentions = self.mentions.places.get(question.word());
        let ruled = mentions.into_iter().flatten().map(|mention| {
            let is_first = lines.insert((file_of(mention), mention.line));
            question.rule(mention, is_first)
        });
        let by_definitions =
            |file, fact, ids: &[SymbolId]| question.by_definitions(file, fact, ids);
        ruled
            .chain(self.under_other_names(id))
            .chain(self.loads_of(id))
            .chain(self.in_other_case(id, &by_definitions))
            .collect()
    }

    /// The places that load the module of an exported definition at run time and take none of its names out.
    fn loads_of(&self, id: SymbolId) -> Vec<RuledPlace> {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        if !symbol.exported || symbol.parent.is_some() {
            return Vec::new();
        }
        let importers = resolver.graph.importers(id.file).iter();
        let loads = importers.filter(|(file, line)| {
            let imports = resolver.files[*file as usize].facts().imports.iter();
            let mut here = imports.filter(|import| import.line == *line);
            here.any(|import| import.kind == ImportKind::Dynamic && import.names.is_empty())
        });
        let ruled = loads.map(|(file, line)| RuledPlace {
            file: MentionFile::Indexed(*file),
            line: *line,
            within: self.around_line(*file, *line),
            ruling: Ruling::Unsettled("its module is loaded as a whole at".to_owned()),
        });
        ruled.collect()
    }

    /// The places that may mean a definition, and how many others its name has; comments and the
    /// definition's own text left out.
    pub(crate) fn places(&self, id: SymbolId) -> (Vec<Doubt>, usize) {
        let rulings = self.rulings(id);
        let is_other = |place: &&RuledPlace| {
            let is_aside = matches!(place.ruling, Ruling::Own | Ruling::Comment);
            !place.ruling.is_open() && !is_aside
        };
        let n_others = rulings.iter().filter(is_other).count();
        let doubts = rulings.into_iter();
        let doubts = doubts.filter_map(|place| self.doubt_of(place)).collect();
        (doubts, n_others)
    }

    fn doubt_of(&self, place: RuledPlace) -> Option<Doubt> {
        let why = place.ruling.doubt()?;
        let MentionFile::Indexed(file) = place.file else {
            return Some(hidden(why.to_owned()));
        };
        let why = format!("{why} {}", self.place(file, place.line));
        Some(Doubt {
            at: Some((file, place.line)),
            within: place.within,
            why,
        })
    }

    fn used(&self, hit: &ReferenceHit) -> Doubt {
        let place = self.place(hit.file, hit.line);
        Doubt {
            at: Some((hit.file, hit.line)),
            within: self.around(hit.enclosing),
            why: format!("used at {place}"),
        }
    }

    pub(crate) fn place(&self, file: u32, line: u32) -> String {
        format!("{}:{line}", self.uses.resolver.files[file as usize].path)
    }

    /// A definition with those around it, innermost first; nothing where their ends are guesses.
    pub(crate) fn around(&self, innermost: Option<SymbolId>) -> Vec<SymbolId> {
        let files = &self.uses.resolver.files;
        let ends_are_known =
            |id: &SymbolId| !name_rules(files[id.file as usize].language).is_read_by_lines;
        let innermost = innermost.filter(ends_are_known);
        let parent = |id: &SymbolId| self.uses.resolver.parent(*id);
        std::iter::successors(innermost, parent).collect()
    }

    /// The definitions around a line.
    pub(crate) fn around_line(&self, file: u32, line: u32) -> Vec<SymbolId> {
        let innermost = self.lines(file).innermost(line);
        self.around(innermost.map(|symbol| SymbolId { file, symbol }))
    }

    pub(crate) fn fact(&self, file: u32, mention: &Mention, name: &str) -> Option<&'a Reference> {
        let mut facts = self.facts.borrow_mut();
        let of_file = facts.entry(file).or_insert_with(|| {
            let mut by_place: FxHashMap<(u32, u32), Vec<&'a Reference>> = FxHashMap::default();
            for reference in &self.uses.resolver.files[file as usize].facts().references {
                let place = (reference.line, reference.column);
                by_place.entry(place).or_default().push(reference);
            }
            by_place
        });
        let here = of_file.get(&(mention.line, mention.column))?;
        here.iter()
            .copied()
            .find(|reference| word_of(&reference.name) == Some(name))
    }

    /// Says whether a file has macros whose arguments are code for another place.
    pub(crate) fn writes_code(&self, file: u32) -> bool {
        let look = || {
            let facts = self.uses.resolver.files[file as usize].facts();
            let mut references = facts.references.iter();
            references.any(|reference| CODE_MACROS.contains(&reference.name.as_str()))
        };
        self.uses.resolver.rules(file).macros_rewrite_code
            && *self.writers.borrow_mut().entry(file).or_insert_with(look)
    }

    /// How something may reach a definition without its name.
    fn hidden_way(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        let rules = resolver.rules(id.file);
        let name = symbol.name.as_str();
        let overrides = ["override", "virtual", "operator", "implicit", "explicit"];
        let is_method = symbol.kind.is_member() || symbol.kind == SymbolKind::Function;
        if is_method
            && rules.heads_have_modifiers
            && let Some(word) = overrides.iter().find(|word| says(symbol, word))
        {
            return Some(format!("`{word}`: its callers may not name it"));
        }
        if rules.capitals_are_exported && symbol.kind.is_member() && is_upper(name) {
            return Some("may satisfy an interface from outside".to_owned());
        }
        if rules.constants_count_on && counts_on(symbol) {
            return Some("later constants of its block count on its place".to_owned());
        }
        if called_by(resolver.files[id.file as usize].language, name).is_some() {
            return self.way_of_language(id);
        }
        if name == "serialVersionUID" {
            return Some("the runtime reads it".to_owned());
        }
        let around = || (rules.reached_unnamed)(resolver, id);
        if let Some(why) = self.by_file(id).or_else(around) {
            return Some(why);
        }
        self.by_owner(id)
            .or_else(|| self.by_enumeration(id))
            .or_else(|| self.found_by_base(id))
    }

    /// Says whether the build chooses between two definitions of one name.
    pub(crate) fn may_be_chosen(&self, one: SymbolId, other: SymbolId) -> bool {
        let resolver = &self.uses.resolver;
        let is_conditional = |id| self.roots.is_conditional(self.uses, id);
        resolver.rules(one.file).attributes_choose
            && resolver.symbol(one).kind == resolver.symbol(other).kind
            && Visibility::Crate.has(resolver, one, other.file)
            && (is_conditional(one) || is_conditional(other))
    }

    /// What a script shows that no other imports: it may be run, or loaded by its path.
    fn by_file(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        let path = resolver.files[id.file as usize].path;
        if [".pyx", ".pxd"].iter().any(|ending| path.ends_with(ending)) {
            return Some(
                "Python may reach it through the module that Cython makes of it".to_owned(),
            );
        }
        // Where a class could not be parsed, its members stand at the top.
        let has_lost_owner = symbol.parent.is_none()
            && self.mentions.partly_parsed.contains(&id.file)
            && resolver.rules(id.file).functions_stand_in_types;
        if has_lost_owner {
            return Some("its file could be parsed only in part".to_owned());
        }
        let is_script = resolver.rules(id.file).files_are_scripts;
        let is_alone = is_script
            && !resolver.table.is_non_production(id.file)
            && symbol.parent.is_none()
            && symbol.exported
            && resolver.reaching([id.file]).len() == 1;
        is_alone.then(|| "nothing imports its file, which may be loaded by its path".to_owned())
    }

    /// Members that anyone who knows their owner may reach.
    fn by_owner(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        let rules = resolver.rules(id.file);
        if let Some(why) = self.by_parts(id) {
            return Some(why);
        }
        let Some(owner) = resolver.owner_of_member(id) else {
            let around = resolver.parent(id);
            let is_local = symbol.kind == SymbolKind::Function
                && !symbol.signature.contains(&format!(".{}", symbol.name))
                && around.is_some_and(|around| resolver.symbol(around).kind.is_callable());
            let in_object =
                symbol.kind.is_member() || resolver.owner_name(id).is_some() && !is_local;
            return if rules.objects_have_members && in_object {
                Some("a property of an object that may be read by name".to_owned())
            } else if rules.classes_are_anonymous && symbol.kind.is_member() {
                Some("may override a member of what its anonymous class extends".to_owned())
            } else {
                None
            };
        };
        let is_hooked = || {
            let name = &resolver.symbol(owner).name;
            let is_hooked = self.roots.is_hooked(self.uses, owner);
            is_hooked.then(|| format!("what `{name}` is marked with may call it"))
        };
        let is_overridden = symbol.kind.is_member()
            && rules.members_are_overridden
            && !(symbol.kind.is_callable() && is_private_member(resolver, id));
        self.by_bases(id, owner)
            .or_else(|| is_hooked().filter(|_| is_overridden))
    }
}

/// Says whether a constant has no value of its own, but one that its place gives: `iota` and its repetitions.
fn counts_on(symbol: &Symbol) -> bool {
    let is_repeated = !symbol.signature.contains('=');
    symbol.kind == SymbolKind::Constant && (is_repeated || symbol.signature.contains("iota"))
}

/// Who calls what bears this name, though no text names it.
fn called_by(language: &str, name: &str) -> Option<&'static str> {
    let is_meant = |called: &str| match called.split_once('*') {
        Some((start, end)) => {
            let rest = name.strip_prefix(start);
            rest.is_some_and(|rest| rest.len() > end.len() && rest.ends_with(end))
        }
        None => name == called || called.ends_with('_') && name.starts_with(called),
    };
    let mut called = name_rules(language).called_by_name.iter();
    let (_, by) = called.find(|(called, _)| is_meant(called))?;
    Some(by)
}
