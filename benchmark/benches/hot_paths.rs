//! The hot paths, one by one: tokenise, parse, lexical search, vector scan, fuse, PageRank, and the
//! whole query. Run with `cargo bench -p whyrank-benchmark`.
//!
//! The corpus is this source tree, so figures move with it: compare two commits on the same tree, or
//! two machines on the same commit.
#![expect(
    clippy::unwrap_used,
    reason = "a bench that cannot be set up measures nothing"
)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use whyrank_graph::{DAMPING, PushLimits, PushScratch, WeightedGraph};
use whyrank_index::{ChunkRef, Pool, Reader, Store, Unattended, ViewKey, WriteMode, tokens};
use whyrank_inference::{BiEncoder, FakeBiEncoder, QueryKind};
use whyrank_retrieval::{
    Channel, ChannelWeights, Coverage, Filters, GateSettings, RankedChunk, SearchContext,
    SearchIndex, SearchQuery, Tuning, WeightedList, fuse, search,
};
use whyrank_source::Repository;
use whyrank_syntax::{Language, analyze};

/// A large file of this tree.
const SOURCE: &str = include_str!("../../crates/graph/src/references/find_references.rs");
const DIM: usize = 384;
const QUESTION: &str = "where are the weights of the channels changed by the shape of the query";
const CLOCK: i64 = 4_000_000_000;

struct Tree {
    _store: TempDir,
    reader: Reader,
    index: SearchIndex,
    encoder: FakeBiEncoder,
}

impl Tree {
    /// This source tree, indexed with vectors that mean nothing but cost what vectors cost.
    fn index() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        let key = ViewKey::Worktree("bench".to_owned());
        let encoder = FakeBiEncoder::new(DIM);
        let mut writer = store.writer(WriteMode::Update).unwrap();
        let repository = Repository::discover(&root).unwrap();
        writer
            .update_view(&repository, &key, CLOCK, &Unattended)
            .unwrap();
        writer.embed_view(&key, &encoder, &Unattended).unwrap();
        writer.finish().unwrap();
        let reader = store.reader().unwrap();
        let view = Arc::new(reader.view(&key).unwrap());
        Self {
            _store: folder,
            reader,
            index: SearchIndex::new(view),
            encoder,
        }
    }

    fn ask(&self, text: &str, with_vectors: bool) -> usize {
        let context = SearchContext {
            open_file: None,
            past: Vec::new(),
            stores: Pool::new([(&self.reader, self.index.view.as_ref())]),
            index: &self.index,
            graph: Err("left out".to_owned()),
            encoder: if with_vectors {
                Ok(&self.encoder as &dyn BiEncoder)
            } else {
                Err("left out".to_owned())
            },
            static_encoder: Err("not here".to_owned()),
            tokens: Err("left out".to_owned()),
            cross: None,
            expected_refine_ms: None,
            coverage: Coverage {
                lexical: 1.0,
                vector: 1.0,
                ..Coverage::default()
            },
            imported: Default::default(),
            repo: "bench".to_owned(),
        };
        let query = SearchQuery {
            query_id: "q".to_owned(),
            text: text.to_owned(),
            limit: 10,
            distinct_files: true,
            filters: Filters::default(),
            weights: ChannelWeights::default(),
            rrf_k: 60.0,
            tuning: Tuning::default(),
            gate: GateSettings::default(),
            off: Vec::new(),
            prefix: false,
        };
        search(&context, &query).unwrap().hits.len()
    }
}

fn texts(c: &mut Criterion) {
    let mut group = c.benchmark_group("text");
    group.throughput(Throughput::Bytes(SOURCE.len() as u64));
    group.bench_function("tokenise", |b| b.iter(|| tokens(black_box(SOURCE)).len()));
    let rust = Language::from_name("rust").unwrap();
    group.bench_function("parse", |b| {
        b.iter(|| analyze(black_box(SOURCE), rust).symbols.len())
    });
    group.finish();
}

fn channels(c: &mut Criterion) {
    let tree = Tree::index();
    let visible = Arc::clone(&tree.index.view.visible);
    let words: Vec<(String, f32)> = tokens(QUESTION)
        .into_iter()
        .map(|word| (word, 1.0))
        .collect();
    let mut group = c.benchmark_group("query");
    group.throughput(Throughput::Elements(visible.len()));
    group.bench_function("fts", |b| {
        b.iter(|| {
            let view = &tree.index.view;
            let pool = Pool::new([(&tree.reader, view.as_ref())]);
            let scores = pool.bm25(&words).unwrap();
            scores.best(view, &visible, 200).len()
        });
    });
    let vector = tree
        .encoder
        .encode_query(QUESTION, QueryKind::NaturalLanguage)
        .unwrap();
    group.bench_function("vector scan", |b| {
        b.iter(|| {
            tree.reader
                .nearest(tree.encoder.spec(), &vector, &visible, 200)
                .unwrap()
                .len()
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("whole, words", |b| b.iter(|| tree.ask(QUESTION, false)));
    group.bench_function("whole, with vectors", |b| {
        b.iter(|| tree.ask(QUESTION, true))
    });
    group.bench_function("whole, identifier", |b| {
        b.iter(|| tree.ask("damp_repeats", false))
    });
    group.finish();
}

fn fusion(c: &mut Criterion) {
    let list = |channel: Channel, step: u32| WeightedList {
        channel,
        weight: 1.0,
        hits: (0..200)
            .map(|index| RankedChunk {
                place: ChunkRef {
                    file: index * step % 97,
                    chunk: index * step % 1009,
                },
                rank: index + 1,
                raw_score: 0.0,
            })
            .collect(),
    };
    let lists: Vec<WeightedList> = Channel::ALL
        .into_iter()
        .zip(1..)
        .map(|(channel, step)| list(channel, step))
        .collect();
    c.bench_function("fuse five lists of 200", |b| {
        b.iter(|| fuse(black_box(&lists), 60.0).len())
    });
}

fn graph(c: &mut Criterion) {
    // A graph with hubs: node i links to i/2, i/3 and i/7.
    let n_nodes = 20_000_u32;
    let mut edges: BTreeMap<(u32, u32), f32> = BTreeMap::new();
    for node in 1..n_nodes {
        for divisor in [2, 3, 7] {
            edges.insert((node, node / divisor), 1.0);
        }
    }
    let edges: Vec<(u32, u32, f32)> = edges
        .into_iter()
        .map(|((from, to), weight)| (from, to, weight))
        .collect();
    let graph = WeightedGraph::new(n_nodes as usize, &edges);
    c.bench_function("PageRank, 20,000 nodes", |b| {
        b.iter(|| graph.page_rank(DAMPING, None).len())
    });
}

fn near(c: &mut Criterion) {
    // 100,000 nodes and a million edges, most of them to nodes nearby, some to hubs.
    let n_nodes = 100_000_u32;
    let mut state = 1_u64;
    let mut random = move |below: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u32 % below
    };
    let mut edges: Vec<(u32, u32, f32)> = Vec::new();
    for from in 0..n_nodes {
        for _ in 0..5 {
            let to = match random(10) {
                0 => random(50),
                1 => random(n_nodes),
                _ => (from + random(200)) % n_nodes,
            };
            edges.extend([(from, to, 1.0), (to, from, 0.5)]);
        }
    }
    let graph = WeightedGraph::new(n_nodes as usize, &edges).normalised();
    let seeds: Vec<(u32, f32)> = (0..10).map(|seed| (seed * 9_973 + 100, 1.0)).collect();
    let mut scratch = PushScratch::default();
    let outcome = graph.push(&seeds, PushLimits::default(), &mut scratch);
    let name = format!(
        "forward push, {n_nodes} nodes, {} edges, {} walked",
        graph.n_edges(),
        outcome.n_edges
    );
    c.bench_function(&name, |b| {
        b.iter(|| {
            graph
                .push(&seeds, PushLimits::default(), &mut scratch)
                .n_edges
        })
    });
}

criterion_group!(benches, texts, channels, fusion, graph, near);
criterion_main!(benches);
