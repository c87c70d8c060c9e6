module a.b/c

replace d => ../d
