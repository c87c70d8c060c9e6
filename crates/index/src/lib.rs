//! Stores, build pipeline, views, manifest.
