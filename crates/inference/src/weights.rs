//! Reading safetensors: memory-mapped through candle, dense layers laid out for the forward pass.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use candle_core::safetensors::MmapedSafetensors;
use candle_core::{DType, Device};

use crate::adapter::Adapter;
use crate::error::InferenceError;
use crate::kernels::LayerNorm;

/// The tensors of one file, mapped.
pub(crate) struct Weights {
    file: MmapedSafetensors,
    path: PathBuf,
    /// Put before every name: `""` or `"bert."`, as the file has it.
    prefix: &'static str,
    /// Name of the word table, without prefix.
    words: &'static str,
    adapters: Vec<Arc<Adapter>>,
}

/// How an architecture's files name things.
pub(crate) struct Naming {
    /// The word table; the first that there is.
    pub words: &'static [&'static str],
    /// What a checkpoint may put before every name.
    pub prefixes: &'static [&'static str],
}

/// A dense layer, its weight transposed to `[n_in, n_out]`: the product then runs along the outputs.
pub(crate) struct Linear {
    pub weight: Vec<f32>,
    /// `[n_out]`, or empty.
    pub bias: Vec<f32>,
    pub n_in: usize,
    pub n_out: usize,
}

/// Word vectors. They stay in the mapping, so only the rows that texts use take memory.
pub(crate) enum EmbeddingTable {
    /// f32 rows, little-endian, in the file.
    Mapped { weights: Weights, dim: usize },
    /// Rows of another number type, decoded.
    Decoded { rows: Vec<f32>, dim: usize },
}

const NOT_FINITE: &str = "a weight is not a finite number";

impl Weights {
    /// Maps a weight file.
    ///
    /// # Errors
    ///
    /// `OpenWeights`; `Tensor` when there is no word table in it.
    pub(crate) fn open(path: &Path, naming: &Naming) -> Result<Self, InferenceError> {
        #[expect(unsafe_code, reason = "mapping keeps the word table out of memory")]
        // SAFETY: the store publishes model files by rename and never writes into them afterwards;
        // a file that a user truncates under a running process is the risk every mapping has.
        let file = unsafe { MmapedSafetensors::new(path) }.map_err(|error| {
            InferenceError::OpenWeights {
                path: path.into(),
                detail: error.to_string(),
            }
        })?;
        let names = naming.prefixes.iter();
        let mut names =
            names.flat_map(|prefix| naming.words.iter().map(move |name| (prefix, name)));
        let found = names.find(|(prefix, name)| file.get(&format!("{prefix}{name}")).is_ok());
        let Some((prefix, words)) = found else {
            return Err(InferenceError::Tensor {
                path: path.into(),
                tensor: naming.words.join(" or "),
                detail: "not in the file".into(),
            });
        };
        Ok(Self {
            file,
            path: path.into(),
            prefix,
            words,
            adapters: Vec::new(),
        })
    }

    /// The same with changes added to its dense layers, of which `known` are the names.
    ///
    /// # Errors
    ///
    /// `Tensor` when a change is one of another layer.
    pub(crate) fn adapted(
        self,
        adapters: Vec<Arc<Adapter>>,
        known: &BTreeSet<String>,
    ) -> Result<Self, InferenceError> {
        for adapter in &adapters {
            adapter.check(known)?;
        }
        Ok(Self { adapters, ..self })
    }

    /// Whether there is a tensor of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.file.get(&format!("{}{name}", self.prefix)).is_ok()
    }

    pub(crate) fn error(&self, tensor: &str, detail: String) -> InferenceError {
        InferenceError::Tensor {
            path: self.path.clone(),
            tensor: tensor.to_owned(),
            detail,
        }
    }

    /// A tensor of exactly that shape, as f32.
    pub(crate) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, InferenceError> {
        let load = || {
            let tensor = self
                .file
                .load(&format!("{}{name}", self.prefix), &Device::Cpu)?;
            let dims = tensor.dims().to_vec();
            Ok((
                dims,
                tensor
                    .to_dtype(DType::F32)?
                    .flatten_all()?
                    .to_vec1::<f32>()?,
            ))
        };
        let (found, values) =
            load().map_err(|error: candle_core::Error| self.error(name, error.to_string()))?;
        if found != shape {
            return Err(self.error(name, format!("shape {found:?}, wanted {shape:?}")));
        }
        if !values.iter().all(|value| value.is_finite()) {
            return Err(self.error(name, NOT_FINITE.into()));
        }
        Ok(values)
    }

    /// Several dense layers of one input as one: their outputs side by side.
    pub(crate) fn fused_linear(
        &self,
        names: &[String],
        n_in: usize,
        n_out_each: usize,
        has_bias: bool,
    ) -> Result<Linear, InferenceError> {
        let n_out = names.len() * n_out_each;
        let mut linear = Linear {
            weight: vec![0.0; n_in * n_out],
            bias: Vec::new(),
            n_in,
            n_out,
        };
        for (idx, name) in names.iter().enumerate() {
            let mut weight = self.tensor(&format!("{name}.weight"), &[n_out_each, n_in])?;
            for adapter in &self.adapters {
                adapter.add(name, &mut weight, (n_out_each, n_in))?;
            }
            for (row, values) in weight.chunks_exact(n_in).enumerate() {
                let column = idx * n_out_each + row;
                for (k, value) in values.iter().enumerate() {
                    linear.weight[k * n_out + column] = *value;
                }
            }
            if has_bias {
                linear
                    .bias
                    .extend(self.tensor(&format!("{name}.bias"), &[n_out_each])?);
            }
        }
        Ok(linear)
    }

    /// One dense layer.
    pub(crate) fn linear(
        &self,
        name: &str,
        n_in: usize,
        n_out: usize,
        has_bias: bool,
    ) -> Result<Linear, InferenceError> {
        self.fused_linear(&[name.to_owned()], n_in, n_out, has_bias)
    }

    /// A layer norm with weight and bias, under their names of today or of old.
    pub(crate) fn layer_norm(
        &self,
        name: &str,
        dim: usize,
        eps: f32,
    ) -> Result<LayerNorm, InferenceError> {
        let (weight, bias) = if self.has(&format!("{name}.gamma")) {
            ("gamma", "beta")
        } else {
            ("weight", "bias")
        };
        Ok(LayerNorm {
            weight: self.tensor(&format!("{name}.{weight}"), &[dim])?,
            bias: self.tensor(&format!("{name}.{bias}"), &[dim])?,
            eps,
        })
    }

    /// A layer norm that has a weight alone.
    pub(crate) fn unbiased_layer_norm(
        &self,
        name: &str,
        dim: usize,
        eps: f32,
    ) -> Result<LayerNorm, InferenceError> {
        Ok(LayerNorm {
            weight: self.tensor(&format!("{name}.weight"), &[dim])?,
            bias: vec![0.0; dim],
            eps,
        })
    }
}

impl EmbeddingTable {
    /// Opens the word table of `path` in a mapping of its own: pages that loading the layers has
    /// touched go with the mapping they were read through.
    pub(crate) fn open(
        path: &Path,
        naming: &Naming,
        n_rows: usize,
        dim: usize,
    ) -> Result<Self, InferenceError> {
        let weights = Weights::open(path, naming)?;
        let table = weights.word_table()?;
        if table.shape != [n_rows, dim] {
            let detail = format!("shape {:?}, wanted {:?}", table.shape, [n_rows, dim]);
            return Err(weights.error(weights.words, detail));
        }
        if table.is_f32 {
            return Ok(Self::Mapped { weights, dim });
        }
        Ok(Self::Decoded {
            rows: weights.tensor(weights.words, &[n_rows, dim])?,
            dim,
        })
    }

    /// Writes the rows of `ids` to `out: [ids.len(), dim]`.
    pub(crate) fn look_up(&self, ids: &[u32], out: &mut [f32]) -> Result<(), InferenceError> {
        match self {
            Self::Mapped { weights, dim } => {
                let table = weights.word_table()?;
                for (row, &id) in out.chunks_exact_mut(*dim).zip(ids) {
                    let bytes = row_of(table.bytes, id, dim * 4)?;
                    for (x, b) in row.iter_mut().zip(bytes.chunks_exact(4)) {
                        *x = f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
                    }
                    // The table is not read as a whole, so it is not checked as a whole.
                    if !row.iter().all(|x| x.is_finite()) {
                        return Err(weights.error(weights.words, format!("row {id}: {NOT_FINITE}")));
                    }
                }
            }
            Self::Decoded { rows, dim } => {
                for (row, &id) in out.chunks_exact_mut(*dim).zip(ids) {
                    row.copy_from_slice(row_of(rows, id, *dim)?);
                }
            }
        }
        Ok(())
    }
}

/// The word table as it lies in the mapping.
struct WordTable<'a> {
    bytes: &'a [u8],
    shape: Vec<usize>,
    is_f32: bool,
}

impl Weights {
    fn word_table(&self) -> Result<WordTable<'_>, InferenceError> {
        let view = self.file.get(&format!("{}{}", self.prefix, self.words));
        let view = view.map_err(|error| self.error(self.words, error.to_string()))?;
        Ok(WordTable {
            bytes: view.data(),
            shape: view.shape().to_vec(),
            is_f32: DType::try_from(view.dtype()).is_ok_and(|dtype| dtype == DType::F32),
        })
    }
}

fn row_of<T>(table: &[T], id: u32, len: usize) -> Result<&[T], InferenceError> {
    let start = id as usize * len;
    table
        .get(start..start + len)
        .ok_or(InferenceError::UnknownToken { id })
}
