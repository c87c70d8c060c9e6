//! Made-up memos over a repository's history, for measuring. The same history gives the same memos.
//! The engine's tests make theirs with this file, too.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use whyrank_memory::{
    Anchor, Author, Change, Draft, Edit, Fact, FactWriter, History, Kind, Ledger, Memory, Point,
    commit_moment,
};
use whyrank_source::{CommitId, Repository};

const SUBJECTS: [&str; 16] = [
    "retry", "cache", "router", "session", "parser", "index", "socket", "token", "queue", "lock",
    "schema", "worker", "upload", "invoice", "cursor", "throttle",
];
const CLAIMS: [&str; 12] = [
    "stops after",
    "is shared between",
    "must be flushed before",
    "never waits for",
    "always logs",
    "is built from",
    "drops",
    "counts",
    "is slower than",
    "should not hold",
    "keeps",
    "is owned by",
];
const REASONS: [&str; 8] = [
    "the gateway blocks at five",
    "a customer lost an order that way",
    "the old client cannot read it",
    "tests on Windows failed without it",
    "it was measured in March",
    "nobody remembers why, see the ticket",
    "the library does the same",
    "audits ask for it",
];

/// Numbers that look random and are always the same (SplitMix64, Steele et al. 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % n.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Returns an export of `n_memos` made-up memos along the history of HEAD: one in four was edited later,
/// one in ten ended, one in three is about a file.
pub(crate) fn export(root: &Path, n_memos: u32) -> Result<String, Box<dyn Error + Send + Sync>> {
    let repository = Repository::discover(root)?;
    let head = repository.head_commit()?.ok_or("there is no commit")?;
    let mut history = History::in_memory();
    history.update(&repository, &[head])?;
    let paths: Vec<String> = repository.blobs_of(head)?.into_keys().collect();
    let commits = line(&history, head);
    let mut maker = Maker {
        history: &history,
        commits: &commits,
        paths: &paths,
        told: HashSet::new(),
        numbers: Numbers(7),
    };
    let folder = tempfile::tempdir()?;
    let mut memory = Memory::open(&folder.path().join("made.db"))?;
    memory.write(0, |ledger, _| maker.memos(ledger, n_memos as usize))?;
    memory.write(0, |ledger, _| maker.changes(ledger))?;
    Ok(memory.ledger().export())
}

/// The commits that lead to one, by time, with their moments in milliseconds.
fn line(history: &History, head: CommitId) -> Vec<(CommitId, i64)> {
    let Some(ancestors) = history.ancestors(head) else {
        return Vec::new();
    };
    let nodes = ancestors.iter().filter_map(|at| history.node(at));
    let mut nodes: Vec<_> = nodes
        .map(|node| (node.id, commit_moment(node.time_s)))
        .collect();
    nodes.sort_by_key(|(id, at)| (*at, *id));
    nodes
}

struct Maker<'a> {
    history: &'a History,
    commits: &'a [(CommitId, i64)],
    paths: &'a [String],
    /// Commits of which is recorded what memory keeps of them.
    told: HashSet<usize>,
    numbers: Numbers,
}

impl Maker<'_> {
    fn memos(&mut self, ledger: &Ledger, n_memos: usize) -> whyrank_memory::Result<Vec<Fact>> {
        let mut facts = Vec::new();
        for n in 0..n_memos {
            let place = self.numbers.below(self.commits.len());
            let draft = self.draft(n);
            facts.extend(self.writer(ledger, place, n as i64).add(draft)?);
        }
        Ok(facts)
    }

    /// One in ten ends, one in four is edited, at some later commit.
    fn changes(&mut self, ledger: &Ledger) -> whyrank_memory::Result<Vec<Fact>> {
        let mut facts = Vec::new();
        for (n, (memo, known)) in ledger.memos().enumerate() {
            let change = self.numbers.below(20);
            let first = known.versions.first().and_then(|idx| ledger.version(*idx));
            let from = first.map_or(0, |version| {
                let is_before = |commit: &(CommitId, i64)| commit.1 <= version.recorded_at;
                self.commits.partition_point(is_before).saturating_sub(1)
            });
            let place = from + self.numbers.below(self.commits.len() - from);
            let text = self.text(n, "since then");
            let writer = self.writer(ledger, place, 60_000 + n as i64);
            match change {
                0 | 1 => facts.extend(writer.end(&known.versions, None)),
                2..=6 => {
                    let edit = Edit {
                        content: Some(text),
                        change: Change::Edit,
                        ..Edit::default()
                    };
                    facts.extend(writer.edit(memo, &known.versions, edit)?);
                }
                _ => {}
            }
        }
        Ok(facts)
    }

    fn text(&mut self, n: usize, when: &str) -> String {
        let numbers = &mut self.numbers;
        format!(
            "The {} of module{} {} the {} {when}: {}. Ticket {n}.{}",
            numbers.of(&SUBJECTS),
            numbers.below(400),
            numbers.of(&CLAIMS),
            numbers.of(&SUBJECTS),
            numbers.of(&REASONS),
            " It took some words to say how it came about.".repeat(numbers.below(4)),
        )
    }

    fn draft(&mut self, n: usize) -> Draft {
        let content = self.text(n, "in production");
        let numbers = &mut self.numbers;
        let is_anchored = numbers.below(3) == 0 && !self.paths.is_empty();
        let path = numbers.below(self.paths.len());
        let anchor = is_anchored.then(|| Anchor {
            path: self.paths[path].clone(),
            ..Anchor::default()
        });
        Draft {
            content,
            kind: Kind::ALL[numbers.below(Kind::ALL.len())],
            tags: vec![numbers.of(&SUBJECTS).to_owned()],
            anchors: anchor.into_iter().collect(),
            confidence: 1.0,
        }
    }

    /// Writes at a commit, a moment after it; `n` tells moments apart.
    fn writer<'a>(&mut self, ledger: &'a Ledger, place: usize, n: i64) -> FactWriter<'a> {
        let (commit, at) = self.commits[place];
        let recorded_at = at + 1 + n;
        let is_new = self.told.insert(place);
        FactWriter {
            ledger,
            recorded_at,
            clock: None,
            at: Point {
                sha: Some(commit.to_string()),
                at: recorded_at,
            },
            commit: is_new
                .then(|| self.history.remember(commit, recorded_at))
                .flatten(),
            author: Author {
                name: "made".to_owned(),
                ..Author::default()
            },
        }
    }
}
