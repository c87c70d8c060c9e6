//! A neighbourhood as a file: picture, Graphviz, data.

use super::svg::{about, svg};
use crate::api::{
    GraphEdge, GraphEdgeKind, GraphExport, GraphFormat, GraphNode, GraphNodeKind, GraphView,
};
use crate::error::{EngineError, Result};
use std::fmt::Write;

/// Writes a view in a format.
pub(super) fn export(view: &GraphView, format: GraphFormat) -> Result<GraphExport> {
    let Some(focus) = view.nodes.first() else {
        let near: Vec<&str> = view
            .near
            .iter()
            .map(|line| line.qualified.as_str())
            .collect();
        return Err(EngineError::new(
            "unknown-symbol",
            view.notes.join("; "),
            if near.is_empty() {
                "look for its name with `whyrank search`".to_owned()
            } else {
                format!("near ones: {}", near.join(", "))
            },
        ));
    };
    let (text, extension) = match format {
        GraphFormat::Svg => (svg(view, &title(view, focus)), "svg"),
        GraphFormat::Dot => (dot(view, &title(view, focus)), "dot"),
        GraphFormat::Json => (json(view)?, "json"),
    };
    let plain = |char: char| {
        if char.is_alphanumeric() || matches!(char, '.' | '-' | '_') {
            char
        } else {
            '-'
        }
    };
    let name: String = focus.label.chars().map(plain).collect();
    Ok(GraphExport {
        text,
        file_name: format!("graph-{}.{extension}", name.trim_matches('-')),
    })
}

fn title(view: &GraphView, focus: &GraphNode) -> String {
    let other = view.to.as_ref();
    let other = other.and_then(|to| view.nodes.iter().find(|node| node.id == *to));
    match other {
        Some(to) => format!("Ways from {} to {}", focus.label, to.label),
        None => format!("Around {} in {}", focus.label, focus.path),
    }
}

fn json(view: &GraphView) -> Result<String> {
    serde_json::to_string_pretty(view)
        .map(|text| text + "\n")
        .map_err(|error| {
            let message = format!("cannot write the view as JSON: {error}");
            EngineError::new("internal", message, "report this")
        })
}

fn dot(view: &GraphView, title: &str) -> String {
    let mut dot = format!("digraph \"{}\" {{\n  rankdir=LR;\n", quoted(title));
    dot.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n");
    for node in &view.nodes {
        let style = match node.kind {
            GraphNodeKind::Cluster => ", style=\"rounded,dashed\"",
            GraphNodeKind::File => ", shape=note",
            GraphNodeKind::Symbol if node.distance == 0 => ", style=\"rounded,bold\"",
            GraphNodeKind::Symbol => "",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            dot,
            "  \"{}\" [label=\"{}\", tooltip=\"{}\", penwidth={:.1}{style}];",
            quoted(&node.id),
            quoted(&node.label),
            quoted(&about(node)),
            1.0 + 4.0 * node.risk,
        );
    }
    for edge in &view.edges {
        let _ = writeln!(
            dot,
            "  \"{}\" -> \"{}\" [tooltip=\"{}\"{}];",
            quoted(&edge.from),
            quoted(&edge.to),
            quoted(&edge.detail),
            dot_style(edge)
        );
    }
    dot + "}\n"
}

fn dot_style(edge: &GraphEdge) -> &'static str {
    match edge.kind {
        GraphEdgeKind::Call => "",
        GraphEdgeKind::Import => ", style=dashed",
        GraphEdgeKind::Inherit => ", arrowhead=empty",
        GraphEdgeKind::Type => ", arrowhead=open, style=dashed",
        GraphEdgeKind::Reference => ", arrowhead=open",
        GraphEdgeKind::Test => ", style=dotted",
        GraphEdgeKind::CoChange => ", dir=none, style=dotted",
    }
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n").replace('\r', "")
}
