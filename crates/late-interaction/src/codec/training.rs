//! The settings of a codec: bits a dimension, and how it is trained.

use crate::kernels::{GROUPS, PART};

/// Bits for each component of a residual, and a half more: half of the components have more bits than
/// the other half, and none gets worse than with as many for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bits {
    /// 24 bytes for 128 components.
    One,
    /// 40 bytes for 128 components.
    Two,
    /// 72 bytes for 128 components.
    #[default]
    Four,
}

impl Bits {
    /// Returns the number of bits.
    pub fn n(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    pub(crate) fn from_n(n: u32) -> Option<Self> {
        match n {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    /// Bits of one component of each group.
    pub(crate) fn of_groups(self) -> u8 {
        (self.n() * GROUPS) as u8 + 2
    }

    pub(crate) fn block_bytes(self) -> usize {
        PART / 8 * usize::from(self.of_groups())
    }
}

/// What a codec is trained to.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Bits of a residual's component.
    pub bits: Bits,
    /// Tokens that the collection will have; 0 when it is what is given.
    pub n_tokens: u64,
    /// Same seed and same documents, same codec.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            bits: Bits::default(),
            n_tokens: 0,
            seed: 42,
        }
    }
}
