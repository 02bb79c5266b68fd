-- Drives Neovim (0.7 or newer) for neovim.test.ts, with the configuration of docs/editors.md: shows the diagnostics of a file, a hover and the code lenses, applies the first quick fix of
-- line 3, and writes the file. The screens go to standard output as JSON.
local screens = {}

local function capture(name)
  vim.cmd('redraw!')
  local lines = {}
  for row = 1, vim.o.lines - 2 do
    local cells = {}
    for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
    lines[row] = (table.concat(cells):gsub('%s+$', ''))
  end
  screens[name] = lines
end

local function wait(what, condition)
  if not vim.wait(120000, condition, 10) then error('no ' .. what) end
end

-- The floating window, which the screen does not contain without a terminal.
local function find_float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
  end
end

local ok, message = pcall(function()
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  capture('diagnostics')

  vim.lsp.codelens.refresh()
  wait('lenses', function() return #vim.lsp.codelens.get(0) > 0 end)
  capture('lenses')

  vim.api.nvim_win_set_cursor(0, { 1, 13 })
  vim.lsp.buf.hover()
  wait('hover', find_float)
  local float = find_float()
  screens.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, true)
  vim.api.nvim_win_close(float, true)

  local before = vim.api.nvim_buf_get_changedtick(0)
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.lsp.buf.code_action({ only = { 'quickfix' } })
  wait('fix', function() return vim.api.nvim_buf_get_changedtick(0) ~= before end)
  wait('diagnostics after the fix', function() return #vim.diagnostic.get(0) == 1 end)
  capture('fixed')
  vim.cmd('silent write')
end)
if not ok then screens = { error = message } end
io.stdout:write(vim.fn.json_encode(screens))
vim.cmd('qa!')
