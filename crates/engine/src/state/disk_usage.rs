//! What vectors take on disk.

use super::State;
use crate::api::{VectorKind, VectorRoom};
use crate::views::LiveView;
use whyrank_index::DiskUsage;

impl State {
    /// By kind, what the vectors of a view's store take: those of the models in use, where there are
    /// any. Damaged ones are named by the coverage, and left out here.
    pub(crate) fn vector_rooms(&self, view: &LiveView) -> Vec<VectorRoom> {
        let reader = &view.reader;
        let dense = self.encoder().ok();
        let dense = dense.and_then(|encoder| reader.vector_disk_usage(encoder.spec()).ok());
        let tokens = self.token_lane().ok();
        let tokens =
            tokens.and_then(|(encoder, _)| reader.token_disk_usage(encoder.token_spec()).ok());
        let statics = self.static_encoder().ok();
        let statics = statics.map(|encoder| reader.static_disk_usage(encoder.spec()));
        let kinds = [
            (VectorKind::Static, statics),
            (VectorKind::Dense, dense),
            (VectorKind::Token, tokens),
        ];
        let found = kinds.into_iter();
        found
            .filter_map(|(kind, room)| of_kind(kind, room?))
            .collect()
    }
}

fn of_kind(kind: VectorKind, room: DiskUsage) -> Option<VectorRoom> {
    (room.n_chunks > 0).then(|| VectorRoom {
        kind,
        bytes: room.n_bytes as f64,
        chunks: room.n_chunks as u32,
        bytes_per_chunk: (room.n_bytes as f64 / room.n_chunks as f64).round(),
    })
}
