//! What a change leaves behind: uses of definitions that went or have another signature, imports that
//! lead nowhere, types that no longer implement an interface.

use super::at_risk::Review;
use super::is_notable;
use super::old_state::StandingUse;
use super::review::{Changed, MAX_REMOVED, new_names};
use super::risk::{self, BREAK_POINTS, MAX_CALLERS, REMOVED_POINTS, add, add_signature};
use crate::api::{BrokenImports, ReviewedSymbol, RiskKind, UnchangedCaller};
use std::collections::{HashMap, HashSet};
use whyrank_graph::{Relative, SymbolId};
use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

/// Those whose name others bear still: what they meant is worked out one by one.
const MAX_NAMESAKES: usize = 60;
/// Types and members named that a change has left behind.
const MAX_LOST: usize = 3;

/// A definition that went: its file and its number there in the old state, its path.
struct Gone<'a> {
    id: SymbolId,
    path: &'a str,
    symbol: &'a Symbol,
}

/// An interface that changed, or in which something did: as it was, and what the graph calls it.
pub(super) struct ChangedInterface {
    old: SymbolId,
    pub(super) graph: SymbolId,
}

impl Review<'_, '_, '_> {
    /// Definitions that went. Where no other bears their name, its uses are told by the name; where
    /// others do, those that meant it before, are there still and mean nothing now.
    pub(super) fn removed(&self) -> Vec<ReviewedSymbol> {
        let (namesakes, went): (Vec<Gone<'_>>, Vec<Gone<'_>>) = self
            .gone()
            .into_iter()
            .filter(|gone| is_notable(gone.symbol))
            .partition(|gone| self.has_namesake(gone.symbol));
        let went = &went[..went.len().min(MAX_REMOVED)];
        let names: HashSet<&str> = went.iter().map(|gone| gone.symbol.name.as_str()).collect();
        let uses = self.uses_by_name(&names);
        let by_name = went.iter().map(|gone| {
            let uses = uses.get(gone.symbol.name.as_str());
            self.told(gone, uses.cloned().unwrap_or_default())
        });
        let mut found: Vec<ReviewedSymbol> = by_name.collect();
        let namesakes = &namesakes[..namesakes.len().min(MAX_NAMESAKES)];
        let ids: Vec<SymbolId> = namesakes.iter().map(|gone| gone.id).collect();
        let uses = self.old.standing_uses(&ids);
        for (gone, mut uses) in namesakes.iter().zip(uses) {
            let settled = self.settled_now(gone);
            uses.retain(|one| !settled.contains(&(one.file, one.line, one.kind)));
            if !uses.is_empty() || !self.has_moved(gone.symbol) {
                found.push(self.told(gone, uses.iter().map(|one| self.caller(one)).collect()));
            }
        }
        found
    }

    /// Definitions that went, with the uses that meant them, are there still and may mean nothing else now:
    /// less than [`Review::removed`] tells, and nothing by name alone. `is_standing` chooses among the uses.
    pub(super) fn removed_for_certain(
        &self,
        is_standing: &dyn Fn(&StandingUse) -> bool,
    ) -> Vec<ReviewedSymbol> {
        let is_behind = !self.numbers.behind().is_empty();
        let mut gone = self.gone();
        // What an index does not know yet may be what a use means now.
        gone.retain(|gone| is_notable(gone.symbol) && !(is_behind && self.is_new_elsewhere(gone)));
        gone.truncate(MAX_NAMESAKES);
        let ids: Vec<SymbolId> = gone.iter().map(|gone| gone.id).collect();
        let uses = self.old.standing_uses(&ids);
        let told = gone.iter().zip(uses).map(|(gone, mut uses)| {
            let settled = self.may_be_settled_now(gone);
            uses.retain(|one| {
                let is_settled = settled.contains(&(one.file, one.line, one.kind));
                !is_settled && is_standing(one)
            });
            self.told(gone, uses.iter().map(|one| self.caller(one)).collect())
        });
        told.collect()
    }

    /// Says whether a changed file has a new definition of the name.
    fn is_new_elsewhere(&self, gone: &Gone<'_>) -> bool {
        let is_it = |name: &str| name.ends_with(&gone.symbol.name);
        let mut files = self.changes.files.iter();
        files.any(|file| new_names(file).any(is_it))
    }

    fn told(&self, gone: &Gone<'_>, uses: Vec<UnchangedCaller>) -> ReviewedSymbol {
        let mut reviewed = risk::removed(gone.path, gone.symbol, uses);
        self.add_lost_bases(gone.id, None, &mut reviewed);
        reviewed
    }

    /// Whether a definition is in another file now: one of its qualified name is new there.
    fn has_moved(&self, symbol: &Symbol) -> bool {
        let mut files = self.changes.files.iter();
        files.any(|file| new_names(file).any(|name| name == symbol.qualified))
    }

    /// All definitions of the old state that their file does not have now.
    fn gone(&self) -> Vec<Gone<'_>> {
        let files = self.changes.files.iter().enumerate();
        let inside = files.filter(|(_, file)| self.scope.has_file(file));
        let gone = inside.flat_map(|(place, file)| {
            file.gone().filter_map(move |(symbol, old)| {
                Some(Gone {
                    id: self.numbers.old_id(place, symbol)?,
                    path: &file.path,
                    symbol: old,
                })
            })
        });
        gone.collect()
    }

    fn namesakes(&self, symbol: &Symbol) -> Vec<SymbolId> {
        let mut found = self.structure.known.table.definitions(&symbol.name);
        // The table folds case where nothing else fits.
        found.retain(|id| {
            let is_here = self.numbers.of_now(*id).is_some();
            is_here && self.structure.view.symbol(*id).name == symbol.name
        });
        found
    }

    fn has_namesake(&self, symbol: &Symbol) -> bool {
        !self.namesakes(symbol).is_empty()
    }

    /// File, line and kind of each use that means a definition of its name now. What overrode a member
    /// is no other meaning of it: a call through the base's type has lost what it meant.
    fn settled_now(&self, gone: &Gone<'_>) -> HashSet<(u32, u32, ReferenceKind)> {
        let owner = self.old.owner_now(gone.id);
        let heirs = owner.map(|owner| self.structure.uses.subtypes(&[owner]));
        let overriding = self.members_of(&heirs.unwrap_or_default(), &gone.symbol.name);
        let mut namesakes = self.namesakes(gone.symbol);
        namesakes.retain(|id| !overriding.contains(id));
        let links = namesakes.into_iter();
        let links = links.flat_map(|id| self.structure.links.to(id));
        let certain = links.filter(|link| link.confidence.is_certain());
        certain
            .map(|link| (link.file, link.line, link.kind))
            .collect()
    }

    /// The same of each use that may mean one of its namesakes.
    fn may_be_settled_now(&self, gone: &Gone<'_>) -> HashSet<(u32, u32, ReferenceKind)> {
        let namesakes = self.namesakes(gone.symbol).into_iter();
        let links = namesakes.flat_map(|id| self.structure.links.to(id));
        links
            .map(|link| (link.file, link.line, link.kind))
            .collect()
    }

    /// Uses of names that mean nothing any more.
    fn uses_by_name(&self, names: &HashSet<&str>) -> HashMap<String, Vec<UnchangedCaller>> {
        let mut found: HashMap<String, Vec<UnchangedCaller>> = HashMap::new();
        if names.is_empty() {
            return found;
        }
        for (file, input) in (0u32..).zip(&self.numbers.now) {
            for reference in &input.facts().references {
                if names.contains(reference.name.as_str()) {
                    let from = reference.enclosing.map(|symbol| SymbolId { file, symbol });
                    let caller = self.caller_at(file, reference.line, from);
                    found
                        .entry(reference.name.clone())
                        .or_default()
                        .push(caller);
                }
            }
        }
        found
    }

    fn caller(&self, one: &StandingUse) -> UnchangedCaller {
        self.caller_at(one.file, one.line, one.from)
    }

    /// Adds users that are known of the old state alone, and weighs the signature again.
    pub(super) fn add_callers(&self, reviewed: &mut ReviewedSymbol, uses: Vec<StandingUse>) {
        let is_known = |one: &UnchangedCaller, known: &[UnchangedCaller]| {
            let mut known = known.iter();
            known.any(|other| other.path == one.path && other.line == one.line)
        };
        let mut new: Vec<UnchangedCaller> = uses.iter().map(|one| self.caller(one)).collect();
        new.retain(|one| !is_known(one, &reviewed.callers));
        // Of those that are known more than ten are not listed.
        if new.is_empty() || reviewed.callers.len() == MAX_CALLERS {
            return;
        }
        reviewed.n_callers += new.iter().filter(|one| !one.test).count() as u32;
        reviewed.callers.extend(new);
        reviewed.callers.sort_by_key(|one| one.test);
        reviewed.callers.truncate(MAX_CALLERS);
        add_signature(reviewed);
    }

    /// A definition that is an interface, or the one that it lies in.
    pub(super) fn interface_around(&self, changed: Changed) -> Option<ChangedInterface> {
        let file = &self.changes.files[changed.place];
        let symbols = file.symbols();
        let parent = symbols[changed.symbol as usize].parent;
        let mut around = [Some(changed.symbol), parent].into_iter().flatten();
        let at = around.find(|at| symbols[*at as usize].kind == SymbolKind::Interface)?;
        let old = file.was_at(at)?;
        Some(ChangedInterface {
            old: self.numbers.old_id(changed.place, old)?,
            graph: self.numbers.of_graph(self.numbers.id(changed.place, at)?)?,
        })
    }

    /// Says which types no longer implement an interface.
    pub(super) fn add_lost_heirs(
        &self,
        interface: &ChangedInterface,
        reviewed: &mut ReviewedSymbol,
    ) {
        let uses = self.structure.uses;
        let lost = self.old.lost_heirs(interface.old, interface.graph, uses);
        if lost.is_empty() {
            return;
        }
        let places = self.places(&lost);
        let name = &self.structure.view.symbol(interface.graph).qualified;
        let text = format!("{name} is no longer implemented by {places}");
        add(reviewed, RiskKind::Heritage, text, BREAK_POINTS);
    }

    /// Says which members override one of another signature, or are overridden by it, and kept theirs.
    /// Whose heads still say which type inherits from which is asked: members of other parameters are no
    /// longer tied themselves.
    pub(super) fn add_left_overrides(&self, id: SymbolId, reviewed: &mut ReviewedSymbol) {
        let view = self.structure.view;
        let symbol = view.symbol(id);
        let owner = symbol.parent.map(|symbol| SymbolId { symbol, ..id });
        // A constructor is called by the name of its type, and an `impl` has many traits.
        let may_be = symbol.kind.is_member() && symbol.kind != SymbolKind::Constructor;
        let owner = owner.filter(|owner| view.symbol(*owner).kind != SymbolKind::Impl && may_be);
        let is_closed = |symbol: &Symbol| {
            let mut words = symbol.signature.split_whitespace();
            words.any(|word| matches!(word, "private" | "static"))
        };
        // Which type of Go has the methods of which interface is told elsewhere.
        let Some(owner) = owner.filter(|_| !self.old.has_method_sets(id.file)) else {
            return;
        };
        let uses = self.structure.uses;
        let left = [
            (
                "what overrides it kept its signature",
                uses.subtypes(&[owner]),
            ),
            (
                "what it overrides kept its signature",
                uses.supertypes(&[owner]),
            ),
        ];
        for (says, relatives) in left {
            let mut members = self.members_of(&relatives, &symbol.name);
            members.retain(|other| {
                let other = (*other, view.symbol(*other));
                self.kept_signature(other.0)
                    && !is_closed(symbol)
                    && !is_closed(other.1)
                    && self.is_virtual(id.file, symbol, other.1)
            });
            if !members.is_empty() {
                let n = members.len() as f64;
                let text = format!("{says}: {}", self.places(&members));
                let points = BREAK_POINTS * n / (n + 1.0);
                add(reviewed, RiskKind::Heritage, text, points);
            }
        }
    }

    /// C++: whether one of two members says that it is replaced, or replaces; elsewhere all are.
    fn is_virtual(&self, file: u32, one: &Symbol, other: &Symbol) -> bool {
        let language = self.structure.view.files[file as usize].language.name();
        let says = |symbol: &Symbol| {
            let mut words = symbol.signature.split_whitespace();
            words.any(|word| matches!(word.trim_end_matches(';'), "virtual" | "override" | "final"))
        };
        language != "cpp" || says(one) || says(other)
    }

    /// The member of a name of each of these types; none where a type has several.
    fn members_of(&self, types: &[Relative], name: &str) -> Vec<SymbolId> {
        let certain = types.iter().filter(|one| one.is_certain);
        let members = certain.filter_map(|one| {
            let place = one.block.unwrap_or(one.symbol);
            let symbols = &self.structure.view.files[place.file as usize]
                .outline()
                .symbols;
            let is_it = |symbol: &Symbol| {
                symbol.parent == Some(place.symbol)
                    && symbol.kind.is_member()
                    && symbol.name == name
            };
            let mut found = (0u32..).zip(symbols).filter(|(_, symbol)| is_it(symbol));
            let (symbol, _) = found.next()?;
            found
                .next()
                .is_none()
                .then_some(SymbolId { symbol, ..place })
        });
        members.collect()
    }

    /// The first of some definitions with their places, and how many more there are.
    fn places(&self, ids: &[SymbolId]) -> String {
        let places = ids.iter().take(MAX_LOST).map(|id| {
            let line = self.structure.view.symbol_line(*id);
            format!("{} ({}:{})", line.qualified, line.path, line.name_line)
        });
        let places = places.collect::<Vec<_>>().join(", ");
        match ids.len().saturating_sub(MAX_LOST) {
            0 => places,
            n => format!("{places} +{n}"),
        }
    }

    /// Says which interfaces the type of a method no longer implements, and who uses those.
    pub(super) fn add_lost_bases(
        &self,
        old: SymbolId,
        now: Option<SymbolId>,
        reviewed: &mut ReviewedSymbol,
    ) {
        let view = self.structure.view;
        for base in self.old.lost_bases(old, now, self.structure.uses) {
            let base_line = view.symbol_line(base);
            let text = format!(
                "{} no longer implements {} ({}:{})",
                owner(&reviewed.symbol.qualified),
                owner(&base_line.qualified),
                base_line.path,
                base_line.name_line
            );
            add(reviewed, RiskKind::Heritage, text, BREAK_POINTS);
            let links = self.structure.links.to(base).iter();
            for link in links.filter(|link| link.confidence.is_certain()) {
                let from = link.from.and_then(|from| self.numbers.of_now(from));
                let caller = self.caller_at(link.file, link.line, from);
                if !reviewed.callers.contains(&caller) && reviewed.callers.len() < MAX_CALLERS {
                    reviewed.n_callers += u32::from(!caller.test);
                    reviewed.callers.push(caller);
                }
            }
            reviewed.callers.sort_by_key(|one| one.test);
        }
    }

    /// The paths at which imports aim that lead nowhere now, most importers first.
    pub(super) fn broken_imports(&self) -> Vec<BrokenImports> {
        let mut files = self.changes.files.iter();
        if files.all(|file| file.is_there && file.from.is_none()) {
            return Vec::new();
        }
        let broken = self.old.broken_imports().into_iter();
        let is_in = |file: &u32| self.scope.has(self.numbers.path(*file));
        let mut found: Vec<BrokenImports> = broken
            .filter(|(path, importers)| {
                self.scope.has(path) || importers.iter().any(|(file, _)| is_in(file))
            })
            .map(|(path, importers)| {
                let n = importers.len() as f64;
                let mut callers: Vec<UnchangedCaller> = importers
                    .iter()
                    .map(|(file, line)| self.caller_at(*file, *line, None))
                    .collect();
                callers.sort_by_key(|one| one.test);
                callers.truncate(MAX_CALLERS);
                let points = REMOVED_POINTS + BREAK_POINTS * n / (n + 4.0);
                BrokenImports {
                    path: path.to_owned(),
                    now: self.path_now(path),
                    risk: (points * 10.0).round() / 10.0,
                    n_importers: importers.len() as u32,
                    importers: callers,
                }
            })
            .collect();
        found.sort_by(|a, b| b.n_importers.cmp(&a.n_importers).then(a.path.cmp(&b.path)));
        found
    }

    /// Where a file of the old state lies now.
    fn path_now(&self, path: &str) -> Option<String> {
        let files = &self.changes.files;
        let moved = files.iter().find(|file| file.from.as_deref() == Some(path));
        let went = || files.iter().any(|file| file.path == path && !file.is_there);
        let is_known = || self.numbers.now.iter().any(|file| file.path == path);
        let now = moved.map(|file| file.path.as_str());
        let now = now.or_else(|| (!went() && is_known()).then_some(path));
        now.map(str::to_owned)
    }
}

/// The type of a member, by its qualified name.
fn owner(qualified: &str) -> &str {
    qualified
        .rsplit_once('.')
        .map_or(qualified, |(owner, _)| owner)
}
