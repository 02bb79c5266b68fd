// The failures of a run as JUnit's XML.
import type { Reason } from '@maycrawl/core/indexability';
import { formatJunit } from '../../../reports/junit.ts';
import { formatCount } from '../../../text/counts.ts';
import { REASON_TEXTS } from '../../../text/reasons.ts';
import { describeFindings, type FindingCode } from '../../findings/finding-kinds.ts';
import type { FailOn, FailureGroup } from '../fail-on.ts';

/** What a reader would not see. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** What a test case says that a run does not have, apart from URLs with a reason. */
const NAMES: Readonly<Partial<Record<FailOn, string>>> = {
  any: 'URLs that cannot be indexed',
  conflict: 'conflicting canonicals',
  sitemap: 'URLs in sitemaps that cannot be indexed',
  'broken-link': 'broken links',
  'site-not-indexable': 'site of which most cannot be indexed',
  'severity:error': 'findings that are errors',
  'severity:warning': 'findings that are errors or warnings',
  'severity:info': 'findings',
};

/** Names a test case by what the run does not have: "no broken links", "no redirects lead into a loop". */
function nameCase(kind: FailOn): string {
  const name = isReason(kind) ? REASON_TEXTS[kind].urls : NAMES[kind];
  return name === undefined
    ? describeFindings(kind as FindingCode, 2).replace(formatCount(2), 'no')
    : `no ${name}`;
}

function isReason(kind: FailOn): kind is Reason {
  return Object.hasOwn(REASON_TEXTS, kind);
}

/**
 * Formats a test case for each crawler and kind of failure.
 *
 * @param name - of the run.
 */
export function formatFailures(name: string, groups: readonly FailureGroup[]): string {
  return formatJunit(
    showUnprintable(name),
    groups.map(({ agent, kind, count, urls }) => ({
      name: nameCase(kind),
      className: showUnprintable(agent),
      problem:
        count === 0
          ? undefined
          : {
              kind: 'failure',
              message: `${formatCount(count, 'URL')}`,
              text: `\n${listUrls(urls, count)}\n`,
            },
    })),
  );
}

function listUrls(urls: FailureGroup['urls'], count: number): string {
  const lines = urls.map(({ url, reason }) => showUnprintable(`${url} (${reason})`));
  const others = count - urls.length;
  return [...lines, ...(others > 0 ? [`and ${formatCount(others, 'other')}`] : [])].join('\n');
}

function showUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
