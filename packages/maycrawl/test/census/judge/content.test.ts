/** What a file says besides its rules: compared with the functions of the library, called for each agent alone. */
import { CRAWLERS, type CrawlerInput, GLOBAL_CRAWLER, parse } from '@maycrawl/core';
import { lint } from '@maycrawl/core/lint';
import {
  DECLARING_FIELDS,
  listDeclarations,
  MAIN_PURPOSES,
  POLICY_TOKENS,
  readPreferences,
} from '@maycrawl/core/preferences';
import fc from 'fast-check';
import { BodyJudge, type BodyJudgement } from 'maycrawl/census';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { DECLARING_TEXT } from '../../../src/census/judge/content-judge.ts';
import { GENERATOR_MARKS } from '../../../src/census/judge/generator-data.ts';
import { MANAGED_FILE, PREFERENCE_CODES, readCorpus } from './support.ts';

const CATALOGUE = CRAWLERS.map(({ name }) => name);
const NUM_RUNS = getFuzzRuns(100);

/** Some of the real files, so that the test is quick: the linter takes milliseconds for each. */
const CORPUS_STEP = Number(process.env['CORPUS_STEP'] ?? 16);
const MAX_CORPUS_BYTES = 30_000;

const judgeWith = (agents: readonly string[], isLinting = false) =>
  new BodyJudge({ agents, profile: 'google', lint: isLinting });
const JUDGE = judgeWith(CATALOGUE);

const encode = (text: string): Buffer => Buffer.from(text);
const count = (codes: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};
const toCounts = (findings: BodyJudgement['findings']): Record<string, number> =>
  Object.fromEntries((findings ?? []).map((each) => [each.code, each.count]));

/** Compares the content of a body with what the library says for each agent alone. */
function checkContent(body: Uint8Array, judgement: BodyJudgement, agents: readonly string[]): void {
  const robots = parse(body);
  const readers: readonly (readonly [string, CrawlerInput])[] = [
    ['*', GLOBAL_CRAWLER],
    ...agents.map((name) => [name, name] as const),
  ];
  const { crawlDelays, crawlDelayLines, preferences, conflicts, declarations, omittedDeclarations } =
    judgement;
  const records = robots.records();
  expect(crawlDelayLines).toBe(
    records.filter(({ kind, field }) => kind === 'other' && /^crawl-delay$/i.test(field)).length,
  );
  expect(new Map(crawlDelays.map(({ agent, seconds }) => [agent, seconds]))).toEqual(
    new Map(
      readers.flatMap(([name, crawler]) => {
        const { crawlDelay } = robots.ruleset(crawler);
        return crawlDelay === null ? [] : [[name, crawlDelay]];
      }),
    ),
  );
  for (const [name, crawler] of readers) {
    const { purposes, ...report } = readPreferences(
      { policy: { kind: 'rules', robots } },
      crawler,
      'https://example.com/',
    );
    const values = Object.values(purposes).flatMap(({ readings }) => Object.values(readings));
    const isDeclared = values.some((value) => value === 'allowed' || value === 'disallowed');
    const found = preferences.filter(({ agent }) => agent === name);
    const [grouped, global] = (['grouped', 'global'] as const).map((reading) =>
      MAIN_PURPOSES.map((purpose) => purposes[purpose]?.readings[reading]),
    );
    expect(found).toEqual(
      isDeclared || report.conflicts.length > 0 ? [{ agent: name, grouped, global }] : [],
    );
    expect(
      conflicts.filter(({ agent }) => agent === name).map(({ purpose, code }) => `${purpose} ${code}`),
    ).toEqual(report.conflicts.map(({ purpose, code }) => `${purpose} ${code}`));
  }
  const { declarations: listed, omitted } = listDeclarations(robots, { limit: 100 });
  expect(omittedDeclarations).toBe(omitted);
  expect(
    declarations.map(({ format, line, text, label, purpose, value }) => [
      format,
      line,
      text,
      label,
      purpose,
      value,
    ]),
  ).toEqual(
    listed.flatMap(({ format, line, text, statements }) =>
      (statements.length === 0 ? [{ label: null, purpose: null, value: null }] : statements).map(
        ({ label, purpose, value }) => [format, line, text, label, purpose, value],
      ),
    ),
  );
  const source = Buffer.from(body).toString('latin1');
  expect(judgement.generators).toEqual([
    ...new Set(
      GENERATOR_MARKS.filter(({ texts }) => texts.every((text) => source.split(text).length > 1)).map(
        ({ name }) => name,
      ),
    ),
  ]);
}

function checkFindings(body: Uint8Array, { preferenceFindings, findings }: BodyJudgement): void {
  const codes = lint(parse(body)).map(({ code }) => code as string);
  expect(toCounts(preferenceFindings)).toEqual(count(codes.filter((code) => PREFERENCE_CODES.has(code))));
  if (findings !== null) expect(toCounts(findings)).toEqual(count(codes));
}

const agent = fc.constantFrom(
  ...['*', 'GPTBot', 'Googlebot', 'Google-Extended', 'Applebot-Extended', 'Applebot', 'bingbot'],
  ...['AdsBot-Google', 'google-extendedx', 'Googlebot-News', 'googlebot/2.1', 'other', ''],
);
const path = fc.constantFrom('', '/ ', '/p/ ', '/$ ');
const line = fc.oneof(
  { weight: 3, arbitrary: agent.map((name) => `User-agent: ${name}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('Allow: /', 'Disallow: /', 'Disallow:', 'Disallow: /p', 'Allow: /$', ''),
  },
  fc.constantFrom(
    'Crawl-delay: 5',
    'crawl-delay: 0.5',
    'CRAWL-DELAY: soon',
    'Crawl-delay',
    'Crawl-delay : 9',
  ),
  fc.constantFrom('License: https://example.com/l', 'Licence: x', 'LLM-Policy: x', 'Sitemap: /s.xml'),
  fc
    .tuple(
      fc.constantFrom('Content-Signal: ', 'content-signals :', 'Content-Signal '),
      path,
      fc.constantFrom('ai-train=no', 'search=yes, ai-train=yes', 'use=full', 'x=no', ''),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('Content-Usage: ', 'content-usage:'),
      path,
      fc.constantFrom('train-ai=n', 'search=y, ai-use=n', 'all=y', 'Train-AI=n', 'ai=n'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    ...[
      '# BEGIN Cloudflare Managed content',
      '# END Cloudflare Managed Content',
      '# begin x MANAGED CONTENT',
    ],
    ...[
      '# As a condition of',
      '# ACCESSING this website, Content Signals',
      '# you follow the content-signals',
    ],
    ...['# As a condition of accessing this website', '# START YOAST BLOCK'],
  ),
);
const file = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(line, { maxLength: 16 }), fc.constantFrom('\n', '\r\n', '\r'))
      .map(([lines, end]) => encode(lines.join(end))),
  },
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

describe('the content of a body', () => {
  test('is what the library says for each agent alone', () => {
    fc.assert(
      fc.property(file, (body) => {
        const judgement = JUDGE.judge(body);
        if (judgement.kind === 'page') return;
        checkContent(body, judgement, CATALOGUE);
        checkFindings(body, judgement);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  test('is equal for equal bytes', () => {
    const others = [judgeWith(CATALOGUE, true), judgeWith(CATALOGUE, true)] as const;
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 4 }), (bodies) => {
        const first = bodies.map((body) => others[0].judge(body));
        // In another order, and as a view of other memory.
        const second = bodies
          .toReversed()
          .map((body) => others[1].judge(new Uint8Array([1, ...body, 2]).subarray(1, body.length + 1)))
          .toReversed();
        expect(second).toEqual(first);
      }),
      { numRuns: Math.min(NUM_RUNS, 50) },
    );
  });

  const corpus = readCorpus(MAX_CORPUS_BYTES, CORPUS_STEP);

  test.skipIf(corpus.length === 0)(`of ${corpus.length} real files is what the library says`, () => {
    const judge = judgeWith(['GPTBot', 'Googlebot', 'bingbot', 'Mediapartners-Google', 'Slurp'], true);
    for (const body of corpus) {
      const judgement = judge.judge(body);
      checkFindings(body, judgement);
      if (judgement.kind !== 'page')
        checkContent(body, judgement, ['GPTBot', 'Googlebot', 'bingbot', 'Mediapartners-Google', 'Slurp']);
    }
  });

  test('of a file with a managed block and groups for policy tokens', () => {
    const judgement = judgeWith(['GPTBot', 'Googlebot', 'bingbot', 'OAI-SearchBot']).judge(
      encode(MANAGED_FILE),
    );
    expect(judgement).toMatchObject({
      crawlDelayLines: 1,
      crawlDelays: [{ agent: 'bingbot', seconds: 10 }],
      generators: ['Cloudflare', 'WordPress'],
      omittedDeclarations: 0,
      findings: null,
    });
    const [declared, nothing] = [
      ['allowed', 'disallowed', 'unknown'],
      ['unknown', 'unknown', 'unknown'],
    ];
    expect(judgement.preferences).toEqual([
      { agent: '*', grouped: declared, global: declared },
      {
        agent: 'Googlebot',
        grouped: ['allowed', 'disallowed', 'disallowed'],
        global: ['allowed', 'disallowed', 'disallowed'],
      },
      // These crawlers have groups of their own.
      { agent: 'bingbot', grouped: nothing, global: declared },
      { agent: 'OAI-SearchBot', grouped: nothing, global: declared },
    ]);
    expect(judgement.conflicts).toContainEqual({
      ...{ agent: 'OAI-SearchBot', purpose: 'ai-train', code: 'readings-differ' },
    });
    expect(toCounts(judgement.preferenceFindings)).toEqual({ 'preference-missing-in-own-group': 1 });
    expect(judgement.declarations).toMatchObject([
      { format: 'content-signal', label: 'search', value: 'allowed', agents: '*', line: 4, path: null },
      { format: 'content-signal', label: 'ai-train', value: 'disallowed' },
      { format: 'policy-token', label: 'Google-Extended', purpose: 'ai-train', agents: 'Google-Extended' },
      { format: 'policy-token', label: 'Google-Extended', purpose: 'ai-input' },
    ]);
  });

  test('is read if a file has a declaring field', () => {
    for (const field of DECLARING_FIELDS)
      for (const text of [`${field}:`, `${field.toUpperCase()}\t :`]) expect(text).toMatch(DECLARING_TEXT);
  });

  test('is read if a group names a policy token', () => {
    for (const { token } of POLICY_TOKENS)
      for (const name of [token, token.toLowerCase(), token.toUpperCase()]) {
        const { declarations } = JUDGE.judge(encode(`User-agent: ${name}\nDisallow: /`));
        expect(declarations, name).toContainEqual(
          expect.objectContaining({ format: 'policy-token', value: 'disallowed', line: 2 }),
        );
      }
  });

  test('of an HTML page is empty', () => {
    const page = encode('<html>\nContent-Signal: ai-train=no\nCrawl-delay: 5\n# START YOAST BLOCK');
    expect(judgeWith(['GPTBot']).judge(page)).toMatchObject({
      ...{ kind: 'page', crawlDelayLines: 0, crawlDelays: [], declarations: [], preferences: [] },
      ...{ conflicts: [], preferenceFindings: [], generators: [], findings: null },
    });
  });

  test('has at most 100 lines with declarations, and counts the others', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `Content-Signal: /p${index} ai-train=no, x=1`);
    const body = encode(`User-agent: *\n${lines.join('\n')}`);
    expect(body.length).toBeGreaterThan(512_000);
    const { declarations, omittedDeclarations } = judgeWith(['GPTBot']).judge(body);
    expect(declarations).toHaveLength(100);
    expect(declarations.length + omittedDeclarations).toBe(
      listDeclarations(parse(body), { limit: Number.POSITIVE_INFINITY }).declarations.length,
    );
  });

  test('has bounded texts', () => {
    const agents = Array.from({ length: 400 }, () => `User-agent: ${'x'.repeat(900)}`).join('\n');
    const signals = Array.from({ length: 90 }, () => `Content-Signal: ai-train=no, ${'y'.repeat(900)}`).join(
      '\n',
    );
    const judgement = judgeWith(['GPTBot']).judge(encode(`${agents}\n${signals}`));
    expect(judgement.declarations).toHaveLength(90);
    expect(JSON.stringify(judgement).length).toBeLessThan(90 * 1_000);
  });
});

describe('generators', () => {
  const find = (text: string) => JUDGE.judge(encode(text)).generators;

  test.each(GENERATOR_MARKS.map((mark) => [mark.name, mark] as const))(
    '%s is recognized by its text',
    (name, { texts }) => {
      const text = texts.join('\n');
      expect(find(`User-agent: a\nDisallow:\n${text}\nDisallow: /z`)).toContain(name);
      // Each of the texts is necessary, and whole.
      for (const each of texts) {
        const others = find(text.replace(each, `${each.slice(0, 4)}~${each.slice(4)}`));
        const isOtherMark = GENERATOR_MARKS.some(
          (mark) =>
            mark.name === name && mark.texts !== texts && mark.texts.every((part) => text.includes(part)),
        );
        if (!isOtherMark) expect(others).not.toContain(name);
      }
    },
  );

  test('similar files are not recognized', () => {
    for (const text of [
      'User-agent: *\nDisallow: /wp-admin/\nDisallow: /wp-includes/\nAllow: /wp-admin/admin-ajax.php\n',
      'User-agent: *\r\nDisallow: /wp-admin/\r\nAllow: /wp-admin/admin-ajax.php\r\n',
      '# Squarespace\nUser-agent: *\nDisallow: /config\nDisallow: /search\n',
      '# of your site by web crawlers and spiders run by sites like Yahoo!\nUser-agent: *\nDisallow: /node/add/\n',
      '# Cloudflare managed content\nUser-agent: GPTBot\nDisallow: /\n',
      'User-agent: *\nDisallow: /administrator/\nDisallow: /cache/\nDisallow: /components/\n',
      'User-agent: *\nDisallow: /checkout\nDisallow: /cart\nDisallow: /orders\n',
      '# we use WooCommerce as our ecommerce platform\n',
    ])
      expect(find(text), text).toEqual([]);
  });
});
