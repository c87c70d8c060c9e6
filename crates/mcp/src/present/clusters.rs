//! What belongs together: a line a cluster, then what ties clusters together.

use whyrank_engine::api::{BridgeMember, Cluster, ClusterBridge, ClustersResponse};

use super::Style;
use super::blocks::{Block, fill, some};
use super::page::{Footer, Page, count, percent, short, thousands};

/// Names that represent a cluster in the short form.
const N_KEY: usize = 4;
/// Bridges, and members that tie, in the short form; their heads say how many there are.
const N_TIES: usize = 8;

/// Writes clusters by importance, the strongest bridges between them and the members that tie them.
pub fn clusters(response: &ClustersResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&head(response));
    let lines = response
        .clusters
        .iter()
        .map(|one| (1, cluster(one, &response.unit, style)));
    let most = if style.detailed { usize::MAX } else { N_TIES };
    let bridges = response.bridges.iter().take(most);
    let members = response.bridge_members.iter().take(most);
    let n_bridges = response.bridges.len();
    let n_members = response.bridge_members.len();
    let blocks = [
        Block {
            share: 4,
            ..Block::new("clusters by importance:", lines.collect())
        },
        Block::new(
            format!("bridges ({n_bridges}), strongest first:"),
            bridges.map(|one| (0, bridge(one))).collect(),
        ),
        Block::new(
            format!(
                "{}s that tie clusters together ({n_members}):",
                response.unit
            ),
            members.map(|one| (0, member(one))).collect(),
        ),
    ];
    let shown = fill(&mut page, &blocks)[0];
    page.finish(&Footer {
        shown,
        total: response.clusters.len(),
        what: "clusters",
        ..Footer::default()
    })
}

fn head(response: &ClustersResponse) -> String {
    let members = count(response.n_members as usize, &response.unit);
    let left = match response.n_unlisted {
        0 => String::new(),
        n => format!(
            "; {} in clusters smaller than {}",
            thousands(n as usize),
            response.min_size
        ),
    };
    let clusters = count(response.clusters.len(), "cluster");
    format!(
        "{clusters} of {members}, modularity {:.2}{left}",
        response.modularity
    )
}

fn cluster(cluster: &Cluster, unit: &str, style: Style) -> String {
    let folder = if cluster.folder.is_empty() {
        String::new()
    } else {
        format!(" in {}/", cluster.folder)
    };
    let key = cluster.key.iter().map(|symbol| {
        if style.detailed {
            format!("{} {}:{}", symbol.qualified, symbol.path, symbol.name_line)
        } else {
            short(&symbol.qualified).to_owned()
        }
    });
    let key: Vec<String> = key
        .take(if style.detailed { usize::MAX } else { N_KEY })
        .collect();
    let files = if style.detailed {
        format!("; files: {}", some(&cluster.files, 20))
    } else {
        String::new()
    };
    let size = count(cluster.size as usize, unit);
    format!(
        "  {} {}{folder}: {size}, cohesion {}: {}{files}",
        cluster.id,
        cluster.label.join(" "),
        percent(cluster.cohesion),
        key.join(", ")
    )
}

fn bridge(bridge: &ClusterBridge) -> String {
    format!(
        "  {} -> {}: {} over {}; {}:{} -> {}",
        bridge.from,
        bridge.to,
        count(bridge.n_uses as usize, "use"),
        count(bridge.n_edges as usize, "edge"),
        bridge.path,
        bridge.line,
        bridge.target
    )
}

fn member(member: &BridgeMember) -> String {
    let symbol = member
        .symbol
        .iter()
        .map(|symbol| format!(" {symbol}"))
        .collect::<String>();
    format!(
        "  {}{symbol} ({}): touches {} others, {} of its weight outside",
        member.path,
        member.cluster,
        member.n_clusters,
        percent(member.outside)
    )
}
