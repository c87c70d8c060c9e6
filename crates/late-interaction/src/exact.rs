//! MaxSim on the vectors themselves: the oracle that everything else is measured by.

use crate::matrix::TokenMatrix;

/// Returns for each query token the best document token and their product.
///
/// `None` when the document has no token. Of equal products the first token wins.
/// O(query tokens × document tokens × dim).
pub fn best_tokens(query: &TokenMatrix<'_>, document: &TokenMatrix<'_>) -> Option<Vec<(u32, f32)>> {
    (document.n_tokens() > 0).then(|| {
        let best = |query: &[f32]| {
            let mut best = (0, f32::NEG_INFINITY);
            for (token, row) in (0u32..).zip(document.rows()) {
                let product = dot(query, row);
                if product > best.1 {
                    best = (token, product);
                }
            }
            best
        };
        query.rows().map(best).collect()
    })
}

/// Returns `sum_i max_j q_i · d_j` (Khattab, Zaharia 2020); 0 for a document without tokens.
///
/// ```
/// use whyrank_late_interaction::{TokenMatrix, max_sim};
/// let query = TokenMatrix::new(2, &[1.0, 0.0]).unwrap();
/// let document = TokenMatrix::new(2, &[0.6, 0.8, 0.0, 1.0]).unwrap();
/// assert_eq!(max_sim(&query, &document), 0.6);
/// ```
pub fn max_sim(query: &TokenMatrix<'_>, document: &TokenMatrix<'_>) -> f32 {
    let best = best_tokens(query, document).unwrap_or_default();
    best.iter().map(|(_, product)| product).sum()
}

pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0f32; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a_chunks
        .remainder()
        .iter()
        .zip(b_chunks.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}
