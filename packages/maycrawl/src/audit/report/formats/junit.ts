/**
 * What a run was not to have as JUnit's XML, which most CI systems show.
 *
 * @module
 */
import { XMLBuilder } from 'fast-xml-parser';
import type { FailureGroup } from '../fail-on.ts';

/** What XML cannot hold, or a reader would not see. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/**
 * A test case for each crawler and kind of fault.
 *
 * @param name - of the run.
 */
export function junitOf(name: string, groups: readonly FailureGroup[]): string {
  const cases = groups.map(({ agent, kind, count, urls }) => ({
    '@name': printable(`no URL is ${kind}`),
    '@classname': printable(agent),
    ...(count > 0 && {
      failure: {
        '@message': `${count} ${count === 1 ? 'URL' : 'URLs'}`,
        '#text': `\n${listed(urls, count)}\n`,
      },
    }),
  }));
  const suite = {
    '@name': printable(name),
    '@tests': groups.length,
    '@failures': groups.filter(({ count }) => count > 0).length,
    testcase: cases,
  };
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ testsuites: { testsuite: suite } })}`;
}

function listed(urls: FailureGroup['urls'], count: number): string {
  const lines = urls.map(({ url, reason }) => printable(`${url} (${reason})`));
  const others = count - urls.length;
  return [...lines, ...(others > 0 ? [`and ${others} others`] : [])].join('\n');
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
