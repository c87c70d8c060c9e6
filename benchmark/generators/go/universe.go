// The packages of one Go module in GOPATH layout, type-checked as `go vet` sees them: each with its tests,
// and each external test with the packages built anew on top of the tested one.
package main

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type unit struct {
	dir, path         string
	plain, test, xtst []*ast.File
	imports           map[string]bool // folders in the module that the plain files import
}

type module struct {
	root    string
	fset    *token.FileSet
	ctx     build.Context
	outside types.ImporterFrom
	units   map[string]*unit
	order   []string
	left    []*ast.File // files that this platform's build leaves out
}

func open(root, gopath string) *module {
	build.Default.GOPATH = gopath
	build.Default.CgoEnabled = false
	m := &module{root: root, fset: token.NewFileSet(), ctx: build.Default, units: map[string]*unit{}}
	m.outside = importer.ForCompiler(token.NewFileSet(), "source", nil).(types.ImporterFrom)
	m.scan()
	for d, u := range m.units {
		m.order = append(m.order, d)
		u.imports = map[string]bool{}
		for _, f := range u.plain {
			for _, i := range f.Imports {
				if to := m.inRoot(strings.Trim(i.Path.Value, `"`)); to != "" {
					u.imports[to] = true
				}
			}
		}
	}
	sort.Strings(m.order)
	return m
}

func (m *module) rel(p token.Pos) (string, int) {
	at := m.fset.Position(p)
	r, err := filepath.Rel(m.root, at.Filename)
	if err != nil {
		panic(err)
	}
	return filepath.ToSlash(r), at.Line
}

func (m *module) parse(dir string, names []string) []*ast.File {
	var out []*ast.File
	for _, n := range names {
		if f, err := parser.ParseFile(m.fset, filepath.Join(dir, n), nil, parser.ParseComments); err == nil {
			out = append(out, f)
		}
	}
	return out
}

func (m *module) scan() {
	filepath.Walk(m.root, func(p string, i os.FileInfo, err error) error {
		if err != nil || !i.IsDir() {
			return nil
		}
		base := filepath.Base(p)
		b, err := m.ctx.ImportDir(p, 0)
		if p != m.root && (base[0] == '_' || base[0] == '.' || base == "testdata" || base == "vendor") {
			filepath.Walk(p, func(f string, _ os.FileInfo, _ error) error {
				if strings.HasSuffix(f, ".go") {
					m.left = append(m.left, m.parse(filepath.Dir(f), []string{filepath.Base(f)})...)
				}
				return nil
			})
			return filepath.SkipDir
		}
		if b == nil {
			return nil
		}
		m.left = append(m.left, m.parse(p, b.IgnoredGoFiles)...)
		if _, empty := err.(*build.NoGoError); !empty {
			m.units[p] = &unit{dir: p, path: m.importPath(p), plain: m.parse(p, b.GoFiles), test: m.parse(p, b.TestGoFiles), xtst: m.parse(p, b.XTestGoFiles)}
		}
		return nil
	})
}

func (m *module) importPath(dir string) string {
	at := strings.LastIndex(dir, "/src/")
	return dir[at+len("/src/"):]
}

// inRoot gives the folder of an import path when it lies inside the module.
func (m *module) inRoot(path string) string {
	for _, g := range filepath.SplitList(m.ctx.GOPATH) {
		dir, err := filepath.EvalSymlinks(filepath.Join(g, "src", path))
		if err == nil && m.units[dir] != nil {
			return dir
		}
	}
	return ""
}

func (m *module) dependsOn(from, on string, seen map[string]bool) bool {
	if from == on {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for d := range m.units[from].imports {
		if m.dependsOn(d, on, seen) {
			return true
		}
	}
	return false
}

// checking is one run of the type checker over the whole module.
type checking struct {
	*module
	info      types.Info
	errors    []types.Error
	plain     map[string]*types.Package
	universes []*universe
}

// universe is what the tests of one package see.
type universe struct {
	*checking
	target      *unit
	whole, xtst *types.Package
	again       map[string]*types.Package
}

func newInfo() types.Info {
	return types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

func (m *module) check() *checking {
	c := &checking{module: m, info: newInfo(), plain: map[string]*types.Package{}}
	for _, d := range m.order {
		c.universe(m.units[d])
	}
	return c
}

func (c *checking) universe(u *unit) {
	v := &universe{checking: c, target: u, again: map[string]*types.Package{}}
	c.universes = append(c.universes, v)
	v.whole = c.run(u.path, append(append([]*ast.File{}, u.plain...), u.test...), v, &c.info)
	if len(u.xtst) > 0 {
		v.xtst = c.run(u.path+"_test", u.xtst, v, &c.info)
	}
}

func (c *checking) run(path string, files []*ast.File, from types.Importer, info *types.Info) *types.Package {
	conf := types.Config{Importer: from, FakeImportC: true, Error: func(e error) {
		if problem, ok := e.(types.Error); ok && info != nil {
			c.errors = append(c.errors, problem)
		}
	}}
	if info == nil {
		scratch := newInfo()
		info = &scratch
		conf.Error = func(error) {}
	}
	p, _ := conf.Check(path, c.fset, files, info)
	return p
}

func (c *checking) Import(path string) (*types.Package, error) { return c.ImportFrom(path, c.root, 0) }

func (c *checking) ImportFrom(path, dir string, mode types.ImportMode) (*types.Package, error) {
	d := c.inRoot(path)
	if d == "" {
		return c.outside.ImportFrom(path, dir, mode)
	}
	if c.plain[d] == nil {
		c.plain[d] = c.run(path, c.units[d].plain, c, nil)
	}
	return c.plain[d], nil
}

func (v *universe) Import(path string) (*types.Package, error) { return v.ImportFrom(path, v.root, 0) }

func (v *universe) ImportFrom(path, dir string, mode types.ImportMode) (*types.Package, error) {
	d := v.inRoot(path)
	switch {
	case d == "" || !v.dependsOn(d, v.target.dir, map[string]bool{}):
		return v.checking.ImportFrom(path, dir, mode)
	case d == v.target.dir:
		return v.whole, nil
	case v.again[d] == nil:
		v.again[d] = v.run(path, v.units[d].plain, v, nil)
	}
	return v.again[d], nil
}

// packages gives each package of the module as this universe sees it.
func (v *universe) packages() []*types.Package {
	out := []*types.Package{v.whole}
	for _, d := range v.order {
		if d != v.target.dir {
			p, _ := v.Import(v.units[d].path)
			out = append(out, p)
		}
	}
	if v.xtst != nil {
		out = append(out, v.xtst)
	}
	return out
}
