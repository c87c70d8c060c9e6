//! One turn of a chat as tokens, in the form that the model's family was trained on.
//!
//! Marks are looked up as tokens and text is never read for them, so that code which holds
//! `<|im_end|>` cannot end the user's part.

use tokenizers::Tokenizer;

use super::gguf::{GgufFile, ModelFamily};
use crate::error::InferenceError;

/// What is said to the model.
#[derive(Debug, Clone, Copy)]
pub struct Chat<'a> {
    /// The system's part.
    pub system: &'a str,
    /// The user's part.
    pub user: &'a str,
    /// Tokens of the answer at most.
    pub max_tokens: usize,
}

/// A chat format, recognised by its marks in the file's template, else in the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChatFormat {
    /// `<|im_start|>user …<|im_end|>`: Qwen, SmolLM.
    ChatMl {
        /// An empty thought is put before the answer, which asks Qwen3 for the answer alone.
        without_thoughts: bool,
    },
    /// `<|start_header_id|>user<|end_header_id|> …<|eot_id|>`: Llama 3.
    Llama3,
    /// `[INST] … [/INST]`: Llama 2, Mistral.
    Instruct,
}

enum Piece<'a> {
    Mark(&'a str),
    Text(&'a str),
}

/// What may end a turn, besides what the file says.
const ENDS: [&str; 5] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "</s>",
];

impl ChatFormat {
    pub(super) fn of(file: &GgufFile, tokenizer: &Tokenizer) -> Result<Self, InferenceError> {
        let template = file.text("tokenizer.chat_template").unwrap_or_default();
        let is_token = |mark: &str| tokenizer.token_to_id(mark).is_some();
        let config = file.config()?;
        let chat_ml = Self::ChatMl {
            without_thoughts: config.family == ModelFamily::Qwen3,
        };
        let known = [
            ("<|im_start|>", chat_ml),
            ("<|start_header_id|>", Self::Llama3),
        ];
        for (mark, format) in known {
            if is_token(mark) && (template.contains(mark) || template.is_empty()) {
                return Ok(format);
            }
        }
        if template.contains("[INST]") {
            Ok(Self::Instruct)
        } else {
            Err(file.error("its chat template is not known; use a model for chats"))
        }
    }

    /// Tokens that end a turn.
    pub(super) fn ends(self, file: &GgufFile, tokenizer: &Tokenizer) -> Vec<u32> {
        let mut ends: Vec<u32> = ENDS
            .iter()
            .filter_map(|mark| tokenizer.token_to_id(mark))
            .collect();
        let own = file.number("tokenizer.ggml.eos_token_id");
        ends.extend(own.and_then(|id| u32::try_from(id).ok()));
        ends
    }

    pub(super) fn tokens(
        self,
        chat: &Chat<'_>,
        tokenizer: &Tokenizer,
    ) -> Result<Vec<u32>, InferenceError> {
        let mut tokens = Vec::new();
        for piece in self.pieces(chat) {
            match piece {
                Piece::Mark(mark) => tokens.extend(tokenizer.token_to_id(mark)),
                Piece::Text(text) => {
                    let encoding = tokenizer.encode_fast(text, false);
                    let encoding =
                        encoding.map_err(|source| InferenceError::Tokenize { source })?;
                    tokens.extend_from_slice(encoding.get_ids());
                }
            }
        }
        Ok(tokens)
    }

    fn pieces<'a>(self, chat: &Chat<'a>) -> Vec<Piece<'a>> {
        use Piece::{Mark, Text};
        match self {
            Self::ChatMl { without_thoughts } => {
                let mut pieces = vec![
                    Mark("<|im_start|>"),
                    Text("system\n"),
                    Text(chat.system),
                    Mark("<|im_end|>"),
                    Text("\n"),
                    Mark("<|im_start|>"),
                    Text("user\n"),
                    Text(chat.user),
                    Mark("<|im_end|>"),
                    Text("\n"),
                    Mark("<|im_start|>"),
                    Text("assistant\n"),
                ];
                if without_thoughts {
                    let thought = [
                        Mark("<think>"),
                        Text("\n\n"),
                        Mark("</think>"),
                        Text("\n\n"),
                    ];
                    pieces.extend(thought);
                }
                pieces
            }
            Self::Llama3 => {
                let mut pieces = vec![Mark("<|begin_of_text|>")];
                for (role, text) in [("system", chat.system), ("user", chat.user)] {
                    pieces.extend([
                        Mark("<|start_header_id|>"),
                        Text(role),
                        Mark("<|end_header_id|>"),
                        Text("\n\n"),
                        Text(text),
                        Mark("<|eot_id|>"),
                    ]);
                }
                pieces.extend([
                    Mark("<|start_header_id|>"),
                    Text("assistant"),
                    Mark("<|end_header_id|>"),
                    Text("\n\n"),
                ]);
                pieces
            }
            Self::Instruct => vec![
                Mark("<s>"),
                Text("[INST] "),
                Text(chat.system),
                Text("\n\n"),
                Text(chat.user),
                Text(" [/INST]"),
            ],
        }
    }
}
