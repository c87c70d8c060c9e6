//! V8's CPU profiles (`node --cpu-prof`, Chrome's DevTools): a tree of frames with samples.
//!
//! Lines count from 0 there. A node's samples are its own; here each has those below it as well.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use super::collector::Collector;
use super::json;
use super::run::{CallNode, RunFunction, Scope};
use crate::coverage::At;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    id: i64,
    #[serde(borrow)]
    call_frame: CallFrame<'a>,
    #[serde(default)]
    hit_count: u64,
    #[serde(default)]
    children: Vec<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallFrame<'a> {
    #[serde(borrow, default)]
    function_name: Cow<'a, str>,
    #[serde(borrow, default)]
    url: Cow<'a, str>,
    #[serde(default)]
    line_number: i64,
    #[serde(default)]
    column_number: i64,
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    json::each(bytes, &[&["nodes"]], found, |node, found| {
        nodes.push(node);
        found.has_room(nodes.len(), At::Byte(0))
    });
    tree(&nodes, found);
}

fn tree(nodes: &[Node<'_>], found: &mut Collector<'_, '_>) {
    let by_id: HashMap<i64, usize> = nodes
        .iter()
        .zip(0..)
        .map(|(node, at)| (node.id, at))
        .collect();
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        for child in node.children.iter().filter_map(|id| by_id.get(id)) {
            // The first to claim a child has it; a node is no child of itself.
            if parents[*child].is_none() && *child != at {
                parents[*child] = Some(at);
            }
        }
    }
    let (order, n_cycles) = from_roots(&parents);
    if n_cycles > 0 {
        let message = format!("{n_cycles} nodes that no root leads to");
        found.problem(At::Byte(0), &message);
    }
    let mut n: Vec<u64> = nodes.iter().map(|node| node.hit_count).collect();
    for at in order.iter().rev() {
        if let Some(parent) = parents[*at] {
            n[parent] = n[parent].saturating_add(n[*at]);
        }
    }
    let mut calls: Vec<Option<u32>> = vec![None; nodes.len()];
    for at in order {
        if found.is_over() {
            return;
        }
        let parent = parents[at].and_then(|parent| calls[parent]);
        let Some(function) = found.function(function(&nodes[at].call_frame), At::Byte(0)) else {
            continue;
        };
        let call = CallNode {
            function,
            parent,
            n: n[at],
            line: 0,
        };
        calls[at] = found.call(call, At::Byte(0));
    }
}

/// The nodes with each parent before its children, and how many no root leads to.
fn from_roots(parents: &[Option<usize>]) -> (Vec<usize>, usize) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(at);
        }
    }
    let mut order: Vec<usize> = (0..parents.len())
        .filter(|at| parents[*at].is_none())
        .collect();
    let mut next = 0;
    while let Some(at) = order.get(next).copied() {
        order.extend(&children[at]);
        next += 1;
    }
    let n_left = parents.len() - order.len();
    (order, n_left)
}

fn function(frame: &CallFrame<'_>) -> RunFunction {
    let line = u32::try_from(frame.line_number.saturating_add(1)).unwrap_or(0);
    let name = frame.function_name.as_ref();
    let starts_file = frame.line_number == 0 && frame.column_number == 0;
    let is_anonymous = matches!(name, "" | "(anonymous)");
    // `(root)`, `(program)`, `(idle)` and what is built in have no file.
    let scope = if frame.url.is_empty() {
        Scope::Outside
    } else if starts_file && is_anonymous {
        Scope::TopLevel
    } else {
        Scope::Function
    };
    let (container, name) = match name.rsplit_once('.') {
        _ if is_anonymous => ("", ""),
        Some((before, last)) => (before.rsplit(['.', ' ']).next().unwrap_or(before), last),
        None => ("", name),
    };
    // A getter is `get size`.
    let name = name.rsplit(' ').next().unwrap_or(name);
    RunFunction {
        path: frame.url.as_ref().to_owned(),
        name: name.to_owned(),
        container: container.to_owned(),
        line,
        scope,
    }
}
