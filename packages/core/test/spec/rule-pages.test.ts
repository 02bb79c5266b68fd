import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FINDING_SEVERITIES, type FindingCode, lint } from '../../src/lint.ts';
import { parse } from '../../src/model/robots-txt.ts';

const folder = new URL('../../../../docs/rules/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** Returns the code block under a heading; `undefined` if there is none. */
function readExample(page: string, heading: string): string | undefined {
  const [, section = ''] = page.split(`## ${heading}\n`);
  return /^\n```robots\n([\s\S]*?)^```$/m.exec(section.split('\n## ')[0] ?? '')?.[1];
}

const codes = Object.keys(FINDING_SEVERITIES).sort() as FindingCode[];

test('each code has a page and a row in the table, and each page belongs to a code', () => {
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.sort()).toEqual(codes.map((code) => `${code}.md`).sort());
  for (const code of codes) expect(read('README.md')).toContain(`[${code}](${code}.md)`);
});

describe.each(codes)('%s', (code) => {
  const page = read(`${code}.md`);

  test('its page states the severity', () => {
    expect(page.startsWith(`# ${code}\n\n**${FINDING_SEVERITIES[code]}**`)).toBe(true);
  });

  test('the linter finds it in the bad example and not in the good one', () => {
    const [bad, good] = [readExample(page, 'Bad'), readExample(page, 'Good')];
    const getCodes = (file: string): string[] => lint(parse(file)).map((finding) => finding.code);
    if (bad === undefined) expect(page).toMatch(/## Bad\n\n\(No example: /);
    else expect(getCodes(bad)).toContain(code);
    expect(good).toBeDefined();
    expect(getCodes(good as string)).not.toContain(code);
  });
});
