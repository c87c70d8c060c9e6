//! A query made ready for one codec.

use crate::MAX_QUERY_TOKENS;
use crate::codec::{Codec, check_dim};
use crate::error::{Error, Result};
use crate::kernels::{
    BLOCK, Cell, CellQuery, Codes, Isa, MAX_SUM, Maxima, PLANE, PackedRows, ROW_GROUP, Scales,
    Tokens, centroid_scores, maxima, products, visit_cell,
};
use crate::matrix::TokenMatrix;
use std::sync::Arc;

/// Tokens of a document whose products are kept at a time: they stay in the first-level cache.
const TILE: usize = 128;

/// A query: its vectors, and, where there is a codec, what scoring codes needs of them.
#[derive(Debug)]
pub struct Query {
    dim: usize,
    vectors: Vec<f32>,
    coded: Option<Coded>,
}

#[derive(Debug)]
struct Coded {
    codec: Arc<Codec>,
    isa: Isa,
    /// Query tokens, filled up with empty rows to a multiple of [`ROW_GROUP`].
    n_rows: usize,
    rows: PackedRows,
    factor: Vec<f32>,
    offset: Vec<f32>,
    /// Turned, row by row.
    turned: Vec<f32>,
    /// `centroid * n_rows + row`.
    centroid_scores: Vec<f32>,
}

/// Buffers that scoring uses again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    products: Vec<i32>,
    best: Vec<f32>,
}

/// What every centroid scores for every row of a query: `values[centroid * n_rows + row]`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CentroidScores<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) n_rows: usize,
}

impl<'a> CentroidScores<'a> {
    /// The rows of each cell and its number; cells without tokens are left out.
    pub(crate) fn of_cells(self, cell_len: &'a [u32]) -> impl Iterator<Item = (&'a [f32], u32)> {
        let rows = self.values.chunks_exact(self.n_rows.max(1));
        let cells = rows.zip(cell_len).zip(0u32..);
        let full = cells.filter(|((_, len), _)| **len > 0);
        full.map(|((scores, _), cell)| (scores, cell))
    }

    /// What every cell that has tokens scores for one row.
    pub(crate) fn column(self, row: usize, cell_len: &'a [u32]) -> Vec<(f32, u32)> {
        let cells = self.of_cells(cell_len);
        cells.map(|(scores, cell)| (scores[row], cell)).collect()
    }
}

impl Query {
    /// Makes a query ready: O(tokens × centroids × dim), once for all documents.
    ///
    /// Without a codec only documents that have not been coded yet can be scored.
    ///
    /// # Errors
    /// Another dimension than the codec's; more than [`MAX_QUERY_TOKENS`] tokens.
    pub fn new(codec: Option<&Arc<Codec>>, vectors: &TokenMatrix<'_>) -> Result<Self> {
        let tokens = vectors.n_tokens();
        if tokens > MAX_QUERY_TOKENS {
            return Err(Error::QueryTooLong { tokens });
        }
        if let Some(codec) = codec {
            check_dim(codec.dim(), vectors)?;
        }
        Ok(Self {
            dim: vectors.dim(),
            vectors: vectors.values().to_vec(),
            coded: codec.map(|codec| Coded::new(codec, vectors)),
        })
    }

    /// Returns tokens.
    pub fn n_tokens(&self) -> usize {
        self.vectors.len() / self.dim
    }

    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The query's rows.
    pub(crate) fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.vectors.chunks_exact(self.dim)
    }

    pub(crate) fn codec(&self) -> Option<&Arc<Codec>> {
        self.coded.as_ref().map(|coded| &coded.codec)
    }

    /// Refuses codes of another codec than the query was made ready for.
    pub(crate) fn check(&self, codec: &Codec) -> Result<()> {
        let found = self.codec().map_or(0, |own| own.fingerprint());
        if found == codec.fingerprint() {
            return Ok(());
        }
        Err(Error::OtherCodec {
            what: "the query".to_owned(),
            expected: codec.fingerprint(),
            found,
        })
    }

    /// Empty without a codec.
    pub(crate) fn centroid_scores(&self) -> CentroidScores<'_> {
        match &self.coded {
            Some(coded) => CentroidScores {
                values: &coded.centroid_scores,
                n_rows: coded.n_rows,
            },
            None => CentroidScores::default(),
        }
    }

    /// Query tokens' best scores over a coded document; -inf for one without tokens.
    pub(crate) fn best_of<'s>(
        &self,
        tokens: Tokens<'_>,
        codes: &[u8],
        scratch: &'s mut Scratch,
    ) -> &'s [f32] {
        let Some(coded) = self.coded.as_ref().filter(|coded| coded.n_rows > 0) else {
            return &[];
        };
        scratch.best.clear();
        scratch.best.resize(coded.n_rows, f32::NEG_INFINITY);
        let n_tokens = tokens.inverse_norms.len();
        for from in (0..n_tokens).step_by(TILE) {
            let range = from..(from + TILE).min(n_tokens);
            coded.products_of(codes, range.clone(), &mut scratch.products);
            let work = Maxima {
                tokens: tokens.slice(range),
                products: &scratch.products,
                centroid_scores: &coded.centroid_scores,
                scales: coded.scales(),
            };
            maxima(coded.isa, &work, &mut scratch.best);
        }
        &scratch.best[..self.n_tokens()]
    }

    /// Every product of a coded document: `visit(document token, query token, score)`.
    pub(crate) fn each_score(
        &self,
        tokens: Tokens<'_>,
        codes: &[u8],
        mut visit: impl FnMut(usize, usize, f32),
    ) {
        let Some(coded) = &self.coded else { return };
        let mut products = Vec::new();
        coded.products_of(codes, 0..tokens.inverse_norms.len(), &mut products);
        for (token, products) in products.chunks_exact(coded.n_rows.max(1)).enumerate() {
            for (row, product) in products[..self.n_tokens()].iter().enumerate() {
                let centroid = tokens.centroids.get(token) * coded.n_rows + row;
                let rest = coded.factor[row] * *product as f32 + coded.offset[row];
                let base = tokens.inverse_norm(token) * coded.centroid_scores[centroid];
                visit(token, row, base + tokens.scale(token) * rest);
            }
        }
    }

    /// One query token, to be compared with cells. O(planes of a cell's block).
    pub(crate) fn row_query(&self, row: usize) -> Option<RowQuery<'_>> {
        let coded = self.coded.as_ref().filter(|_| row < self.n_tokens())?;
        Some(RowQuery::new(coded, row))
    }
}

/// A token of a query, as cells meet it.
pub(crate) struct RowQuery<'q> {
    coded: &'q Coded,
    row: usize,
    /// What each nibble of each plane adds, in steps of `factor` above `offset`.
    tables: Vec<u8>,
    factor: f32,
    offset: f32,
}

impl<'q> RowQuery<'q> {
    fn new(coded: &'q Coded, row: usize) -> Self {
        let (codec, dim) = (&coded.codec, coded.codec.dim());
        let quantizer = codec.quantizer();
        let mut by_slot = vec![0.0; quantizer.layout.n_blocks * BLOCK];
        let values = coded.turned[row * dim..][..dim].iter();
        for (component, (x, spread)) in values.zip(&quantizer.spreads).enumerate() {
            by_slot[quantizer.layout.slot(component)] = x * spread;
        }
        let floats = quantizer.of_nibbles(&by_slot);
        let range = |table: &[f32; PLANE]| {
            let low = table.iter().copied().fold(f32::INFINITY, f32::min);
            let high = table.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            (low, high - low)
        };
        let ranges: Vec<(f32, f32)> = floats.iter().map(range).collect();
        let widest = ranges
            .iter()
            .fold(0.0f32, |most, (_, wide)| most.max(*wide));
        let steps = (MAX_SUM / floats.len().max(1)).min(255) as f32;
        let factor = widest.max(1e-9) / steps;
        let entries = floats
            .iter()
            .zip(&ranges)
            .flat_map(|(table, (low, _))| table.map(|x| ((x - low) / factor + 0.5) as u8));
        Self {
            coded,
            row,
            tables: entries.collect(),
            factor,
            offset: ranges.iter().map(|(low, _)| low).sum(),
        }
    }

    /// Calls `visit(document, score)` for the tokens of a cell whose scores, as far as its coarse codes
    /// tell them, are above `floor`. `next` is the cell that comes after.
    pub(crate) fn visit(
        &self,
        (centroid, cell): (usize, &Cell<'_>),
        next: Option<&Cell<'_>>,
        floor: f32,
        visit: impl FnMut(u32, f32),
    ) {
        let coded = self.coded;
        let wanted = CellQuery {
            tables: &self.tables,
            base: coded.centroid_scores[centroid * coded.n_rows + self.row],
            factor: self.factor,
            offset: self.offset,
            floor,
        };
        let next = next.map_or(&[][..], |next| next.blocks);
        visit_cell(coded.isa, cell, next, &wanted, visit);
    }
}

impl Coded {
    fn new(codec: &Arc<Codec>, vectors: &TokenMatrix<'_>) -> Self {
        let dim = codec.dim();
        let n_tokens = vectors.n_tokens();
        let n_rows = n_tokens.next_multiple_of(ROW_GROUP);
        let layout = codec.layout();
        let mut turned = codec.turned(vectors.values());
        let mut rows = PackedRows::new(n_rows, layout.n_blocks);
        let (mut factor, mut offset) = (vec![0.0; n_rows], vec![0.0; n_rows]);
        for (at, row) in turned.chunks_exact(dim).enumerate() {
            let values = in_levels(codec, row);
            let set = |slot, value| rows.set(at, slot, value);
            (factor[at], offset[at]) = quantise(codec, &values, set);
        }
        turned.resize(n_rows * dim, 0.0);
        let isa = Isa::detect();
        let scores = centroid_scores(isa, &codec.centroids(), &turned);
        Self {
            codec: Arc::clone(codec),
            isa,
            n_rows,
            rows,
            factor,
            offset,
            turned,
            centroid_scores: scores,
        }
    }

    fn scales(&self) -> Scales<'_> {
        Scales {
            factor: &self.factor,
            offset: &self.offset,
        }
    }

    fn codes<'a>(&'a self, bytes: &'a [u8]) -> Codes<'a> {
        let layout = self.codec.layout();
        Codes { layout, bytes }
    }

    fn products_of(&self, codes: &[u8], tokens: std::ops::Range<usize>, out: &mut Vec<i32>) {
        let stride = self.codec.code_bytes();
        out.clear();
        out.resize(tokens.len() * self.n_rows, 0);
        let codes = &codes[tokens.start * stride..tokens.end * stride];
        products(self.isa, &self.codes(codes), &self.rows, out);
    }
}

/// What a level more of each component adds to the product with a row.
fn in_levels(codec: &Codec, row: &[f32]) -> Vec<f32> {
    let quantizer = codec.quantizer();
    let spreads = row.iter().zip(&quantizer.spreads).enumerate();
    spreads
        .map(|(component, (x, spread))| x * spread * quantizer.group(component).step)
        .collect()
}

/// Hands out values from -127 to 127; gives the factor of their products with levels, and what is to
/// be added. Products with weights come out as if the query had been rounded: what rounding takes
/// from the centre of the levels, it takes from both.
fn quantise(codec: &Codec, values: &[f32], mut set: impl FnMut(usize, i8)) -> (f32, f32) {
    let largest = values
        .iter()
        .fold(0.0f32, |largest, x| largest.max(x.abs()));
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    let mut offset = 0.0;
    for (component, x) in values.iter().enumerate() {
        let rounded = (x / scale).round();
        set(codec.layout().slot(component), rounded as i8);
        offset -= scale * rounded * codec.quantizer().group(component).centre;
    }
    (scale, offset)
}
