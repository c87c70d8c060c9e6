// What really breaks when a function, a method or an interface's method gets another name.
package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/rand"
	"strings"
)

// names gives the heads of a declaration that is only parsed.
func (c *collector) names(decl ast.Decl) (out []spot) {
	put := func(id *ast.Ident, owner string) {
		file, line := c.rel(id.Pos())
		if owner != "" {
			owner += "."
		}
		out = append(out, spot{file, line, owner + id.Name})
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		put(d.Name, receiver(d))
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch x := s.(type) {
			case *ast.TypeSpec:
				put(x.Name, "")
			case *ast.ValueSpec:
				for _, n := range x.Names {
					put(n, "")
				}
			}
		}
	}
	return out
}

// again is the module's type check after a change, without its first errors.
func (c *collector) again() []types.Error {
	old := map[token.Pos]bool{}
	for _, e := range c.errors {
		old[e.Pos] = true
	}
	var out []types.Error
	for _, e := range c.module.check().errors {
		if !e.Soft && !old[e.Pos] { // a soft error: an import or a variable that is unused now
			out = append(out, e)
		}
	}
	return out
}

// broken sorts the errors after a new name: uses that lack it, and types that lack a method.
// It is not sure when there are others, or when the uses are not those of the type checker's own list.
func (c *collector) broken(d *def) (uses []use, conversions []token.Pos, sure bool) {
	name := d.id.Name
	d.id.Name = name + "Whyrank"
	errors := c.again()
	d.id.Name = name
	known := map[token.Pos]use{}
	for _, u := range d.uses {
		known[u.pos] = u
	}
	for _, e := range errors {
		u, listed := known[e.Pos]
		switch {
		case strings.Contains(e.Msg, "missing method "+name):
			conversions = append(conversions, e.Pos)
		case listed && lacks(e.Msg, name):
			uses = append(uses, u)
			delete(known, e.Pos)
		default:
			return nil, nil, false
		}
	}
	return uses, conversions, len(known) == 0
}

func lacks(message, name string) bool {
	about := strings.Contains(message, name)
	return about && (strings.Contains(message, "undeclared") || strings.Contains(message, "undefined") || strings.Contains(message, "not declared by"))
}

// breaker is the head of the function around a place, or the place itself outside of functions.
func (c *collector) breaker(file string, line int, around *def) spot {
	if around != nil && (around.kind == "function" || around.kind == "method") {
		return around.head()
	}
	return spot{File: file, Line: line}
}

func (c *collector) breakers(uses []use) spots {
	out := spots{}
	for _, u := range uses {
		out[c.breaker(u.file, u.line, u.around)] = true
	}
	return out
}

// loose: places around a member's family that may have to follow.
func (c *collector) loose(d *def, conversions []token.Pos) spots {
	out := spots{d.head(): true}
	for _, p := range conversions {
		file, line := c.rel(p)
		out[c.breaker(file, line, c.around(file, p))] = true
	}
	for _, family := range []relation{c.above, c.below, c.beside} {
		for p := range family[d.id.Pos()] {
			o := c.byPos[p]
			if o == nil {
				continue
			}
			out[o.head()] = true
			for s := range c.breakers(o.uses) {
				out[s] = true
			}
		}
	}
	return out
}

func (c *collector) impactOf(d *def) (task, bool) {
	uses, conversions, sure := c.broken(d)
	expected, optional := c.breakers(uses), c.loose(d, conversions)
	stratum := d.kind
	if d.kind == "signature" {
		stratum = "interface"
		must, _ := c.members(d)
		for s := range must {
			expected[s] = true
		}
	}
	if d.kind == "method" && len(c.above[d.id.Pos()]) == 0 && !c.meets[d.id.Pos()] && len(conversions) > 0 {
		sure = false // the type lacks a method of an interface that has no name
	}
	delete(expected, d.head()) // itself, when it recurs
	t := compose("IMPACT", stratum, d, expected, optional)
	t.Query.MaxDepth = 1
	return t, sure && len(expected) > 0 && len(expected) <= 40
}

func (c *collector) impact(rng *rand.Rand, wanted int) (out []task) {
	kinds := map[string][]*def{}
	for _, d := range c.defs {
		if !d.isTest() && !c.uncertain(d) && len(d.uses) > 0 && len(d.uses) <= 60 {
			kinds[d.kind] = append(kinds[d.kind], d)
		}
	}
	for _, kind := range []string{"function", "method", "signature"} {
		pool := kinds[kind]
		rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		for n, d := range pool {
			if n == wanted {
				break
			}
			if t, sure := c.impactOf(d); sure {
				out = append(out, t)
			}
		}
	}
	return out
}
