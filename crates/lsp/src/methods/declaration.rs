//! `textDocument/declaration`: heads that only declare, else definitions.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::methods::definition;
use lsp_types::request::{GotoDeclarationParams, GotoDeclarationResponse};

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: GotoDeclarationParams,
) -> Result<Option<GotoDeclarationResponse>, Failure> {
    definition::declared(ask, params)
}
