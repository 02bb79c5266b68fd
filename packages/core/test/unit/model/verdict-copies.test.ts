import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  type Allowed,
  type Disallowed,
  decide,
  explainVerdict,
  parse,
  type RobotsTxt,
} from '../../../src/index.ts';
import { getSource } from '../../../src/model/robots-txt.ts';
import { getKernel } from '../../../src/syntax/kernel.ts';

const FILE = 'User-agent: b\nUser-agent: a\nDisallow: /x\nAllow: /x/index.html\n';

function getVerdicts(): (Allowed | Disallowed)[] {
  const ruleset = parse(FILE).ruleset(['a', 'b', 'c']);
  // The first decisions read the file, the last ones a table.
  const verdicts = Array.from({ length: 20 }, () => ruleset.decide('https://a.example/x/'));
  return [decide(FILE, ['a', 'b', 'c'], '/x/'), ...verdicts] as (Allowed | Disallowed)[];
}

test('copies of a verdict have rule, pattern and groups', () => {
  for (const verdict of getVerdicts()) {
    const expected = {
      ...{ kind: 'allowed', allowed: true, reason: 'rule', line: 4, path: '/x/', pattern: '/x/$' },
      ...{ group: { kind: 'own', tokens: ['a', 'b'] }, groupKind: 'own', normalized: false },
      rule: expect.objectContaining({ line: 4, text: '/x/index.html' }),
    };
    expect(structuredClone(verdict)).toEqual(expected);
    expect({ ...verdict }).toEqual(expected);
    expect(JSON.parse(JSON.stringify(verdict))).toMatchObject({
      ...expected,
      overriddenMatch: { pattern: '/x' },
    });
    expect(inspect(verdict)).toMatch(/pattern: '\/x\/\$'/);
    expect(explainVerdict({ ...verdict } as Allowed)).toMatch(
      /^Allowed\. The group for a, b applies\. Line 4/,
    );
    expect(explainVerdict(verdict)).toMatch(/Line 3, .* also matches, but is shorter\.$/);
  }
});

/** A parsed file, and a function that returns how often it was read. */
function countReadings(): { robots: RobotsTxt; getReadings: () => number } {
  const robots = parse(`${FILE}User-agent: *\nDisallow: /y\n`);
  let readings = 0;
  const source = getSource(robots);
  const { readRuleLines, scan } = source;
  Object.assign(source, {
    readRuleLines: (path: never) => {
      readings++;
      return Reflect.apply(readRuleLines, source, [path]);
    },
    scan: () => {
      readings++;
      return Reflect.apply(scan, source, []);
    },
  });
  return { robots, getReadings: () => readings };
}

test.each([{ agent: 'a' }, { agent: 'c' }, { agent: ['a', 'b', 'c'] }])(
  'a decision for $agent and its explanation read the file once',
  ({ agent }) => {
    const { robots, getReadings } = countReadings();
    explainVerdict(robots.ruleset(agent).decide('/x/y'));
    expect(getReadings()).toBe(1);
  },
);

test('the rules are compiled after the first decision without the kernel, and after sixteen with it', () => {
  const { robots, getReadings } = countReadings();
  const ruleset = robots.ruleset('a');
  for (let decision = 0; decision < 100; decision++) ruleset.decide('/x/y');
  expect(getReadings()).toBe(getKernel() === undefined ? 2 : 17);
});
