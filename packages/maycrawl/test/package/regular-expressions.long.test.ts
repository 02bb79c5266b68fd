import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

const SCRIPT = join(ROOT, 'scripts', 'check-regular-expressions.mjs');

interface Checked {
  readonly code: number;
  /** One per line. */
  readonly findings: string;
}

/** Runs the tool on modules, whose sources are given by name. */
function check(sources: Readonly<Record<string, string>>): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-expressions-'));
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, name), source);
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], (error, _stdout, stderr) => {
      rmSync(folder, { recursive: true });
      resolve({ code: error === null ? 0 : Number(error.code), findings: stderr });
    });
  });
}

const bounded = (bound: string, expression: string): string =>
  `// regexp-input: ${bound}\nexport const a = ${expression};`;

const REFUSED = [
  ['exponential', 'export const a = /^(a|a)*$/;', 'takes exponential time'],
  ['the search for a start', 'export const a = /\\s+$/;', 'takes time of degree 2'],
  ['two loops in turn', 'export const a = /^a*a*$/;', 'takes time of degree 2'],
  ['a string that is compiled', "export const a = new RegExp('^(a|a)*$');", 'takes exponential time'],
  ['without new', "export const a = RegExp('x*y');", 'takes time of degree 2'],
  ['a string that match compiles', "export const a = 'b'.match('x*y');", 'takes time of degree 2'],
  ['parts', `const PART = 'x*';\nexport const a = new RegExp(\`\${PART}y\`);`, 'takes time of degree 2'],
  [
    'an expression that is not a literal',
    'export const a = (b: string) => new RegExp(b);',
    'is not written out',
  ],
  ['what cannot be proved', 'export const a = /(?=a+b)a*c/;', 'is not proved to be linear'],
  ['a bound without a reason', bounded('100', '/\\s+$/'), 'no comment bounds its input'],
  ['a bound that is no bound', bounded('100000 (a line)', '/\\s+$/'), 'up to 10000000000 steps for 100000'],
  ['a bound on exponential time', bounded('40 (a line)', '/^(a|a)*$/'), 'takes exponential time'],
  ['a bound that is not needed', bounded('40 (a line)', '/^a*$/'), 'is linear: remove the comment'],
] as const;

describe('the tool refuses', () => {
  let checked: Checked;
  // One run for all of them: most of its time is that of its start.
  beforeAll(async () => {
    checked = await check(Object.fromEntries(REFUSED.map(([, source], index) => [`m${index}.ts`, source])));
  });

  test.each(REFUSED.map(([name, , message], index) => [name, message, `m${index}.ts`] as const))(
    '%s',
    (_name, message, file) => {
      const found = checked.findings.split('\n').filter((line) => line.includes(`${file}:`));
      expect(found).toEqual([expect.stringContaining(message)]);
    },
  );

  test('nothing else', () => {
    expect(checked.findings.trim().split('\n').length).toBe(REFUSED.length);
  });

  test('with the exit code', async () => {
    expect(checked.code).toBe(1);
    const [[, one]] = REFUSED;
    expect((await check({ 'a.ts': one })).code).toBe(1);
  });
});

test('the tool accepts linear expressions, and others whose input has a small bound, in TSX too', async () => {
  const source = [
    'export const a = <p title="x">{/^a*$/.test("")}</p>;',
    'export const b = /x*y/y;',
    "const PART = '[a-z]';",
    `export const c = new RegExp(\`^\${PART}+$\`);`,
    '// regexp-input: 200 (the name of a host)',
    'export const d = /\\s+$/;',
  ].join('\n');
  expect(await check({ 'a.tsx': source })).toEqual({ code: 0, findings: '' });
});

test('the tool refuses a module that it cannot read', async () => {
  expect((await check({ 'a.ts': 'export const = /a/;' })).code).not.toBe(0);
});
