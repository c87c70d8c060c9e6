//! What a file opens: a C file sees the names of every header that it includes, directly or through others.
//!
//! In a large tree that is thousands of files for each name. So the name's definitions are looked at, and
//! which of their files is met first on the way through what is opened; the way itself is known for one
//! file at a time.

use std::collections::HashSet;

use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{Resolution, Resolver},
        resolver_caches::OpenedFiles,
    },
    steps,
};

impl OpenedFiles {
    fn place(&self, file: u32) -> Option<u32> {
        let place = self.places.get(file as usize).copied();
        place.filter(|place| *place > 0)
    }

    /// Walks depth first, as a look-up does, without recursion: includes may be nested deeply.
    fn follow(&mut self, resolver: &Resolver<'_>, of: u32) {
        for file in self.order.drain(..) {
            self.places[file as usize] = 0;
        }
        self.places.resize(resolver.files.len(), 0);
        self.binders.clear();
        self.packages.clear();
        (self.of, self.is_plain) = (Some(of), true);
        if resolver.rules(of).imports_are_private {
            self.list(resolver, of);
            return;
        }
        let mut next: Vec<u32> = resolver.scope(of).open.iter().rev().copied().collect();
        while let Some(file) = next.pop() {
            if file == of || self.places[file as usize] > 0 {
                continue;
            }
            self.order.push(file);
            self.places[file as usize] = self.order.len() as u32;
            self.is_plain &= resolver.is_plain(file);
            let scope = resolver.scope(file);
            if !scope.bound.is_empty() {
                self.binders.push(file);
            }
            next.extend(scope.open.iter().rev());
        }
    }

    /// What a file opens itself, and what that passes on.
    fn list(&mut self, resolver: &Resolver<'_>, of: u32) {
        let mut next: Vec<u32> = resolver.scope(of).open.iter().rev().copied().collect();
        while let Some(file) = next.pop() {
            if file == of || self.places[file as usize] > 0 {
                continue;
            }
            if resolver.rules(file).imports_may_be_public {
                let scope = resolver.scope(file);
                next.extend(scope.passed_by_name.values().flatten());
                next.extend(scope.passed_on.iter().rev());
            }
            self.order.push(file);
            let place = self.order.len() as u32;
            self.places[file as usize] = place;
            if let Some(package) = resolver.package(file) {
                self.packages.entry(package).or_insert(place);
            }
        }
    }
}

impl Resolver<'_> {
    /// What a name means by the modules that a file opens. `seen` holds the files that were asked.
    pub(super) fn opened(&self, file: u32, name: &str, seen: &mut HashSet<u32>) -> Resolution {
        if self.scope(file).open.is_empty() {
            self.lookups.opened(file);
            return Resolution::Unknown;
        }
        if self.rules(file).imports_are_private {
            return self.listed(file, name);
        }
        match self.met_first(file, name) {
            Some(first) => self.top_level_of(first, name),
            None => self.asked_one_by_one(file, name, seen),
        }
    }

    /// Says whether a file opens another, directly or through others.
    pub(crate) fn opens_file(&self, file: u32, other: u32) -> bool {
        self.lookups.reached_from(file);
        let mut opened = self.opened_files.borrow_mut();
        if opened.of != Some(file) {
            opened.follow(self, file);
        }
        opened.place(other).is_some()
    }

    /// What a name means by the files that a file opens itself, where these pass on nothing that they open.
    fn listed(&self, file: u32, name: &str) -> Resolution {
        self.lookups.opened(file);
        if self.rules(file).imports_may_be_public {
            self.lookups.reached_from(file);
        }
        self.lookups.anywhere(name);
        if self.table.named(name).is_empty() {
            return Resolution::Unknown;
        }
        let mut opened = self.opened_files.borrow_mut();
        if opened.of != Some(file) {
            opened.follow(self, file);
        }
        for place in opened.packages.values() {
            let first = opened.order[*place as usize - 1];
            let key = self.graph.packages().key(first);
            self.lookups.in_package(key, name);
        }
        let first = self.first_showing(&opened, name);
        first.map_or(Resolution::Unknown, |first| self.shown_by(first, name))
    }

    /// The first of the opened files that shows a name. Goes through the definitions of the name or through
    /// the files, whichever are fewer.
    fn first_showing(&self, opened: &OpenedFiles, name: &str) -> Option<u32> {
        let named = self.table.named(name);
        if opened.order.len() < named.len() {
            let shows = |file: &u32| self.shown_by(*file, name) != Resolution::Unknown;
            return opened.order.iter().copied().find(shows);
        }
        steps::count(named.len());
        let places = named.iter().filter_map(|id| self.place_of(opened, *id));
        places.min().map(|place| opened.order[place as usize - 1])
    }

    /// The place of the first opened file that shows a definition: its own, or one of its package.
    fn place_of(&self, opened: &OpenedFiles, id: SymbolId) -> Option<u32> {
        let own = opened.place(id.file);
        let package = self.package(id.file);
        let beside = package.and_then(|package| opened.packages.get(&package).copied());
        let first = own.into_iter().chain(beside).min()?;
        if self.is_top_level(id) {
            return Some(first);
        }
        own.filter(|_| self.is_given_by_type(id))
    }

    fn asked_one_by_one(&self, file: u32, name: &str, seen: &mut HashSet<u32>) -> Resolution {
        self.lookups.opened(file);
        let opened = self.scope(file).open.iter();
        let mut found = opened.map(|open| self.exported(*open, name, seen));
        found
            .find(|found| *found != Resolution::Unknown)
            .unwrap_or(Resolution::Unknown)
    }

    fn top_level_of(&self, file: Option<u32>, name: &str) -> Resolution {
        file.map_or(Resolution::Unknown, |file| {
            Resolution::Definitions(self.top_level(file, name))
        })
    }

    /// The first of the opened files that defines a name for others; `None` where more than
    /// definitions decides, and each file has to be asked.
    fn met_first(&self, file: u32, name: &str) -> Option<Option<u32>> {
        let mut opened = self.opened_files.borrow_mut();
        if opened.of != Some(file) {
            opened.follow(self, file);
        }
        if !opened.is_plain {
            return None;
        }
        self.lookups.reached_from(file);
        self.lookups.anywhere(name);
        let best = self.nearest_of(&opened, name);
        let binds = |binder: &&u32| {
            self.lookups.in_file(**binder, name);
            self.scope(**binder).bound.contains_key(name)
        };
        let binder = opened.binders.iter().find(binds);
        let binder = binder.and_then(|file| opened.place(*file));
        if binder.is_some_and(|place| best.is_none_or(|(first, _)| place < first)) {
            return None;
        }
        Some(best.map(|(_, file)| file))
    }

    /// The place and the file of the first opened one that defines a name for others. Goes through the
    /// definitions of the name or through the opened files, whichever are fewer.
    fn nearest_of(&self, opened: &OpenedFiles, name: &str) -> Option<(u32, u32)> {
        let shown = |id: &SymbolId| self.is_top_level(*id);
        let named = self.table.named(name);
        if opened.order.len() < named.len() {
            let defines = |file: &u32| {
                steps::count(1);
                self.table.named_in(*file, name).iter().any(shown)
            };
            let mut placed = (1u32..).zip(opened.order.iter().copied());
            return placed.find(|(_, file)| defines(file));
        }
        steps::count(named.len());
        let mut best: Option<(u32, u32)> = None;
        for id in named {
            let Some(place) = opened.place(id.file) else {
                continue;
            };
            if best.is_none_or(|(first, _)| place < first) && shown(id) {
                best = Some((place, id.file));
            }
        }
        best
    }

    /// Says whether a file shows its own definitions and what it opens, and nothing else.
    pub(crate) fn is_plain(&self, file: u32) -> bool {
        let rules = self.rules(file);
        !rules.folder_is_scope && !rules.files_are_submodules && !rules.modules_are_values
    }
}
