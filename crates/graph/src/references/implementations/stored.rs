//! Edges between types outside of memory: a record for each definition that has any, found by search
//! among their ids.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::ties::{Gathered, Tie};
use crate::{
    input::files::SymbolId,
    pagerank::numbers::{Numbers, Sections},
};

/// File and symbol of each definition that has a record, in order.
const IDS: usize = 0;
const RECORDS: usize = 1;
/// Where each record begins.
const STARTS: usize = 2;

/// What is known of a type or member.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) bases: Vec<Tie>,
    pub(super) heirs: Vec<Tie>,
    /// Go: the methods of a type.
    pub(super) methods: Vec<SymbolId>,
    /// Go: the types that have a method.
    pub(super) types: Vec<SymbolId>,
}

/// The sections of a file.
pub(super) fn sections(gathered: &Gathered) -> Vec<Vec<u8>> {
    let mut records: BTreeMap<SymbolId, Record> = BTreeMap::new();
    for (id, ties) in &gathered.bases {
        records.entry(*id).or_default().bases.clone_from(ties);
    }
    for (id, ties) in &gathered.heirs {
        records.entry(*id).or_default().heirs.clone_from(ties);
    }
    for (id, methods) in gathered.method_sets.all() {
        records.entry(id).or_default().methods = methods.to_vec();
        for method in methods {
            records.entry(*method).or_default().types.push(id);
        }
    }
    let (mut ids, mut bytes) = (Vec::new(), Vec::new());
    let mut starts = vec![0u64];
    for (id, mut record) in records {
        record.types.sort_unstable();
        ids.extend([id.file, id.symbol]);
        bytes = postcard::to_extend(&record, bytes).expect("plain data serialises");
        starts.push(bytes.len() as u64);
    }
    let ids = bytemuck::cast_slice(&ids).to_vec();
    vec![ids, bytes, bytemuck::cast_slice(&starts).to_vec()]
}

/// Edges in a file. What cannot be read is empty, and the file says so ([`Sections::met_damage`]).
#[derive(Clone, Debug)]
pub(super) struct StoredTies {
    file: Arc<dyn Sections>,
    ids: Numbers<u32>,
    starts: Numbers<u64>,
    records: usize,
}

impl StoredTies {
    /// `None` where the file has no such sections.
    pub(super) fn open(file: Arc<dyn Sections>, first: usize) -> Option<Self> {
        let ids: Numbers<u32> = Numbers::Mapped(Arc::clone(&file), first + IDS);
        let starts: Numbers<u64> = Numbers::Mapped(Arc::clone(&file), first + STARTS);
        (starts.len() == ids.len() / 2 + 1).then_some(Self {
            records: first + RECORDS,
            ids,
            starts,
            file,
        })
    }

    pub(super) fn met_damage(&self) -> bool {
        self.file.met_damage()
    }

    pub(super) fn of(&self, id: SymbolId) -> Record {
        match self.find(id) {
            Some(at) => self.record(at),
            None => Record::default(),
        }
    }

    fn find(&self, id: SymbolId) -> Option<usize> {
        let (mut from, mut to) = (0, self.ids.len() / 2);
        while from < to {
            let middle = from.midpoint(to);
            match self
                .ids
                .get(2 * middle..2 * middle + 2)
                .cmp(&[id.file, id.symbol])
            {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    fn record(&self, at: usize) -> Record {
        let bounds = self.starts.get(at..at + 2);
        let [start, end] = *bounds else {
            return Record::default();
        };
        let bytes = self.file.bytes(self.records, start as usize..end as usize);
        let record = bytes.map(postcard::from_bytes);
        match record {
            Some(Ok(record)) => record,
            _ => {
                // A record that does not say what it should counts as bytes that are not there.
                let beyond = self.file.len_of(self.records) + 1;
                let _ = self.file.bytes(self.records, 0..beyond);
                Record::default()
            }
        }
    }
}
