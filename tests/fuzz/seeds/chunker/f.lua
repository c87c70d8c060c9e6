local t = { [1] = [[x]], f = function(...) return ... end }
