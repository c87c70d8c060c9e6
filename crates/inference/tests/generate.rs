//! The GGUF decoder on tiny seeded models: against loops in double precision, and on bad files.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up should panic")]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use whyrank_inference::{Chat, Generator, InferenceError};

const DIM: usize = 32;
const N_HEADS: usize = 4;
const N_KV_HEADS: usize = 2;
const HEAD: usize = 8;
const FEED: usize = 64;
const N_LAYERS: usize = 2;
const BASE: f32 = 100.0;
const EPS: f32 = 1e-5;
const MARKS: [&str; 2] = ["<|im_start|>", "<|im_end|>"];

type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

/// A small generator of numbers between -1 and 1.
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}

fn words() -> Vec<String> {
    let mut words: Vec<String> = ByteLevel::alphabet().iter().map(char::to_string).collect();
    words.sort();
    words.extend(MARKS.map(str::to_owned));
    words
}

fn tensors(family: &str) -> Tensors {
    let mut seeded = Seeded(7);
    let mut tensors = Tensors::new();
    let mut add = |name: String, shape: &[usize], around: f32| {
        let n = shape.iter().product();
        let values = (0..n).map(|_| around + 0.3 * seeded.next()).collect();
        tensors.insert(name, (shape.to_vec(), values));
    };
    add("token_embd.weight".into(), &[words().len(), DIM], 0.0);
    add("output_norm.weight".into(), &[DIM], 1.0);
    for at in 0..N_LAYERS {
        let name = |part: &str| format!("blk.{at}.{part}");
        add(name("attn_norm.weight"), &[DIM], 1.0);
        add(name("ffn_norm.weight"), &[DIM], 1.0);
        for (part, n) in [("q", N_HEADS), ("k", N_KV_HEADS), ("v", N_KV_HEADS)] {
            add(name(&format!("attn_{part}.weight")), &[n * HEAD, DIM], 0.0);
            if family == "qwen2" {
                add(name(&format!("attn_{part}.bias")), &[n * HEAD], 0.0);
            }
        }
        if family == "qwen3" {
            add(name("attn_q_norm.weight"), &[HEAD], 1.0);
            add(name("attn_k_norm.weight"), &[HEAD], 1.0);
        }
        add(name("attn_output.weight"), &[DIM, N_HEADS * HEAD], 0.0);
        add(name("ffn_gate.weight"), &[FEED, DIM], 0.0);
        add(name("ffn_up.weight"), &[FEED, DIM], 0.0);
        add(name("ffn_down.weight"), &[DIM, FEED], 0.0);
    }
    tensors
}

fn metadata(family: &str) -> Vec<(String, Value)> {
    let of = |key: &str| format!("{family}.{key}");
    let list = |words: Vec<String>| Value::Array(words.into_iter().map(Value::String).collect());
    let kinds = words()
        .iter()
        .map(|word| Value::I32(if word.len() > 4 { 3 } else { 1 }))
        .collect();
    vec![
        ("general.architecture".into(), Value::String(family.into())),
        (of("block_count"), Value::U32(N_LAYERS as u32)),
        (of("context_length"), Value::U32(2048)),
        (of("embedding_length"), Value::U32(DIM as u32)),
        (of("feed_forward_length"), Value::U32(FEED as u32)),
        (of("attention.head_count"), Value::U32(N_HEADS as u32)),
        (of("attention.head_count_kv"), Value::U32(N_KV_HEADS as u32)),
        (of("attention.layer_norm_rms_epsilon"), Value::F32(EPS)),
        (of("rope.freq_base"), Value::F32(BASE)),
        ("tokenizer.ggml.model".into(), Value::String("gpt2".into())),
        ("tokenizer.ggml.pre".into(), Value::String("gpt-2".into())),
        ("tokenizer.ggml.tokens".into(), list(words())),
        ("tokenizer.ggml.token_type".into(), Value::Array(kinds)),
        ("tokenizer.ggml.merges".into(), list(Vec::new())),
        (
            "tokenizer.chat_template".into(),
            Value::String("{{ '<|im_start|>' + message['role'] }}".into()),
        ),
    ]
}

fn write(path: &Path, metadata: &[(String, Value)], tensors: &Tensors, kind: GgmlDType) {
    let quantised: Vec<(String, QTensor)> = tensors
        .iter()
        .map(|(name, (shape, values))| {
            let plain = Tensor::from_slice(values, shape.as_slice(), &Device::Cpu).unwrap();
            let kind = if shape.len() == 2 {
                kind
            } else {
                GgmlDType::F32
            };
            (name.clone(), QTensor::quantize(&plain, kind).unwrap())
        })
        .collect();
    let metadata: Vec<_> = metadata
        .iter()
        .map(|(key, value)| (key.as_str(), value))
        .collect();
    let quantised: Vec<_> = quantised
        .iter()
        .map(|(name, tensor)| (name.as_str(), tensor))
        .collect();
    let mut file = BufWriter::new(File::create(path).unwrap());
    gguf_file::write(&mut file, &metadata, &quantised).unwrap();
}

fn model(folder: &Path, family: &str, kind: GgmlDType) -> PathBuf {
    let path = folder.join(format!("{family}.gguf"));
    write(&path, &metadata(family), &tensors(family), kind);
    path
}

/// The same model by loops.
struct Reference {
    family: String,
    tensors: Tensors,
}

impl Reference {
    fn values(&self, name: &str) -> Vec<f64> {
        self.tensors[name]
            .1
            .iter()
            .map(|value| f64::from(*value))
            .collect()
    }

    fn times(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let weight = self.values(name);
        let mut out: Vec<f64> = weight
            .chunks(x.len())
            .map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum())
            .collect();
        let bias = name.replace(".weight", ".bias");
        if self.tensors.contains_key(&bias) {
            for (out, bias) in out.iter_mut().zip(self.values(&bias)) {
                *out += bias;
            }
        }
        out
    }

    fn norm(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let weight = self.values(name);
        let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
        let scale = 1.0 / (mean + f64::from(EPS)).sqrt();
        x.iter().zip(weight).map(|(x, w)| x * scale * w).collect()
    }

    /// Turns one head; pairs by the family.
    fn turn(&self, head: &[f64], at: usize) -> Vec<f64> {
        let mut out = head.to_vec();
        for pair in 0..HEAD / 2 {
            let angle = at as f64 / f64::from(BASE).powf(2.0 * pair as f64 / HEAD as f64);
            let (i, j) = match self.family.as_str() {
                "llama" => (2 * pair, 2 * pair + 1),
                _ => (pair, pair + HEAD / 2),
            };
            out[i] = head[i] * angle.cos() - head[j] * angle.sin();
            out[j] = head[i] * angle.sin() + head[j] * angle.cos();
        }
        out
    }

    fn heads(&self, layer: usize, part: &str, x: &[f64], at: usize) -> Vec<Vec<f64>> {
        let all = self.times(&format!("blk.{layer}.attn_{part}.weight"), x);
        let norm = format!("blk.{layer}.attn_{part}_norm.weight");
        let head = |head: &[f64]| match (part, self.tensors.contains_key(&norm)) {
            ("v", _) => head.to_vec(),
            (_, true) => self.turn(&self.norm(&norm, head), at),
            (_, false) => self.turn(head, at),
        };
        all.chunks(HEAD).map(head).collect()
    }

    fn scores(&self, tokens: &[u32]) -> Vec<f64> {
        let embedding = self.values("token_embd.weight");
        let row = |token: &u32| embedding[*token as usize * DIM..][..DIM].to_vec();
        let mut states: Vec<Vec<f64>> = tokens.iter().map(row).collect();
        for layer in 0..N_LAYERS {
            self.layer(layer, &mut states);
        }
        let last = self.norm("output_norm.weight", states.last().unwrap());
        self.times("token_embd.weight", &last)
    }

    fn layer(&self, layer: usize, states: &mut [Vec<f64>]) {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        let inputs: Vec<Vec<f64>> = states
            .iter()
            .map(|x| self.norm(&name("attn_norm"), x))
            .collect();
        let all = |part: &str| -> Vec<Vec<Vec<f64>>> {
            let heads = inputs.iter().enumerate();
            heads
                .map(|(at, x)| self.heads(layer, part, x, at))
                .collect()
        };
        let (queries, keys, values) = (all("q"), all("k"), all("v"));
        for (at, state) in states.iter_mut().enumerate() {
            let mut attended = Vec::new();
            for (head, query) in queries[at].iter().enumerate() {
                let kv = head / (N_HEADS / N_KV_HEADS);
                let dot = |key: &[f64]| -> f64 {
                    let products = query.iter().zip(key).map(|(q, k)| q * k);
                    products.sum::<f64>() / (HEAD as f64).sqrt()
                };
                let weights: Vec<f64> = (0..=at).map(|to| dot(&keys[to][kv]).exp()).collect();
                let sum: f64 = weights.iter().sum();
                attended.extend((0..HEAD).map(|i| -> f64 {
                    let parts = weights
                        .iter()
                        .zip(&values)
                        .map(|(w, value)| w / sum * value[kv][i]);
                    parts.sum()
                }));
            }
            for (state, more) in state
                .iter_mut()
                .zip(self.times(&name("attn_output"), &attended))
            {
                *state += more;
            }
            let input = self.norm(&name("ffn_norm"), state);
            let (gate, up) = (
                self.times(&name("ffn_gate"), &input),
                self.times(&name("ffn_up"), &input),
            );
            let fed: Vec<f64> = gate
                .iter()
                .zip(&up)
                .map(|(g, u)| g / (1.0 + (-g).exp()) * u)
                .collect();
            for (state, more) in state.iter_mut().zip(self.times(&name("ffn_down"), &fed)) {
                *state += more;
            }
        }
    }
}

fn distance(a: &[f32], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let apart = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - b).abs());
    apart.fold(0.0, f64::max)
}

fn tokens() -> Vec<u32> {
    (0..90).map(|at| (at * 37 + 11) % 256).collect()
}

#[test]
fn every_family_agrees_with_loops_at_once_and_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    for family in ["llama", "qwen2", "qwen3"] {
        let path = model(folder.path(), family, GgmlDType::F32);
        let generator = Generator::open(&path).unwrap();
        let reference = Reference {
            family: family.to_owned(),
            tensors: tensors(family),
        };
        let expected = reference.scores(&tokens());
        for at_once in [true, false] {
            let scores = generator.scores(&tokens(), at_once).unwrap();
            let apart = distance(&scores, &expected);
            assert!(apart < 2e-4, "{family}, at once {at_once}: {apart}");
        }
    }
}

/// `tests/transformers/reference.py` wrote the figures.
#[test]
fn code_rank_llm_s_architecture_gives_what_transformers_gives() {
    let folder = tempfile::tempdir().unwrap();
    let path = model(folder.path(), "qwen2", GgmlDType::F32);
    let generator = Generator::open(&path).unwrap();
    let all = include_str!("transformers/expected.json");
    let all: serde_json::Value = serde_json::from_str(all).unwrap();
    let expected: Vec<f64> = serde_json::from_value(all["qwen2_scores"].clone()).unwrap();
    for at_once in [true, false] {
        let scores = generator.scores(&tokens(), at_once).unwrap();
        let apart = distance(&scores, &expected);
        assert!(apart < 1e-4, "at once {at_once}: {apart}");
    }
}

#[test]
fn quantised_products_agree_with_dequantised_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = model(folder.path(), "llama", GgmlDType::Q8_0);
    let generator = Generator::open(&path).unwrap();
    let once = generator.scores(&tokens(), true).unwrap();
    let steps = generator.scores(&tokens(), false).unwrap();
    let steps: Vec<f64> = steps.into_iter().map(f64::from).collect();
    let apart = distance(&once, &steps);
    assert!(apart < 0.2, "{apart}");
}

fn chat(user: &str) -> Chat<'_> {
    Chat {
        system: "rank",
        user,
        max_tokens: 12,
    }
}

#[test]
fn answers_end_when_they_are_whole_or_long_enough() {
    let folder = tempfile::tempdir().unwrap();
    let generator = Generator::open(&model(folder.path(), "llama", GgmlDType::F32)).unwrap();
    let whole = generator
        .answer(&chat("abc"), &|_| false, &|| false)
        .unwrap();
    let again = generator
        .answer(&chat("abc"), &|_| false, &|| false)
        .unwrap();
    assert_eq!(whole, again);
    let n_calls = Cell::new(0);
    let third = |_: &str| {
        n_calls.set(n_calls.get() + 1);
        n_calls.get() == 3
    };
    generator.answer(&chat("abc"), &third, &|| false).unwrap();
    assert!(n_calls.get() <= 3);
}

#[test]
fn a_stop_is_heard_and_a_chat_beyond_the_context_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let generator = Generator::open(&model(folder.path(), "llama", GgmlDType::F32)).unwrap();
    let stopped = generator.answer(&chat("abc"), &|_| false, &|| true);
    assert!(matches!(stopped, Err(InferenceError::Cancelled)));
    let long = "x".repeat(3000);
    let error = generator
        .answer(&chat(&long), &|_| false, &|| false)
        .unwrap_err();
    assert!(error.to_string().contains("2048 of context"), "{error}");
}

#[test]
fn marks_inside_a_text_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let generator = Generator::open(&model(folder.path(), "llama", GgmlDType::F32)).unwrap();
    assert_eq!(generator.n_tokens("<|im_end|>"), "<|im_end|>".len());
    assert_eq!(generator.cut("añbc", 3), "añ");
    assert_eq!(generator.cut("abc", 9), "abc");
    assert_eq!(generator.cut("abc", 0), "");
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let said = |path: &Path| Generator::open(path).err().unwrap().to_string();
    let path = folder.path().join("bad.gguf");
    std::fs::write(&path, b"not a model").unwrap();
    assert!(said(&path).contains("not a GGUF file"));

    let mut other = metadata("llama");
    other[0].1 = Value::String("mamba".into());
    write(&path, &other, &tensors("llama"), GgmlDType::F32);
    assert!(said(&path).contains("\"mamba\""));

    let mut missing = tensors("llama");
    missing.remove("blk.1.ffn_up.weight");
    write(&path, &metadata("llama"), &missing, GgmlDType::F32);
    assert!(said(&path).contains("blk.1.ffn_up.weight"));

    let mut odd = tensors("llama");
    odd.insert("blk.0.attn_norm.weight".into(), (vec![3], vec![1.0; 3]));
    write(&path, &metadata("llama"), &odd, GgmlDType::F32);
    assert!(said(&path).contains("blk.0.attn_norm.weight is [3]"));

    let mut no_chat = metadata("llama");
    no_chat.retain(|(key, _)| key != "tokenizer.chat_template");
    no_chat.push((
        "tokenizer.chat_template".into(),
        Value::String("plain".into()),
    ));
    write(&path, &no_chat, &tensors("llama"), GgmlDType::F32);
    assert!(said(&path).contains("chat template"));

    let whole = std::fs::read(model(folder.path(), "llama", GgmlDType::F32)).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 4000]).unwrap();
    assert!(said(&path).contains("remaining"));
}

/// The real model, where there is one: `WHYRANK_TEST_GGUF=/path/to/SmolLM2-135M-Instruct.Q4_1.gguf`.
#[test]
fn the_real_model_answers_a_plain_question() {
    let Some(path) = std::env::var_os("WHYRANK_TEST_GGUF") else {
        return;
    };
    let generator = Generator::open(Path::new(&path)).unwrap();
    let chat = Chat {
        system: "You are a helpful assistant.",
        user: "What is the capital of France? Answer with one word.",
        max_tokens: 16,
    };
    let answer = generator.answer(&chat, &|_| false, &|| false).unwrap();
    assert!(answer.contains("Paris"), "{answer}");
}
