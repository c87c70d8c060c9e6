// A copy of the module in which each function tells that it was entered, or panics when it is the mutant.
package main

import (
	"encoding/json"
	"go/ast"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

const probe = `package whyrankprobe

import (
	"os"
	"strconv"
	"sync"
)

var (
	mutant, _ = strconv.Atoi(os.Getenv("WHYRANK_MUTANT"))
	log, _    = os.OpenFile(os.Getenv("WHYRANK_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	seen      sync.Map
)

// Enter stands first in each function's body.
func Enter(id int) {
	if id == mutant {
		panic("whyrank mutant")
	}
	if log == nil {
		return
	}
	if _, known := seen.LoadOrStore(id, true); !known {
		log.WriteString(strconv.Itoa(id) + "\n")
	}
}
`

type function struct {
	ID     int    `json:"id"`
	Symbol string `json:"symbol"`
	Kind   string `json:"kind"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Lines  int    `json:"lines"`
	Direct bool   `json:"direct"` // named in a test
}

type test struct {
	Symbol string `json:"symbol"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Dir    string `json:"dir"`
}

// probed writes the copy to `to/src/...` and what it holds to `to/probe.json`.
func (c *collector) probed(to string) {
	functions := []function{}
	inserts := map[string]map[int]string{}
	packages := map[string]int{} // where each file's package clause ends
	for _, f := range c.files() {
		packages[c.fset.Position(f.Pos()).Filename] = c.fset.Position(f.Name.End()).Offset
	}
	for _, d := range c.defs {
		f, ok := d.node.(*ast.FuncDecl)
		if !ok || d.isTest() || d.noBody || d.name == "init" || d.name == "main" {
			continue
		}
		_, last := c.rel(f.End())
		one := function{len(functions) + 1, d.qual, d.kind, d.file, d.line, last - d.line, false}
		for _, u := range d.uses {
			one.Direct = one.Direct || strings.HasSuffix(u.file, "_test.go")
		}
		functions = append(functions, one)
		at := c.fset.Position(f.Body.Lbrace)
		if inserts[at.Filename] == nil {
			inserts[at.Filename] = map[int]string{packages[at.Filename]: `; import whyrankprobe "whyrankprobe"`}
		}
		inserts[at.Filename][at.Offset+1] = "whyrankprobe.Enter(" + strconv.Itoa(one.ID) + ");"
	}
	c.copyTo(filepath.Join(to, "src", c.importPath(c.root)), inserts)
	write(filepath.Join(to, "src/whyrankprobe/probe.go"), []byte(probe))
	text, _ := json.Marshal(map[string]interface{}{"functions": functions, "tests": c.tests(), "path": c.importPath(c.root)})
	write(filepath.Join(to, "probe.json"), text)
}

func (c *collector) tests() []test {
	out := []test{}
	for _, d := range c.defs {
		if !d.isTest() || d.kind != "function" || d.name == "TestMain" {
			continue
		}
		for _, r := range runners {
			if strings.HasPrefix(d.name, r) {
				out = append(out, test{d.name, d.file, d.line, filepath.Dir(d.file)})
			}
		}
	}
	return out
}

func (c *collector) copyTo(to string, inserts map[string]map[int]string) {
	filepath.Walk(c.root, func(p string, i os.FileInfo, err error) error {
		if err != nil || i.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return nil
		}
		r, _ := filepath.Rel(c.root, p)
		write(filepath.Join(to, r), insert(text, inserts[p]))
		return nil
	})
}

func insert(text []byte, at map[int]string) []byte {
	var places []int
	for n := range at {
		places = append(places, n)
	}
	sort.Sort(sort.Reverse(sort.IntSlice(places)))
	for _, n := range places {
		text = append(append(append([]byte{}, text[:n]...), at[n]...), text[n:]...)
	}
	return text
}

func write(path string, text []byte) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		panic(err)
	}
}
