//! Text generation by a GGUF file: decoders of the Llama, Qwen2 and Qwen3 families.
//!
//! Greedy, one chat turn at a time. A prompt is read at once through `gemm` on matrices that are
//! dequantised one after another, since candle's quantised product is made for single rows: reading is
//! what ranking spends its time on. The answer is written a token at a time on the quantised matrices.

mod attention;
mod chat;
mod decoder;
mod gguf;
mod linear;

pub use chat::Chat;

use std::path::{Path, PathBuf};

use tokenizers::Tokenizer;

use crate::error::InferenceError;
use chat::ChatFormat;
use decoder::{Cache, Decoder};
use gguf::GgufFile;

/// Longer contexts are not used, whatever the file claims: keys and values of all tokens are kept.
const MAX_CONTEXT: usize = 32 << 10;

/// A language model.
pub struct Generator {
    name: String,
    path: PathBuf,
    decoder: Decoder,
    tokenizer: Tokenizer,
    format: ChatFormat,
    /// Tokens that end a turn.
    ends: Vec<u32>,
    context_tokens: usize,
}

impl Generator {
    /// Loads a GGUF file. The tokenizer is that of the file, or `tokenizer.json` beside it.
    ///
    /// # Errors
    ///
    /// `File` when it cannot be read; `Gguf` when it is damaged, of a family that is not known here, or
    /// has a tokenizer or a chat template that is not.
    pub fn open(path: &Path) -> Result<Self, InferenceError> {
        let mut file = GgufFile::open(path)?;
        let tokenizer = file.tokenizer()?;
        let config = file.config()?;
        let format = ChatFormat::of(&file, &tokenizer)?;
        let ends = format.ends(&file, &tokenizer);
        Ok(Self {
            name: file.name(),
            path: path.to_owned(),
            context_tokens: config.context_tokens.min(MAX_CONTEXT),
            decoder: Decoder::load(&mut file, config)?,
            tokenizer,
            format,
            ends,
        })
    }

    /// Returns the name in the file, or the file's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns tokens that prompt and answer may have together.
    #[must_use]
    pub fn context_tokens(&self) -> usize {
        self.context_tokens
    }

    /// Counts the tokens of a text. A text that the tokenizer refuses counts a token a byte.
    #[must_use]
    pub fn n_tokens(&self, text: &str) -> usize {
        let encoded = self.tokenizer.encode_fast(text, false);
        encoded.map_or(text.len(), |encoding| encoding.len())
    }

    /// Returns the beginning of a text that has at most `max_tokens`.
    #[must_use]
    pub fn cut<'t>(&self, text: &'t str, max_tokens: usize) -> &'t str {
        let Ok(encoding) = self.tokenizer.encode(text, false) else {
            return &text[..floor(text, max_tokens)];
        };
        match encoding.get_offsets().get(max_tokens) {
            Some((start, _)) => &text[..floor(text, *start)],
            None => text,
        }
    }

    /// Answers one turn. Ends at the end of the turn, when `is_whole` says that the text so
    /// far is enough, or after `max_tokens`.
    ///
    /// # Errors
    ///
    /// `Cancelled` when `stop` said yes, which is asked between layers and tokens; `Gguf` when the chat
    /// does not fit the context.
    pub fn answer(
        &self,
        chat: &Chat<'_>,
        is_whole: &dyn Fn(&str) -> bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, InferenceError> {
        let prompt = self.format.tokens(chat, &self.tokenizer)?;
        if prompt.len() + chat.max_tokens > self.context_tokens {
            return Err(InferenceError::gguf(
                &self.path,
                format!(
                    "{} tokens are more than its {} of context",
                    prompt.len() + chat.max_tokens,
                    self.context_tokens
                ),
            ));
        }
        let mut cache = Cache::default();
        let mut written: Vec<u32> = Vec::new();
        let mut text = String::new();
        let mut next = self.decoder.next_token(&prompt, &mut cache, stop)?;
        while !self.ends.contains(&next) {
            written.push(next);
            text = self
                .tokenizer
                .decode(&written, true)
                .map_err(|source| InferenceError::Tokenize { source })?;
            if written.len() >= chat.max_tokens || is_whole(&text) {
                break;
            }
            next = self.decoder.next_token(&[next], &mut cache, stop)?;
        }
        Ok(text)
    }

    /// Returns the scores of all tokens behind a text, for tests against another computation.
    ///
    /// # Errors
    ///
    /// `Tokenize`, `Gguf`.
    #[doc(hidden)]
    pub fn scores(&self, tokens: &[u32], at_once: bool) -> Result<Vec<f32>, InferenceError> {
        let mut cache = Cache::default();
        if at_once {
            return self.decoder.scores(tokens, &mut cache, &|| false);
        }
        let mut scores = Vec::new();
        for token in tokens {
            scores = self.decoder.scores(&[*token], &mut cache, &|| false)?;
        }
        Ok(scores)
    }
}

/// The last boundary of characters at or before a byte.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
