//! What is put together into clusters, and how it hangs together.

use super::known::{Member, Tie};
use super::{StructureSession, is_inner, is_notable};
use std::collections::{BTreeMap, HashMap};
use whyrank_graph::SymbolId;

/// How much a definition belongs to its file or type, in uses.
const CONTAINED: f32 = 0.5;

pub(super) fn importance(structure: &StructureSession<'_, '_>, member: Member) -> f32 {
    match member.symbol {
        None => structure.view.file_rank(member.file),
        Some(symbol) => structure.rank(SymbolId {
            file: member.file,
            symbol,
        }),
    }
}

/// Files, and in each the definitions at its top and the members of its types.
pub(super) fn definitions(structure: &StructureSession<'_, '_>, files: &[u32]) -> Vec<Member> {
    let mut members = Vec::new();
    for file in files {
        let symbols = &structure.view.files[*file as usize].outline().symbols;
        members.push(Member {
            file: *file,
            symbol: None,
        });
        for (at, symbol) in (0u32..).zip(symbols) {
            if is_notable(symbol) && !is_inner(symbols, symbol) {
                members.push(Member {
                    file: *file,
                    symbol: Some(at),
                });
            }
        }
    }
    members.sort_unstable();
    members
}

pub(super) fn ties_of_files(
    structure: &StructureSession<'_, '_>,
    members: &[Member],
) -> BTreeMap<(u32, u32), Tie> {
    let at: HashMap<u32, u32> = members
        .iter()
        .map(|member| member.file)
        .zip(0u32..)
        .collect();
    let mut ties = BTreeMap::new();
    for edge in structure.files.edges() {
        if let (Some(from), Some(to)) = (at.get(&edge.from), at.get(&edge.to)) {
            let tie = Tie {
                weight: edge.weight(),
                n_uses: edge.n_imports + edge.n_uses,
                line: edge.line,
            };
            ties.insert((*from, *to), tie);
        }
    }
    ties
}

pub(super) fn ties_of_definitions(
    structure: &StructureSession<'_, '_>,
    members: &[Member],
) -> BTreeMap<(u32, u32), Tie> {
    let at: HashMap<Member, u32> = members.iter().copied().zip(0u32..).collect();
    let parent = |id: SymbolId| {
        let parent = structure.view.symbol(id).parent;
        parent.map(|symbol| SymbolId {
            file: id.file,
            symbol,
        })
    };
    // The member that a definition belongs to: the nearest around it, at last its file.
    let member_of = |file: u32, id: Option<SymbolId>| {
        let around = std::iter::successors(id, |id| parent(*id));
        let symbols = around.map(|id| Some(id.symbol)).chain([None]);
        symbols
            .map(|symbol| Member { file, symbol })
            .find_map(|member| at.get(&member).copied())
    };
    let mut ties: BTreeMap<(u32, u32), Tie> = BTreeMap::new();
    for (member, own) in &at {
        let Some(symbol) = member.symbol else {
            continue;
        };
        let around = parent(SymbolId {
            file: member.file,
            symbol,
        });
        if let Some(holder) = member_of(member.file, around) {
            ties.entry((*own, holder)).or_default().weight += CONTAINED;
        }
    }
    for link in structure
        .links
        .all()
        .iter()
        .filter(|link| link.confidence.is_certain())
    {
        let ends = (
            member_of(link.file, link.from),
            member_of(link.to.file, Some(link.to)),
        );
        let (Some(from), Some(to)) = ends else {
            continue;
        };
        if from == to {
            continue;
        }
        let tie = ties.entry((from, to)).or_default();
        tie.weight += 1.0;
        tie.n_uses += 1;
        if tie.line == 0 || link.line < tie.line {
            tie.line = link.line;
        }
    }
    ties
}
