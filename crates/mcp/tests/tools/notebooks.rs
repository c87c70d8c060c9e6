//! Notebooks among the files of a repository.

use serde_json::json;

use crate::support::Shop;

const NOTEBOOK: &str = r##"{
 "cells": [
  {"cell_type": "markdown", "metadata": {}, "source": ["# Seasonal demand\n", "What is bought in winter."]},
  {"cell_type": "code", "metadata": {}, "outputs": [{"text": ["def printed_by_a_run(): pass\n"]}], "source": [
    "%matplotlib inline\n",
    "from shop.prices import with_tax\n",
    "def winter_price(item, label=\"snow\"):\n",
    "    return with_tax(item[label])\n"
  ]},
  {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["winter_price({})\n", "winter_price(2)"]}
 ],
 "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5
}
"##;

#[test]
fn a_notebook_is_read_as_the_code_of_its_cells() {
    let shop = Shop::new();
    shop.write("shop/study.ipynb", NOTEBOOK);
    shop.index();
    let places = |tool: &str, args| -> Vec<(String, u32)> {
        let results = shop.call(tool, args).results.into_iter();
        results.map(|one| (one.path, one.start_line)).collect()
    };
    let here = |line: u32| ("shop/study.ipynb".to_owned(), line);
    let defined = places("lookup", json!({"symbol": "winter_price"}));
    assert_eq!(defined, [here(7)]);
    let used = places("refs", json!({"symbol": "with_tax"}));
    assert!(used.contains(&here(8)), "{used:?}");
    let used = shop.call("refs", json!({"symbol": "winter_price"}));
    let certain = used.structured["references"].as_array().unwrap();
    // Both calls stand on one line of the file.
    assert_eq!(
        (certain.len(), &certain[0]["line"]),
        (1, &json!(10)),
        "{}",
        used.text
    );
    let found = places("search", json!({"query": "bought in winter"}));
    assert_eq!(found[0].0, "shop/study.ipynb");
    let found = shop.call("search", json!({"query": "label=\"snow\""}));
    assert_eq!(found.results[0].path, "shop/study.ipynb");
    let printed = shop.try_call("lookup", json!({"symbol": "printed_by_a_run"}));
    assert_eq!(printed.expect_err("outputs are not read").code, "not-found");
}
