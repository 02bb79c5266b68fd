// Latency of the language server in files of up to 500 kB: a key is a change of one character and the completion after it, which the client
// waits for. Keys come every 100 ms, so the linter starts in some pauses and runs while the next keys come.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createProtocolConnection } from 'vscode-languageserver/node';
import { formatTime, quantile } from './measure.mjs';

const KEYS = Number(process.env.BENCH_KEYS ?? 200);
const BIN = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));

/** Repeats lines up to a size in bytes. */
function fill(size, head, createLine) {
  const lines = [head];
  for (let [length, index] = [head.length, 0]; length < size; index++) {
    const line = createLine(index);
    lines.push(line);
    length += line.length;
  }
  return lines.join('');
}

const FILES = [
  [
    '5 kB, rules',
    fill(5_000, 'User-agent: *\n', (index) => `Disallow: /section-${index % 97}/page-${index}\n`),
  ],
  [
    '500 kB, rules',
    fill(500_000, 'User-agent: *\n', (index) => `Disallow: /section-${index % 977}/page-${index}\n`),
  ],
  [
    '500 kB, wildcards',
    fill(500_000, 'User-agent: *\n', (index) => `Disallow: /*a${index}*b*c${index % 7}\n`),
  ],
  ['500 kB, groups', fill(500_000, '', (index) => `User-agent: Bot${index}\nDisallow: /${index}\n`)],
  ['500 kB, comments', fill(500_000, '', (index) => `# Comment ${index} é😀\n`)],
];

const child = spawn(process.execPath, [BIN, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createProtocolConnection(child.stdout, child.stdin);
const published = new Map();
connection.onNotification('textDocument/publishDiagnostics', ({ uri, version }) =>
  published.get(uri)?.(version),
);
connection.listen();
await connection.sendRequest('initialize', {
  processId: null,
  rootUri: null,
  capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
});

const format = (times) => {
  const [low, median, high, most] = [0.1, 0.5, 0.9, 1].map((q) => formatTime(quantile(times, q) * 1e6));
  return `${median} (${low} to ${high}, most ${most})`;
};

for (const [name, text] of FILES) {
  const uri = `file:///${encodeURIComponent(name)}`;
  const textDocument = { uri };
  const waitForVersion = (wanted) =>
    new Promise((resolve) => published.set(uri, (version) => version === wanted && resolve()));
  const time = async (run) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  const opened = waitForVersion(1);
  const first = await time(async () => {
    connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'robots-txt', version: 1, text },
    });
    await opened;
  });
  const middle = Math.floor(text.split('\n').length / 2);
  const keys = [];
  for (let key = 0; key < KEYS; key++) {
    await wait(100);
    const position = { line: middle, character: key };
    keys.push(
      await time(async () => {
        connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version: key + 2 },
          contentChanges: [{ range: { start: position, end: position }, text: 'D' }],
        });
        await connection.sendRequest('textDocument/completion', {
          textDocument,
          position: { line: middle, character: key + 1 },
        });
      }),
    );
  }
  const last = await time(() => waitForVersion(KEYS + 1));
  const requests = [];
  for (const [method, params] of [
    ['hover', { position: { line: middle + 1, character: 12 } }],
    ['documentSymbol', {}],
    ['foldingRange', {}],
  ]) {
    const times = [];
    // The first request reads the file, and its time counts.
    for (let round = 0; round < 9; round++)
      times.push(
        await time(() => connection.sendRequest(`textDocument/${method}`, { textDocument, ...params })),
      );
    requests.push(`${method} ${formatTime(times[0] * 1e6)}, again ${formatTime(quantile(times, 0.5) * 1e6)}`);
  }
  console.log(
    `${name}: key ${format(keys)}; diagnostics ${formatTime(first * 1e6)} after opening, ${formatTime(last * 1e6)} after typing; ${requests.join('; ')}`,
  );
  connection.sendNotification('textDocument/didClose', { textDocument });
}
await connection.sendRequest('shutdown');
await connection.sendNotification('exit');
