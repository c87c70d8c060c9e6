//! The same with Neovim itself, where it is installed.

use std::process::Command;
use whyrank_tests::{Home, Outcome, TestRepo, program, skip};

/// Opens a file, edits it, and asks as its keys do; each answer is a line of standard output.
const SCRIPT: &str = r#"
local function say(text) io.stdout:write(text .. "\n") end
local is_well, why = pcall(function()
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = "whyrank", cmd = { vim.env.WHYRANK_UNDER_TEST, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
vim.wait(20000, function() return vim.lsp.buf_get_clients(buffer)[id] ~= nil end, 20)
vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "// unsaved" })
vim.fn.search("priceOf(line")
local function ask(method, params)
  local answer = nil
  for _ = 1, 50 do
    answer = (vim.lsp.buf_request_sync(buffer, method, params, 20000) or {})[id]
    if answer and not answer.error then return answer.result end
    vim.wait(200)
  end
  error(method .. " failed: " .. vim.inspect(answer))
end
local params = vim.lsp.util.make_position_params(0)
local found = ask("textDocument/definition", params)[1]
say("definition " .. (found.uri or found.targetUri) .. " " .. (found.range or found.targetSelectionRange).start.line)
params.context = { includeDeclaration = false }
for _, one in ipairs(ask("textDocument/references", params)) do say("reference " .. one.uri .. " " .. one.range.start.line) end
say("hover " .. ask("textDocument/hover", params).contents.value:gsub("\n", " "))
vim.lsp.stop_client(id)
end)
if is_well then vim.cmd("qall!") end
say(vim.inspect(why))
vim.cmd("cquit 3")
"#;

#[test]
fn neovim_follows_a_name_from_an_unsaved_buffer() {
    let version = Command::new("nvim").arg("--version").output();
    if !version.is_ok_and(|version| version.status.success()) {
        return skip(
            "neovim_follows_a_name_from_an_unsaved_buffer",
            "nvim is not installed",
        );
    }
    let (repo, home) = (TestRepo::shop(), Home::new());
    let script = home.path().join("session.lua");
    std::fs::write(&script, SCRIPT).expect("a script");
    let mut command = Command::new("nvim");
    home.furnish(&mut command);
    command
        .current_dir(repo.root())
        .env("WHYRANK_UNDER_TEST", program("whyrank"))
        .args(["--headless", "--clean", "-n", "web/src/cart.ts", "-S"])
        .arg(&script);
    let said = Outcome::of(command).succeeds();
    let said = format!("{}{}", said.stdout, said.stderr);
    for words in ["prices.ts 3", "reference file://", "cart.ts 21", "1 user"] {
        assert!(said.contains(words), "{words:?} is not in {said}");
    }
}
