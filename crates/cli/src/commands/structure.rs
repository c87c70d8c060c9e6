//! Commands about the shape of a code base, each a row of the tool table.

use serde_json::json;

use super::tools::run;
use crate::args::{
    AuditArgs, ClustersArgs, ConceptsArgs, ExportContextArgs, OverviewArgs, TestMapArgs,
};

pub(crate) fn overview(args: &OverviewArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"path": args.path, "depth": args.depth, "as_of": args.as_of});
    let repo = args.repo.repo.as_deref();
    run("overview", repo, arguments, json, "modules")
}

pub(crate) fn audit(args: &AuditArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"path": args.path, "kinds": args.kinds, "as_of": args.as_of});
    let repo = args.repo.repo.as_deref();
    run("audit", repo, arguments, json, "findings")
}

pub(crate) fn clusters(args: &ClustersArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"min_size": args.min_size, "as_of": args.as_of});
    let repo = args.repo.repo.as_deref();
    run("clusters", repo, arguments, json, "clusters")
}

pub(crate) fn concepts(args: &ConceptsArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"query": args.query, "limit": args.limit, "as_of": args.as_of});
    let repo = args.repo.repo.as_deref();
    run("concepts", repo, arguments, json, "concepts")
}

pub(crate) fn export_context(args: &ExportContextArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"path": args.path, "max_tokens": args.budget, "as_of": args.as_of});
    let repo = args.repo.repo.as_deref();
    run("export_context", repo, arguments, json, "definitions")
}

pub(crate) fn test_map(args: &TestMapArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({
        "ref": args.reference,
        "path": args.path,
        "symbol": args.symbol,
        "depth": args.depth,
        "as_of": args.as_of,
    });
    let repo = args.repo.repo.as_deref();
    run("test_map", repo, arguments, json, "symbols")
}
