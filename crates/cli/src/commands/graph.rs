//! `whyrank graph`.

use std::path::Path;

use whyrank_engine::api::{
    GraphEdge, GraphNode, GraphNodeKind, GraphSide, GraphView, GraphViewRequest, SymbolPlace,
};
use whyrank_mcp::ToolError;

use crate::args::{FormatArg, GraphArgs};
use crate::exit::{Exit, NOTHING_FOUND};
use crate::out::{self, Paint, paint};
use crate::workspace;

pub(crate) fn run(args: &GraphArgs, json: bool) -> anyhow::Result<()> {
    let (session, summary) = workspace::searchable(args.repo.repo.as_deref())?;
    if args.as_of.is_none()
        && let Some(line) = workspace::behind(session.engine(), &summary.id)?
    {
        out::note(&line);
    }
    let place = |symbol: &str| SymbolPlace {
        symbol: symbol.to_owned(),
        path: None,
        line: None,
    };
    let request = GraphViewRequest {
        repo: summary.id,
        focus: SymbolPlace {
            symbol: args.focus.clone(),
            path: args.path.clone(),
            line: args.line,
        },
        to: args.to.as_deref().map(place),
        radius: args.radius,
        direction: args.direction.into(),
        kinds: args.kinds.iter().map(|kind| (*kind).into()).collect(),
        max_nodes: args.max_nodes,
        expanded: args.expand.clone(),
        as_of: args.as_of.clone(),
    };
    let format = if json { FormatArg::Json } else { args.format };
    let view = session.engine().graph_view(&request)?;
    if view.focus.is_none() {
        return unknown(&view, format);
    }
    let text = match format.exported() {
        Some(format) => session.engine().graph_export(&request, format)?.text,
        None => listed(&view),
    };
    match &args.output {
        Some(path) => write(path, &text)?,
        None => out::bytes(text.as_bytes())?,
    }
    if format == FormatArg::Text {
        view.notes.iter().for_each(|note| out::note(note));
    }
    Ok(())
}

fn unknown(view: &GraphView, format: FormatArg) -> anyhow::Result<()> {
    if format == FormatArg::Json {
        out::json(view)?;
    }
    view.notes.iter().for_each(|note| out::note(note));
    for near in &view.near {
        let place = format!("{}:{}", near.path, near.name_line);
        out::note(&format!("  near: {} {place}", near.qualified));
    }
    Err(Exit(NOTHING_FOUND).into())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).map_err(|error| {
        let message = format!("cannot write {}: {error}", path.display());
        ToolError::new("write-failed", message, "choose another file").into()
    })
}

/// The view as a list: the focus, then what lies on each side by distance; or way by way.
fn listed(view: &GraphView) -> String {
    let mut lines = Vec::new();
    if view.to.is_some() {
        for (at, chain) in view.chains.iter().enumerate() {
            lines.push(paint(&format!("way {}", at + 1), Paint::Dim));
            lines.extend(chain_lines(view, chain));
        }
        return lines.join("\n") + "\n";
    }
    let mut heading = String::new();
    for node in &view.nodes {
        let now = heading_of(node);
        if now != heading {
            lines.push(paint(&now, Paint::Dim));
            heading = now;
        }
        lines.push(node_line(view, node));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n") + "\n"
}

fn heading_of(node: &GraphNode) -> String {
    let steps = match node.distance {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    match node.side {
        GraphSide::Focus | GraphSide::Way => String::new(),
        GraphSide::Callers => format!("callers, {steps}"),
        GraphSide::Callees => format!("callees, {steps}"),
        GraphSide::CoChange => "changed together".to_owned(),
    }
}

fn node_line(view: &GraphView, node: &GraphNode) -> String {
    let name = match node.side {
        GraphSide::Focus => paint(&node.label, Paint::Bold),
        _ => node.label.clone(),
    };
    let how = nearer_edge(view, node).map_or_else(String::new, |edge| how(view, node, edge));
    if node.kind == GraphNodeKind::Cluster {
        return format!("  {name}{how}");
    }
    let indent = if node.distance == 0 { "" } else { "  " };
    format!("{indent}{} {name}{how}{}", place(node), figures(node))
}

fn place(node: &GraphNode) -> String {
    match &node.symbol {
        Some(symbol) if node.kind == GraphNodeKind::Symbol => {
            format!("{}:{}-{}", node.path, symbol.start_line, symbol.end_line)
        }
        _ => node.path.clone(),
    }
}

fn figures(node: &GraphNode) -> String {
    let said = match (node.is_test, node.side) {
        (true, _) => "test".to_owned(),
        (_, GraphSide::CoChange) => return String::new(),
        (_, GraphSide::Focus) => format!(
            "{} callers, {} callees, risk {:.2}: {}",
            node.callers, node.callees, node.risk, node.risk_reason
        ),
        _ => format!("risk {:.2}, {} tests", node.risk, node.tested),
    };
    paint(&format!("  [{said}]"), Paint::Dim)
}

/// The edge that leads nearer to the focus: from a caller, or to a callee, where there is such a one.
fn nearer_edge<'v>(view: &'v GraphView, node: &GraphNode) -> Option<&'v GraphEdge> {
    let distance = |id: &str| {
        let found = view.nodes.iter().find(|node| node.id == id);
        found.map(|node| node.distance)
    };
    let nearer = view.edges.iter().filter(|edge| {
        let other = if edge.from == node.id {
            &edge.to
        } else {
            &edge.from
        };
        (edge.from == node.id || edge.to == node.id)
            && distance(other).is_some_and(|other| other < node.distance)
    });
    nearer.min_by_key(|edge| (edge.from == node.id) != (node.side == GraphSide::Callers))
}

/// What an edge says, seen from a node.
fn how(view: &GraphView, node: &GraphNode, edge: &GraphEdge) -> String {
    let is_user = edge.from == node.id;
    let other = if is_user { &edge.to } else { &edge.from };
    let other = view.nodes.iter().find(|node| node.id == *other);
    let other = other.map_or("", |node| node.label.as_str());
    let line = edge
        .line
        .map_or_else(String::new, |line| format!(":{line}"));
    let arrow = if is_user { "->" } else { "<-" };
    format!(" {arrow} {other}{line} ({})", edge.detail)
}

fn chain_lines(view: &GraphView, chain: &[String]) -> Vec<String> {
    let node = |id: &String| view.nodes.iter().find(|node| node.id == *id);
    let mut lines = Vec::new();
    for (at, id) in chain.iter().enumerate() {
        let Some(shown) = node(id) else { continue };
        let next = chain.get(at + 1);
        let edge = next.and_then(|next| {
            let mut edges = view.edges.iter();
            edges.find(|edge| edge.from == *id && edge.to == *next)
        });
        let how = edge.map_or_else(String::new, |edge| how(view, shown, edge));
        lines.push(format!("  {} {}{how}", place(shown), shown.label));
    }
    lines
}
