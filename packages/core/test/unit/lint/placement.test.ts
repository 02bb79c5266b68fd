import { describe, expect, test } from 'vitest';
import { type Finding, fix, lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';

const ABOVE = 'preference-before-group';
const LAST = 'preference-after-last-group';

const find = (text: string, code: string): Finding[] =>
  lint(parse(text)).filter((each) => each.code === code);

/** Applies the fixes of one code. @returns the text, or `undefined` if there is none. */
function applyFixes(text: string, code: string): string | undefined {
  const robots = parse(text);
  const { bytes, resolved } = fix(
    robots,
    find(text, code).filter((finding) => finding.fix !== undefined),
  );
  return resolved.length === 0 ? undefined : Buffer.from(bytes).toString();
}

const SIGNAL = 'Content-Signal: search=yes, ai-train=no';
const USAGE = 'Content-Usage: train-ai=n';
const STAR = 'User-agent: *\nDisallow: /x\n';
const BOT = '\nUser-agent: GPTBot\nDisallow: /y\n';

describe('a declaration above all groups', () => {
  test('the message names the crawlers that it reaches under both readings', () => {
    expect(find(`${SIGNAL}\n${STAR}`, ABOVE)).toMatchObject([
      {
        message:
          'This Content-Signal is above the first user-agent line. Read by group, it reaches no crawler; read for the whole site, it reaches every crawler. Move it below "User-agent: *".',
      },
    ]);
    const own = 'User-agent: a\nUser-agent: b\nContent-Signal: ai-train=yes\nDisallow:\n';
    const messages = find(`${SIGNAL}\n${USAGE}\n${STAR}${own}`, ABOVE).map(({ message }) => message);
    expect(messages[0]).toContain('every crawler except a, b, which have declarations of their own.');
    // The declarations of another format do not replace it.
    expect(messages[1]).toContain('it reaches every crawler. Move');
  });

  test.each([
    ['one line', `${SIGNAL}\n${STAR}`, `User-agent: *\n${SIGNAL}\nDisallow: /x\n`],
    [
      'several lines, and none twice',
      `${SIGNAL}\n${USAGE}\n${SIGNAL}\n\n${STAR}`,
      `\nUser-agent: *\n${SIGNAL}\n${USAGE}\nDisallow: /x\n`,
    ],
    ['with a comment', `${SIGNAL} # why\n${STAR}`, `# why\nUser-agent: *\n${SIGNAL}\nDisallow: /x\n`],
    [
      'CRLF',
      `${SIGNAL}\r\n${STAR.replaceAll('\n', '\r\n')}`,
      `User-agent: *\r\n${SIGNAL}\r\nDisallow: /x\r\n`,
    ],
    [
      'below the last agent of the group',
      `${SIGNAL}\nUser-agent: *\nUser-agent: b # b\nDisallow: /x\n`,
      `User-agent: *\nUser-agent: b # b\n${SIGNAL}\nDisallow: /x\n`,
    ],
    [
      'in a later group, below a misspelled field',
      `${USAGE}\nUser-agent: a\nDisallow: /\nUser agent: *\nDisallow: /x`,
      `User-agent: a\nDisallow: /\nUser-agent: *\n${USAGE}\nDisallow: /x`,
    ],
  ])('the fix moves it to the group for *: %s', (_, text, expected) => {
    expect(applyFixes(text, ABOVE)).toBe(expected);
    // Together with all other fixes, no line is lost.
    const robots = parse(text);
    const all = Buffer.from(fix(robots, lint(robots)).bytes).toString();
    for (const line of [SIGNAL, USAGE]) expect(all.includes(line)).toBe(text.includes(line));
    expect(find(all, ABOVE)).toEqual([]);
  });

  test.each([
    ['there is no group for *', `${SIGNAL}\nUser-agent: a\nDisallow: /x\n`],
    ['the group for * has a declaration', `${SIGNAL}\nUser-agent: *\n${USAGE}\nDisallow: /x\n`],
    ['so has another group for *', `${SIGNAL}\n${STAR}User-agent: a\nDisallow:\nUser-agent: *\n${USAGE}\n`],
    [
      'a crawler of the group has a declaration elsewhere',
      `${SIGNAL}\nUser-agent: a\n${STAR}\nUser-agent: a\nContent-Signal: ai-train=yes\n`,
    ],
    ['it declares nothing', `Content-Usage: TRAIN-AI=n\n${STAR}`],
    [
      'there are many',
      `${Array.from({ length: 21 }, (_, n) => `Content-Usage: /${n} train-ai=n\n`).join('')}${STAR}`,
    ],
    [
      'a vendor manages it',
      `# BEGIN Cloudflare Managed content\n${SIGNAL}\n# END Cloudflare Managed Content\n${STAR}`,
    ],
    [
      'a vendor manages the group for *',
      `${SIGNAL}\n# BEGIN Cloudflare Managed content\n${STAR}# END Cloudflare Managed Content\n`,
    ],
  ])('there is no fix if %s', (_, text) => {
    expect(find(text, ABOVE).length).toBeGreaterThan(0);
    expect(applyFixes(text, ABOVE)).toBeUndefined();
  });
});

describe('a declaration below a gap at the end', () => {
  test('the fix states it in the group for *, too', () => {
    const expected = `User-agent: *\n${SIGNAL}\nDisallow: /x\n${BOT}\n${SIGNAL}\n`;
    expect(applyFixes(`${STAR}${BOT}\n${SIGNAL}\n`, LAST)).toBe(expected);
    expect(lint(parse(expected)).map(({ code }) => code)).toEqual([]);
  });

  test.each([
    ['it permits a use', 'Content-Signal: ai-train=no, ai-input=yes'],
    ['it refuses search', 'Content-Signal: search=no'],
    ['it declares nothing', 'Content-Signal: x=y'],
  ])('there is no fix if %s: the author decides', (_, line) => {
    const text = `${STAR}${BOT}\n${line}\n`;
    expect(find(text, LAST).length).toBe(1);
    expect(applyFixes(text, LAST)).toBeUndefined();
  });

  test('lines above the groups are fixed first', () => {
    const text = `${USAGE}\n${STAR}${BOT}\n${SIGNAL}\n`;
    const robots = parse(text);
    const fixed = Buffer.from(fix(robots, lint(robots)).bytes).toString();
    expect(fixed).toBe(`User-agent: *\n${USAGE}\nDisallow: /x\n${BOT}\n${SIGNAL}\n`);
  });
});
