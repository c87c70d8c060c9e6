//! ModernBERT in plain f64 loops, straight from their definitions.

use crate::reference::{Rows, Shape, Tensors, add, erf, linear, rotate};

/// Half the window of local layers; every `every`-th layer is global.
pub(crate) struct Modern {
    pub every: usize,
    pub half_window: usize,
    pub global_base: f64,
    pub local_base: f64,
}

pub(crate) fn modern_bert(tensors: &Tensors, shape: &Shape, kind: &Modern, ids: &[u32]) -> Rows {
    let words = embed(tensors, "embeddings.tok_embeddings.weight", shape, ids);
    let mut states = layer_norm(tensors, "embeddings.norm", &words, shape.eps);
    for layer in 0..shape.n_layers {
        let name = |part: &str| format!("layers.{layer}.{part}");
        let is_global = layer % kind.every == 0;
        let normed = match layer {
            0 => states.clone(),
            _ => layer_norm(tensors, &name("attn_norm"), &states, shape.eps),
        };
        let qkv = linear(tensors, &name("attn.Wqkv"), &normed);
        let part = |idx: usize| -> Rows {
            let rows = qkv.iter();
            rows.map(|row| row[idx * shape.dim..][..shape.dim].to_vec())
                .collect()
        };
        let base = if is_global {
            kind.global_base
        } else {
            kind.local_base
        };
        let (query, key) = (rotate(&part(0), shape, base), rotate(&part(1), shape, base));
        let score = |i: usize, j: usize, product: f64| {
            let is_seen = is_global || i.abs_diff(j) <= kind.half_window;
            is_seen.then(|| product / (shape.dim as f64 / shape.n_heads as f64).sqrt())
        };
        let context = attention(&query, &key, &part(2), shape.n_heads, &score);
        states = add(&states, &linear(tensors, &name("attn.Wo"), &context));
        let normed = layer_norm(tensors, &name("mlp_norm"), &states, shape.eps);
        let inner = gated(&linear(tensors, &name("mlp.Wi"), &normed), |x| {
            0.5 * x * (1.0 + erf(x / 2f64.sqrt()))
        });
        states = add(&states, &linear(tensors, &name("mlp.Wo"), &inner));
    }
    layer_norm(tensors, "final_norm", &states, shape.eps)
}

fn embed(tensors: &Tensors, name: &str, shape: &Shape, ids: &[u32]) -> Rows {
    let row = |id: &u32| tensors[name][*id as usize * shape.dim..][..shape.dim].iter();
    ids.iter()
        .map(|id| row(id).map(|x| f64::from(*x)).collect())
        .collect()
}

/// Softmax of what `score(query, key, product)` makes of a product; `None` is out of sight.
fn attention(
    query: &Rows,
    key: &Rows,
    value: &Rows,
    n_heads: usize,
    score: &dyn Fn(usize, usize, f64) -> Option<f64>,
) -> Rows {
    let width = query[0].len();
    let head_dim = width / n_heads;
    let mut context = vec![vec![0.0; width]; query.len()];
    for head in 0..n_heads {
        let part = head * head_dim..(head + 1) * head_dim;
        for i in 0..query.len() {
            let weight = |j: usize| -> f64 {
                let product = part.clone().map(|d| query[i][d] * key[j][d]).sum();
                score(i, j, product).map_or(0.0, f64::exp)
            };
            let weights: Vec<f64> = (0..key.len()).map(weight).collect();
            let total: f64 = weights.iter().sum();
            for d in part.clone() {
                let sum: f64 = weights.iter().zip(value).map(|(w, v)| w * v[d]).sum();
                context[i][d] = sum / total;
            }
        }
    }
    context
}

/// `activation(first half) * second half` of each row.
fn gated(rows: &Rows, activation: impl Fn(f64) -> f64) -> Rows {
    let of_row = |row: &Vec<f64>| {
        let (gate, up) = row.split_at(row.len() / 2);
        gate.iter()
            .zip(up)
            .map(|(g, u)| activation(*g) * u)
            .collect()
    };
    rows.iter().map(of_row).collect()
}

fn layer_norm(tensors: &Tensors, name: &str, rows: &Rows, eps: f64) -> Rows {
    let weight = &tensors[&format!("{name}.weight")];
    let of_row = |row: &Vec<f64>| {
        let n = row.len() as f64;
        let mean = row.iter().sum::<f64>() / n;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let scaled = |(x, w): (&f64, &f32)| (x - mean) / (variance + eps).sqrt() * f64::from(*w);
        row.iter().zip(weight).map(scaled).collect()
    };
    rows.iter().map(of_row).collect()
}
