#!/bin/bash
source ./lib.sh
. other.sh
X=1
export Y=2
# Doc
foo() {
  local z=$1
  bar "$X" | grep a
  echo $(baz $z)
}
function qux { foo; }
foo a
