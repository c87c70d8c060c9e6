//! A neighbourhood as a picture that stands alone, for light and dark.

use crate::api::{GraphEdge, GraphEdgeKind, GraphNode, GraphNodeKind, GraphView};
use std::fmt::Write;

const STYLE: &str = "\
svg{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#6e7781;--fill:#f6f8fa;--focus:#0969da;--risk:#bc4c00;--test:#1a7f37;font:12px ui-sans-serif,system-ui,sans-serif}
@media(prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--soft:#9198a1;--line:#8b949e;--fill:#161b22;--focus:#58a6ff;--risk:#f0883e;--test:#3fb950}}
.paper{fill:var(--paper)}.node{fill:var(--fill);stroke:var(--line)}.focus{stroke:var(--focus);stroke-width:2.5}.cluster{stroke-dasharray:4 3}
.test{stroke:var(--test)}.ring{fill:none;stroke:var(--risk)}text{fill:var(--ink);text-anchor:middle;dominant-baseline:central}.legend{fill:var(--soft);text-anchor:start}
.edge{fill:none;stroke:var(--line);stroke-width:1.2;opacity:.8}.import{stroke-dasharray:6 3}.type{stroke-dasharray:3 3}.edge.test{stroke-dasharray:1.5 3}.co-change{stroke-dasharray:1 5}
.inherit{stroke-width:2}.back{stroke:var(--risk)}marker path{fill:var(--line)}";

const LEGEND: &str = "callers left, callees right; height: PageRank; orange ring: risk; dashed: imports, types; dotted: tests";
const LEGEND_HEIGHT: f64 = 30.0;
/// The legend needs so much room.
const MIN_WIDTH: f64 = 700.0;
/// A ring below this says nothing.
const MIN_RISK: f64 = 0.05;

/// Writes a view as SVG.
pub(super) fn svg(view: &GraphView, title: &str) -> String {
    let width = view.width.max(MIN_WIDTH);
    let height = view.height + LEGEND_HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        escaped(title),
        escaped(&description(view)),
    );
    for edge in &view.edges {
        add_edge(&mut svg, edge);
    }
    for (at, node) in view.nodes.iter().enumerate() {
        add_node(&mut svg, node, at == 0);
    }
    // Writing to a String cannot fail.
    let _ = writeln!(
        svg,
        "<text class=\"legend\" x=\"16\" y=\"{}\">{LEGEND}</text>",
        height - LEGEND_HEIGHT / 2.0
    );
    svg + "</svg>\n"
}

fn description(view: &GraphView) -> String {
    let n_callers = view.edges.iter().filter(|edge| !edge.is_back).count();
    let mut said = format!(
        "{} nodes and {} edges, {n_callers} of them from left to right.",
        view.nodes.len(),
        view.edges.len()
    );
    for note in &view.notes {
        let _ = write!(said, " {note}.");
    }
    said
}

fn add_edge(svg: &mut String, edge: &GraphEdge) {
    let kind = match edge.kind {
        GraphEdgeKind::Call => "call",
        GraphEdgeKind::Import => "import",
        GraphEdgeKind::Inherit => "inherit",
        GraphEdgeKind::Type => "type",
        GraphEdgeKind::Reference => "reference",
        GraphEdgeKind::Test => "test",
        GraphEdgeKind::CoChange => "co-change",
    };
    let back = if edge.is_back { " back" } else { "" };
    let tip = match edge.kind {
        GraphEdgeKind::CoChange => "",
        _ => " marker-end=\"url(#tip)\"",
    };
    let _ = writeln!(
        svg,
        "<path class=\"edge {kind}{back}\" d=\"{}\"{tip}><title>{} {}: {}</title></path>",
        curve(&edge.points),
        escaped(&edge.from),
        escaped(&edge.to),
        escaped(&edge.detail)
    );
}

/// Corners joined by curves that leave and reach them level.
fn curve(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    let Some([x, y]) = points.first() else {
        return path;
    };
    let _ = write!(path, "M{x} {y}");
    for pair in points.windows(2) {
        let ([x1, y1], [x2, y2]) = (pair[0], pair[1]);
        if y1 == y2 || x1 == x2 {
            let _ = write!(path, "L{x2} {y2}");
        } else {
            let middle = ((x1 + x2) * 5.0).round() / 10.0;
            let _ = write!(path, "C{middle} {y1} {middle} {y2} {x2} {y2}");
        }
    }
    path
}

fn add_node(svg: &mut String, node: &GraphNode, is_focus: bool) {
    let kind = match node.kind {
        _ if is_focus => " focus",
        GraphNodeKind::Cluster => " cluster",
        _ if node.is_test => " test",
        _ => "",
    };
    let radius = match node.kind {
        GraphNodeKind::File => 2.0,
        _ => node.height / 2.0,
    };
    let (x, y, width, height) = (node.x, node.y, node.width, node.height);
    let _ = write!(
        svg,
        "<g><title>{}</title><rect class=\"node{kind}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
         height=\"{height}\" rx=\"{radius}\"/>",
        escaped(&about(node))
    );
    if node.risk >= MIN_RISK {
        let _ = write!(
            svg,
            "<rect class=\"ring\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" \
             stroke-width=\"{:.1}\"/>",
            x - 3.0,
            y - 3.0,
            width + 6.0,
            height + 6.0,
            radius + 3.0,
            1.0 + 4.0 * node.risk
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\">{}</text></g>",
        x + width / 2.0,
        y + height / 2.0,
        escaped(&node.label)
    );
}

/// Text for XML; characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(char),
            '\u{fffe}' | '\u{ffff}' => {}
            char if char.is_control() => {}
            char => escaped.push(char),
        }
    }
    escaped
}

/// What a node is, in words.
pub(super) fn about(node: &GraphNode) -> String {
    let place = match &node.symbol {
        Some(symbol) => {
            let head = if symbol.signature.is_empty() {
                symbol.kind.clone()
            } else {
                symbol.signature.clone()
            };
            format!(
                "{head}\n{}:{}-{}",
                node.path, symbol.start_line, symbol.end_line
            )
        }
        None => node.path.clone(),
    };
    format!("{place}\n{}", node.risk_reason)
}
