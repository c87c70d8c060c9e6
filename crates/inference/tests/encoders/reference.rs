//! BERT and NomicBERT in plain f64 loops, straight from their definitions. Slow and obvious.

use std::collections::BTreeMap;

/// Tensors by name, row-major.
pub(crate) type Tensors = BTreeMap<String, Vec<f32>>;

/// Rows of a matrix.
pub(crate) type Rows = Vec<Vec<f64>>;

pub(crate) struct Shape {
    pub dim: usize,
    pub n_heads: usize,
    pub n_layers: usize,
    pub eps: f64,
}

pub(crate) fn bert(tensors: &Tensors, shape: &Shape, ids: &[u32]) -> Rows {
    let mut states = embed(
        tensors,
        shape,
        ids,
        Some("embeddings.position_embeddings.weight"),
    );
    states = layer_norm(tensors, "embeddings.LayerNorm", &states, shape.eps);
    for layer in 0..shape.n_layers {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let project =
            |part: &str| linear(tensors, &name(&format!("attention.self.{part}")), &states);
        let context = attention(&project("query"), &project("key"), &project("value"), shape);
        let attended = linear(tensors, &name("attention.output.dense"), &context);
        let norm = name("attention.output.LayerNorm");
        states = layer_norm(tensors, &norm, &add(&attended, &states), shape.eps);
        let mut inner = linear(tensors, &name("intermediate.dense"), &states);
        inner
            .iter_mut()
            .flatten()
            .for_each(|x| *x = 0.5 * *x * (1.0 + erf(*x / 2f64.sqrt())));
        let out = linear(tensors, &name("output.dense"), &inner);
        states = layer_norm(
            tensors,
            &name("output.LayerNorm"),
            &add(&out, &states),
            shape.eps,
        );
    }
    states
}

pub(crate) fn nomic_bert(tensors: &Tensors, shape: &Shape, base: f64, ids: &[u32]) -> Rows {
    let mut states = embed(tensors, shape, ids, None);
    states = layer_norm(tensors, "emb_ln", &states, shape.eps);
    for layer in 0..shape.n_layers {
        let name = |part: &str| format!("encoder.layers.{layer}.{part}");
        let qkv = linear(tensors, &name("attn.Wqkv"), &states);
        let part = |idx: usize| -> Rows {
            qkv.iter()
                .map(|row| row[idx * shape.dim..][..shape.dim].to_vec())
                .collect()
        };
        let (query, key) = (rotate(&part(0), shape, base), rotate(&part(1), shape, base));
        let attended = linear(
            tensors,
            &name("attn.out_proj"),
            &attention(&query, &key, &part(2), shape),
        );
        states = layer_norm(tensors, &name("norm1"), &add(&attended, &states), shape.eps);
        let up = linear(tensors, &name("mlp.fc11"), &states);
        let gate = linear(tensors, &name("mlp.fc12"), &states);
        let silu = |g: f64| g / (1.0 + (-g).exp());
        let inner: Rows = up
            .iter()
            .zip(&gate)
            .map(|(up, gate)| up.iter().zip(gate).map(|(u, &g)| u * silu(g)).collect())
            .collect();
        let out = linear(tensors, &name("mlp.fc2"), &inner);
        states = layer_norm(tensors, &name("norm2"), &add(&out, &states), shape.eps);
    }
    states
}

fn embed(tensors: &Tensors, shape: &Shape, ids: &[u32], positions: Option<&str>) -> Rows {
    let row = |name: &str, idx: usize| tensors[name][idx * shape.dim..][..shape.dim].to_vec();
    let mut rows = Rows::new();
    for (position, &id) in ids.iter().enumerate() {
        let mut sum: Vec<f64> = vec![0.0; shape.dim];
        let mut parts = vec![
            row("embeddings.word_embeddings.weight", id as usize),
            row("embeddings.token_type_embeddings.weight", 0),
        ];
        parts.extend(positions.map(|name| row(name, position)));
        for part in parts {
            sum.iter_mut()
                .zip(part)
                .for_each(|(x, y)| *x += f64::from(y));
        }
        rows.push(sum);
    }
    rows
}

/// `x * weight^T + bias`, the bias where there is one.
pub(crate) fn linear(tensors: &Tensors, name: &str, rows: &Rows) -> Rows {
    let weight = &tensors[&format!("{name}.weight")];
    let bias = tensors.get(&format!("{name}.bias"));
    rows.iter()
        .map(|row| {
            let dot = |(idx, weights): (usize, &[f32])| {
                let sum: f64 = row
                    .iter()
                    .zip(weights)
                    .map(|(x, &w)| x * f64::from(w))
                    .sum();
                sum + bias.map_or(0.0, |bias| f64::from(bias[idx]))
            };
            weight.chunks(row.len()).enumerate().map(dot).collect()
        })
        .collect()
}

pub(crate) fn layer_norm(tensors: &Tensors, name: &str, rows: &Rows, eps: f64) -> Rows {
    let weight = &tensors[&format!("{name}.weight")];
    let bias = &tensors[&format!("{name}.bias")];
    rows.iter()
        .map(|row| {
            let n = row.len() as f64;
            let mean = row.iter().sum::<f64>() / n;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            let scaled = |((x, &w), &b): ((&f64, &f32), &f32)| {
                (x - mean) / (variance + eps).sqrt() * f64::from(w) + f64::from(b)
            };
            row.iter().zip(weight).zip(bias).map(scaled).collect()
        })
        .collect()
}

pub(crate) fn attention(query: &Rows, key: &Rows, value: &Rows, shape: &Shape) -> Rows {
    let head_dim = shape.dim / shape.n_heads;
    let mut context = vec![vec![0.0; shape.dim]; query.len()];
    for start in (0..shape.dim).step_by(head_dim) {
        for (i, out) in context.iter_mut().enumerate() {
            let score = |key: &Vec<f64>| -> f64 {
                (start..start + head_dim)
                    .map(|d| query[i][d] * key[d])
                    .sum::<f64>()
                    / (head_dim as f64).sqrt()
            };
            let weights: Vec<f64> = key.iter().map(|key| score(key).exp()).collect();
            let total: f64 = weights.iter().sum();
            for d in start..start + head_dim {
                out[d] = weights
                    .iter()
                    .zip(value)
                    .map(|(w, v)| w * v[d])
                    .sum::<f64>()
                    / total;
            }
        }
    }
    context
}

/// `x * cos + rotate_half(x) * sin`, `rotate_half([a, b]) = [-b, a]`.
pub(crate) fn rotate(rows: &Rows, shape: &Shape, base: f64) -> Rows {
    let head_dim = shape.dim / shape.n_heads;
    let half = head_dim / 2;
    let mut rotated = rows.clone();
    for (position, row) in rows.iter().enumerate() {
        for d in 0..shape.dim {
            let (head, within) = (d / head_dim * head_dim, d % head_dim);
            let frequency = base.powf(-2.0 * (within % half) as f64 / head_dim as f64);
            let angle = position as f64 * frequency;
            let turned = if within < half {
                -row[head + within + half]
            } else {
                row[head + within - half]
            };
            rotated[position][d] = row[d] * angle.cos() + turned * angle.sin();
        }
    }
    rotated
}

pub(crate) fn add(a: &Rows, b: &Rows) -> Rows {
    a.iter()
        .zip(b)
        .map(|(a, b)| a.iter().zip(b).map(|(x, y)| x + y).collect())
        .collect()
}

/// By its Taylor series, which suffices for the small values of a tiny model.
pub(crate) fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}
