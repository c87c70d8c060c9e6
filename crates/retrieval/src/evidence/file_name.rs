//! Evidence from file names: words of the query in them, and queries that are paths.

use super::scored::Terms;
use crate::channels::path_cover;
use crate::context::QueryContext;
use crate::fuse::Fused;
use crate::query::{ParsedQuery, QueryShape};
use crate::search_index::{SearchIndex, distinct_tokens, lies_in, part_tokens};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Words of the query that file names hold, worked out once for each file.
pub(crate) struct FileNameCover<'a> {
    query: &'a ParsedQuery,
    by_file: HashMap<u32, f64>,
    /// The same with folders above, rare words first; of all files, at first need.
    by_path: OnceCell<HashMap<u32, f64>>,
}

impl<'a> FileNameCover<'a> {
    pub(crate) fn new(query: &'a ParsedQuery) -> Self {
        Self {
            query,
            by_file: HashMap::new(),
            by_path: OnceCell::new(),
        }
    }

    fn share(&mut self, index: &SearchIndex, file: u32) -> f64 {
        let query = self.query;
        *self.by_file.entry(file).or_insert_with(|| {
            let path = &index.view.files[file as usize].path;
            let folder = path.rsplit('/').nth(1).unwrap_or("");
            let mut tokens = index.stem(file);
            tokens.extend(distinct_tokens(folder));
            let n_matched = query
                .keywords
                .iter()
                .filter(|word| tokens.iter().any(|token| is_alike(word, token, FILE_STEM)))
                .count();
            n_matched as f64 / query.keywords.len().max(1) as f64
        })
    }

    fn of_path(&self, index: &SearchIndex, file: u32) -> f64 {
        let shares = self.by_path.get_or_init(|| path_cover(index, self.query));
        shares.get(&file).copied().unwrap_or(0.0)
    }
}

/// What a file's name and place say about it.
pub(crate) fn file_name(
    row: &Fused,
    ctx: QueryContext<'_, '_>,
    cover: &mut FileNameCover<'_>,
    terms: &mut Terms,
) {
    let (index, query, tuning) = (ctx.index(), ctx.query, ctx.evidence_tuning);
    if query.shape == QueryShape::Identifier {
        return;
    }
    if query.shape == QueryShape::Path
        && is_path(&index.view.files[row.place.file as usize].path, &query.text)
    {
        terms.add("path", tuning.definition, || {
            "the query is this file's path, or the end of it".to_owned()
        });
    }
    let prefix = if ctx.is_topic() {
        NAME_PREFIX
    } else {
        usize::MAX
    };
    if covers_stem(index, query, row.place.file, prefix) {
        terms.add("file-named", tuning.file_named, || {
            "the query holds every word of the file's name".to_owned()
        });
    }
    area(row, ctx, terms);
    if ctx.is_topic() && tuning.path_words > 0.0 {
        let share = cover.of_path(index, row.place.file);
        terms.add("path-words", tuning.path_words * share, || {
            let percent = share * 100.0;
            format!("its path holds {percent:.0}% of the query's words, weighted by rarity")
        });
    }
    let share = cover.share(index, row.place.file);
    terms.add("file-name", tuning.file_name * share, || {
        format!(
            "file or folder name holds {:.0}% of the query's words",
            share * 100.0
        )
    });
}

/// The part of the program that the message of a change names.
fn area(row: &Fused, ctx: QueryContext<'_, '_>, terms: &mut Terms) {
    let path = &ctx.index().view.files[row.place.file as usize].path;
    let areas = ctx.query.areas.iter();
    let best = areas
        .map(|area| (lies_in(path, area), area))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((share, area)) = best {
        terms.add("area", ctx.evidence_tuning.area * share, || {
            format!("lies in `{area}`, which the query names as the part that changed")
        });
    }
}

/// Letters from which the beginning of a word counts as the word in file names, which shorten.
const FILE_STEM: usize = 3;

/// The same word, or one that begins with the other: `accept` and `acceptable`.
pub(crate) fn is_alike(word: &str, part: &str, stem: usize) -> bool {
    let (short, long) = if word.len() < part.len() {
        (word, part)
    } else {
        (part, word)
    };
    short == long || (short.len() >= stem && long.starts_with(short))
}

/// Letters from which a word of a file's name may begin one of a topic: `compose.ts` is about composition.
const NAME_PREFIX: usize = 4;

/// Whether all words of a file's name stand in the query, or begin words of it.
fn covers_stem(index: &SearchIndex, query: &ParsedQuery, file: u32, prefix: usize) -> bool {
    let stem = index.stem(file);
    let words = part_tokens(&stem);
    let is_held = |token: &String| {
        let mut keywords = query.keywords.iter();
        keywords.any(|word| is_alike(word, token, prefix))
    };
    !words.is_empty() && words.iter().all(is_held)
}

/// Whether a query is a file's path or ends it at a folder's edge.
pub(crate) fn is_path(path: &str, query: &str) -> bool {
    let query = query.trim_start_matches("./");
    path == query
        || path
            .strip_suffix(query)
            .is_some_and(|before| before.ends_with('/'))
}
