package main

import (
	"fmt"
	h "net/http"
)
import "os"

// MaxSize is.
const MaxSize = 10

const (
	A = iota
	B
)

var x, y = 1, 2

// Server serves.
type Server struct {
	http.Handler
	Addr string // addr
	m, n int
}
type I interface { Do(x int) error; Reader }
type Fn func(int)

// Run runs.
func (s *Server) Run(ctx context.Context) error {
	v := fmt.Sprintf("a", s.Addr)
	go func() { s.loop(v) }()
	s.m = 3
	return &Err{Code: 1}
}
func (r Ring[T]) len() int { return len(r.x) }
func main() { h.ListenAndServe(":1", nil) }
