//! A small shop in Python, with a test, a readme and a helper in Go.

use crate::second_stage::FakeTokens;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use whyrank_graph::{FileInput, ReferenceIndex, RelationGraph, SymbolTable};
use whyrank_index::{Pool, Reader, Store, Unattended, ViewKey, WriteMode};
use whyrank_inference::{BiEncoder, CrossEncoder, FakeBiEncoder};
use whyrank_retrieval::{
    ChannelWeights, Coverage, Filters, GateSettings, SearchContext, SearchIndex, SearchOutcome,
    SearchQuery, SymbolGraph, TokenIndex, Tuning, search,
};
use whyrank_source::Repository;
use whyrank_syntax::FileFacts;

const FILES: [(&str, &str); 6] = [
    (
        "src/router.py",
        "class Router:\n    \"\"\"Keeps routes.\"\"\"\n\n    def add_route(self, path, handler):\n        self.routes.append((path, handler))\n        return handler\n\n    def match(self, path):\n        for route, handler in self.routes:\n            if route == path:\n                return handler\n        raise LookupError(\"no route matches: \" + path)\n",
    ),
    (
        "src/session.py",
        "def open_session(app, request):\n    value = request.cookies.get(app.cookie_name)\n    if value is None:\n        return {}\n    return app.serializer.loads(value)\n",
    ),
    (
        "src/app.py",
        "from .router import Router\nfrom .session import open_session\n\n\nclass App:\n    def __init__(self):\n        self.router = Router()\n\n    def handle(self, request):\n        session = open_session(self, request)\n        return self.router.match(request.path)(session)\n",
    ),
    (
        "tests/test_router.py",
        "from src.router import Router\n\n\ndef test_add_route():\n    router = Router()\n    router.add_route('/', print)\n    assert router.match('/') is print\n",
    ),
    (
        "README.md",
        "# Shop\n\n## Routing\n\nRoutes are registered with `Router.add_route`.\n\n## Sessions\n\nSessions live in cookies.\n",
    ),
    (
        "lib/util.go",
        "package util\n\n// Clamp keeps a number in bounds.\nfunc Clamp(value, low, high int) int {\n\tif value < low {\n\t\treturn low\n\t}\n\treturn value\n}\n",
    ),
];

pub(crate) struct Fixture {
    _folder: Arc<TempDir>,
    pub(crate) reader: Reader,
    pub(crate) index: SearchIndex,
    graph: SymbolGraph,
    encoder: FakeBiEncoder,
    /// Share of the chunks that is said to have a vector.
    pub(crate) vector_coverage: f64,
    pub(crate) static_coverage: f64,
    /// Token vectors; none unless a test sets them.
    pub(crate) tokens: Option<FakeTokens>,
    /// A cross-encoder; none unless a test sets it.
    pub(crate) cross: Option<Box<dyn CrossEncoder>>,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With further files: path and text.
    pub(crate) fn with(more: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        for (path, text) in FILES.iter().chain(more) {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self::over(Arc::new(folder), "store")
    }

    /// What is in `shop` below the folder now, in the store of that name, which is brought up to date.
    pub(crate) fn over(folder: Arc<TempDir>, store: &str) -> Self {
        let encoder = FakeBiEncoder::new(64);
        let (root, store) = (folder.path().join("shop"), folder.path().join(store));
        let (reader, index) = build(&root, &store, &encoder);
        Self {
            _folder: folder,
            graph: symbol_graph(&reader, &index),
            reader,
            index,
            encoder,
            vector_coverage: 1.0,
            static_coverage: 0.0,
            tokens: None,
            cross: None,
        }
    }

    pub(crate) fn ask(&self, text: &str) -> SearchOutcome {
        self.ask_with(text, |_| {}, true)
    }

    pub(crate) fn ask_with(
        &self,
        text: &str,
        change: impl FnOnce(&mut SearchQuery),
        with_model: bool,
    ) -> SearchOutcome {
        let mut query = SearchQuery {
            query_id: "q1".to_owned(),
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
        change(&mut query);
        let encoder = if with_model {
            Ok(&self.encoder as &dyn BiEncoder)
        } else {
            Err("no model".to_owned())
        };
        let context = SearchContext {
            open_file: None,
            past: Vec::new(),
            stores: Pool::new([(&self.reader, self.index.view.as_ref())]),
            index: &self.index,
            graph: Ok(vec![Some(&self.graph)]),
            encoder,
            static_encoder: Err("not here".to_owned()),
            tokens: match &self.tokens {
                Some(tokens) => Ok(tokens as &dyn TokenIndex),
                None => Err("no token vectors".to_owned()),
            },
            cross: self.cross.as_ref().map(|model| Ok(model.as_ref())),
            expected_refine_ms: None,
            coverage: Coverage {
                lexical: 1.0,
                vector: self.vector_coverage,
                static_vectors: self.static_coverage,
                ..Coverage::default()
            },
            imported: Default::default(),
            repo: "shop".to_owned(),
        };
        search(&context, &query).unwrap()
    }

    pub(crate) fn paths(&self, outcome: &SearchOutcome) -> Vec<String> {
        outcome
            .hits
            .iter()
            .map(|hit| self.index.view.chunk(hit.place).0.path.clone())
            .collect()
    }
}

fn build(root: &Path, store: &Path, encoder: &FakeBiEncoder) -> (Reader, SearchIndex) {
    let store = Store::at(store);
    let key = ViewKey::Worktree(root.to_string_lossy().into_owned());
    let mut writer = store.writer(WriteMode::Update).unwrap();
    writer
        .update_view(
            &Repository::discover(root).unwrap(),
            &key,
            4_000_000_000,
            &Unattended,
        )
        .unwrap();
    writer.embed_view(&key, encoder, &Unattended).unwrap();
    writer.sweep().unwrap();
    writer.finish().unwrap();
    let reader = store.reader().unwrap();
    let view = Arc::new(reader.view(&key).unwrap());
    (reader, SearchIndex::new(view))
}

fn symbol_graph(reader: &Reader, index: &SearchIndex) -> SymbolGraph {
    let view = &index.view;
    let facts = view.files.iter().map(|file| {
        let links = reader.links(file.content_id).unwrap();
        FileFacts {
            symbols: file.outline().symbols.clone(),
            references: links.references,
            imports: links.imports,
            ..FileFacts::default()
        }
    });
    let facts: Vec<FileFacts> = facts.collect();
    let inputs = view.files.iter().zip(&facts);
    let inputs: Vec<FileInput<'_>> = inputs
        .map(|(file, facts)| FileInput {
            path: &file.path,
            language: file.language.name(),
            facts,
        })
        .collect();
    let imports = &view.graph.imports;
    let table = SymbolTable::new(&inputs, imports);
    let uses = ReferenceIndex::new(&inputs, imports, &table);
    let shares = index.walk_shares();
    SymbolGraph::new(RelationGraph::new(&inputs, imports, &table, &uses, &shares))
}
