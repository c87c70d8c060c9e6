//! Which token of a document answers which token of the query.

use crate::query::Query;
use crate::shard::StoredDocument;

/// A query token's best match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenMatch {
    /// Index of the document's token.
    pub token: u32,
    /// Their product: what the query token adds to the score.
    pub score: f32,
}

/// A document's score, taken apart. The matches' scores sum to it within 1e-3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// MaxSim.
    pub score: f32,
    /// For each query token; empty for a document without tokens, or of which none is let through.
    pub matches: Vec<TokenMatch>,
}

/// Every product of a query's tokens with a document's: a row for each token of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Products {
    /// Tokens of the query: values in a row.
    pub n_query: usize,
    /// Row by row, in the order of the document.
    pub values: Vec<f32>,
}

/// All products, where [`align`] keeps the best.
pub(crate) fn products(query: &Query, found: &StoredDocument<'_>) -> Products {
    let n_query = query.n_tokens();
    let mut values = vec![0.0; found.n_tokens() * n_query];
    each_product(query, found, |token, row, score| {
        values[token * n_query + row] = score;
    });
    Products { n_query, values }
}

fn each_product(query: &Query, found: &StoredDocument<'_>, visit: impl FnMut(usize, usize, f32)) {
    match found {
        StoredDocument::Coded(document) => query.each_score(document.tokens, document.codes, visit),
        StoredDocument::Exact(document) => document.each_score(query, visit),
    }
}

/// Over the document's tokens that `keep` lets through. Of equal products the first of them wins.
pub(crate) fn align(
    query: &Query,
    found: &StoredDocument<'_>,
    keep: &dyn Fn(u32) -> bool,
) -> Alignment {
    let kept: Vec<bool> = (0..found.n_tokens() as u32).map(keep).collect();
    if !kept.contains(&true) {
        return Alignment::default();
    }
    let none = TokenMatch {
        token: 0,
        score: f32::NEG_INFINITY,
    };
    let mut matches = vec![none; query.n_tokens()];
    each_product(query, found, |token, row, score| {
        if kept[token] && score > matches[row].score {
            let token = token as u32;
            matches[row] = TokenMatch { token, score };
        }
    });
    Alignment {
        score: matches.iter().map(|found| found.score).sum(),
        matches,
    }
}
