//! Grams: which texts a pattern can match, told by the runs of three bytes that they hold.
//!
//! ASCII letters count as lower case, so that a pattern asks the same whether case counts or not. Texts with
//! the two letters that fold to ASCII from outside of it (the Kelvin sign and the long s) have no grams: they
//! are to be read, whatever is asked.

mod extract;
mod plan;
mod strings;

pub use extract::GramReader;
pub use plan::{GramQuery, PatternSyntax};

/// Three bytes, in the lower 24 bits.
pub type Gram = u32;

/// Bytes of a gram.
const GRAM_BYTES: usize = 3;

fn gram(bytes: &[u8]) -> Gram {
    let folded = bytes.iter().map(u8::to_ascii_lowercase);
    folded.fold(0, |gram, byte| gram << 8 | u32::from(byte))
}

fn grams(bytes: &[u8]) -> impl Iterator<Item = Gram> {
    bytes.windows(GRAM_BYTES).map(gram)
}
