import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signBody } from '../../../src/watch/notifications/delivery/signature.ts';
import { toJson } from '../../../src/watch/notifications/messages/bodies.ts';
import { createMessage, toAlert } from './alerts.ts';

const PAGE = readFileSync(new URL('../../../../../docs/watch-messages.md', import.meta.url), 'utf8');

/** @returns the first code block of the page in a language. */
function getCodeBlock(language: string): string {
  const block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(PAGE)?.[1];
  if (block === undefined) throw new Error(`there is no ${language} on the page`);
  return block;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-webhook-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BODY = toJson(createMessage({ title: 'ünïcode 🤖' }));
const now = Date.now();
const GOOD = signBody(BODY, 'whsec', now);
const CASES: readonly [header: string, secret: string, isRight: boolean][] = [
  [GOOD, 'whsec', true],
  [GOOD, 'other', false],
  [signBody(`${BODY} `, 'whsec', now), 'whsec', false],
  [signBody(BODY, 'whsec', now - 600_000), 'whsec', false],
  [signBody(BODY, 'whsec', now + 600_000), 'whsec', false],
  ['', 'whsec', false],
  ['t=x,v1=y', 'whsec', false],
  [`t=${Math.floor(now / 1000)},v1=é`, 'whsec', false],
];

/** Runs a script that prints its verdict on each case. */
function runScript(program: string, name: string, script: string): unknown {
  writeFileSync(join(folder, 'body'), BODY);
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(CASES));
  writeFileSync(join(folder, name), script);
  const { stdout, stderr } = spawnSync(program, [name], { cwd: folder, encoding: 'utf8', timeout: 20_000 });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const EXPECTED = CASES.map(([, , isRight]) => isRight);
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the page about messages', () => {
  test('shows how to check a signature in Node', () => {
    const script = `import { readFileSync } from 'node:fs';
      ${getCodeBlock('javascript')}
      const body = readFileSync('body');
      const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
      console.log(JSON.stringify(cases.map(([header, secret]) => isFromMaycrawl(header, body, secret))));`;
    expect(runScript(process.execPath, 'check.mjs', script)).toEqual(EXPECTED);
  });

  test.skipIf(!hasPython)('shows how to check a signature in Python (needs python3)', () => {
    const script = `import json
${getCodeBlock('python')}
body = open('body', 'rb').read()
cases = json.load(open('cases.json', encoding='utf-8'))
print(json.dumps([is_from_maycrawl(header, body, secret) for header, secret, _ in cases]))
`;
    expect(runScript('python3', 'check.py', script)).toEqual(EXPECTED);
  });

  test('shows the current format of a message', () => {
    const shown = JSON.parse(getCodeBlock('json'));
    const [alert] = shown.alerts;
    const again = toJson({ id: shown.id, alerts: [toAlert({ ...alert, at: Date.parse(alert.at) })] });
    expect(JSON.parse(again)).toEqual(shown);
  });
});
