//! Reads a checkout for names: every text of the view, and what the index leaves out of it.

use crate::Engine;
use crate::api::{ByName, PlaceRuling, RefHit, RepoId, UseConfidence};
use crate::error::Result;
use crate::views::{LiveView, Texts};
use memchr::memmem::Finder;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use whyrank_graph::{
    MentionFile, Mentions, NamePartAt, PossibleUse, ReferenceQuery, RuledPlace, Ruling, SymbolId,
    possible_uses, rulings,
};
use whyrank_retrieval::reference_name;
use whyrank_source::SkipReason;
use whyrank_syntax::{Language, ReferenceKind, name_parts, words};

/// Places that an answer lists; more are only counted.
const MAX_BY_NAME: usize = 200;
/// Places of a name that are ruled on where nobody asks to see them.
const MAX_RULED: usize = 3_000;
/// This many names are looked for one after another before words are told apart.
const FEW_NAMES: usize = 8;
/// A larger file that the index leaves out is data.
const MAX_LEFT_OUT_BYTES: u64 = 4 << 20;
/// Files whose words are no uses: what was locked, logged, translated or agreed to.
const NO_USES: [&str; 16] = [
    ".lock",
    "-lock.json",
    "-lock.yaml",
    "go.sum",
    ".po",
    ".pot",
    ".svg",
    ".csv",
    ".tsv",
    ".map",
    ".log",
    "license",
    "licence",
    "copying",
    "authors",
    "changelog.md",
];

/// A line of a file, by path.
pub(crate) type Line = (String, u32);

/// The lines that the graph knows of a symbol's uses.
pub(crate) struct KnownLines {
    /// Those that an answer lists.
    pub(crate) listed: HashSet<Line>,
    /// Those of uses that may mean another symbol.
    pub(crate) open: HashSet<Line>,
}

/// The texts of a view, to be searched for names.
pub(crate) struct NameReader<'v> {
    view: &'v LiveView,
    /// Where the files lie that the index leaves out; none for a commit.
    root: Option<PathBuf>,
    failed: RefCell<Option<crate::error::EngineError>>,
}

impl Engine {
    /// A reader of the texts of a view of a repository.
    pub(crate) fn name_reader<'v>(
        &self,
        view: &'v LiveView,
        repo: &RepoId,
        as_of: Option<&str>,
    ) -> Result<NameReader<'v>> {
        let root = match as_of {
            None if view.pool.is_none() => Some(self.state.registry.get(repo)?.root),
            _ => None,
        };
        Ok(NameReader::new(view, root))
    }
}

impl<'v> NameReader<'v> {
    fn new(view: &'v LiveView, root: Option<PathBuf>) -> Self {
        Self {
            view,
            root,
            failed: RefCell::new(None),
        }
    }

    /// All places of these names.
    pub(crate) fn read(&self, names: &HashSet<&str>) -> Mentions {
        let mut found = Mentions::default();
        let read = self.read_view(names, &mut found);
        if let Err(error) = read.and_then(|()| self.read_left_out(names, &mut found)) {
            *self.failed.borrow_mut() = Some(error);
        }
        found
    }

    /// What went wrong while reading.
    pub(crate) fn finish(self) -> Result<()> {
        self.failed.into_inner().map_or(Ok(()), Err)
    }

    fn read_view(&self, names: &HashSet<&str>, found: &mut Mentions) -> Result<()> {
        let files = (0u32..).zip(&self.view.files);
        let partly_parsed = files.filter(|(_, file)| file.error.is_some());
        found
            .partly_parsed
            .extend(partly_parsed.map(|(file, _)| file));
        let finders = finders(names);
        for (file, entry) in (0u32..).zip(&self.view.files) {
            if holds_uses(&entry.path) {
                let text = self.view.text(file)?;
                if may_hold(&text, finders.as_deref()) {
                    for word in words(&text, entry.language, names) {
                        found.add(MentionFile::Indexed(file), &word);
                    }
                }
                let parts = name_parts(&text, entry.language).into_iter();
                found.parts.extend(parts.map(|part| NamePartAt {
                    text: part.text.to_owned(),
                    is_prefix: part.is_prefix,
                    file,
                }));
                found.n_files += 1;
            }
        }
        Ok(())
    }

    fn read_left_out(&self, names: &HashSet<&str>, found: &mut Mentions) -> Result<()> {
        let Some(root) = &self.root else {
            return Ok(());
        };
        let skipped = self.view.reader.skipped(&self.view.key)?;
        let plain = Language::from_name("text");
        for file in skipped.iter().filter(|file| may_hold_text(&file.reason)) {
            let path = root.join(&file.path);
            let (true, Some(plain)) = (holds_uses(&file.path), plain) else {
                continue;
            };
            // What cannot be read now could not be read for the index either.
            let Ok(text) = whyrank_system::regular::read(&path, MAX_LEFT_OUT_BYTES) else {
                continue;
            };
            let text = String::from_utf8_lossy(&text);
            found.n_files += 1;
            for word in words(&text, plain, names) {
                found.add(MentionFile::LeftOut(file.path.clone()), &word);
            }
        }
        Ok(())
    }
}

/// The places that may use definitions of which no use is certain.
pub(crate) fn by_name(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    names: &NameReader<'_>,
    targets: &[SymbolId],
) -> Result<ByName> {
    let found = possible_uses(uses, targets, &|wanted| names.read(wanted));
    let mut texts = Texts::new(view);
    let hit = |one: &PossibleUse| -> Result<RefHit> {
        Ok(RefHit {
            path: view.files[one.file as usize].path.clone(),
            line: one.line,
            kind: reference_name(ReferenceKind::Mention).to_owned(),
            enclosing: one.enclosing.map(|id| view.symbol(id).qualified.clone()),
            confidence: UseConfidence::NameOnly,
            text: texts.line(one.file, one.line)?,
            test: view.is_test_code(one.file, one.enclosing),
            doc: view.is_doc(one.file),
            ruling: None,
            because: String::new(),
        })
    };
    let (aside, code): (Vec<&PossibleUse>, Vec<&PossibleUse>) = found
        .uses
        .iter()
        .partition(|one| view.is_doc(one.file) || view.is_test_code(one.file, one.enclosing));
    let first = code.first().or(aside.first());
    let why = first.map(|one| one.why.clone()).unwrap_or_default();
    let listed = code.into_iter().chain(aside).take(MAX_BY_NAME);
    Ok(ByName {
        uses: listed.map(hit).collect::<Result<_>>()?,
        why,
        n_uses: found.uses.len() as u32,
        n_ruled_out: found.n_ruled_out as u32,
        n_files: found.n_files as u32,
        hidden: found.hidden.unwrap_or_default(),
    })
}

/// The places that bear the name of definitions, each with what it means.
pub(crate) fn ruled_places(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    names: &NameReader<'_>,
    targets: &[SymbolId],
) -> Result<Vec<RefHit>> {
    let mut texts = Texts::new(view);
    let places = rulings(uses, targets, &|wanted| names.read(wanted));
    let hit = |place: RuledPlace| -> Result<RefHit> {
        let (ruling, because) = in_words(view, place.ruling);
        let enclosing = place.within.first().copied();
        let (path, text, test, doc) = match place.file {
            MentionFile::Indexed(file) => (
                view.files[file as usize].path.clone(),
                texts.line(file, place.line)?,
                view.is_test_code(file, enclosing),
                view.is_doc(file),
            ),
            MentionFile::LeftOut(path) => (path, String::new(), false, false),
        };
        Ok(RefHit {
            path,
            line: place.line,
            kind: reference_name(ReferenceKind::Mention).to_owned(),
            enclosing: enclosing.map(|id| view.symbol(id).qualified.clone()),
            confidence: UseConfidence::NameOnly,
            text,
            test,
            doc,
            ruling: Some(ruling),
            because,
        })
    };
    places.into_iter().map(hit).collect()
}

/// The lines that bear the name of definitions, and whether one may mean them; `None` where there are too many
/// to rule on. Documents use nothing.
pub(crate) fn open_places(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    names: &NameReader<'_>,
    targets: &[SymbolId],
) -> Option<HashMap<Line, bool>> {
    let are_too_many = Cell::new(false);
    let read = |wanted: &HashSet<&str>| {
        let found = names.read(wanted);
        let n_places: usize = found.places.values().map(Vec::len).sum();
        are_too_many.set(n_places > MAX_RULED);
        match are_too_many.get() {
            true => Mentions::default(),
            false => found,
        }
    };
    let places = rulings(uses, targets, &read);
    let line = |place: RuledPlace| {
        let is_unsettled = matches!(place.ruling, Ruling::Unsettled(_));
        match place.file {
            MentionFile::Indexed(file) => {
                let is_open = is_unsettled && !view.is_doc(file);
                let path = view.files[file as usize].path.clone();
                ((path, place.line), is_open)
            }
            MentionFile::LeftOut(path) => ((path, place.line), is_unsettled),
        }
    };
    (!are_too_many.get()).then(|| places.into_iter().map(line).collect())
}

/// A ruling, and what was found where the ruling alone does not say it.
fn in_words(view: &LiveView, ruling: Ruling) -> (PlaceRuling, String) {
    let plain = |ruling| (ruling, String::new());
    match ruling {
        Ruling::Unsettled(why) => {
            let why = why.strip_suffix(" at").unwrap_or(&why);
            (PlaceRuling::Unsettled, why.to_owned())
        }
        Ruling::ResolvedElsewhere(id) => {
            let other = view.symbol_line(id);
            let place = format!("{} ({}:{})", other.qualified, other.path, other.name_line);
            (PlaceRuling::Elsewhere, place)
        }
        Ruling::Outside(name) => (PlaceRuling::Outside, name),
        Ruling::Used => plain(PlaceRuling::Used),
        Ruling::Own => plain(PlaceRuling::Own),
        Ruling::Imported => plain(PlaceRuling::Imported),
        Ruling::Defines => plain(PlaceRuling::Defines),
        Ruling::Module => plain(PlaceRuling::Module),
        Ruling::Shadowed => plain(PlaceRuling::Shadowed),
        Ruling::NotInScope => plain(PlaceRuling::NotInScope),
        Ruling::OutOfReach => plain(PlaceRuling::OutOfReach),
        Ruling::NoSuchUse => plain(PlaceRuling::NoSuchUse),
        Ruling::OtherLanguage => plain(PlaceRuling::OtherLanguage),
        Ruling::NotCode => plain(PlaceRuling::NotCode),
        Ruling::Comment => plain(PlaceRuling::Comment),
    }
}

/// What finds a few names in texts; `None` for more.
fn finders<'n>(names: &HashSet<&'n str>) -> Option<Vec<Finder<'n>>> {
    let few = names.len() <= FEW_NAMES;
    few.then(|| names.iter().map(|name| Finder::new(*name)).collect())
}

/// Says whether one of a few names stands anywhere in a text: most texts hold none.
fn may_hold(text: &str, finders: Option<&[Finder<'_>]>) -> bool {
    let holds = |finder: &Finder<'_>| finder.find(text.as_bytes()).is_some();
    finders.is_none_or(|finders| finders.iter().any(holds))
}

/// Says whether words of a file may be uses.
pub fn holds_uses(path: &str) -> bool {
    let path = path.to_lowercase();
    !NO_USES.iter().any(|end| path.ends_with(end))
}

fn may_hold_text(reason: &SkipReason) -> bool {
    !matches!(reason, SkipReason::Binary | SkipReason::Symlink)
}
