// Listings of one Go module in GOPATH layout that go/types is sure of.
//
// usage: listing ROOT GOPATH SEED MUTANTS [PROBE] > tasks.json
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

type query struct {
	Symbol   string  `json:"symbol,omitempty"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"`
	MaxDepth int     `json:"max_depth,omitempty"`
	Path     *string `json:"path,omitempty"`
}

type task struct {
	Category string `json:"category"`
	Stratum  string `json:"stratum"`
	Kind     string `json:"kind"`
	Query    query  `json:"query"`
	Expected []spot `json:"expected"`
	Optional []spot `json:"optional"`
	Tol      int    `json:"tol"`
}

type spots = map[spot]bool

func (d *def) head() spot      { return spot{d.file, d.line, d.qual} }
func (d *def) isTest() bool    { return strings.HasSuffix(d.file, "_test.go") }
func (d *def) question() query { return query{Symbol: d.qual, File: d.file, Line: d.line} }

func (d *def) lines() spots {
	out := spots{}
	for _, u := range d.uses {
		out[spot{File: u.file, Line: u.line}] = true
	}
	return out
}

func bare(s spot) spot { return spot{File: s.File, Line: s.Line} }

// compose makes a task; a place that is expected is not optional as well.
func compose(category, stratum string, d *def, expected, optional spots) task {
	taken := spots{}
	for s := range expected {
		taken[bare(s)] = true
	}
	for s := range optional {
		if taken[bare(s)] {
			delete(optional, s)
		}
	}
	return task{category, stratum, d.kind, d.question(), sorted(expected), sorted(optional), 0}
}

// uncertain: the name stands in files of other platforms, or nowhere that the type checker resolves.
func (c *collector) uncertain(d *def) bool { return c.doubtful[d.name] || len(d.name) < 3 }

// related gives the places that may reach a member through others of its family.
func (c *collector) related(d *def) spots {
	out := spots{bare(d.head()): true}
	for s := range c.comments[d.name] {
		out[s] = true
	}
	for _, family := range []relation{c.above, c.below, c.beside} {
		for p := range family[d.id.Pos()] {
			if o := c.byPos[p]; o != nil {
				out[bare(o.head())] = true
				for s := range o.lines() {
					out[s] = true
				}
			}
		}
	}
	return out
}

func (c *collector) stratumOf(d *def) string {
	switch {
	case d.kind == "signature":
		return "interface"
	case d.kind == "method" && (len(c.above[d.id.Pos()]) > 0 || c.meets[d.id.Pos()]):
		return "override"
	case d.kind == "method" || d.kind == "field":
		return "member"
	}
	return ""
}

func (c *collector) p2() (out []task) {
	for _, d := range c.defs {
		stratum, expected := c.stratumOf(d), d.lines()
		if stratum == "" || c.uncertain(d) || d.isTest() || len(expected) < 2 || len(expected) > 40 {
			continue
		}
		out = append(out, compose("P2", stratum, d, expected, c.related(d)))
	}
	return out
}

func (c *collector) heads(found map[token.Pos]bool) spots {
	out := spots{}
	for p := range found {
		if d := c.byPos[p]; d != nil {
			out[d.head()] = true
		}
	}
	return out
}

func (c *collector) implementations() (out []task) {
	for _, d := range c.defs {
		p := d.id.Pos()
		var expected, optional spots
		stratum := "types"
		switch d.kind {
		case "interface":
			expected, optional = c.heads(c.types[p]), c.heads(c.loosely[p])
		case "signature":
			stratum = "members"
			expected, optional = c.members(d)
		}
		if len(expected) > 0 && len(expected) <= 60 && !d.isTest() && !c.doubtful[d.name] {
			optional[d.head()] = true
			out = append(out, compose("IMPLEMENTS", stratum, d, expected, optional))
		}
	}
	return out
}

// members: methods of types that implement the interface themselves; of others they are optional.
func (c *collector) members(d *def) (spots, spots) {
	expected, optional := spots{}, c.heads(c.beside[d.id.Pos()])
	types := c.types[c.owner(d)]
	for p := range c.below[d.id.Pos()] {
		method := c.byPos[p]
		if method == nil {
			continue
		}
		of := strings.Split(method.qual, ".")[0]
		direct := false
		for t := range types {
			o := c.byPos[t]
			direct = direct || o.name == of && filepath.Dir(o.file) == filepath.Dir(method.file)
		}
		if direct {
			expected[method.head()] = true
		} else {
			optional[method.head()] = true
		}
	}
	return expected, optional
}

func (c *collector) owner(d *def) token.Pos {
	for _, o := range c.scopes[d.file] {
		if o.kind == "interface" && o.node.Pos() < d.id.Pos() && d.id.Pos() < o.node.End() {
			return o.id.Pos()
		}
	}
	return token.NoPos
}

// unused: no use, or uses only inside what is unused itself.
func (c *collector) unused() (direct, through map[*def]bool) {
	direct, through = map[*def]bool{}, map[*def]bool{}
	for _, d := range c.defs {
		direct[d] = len(d.uses) == 0 && c.reachable(d) == ""
	}
	for again := true; again; {
		again = false
		for _, d := range c.defs {
			if direct[d] || through[d] || c.reachable(d) == "alive" || len(d.uses) == 0 {
				continue
			}
			dead := true
			for _, u := range d.uses {
				dead = dead && u.around != nil && (u.around == d || c.dropped(u.around, direct, through))
			}
			if dead {
				through[d], again = true, true
			}
		}
	}
	return direct, through
}

// dropped: nothing in the module uses it, whoever else may.
func (c *collector) dropped(d *def, direct, through map[*def]bool) bool {
	return direct[d] || through[d] || len(d.uses) == 0 && c.reachable(d) != "alive"
}

var runners = []string{"Test", "Benchmark", "Example", "Fuzz"}

// reachable: "alive" whatever the uses say, "perhaps" from outside or by a doubt, or not at all.
func (c *collector) reachable(d *def) string {
	if d.name == "main" || d.name == "init" || d.noBody || d.linked {
		return "alive"
	}
	if d.isTest() && d.kind == "function" {
		for _, r := range runners {
			if strings.HasPrefix(d.name, r) {
				return "alive"
			}
		}
	}
	p := d.id.Pos()
	if d.kind == "method" && (len(c.above[p]) > 0 || c.wanted[d.name]) {
		return "alive"
	}
	visible := d.exported && !d.isTest() && !c.inMain(d)
	if visible || c.effect(d) || d.iota || c.doubtful[d.name] || c.texts[d.name] || d.kind == "field" || d.kind == "signature" || c.meets[p] {
		return "perhaps"
	}
	return ""
}

// effect: a variable may stand for what its value does, or for its type to be checked.
func (c *collector) effect(d *def) bool {
	v, ok := d.node.(*ast.ValueSpec)
	if !ok || d.kind != "variable" {
		return false
	}
	called := v.Type != nil && len(v.Values) > 0
	ast.Inspect(v, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		called = called || call
		return true
	})
	return called
}

func (c *collector) inMain(d *def) bool {
	for _, v := range c.universes {
		if v.target.dir == filepath.Join(c.root, filepath.Dir(d.file)) {
			return v.whole.Name() == "main"
		}
	}
	return false
}

func (c *collector) dead() []task {
	direct, through := c.unused()
	expected, optional := spots{}, spots{}
	for _, d := range c.defs {
		switch {
		case direct[d] && d.kind == "method" && d.isTest() && d.exported:
			optional[d.head()] = true // a runner or a template may call it by its name
		case direct[d]:
			expected[d.head()] = true
		case c.dropped(d, direct, through):
			optional[d.head()] = true
		}
	}
	for _, f := range c.left {
		for _, decl := range f.Decls {
			for _, s := range c.names(decl) {
				optional[s] = true
			}
		}
	}
	if len(expected)+len(optional) == 0 {
		return nil
	}
	t := compose("DEAD", "package", &def{}, expected, optional)
	whole := ""
	t.Query, t.Kind = query{Path: &whole}, "package"
	return []task{t}
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		panic(err)
	}
	seed, _ := strconv.ParseInt(os.Args[3], 10, 64)
	mutants, _ := strconv.Atoi(os.Args[4])
	c := gather(open(root, os.Args[2]))
	for _, e := range c.errors {
		fmt.Fprintln(os.Stderr, c.fset.Position(e.Pos), e.Msg)
	}
	if len(os.Args) > 5 {
		c.probed(os.Args[5])
	}
	tasks := append(append(c.p2(), c.implementations()...), c.dead()...)
	tasks = append(tasks, c.impact(rand.New(rand.NewSource(seed)), mutants)...)
	sort.SliceStable(tasks, func(i, j int) bool { return tasks[i].Category < tasks[j].Category })
	fmt.Fprintln(os.Stderr, "type errors:", len(c.errors))
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{"oracle": "go/types of " + runtime.Version(), "tasks": tasks})
}
