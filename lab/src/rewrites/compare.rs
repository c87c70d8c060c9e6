//! Holds what is said of definitions after a rewrite against what was said before.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use whyrank_graph::SymbolId;

use super::rewritten::{LineMap, Place, Rewritten};
use super::view::{Answer, Life, SourceFile, View};
use crate::violation::Violation;

/// The checks, in the order in which they are shown.
pub(super) const CHECKS: [&str; 4] = ["dead", "another", "vanished", "new"];

/// Views of so many files are asked about all their definitions.
const MOST_FILES_ASKED: usize = 40;
/// Definitions asked about in larger ones.
const MOST_ASKED: usize = 40;

/// What a rewrite did to the answers.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) violations: Vec<Violation>,
    /// The rewritten text has errors that the old one had not: nothing was asked.
    pub(super) is_unread: bool,
    /// Certain uses that are open now.
    pub(super) n_opened: usize,
    /// Open uses that are certain now.
    pub(super) n_settled: usize,
    /// Definitions that are dead now and were not proven to be.
    pub(super) n_proven: usize,
    pub(super) n_asked: usize,
}

/// A view, and the answers about it that are known already.
pub(super) struct Asked {
    pub(super) view: View,
    answers: RefCell<HashMap<SymbolId, Answer>>,
    open: RefCell<HashMap<SymbolId, BTreeSet<(u32, u32)>>>,
}

impl Asked {
    pub(super) fn new(view: View) -> Self {
        Self {
            view,
            answers: RefCell::default(),
            open: RefCell::default(),
        }
    }

    fn answers(&self, ids: &[SymbolId]) -> Vec<Answer> {
        let mut known = self.answers.borrow_mut();
        let missing: Vec<Vec<SymbolId>> = ids
            .iter()
            .filter(|id| !known.contains_key(id))
            .map(|id| vec![*id])
            .collect();
        let answers = self.view.answers(&missing);
        known.extend(missing.into_iter().map(|ids| ids[0]).zip(answers));
        ids.iter().map(|id| known[id].clone()).collect()
    }

    fn is_open(&self, id: SymbolId, place: (u32, u32)) -> bool {
        let mut open = self.open.borrow_mut();
        let places = open
            .entry(id)
            .or_insert_with(|| self.view.open_places(&[id]));
        places.contains(&place)
    }

    /// Rewrites, asks again and compares.
    pub(super) fn compare(&self, rewritten: &Rewritten) -> Outcome {
        let view = &self.view;
        let (mut replaced, mut added, mut files) = (Vec::new(), Vec::new(), Vec::new());
        let mut outcome = Outcome::default();
        for written in &rewritten.files {
            let Some(file) = SourceFile::new(&written.path, written.text(view)) else {
                continue;
            };
            let n_errors = written
                .old
                .map_or(0, |old| view.files[old].facts.errors.len());
            outcome.is_unread |= file.facts.errors.len() > n_errors;
            match written.old {
                Some(old) => {
                    files.push(old as u32);
                    replaced.push((old, file));
                }
                None => {
                    files.push((view.files.len() + added.len()) as u32);
                    added.push(file);
                }
            }
        }
        if outcome.is_unread {
            return outcome;
        }
        let after = view.with(replaced, added);
        let map = LineMap::new(view, rewritten, &files);
        let ids = self.concerned(&after, rewritten, &files);
        let mut comparison = Comparison::new(self, &after, &map, (&ids, &files));
        comparison.uses_anew = rewritten.uses_anew;
        comparison.judge(&mut outcome);
        outcome
    }

    /// The definitions that a rewrite concerns: all of a small view, else those whose names stand on the
    /// lines that it touches.
    fn concerned(&self, after: &View, rewritten: &Rewritten, files: &[u32]) -> Vec<SymbolId> {
        let view = &self.view;
        let all = (0..view.files.len() as u32).flat_map(|file| view.definitions(file));
        if view.files.len() <= MOST_FILES_ASKED {
            return all.collect();
        }
        let old: HashSet<&str> = files
            .iter()
            .filter_map(|file| view.files.get(*file as usize))
            .flat_map(|file| file.text.lines())
            .collect();
        let new = files
            .iter()
            .flat_map(|file| after.files[*file as usize].text.lines());
        let touched = new.filter(|line| !old.contains(line));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut names: HashSet<&str> = touched
            .flat_map(|line| line.split(move |c| !is_part(c)))
            .collect();
        names.extend(rewritten.names.iter().map(String::as_str));
        let is_named = |id: &SymbolId| names.contains(&view.symbol(*id).name[..]);
        let mut ids: Vec<SymbolId> = all.filter(is_named).collect();
        ids.sort_by_key(|id| !files.contains(&id.file));
        ids.truncate(MOST_ASKED);
        ids
    }
}

/// A definition before and after a rewrite.
struct Pair {
    id: SymbolId,
    /// What it became: two where it was doubled.
    now: Vec<SymbolId>,
    before: Answer,
    after: Answer,
}

struct Comparison<'a> {
    before: &'a Asked,
    after: &'a View,
    map: &'a LineMap,
    pairs: Vec<Pair>,
    /// Certain uses of definitions that were not there before.
    fresh: Vec<(SymbolId, BTreeSet<Place>)>,
    /// New text that stands for nothing uses what it names.
    uses_anew: bool,
}

impl<'a> Comparison<'a> {
    fn new(
        before: &'a Asked,
        after: &'a View,
        map: &'a LineMap,
        (ids, files): (&[SymbolId], &[u32]),
    ) -> Self {
        let mut now: BTreeMap<(Place, &str), Vec<SymbolId>> = BTreeMap::new();
        for id in files.iter().flat_map(|file| after.definitions(*file)) {
            let symbol = after.symbol(id);
            let place = map.of_new((id.file, symbol.name_line));
            now.entry((place, &symbol.name)).or_default().push(id);
        }
        let mut n_seen: HashMap<(Place, &str), usize> = HashMap::new();
        let mut paired = Vec::new();
        let moved: HashSet<u32> = files.iter().copied().collect();
        let mut taken: HashSet<SymbolId> = HashSet::new();
        for id in ids {
            let symbol = before.view.symbol(*id);
            let key = (map.of_old((id.file, symbol.name_line)), &symbol.name[..]);
            let at = n_seen.entry(key).or_default();
            *at += 1;
            let same = match (now.get(&key), moved.contains(&id.file)) {
                (None, true) => continue,
                (None, false) => vec![*id],
                // As many on the line as there were: each is the one of its turn.
                (Some(same), _) => match before.n_on_line(*id) {
                    1 => same.clone(),
                    _ => same.get(*at - 1).copied().into_iter().collect(),
                },
            };
            taken.extend(same.iter().copied());
            paired.push((*id, same));
        }
        let asked: Vec<Vec<SymbolId>> = paired.iter().map(|(_, now)| now.clone()).collect();
        let answers = before.answers(&paired.iter().map(|(id, _)| *id).collect::<Vec<_>>());
        let pairs = paired.into_iter().zip(answers).zip(after.answers(&asked));
        let pairs = pairs
            .map(|(((id, now), before), after)| Pair {
                id,
                now,
                before,
                after,
            })
            .collect();
        let others = now.into_iter().filter(|((place, _), _)| place.is_fresh);
        let others: Vec<Vec<SymbolId>> = others
            .flat_map(|(_, ids)| ids)
            .filter(|id| !taken.contains(id))
            .map(|id| vec![id])
            .collect();
        let certain = after.answers(&others).into_iter().map(|answer| {
            let places = answer.certain.into_iter();
            places.map(|place| map.of_new(place)).collect()
        });
        let fresh = others.iter().map(|ids| ids[0]).zip(certain).collect();
        Self {
            before,
            after,
            map,
            pairs,
            fresh,
            uses_anew: false,
        }
    }

    fn judge(&self, outcome: &mut Outcome) {
        outcome.n_asked += self.pairs.len();
        for pair in &self.pairs {
            let Pair { before, after, .. } = pair;
            let was_used = before.life == Life::Used || !before.certain.is_empty();
            if after.life == Life::Dead && before.life == Life::Used {
                self.violate(outcome, "dead", pair, "used, and dead now");
            } else if after.none_means_it && was_used && !before.none_means_it {
                self.violate(outcome, "dead", pair, "used, and no place means it now");
            }
            let was_open = before.life == Life::Maybe;
            outcome.n_proven += usize::from(was_open && after.life == Life::Dead);
            self.judge_uses(pair, outcome);
        }
        for (id, certain) in &self.fresh {
            for place in certain.iter().filter(|place| !place.is_fresh) {
                let what = format!(
                    "{} means new `{}` now",
                    self.place(*place),
                    self.after.symbol(*id).qualified
                );
                // A part of a type is the type.
                let is_part = |pair: &Pair| {
                    let (old, new) = (self.before.view.symbol(pair.id), self.after.symbol(*id));
                    new.kind.is_type() && old.qualified == new.qualified
                };
                let others = self.pairs.iter().filter(|pair| !is_part(pair));
                let was_certain = others.into_iter().find(|pair| {
                    let is_named =
                        self.before.view.symbol(pair.id).name == self.after.symbol(*id).name;
                    let mut places = pair.before.certain.iter();
                    is_named && places.any(|it| self.map.of_old(*it) == *place)
                });
                if let Some(pair) = was_certain {
                    self.violate(outcome, "another", pair, &what);
                }
            }
        }
    }

    fn judge_uses(&self, pair: &Pair, outcome: &mut Outcome) {
        let (before, after) = (&pair.before, &pair.after);
        let old = |places: &BTreeSet<(u32, u32)>| -> BTreeSet<Place> {
            places.iter().map(|it| self.map.of_old(*it)).collect()
        };
        let new = |places: &BTreeSet<(u32, u32)>| -> BTreeSet<Place> {
            places.iter().map(|it| self.map.of_new(*it)).collect()
        };
        let (was_certain, was_open) = (old(&before.certain), old(&before.open));
        let (is_certain, is_open) = (new(&after.certain), new(&after.open));
        let mut open_now = None;
        for place in was_certain.difference(&is_certain) {
            let open_now = open_now.get_or_insert_with(|| {
                let open = self.after.open_places(&pair.now);
                open.into_iter()
                    .map(|it| self.map.of_new(it))
                    .collect::<BTreeSet<_>>()
            });
            if is_open.contains(place) || open_now.contains(place) {
                outcome.n_opened += 1;
                continue;
            }
            let other = self.pairs.iter().find(|other| {
                let was = old(&other.before.certain);
                let is = new(&other.after.certain);
                other.id != pair.id && is.contains(place) && !was.contains(place)
            });
            let at = self.place(*place);
            match other {
                Some(other) => {
                    let name = &self.before.view.symbol(other.id).qualified;
                    self.violate(
                        outcome,
                        "another",
                        pair,
                        &format!("{at} means `{name}` now"),
                    );
                }
                None => self.violate(outcome, "vanished", pair, &format!("the use at {at}")),
            }
        }
        for place in is_certain.difference(&was_certain) {
            if place.is_fresh && self.uses_anew {
                continue;
            }
            let was_ruled_open = || {
                let open = |it: &(u32, u32)| self.before.is_open(pair.id, *it);
                let mut lines = self.lines_of(*place);
                lines.any(|it| open(&it))
            };
            if was_open.contains(place) || !place.is_fresh && was_ruled_open() {
                outcome.n_settled += 1;
                continue;
            }
            let what = format!("a certain use at {}", self.place(*place));
            self.violate(outcome, "new", pair, &what);
        }
    }

    /// The old lines that a place is made of.
    fn lines_of(&self, place: Place) -> impl Iterator<Item = (u32, u32)> {
        let file = &self.before.view.files[place.file as usize];
        let n_lines = file.text.lines().count() as u32;
        (1..=n_lines)
            .map(move |line| (place.file, line))
            .filter(move |line| self.map.of_old(*line) == place)
    }

    fn place(&self, place: Place) -> String {
        let view = match place.is_fresh {
            true => self.after,
            false => &self.before.view,
        };
        let file = &view.files[place.file as usize];
        let text = file.text.lines().nth(place.line as usize - 1);
        let text = text.unwrap_or_default().trim();
        let mark = if place.is_fresh { "new " } else { "" };
        format!("{mark}{}:{} `{text}`", file.path, place.line)
    }

    fn violate(&self, outcome: &mut Outcome, check: &'static str, pair: &Pair, what: &str) {
        let view = &self.before.view;
        let symbol = view.symbol(pair.id);
        outcome.violations.push(Violation {
            check,
            place: format!(
                "{}:{}",
                view.files[pair.id.file as usize].path, symbol.name_line
            ),
            what: format!("`{}`: {what}", symbol.qualified),
        });
    }
}

impl Asked {
    /// How many definitions of its name stand on a definition's line.
    fn n_on_line(&self, id: SymbolId) -> usize {
        let symbol = self.view.symbol(id);
        let same = self.view.definitions(id.file).filter(|other| {
            let other = self.view.symbol(*other);
            other.name == symbol.name && other.name_line == symbol.name_line
        });
        same.count()
    }
}
