//! Terraform: folders are modules, calls set variables and read outputs, and what nothing reads is dead.

use crate::support::{View, check};

const CALLED: (&str, &str) = (
    "modules/net/main.tf",
    "variable \"cidr\" {}\nvariable \"tags\" {}\nlocals { tags = var.tags }\nresource \"aws_vpc\" \"this\" {\n  cidr_block = var.cidr\n  tags = local.tags\n}\n\
     output \"id\" { value = aws_vpc.this.id }\n",
);

#[test]
fn an_address_means_what_its_own_folder_declares() {
    check(
        &[
            CALLED,
            (
                "root.tf",
                "variable \"tags\" {}\nlocals { tags = merge(var.tags, { tags = 1 }) }\nresource \"aws_vpc\" \"this\" { tags = local.tags }\n",
            ),
            (
                "more.tf",
                "data \"aws_ami\" \"tags\" { x = \"${aws_vpc.this[0].id}-${local.tags}\" }\noutput \"tags\" {\n  value = [for tags in data.aws_ami.tags : tags.name]\n  x = aws_vpc.tags\n}\n",
            ),
        ],
        &[
            ("modules/net/main.tf:2", &["modules/net/main.tf:3"]),
            ("modules/net/main.tf:3", &["modules/net/main.tf:6"]),
            ("modules/net/main.tf:4", &["modules/net/main.tf:8"]),
            ("root.tf:1", &["root.tf:2"]),
            ("root.tf:2", &["more.tf:1", "root.tf:3"]),
            ("root.tf:3", &["more.tf:1"]),
            ("data.aws_ami.tags", &["more.tf:3"]),
            ("output.tags", &[]),
        ],
    );
}

#[test]
fn a_call_sets_variables_and_reads_outputs_of_the_folder() {
    let files = [
        CALLED,
        (
            "main.tf",
            "module \"net\" {\n  source = \"./modules/net\"\n  cidr = \"10.0.0.0/8\"\n  count = 1\n}\nmodule \"other\" {\n  source = \"terraform-aws-modules/vpc/aws\"\n  cidr = 1\n}\n",
        ),
        (
            "outputs.tf",
            "output \"net\" { value = module.net[0].id }\noutput \"other\" { value = module.other.id }\n",
        ),
        ("terraform.tfvars", "cidr = 1\n"),
        ("modules/net/dev.auto.tfvars", "tags = {}\n"),
    ];
    let view = View::new(&files);
    assert_eq!(view.imports_of("main.tf"), ["modules/net/main.tf"]);
    check(
        &files,
        &[
            (
                "var.cidr",
                &["main.tf:3", "modules/net/main.tf:5", "terraform.tfvars:1~"],
            ),
            (
                "var.tags",
                &["modules/net/dev.auto.tfvars:1", "modules/net/main.tf:3"],
            ),
            ("output.id", &["outputs.tf:1"]),
            ("module.net", &["outputs.tf:1"]),
            ("module.other", &["outputs.tf:2"]),
        ],
    );
}

#[test]
fn providers_are_meant_by_alias() {
    check(
        &[(
            "main.tf",
            "provider \"aws\" {}\nprovider \"aws\" { alias = \"west\" }\nresource \"aws_vpc\" \"a\" { provider = aws.west }\nmodule \"m\" { providers = { aws = aws.west } }\n",
        )],
        &[("provider.aws.west", &["main.tf:3", "main.tf:4"])],
    );
}

#[test]
fn what_no_reader_in_the_module_names_is_dead() {
    let found = View::new(&[
        (
            "main.tf",
            "locals {\n  used = 1\n  idle = 2\n  chained = local.idle\n  check = { for name in [] : name => 1 }\n  worded = 3\n}\ndata \"aws_ami\" \"gone\" { x = local.used }\ndata \"aws_ami\" \"kept\" {}\n\
             data \"external\" \"runs\" {}\nresource \"aws_vpc\" \"alone\" { ami = data.aws_ami.kept.id }\nvariable \"given\" {}\noutput \"shown\" { value = local.used }\n",
        ),
        ("worded.json", "{\"worded\": 1}\n"),
        ("other/main.tf", "output \"x\" { value = local.idle }\n"),
        ("scripts/deploy.sh", "terraform apply -var idle=1 -var gone=2\n"),
    ])
    .dead_with_reasons();
    let verdict = |name: &str| -> String {
        let found = found.iter().find(|one| {
            one.split(':')
                .next()
                .is_some_and(|head| head.ends_with(name))
        });
        found
            .map_or("none", |one| one.split(' ').next().unwrap_or_default())
            .to_owned()
    };
    let cases = [
        ("local.idle", "dead"),
        ("local.chained", "dead"),
        ("local.used", "none"),
        ("local.check", "possibly-dynamic"),
        ("local.worded", "possibly-dynamic"),
        ("data.aws_ami.gone", "dead"),
        ("data.aws_ami.kept", "none"),
        ("data.external.runs", "possibly-dynamic"),
        ("aws_vpc.alone", "none"),
        ("var.given", "none"),
        ("output.shown", "none"),
    ];
    for (name, expected) in cases {
        assert_eq!(verdict(name), expected, "{name}: {found:?}");
    }
}
