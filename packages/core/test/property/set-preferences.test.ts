/** Properties of the writer of preferences: the reader agrees with it, no verdict changes, and nothing else does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRAWLERS, parse } from '../../src/index.ts';
import {
  POLICY_TOKENS,
  type PreferenceSettings,
  type PreferencesSet,
  readPreferences,
  setPreferences,
  WRITABLE_FORMATS,
  type WritableFormat,
} from '../../src/preferences.ts';
import { listCrawlers } from '../../src/proofs.ts';
import { anyBytes, FUZZ_PARAMETERS, robotsFile, takeShare } from '../support/arbitraries.ts';
import { applyEdits, groupLines } from '../support/naive-writer.ts';

const PARAMETERS = takeShare(FUZZ_PARAMETERS, 6);
const FEW = takeShare(FUZZ_PARAMETERS, 20);

const usage = fc.constantFrom(
  ...['train-ai=n', 'train-ai=y, search=n', 'ai=n', 'ai=y', 'bots=y', 'Train-AI=n', '', 'train-ai=n,'],
  ...['all=n, ai-use=y', 'train-ai=no', 'train-ai', 'ai-output=n'],
  ...['genai=y', 'train-ai=y;a=1', 'ai-use=(y n)'],
  'train-ai=y, train-ai=n',
);
const signal = fc.constantFrom(
  ...['ai-train=no', 'search=yes,ai-train=no,use=reference', 'ai-input=no', 'x', '=', 'AI-Train=NO', ''],
  ...['ai-train = yes , search=no', 'ai-train=yes,ai-train=no', 'ai-train=,', 'search=no'],
);
const path = fc.constantFrom('', '', '', '/ ', '/p/ ', '/p/*$ ', '/*a ', '/p\t');
const agentName = fc.constantFrom(
  ...['*', '*', 'GPTBot', 'a', 'MJ12bot', 'Googlebot'],
  ...['Applebot', 'CCBot', 'AdsBot-Google', 'ClaudeBot/1.0', '1', ''],
);
const line = fc.oneof(
  { weight: 5, arbitrary: agentName.map((name) => `User-agent: ${name}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['User-agent: Google-Extended # x', 'User-agent: Applebot-Extended'],
      'User-agent: __usage_ai-training',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('Allow: /', 'Disallow: /', 'Disallow: /p/', 'Allow: /p/', 'Disallow:'),
  },
  { weight: 3, arbitrary: fc.tuple(path, usage).map(([at, keys]) => `Content-Usage: ${at}${keys}`) },
  { weight: 3, arbitrary: fc.tuple(path, signal).map(([at, keys]) => `content-signal : ${at}${keys} # y`) },
  fc.constantFrom(
    '',
    '# text',
    'Crawl-delay: 5',
    'Sitemap: https://example.com/s.xml',
    'License: /l.xml',
    'noise',
  ),
  fc.constantFrom('# BEGIN Cloudflare Managed content', '# END Cloudflare Managed Content'),
);
const ending = fc.constantFrom('\n', '\n', '\r\n', '\r');
/** Files as byte strings. */
const createFile = (anyLine: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '', '\u00ef\u00bb\u00bf'),
      fc.array(anyLine, { maxLength: 14 }),
      ending,
      fc.boolean(),
    )
    .map(([mark, lines, end, isEnded]) => mark + lines.join(end) + (isEnded ? end : ''));
const declaringFile = createFile(line);
/** Also with fields that only Google reads, bytes after which a line is ignored, and fields without a colon. */
const noisyFile = createFile(
  fc.oneof(
    { weight: 4, arbitrary: line },
    fc.constantFrom('Useragent: CCBot', 'User-agent GPTBot', 'dissallow /p/', 'Disallows: /', 'Allow: /\0x'),
    fc.constantFrom(
      'content-usage train-ai=y',
      'Content-Signals: ai-train=yes',
      'Content-Usage: train-ai=y\0, search=y',
    ),
    fc.constantFrom(
      ...['\0', '\ufeff', ' User-agent : a # b'],
      ...['User-agent: Googlebot Image', 'User-agent: * x', '\xe9: y'],
    ),
  ),
);
/** A path can cover all URLs that a crawler may fetch, so that a statement for all paths has no effect. */
const fileWithoutPaths = createFile(
  line.filter((text) => !/: *\//.test(text) || /^Allow: \/$|^Disallow: \/p/.test(text)),
);

const value = fc.constantFrom('allowed' as const, 'disallowed' as const);
const settings: fc.Arbitrary<PreferenceSettings> = fc
  .record({ search: value, 'ai-train': value, 'ai-input': value }, { requiredKeys: [] })
  .filter((each) => Object.keys(each).length > 0) as fc.Arbitrary<PreferenceSettings>;
const formats: fc.Arbitrary<readonly WritableFormat[]> = fc.oneof(
  fc.constant(['content-usage', 'content-signal', 'policy-token'] as const),
  fc.subarray([...WRITABLE_FORMATS], { minLength: 1 }),
);

const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const URLS = ['/', '/p/', '/p/x', '/p/a?b', '/xa', '/q'].map((each) => `https://example.com${each}`);
const TOKENS = POLICY_TOKENS.map(({ token }) => token.toLowerCase());
const LINE_FORMATS = ['content-usage', 'content-signal'] as const;

/** Crawlers that are read besides those that a file names. */
const COMMON = ['*', 'Googlebot', 'Googlebot Image', 'Applebot', 'GPTBot', 'YandexBot', 'AdsBot-Google'];

interface Crawler {
  readonly name: string;
  readonly crawler: Parameters<typeof readPreferences>[1];
}

/** The crawlers to which statements are addressed. */
function listReaders(text: string): Crawler[] {
  const robots = parse(toBytes(text));
  const named = new Set(
    robots.groups().flatMap(({ userAgents }) => userAgents.map((each) => each.extendedToken)),
  );
  const isObedient = (name: string): boolean => {
    const found = CRAWLERS.find((each) => each.name === name);
    return (
      found === undefined ||
      found.obeys === 'rules' ||
      found.tokens.some((token) => named.has(token.toLowerCase()))
    );
  };
  return listCrawlers([robots])
    .filter(({ name }) => named.has(name.toLowerCase()) || COMMON.includes(name))
    .filter(({ name }) => !TOKENS.includes(name.toLowerCase()) && isObedient(name));
}

/** Returns the first setting that a crawler does not read, under any reading. */
function findUnread(
  text: string,
  wanted: PreferenceSettings,
  readers: readonly Crawler[],
  isStated: boolean,
  policyTokens = POLICY_TOKENS,
) {
  const policy = { kind: 'rules', robots: parse(toBytes(text)) } as const;
  for (const { name, crawler } of readers)
    for (const url of URLS) {
      const { crawl, purposes } = readPreferences({ policy }, crawler, url, { policyTokens });
      if (crawl === 'disallowed') continue;
      for (const [purpose, setting] of Object.entries(wanted))
        for (const [reading, found] of Object.entries(purposes[purpose]?.readings ?? {}))
          if (found !== setting && (isStated || found !== 'unknown'))
            return { name, url, purpose, setting, reading, found };
    }
  return undefined;
}

/** Empties the lines of a format. They still end lists of user-agent lines. */
function emptyFormat(text: string, format: string): string {
  return text.replace(new RegExp(`^(\u00ef\u00bb\u00bf)?${format}s? *:.*$`, 'gim'), `$1${format}:`);
}

let setCount = 0;

function set(
  text: string,
  wanted: PreferenceSettings,
  selected: readonly WritableFormat[],
): PreferencesSet | undefined {
  const result = setPreferences(toBytes(text), wanted, { formats: selected });
  if (result.kind === 'set') {
    setCount++;
    return result;
  }
  expect(['inseparable-purposes', 'shared-group', 'setting-not-reached']).toContain(result.code);
  return undefined;
}

test('every crawler reads the settings in each selected format, under every reading', () => {
  fc.assert(
    fc.property(fc.oneof(declaringFile, noisyFile), settings, formats, (text, wanted, selected) => {
      const result = set(text, wanted, selected);
      if (result === undefined) return;
      const after = toText(result.bytes);
      const readers = listReaders(after);
      const isMixed = result.limits.some(({ code }) => code === 'purposes-not-separable');
      const tokens = isMixed ? [] : POLICY_TOKENS;
      const isStated = LINE_FORMATS.some((format) => selected.includes(format));
      expect(findUnread(after, wanted, readers, isStated, tokens)).toBeUndefined();
      for (const format of LINE_FORMATS) {
        if (!selected.includes(format)) continue;
        const [other = ''] = LINE_FORMATS.filter((each) => each !== format);
        expect(findUnread(emptyFormat(after, other), wanted, readers, true, [])).toBeUndefined();
      }
    }),
    FEW,
  );
  expect(setCount).toBeGreaterThan(FEW.numRuns / 2);
});

test('the crawlers of a policy token read a refusal in its rules alone', () => {
  fc.assert(
    fc.property(declaringFile, (text) => {
      const result = set(text, { 'ai-train': 'disallowed' }, ['policy-token', 'usage-token']);
      if (result === undefined) return;
      const policy = { kind: 'rules', robots: parse(result.bytes) } as const;
      for (const { token } of POLICY_TOKENS)
        for (const url of URLS) expect(policy.robots.ruleset([token]).decide(url).kind).toBe('disallowed');
    }),
    PARAMETERS,
  );
});

test('no verdict changes except for the named policy tokens', () => {
  fc.assert(
    fc.property(
      fc.oneof(declaringFile, robotsFile.map(toText)),
      settings,
      formats,
      (text, wanted, selected) => {
        const result = setPreferences(toBytes(text), wanted, { formats: selected });
        if (result.kind !== 'set') return;
        const [before, after] = [parse(toBytes(text)), parse(result.bytes)];
        for (const { name, crawler } of listCrawlers([before, after])) {
          if (result.proof.exceptions.includes(name.replace(/^token:/, ''))) continue;
          for (const url of URLS)
            expect(after.ruleset(crawler).decide(url).kind, name).toBe(
              before.ruleset(crawler).decide(url).kind,
            );
        }
      },
    ),
    PARAMETERS,
  );
});

test('a second run changes nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(declaringFile, anyBytes.map(toText)),
      settings,
      formats,
      (text, wanted, selected) => {
        const result = setPreferences(toBytes(text), wanted, { formats: selected });
        if (result.kind !== 'set') return;
        const again = setPreferences(result.bytes, wanted, { formats: selected });
        expect(again).toMatchObject({ kind: 'set', edits: [] });
        expect(again.kind === 'set' && toText(again.bytes)).toBe(toText(result.bytes));
      },
    ),
    PARAMETERS,
  );
});

test('all bytes outside the edits stay', () => {
  fc.assert(
    fc.property(declaringFile, settings, formats, (text, wanted, selected) => {
      const result = set(text, wanted, selected);
      if (result !== undefined) expect(toText(result.bytes)).toBe(applyEdits(text, result.edits));
    }),
    PARAMETERS,
  );
});

test.each([
  { reader: 'robots.txt', closing: /^\s*(?:dis)?allow\s*:/i },
  { reader: 'the AIPREF draft', closing: /^\s*(?:(?:dis)?allow|content-usage)\s*:/i },
])('a reader of $reader groups the agents of the file as before', ({ closing }) => {
  fc.assert(
    fc.property(declaringFile, settings, formats, (text, wanted, selected) => {
      const result = set(text, wanted, selected);
      if (result === undefined) return;
      const list = (content: string): string[][] =>
        groupLines(content.replace(/^\u00ef\u00bb\u00bf/, ''), closing).map(({ agents }) =>
          agents.filter((each) => !TOKENS.includes(each.toLowerCase())),
        );
      const before = list(text);
      expect(list(toText(result.bytes)).slice(0, before.length)).toEqual(before);
    }),
    PARAMETERS,
  );
});

test('without one of the added statements, a crawler does not read a setting', () => {
  let edits = 0;
  fc.assert(
    fc.property(fileWithoutPaths, settings, (text, wanted) => {
      for (const format of LINE_FORMATS) {
        const result = set(text, wanted, [format]);
        for (const edit of result?.edits ?? []) {
          if (edit.reason !== 'missing-statement' && edit.reason !== 'missing-group') continue;
          edits++;
          const without = applyEdits(text, result?.edits.filter((each) => each !== edit) ?? []);
          const [other = ''] = LINE_FORMATS.filter((each) => each !== format);
          const unread = findUnread(emptyFormat(without, other), wanted, listReaders(without), true, []);
          expect(unread, JSON.stringify(edit)).toBeDefined();
        }
      }
    }),
    PARAMETERS,
  );
  expect(edits).toBeGreaterThan(100);
});

test('no input causes an error', () => {
  fc.assert(
    fc.property(anyBytes, settings, formats, (bytes, wanted, selected) => {
      const result = setPreferences(bytes, wanted, { formats: selected });
      if (result.kind === 'set' && result.edits.length === 0) expect(result.bytes).toEqual(bytes);
    }),
    FUZZ_PARAMETERS,
  );
});
