//! A low-rank change of a model's weights: `W + B A` (LoRA, Hu et al. 2021, arXiv 2106.09685).
//!
//! Added when the model is loaded, so that the forward pass costs what it did. In a safetensors file,
//! for each dense layer that it changes: `<layer>.lora_A` of `[rank, n_in]` and `<layer>.lora_B` of
//! `[n_out, rank]`, any scale already in them.

use crate::error::InferenceError;
use candle_core::{DType, Device, Tensor};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A parsed adapter.
pub(crate) struct Adapter {
    path: PathBuf,
    tensors: HashMap<String, Tensor>,
}

impl Adapter {
    /// Parses a file's content; `path` is for messages.
    ///
    /// # Errors
    ///
    /// `Tensor` when it is no adapter.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self, InferenceError> {
        let tensors = candle_core::safetensors::load_buffer(bytes, &Device::Cpu)
            .map_err(|error| wrong(path, "the file", error.to_string()))?;
        Ok(Self::of(path, tensors))
    }

    /// Takes the tensors of a file that holds more than an adapter.
    pub(crate) fn of(path: &Path, tensors: HashMap<String, Tensor>) -> Self {
        Self {
            path: path.to_owned(),
            tensors,
        }
    }

    /// Layers that it changes, by name.
    pub(crate) fn layers(&self) -> BTreeSet<&str> {
        let names = self.tensors.keys();
        names
            .map(|name| {
                name.rsplit_once('.')
                    .map_or(name.as_str(), |(layer, _)| layer)
            })
            .collect()
    }

    /// Adds what it says about a layer to the layer's weight `[n_out, n_in]`; nothing where it says nothing.
    ///
    /// # Errors
    ///
    /// `Tensor` for half a change, another shape, and what is not a finite number.
    pub(crate) fn add(
        &self,
        layer: &str,
        weight: &mut [f32],
        (n_out, n_in): (usize, usize),
    ) -> Result<(), InferenceError> {
        let (down, up) = (format!("{layer}.lora_A"), format!("{layer}.lora_B"));
        let (a, b) = match (self.tensors.get(&down), self.tensors.get(&up)) {
            (None, None) => return Ok(()),
            (Some(a), Some(b)) => (a, b),
            _ => {
                return Err(wrong(
                    &self.path,
                    layer,
                    "one of its two tensors is missing".into(),
                ));
            }
        };
        let product = || -> candle_core::Result<Vec<f32>> {
            let (a, b) = (a.to_dtype(DType::F32)?, b.to_dtype(DType::F32)?);
            let product = b.matmul(&a)?;
            if product.dims() != [n_out, n_in] {
                let found = product.dims();
                let detail = format!("changes {found:?}, the layer is [{n_out}, {n_in}]");
                return Err(candle_core::Error::Msg(detail));
            }
            product.flatten_all()?.to_vec1()
        };
        let product = product().map_err(|error| wrong(&self.path, layer, error.to_string()))?;
        if !product.iter().all(|x| x.is_finite()) {
            let detail = "a change is not a finite number".to_owned();
            return Err(wrong(&self.path, layer, detail));
        }
        weight.iter_mut().zip(product).for_each(|(w, x)| *w += x);
        Ok(())
    }

    /// # Errors
    ///
    /// `Tensor` for a layer that the model does not have.
    pub(crate) fn check(&self, known: &BTreeSet<String>) -> Result<(), InferenceError> {
        match self
            .layers()
            .into_iter()
            .find(|layer| !known.contains(*layer))
        {
            Some(layer) => {
                let detail = "the model has no such layer".to_owned();
                Err(wrong(&self.path, layer, detail))
            }
            None => Ok(()),
        }
    }
}

fn wrong(path: &Path, tensor: &str, detail: String) -> InferenceError {
    InferenceError::Tensor {
        path: path.to_owned(),
        tensor: tensor.to_owned(),
        detail,
    }
}
