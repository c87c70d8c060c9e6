//! Reading safetensors: memory-mapped through candle, dense layers laid out for the forward pass.

use std::path::Path;

use candle_core::safetensors::MmapedSafetensors;
use candle_core::{DType, Device};

use crate::error::InferenceError;
use crate::kernels::LayerNorm;

/// The tensors of one file, mapped.
pub(crate) struct Weights {
    file: MmapedSafetensors,
    /// Put before every name: `""` or `"bert."`, as the file has it.
    prefix: &'static str,
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

const WORD_EMBEDDINGS: &str = "embeddings.word_embeddings.weight";

impl Weights {
    /// Maps a weight file.
    ///
    /// # Errors
    ///
    /// `OpenWeights`; `Tensor` when there are no word embeddings in it.
    pub(crate) fn open(path: &Path) -> Result<Self, InferenceError> {
        #[expect(unsafe_code, reason = "mapping keeps the word table out of memory")]
        // SAFETY: the store publishes model files by rename and never writes into them afterwards;
        // a file that a user truncates under a running process is the risk every mapping has.
        let file = unsafe { MmapedSafetensors::new(path) }.map_err(|source| {
            InferenceError::OpenWeights {
                path: path.into(),
                source,
            }
        })?;
        let prefix = ["", "bert."]
            .into_iter()
            .find(|prefix| file.get(&format!("{prefix}{WORD_EMBEDDINGS}")).is_ok())
            .ok_or_else(|| tensor_error(WORD_EMBEDDINGS, "not in the file".into()))?;
        Ok(Self { file, prefix })
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
            load().map_err(|error: candle_core::Error| tensor_error(name, error.to_string()))?;
        if found != shape {
            return Err(tensor_error(
                name,
                format!("shape {found:?}, wanted {shape:?}"),
            ));
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
            let weight = self.tensor(&format!("{name}.weight"), &[n_out_each, n_in])?;
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

    /// A layer norm with weight and bias.
    pub(crate) fn layer_norm(
        &self,
        name: &str,
        dim: usize,
        eps: f32,
    ) -> Result<LayerNorm, InferenceError> {
        Ok(LayerNorm {
            weight: self.tensor(&format!("{name}.weight"), &[dim])?,
            bias: self.tensor(&format!("{name}.bias"), &[dim])?,
            eps,
        })
    }
}

impl EmbeddingTable {
    /// Opens the word table of `path` in a mapping of its own: pages that loading the layers has
    /// touched go with the mapping they were read through.
    pub(crate) fn open(path: &Path, n_rows: usize, dim: usize) -> Result<Self, InferenceError> {
        let weights = Weights::open(path)?;
        let view = weights
            .file
            .get(&format!("{}{WORD_EMBEDDINGS}", weights.prefix))
            .map_err(|error| tensor_error(WORD_EMBEDDINGS, error.to_string()))?;
        if view.shape() != [n_rows, dim] {
            let detail = format!("shape {:?}, wanted {:?}", view.shape(), [n_rows, dim]);
            return Err(tensor_error(WORD_EMBEDDINGS, detail));
        }
        if DType::try_from(view.dtype()).is_ok_and(|dtype| dtype == DType::F32) {
            return Ok(Self::Mapped { weights, dim });
        }
        Ok(Self::Decoded {
            rows: weights.tensor(WORD_EMBEDDINGS, &[n_rows, dim])?,
            dim,
        })
    }

    /// Writes the rows of `ids` to `out: [ids.len(), dim]`.
    pub(crate) fn look_up(&self, ids: &[u32], out: &mut [f32]) -> Result<(), InferenceError> {
        match self {
            Self::Mapped { weights, dim } => {
                let view = weights
                    .file
                    .get(&format!("{}{WORD_EMBEDDINGS}", weights.prefix))
                    .map_err(|error| tensor_error(WORD_EMBEDDINGS, error.to_string()))?;
                for (row, &id) in out.chunks_exact_mut(*dim).zip(ids) {
                    let bytes = row_of(view.data(), id, dim * 4)?;
                    for (x, b) in row.iter_mut().zip(bytes.chunks_exact(4)) {
                        *x = f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
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

fn row_of<T>(table: &[T], id: u32, len: usize) -> Result<&[T], InferenceError> {
    let start = id as usize * len;
    table
        .get(start..start + len)
        .ok_or_else(|| tensor_error(WORD_EMBEDDINGS, format!("token {id} has no row")))
}

fn tensor_error(tensor: &str, detail: String) -> InferenceError {
    InferenceError::Tensor {
        tensor: tensor.to_owned(),
        detail,
    }
}
