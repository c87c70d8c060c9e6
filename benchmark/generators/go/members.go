// Definitions of a module, their uses, and which type implements which interface.
package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"sort"
	"strings"
)

type def struct {
	name, qual, kind string
	file             string
	line             int
	id               *ast.Ident
	node             ast.Node
	exported, iota   bool
	noBody, linked   bool
	uses             []use
}

type use struct {
	file   string
	line   int
	pos    token.Pos
	around *def // the function, type, constant or variable that holds it
}

type spot struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Symbol string `json:"symbol,omitempty"`
}

type collector struct {
	*checking
	defs     []*def
	byPos    map[token.Pos]*def
	scopes   map[string][]*def // top-level declarations of a file
	doubtful map[string]bool   // names that stand where the type checker does not look
	texts    map[string]bool   // names in strings
	wanted   map[string]bool   // methods of interfaces without a name
	comments map[string]map[spot]bool
	above    map[token.Pos]map[token.Pos]bool // a concrete method: the interface methods it implements
	below    map[token.Pos]map[token.Pos]bool // an interface method: the concrete methods behind it
	beside   map[token.Pos]map[token.Pos]bool // an interface method: those of interfaces that include or imply it
	types    map[token.Pos]map[token.Pos]bool // an interface: types with a method of their own for it
	loosely  map[token.Pos]map[token.Pos]bool // an interface: types that only inherit it, and interfaces
	meets    map[token.Pos]bool               // concrete methods that some foreign interface may want
}

func gather(m *module) *collector {
	c := &collector{checking: m.check(), byPos: map[token.Pos]*def{}, scopes: map[string][]*def{}, doubtful: map[string]bool{},
		texts: map[string]bool{}, wanted: map[string]bool{}, comments: map[string]map[spot]bool{}, above: relation{}, below: relation{},
		beside: relation{}, types: relation{}, loosely: relation{}, meets: map[token.Pos]bool{}}
	for _, f := range m.left {
		c.eachWord(f, c.doubtful)
	}
	files := m.files()
	for _, f := range files {
		c.declare(f)
	}
	for _, f := range files {
		c.read(f)
	}
	for _, v := range c.universes {
		c.relate(v)
	}
	return c
}

func (m *module) files() []*ast.File {
	var out []*ast.File
	for _, d := range m.order {
		u := m.units[d]
		out = append(append(append(out, u.plain...), u.test...), u.xtst...)
	}
	return out
}

func (c *collector) eachWord(f *ast.File, into map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			into[id.Name] = true
		}
		return true
	})
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (c *collector) add(id *ast.Ident, kind, owner string, node ast.Node) *def {
	if id.Name == "_" {
		return nil
	}
	file, line := c.rel(id.Pos())
	d := &def{name: id.Name, qual: id.Name, kind: kind, file: file, line: line, id: id, node: node, exported: id.IsExported()}
	if owner != "" {
		d.qual = owner + "." + id.Name
	}
	c.defs = append(c.defs, d)
	c.byPos[id.Pos()] = d
	return d
}

func (c *collector) declare(f *ast.File) {
	name, _ := c.rel(f.Pos())
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			kind, owner := "function", receiver(d)
			if owner != "" {
				kind = "method"
			}
			if added := c.add(d.Name, kind, owner, d); added != nil {
				added.noBody = d.Body == nil
				added.linked = d.Doc != nil && directive.MatchString(comment(d.Doc))
				c.scopes[name] = append(c.scopes[name], added)
			}
		case *ast.GenDecl:
			counts := d.Tok == token.CONST && mentions(d, "iota")
			for _, s := range d.Specs {
				for _, added := range c.spec(s, d.Tok) {
					added.iota = counts
					c.scopes[name] = append(c.scopes[name], added)
				}
			}
		}
	}
}

var directive = regexp.MustCompile(`(?m)^//(go:linkname|export )`)

func comment(g *ast.CommentGroup) string {
	var lines []string
	for _, c := range g.List {
		lines = append(lines, c.Text)
	}
	return strings.Join(lines, "\n")
}

func mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return true
	})
	return found
}

func (c *collector) spec(s ast.Spec, tok token.Token) []*def {
	var out []*def
	switch x := s.(type) {
	case *ast.TypeSpec:
		if d := c.typeSpec(x); d != nil {
			out = append(out, d)
		}
	case *ast.ValueSpec:
		kind := "variable"
		if tok == token.CONST {
			kind = "constant"
		}
		for _, n := range x.Names {
			if d := c.add(n, kind, "", x); d != nil {
				out = append(out, d)
			}
		}
	}
	return out
}

func (c *collector) typeSpec(x *ast.TypeSpec) *def {
	kind, inner := "type", "field"
	var fields *ast.FieldList
	switch t := x.Type.(type) {
	case *ast.StructType:
		kind, fields = "struct", t.Fields
	case *ast.InterfaceType:
		kind, fields, inner = "interface", t.Methods, "signature"
	}
	d := c.add(x.Name, kind, "", x)
	if fields == nil {
		return d
	}
	for _, f := range fields.List {
		for _, n := range f.Names {
			c.add(n, inner, x.Name.Name, f)
		}
	}
	return d
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// read notes the uses in a file, the words of its strings and of its comments.
func (c *collector) read(f *ast.File) {
	name, _ := c.rel(f.Pos())
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident:
			if x != f.Name {
				c.use(name, x)
			}
		case *ast.InterfaceType:
			for _, m := range x.Methods.List {
				for _, id := range m.Names {
					c.wanted[id.Name] = c.wanted[id.Name] || c.byPos[id.Pos()] == nil
				}
			}
		case *ast.BasicLit:
			if x.Kind == token.STRING {
				c.text(strings.Trim(x.Value, "`\""))
			}
		}
		return true
	})
	for _, g := range f.Comments {
		for _, line := range g.List {
			_, first := c.rel(line.Pos())
			for k, text := range strings.Split(line.Text, "\n") {
				for _, w := range word.FindAllString(text, -1) {
					if c.comments[w] == nil {
						c.comments[w] = map[spot]bool{}
					}
					c.comments[w][spot{File: name, Line: first + k}] = true
				}
			}
		}
	}
}

// text: a string that is a name may stand for it; a template names methods and fields.
func (c *collector) text(s string) {
	c.texts[s] = true
	if strings.Contains(s, "{{") {
		for _, w := range word.FindAllString(s, -1) {
			c.texts[w] = true
		}
	}
}

func (c *collector) use(file string, id *ast.Ident) {
	obj := c.info.Uses[id]
	if obj == nil {
		if _, isDef := c.info.Defs[id]; !isDef {
			c.doubtful[id.Name] = true
		}
		return
	}
	if d := c.byPos[obj.Pos()]; d != nil {
		_, line := c.rel(id.Pos())
		d.uses = append(d.uses, use{file, line, id.Pos(), c.around(file, id.Pos())})
	}
}

func (c *collector) around(file string, at token.Pos) *def {
	for _, d := range c.scopes[file] {
		if d.node.Pos() <= at && at < d.node.End() {
			return d
		}
	}
	return nil
}

type relation = map[token.Pos]map[token.Pos]bool

func put(r relation, from, to token.Pos) {
	if r[from] == nil {
		r[from] = map[token.Pos]bool{}
	}
	r[from][to] = true
}

// relate compares every named type with every interface that this universe holds.
func (c *collector) relate(v *universe) {
	var named []*types.TypeName
	foreign := map[*types.Package]bool{}
	for _, p := range v.packages() {
		for _, n := range p.Scope().Names() {
			if t, ok := p.Scope().Lookup(n).(*types.TypeName); ok && !t.IsAlias() {
				named = append(named, t)
			}
		}
		imported(p, foreign)
	}
	mine := ofTarget(named, v)
	for _, i := range named {
		if face, ok := i.Type().Underlying().(*types.Interface); ok && !generic(i) && face.NumMethods() > 0 && face.IsMethodSet() {
			for _, t := range named {
				if t != i {
					c.pair(t, i, face)
				}
			}
		}
	}
	for p := range foreign {
		for _, n := range p.Scope().Names() {
			face, ok := p.Scope().Lookup(n).Type().Underlying().(*types.Interface)
			if ok && c.byPos[p.Scope().Lookup(n).Pos()] == nil {
				c.foreign(mine, face)
			}
		}
	}
	c.foreign(mine, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

func imported(p *types.Package, seen map[*types.Package]bool) {
	for _, i := range p.Imports() {
		if !seen[i] {
			seen[i] = true
			imported(i, seen)
		}
	}
}

func ofTarget(named []*types.TypeName, v *universe) []*types.TypeName {
	var out []*types.TypeName
	for _, t := range named {
		if t.Pkg() == v.whole || t.Pkg() == v.xtst {
			out = append(out, t)
		}
	}
	return out
}

func generic(t *types.TypeName) bool {
	n, ok := t.Type().(*types.Named)
	return ok && n.TypeParams().Len() > 0
}

func implements(t *types.TypeName, face *types.Interface) bool {
	return types.Implements(t.Type(), face) || types.Implements(types.NewPointer(t.Type()), face)
}

func (c *collector) pair(t, i *types.TypeName, face *types.Interface) {
	if !implements(t, face) {
		return
	}
	other, isInterface := t.Type().Underlying().(*types.Interface)
	own := false
	for k := 0; k < face.NumMethods(); k++ {
		want := face.Method(k)
		if isInterface {
			for n := 0; n < other.NumMethods(); n++ {
				if other.Method(n).Name() == want.Name() && other.Method(n).Pos() != want.Pos() {
					put(c.beside, want.Pos(), other.Method(n).Pos())
					put(c.beside, other.Method(n).Pos(), want.Pos())
				}
			}
			continue
		}
		got, path, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), true, t.Pkg(), want.Name())
		if f, ok := got.(*types.Func); ok && f.Pos() != want.Pos() {
			put(c.below, want.Pos(), f.Pos())
			put(c.above, f.Pos(), want.Pos())
			own = own || len(path) == 1
		}
	}
	if own && !generic(t) {
		put(c.types, i.Pos(), t.Pos())
	} else {
		put(c.loosely, i.Pos(), t.Pos())
	}
}

func (c *collector) foreign(named []*types.TypeName, face *types.Interface) {
	for _, t := range named {
		if !implements(t, face) {
			continue
		}
		for k := 0; k < face.NumMethods(); k++ {
			got, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), true, t.Pkg(), face.Method(k).Name())
			if f, ok := got.(*types.Func); ok {
				c.meets[f.Pos()] = true
			}
		}
	}
}

func sorted(found map[spot]bool) []spot {
	out := []spot{}
	for s := range found {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].File != out[j].File {
			return out[i].File < out[j].File
		}
		return out[i].Line < out[j].Line
	})
	return out
}
