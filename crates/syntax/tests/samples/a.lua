local x = require("a.b")
local M = {}
-- Doc
function M.run(a) local b = a; x.foo(b); self:bar(1) end
function M:meth() return helper(1) end
local function loc() end
M.f = function(z) return z.q end
function glob() end
local t = { k = function() end, n = 1 }
return M
