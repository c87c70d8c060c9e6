// Facts of one Go module in GOPATH layout, by go/types.
//
// usage: GO111MODULE=off go run facts.go ROOT GOPATH > facts.json
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
)

type place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

type def struct {
	Name       string          `json:"name"`
	Qual       string          `json:"qual"`
	Kind       string          `json:"kind"`
	File       string          `json:"file"`
	Line       int             `json:"line"`
	EndLine    int             `json:"end_line"`
	Exported   bool            `json:"exported"`
	Member     bool            `json:"member"`
	Nested     bool            `json:"nested"`
	Convention bool            `json:"convention"`
	InString   bool            `json:"in_string"`
	Doubt      *string         `json:"doubt"`
	SameWord   int             `json:"same_word"`
	Also       []place         `json:"also"`
	Refs       [][]interface{} `json:"refs"`
	words      int
}

type unit struct {
	dir               string
	plain, test, xtst []*ast.File
	checked           *types.Package // what importers see: no tests
	whole             *types.Package // with the tests of the package itself
}

type loader struct {
	root    string
	fset    *token.FileSet
	ctx     build.Context
	outside types.ImporterFrom
	units   map[string]*unit
	info    types.Info
	errors  int
	ignored map[string]bool // names in files that this platform's build leaves out
}

func (l *loader) rel(file string) string {
	r, err := filepath.Rel(l.root, file)
	if err != nil {
		panic(err)
	}
	return filepath.ToSlash(r)
}

func newInfo() types.Info {
	return types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

func (l *loader) parse(dir string, names []string) []*ast.File {
	var out []*ast.File
	for _, n := range names {
		f, err := parser.ParseFile(l.fset, filepath.Join(dir, n), nil, parser.ParseComments)
		if err == nil {
			out = append(out, f)
		}
	}
	return out
}

func (l *loader) scan() {
	filepath.Walk(l.root, func(p string, i os.FileInfo, err error) error {
		if err != nil || !i.IsDir() {
			return nil
		}
		base := filepath.Base(p)
		if p != l.root && (base[0] == '_' || base[0] == '.' || base == "testdata" || base == "vendor") {
			return filepath.SkipDir
		}
		b, err := l.ctx.ImportDir(p, 0)
		if _, empty := err.(*build.NoGoError); empty || b == nil {
			return nil
		}
		l.units[p] = &unit{dir: p, plain: l.parse(p, b.GoFiles), test: l.parse(p, b.TestGoFiles), xtst: l.parse(p, b.XTestGoFiles)}
		for _, f := range l.parse(p, b.IgnoredGoFiles) {
			ast.Inspect(f, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					l.ignored[id.Name] = true
				}
				return true
			})
		}
		return nil
	})
}

// inRoot gives the folder of an import path when it lies inside the package under test.
func (l *loader) inRoot(path string) string {
	for _, g := range filepath.SplitList(l.ctx.GOPATH) {
		dir, err := filepath.EvalSymlinks(filepath.Join(g, "src", path))
		if err == nil && l.units[dir] != nil {
			return dir
		}
	}
	return ""
}

func (l *loader) Import(path string) (*types.Package, error) { return l.ImportFrom(path, l.root, 0) }

func (l *loader) ImportFrom(path, dir string, mode types.ImportMode) (*types.Package, error) {
	if d := l.inRoot(path); d != "" {
		u := l.units[d]
		if u.checked == nil {
			u.checked = l.check(path, u.plain, newInfo())
		}
		return u.checked, nil
	}
	return l.outside.ImportFrom(path, dir, mode)
}

func (l *loader) check(path string, files []*ast.File, info types.Info) *types.Package {
	conf := types.Config{Importer: l, FakeImportC: true, Error: func(error) { l.errors++ }}
	p, _ := conf.Check(path, l.fset, files, &info)
	return p
}

func (l *loader) checkAll() {
	var dirs []string
	for d := range l.units {
		dirs = append(dirs, d)
	}
	sort.Strings(dirs)
	for _, d := range dirs {
		u := l.units[d]
		path := l.rel(d)
		u.whole = l.check(path, append(append([]*ast.File{}, u.plain...), u.test...), l.info)
		before := u.checked
		u.checked = u.whole // an external test sees what the internal tests add
		if len(u.xtst) > 0 {
			l.check(path+"_test", u.xtst, l.info)
		}
		u.checked = before
	}
}

func (l *loader) files() []*ast.File {
	var out []*ast.File
	for _, u := range l.units {
		out = append(append(append(out, u.plain...), u.test...), u.xtst...)
	}
	sort.Slice(out, func(i, j int) bool {
		return l.fset.Position(out[i].Pos()).Filename < l.fset.Position(out[j].Pos()).Filename
	})
	return out
}

type collector struct {
	*loader
	defs    []*def
	byPos   map[token.Pos]*def
	words   map[string]int
	unknown map[string]bool
	strs    map[string]bool
	calls   map[*ast.Ident]bool
	methods map[string]bool // names of methods of any interface in sight
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (c *collector) add(id *ast.Ident, kind, owner string, node ast.Node) {
	if id.Name == "_" || id.Name == "init" {
		return
	}
	p := c.fset.Position(id.Pos())
	d := &def{Name: id.Name, Qual: id.Name, Kind: kind, File: c.rel(p.Filename), Line: p.Line,
		EndLine: c.fset.Position(node.End()).Line, Exported: id.IsExported(), Member: owner != "",
		Also: []place{}, Refs: [][]interface{}{}}
	if owner != "" {
		d.Qual = owner + "." + id.Name
	}
	d.Convention = d.Name == "main" || (kind == "method" && c.methods[d.Name])
	c.defs = append(c.defs, d)
	c.byPos[id.Pos()] = d
	c.ref(d, id, "decl")
}

func (c *collector) ref(d *def, id *ast.Ident, role string) {
	p := c.fset.Position(id.Pos())
	d.Refs = append(d.Refs, []interface{}{c.rel(p.Filename), p.Line, role})
	d.words++
}

func (c *collector) declare(f *ast.File) {
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if owner := receiver(d); owner != "" {
				c.add(d.Name, "method", owner, d)
			} else {
				c.add(d.Name, "function", "", d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				c.spec(s, d.Tok)
			}
		}
	}
}

func (c *collector) spec(s ast.Spec, tok token.Token) {
	switch x := s.(type) {
	case *ast.TypeSpec:
		c.typeSpec(x)
	case *ast.ValueSpec:
		kind := "variable"
		if tok == token.CONST {
			kind = "constant"
		}
		for _, n := range x.Names {
			c.add(n, kind, "", x)
		}
	}
}

func (c *collector) typeSpec(x *ast.TypeSpec) {
	kind := "type"
	var fields *ast.FieldList
	inner := "field"
	switch t := x.Type.(type) {
	case *ast.StructType:
		kind, fields = "struct", t.Fields
	case *ast.InterfaceType:
		kind, fields, inner = "interface", t.Methods, "signature"
	}
	c.add(x.Name, kind, "", x)
	if fields == nil {
		return
	}
	for _, f := range fields.List {
		for _, n := range f.Names {
			c.add(n, inner, x.Name.Name, f)
		}
	}
}

func (c *collector) noteCall(call *ast.CallExpr) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		c.calls[f] = true
	case *ast.SelectorExpr:
		c.calls[f.Sel] = true
	}
}

var word = regexp.MustCompile(`\w+`)

func (c *collector) noteString(lit *ast.BasicLit) {
	if lit.Kind != token.STRING {
		return
	}
	text := strings.Trim(lit.Value, "`\"")
	c.strs[text] = true
	if strings.Contains(text, "{{") { // a template names methods and fields
		for _, w := range word.FindAllString(text, -1) {
			c.strs[w] = true
		}
	}
}

func (c *collector) uses(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			c.noteCall(x)
		case *ast.BasicLit:
			c.noteString(x)
		}
		return true
	})
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id != f.Name {
			c.use(id)
		}
		return true
	})
}

func (c *collector) use(id *ast.Ident) {
	c.words[id.Name]++
	obj := c.info.Uses[id]
	if obj == nil {
		if _, isDef := c.info.Defs[id]; !isDef {
			c.unknown[id.Name] = true
		}
		return
	}
	if d := c.byPos[obj.Pos()]; d != nil {
		role := "use"
		if c.calls[id] {
			role = "call"
		}
		c.ref(d, id, role)
	}
}

func (c *collector) finish() {
	for _, d := range c.defs {
		d.SameWord = c.words[d.Name] - d.words
		d.InString = c.strs[d.Name]
		d.Doubt = c.doubt(d)
	}
}

func (c *collector) doubt(d *def) *string {
	reason := ""
	switch {
	case c.unknown[d.Name] || c.ignored[d.Name]:
		reason = "unresolved"
	case d.Kind == "method" && c.methods[d.Name]:
		reason = "override" // a call through an interface names the interface's method
	default:
		return nil
	}
	return &reason
}

func interfaceMethods(p *types.Package, seen map[*types.Package]bool, out map[string]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	for _, n := range p.Scope().Names() {
		if i, ok := p.Scope().Lookup(n).Type().Underlying().(*types.Interface); ok {
			for k := 0; k < i.NumMethods(); k++ {
				out[i.Method(k).Name()] = true
			}
		}
	}
	for _, i := range p.Imports() {
		interfaceMethods(i, seen, out)
	}
}

// deps: files of an imported package whose names the file uses are needed; the rest of that
// package, and files of its own package that it uses, are optional.
func (c *collector) deps(f *ast.File) ([]string, []string) {
	self := c.fset.Position(f.Pos()).Filename
	imported, used := map[string]bool{}, map[string]bool{}
	for _, i := range f.Imports {
		if d := c.inRoot(strings.Trim(i.Path.Value, `"`)); d != "" {
			imported[d] = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := c.info.Uses[id]; obj != nil && c.byPos[obj.Pos()] != nil {
				used[c.fset.Position(obj.Pos()).Filename] = true
			}
		}
		return true
	})
	var needed, optional []string
	for _, u := range c.units {
		for _, g := range u.plain {
			name := c.fset.Position(g.Pos()).Filename
			if name == self || !(imported[u.dir] || used[name]) {
				continue
			}
			if imported[u.dir] && used[name] {
				needed = append(needed, c.rel(name))
			} else {
				optional = append(optional, c.rel(name))
			}
		}
	}
	sort.Strings(needed)
	sort.Strings(optional)
	return needed, optional
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		panic(err)
	}
	build.Default.GOPATH = os.Args[2]
	build.Default.CgoEnabled = false
	l := &loader{root: root, fset: token.NewFileSet(), ctx: build.Default, units: map[string]*unit{}, info: newInfo(), ignored: map[string]bool{}}
	l.outside = importer.ForCompiler(token.NewFileSet(), "source", nil).(types.ImporterFrom)
	l.scan()
	l.checkAll()
	c := &collector{loader: l, byPos: map[token.Pos]*def{}, words: map[string]int{}, unknown: map[string]bool{},
		strs: map[string]bool{}, calls: map[*ast.Ident]bool{}, methods: map[string]bool{"String": true, "Error": true}}
	seen := map[*types.Package]bool{}
	for _, u := range l.units {
		interfaceMethods(u.whole, seen, c.methods)
	}
	files := l.files()
	for _, f := range files {
		c.declare(f)
	}
	needed, optional := map[string][]string{}, map[string][]string{}
	var names []string
	for _, f := range files {
		c.uses(f)
		name := l.rel(l.fset.Position(f.Pos()).Filename)
		names = append(names, name)
		needed[name], optional[name] = c.deps(f)
	}
	c.finish()
	fmt.Fprintln(os.Stderr, "type errors:", l.errors)
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"oracle": "go/types of " + runtime.Version(), "files": names, "defs": c.defs, "deps": needed, "optional_deps": optional})
}
