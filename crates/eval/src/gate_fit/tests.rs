use super::*;
use crate::statistics::Random;

/// Made-up tasks of `n_repos` repositories with 25 tasks each: the stage helps where the first input is high and
/// harms where it is low; the second input says nothing. The rules always run.
fn examples(n_repos: usize, is_telling: bool) -> Vec<GateExample> {
    let mut random = Random(7);
    let mut share = || random.below(1000) as f64 / 1000.0;
    let mut examples = Vec::new();
    for repo in 0..n_repos {
        for task in 0..25 {
            let (first, second, third) = (share(), share(), share());
            let helps = if is_telling { first } else { third } > 0.6;
            examples.push(GateExample {
                repo: format!("r{repo}"),
                task: format!("r{repo}-{task}"),
                inputs: vec![first, second],
                rules_run: true,
                never: 0.5,
                always: if helps { 0.8 } else { 0.4 },
            });
        }
    }
    examples
}

fn value(fit: &GateFit, name: &str) -> f64 {
    let policy = fit.policies.iter().find(|policy| policy.name == name);
    policy.expect("it is there").value.mean
}

#[test]
fn a_telling_input_is_found_and_beats_the_rules() {
    let fit = fit_gate(&examples(6, true), 1);
    assert_eq!((fit.n, fit.n_repositories), (150, 6));
    assert_eq!(fit.n_gain + fit.n_loss, 150);
    assert!(fit.is_better, "{:?}", fit.over_rules);
    assert!(value(&fit, "learned") > value(&fit, "always") + 0.03);
    assert!(value(&fit, "learned") <= value(&fit, "oracle"));
    assert!(fit.coefficients[0] > 3.0 && fit.coefficients[1].abs() < fit.coefficients[0] / 3.0);
    let learned = &fit.forecasts[2];
    assert!(learned.auc.expect("both kinds are there") > 0.95);
    assert!(learned.brier < fit.forecasts[1].brier);
}

#[test]
fn an_input_that_says_nothing_is_not_called_better() {
    let examples = examples(6, false);
    let fit = fit_gate(&examples, 1);
    let auc = fit.forecasts[2].auc.expect("both kinds are there");
    assert!((0.3..0.7).contains(&auc), "{auc}");
    assert!(value(&fit, "learned") < value(&fit, "oracle") - 0.03);
}

#[test]
fn the_same_examples_give_the_same_gate_in_any_order_of_repositories() {
    let mut turned = examples(5, true);
    let fit = fit_gate(&turned, 3);
    assert_eq!(fit, fit_gate(&turned, 3));
    turned.reverse();
    let other = fit_gate(&turned, 3);
    assert!((fit.coefficients[0] - other.coefficients[0]).abs() < 1e-9);
    assert!((fit.threshold - other.threshold).abs() < 1e-9);
}

#[test]
fn regret_is_what_always_has_beyond_a_policy() {
    let fit = fit_gate(&examples(4, true), 1);
    for policy in &fit.policies {
        let expected = value(&fit, "always") - policy.value.mean;
        assert!((policy.regret - expected).abs() < 1e-12);
        assert!((0.0..=1.0).contains(&policy.runs));
    }
}

#[test]
fn a_stage_that_never_helps_is_never_run() {
    let mut examples = examples(4, true);
    for example in &mut examples {
        example.always = example.always.min(example.never);
    }
    let fit = fit_gate(&examples, 1);
    assert_eq!((fit.n_gain, fit.threshold), (0, 1.0));
    assert_eq!(fit.policies[2].runs, 0.0);
    assert_eq!(fit.forecasts[2].auc, None);
    // Better than the rules, but there is nothing learned in never running.
    assert!(fit.over_rules.is_clear() && !fit.is_better);
}

#[test]
fn no_examples_are_no_gate() {
    let fit = fit_gate(&[], 1);
    assert_eq!((fit.n, fit.is_better), (0, false));
    assert!(fit.threshold.is_finite() && fit.intercept.is_finite());
}

#[test]
fn equal_scores_count_half() {
    assert_eq!(auc(&[0.5, 0.5], &[true, false]), Some(0.5));
    assert_eq!(auc(&[0.9, 0.1, 0.4], &[true, false, false]), Some(1.0));
}
