//! What belongs together by imports and uses, with words that tell one cluster from another.

use super::StructureSession;
use super::known::{ClusterMap, Member};
use super::members::{definitions, importance, ties_of_definitions, ties_of_files};
use super::words::WordCounts;
use crate::Engine;
use crate::api::{BridgeMember, Cluster, ClusterBridge, ClustersRequest, ClustersResponse};
use crate::error::Result;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use whyrank_graph::{Communities, SymbolId, TermTable, communities};

const DEFAULT_MIN_SIZE: u32 = 3;
/// A code base of fewer files than this is cut between definitions, not files.
const FEW_FILES: usize = 24;
/// Topics of more members are divided.
const LARGE_TOPIC: usize = 24;
const N_LABELS: usize = 4;
const N_KEY: usize = 8;
/// With this many definitions at the top of its files a cluster is not known by their members.
const LEAST_TOP: usize = 4;

/// How finely members are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    /// Communities as modularity finds them: few and large in a large code base.
    Clusters,
    /// Large communities divided into communities of their own.
    Topics,
}

impl Engine {
    /// Communities of files (of definitions, where there are few files) with labels, cohesion and what
    /// ties them together.
    ///
    /// # Errors
    /// Those of opening the view.
    pub fn clusters(&self, request: &ClustersRequest) -> Result<ClustersResponse> {
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        session.with_structure(|structure| {
            let map = structure.cluster_map(Grain::Clusters)?;
            let min_size = match request.min_size {
                0 => DEFAULT_MIN_SIZE,
                min_size => min_size,
            };
            Ok(map.response(structure, min_size))
        })
    }
}

impl StructureSession<'_, '_> {
    /// The communities of the view, or the parts of these that are topics; worked out once.
    pub(super) fn cluster_map(&self, grain: Grain) -> Result<&ClusterMap> {
        let known = &self.view.structure;
        let slot = match grain {
            Grain::Clusters => &known.clusters,
            Grain::Topics => &known.topics,
        };
        if let Some(map) = slot.get() {
            return Ok(map);
        }
        let map = ClusterMap::new(self, grain)?;
        Ok(slot.get_or_init(|| map))
    }
}

impl ClusterMap {
    fn new(structure: &StructureSession<'_, '_>, grain: Grain) -> Result<Self> {
        let files: Vec<u32> = (0..structure.view.n_files())
            .filter(|file| structure.view.is_code(*file))
            .collect();
        let by_definition = files.len() < FEW_FILES;
        let members = if by_definition {
            definitions(structure, &files)
        } else {
            files
                .iter()
                .map(|file| Member {
                    file: *file,
                    symbol: None,
                })
                .collect()
        };
        let edges = if by_definition {
            ties_of_definitions(structure, &members)
        } else {
            ties_of_files(structure, &members)
        };
        let plain: Vec<(u32, u32, f32)> = edges
            .iter()
            .map(|((from, to), tie)| (*from, *to, tie.weight))
            .collect();
        let found = communities(members.len(), &plain);
        let mut groups = grouped(&found);
        if grain == Grain::Topics {
            groups = groups
                .into_iter()
                .flat_map(|group| parts(group, &plain))
                .collect();
        }
        let rank = |member: u32| importance(structure, members[member as usize]);
        for group in &mut groups {
            group.sort_by(|a, b| rank(*b).total_cmp(&rank(*a)).then(a.cmp(b)));
        }
        let weight = |group: &[u32]| {
            group
                .iter()
                .map(|member| f64::from(rank(*member)))
                .sum::<f64>()
        };
        groups.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
        let mut group_of = vec![0; members.len()];
        for (at, group) in (0u32..).zip(&groups) {
            group
                .iter()
                .for_each(|member| group_of[*member as usize] = at);
        }
        let mut words = WordCounts::default();
        let mut counts = Vec::new();
        for group in &groups {
            let mut counted = BTreeMap::new();
            for member in group {
                words.add(
                    structure,
                    members[*member as usize],
                    !by_definition,
                    &mut counted,
                )?;
            }
            counts.push(counted);
        }
        Ok(Self {
            members,
            groups,
            group_of,
            edges,
            modularity: found.modularity,
            terms: TermTable::new(counts),
            written: words.written(),
            by_definition,
        })
    }

    /// Words that tell a group from the others, as they are written.
    pub(super) fn label(&self, group: usize) -> Vec<String> {
        let stems = self.terms.labels(group, N_LABELS);
        stems
            .into_iter()
            .map(|stem| self.as_written(&stem))
            .collect()
    }

    pub(super) fn as_written(&self, stem: &str) -> String {
        self.written
            .get(stem)
            .cloned()
            .unwrap_or_else(|| stem.to_owned())
    }

    /// The files of a group, in the order of its members.
    pub(super) fn files(&self, group: usize) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        let files = self.groups[group]
            .iter()
            .map(|member| self.members[*member as usize].file);
        files.filter(|file| seen.insert(*file)).collect()
    }

    /// The notable definitions of a group.
    pub(super) fn definitions(
        &self,
        structure: &StructureSession<'_, '_>,
        group: usize,
    ) -> Vec<SymbolId> {
        let members = self.groups[group]
            .iter()
            .map(|at| self.members[*at as usize]);
        members
            .flat_map(|member| match member.symbol {
                None if self.by_definition => Vec::new(),
                None => structure.notable(member.file).collect(),
                Some(symbol) => vec![SymbolId {
                    file: member.file,
                    symbol,
                }],
            })
            .collect()
    }

    fn response(&self, structure: &StructureSession<'_, '_>, min_size: u32) -> ClustersResponse {
        let is_listed = |group: u32| self.groups[group as usize].len() as u32 >= min_size;
        let mut ids: HashMap<u32, u32> = HashMap::new();
        for group in (0..self.groups.len() as u32).filter(|group| is_listed(*group)) {
            ids.insert(group, ids.len() as u32 + 1);
        }
        let cohesion = self.cohesion();
        let listed = (0..self.groups.len()).filter(|group| is_listed(*group as u32));
        let clusters: Vec<Cluster> = listed
            .map(|group| self.cluster(structure, group, ids[&(group as u32)], cohesion[group]))
            .collect();
        let n_listed: u32 = clusters.iter().map(|cluster| cluster.size).sum();
        ClustersResponse {
            clusters,
            bridges: self.bridges(structure, &ids),
            bridge_members: self.bridge_members(structure, &ids),
            modularity: self.modularity,
            unit: if self.by_definition {
                "definition"
            } else {
                "file"
            }
            .to_owned(),
            n_members: self.members.len() as u32,
            n_unlisted: self.members.len() as u32 - n_listed,
            min_size,
        }
    }

    fn cluster(
        &self,
        structure: &StructureSession<'_, '_>,
        group: usize,
        id: u32,
        cohesion: f64,
    ) -> Cluster {
        let mut key = self.definitions(structure, group);
        let is_top = |id: &SymbolId| structure.is_top(*id);
        if key.iter().filter(|id| is_top(id)).count() >= LEAST_TOP {
            key.retain(is_top);
        }
        structure.sort_by_rank(&mut key);
        key.truncate(N_KEY);
        let files = self.files(group);
        Cluster {
            id,
            label: self.label(group),
            folder: common_folder(structure, &files),
            size: self.groups[group].len() as u32,
            cohesion,
            files: files
                .iter()
                .map(|file| structure.view.path(*file).to_owned())
                .collect(),
            key: structure.view.lines(&key),
        }
    }

    /// Of each group the weight within over all weight at its members.
    fn cohesion(&self) -> Vec<f64> {
        let mut inner = vec![0.0; self.groups.len()];
        let mut all = vec![0.0; self.groups.len()];
        for ((from, to), tie) in &self.edges {
            let (a, b) = (self.group_of[*from as usize], self.group_of[*to as usize]);
            let weight = f64::from(tie.weight);
            all[a as usize] += weight;
            if a == b {
                inner[a as usize] += weight;
            } else {
                all[b as usize] += weight;
            }
        }
        let share = |(inner, all): (f64, f64)| if all > 0.0 { inner / all } else { 0.0 };
        inner.into_iter().zip(all).map(share).collect()
    }

    fn bridges(
        &self,
        structure: &StructureSession<'_, '_>,
        ids: &HashMap<u32, u32>,
    ) -> Vec<ClusterBridge> {
        let mut found: BTreeMap<(u32, u32), (f32, ClusterBridge)> = BTreeMap::new();
        for ((from, to), tie) in &self.edges {
            let groups = (self.group_of[*from as usize], self.group_of[*to as usize]);
            let (Some(a), Some(b)) = (ids.get(&groups.0), ids.get(&groups.1)) else {
                continue;
            };
            if a == b || tie.n_uses == 0 {
                continue;
            }
            let path = |member: u32| self.name(structure, member);
            let edge = || ClusterBridge {
                from: *a,
                to: *b,
                n_edges: 0,
                n_uses: 0,
                path: structure
                    .view
                    .path(self.members[*from as usize].file)
                    .to_owned(),
                line: tie.line,
                target: path(*to),
            };
            let known = found
                .entry((*a, *b))
                .or_insert_with(|| (tie.weight, edge()));
            if tie.weight > known.0 {
                let (n_edges, n_uses) = (known.1.n_edges, known.1.n_uses);
                *known = (
                    tie.weight,
                    ClusterBridge {
                        n_edges,
                        n_uses,
                        ..edge()
                    },
                );
            }
            known.1.n_edges += 1;
            known.1.n_uses += tie.n_uses;
        }
        let mut bridges: Vec<ClusterBridge> =
            found.into_values().map(|(_, bridge)| bridge).collect();
        bridges.sort_by_key(|bridge| std::cmp::Reverse((bridge.n_uses, bridge.n_edges)));
        bridges
    }

    /// `path`, or `path name` where members are definitions.
    fn name(&self, structure: &StructureSession<'_, '_>, member: u32) -> String {
        let Member { file, symbol } = self.members[member as usize];
        let path = structure.view.path(file);
        match symbol {
            None => path.to_owned(),
            Some(symbol) => {
                let name = &structure.view.symbol(SymbolId { file, symbol }).qualified;
                format!("{path} {name}")
            }
        }
    }

    fn bridge_members(
        &self,
        structure: &StructureSession<'_, '_>,
        ids: &HashMap<u32, u32>,
    ) -> Vec<BridgeMember> {
        let mut outside = vec![0.0; self.members.len()];
        let mut all = vec![0.0; self.members.len()];
        let mut touched: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.members.len()];
        for ((from, to), tie) in &self.edges {
            for (one, other) in [(*from, *to), (*to, *from)] {
                let weight = f64::from(tie.weight);
                all[one as usize] += weight;
                let group = self.group_of[other as usize];
                if group != self.group_of[one as usize] {
                    outside[one as usize] += weight;
                    touched[one as usize].extend(ids.get(&group));
                }
            }
        }
        let mut found: Vec<BridgeMember> = Vec::new();
        for (at, member) in self.members.iter().enumerate() {
            let Some(cluster) = ids.get(&self.group_of[at]) else {
                continue;
            };
            if touched[at].len() < 2 {
                continue;
            }
            found.push(BridgeMember {
                path: structure.view.path(member.file).to_owned(),
                symbol: member.symbol.map(|symbol| {
                    let id = SymbolId {
                        file: member.file,
                        symbol,
                    };
                    structure.view.symbol(id).qualified.clone()
                }),
                cluster: *cluster,
                n_clusters: touched[at].len() as u32,
                outside: outside[at] / all[at],
            });
        }
        found.sort_by(|a, b| {
            let weight = |one: &BridgeMember| f64::from(one.n_clusters) * one.outside;
            weight(b).total_cmp(&weight(a)).then(a.path.cmp(&b.path))
        });
        found
    }
}

fn grouped(found: &Communities) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (member, group) in (0u32..).zip(&found.of) {
        groups.resize_with(groups.len().max(*group as usize + 1), Vec::new);
        groups[*group as usize].push(member);
    }
    groups
}

/// Divides a large group by its own edges, as long as that divides it.
fn parts(group: Vec<u32>, edges: &[(u32, u32, f32)]) -> Vec<Vec<u32>> {
    if group.len() <= LARGE_TOPIC {
        return vec![group];
    }
    let at: HashMap<u32, u32> = group.iter().copied().zip(0u32..).collect();
    let inner: Vec<(u32, u32, f32)> = edges
        .iter()
        .filter_map(|(a, b, weight)| Some((*at.get(a)?, *at.get(b)?, *weight)))
        .collect();
    let found = grouped(&communities(group.len(), &inner));
    if found.len() == 1 {
        return vec![group];
    }
    let named = found
        .into_iter()
        .map(|part| part.into_iter().map(|at| group[at as usize]).collect());
    named.flat_map(|part| parts(part, edges)).collect()
}

/// The folder that holds more than half of some files, as deep as possible.
pub(super) fn common_folder(structure: &StructureSession<'_, '_>, files: &[u32]) -> String {
    let mut n_below: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        for (at, _) in structure.view.path(*file).match_indices('/') {
            *n_below
                .entry(&structure.view.path(*file)[..at])
                .or_default() += 1;
        }
    }
    let most = n_below.into_iter().filter(|(_, n)| n * 2 > files.len());
    most.max_by_key(|(folder, _)| folder.len())
        .map(|(folder, _)| folder.to_owned())
        .unwrap_or_default()
}
