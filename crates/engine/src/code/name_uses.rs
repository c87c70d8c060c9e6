//! Uses of a name by the name alone, read from the files whose text holds it: for names that nothing defines,
//! and for those of a view whose symbol graph is not made yet.

use crate::error::Result;
use crate::views::LiveView;
use std::collections::HashSet;
use whyrank_graph::{Confidence, ReferenceHit, SymbolId};
use whyrank_index::{Links, Pool, tokens};
use whyrank_syntax::ReferenceKind;

impl LiveView {
    /// Uses of a name in files of whatever language, by file and position. O(files that hold the name).
    pub(super) fn uses_named(
        &self,
        name: &str,
        confidence: Confidence,
        is_wanted: &dyn Fn(ReferenceKind) -> bool,
    ) -> Result<Vec<ReferenceHit>> {
        let mut found = Vec::new();
        for file in self.files_holding(name)? {
            let links = self.links(file)?;
            let uses = links.references.iter();
            let uses = uses.filter(|one| one.name == name && is_wanted(one.kind));
            found.extend(uses.map(|one| ReferenceHit {
                file,
                line: one.line,
                kind: one.kind,
                enclosing: one.enclosing.map(|symbol| SymbolId { file, symbol }),
                confidence,
            }));
        }
        found.dedup_by_key(|hit| (hit.file, hit.line, hit.kind));
        Ok(found)
    }

    /// The files whose text holds a name, and perhaps a few more; all where it has no word to look up.
    fn files_holding(&self, name: &str) -> Result<Vec<u32>> {
        let all = 0..self.files.len() as u32;
        let words = tokens(name);
        let Some(word) = words.iter().max_by_key(|word| word.len()) else {
            return Ok(all.collect());
        };
        let stores = match &self.pool {
            Some(pool) => pool.stores(),
            None => Pool::new([(self.reader.as_ref(), self.snapshot())]),
        };
        let mut holding: HashSet<u32> = HashSet::new();
        stores.each_posting(&[word.as_str()], |_, posting| {
            let place = self.locate(posting.chunk);
            holding.extend(place.map(|place| self.files[place.file as usize].first_chunk));
        })?;
        // A content at several paths is found at one of them.
        let holds = |file: &u32| {
            let file = &self.files[*file as usize];
            file.n_chunks > 0 && holding.contains(&file.first_chunk)
        };
        Ok(all.filter(holds).collect())
    }

    fn links(&self, file: u32) -> Result<Links> {
        Ok(match &self.pool {
            Some(pool) => {
                let (at, file) = pool.index.locate_file(file);
                pool.parts[at].view.links(file.0)?
            }
            None => self.reader.links(self.files[file as usize].content_id)?,
        })
    }
}
