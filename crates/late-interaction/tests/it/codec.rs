//! What codes keep of the vectors.

use crate::support::{Collection, DIM};
use std::path::Path;
use whyrank_late_interaction::{Bits, Codec, Document, Error, TokenMatrix, Training};

fn mean_cosine(bits: Bits, dim: usize) -> f32 {
    let collection = Collection::new(7, dim, 200, 30);
    let documents = collection.all();
    let codec = Codec::train(
        &documents,
        &Training {
            bits,
            ..Training::default()
        },
    )
    .unwrap();
    let (mut sum, mut n) = (0.0, 0);
    for document in &documents {
        let decoded = codec.decode(&codec.encode(document).unwrap());
        for (row, decoded) in document.vectors().rows().zip(decoded.chunks_exact(dim)) {
            let norm = decoded.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!(
                (norm - 1.0).abs() < 2e-3,
                "reconstructions have unit length: {norm}"
            );
            sum += row.iter().zip(decoded).map(|(a, b)| a * b).sum::<f32>();
            n += 1;
        }
    }
    sum / n as f32
}

#[test]
fn more_bits_keep_more() {
    for dim in [DIM, 128, 200] {
        let [one, two, four] =
            [Bits::One, Bits::Two, Bits::Four].map(|bits| mean_cosine(bits, dim));
        assert!(
            one > 0.95 && two > 0.98 && four > 0.998,
            "{dim}: {one} {two} {four}"
        );
        assert!(one < two && two < four);
    }
}

#[test]
fn the_same_documents_and_seed_give_the_same_codec_and_it_survives_as_bytes() {
    let collection = Collection::new(3, DIM, 100, 20);
    let codec = Codec::train(&collection.all(), &Training::default()).unwrap();
    let again = Codec::train(&collection.all(), &Training::default()).unwrap();
    assert_eq!(codec.fingerprint(), again.fingerprint());
    let read = Codec::from_bytes(&codec.to_bytes(), Path::new("x")).unwrap();
    assert_eq!(read.fingerprint(), codec.fingerprint());
    let document = collection.get(5);
    assert_eq!(
        read.encode(&document).unwrap(),
        codec.encode(&document).unwrap()
    );
}

#[test]
fn a_codec_says_what_is_wrong_with_its_bytes() {
    let collection = Collection::new(3, DIM, 20, 10);
    let bytes = Codec::train(&collection.all(), &Training::default())
        .unwrap()
        .to_bytes();
    for at in [0, 9, 60, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert!(
            Codec::from_bytes(&changed, Path::new("x")).is_err(),
            "byte {at}"
        );
    }
    for len in [0, 3, 8, 63, 64, bytes.len() - 1] {
        assert!(
            Codec::from_bytes(&bytes[..len], Path::new("x")).is_err(),
            "{len} bytes"
        );
    }
}

#[test]
fn words_that_training_has_not_seen_are_coded_too() {
    let mut collection = Collection::new(9, DIM, 100, 20);
    let codec = Codec::train(&collection.all(), &Training::default()).unwrap();
    let (values, vocab) = collection.document(20);
    let unseen: Vec<u32> = vocab.iter().map(|word| word + 10_000).collect();
    let vectors = TokenMatrix::new(DIM, &values).unwrap();
    let decoded = codec.decode(
        &codec
            .encode(&Document::new(vectors, &unseen).unwrap())
            .unwrap(),
    );
    for (row, decoded) in vectors.rows().zip(decoded.chunks_exact(DIM)) {
        let cosine: f32 = row.iter().zip(decoded).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.9, "{cosine}");
    }
}

#[test]
fn nothing_is_not_enough_to_train_on() {
    let empty = TokenMatrix::new(DIM, &[]).unwrap();
    let documents = [Document::new(empty, &[]).unwrap()];
    let error = Codec::train(&documents, &Training::default()).unwrap_err();
    assert!(matches!(error, Error::NothingToTrain));
}
