//! Structural search and recurring roles, as the tools answer.

use serde_json::json;

use super::tools::run;
use crate::args::{AstGrepArgs, PatternsArgs};

pub(crate) fn ast_grep(args: &AstGrepArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({
        "pattern": args.pattern,
        "language": args.lang,
        "path": args.path,
        "limit": args.limit,
        "as_of": args.as_of,
        "format": args.bindings.then_some("detailed"),
    });
    let repo = args.repo.repo.as_deref();
    run("ast_grep", repo, arguments, json, "matches")
}

pub(crate) fn patterns(args: &PatternsArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({
        "pattern": args.pattern,
        "path": args.path,
        "as_of": args.as_of,
        "format": args.evidence.then_some("detailed"),
    });
    let repo = args.repo.repo.as_deref();
    run("patterns", repo, arguments, json, "findings")
}
