//! A hit, and the best of many.

/// A document and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The document.
    pub id: u32,
    /// `sum_i max_j q_i · d_j`.
    pub score: f32,
}

/// By falling score, then by id.
pub(super) fn sort(hits: &mut [Hit]) {
    hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
}

/// The best `k`, in order. O(n + k log k).
pub(crate) fn best(mut hits: Vec<Hit>, k: usize) -> Vec<Hit> {
    if k == 0 {
        return Vec::new();
    }
    if hits.len() > k {
        hits.select_nth_unstable_by(k - 1, |a, b| {
            b.score.total_cmp(&a.score).then(a.id.cmp(&b.id))
        });
        hits.truncate(k);
    }
    sort(&mut hits);
    hits
}
