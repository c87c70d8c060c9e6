//! Spherical k-means on unit vectors, with assignment by matrix products.

use gemm::Parallelism;

/// Points for each centroid that take part.
const POINTS_PER_CENTROID: usize = 64;
/// Points scored at a time: the scores of a tile stay in the cache.
const TILE: usize = 256;

/// Unit centroids of `points` (rows of `dim`): `k`, or as many as there are points.
/// O(rounds × min(n, 64 k) × k × dim).
pub(super) fn spherical(
    points: &[f32],
    dim: usize,
    k: usize,
    rounds: usize,
    random: &mut fastrand::Rng,
) -> Vec<f32> {
    let n = points.len() / dim;
    let mut chosen: Vec<usize> = (0..n).collect();
    random.shuffle(&mut chosen);
    chosen.truncate(k * POINTS_PER_CENTROID);
    let row = |at: usize| &points[at * dim..(at + 1) * dim];
    let sample: Vec<f32> = chosen.iter().flat_map(|at| row(*at)).copied().collect();
    let k = k.min(chosen.len());
    let mut centroids = sample[..k * dim].to_vec();
    for centroid in centroids.chunks_exact_mut(dim) {
        normalise(centroid);
    }
    if k == 1 {
        centroids = mean(&sample, dim);
    }
    let mut nearest = vec![0u32; chosen.len()];
    for _ in 0..rounds {
        if k == 1 || chosen.len() <= k || !assign(&sample, &centroids, dim, &mut nearest) {
            break;
        }
        update(&sample, &nearest, &mut centroids, dim);
    }
    centroids
}

fn mean(points: &[f32], dim: usize) -> Vec<f32> {
    let mut mean = vec![0.0; dim];
    for point in points.chunks_exact(dim) {
        mean.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
    }
    normalise(&mut mean);
    mean
}

/// Points to their nearest centroids; says whether any moved.
fn assign(points: &[f32], centroids: &[f32], dim: usize, nearest: &mut [u32]) -> bool {
    let k = centroids.len() / dim;
    let mut scores = vec![0.0; TILE * k];
    let mut moved = false;
    for (points, nearest) in points.chunks(TILE * dim).zip(nearest.chunks_mut(TILE)) {
        let scores = &mut scores[..nearest.len() * k];
        scores_of(points, centroids, dim, scores);
        for (nearest, scores) in nearest.iter_mut().zip(scores.chunks_exact(k)) {
            let best = largest(scores);
            moved |= *nearest != best;
            *nearest = best;
        }
    }
    moved
}

/// New centroids: the directions of the sums. A centroid without a point stays where it was.
fn update(points: &[f32], nearest: &[u32], centroids: &mut [f32], dim: usize) {
    let mut sums = vec![0.0; centroids.len()];
    for (point, centroid) in points.chunks_exact(dim).zip(nearest) {
        let sum = &mut sums[*centroid as usize * dim..][..dim];
        sum.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
    }
    for (centroid, sum) in centroids
        .chunks_exact_mut(dim)
        .zip(sums.chunks_exact_mut(dim))
    {
        if normalise(sum) {
            centroid.copy_from_slice(sum);
        }
    }
}

/// The index of the largest; the first of equal ones.
pub(super) fn largest(scores: &[f32]) -> u32 {
    let mut best = (0, f32::NEG_INFINITY);
    for (at, score) in (0u32..).zip(scores) {
        if *score > best.1 {
            best = (at, *score);
        }
    }
    best.0
}

/// To unit length; says whether there was a direction.
fn normalise(row: &mut [f32]) -> bool {
    let norm = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    let has_direction = norm > 1e-6;
    if has_direction {
        row.iter_mut().for_each(|x| *x /= norm);
    }
    has_direction
}

/// `out[i * n_b + j] = a_i · b_j` for rows of `dim`; one thread.
pub(crate) fn scores_of(a: &[f32], b: &[f32], dim: usize, out: &mut [f32]) {
    let (n_a, n_b) = (a.len() / dim, b.len() / dim);
    assert!(n_a * n_b == out.len() && a.len() == n_a * dim && b.len() == n_b * dim);
    if out.is_empty() {
        return;
    }
    let (wide, narrow) = (n_b.cast_signed(), dim.cast_signed());
    #[expect(unsafe_code, reason = "gemm takes pointers and strides")]
    // SAFETY: the three slices hold n_a x dim, n_b x dim and n_a x n_b values, as asserted, and are
    // read and written by rows of these lengths; `out` is borrowed uniquely.
    unsafe {
        gemm::gemm(
            n_a,
            n_b,
            dim,
            out.as_mut_ptr(),
            1,
            wide,
            false,
            a.as_ptr(),
            1,
            narrow,
            b.as_ptr(),
            narrow,
            1,
            0.0f32,
            1.0f32,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}
