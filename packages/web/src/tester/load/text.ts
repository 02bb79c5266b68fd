// The sentences about a robots.txt that was loaded, and about the sample of the pages of its site (docs/serve.md).
import { describeOriginPolicy } from '@maycrawl/client/policy';
import { findNetworkFailure, type RobotsReport, type SitemapSample } from 'maycrawl/api';
import { parseTime, type Result, readPolicy } from '../../shared/requests/service.ts';
import { capitalize, formatCount, formatMoment } from '../../shared/text.ts';

/** "https://example.com: successful, status 200" */
export function formatSummary({ origin, result, status, message }: RobotsReport): string {
  const detail = message ?? (status === null ? '' : `status ${status}`);
  return `${origin}: ${result}${detail === '' ? '' : `, ${detail}`}`;
}

/** The effective policy, and when the next fetch is due. */
export function describePolicy({ policy, outage, message, expiresAt }: RobotsReport): string {
  const text = describeOriginPolicy(
    {
      policy: readPolicy(policy),
      outage: outage && { since: parseTime(outage.since), message },
      nextPhaseAt: parseTime(outage?.nextPhaseAt),
    },
    formatMoment,
  );
  return expiresAt === null ? text : `${text} The next fetch is due at ${formatMomentText(expiresAt)}.`;
}

/** "successful, status 200": a fetch of the history. */
export function describeEvent({ kind, status, code }: RobotsReport['events'][number]): string {
  const detail = status === null ? code : `status ${status}`;
  return detail === null ? kind : `${kind}, ${detail}`;
}

/** Describes a failure of the network in one or two sentences; `null` if the message is of another kind. */
export function describeFailure(message: string | null): string | null {
  const failure = message === null ? null : findNetworkFailure(message);
  if (failure === null) return null;
  const { text, advice } = failure;
  return `${capitalize(text)}.${advice === null ? '' : ` ${advice}`}`;
}

/** A time in JSON as a date and a time; unchanged if it is not valid. */
export function formatMomentText(text: string): string {
  const time = parseTime(text);
  return time === null ? text : formatMoment(time);
}

/** Describes where the URLs of a sample are from, or why the list is empty, in a sentence. */
export function describeSample(result: Result<SitemapSample>): string {
  if (result.kind === 'problem') return `The sitemaps were not read. ${result.message}`;
  const { urls, sitemaps, others } = result.value;
  const [first] = sitemaps;
  if (first === undefined) return 'The robots.txt names no sitemap.';
  if (urls.length > 0) {
    const read = sitemaps.filter(({ problem }) => problem === null).length;
    return `${formatCount(urls.length, 'URL')} of ${read === 1 ? 'its sitemap' : 'its sitemaps'} ${urls.length === 1 ? 'is' : 'are'} in the list.`;
  }
  if (others > 0)
    return 'Its sitemaps list URLs of other hosts or schemes, to which this file does not apply.';
  const failed = sitemaps.find(({ problem }) => problem !== null);
  if (failed !== undefined) return `No sitemap was read: ${failed.url}: ${failed.problem}.`;
  return 'Its sitemaps list no URL.';
}
