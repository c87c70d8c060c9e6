//! Candle models behind the BiEncoder trait, and the model store.
