//! Lane 3: token vectors of a view's chunks, what they answer, and what survives.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod support;

use roaring::RoaringBitmap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::Indexed;
use whyrank_index::{
    Encoded, IndexError, JobControl, Lanes, Stage, TokenOptions, TokenReader, Unattended, WriteMode,
};
use whyrank_inference::{
    BiEncoder, DocumentStates, EncoderSpec, FakeBiEncoder, InferenceError, QueryKind, QueryStates,
    TokenEncoder, TokenSpec, TokenStates,
};

const RESCORE: TokenOptions = TokenOptions { wide: false };

/// With token vectors.
type Fixture = Indexed;

impl Indexed {
    fn of_functions(n: usize) -> Self {
        let function = |at: usize| {
            format!(
                "def {}_{}(one):\n    return one.{}\n",
                word(at),
                word(at + 7),
                word(3 * at)
            )
        };
        let files: Vec<(String, String)> = (0..n)
            .map(|at| (format!("f{at}.py"), function(at)))
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(p, t)| (p.as_str(), t.as_str()))
            .collect();
        Self::new(&files)
    }

    fn encode(&self, model: &Counting, control: &dyn JobControl) -> Result<Encoded, IndexError> {
        self.encode_with(model, RESCORE, control)
    }

    fn encode_with(
        &self,
        model: &Counting,
        options: TokenOptions,
        control: &dyn JobControl,
    ) -> Result<Encoded, IndexError> {
        let mut writer = self.store().writer(WriteMode::Update)?;
        let lanes = Lanes {
            vectors: model,
            tokens: Some((model, options)),
            first: &Vec::new,
            most_chunks: 0,
        };
        let outcome = writer.encode_view(&self.key(), &lanes, control);
        writer.finish()?;
        outcome
    }

    fn tokens(&self, model: &Counting) -> Arc<TokenReader> {
        let reader = self.store().reader().unwrap();
        reader.tokens(model.token_spec()).unwrap().unwrap()
    }

    fn n_covered(&self, model: &Counting) -> u64 {
        self.tokens(model).coverage(&self.view().visible)
    }

    fn chunk_of(&self, path: &str) -> u32 {
        let view = self.view();
        let chunks = view.visible.iter();
        let of_path = |chunk: &u32| view.chunk(view.locate(*chunk).unwrap()).0.path == path;
        let found: Vec<u32> = chunks.filter(of_path).collect();
        found[0]
    }
}

/// A fake that counts the texts it encodes, one by one and with tokens.
struct Counting {
    fake: FakeBiEncoder,
    alone: AtomicUsize,
    both: AtomicUsize,
}

impl Counting {
    fn new() -> Self {
        Self {
            fake: FakeBiEncoder::new(32),
            alone: AtomicUsize::new(0),
            both: AtomicUsize::new(0),
        }
    }

    fn query(&self, text: &str) -> TokenStates {
        let states = self.fake.encode_query_tokens(text, QueryKind::Code);
        states.unwrap().tokens
    }
}

impl BiEncoder for Counting {
    fn spec(&self) -> &EncoderSpec {
        self.fake.spec()
    }

    fn encode_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<f32>>, InferenceError> {
        self.alone.fetch_add(texts.len(), Ordering::Relaxed);
        self.fake.encode_documents(texts, cancel)
    }

    fn encode_query(&self, text: &str, kind: QueryKind) -> Result<Vec<f32>, InferenceError> {
        self.fake.encode_query(text, kind)
    }
}

impl TokenEncoder for Counting {
    fn token_spec(&self) -> &TokenSpec {
        self.fake.token_spec()
    }

    fn encode_document_tokens(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<DocumentStates>, InferenceError> {
        self.both.fetch_add(texts.len(), Ordering::Relaxed);
        self.fake.encode_document_tokens(texts, cancel)
    }

    fn encode_query_tokens(
        &self,
        text: &str,
        kind: QueryKind,
    ) -> Result<QueryStates, InferenceError> {
        self.fake.encode_query_tokens(text, kind)
    }
}

/// Ends a job at the n-th look during a stage.
struct StopAfter(AtomicUsize, Stage, AtomicUsize);

impl JobControl for StopAfter {
    fn progress(&self, stage: Stage, _: usize, _: usize, _: Option<&str>) {
        if stage == self.1 {
            self.2.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn should_stop(&self) -> bool {
        self.2.load(Ordering::Relaxed) > self.0.load(Ordering::Relaxed)
    }
}

fn word(at: usize) -> String {
    let letters = b"bcdfghklmnprstvz";
    let pick = |shift: u32| letters[at.wrapping_mul(2_654_435_761) >> shift & 15] as char;
    format!("{}a{}e{}o", pick(4), pick(9), pick(14))
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

const ROUTER: &str = "def add_route(path):\n    return path.handlers\n";
const SESSION: &str = "def open_session(app):\n    return app.secret\n";

fn two_files() -> Fixture {
    Fixture::new(&[("router.py", ROUTER), ("session.py", SESSION)])
}

#[test]
fn one_pass_gives_both_kinds_of_vectors() {
    let (fixture, model) = (two_files(), Counting::new());
    let n_chunks = fixture.view().visible.len();
    let done = fixture.encode(&model, &Unattended).unwrap();
    assert_eq!(
        (done.n_vectors, done.n_tokens),
        (n_chunks as usize, n_chunks as usize)
    );
    assert_eq!(model.alone.load(Ordering::Relaxed), 0);
    assert_eq!(model.both.load(Ordering::Relaxed), n_chunks as usize);
    assert_eq!(fixture.n_covered(&model), n_chunks);
    assert_eq!(
        fixture.encode(&model, &Unattended).unwrap(),
        Encoded::default()
    );
}

#[test]
fn token_vectors_of_a_model_of_their_own_leave_the_vectors_to_the_other() {
    let (fixture, dense) = (two_files(), Counting::new());
    let late = Counting {
        fake: FakeBiEncoder::new(16),
        ..Counting::new()
    };
    let mut writer = fixture.store().writer(WriteMode::Update).unwrap();
    let lanes = Lanes {
        vectors: &dense,
        tokens: Some((&late, RESCORE)),
        first: &Vec::new,
        most_chunks: 0,
    };
    let done = writer
        .encode_view(&fixture.key(), &lanes, &Unattended)
        .unwrap();
    writer.finish().unwrap();
    assert_eq!((done.n_vectors, done.n_tokens), (2, 2));
    assert_eq!(dense.alone.load(Ordering::Relaxed), 2);
    assert_eq!(late.both.load(Ordering::Relaxed), 2);
    let reader = fixture.store().reader().unwrap();
    assert_eq!(reader.vector_coverage(dense.spec()).unwrap().len(), 2);
    assert_eq!(fixture.n_covered(&late), 2);
}

#[test]
fn an_index_with_vectors_gets_token_vectors_and_keeps_those() {
    let (fixture, model) = (two_files(), Counting::new());
    let mut writer = fixture.store().writer(WriteMode::Update).unwrap();
    writer
        .embed_view(&fixture.key(), &model, &Unattended)
        .unwrap();
    writer.finish().unwrap();
    let reader = fixture.store().reader().unwrap();
    assert!(reader.tokens(model.token_spec()).unwrap().is_none());
    let done = fixture.encode(&model, &Unattended).unwrap();
    assert_eq!((done.n_vectors, done.n_tokens), (0, 2));
    // The reader that was open sees them.
    let tokens = reader.tokens(model.token_spec()).unwrap().unwrap();
    assert_eq!(tokens.coverage(&fixture.view().visible), 2);
}

#[test]
fn a_copied_text_is_not_encoded_again() {
    let (fixture, model) = (two_files(), Counting::new());
    fixture.encode(&model, &Unattended).unwrap();
    fixture.write("copy.py", SESSION);
    fixture.write("more.py", &format!("\n{SESSION}"));
    fixture.update();
    let done = fixture.encode(&model, &Unattended).unwrap();
    assert_eq!((done.n_vectors, done.n_tokens), (0, 0));
    assert_eq!(fixture.n_covered(&model), fixture.view().visible.len());
}

#[test]
fn the_chunk_of_the_same_words_scores_best_and_says_where() {
    let (fixture, model) = (two_files(), Counting::new());
    fixture.encode(&model, &Unattended).unwrap();
    let (router, session) = (
        fixture.chunk_of("router.py"),
        fixture.chunk_of("session.py"),
    );
    let tokens = fixture.tokens(&model);
    let query = model.query("session secret");
    let found = tokens
        .rescore(&query, &[router, 9_999, session], soon())
        .unwrap();
    assert_eq!((found.n_done, found.scores[1]), (3, None));
    let (other, right) = (found.scores[0].unwrap(), found.scores[2].unwrap());
    assert!(right > 1.99 && other < 1.5, "{right} {other}");

    let matches = tokens.align(&query, session, &[]).unwrap();
    let sum: f32 = matches.iter().map(|found| found.score).sum();
    assert!((sum - right).abs() < 1e-3);
    // `session` is answered first by the qualified name before the text, `secret` by the text.
    assert_eq!(matches[0].byte_len, 0);
    let place =
        matches[1].byte_start as usize..(matches[1].byte_start + matches[1].byte_len) as usize;
    assert_eq!(&SESSION[place], "secret");
    assert_eq!(tokens.align(&query, 9_999, &[]).unwrap(), []);

    // What is hidden is passed over, the qualified name never.
    let hidden = 0..SESSION.len() as u32;
    let matches = tokens.align(&query, session, &[hidden]).unwrap();
    assert!(
        matches.iter().all(|found| found.byte_len == 0),
        "{matches:?}"
    );
    assert!(matches[1].score < 0.9, "{matches:?}");
}

#[test]
fn a_long_text_keeps_each_word_where_it_first_stood() {
    let (fixture, model) = (two_files(), Counting::new());
    let mut long = String::from("def long_one(config):\n");
    for _ in 0..40 {
        long.push_str("    config.load(config.name)\n");
    }
    long.push_str("    config.finish()\n");
    fixture.write("long.py", &long);
    fixture.update();
    fixture.encode(&model, &Unattended).unwrap();
    let (tokens, chunk) = (fixture.tokens(&model), fixture.chunk_of("long.py"));
    let query = model.query("load finish config");
    let found = tokens.rescore(&query, &[chunk], soon()).unwrap();
    // Of 168 words 72 are kept at most, and each answers as before.
    assert!((8..=72).contains(&found.n_tokens), "{}", found.n_tokens);
    assert!((found.scores[0].unwrap() - 3.0).abs() < 0.01);
    let matches = tokens.align(&query, chunk, &[]).unwrap();
    let words = matches.iter().map(|found| {
        let place = found.byte_start as usize..(found.byte_start + found.byte_len) as usize;
        &long[place]
    });
    assert_eq!(words.collect::<Vec<_>>(), ["load", "finish", "config"]);
    assert_eq!(matches[2].byte_start as usize, long.find("config").unwrap());
}

#[test]
fn coded_vectors_rank_as_exact_ones_and_time_gives_a_prefix() {
    let (fixture, model) = (Fixture::of_functions(300), Counting::new());
    // Has no token at all, before there is a codec and after.
    fixture.write("a.py", "()\n");
    fixture.update();
    fixture.encode(&model, &Unattended).unwrap();
    fixture.write("b.py", "[\n]\n");
    for at in 300..560 {
        fixture.write(
            &format!("g{at}.py"),
            &format!("{} = {}\n", word(at), word(at + 1)),
        );
    }
    fixture.update();
    fixture.encode(&model, &Unattended).unwrap();
    assert_eq!(fixture.n_covered(&model), fixture.view().visible.len());
    let tokens = fixture.tokens(&model);
    let chunks: Vec<u32> = fixture.view().visible.iter().collect();
    let query = model.query(&format!("{} {}", word(11), word(18)));
    let found = tokens.rescore(&query, &chunks, soon()).unwrap();
    let none = chunks.iter().zip(&found.scores);
    let none: Vec<u32> = none.filter(|(_, s)| s.is_none()).map(|(c, _)| *c).collect();
    let empty = [fixture.chunk_of("a.py"), fixture.chunk_of("b.py")];
    assert!(none.iter().all(|chunk| empty.contains(chunk)) && none.len() == 2);
    let best = (0..chunks.len())
        .max_by(|a, b| found.scores[*a].partial_cmp(&found.scores[*b]).unwrap())
        .unwrap();
    assert_eq!(chunks[best], fixture.chunk_of("f11.py"));
    assert_eq!(found.n_done, chunks.len());

    // The exact tail that was coded takes no room any more.
    let table = find(&fixture.folder.path().join("store"), "table.db");
    assert!(fs::metadata(&table).unwrap().len() < 300 * 500);
    // Words that the first centroids had not seen brought new ones, and the old shard is gone.
    let shards = fs::read_dir(table.parent().unwrap()).unwrap().flatten();
    let names = shards.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let shards: Vec<String> = names.filter(|name| name.starts_with("shard-")).collect();
    assert_eq!(shards, ["shard-2"]);

    let none = tokens.rescore(&query, &chunks, Instant::now()).unwrap();
    assert_eq!((none.n_done, none.scores.len()), (0, chunks.len()));
    assert!(none.scores.iter().all(Option::is_none));
}

#[test]
fn search_over_everything_keeps_to_what_is_allowed() {
    for options in [RESCORE, TokenOptions { wide: true }] {
        let (fixture, model) = (Fixture::of_functions(300), Counting::new());
        fixture.encode_with(&model, options, &Unattended).unwrap();
        let tokens = fixture.tokens(&model);
        let query = model.query(&format!("{} {}", word(40), word(47)));
        let all: RoaringBitmap = fixture.view().visible.as_ref().clone();
        let found = tokens.wide(&query, &all, 5, soon()).unwrap();
        let gold = fixture.chunk_of("f40.py");
        assert_eq!((found.hits[0].0, found.hits.len()), (gold, 5));
        let without = &all - &RoaringBitmap::from_iter([gold]);
        let found = tokens.wide(&query, &without, 5, soon()).unwrap();
        assert!(found.hits.iter().all(|(chunk, _)| *chunk != gold));
        assert!(!found.timed_out);
    }
}

#[test]
fn a_lane_that_was_cut_short_goes_on_where_it_stopped() {
    let (fixture, model) = (Fixture::of_functions(300), Counting::new());
    let control = StopAfter(AtomicUsize::new(2), Stage::Vectors, AtomicUsize::new(0));
    let outcome = fixture.encode(&model, &control);
    assert!(matches!(outcome, Err(IndexError::Cancelled)));
    let n_before = fixture.n_covered(&model);
    assert!(n_before > 0 && n_before < 300, "{n_before}");
    let done = fixture.encode(&model, &Unattended).unwrap();
    assert_eq!(done.n_tokens as u64, 300 - n_before);
    assert_eq!(model.both.load(Ordering::Relaxed), 300);
}

/// Copies the table as it is when all is encoded and nothing coded yet.
struct CopyBeforeCoding(PathBuf);

impl JobControl for CopyBeforeCoding {
    fn progress(&self, _: Stage, n_done: usize, n_all: usize, _: Option<&str>) {
        if n_done == n_all {
            let store = self.0.join("store");
            for name in ["table.db", "table.db-wal"] {
                fs::copy(find(&store, name), self.0.join(name)).unwrap();
            }
        }
    }

    fn should_stop(&self) -> bool {
        false
    }
}

#[test]
fn a_kill_between_segment_and_tail_loses_nothing_and_keeps_nothing_twice() {
    let (fixture, model) = (Fixture::of_functions(300), Counting::new());
    let folder = fixture.folder.path();
    let copying = CopyBeforeCoding(folder.to_owned());
    fixture.encode(&model, &copying).unwrap();
    let chunks: Vec<u32> = fixture.view().visible.iter().collect();
    let query = model.query(&format!("{} {}", word(11), word(18)));
    let scores = || fixture.tokens(&model).rescore(&query, &chunks, soon());
    let whole = scores().unwrap();
    let coded = || {
        let names = [".segment", ".codec", "/shard"];
        names.map(|name| fs::read(find(&folder.join("store"), name)).unwrap())
    };
    let codes = coded();

    // What a kill leaves that comes after the segment was written, and one while new centroids are tried.
    let table = find(&folder.join("store"), "table.db");
    let lane = table.parent().unwrap();
    for name in ["table.db", "table.db-wal"] {
        fs::rename(folder.join(name), lane.join(name)).unwrap();
    }
    let _ = fs::remove_file(lane.join("table.db-shm"));
    fs::create_dir_all(lane.join("shard-2")).unwrap();
    let strays =
        ["shard-2/1.segment", "shard-1/7.segment", "shard-1/8.tmp"].map(|name| lane.join(name));
    strays
        .iter()
        .for_each(|stray| fs::write(stray, "half").unwrap());

    assert_eq!(scores().unwrap(), whole);
    assert_eq!(
        fixture.encode(&model, &Unattended).unwrap(),
        Encoded::default()
    );
    assert_eq!(scores().unwrap(), whole);
    assert_eq!(fixture.n_covered(&model), fixture.view().visible.len());
    assert!(!strays.iter().any(|stray| stray.exists()));
    assert!(!lane.join("shard-2").exists());
    assert!(coded() == codes, "the same codes");
}

#[test]
fn a_kill_between_token_vectors_and_vectors_leaves_no_other_codes() {
    let encode = |n_batches| {
        let (fixture, model) = (Fixture::of_functions(300), Counting::new());
        let control = StopAfter(n_batches, Stage::Vectors, AtomicUsize::new(0));
        let _ = fixture.encode(&model, &control);
        (fixture, model)
    };
    let coded = |fixture: &Fixture| {
        let store = fixture.folder.path().join("store");
        [".segment", ".codec", "/shard"].map(|name| fs::read(find(&store, name)).unwrap())
    };
    let (whole, _) = encode(AtomicUsize::new(usize::MAX));
    // One batch is encoded; what the kill left has no vectors yet.
    let (killed, model) = encode(AtomicUsize::new(1));
    let covered = killed.n_covered(&model);
    assert!(covered > 0 && covered < 128, "{covered}");
    let table = find(&killed.folder.path().join("store"), "table.db");
    let generation = table.parent().unwrap().parent().unwrap();
    let of_vectors = |path: &PathBuf| path.to_string_lossy().contains("/vectors-");
    let files = fs::read_dir(generation).unwrap().flatten();
    let files: Vec<PathBuf> = files.map(|entry| entry.path()).filter(of_vectors).collect();
    assert!(!files.is_empty());
    files.iter().for_each(|file| fs::remove_file(file).unwrap());

    killed.encode(&model, &Unattended).unwrap();
    assert!(coded(&killed) == coded(&whole), "the same codes");
}

#[test]
fn damage_is_named_switches_the_stage_off_and_is_repaired_by_the_next_run() {
    let (fixture, model) = (Fixture::of_functions(300), Counting::new());
    fixture.encode(&model, &Unattended).unwrap();
    let segment = find(&fixture.folder.path().join("store"), ".segment");
    let bytes = fs::read(&segment).unwrap();
    fs::write(&segment, &bytes[..bytes.len() / 2]).unwrap();
    let reader = fixture.store().reader().unwrap();
    let Err(error) = reader.tokens(model.token_spec()) else {
        panic!("half a segment was read");
    };
    assert!(matches!(error, IndexError::TokensDamaged { .. }), "{error}");
    assert!(error.to_string().contains(".segment"), "{error}");
    assert!(reader.vector_coverage(model.spec()).unwrap().len() >= 300);

    let done = fixture.encode(&model, &Unattended).unwrap();
    assert_eq!((done.n_vectors, done.n_tokens), (0, 300));
    assert_eq!(fixture.n_covered(&model), 300);
}

#[test]
fn folders_of_older_formats_go_with_the_next_run() {
    let (fixture, model) = (Fixture::of_functions(12), Counting::new());
    fixture.encode(&model, &Unattended).unwrap();
    let table = find(&fixture.folder.path().join("store"), "table.db");
    let now = table.parent().unwrap();
    let name = now.file_name().unwrap().to_string_lossy().into_owned();
    let (model_and_text, format) = name.rsplit_once("-f").unwrap();
    let beside = |name: String| {
        let folder = now.with_file_name(name);
        fs::create_dir_all(folder.join("shard-1")).unwrap();
        fs::write(folder.join("table.db"), "old").unwrap();
        folder
    };
    let newer: u32 = format.parse::<u32>().unwrap() + 1;
    let (newer, others) = (
        beside(format!("{model_and_text}-f{newer}")),
        beside(name.replace("tokens-", "tokens-another")),
    );
    let (model_and_text, _) = model_and_text.rsplit_once("-p").unwrap();
    let older = [
        beside(model_and_text.to_owned()),
        beside(format!("{model_and_text}-f1")),
        beside(format!("{model_and_text}-f{format}")),
    ];
    fixture.update();
    assert!(now.is_dir() && newer.is_dir() && others.is_dir());
    assert!(older.iter().all(|folder| !folder.exists()));
    assert_eq!(fixture.n_covered(&model), 12);
}

fn find(folder: &std::path::Path, suffix: &str) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                return path;
            }
        }
    }
    panic!("no {suffix}");
}

#[test]
fn what_an_earlier_version_encoded_is_taken_over() {
    let fixture = Fixture::of_functions(140);
    let model = Counting::new();
    fixture.encode(&model, &Unattended).unwrap();
    let before = fixture.tokens(&model).coverage(&fixture.view().visible);
    let manifest = fixture.store().folder().join("gen-1/manifest.json");
    let mut of_older: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&manifest).unwrap()).unwrap();
    of_older["parts"][1][1] = "0".into();
    fs::write(&manifest, of_older.to_string()).unwrap();
    assert!(matches!(fixture.store().reader(), Err(IndexError::Missing)));
    fixture.update();
    let again = fixture.encode(&model, &Unattended).unwrap();
    assert_eq!(again, Encoded::default(), "texts are the same");
    assert_eq!(fixture.store().reader().unwrap().generation(), "gen-2");
    assert_eq!(fixture.n_covered(&model), before);
    assert!(!fixture.store().folder().join("gen-1").exists());
}

#[test]
fn what_a_later_version_wrote_is_left_alone() {
    let fixture = Fixture::of_functions(3);
    let manifest = fixture.store().folder().join("gen-1/manifest.json");
    let mut of_newer: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&manifest).unwrap()).unwrap();
    of_newer["parts"][1][1] = "99".into();
    // Its checksum would fit.
    of_newer.as_object_mut().unwrap().remove("hash");
    fs::write(&manifest, of_newer.to_string()).unwrap();
    let error = fixture.store().reader().err().unwrap();
    assert!(matches!(error, IndexError::Incompatible { .. }), "{error}");
    let error = fixture.store().writer(WriteMode::Update).err().unwrap();
    assert!(matches!(error, IndexError::Incompatible { .. }), "{error}");
}

#[test]
fn no_more_chunks_are_encoded_than_are_wanted() {
    let (fixture, model) = (two_files(), Counting::new());
    let encode = |most_chunks: u32| {
        let mut writer = fixture.store().writer(WriteMode::Update).unwrap();
        let lanes = Lanes {
            vectors: &model,
            tokens: Some((&model, RESCORE)),
            first: &Vec::new,
            most_chunks,
        };
        let done = writer
            .encode_view(&fixture.key(), &lanes, &Unattended)
            .unwrap();
        writer.finish().unwrap();
        (done.n_vectors, done.n_tokens)
    };
    assert_eq!(encode(1), (1, 1));
    assert_eq!(encode(1), (0, 0));
    assert_eq!(encode(0), (1, 1), "0 is all");
}

/// Records what is encoded first.
#[derive(Default)]
struct FirstFile(std::sync::Mutex<Option<String>>);

impl JobControl for FirstFile {
    fn progress(&self, _: Stage, _: usize, _: usize, current: Option<&str>) {
        let mut first = self.0.lock().unwrap();
        *first = first.take().or(current.map(str::to_owned));
    }

    fn should_stop(&self) -> bool {
        false
    }
}

#[test]
fn files_in_use_come_first_where_much_is_to_do() {
    let texts: Vec<(String, String)> = (0..80)
        .map(|at| {
            (
                format!("f{at:02}.py"),
                format!("def {}():\n    return {at}\n", word(at)),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let (fixture, model) = (Fixture::new(&files), Counting::new());
    let encode = |most_chunks: u32, path: &str| {
        let mut writer = fixture.store().writer(WriteMode::Update).unwrap();
        let first = || vec!["gone.py".to_owned(), path.to_owned()];
        let lanes = Lanes {
            vectors: &model,
            tokens: None,
            first: &first,
            most_chunks,
        };
        let control = FirstFile::default();
        writer
            .encode_view(&fixture.key(), &lanes, &control)
            .unwrap();
        writer.finish().unwrap();
        control.0.into_inner().unwrap()
    };
    assert_eq!(encode(1, "f70.py").as_deref(), Some("f70.py"));
    assert_eq!(encode(40, "f60.py").as_deref(), Some("f60.py"));
    // Forty are left: by rank, and nobody is asked.
    assert_eq!(encode(0, "f79.py").as_deref(), Some("f39.py"));
}
