//! What sticks out, each with its numbers and the lines that show it.

use super::StructureSession;
use super::import_time::{is_soft, loads_in_order};
use crate::Engine;
use crate::api::{
    AuditFinding, AuditKind, AuditLimit, AuditPlace, AuditRequest, AuditResponse, Level,
};
use crate::choices::{AUDIT_KINDS, chosen};
use crate::error::Result;
use std::collections::{BTreeMap, HashMap, HashSet};
use whyrank_graph::{
    CycleEdge, Fence, FileCounts, FileEdge, Hub, ImportCycle, LayerBreak, Ordinary, Orphan,
    OrphanReason, Severity, file_counts, import_cycles, layer_breaks, orphans,
};
use whyrank_syntax::{ImportKind, SymbolKind};

/// Definitions and edges that show why a file is a god file or a hub; its numbers are whole.
const N_PLACES: usize = 3;
/// From this share of the other direction on, the main direction is clear.
const CLEAR: f64 = 0.25;
const LIKELY: f64 = 0.5;

impl Engine {
    /// Finds god files, hubs, orphans, import cycles and edges against the layers, by the repository's
    /// own measure.
    ///
    /// # Errors
    /// `bad-argument` for an unknown kind or a path without an indexed file; those of opening the view.
    pub fn audit(&self, request: &AuditRequest) -> Result<AuditResponse> {
        let kinds = chosen("kinds of finding", &AUDIT_KINDS, &request.kinds)?;
        let kinds = kinds.into_iter().filter_map(AuditKind::from_word).collect();
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        session.with_structure(|structure| Audit::new(structure, request, kinds)?.run())
    }
}

struct Audit<'a, 's, 'u> {
    structure: &'a StructureSession<'s, 'u>,
    /// What to look for; empty for all.
    kinds: Vec<AuditKind>,
    /// Files asked about.
    inside: HashSet<u32>,
    counts: Vec<FileCounts>,
    ordinary: Ordinary,
    findings: Vec<AuditFinding>,
    notes: Vec<String>,
}

impl<'a, 's, 'u> Audit<'a, 's, 'u> {
    fn new(
        structure: &'a StructureSession<'s, 'u>,
        request: &AuditRequest,
        kinds: Vec<AuditKind>,
    ) -> Result<Self> {
        let view = structure.view;
        let inside = view.below(&request.path)?.into_iter().collect();
        let n_definitions: Vec<u32> = (0..view.n_files())
            .map(|file| {
                let symbols = &view.files[file as usize].outline().symbols;
                symbols
                    .iter()
                    .filter(|symbol| holds_code(symbol.kind))
                    .count() as u32
            })
            .collect();
        let counts = file_counts(structure.files, &n_definitions, &|file| view.is_code(file));
        let ordinary = Ordinary::of(&counts);
        Ok(Self {
            structure,
            kinds,
            inside,
            counts,
            ordinary,
            findings: Vec::new(),
            notes: Vec::new(),
        })
    }

    fn wants(&self, kind: AuditKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn run(mut self) -> Result<AuditResponse> {
        if self.wants(AuditKind::Cycle) {
            self.cycles()?;
        }
        if self.wants(AuditKind::Layering) {
            self.layering();
        }
        if self.wants(AuditKind::GodFile) || self.wants(AuditKind::Hub) {
            self.outliers();
        }
        if self.wants(AuditKind::Orphan) {
            self.orphans()?;
        }
        self.findings
            .sort_by_key(|finding| (finding.kind, finding.severity));
        Ok(AuditResponse {
            n_files: self.counts.len() as u32,
            limits: self.limits(),
            findings: self.findings,
            notes: self.notes,
        })
    }

    fn limits(&self) -> Vec<AuditLimit> {
        let limit = |kind: AuditKind, what: &str, fence: Option<Fence>| {
            fence.filter(|_| self.wants(kind)).map(|fence| AuditLimit {
                kind,
                what: what.to_owned(),
                median: fence.median.round(),
                limit: fence.outer.round(),
            })
        };
        let ordinary = &self.ordinary;
        let all = [
            limit(
                AuditKind::GodFile,
                "definitions × dependents",
                ordinary.weight,
            ),
            limit(AuditKind::Hub, "dependents", ordinary.fan_in),
            limit(AuditKind::Hub, "dependencies", ordinary.fan_out),
        ];
        all.into_iter().flatten().collect()
    }

    fn push(&mut self, kind: AuditKind, severity: Severity, path: String, reason: String) -> usize {
        let severity = match severity {
            Severity::High => Level::High,
            Severity::Medium => Level::Medium,
            Severity::Low => Level::Low,
        };
        self.findings.push(AuditFinding {
            kind,
            severity,
            path,
            reason,
            with: Vec::new(),
            places: Vec::new(),
            places_are_uses: false,
        });
        self.findings.len() - 1
    }

    fn outliers(&mut self) {
        if self.ordinary.fan_in.is_none() {
            self.notes.push(format!(
                "god files and hubs: too few files depend on each other to tell what is ordinary ({} of code)",
                self.counts.len()
            ));
        }
        let mut counts = self.counts.clone();
        counts.retain(|file| self.inside.contains(&file.file));
        counts.sort_by_key(|file| {
            let weight = u64::from(file.n_definitions) * u64::from(file.fan_in);
            (std::cmp::Reverse(weight), file.file)
        });
        let mut hubs = Vec::new();
        for file in &counts {
            let god = self
                .ordinary
                .god(file)
                .filter(|_| self.wants(AuditKind::GodFile));
            if let Some(severity) = god {
                let lines = self.structure.view.files[file.file as usize].n_lines;
                let reason = format!(
                    "{}, {lines} lines, {}",
                    count(file.n_definitions, "definition", "definitions"),
                    count(file.fan_in, "dependent", "dependents")
                );
                let path = self.structure.view.path(file.file).to_owned();
                let at = self.push(AuditKind::GodFile, severity, path, reason);
                self.findings[at].places = self.most_used(file.file);
            }
            if self.wants(AuditKind::Hub) {
                hubs.extend(self.ordinary.hub(file).map(|hub| (hub, *file)));
            }
        }
        hubs.sort_by_key(|((hub, severity), file)| {
            (
                *severity,
                *hub,
                std::cmp::Reverse(file.fan_in + file.fan_out),
            )
        });
        for ((hub, severity), file) in hubs {
            self.hub(hub, severity, file);
        }
    }

    fn hub(&mut self, hub: Hub, severity: Severity, file: FileCounts) {
        let what = match hub {
            Hub::Both => "depends on many and many depend on it",
            Hub::Out => "depends on many",
            Hub::In => "many depend on it",
        };
        let reason = format!(
            "{what}: {}, {}",
            count(file.fan_in, "dependent", "dependents"),
            count(file.fan_out, "dependency", "dependencies")
        );
        let path = self.structure.view.path(file.file).to_owned();
        let at = self.push(AuditKind::Hub, severity, path, reason);
        self.findings[at].places_are_uses = hub == Hub::Out;
        self.findings[at].places = match hub {
            Hub::Out => self.most_leaned_on(file.file),
            _ => self.most_used(file.file),
        };
    }

    /// The definitions of a file that most others use.
    fn most_used(&self, file: u32) -> Vec<AuditPlace> {
        let view = self.structure.view;
        let mut used: Vec<(usize, u32, String)> = self
            .structure
            .notable(file)
            .map(|id| {
                let users = |user: u32| user != file && view.is_code(user);
                let symbol = view.symbol(id);
                let n_users = self.structure.links.n_callers(id, &users);
                (n_users, symbol.name_line, short(&symbol.qualified))
            })
            .filter(|(n_users, ..)| *n_users > 0)
            .collect();
        used.sort_by_key(|(n_users, line, _)| (std::cmp::Reverse(*n_users), *line));
        let places = used.into_iter().take(N_PLACES);
        places
            .map(|(n_users, line, name)| AuditPlace {
                path: view.path(file).to_owned(),
                line,
                target: format!("{name} [c={n_users}]"),
            })
            .collect()
    }

    fn most_leaned_on(&self, file: u32) -> Vec<AuditPlace> {
        let mut edges: Vec<&FileEdge> = self.structure.files.from(file).iter().collect();
        edges.sort_by_key(|edge| (std::cmp::Reverse(edge.n_uses), edge.to));
        edges
            .into_iter()
            .take(N_PLACES)
            .map(|edge| self.place(edge.from, edge.line, edge.to))
            .collect()
    }

    fn place(&self, file: u32, line: u32, target: u32) -> AuditPlace {
        AuditPlace {
            path: self.structure.view.path(file).to_owned(),
            line,
            target: self.structure.view.path(target).to_owned(),
        }
    }

    fn orphans(&mut self) -> Result<()> {
        let view = self.structure.view;
        let manifests = view.manifests()?;
        let is_named = |file: u32| manifests.name(view.path(file));
        let (files, links) = (self.structure.files, self.structure.links);
        let is_code = |file: u32| view.is_code(file);
        let found: Vec<Orphan> = orphans(self.structure.uses, files, links, &is_code, &is_named);
        let inside = found
            .into_iter()
            .filter(|one| self.inside.contains(&one.file));
        for orphan in inside.collect::<Vec<_>>() {
            let reason = match orphan.reason {
                OrphanReason::Unreached => "nothing imports or uses it",
                OrphanReason::TestsOnly => "only tests, examples or docs use it",
                OrphanReason::Script => "nothing imports it; it runs code when loaded",
                OrphanReason::Exported => "nothing here uses it; users of the package may",
            };
            let path = view.path(orphan.file).to_owned();
            self.push(AuditKind::Orphan, orphan.severity, path, reason.to_owned());
        }
        Ok(())
    }

    fn cycles(&mut self) -> Result<()> {
        let all = self.import_edges();
        let knots: HashSet<u32> = import_cycles(&all)
            .into_iter()
            .flat_map(|cycle| cycle.files)
            .collect();
        let inner = all
            .into_iter()
            .filter(|edge| knots.contains(&edge.from) && knots.contains(&edge.to));
        let (soft, hard) = self.by_time(inner.collect())?;
        let found = import_cycles(&hard);
        let in_hard: HashSet<u32> = found.iter().flat_map(|cycle| cycle.files.clone()).collect();
        for cycle in found {
            self.cycle(&cycle, None);
        }
        let every: Vec<CycleEdge> = hard.into_iter().chain(soft).collect();
        for cycle in import_cycles(&every) {
            if cycle.files.iter().all(|file| !in_hard.contains(file)) {
                self.cycle(
                    &cycle,
                    Some("only by imports that are late or for types alone"),
                );
            }
        }
        Ok(())
    }

    /// Imports between files of code; a Rust `mod` declares and does not import.
    fn import_edges(&self) -> Vec<CycleEdge> {
        let view = self.structure.view;
        let imports = &view.graph.imports;
        let mut edges = Vec::new();
        for edge in self
            .structure
            .files
            .edges()
            .iter()
            .filter(|edge| edge.n_imports > 0)
        {
            if !view.is_code(edge.from) || !view.is_code(edge.to) {
                continue;
            }
            let facts = self.structure.uses.imports(edge.from);
            let to_target = imports.imports(edge.from).iter().filter(|import| {
                let kind = facts.get(import.import_idx as usize).map(|fact| fact.kind);
                import.target == Some(edge.to) && kind != Some(ImportKind::ModuleDeclaration)
            });
            edges.extend(to_target.map(|import| CycleEdge {
                from: edge.from,
                to: edge.to,
                line: import.line,
            }));
        }
        edges
    }

    /// Sets apart the imports that do not run when the file is loaded, or never.
    fn by_time(&self, edges: Vec<CycleEdge>) -> Result<(Vec<CycleEdge>, Vec<CycleEdge>)> {
        let mut lines: HashMap<u32, Vec<String>> = HashMap::new();
        let mut soft: Vec<CycleEdge> = Vec::new();
        let mut hard: Vec<CycleEdge> = Vec::new();
        for edge in edges {
            if let std::collections::hash_map::Entry::Vacant(slot) = lines.entry(edge.from) {
                let text = self.structure.view.text(edge.from)?;
                slot.insert(text.lines().map(str::to_owned).collect());
            }
            let line = lines[&edge.from].get(edge.line.saturating_sub(1) as usize);
            let text = line.map_or("", String::as_str);
            if is_soft(
                self.structure.view.files[edge.from as usize]
                    .language
                    .name(),
                text,
            ) {
                soft.push(edge)
            } else {
                hard.push(edge)
            }
        }
        Ok((soft, hard))
    }

    fn cycle(&mut self, cycle: &ImportCycle, soft: Option<&str>) {
        if !cycle.files.iter().any(|file| self.inside.contains(file)) {
            return;
        }
        let view = self.structure.view;
        let language = view.files[cycle.cut.from as usize].language.name();
        let severity = match (soft, loads_in_order(language)) {
            (None, true) => Severity::High,
            (None, false) => Severity::Medium,
            (Some(_), _) => Severity::Low,
        };
        let cut = format!(
            "cut {}:{} -> {}",
            view.path(cycle.cut.from),
            cycle.cut.line,
            view.path(cycle.cut.to)
        );
        let left = match cycle.n_left {
            0 => "none is left in a cycle".to_owned(),
            n => format!("{n} are left in cycles"),
        };
        let note = soft.map(|note| format!(" ({note})")).unwrap_or_default();
        let reason = format!(
            "{} files import each other{note}; {cut}: {left}",
            cycle.files.len()
        );
        let path = view.path(cycle.shortest.first().map_or(0, |edge| edge.from));
        let at = self.push(AuditKind::Cycle, severity, path.to_owned(), reason);
        let files = cycle.files.iter();
        self.findings[at].with = files.map(|file| view.path(*file).to_owned()).collect();
        let steps = cycle.shortest.iter();
        let places = steps.map(|edge| self.place(edge.from, edge.line, edge.to));
        self.findings[at].places = places.collect();
    }

    fn layering(&mut self) {
        let view = self.structure.view;
        let mut folders: BTreeMap<&str, u32> = BTreeMap::new();
        let mut names: Vec<&str> = Vec::new();
        let folder_of_path = |path: &'s str| path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let of_file: Vec<u32> = (0..view.n_files())
            .map(|file| {
                let folder = folder_of_path(view.path(file));
                *folders.entry(folder).or_insert_with(|| {
                    names.push(folder);
                    names.len() as u32 - 1
                })
            })
            .collect();
        let edges: Vec<FileEdge> = self
            .structure
            .files
            .edges()
            .iter()
            .filter(|edge| view.is_code(edge.from) && view.is_code(edge.to))
            .copied()
            .collect();
        for found in layer_breaks(&edges, &|file| of_file[file as usize]) {
            let touches = |edge: &FileEdge| {
                self.inside.contains(&edge.from) || self.inside.contains(&edge.to)
            };
            if found.edges.iter().any(touches) {
                self.layer(&found, names[found.from as usize], names[found.to as usize]);
            }
        }
    }

    fn layer(&mut self, found: &LayerBreak, from: &str, to: &str) {
        let n_against = found.edges.len();
        let share = n_against as f64 / f64::from(found.n_along.max(1));
        let is_inner = |outer: &str, inner: &str| {
            let rest = inner.strip_prefix(outer);
            outer.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        };
        // A folder and what lies in it are often one module.
        let is_nested = is_inner(from, to) || is_inner(to, from);
        let severity = match share {
            share if share <= CLEAR && !is_nested => Severity::High,
            share if share <= LIKELY && !is_nested => Severity::Medium,
            _ => Severity::Low,
        };
        let shown = |folder: &str| format!("{}/", if folder.is_empty() { "." } else { folder });
        let against = match found.n_along {
            0 => "; the way back leads through other folders".to_owned(),
            n => format!(" against {n} the other way"),
        };
        let edges = count(n_against as u32, "file edge", "file edges");
        let reason = format!("{edges}{against}");
        let at = self.push(AuditKind::Layering, severity, shown(from), reason);
        self.findings[at].with = vec![shown(to)];
        let edges = found.edges.iter();
        self.findings[at].places = edges
            .map(|edge| self.place(edge.from, edge.line, edge.to))
            .collect();
    }
}

/// `1 dependent`, `2 dependents`.
fn count(n: u32, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

/// A qualified name without the namespace that every name of its file has.
fn short(qualified: &str) -> String {
    let name = qualified.rsplit('\\').next();
    name.unwrap_or(qualified).to_owned()
}

fn holds_code(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type() || kind == SymbolKind::Macro
}
