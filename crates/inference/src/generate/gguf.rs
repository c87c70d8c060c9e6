//! A GGUF file: what its metadata says about the model, its tensors and its tokenizer.
//!
//! Names of keys and tensors are those of llama.cpp's `gguf-py/gguf/constants.py`.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use candle_core::Device;
use candle_core::quantized::QTensor;
use candle_core::quantized::gguf_file::{Content, Value};
use candle_core::quantized::tokenizer::TokenizerFromGguf;
use tokenizers::SplitDelimiterBehavior;
use tokenizers::Tokenizer;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};

use crate::error::InferenceError;

/// How Llama 3 and later take a text apart, as in Meta's `tokenizer.py`.
const LLAMA_3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// A decoder's family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelFamily {
    /// Rotary pairs lie beside each other.
    Llama,
    /// Rotary pairs lie half a head apart; query, key and value have biases.
    Qwen2,
    /// As Qwen2 without biases, with a norm over each head of query and key.
    Qwen3,
}

/// The shape of a decoder.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub(super) family: ModelFamily,
    pub(super) n_layers: usize,
    pub(super) dim: usize,
    pub(super) n_heads: usize,
    pub(super) n_kv_heads: usize,
    pub(super) head_dim: usize,
    pub(super) eps: f32,
    pub(super) rope_base: f64,
    pub(super) context_tokens: usize,
}

pub(super) struct GgufFile {
    path: PathBuf,
    content: Content,
    reader: BufReader<File>,
}

impl GgufFile {
    pub(super) fn open(path: &Path) -> Result<Self, InferenceError> {
        let file = File::open(path).map_err(InferenceError::file("read", path))?;
        let mut reader = BufReader::new(file);
        let content = Content::read(&mut reader).map_err(|error| {
            InferenceError::gguf(path, format!("it is not a GGUF file: {error}"))
        })?;
        Ok(Self {
            path: path.to_owned(),
            content,
            reader,
        })
    }

    pub(super) fn error(&self, detail: impl Into<String>) -> InferenceError {
        InferenceError::gguf(&self.path, detail.into())
    }

    /// The file's name without its ending.
    pub(super) fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        let value = self.content.metadata.get(key)?;
        value.to_string().ok().map(String::as_str)
    }

    pub(super) fn number(&self, key: &str) -> Option<usize> {
        let value = self.content.metadata.get(key)?;
        let number = match value {
            Value::U8(n) => u64::from(*n),
            Value::U16(n) => u64::from(*n),
            Value::U32(n) => u64::from(*n),
            Value::U64(n) => *n,
            Value::I32(n) => u64::try_from(*n).ok()?,
            Value::I64(n) => u64::try_from(*n).ok()?,
            _ => return None,
        };
        usize::try_from(number).ok()
    }

    fn real(&self, key: &str) -> Option<f64> {
        match self.content.metadata.get(key)? {
            Value::F32(value) => Some(f64::from(*value)),
            Value::F64(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn config(&self) -> Result<Config, InferenceError> {
        let arch = self.text("general.architecture").unwrap_or_default();
        let family = match arch {
            "llama" => ModelFamily::Llama,
            "qwen2" => ModelFamily::Qwen2,
            "qwen3" => ModelFamily::Qwen3,
            other => {
                return Err(self.error(format!(
                    "its architecture is {other:?}; llama, qwen2 and qwen3 are known"
                )));
            }
        };
        if self.number(&format!("{arch}.expert_count")).unwrap_or(0) > 0 {
            return Err(self.error("mixtures of experts are not known"));
        }
        let number = |key: &str| {
            let key = format!("{arch}.{key}");
            let found = self.number(&key).filter(|n| *n > 0);
            found.ok_or_else(|| self.error(format!("{key} is missing")))
        };
        let (dim, n_heads) = (number("embedding_length")?, number("attention.head_count")?);
        let n_kv_heads = number("attention.head_count_kv").unwrap_or(n_heads);
        let head_dim = number("attention.key_length").unwrap_or(dim / n_heads);
        if !n_heads.is_multiple_of(n_kv_heads) || head_dim == 0 || !head_dim.is_multiple_of(2) {
            return Err(self.error(format!(
                "{n_heads} heads of {head_dim} and {n_kv_heads} for keys do not go together"
            )));
        }
        let rotated = number("rope.dimension_count").unwrap_or(head_dim);
        if rotated != head_dim {
            return Err(self.error(format!("{rotated} of {head_dim} dimensions are rotated")));
        }
        Ok(Config {
            family,
            n_layers: number("block_count")?,
            dim,
            n_heads,
            n_kv_heads,
            head_dim,
            eps: self
                .real(&format!("{arch}.attention.layer_norm_rms_epsilon"))
                .unwrap_or(1e-5) as f32,
            rope_base: self.real(&format!("{arch}.rope.freq_base")).unwrap_or(1e4),
            context_tokens: number("context_length")?,
        })
    }

    /// The tokenizer beside the file, or the one inside it.
    pub(super) fn tokenizer(&self) -> Result<Tokenizer, InferenceError> {
        let beside = self.path.with_file_name("tokenizer.json");
        let mut tokenizer = if beside.is_file() {
            Tokenizer::from_file(&beside).map_err(|source| InferenceError::Tokenize { source })?
        } else {
            self.own_tokenizer()?
        };
        tokenizer.with_padding(None);
        let lifted = tokenizer.with_truncation(None).map(|_| ());
        lifted.map_err(|source| InferenceError::Tokenize { source })?;
        // Names of special tokens inside a text are text: code may hold them.
        tokenizer.set_encode_special_tokens(true);
        Ok(tokenizer)
    }

    fn own_tokenizer(&self) -> Result<Tokenizer, InferenceError> {
        let mut tokenizer = Tokenizer::from_gguf(&self.content).map_err(|error| {
            self.error(format!(
                "its tokenizer cannot be used ({error}); put the model's tokenizer.json beside it"
            ))
        })?;
        // What candle does not know it reads as GPT-2 with a space before every text, which no
        // model of these families was trained on.
        let bytes = || ByteLevel::new(false, true, true);
        match self.text("tokenizer.ggml.pre").unwrap_or_default() {
            "qwen2" | "smaug-bpe" | "lfm2" | "llama3" => {}
            "llama-bpe" => {
                let split = Split::new(
                    SplitPattern::Regex(LLAMA_3.to_owned()),
                    SplitDelimiterBehavior::Isolated,
                    false,
                )
                .map_err(|source| InferenceError::Tokenize { source })?;
                let parts = vec![split.into(), ByteLevel::new(false, true, false).into()];
                tokenizer.with_pre_tokenizer(Some(Sequence::new(parts)));
            }
            "smollm" => {
                let parts = vec![Digits::new(true).into(), bytes().into()];
                tokenizer.with_pre_tokenizer(Some(Sequence::new(parts)));
            }
            _ => {
                tokenizer.with_pre_tokenizer(Some(bytes()));
            }
        }
        Ok(tokenizer)
    }

    pub(super) fn has(&self, tensor: &str) -> bool {
        self.content.tensor_infos.contains_key(tensor)
    }

    /// A tensor of that shape.
    pub(super) fn tensor(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> Result<QTensor, InferenceError> {
        let read = self.content.tensor(&mut self.reader, name, &Device::Cpu);
        let tensor = read.map_err(|error| self.error(format!("tensor {name}: {error}")))?;
        if tensor.shape().dims() != shape {
            let found = tensor.shape().dims().to_vec();
            return Err(self.error(format!("tensor {name} is {found:?}, not {shape:?}")));
        }
        Ok(tensor)
    }

    /// The first dimension of a tensor.
    pub(super) fn n_rows(&self, tensor: &str) -> Result<usize, InferenceError> {
        let info = self.content.tensor_infos.get(tensor);
        let rows = info.and_then(|info| info.shape.dims().first().copied());
        rows.ok_or_else(|| self.error(format!("tensor {tensor} is missing")))
    }

    /// A vector as plain numbers.
    pub(super) fn vector(&mut self, name: &str, len: usize) -> Result<Vec<f32>, InferenceError> {
        let tensor = self.tensor(name, &[len])?;
        let plain = tensor.dequantize(&Device::Cpu).and_then(|t| t.to_vec1());
        plain.map_err(|error| self.error(format!("tensor {name}: {error}")))
    }
}
