//! Made-up collections: words with a vector each, tokens scattered around them.

use whyrank_late_interaction::{Bits, Document, Shard, ShardOptions, TokenMatrix};

pub(crate) const DIM: usize = 32;

/// Documents as an encoder would give them.
pub(crate) struct Collection {
    pub(crate) dim: usize,
    pub(crate) documents: Vec<(Vec<f32>, Vec<u32>)>,
    words: Vec<Vec<f32>>,
    random: fastrand::Rng,
}

impl Collection {
    pub(crate) fn new(seed: u64, dim: usize, n_documents: usize, n_tokens: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let words: Vec<Vec<f32>> = (0..120).map(|_| unit(&mut random, dim)).collect();
        let mut collection = Self {
            dim,
            documents: Vec::new(),
            words,
            random,
        };
        for _ in 0..n_documents {
            let n = 1 + collection.random.usize(0..2 * n_tokens);
            let document = collection.document(n);
            collection.documents.push(document);
        }
        collection
    }

    pub(crate) fn document(&mut self, n_tokens: usize) -> (Vec<f32>, Vec<u32>) {
        let (mut values, mut vocab) = (Vec::new(), Vec::new());
        for _ in 0..n_tokens {
            // Low ids are common words.
            let word = (self.random.f32().powi(2) * 120.0) as usize;
            values.extend(self.token(word, 0.35));
            vocab.push(word as u32);
        }
        (values, vocab)
    }

    fn token(&mut self, word: usize, noise: f32) -> Vec<f32> {
        let around = unit(&mut self.random, self.dim);
        let mut token: Vec<f32> = self.words[word]
            .iter()
            .zip(&around)
            .map(|(a, b)| a + noise * b)
            .collect();
        let norm = token.iter().map(|x| x * x).sum::<f32>().sqrt();
        token.iter_mut().for_each(|x| *x /= norm);
        token
    }

    /// A query about a document: some of its tokens, a little moved.
    pub(crate) fn query(&mut self, document: usize, n_tokens: usize) -> Vec<f32> {
        let vocab = self.documents[document].1.clone();
        let words: Vec<usize> = (0..n_tokens)
            .map(|_| vocab[self.random.usize(0..vocab.len())] as usize)
            .collect();
        words
            .into_iter()
            .flat_map(|word| self.token(word, 0.5))
            .collect()
    }

    pub(crate) fn get(&self, at: usize) -> Document<'_> {
        document(self.dim, &self.documents[at])
    }

    pub(crate) fn all(&self) -> Vec<Document<'_>> {
        (0..self.documents.len()).map(|at| self.get(at)).collect()
    }

    /// A flushed shard with the documents under ids 10, 20, 30 …
    pub(crate) fn shard(&self, folder: &std::path::Path, bits: Bits) -> Shard {
        let options = ShardOptions {
            bits,
            tail_limit: usize::MAX,
            ..ShardOptions::default()
        };
        let mut shard = Shard::create(folder, options).unwrap();
        for at in 0..self.documents.len() {
            shard.add(id(at), &self.get(at)).unwrap();
        }
        shard.flush().unwrap();
        shard
    }
}

pub(crate) fn id(at: usize) -> u32 {
    10 * (at as u32 + 1)
}

pub(crate) fn document(dim: usize, (values, vocab): &(Vec<f32>, Vec<u32>)) -> Document<'_> {
    Document::new(TokenMatrix::new(dim, values).unwrap(), vocab).unwrap()
}

fn unit(random: &mut fastrand::Rng, dim: usize) -> Vec<f32> {
    let normal = |random: &mut fastrand::Rng| (0..6).map(|_| random.f32() - 0.5).sum::<f32>();
    let mut row: Vec<f32> = (0..dim).map(|_| normal(random)).collect();
    let norm = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    row.iter_mut().for_each(|x| *x /= norm);
    row
}

pub(crate) fn never() -> bool {
    false
}
