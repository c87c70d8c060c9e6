# A module that reads like many others.
terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

provider "aws" {
  alias  = "west"
  region = var.region
}

// Where everything is made.
variable "region" {
  type        = string
  description = "The region, such as \"eu-west-1\"."
  default     = "eu-west-1"

  validation {
    condition     = length(var.region) > 4
    error_message = "Too short: ${var.region}."
  }
}

variable "subnets" {
  type = map(object({
    cidr = string
    tags = optional(map(string), {})
  }))
}

locals {
  name   = "shop-${var.region}"
  public = { for name, subnet in var.subnets : name => subnet if subnet.cidr != null }
  ids    = [for subnet in aws_subnet.this : subnet.id]
}

data "aws_availability_zones" "all" {
  state = "available"
}

/* The network. */
resource "aws_vpc" "this" {
  count      = var.region == "" ? 0 : 1
  cidr_block = cidrsubnet(data.aws_availability_zones.all.names[0], 8, 1)
  tags = {
    Name = local.name
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_subnet" "this" {
  for_each = local.public
  provider = aws.west

  vpc_id     = aws_vpc.this[0].id
  cidr_block = each.value.cidr

  dynamic "timeouts" {
    for_each = each.value.tags
    content {
      create = timeouts.value
    }
  }
}

module "nat" {
  source   = "./modules/nat"
  for_each = aws_subnet.this

  subnet = each.value.id
  script = <<-EOT
    #!/bin/sh
    %{for name in keys(local.public)~}
    echo ${name} ${upper(local.name)}
    %{endfor~}
  EOT
}

output "ids" {
  description = "All of them."
  value       = concat(local.ids, values(module.nat)[*].id)
}

moved {
  from = aws_vpc.old
  to   = aws_vpc.this
}
