//! Fewer token vectors for long texts: places of one word that mean nearly the same are kept as one.
//!
//! Code repeats its words: nearly half of a long function's tokens stand in it before, with nearly
//! the same vector, and to MaxSim the second of two like vectors adds nothing. Their mean, at the
//! first one's place, answers in their stead (token pooling, Clavié et al., arXiv 2409.14683; here
//! within one word, so that a match is shown where that word stands).

use std::borrow::Cow;
use whyrank_inference::TokenStates;

/// Part of the compatibility hash: a change here changes what is kept.
pub(super) const POOLING_VERSION: u32 = 1;

/// Texts of this many tokens and fewer stay as they are; longer ones are pooled until they have as many,
/// or nothing alike is left.
const MAX_TOKENS: usize = 72;
/// Places of a word whose vectors are further apart say different things.
const MIN_COSINE: f32 = 0.8;

/// Two tokens of one word, the earlier first.
struct Pair {
    first: usize,
    second: usize,
    cosine: f32,
}

/// The tokens to keep, in order. Those most alike are merged first, ties by place.
///
/// O(p log p + p × components) for `p` pairs of tokens of one word.
pub(super) fn pool(states: &TokenStates) -> Cow<'_, TokenStates> {
    let n_tokens = states.n_tokens();
    if n_tokens <= MAX_TOKENS || states.dim == 0 {
        return Cow::Borrowed(states);
    }
    let mut groups = Groups {
        dim: states.dim,
        sums: states.vectors.clone(),
        first: (0..n_tokens).collect(),
    };
    let mut n_left = n_tokens;
    for pair in pairs(states) {
        if n_left <= MAX_TOKENS {
            break;
        }
        n_left -= usize::from(groups.merge(&pair));
    }
    if n_left == n_tokens {
        Cow::Borrowed(states)
    } else {
        Cow::Owned(groups.kept(states))
    }
}

/// Pairs of one word that are alike, the most alike first.
fn pairs(states: &TokenStates) -> Vec<Pair> {
    let row = |token: usize| &states.vectors[token * states.dim..][..states.dim];
    let mut by_word: Vec<usize> = (0..states.n_tokens()).collect();
    by_word.sort_by_key(|&token| states.token_ids[token]);
    let mut found = Vec::new();
    for word in by_word.chunk_by(|a, b| states.token_ids[*a] == states.token_ids[*b]) {
        for (at, &first) in word.iter().enumerate() {
            for &second in &word[at + 1..] {
                let cosine = dot(row(first), row(second));
                if cosine >= MIN_COSINE {
                    found.push(Pair {
                        first,
                        second,
                        cosine,
                    });
                }
            }
        }
    }
    found.sort_by(|a, b| {
        let by_place = || (a.first, a.second).cmp(&(b.first, b.second));
        b.cosine.total_cmp(&a.cosine).then_with(by_place)
    });
    found
}

/// Tokens that are one by now.
struct Groups {
    dim: usize,
    /// Row by row, of the first token of each group: the sum of its vectors.
    sums: Vec<f32>,
    /// Of each token, one before it in its group; its own index for the first.
    first: Vec<usize>,
}

impl Groups {
    fn first_of(&self, mut token: usize) -> usize {
        while self.first[token] != token {
            token = self.first[token];
        }
        token
    }

    fn sum(&self, token: usize) -> &[f32] {
        &self.sums[token * self.dim..][..self.dim]
    }

    /// Makes the groups of two tokens one, if they are two and alike on the whole.
    fn merge(&mut self, pair: &Pair) -> bool {
        let (one, other) = (self.first_of(pair.first), self.first_of(pair.second));
        let (one, other) = (one.min(other), one.max(other));
        if one == other || cosine(self.sum(one), self.sum(other)) < MIN_COSINE {
            return false;
        }
        let (before, after) = self.sums.split_at_mut(other * self.dim);
        let into = &mut before[one * self.dim..][..self.dim];
        into.iter_mut().zip(after).for_each(|(sum, x)| *sum += *x);
        self.first[other] = one;
        true
    }

    fn kept(&self, states: &TokenStates) -> TokenStates {
        let mut kept = TokenStates {
            dim: states.dim,
            ..TokenStates::default()
        };
        for token in (0..self.first.len()).filter(|token| self.first[*token] == *token) {
            let sum = self.sum(token);
            let length = dot(sum, sum).sqrt().max(f32::MIN_POSITIVE);
            kept.vectors.extend(sum.iter().map(|x| x / length));
            kept.token_ids.push(states.token_ids[token]);
            kept.spans.push(states.spans[token]);
        }
        kept
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt().max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of two components, at an angle each, five bytes apart.
    fn states(tokens: impl IntoIterator<Item = (u32, f32)>) -> TokenStates {
        let mut states = TokenStates {
            dim: 2,
            ..TokenStates::default()
        };
        for (at, (word, angle)) in (0u32..).zip(tokens) {
            states.vectors.extend([angle.cos(), angle.sin()]);
            states.token_ids.push(word);
            states.spans.push((5 * at, 5 * at + 4));
        }
        states
    }

    fn distinct(n: usize) -> impl Iterator<Item = (u32, f32)> {
        (100..100 + n as u32).map(|word| (word, 0.0))
    }

    #[test]
    fn a_text_of_few_tokens_stays_as_it_is() {
        let few = states((0..MAX_TOKENS).map(|_| (1, 0.0)));
        assert_eq!(*pool(&few), few);
        assert_eq!(*pool(&TokenStates::default()), TokenStates::default());
    }

    #[test]
    fn what_is_most_alike_becomes_one_where_it_first_stood() {
        // Four places of word 1: two of them nearer to each other than the rest.
        let repeated = [(1, 0.0), (1, 0.3), (1, 0.5), (1, 0.51)];
        let long = states(repeated.into_iter().chain(distinct(MAX_TOKENS - 3)));
        let kept = pool(&long).into_owned();
        assert_eq!(kept.n_tokens(), MAX_TOKENS);
        assert_eq!(kept.token_ids[..4], [1, 1, 1, 100]);
        assert_eq!(kept.spans[..4], [(0, 4), (5, 9), (10, 14), (20, 24)]);
        let merged = &kept.vectors[4..6];
        assert!((merged[0] - 0.505f32.cos()).abs() < 1e-5);
        assert!((dot(merged, merged) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn other_words_and_other_meanings_stay() {
        let apart = [(1, 0.0), (1, 1.0), (1, 2.0)];
        let long = states(apart.into_iter().chain(distinct(MAX_TOKENS)));
        assert_eq!(*pool(&long), long);
    }

    #[test]
    fn a_chain_of_likes_is_not_one() {
        // Each is like its neighbour, the ends are not like each other.
        let chain = (0..200).map(|at| (1, at as f32 * 0.02));
        let kept = pool(&states(chain.chain(distinct(MAX_TOKENS)))).into_owned();
        let of_chain = kept.token_ids.iter().filter(|word| **word == 1).count();
        assert!((4..10).contains(&of_chain), "{of_chain}");
    }

    #[test]
    fn one_word_a_thousand_times_is_cut_down() {
        let same = states((0..1000).map(|_| (7, 0.4)));
        let kept = pool(&same).into_owned();
        assert_eq!((kept.n_tokens(), kept.spans[0]), (MAX_TOKENS, (0, 4)));
    }
}
