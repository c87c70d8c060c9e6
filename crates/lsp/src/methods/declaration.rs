//! `textDocument/declaration`: declarations and definitions are one to the index, so both are listed.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::methods::definition;
use lsp_types::request::{GotoDeclarationParams, GotoDeclarationResponse};

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: GotoDeclarationParams,
) -> Result<Option<GotoDeclarationResponse>, Failure> {
    definition::answer(ask, params)
}
