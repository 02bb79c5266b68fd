/** What commands that write the content of files do on a terminal, and on a pipe. */
import { expect, test } from 'vitest';
import { createLog } from '../../src/cli/commands/serve/log.ts';
import { writeCsvHead, writeCsvRows } from '../../src/cli/output/csv.ts';
import { ownCache, run } from '../support/run.ts';

/** Makes the command believe that standard output is a terminal. */
const TERMINAL = `--import data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process.stdout, 'isTTY', { value: true });",
)}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters.
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const HOSTILE = '/\x1b]0;x\x07\x1b[2J\u009b31m\u202e\u2028\u{e0041}é';
const ESCAPED = '/\\x1b]0;x\\x07\\x1b[2J\\x9b31m\\u{202e}\\u{2028}\\u{e0041}é';
const FILE = `user-agent:*\ndisallow:/a\nsitemap:https://h.example${HOSTILE}\n`;
const NOTE =
  'maycrawl: the terminal shows escapes of unprintable characters; a file or a pipe gets the bytes as they are\n';

const COMMANDS = ['minify -', 'preferences set --refuse ai-train -'].map(
  (command) => [command, command.split(' ')] as const,
);

const runOnTerminal = (args: readonly string[], file: string | Uint8Array) =>
  run(args, file, { env: { ...ownCache(), NODE_OPTIONS: TERMINAL, NO_COLOR: '1' } });

test.each(COMMANDS)(
  'on a terminal, %s escapes what the terminal would execute, and says so',
  async (_, args) => {
    const { code, stdout, stderr } = await runOnTerminal(args, FILE);
    expect(code).toBe(0);
    expect(stdout).toContain(`sitemap:https://h.example${ESCAPED}\n`);
    expect(stdout).not.toMatch(UNSAFE);
    expect(stderr).toContain(NOTE);
    expect(stderr).not.toMatch(UNSAFE);
  },
);

test.each(COMMANDS)('on a terminal, %s says so for bytes that are not UTF-8, too', async (_, args) => {
  const { stdout, stderr } = await runOnTerminal(
    args,
    Buffer.from('user-agent:*\ndisallow:/a\nsitemap:/\x9b2J\n', 'latin1'),
  );
  expect(stdout).toContain('sitemap:/\ufffd2J\n');
  expect(stderr).toContain(NOTE);
});

test.each(COMMANDS)('on a terminal, %s writes an ordinary file without a note', async (_, args) => {
  const { stdout, stderr } = await runOnTerminal(args, 'user-agent:*\r\ndisallow:/é\r\n');
  expect(stdout).toContain('disallow:/é\n');
  expect(stderr).not.toContain('escapes');
});

test.each(COMMANDS)('a pipe gets the bytes of the file from %s', async (_, args) => {
  const { stdout, stderr } = await run(args, FILE);
  expect(stdout).toContain(`sitemap:https://h.example${HOSTILE}\n`);
  expect(stderr).not.toContain('escapes');
});

test.each([
  [true, 'name\na\\u{202e}\ufffdé\n'],
  [false, '\ufeffname\r\na\u202e\ufffdé\r\n'],
] as const)(
  'CSV is safe on a terminal, and is a file for spreadsheets elsewhere: %s',
  async (isTerminal, expected) => {
    const { isTTY, write } = process.stdout;
    let written = '';
    try {
      Object.assign(process.stdout, {
        isTTY: isTerminal,
        write: (text: string | Uint8Array) => {
          written += Buffer.from(text as Uint8Array).toString();
          return true;
        },
      });
      await writeCsvHead(['name']);
      await writeCsvRows([['a\u202e\x1bé']]);
    } finally {
      Object.assign(process.stdout, { isTTY, write });
    }
    expect(written).toBe(expected);
  },
);

test('lines of the log of the service are JSON without characters that a terminal executes', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.error({ err: new Error(HOSTILE), origin: HOSTILE }, HOSTILE);
  log.info('é');
  const [line = '', plain = ''] = lines;
  expect(line).not.toMatch(UNSAFE);
  expect(JSON.parse(line)).toMatchObject({ msg: HOSTILE, origin: HOSTILE, err: { message: HOSTILE } });
  expect(line.endsWith('}\n')).toBe(true);
  expect(plain).toContain('"msg":"é"');
});
