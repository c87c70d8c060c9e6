//! PHP: names without case, traits whose methods get other names.

use crate::support::{View, check};

const TRAITS: &str = "<?php\ntrait Loggable {\n    public function log($m) { return $m; }\n    protected function filters() { return []; }\n}\n\
trait Counted {\n    public function log($m) { return 1; }\n}\n";

#[test]
fn a_method_of_a_trait_is_used_by_its_other_name() {
    check(
        &[
            ("src/Loggable.php", TRAITS),
            (
                "src/Order.php",
                "<?php\nclass Order {\n    use Loggable { filters as protected defaultFilters; }\n    public function pay() {\n        $this->log(1);\n\
                 \x20       return $this->defaultFilters();\n    }\n    public function filters() { return $this->defaultFilters(); }\n}\n\
                 class Late extends Order {\n    public function pay() { return $this->defaultFilters(); }\n}\n\
                 class Both {\n    use Loggable, Counted { Counted::log as count; Counted::log insteadof Loggable; filters as public; }\n\
                 \x20   public function run() { return $this->count(2); }\n}\n",
            ),
        ],
        &[
            (
                "Loggable.filters",
                &[
                    "src/Order.php:3",
                    "src/Order.php:6",
                    "src/Order.php:8",
                    "src/Order.php:11",
                ],
            ),
            ("Counted.log", &["src/Order.php:14", "src/Order.php:15"]),
            ("Order.filters", &[]),
        ],
    );
}

#[test]
fn what_is_called_may_be_written_in_any_case() {
    check(
        &[
            (
                "composer.json",
                "{ \"autoload\": { \"psr-4\": { \"App\\\\\": \"src/\" } } }",
            ),
            (
                "src/Service.php",
                "<?php\nnamespace App;\nclass Service {\n    const HUNT = 1;\n    public $size;\n    public function hunt() { return self::HUNT; }\n\
                 \x20   public static function make() { return new Service(); }\n    public function Size() {}\n}\nfunction helper_fn() { return 1; }\n",
            ),
            (
                "src/Use.php",
                "<?php\nnamespace App;\nclass UseIt {\n    public function __construct(private ?Service $other) {}\n    public function run() {\n\
                 \x20       $this->other?->HUNT();\n        $s = new service();\n        $s->hunt();\n        Service::MAKE();\n        HELPER_FN();\n\
                 \x20       $s->size();\n        return $s->size;\n    }\n}\n",
            ),
        ],
        &[
            ("Service.hunt", &["src/Use.php:6", "src/Use.php:8"]),
            ("Service.make", &["src/Use.php:9"]),
            ("helper_fn", &["src/Use.php:10"]),
            ("Service.Size", &["src/Use.php:11"]),
            ("Service.size", &["src/Use.php:12"]),
            ("Service.HUNT", &["src/Service.php:6"]),
        ],
    );
}

#[test]
fn what_may_be_called_in_another_case_is_not_dead() {
    let view = View::new(&[(
        "src/a.php",
        "<?php\nfinal class Service {\n    private function hunt() {}\n    private function gone() {}\n    public function run($x) { $x->HUNT(); }\n}\n(new Service())->run(1);\n",
    )]);
    assert_eq!(
        view.dead(),
        ["dead Service::gone", "possibly-dynamic Service::hunt"]
    );
}
