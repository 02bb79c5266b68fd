// What the report is about, and what must be known before anything else is read.
import { formatSize } from 'maycrawl/api';
import { Fragment, type JSX } from 'preact';
import { Key, Stack } from '../../shared/charts/charts.tsx';
import { formatCount, formatNumber, formatShare, formatSpan } from '../../shared/text.ts';
import { type LogData, sumCrawlers } from '../data/log-data.ts';
import { formatSite, IDENTITY_LABELS } from '../text.ts';
import { IDENTITIES } from './identity-badge.tsx';

/** Sites that a sentence names. */
const MAX_SITES = 5;

export function Intro({ data }: { readonly data: LogData }): JSX.Element {
  const { log, crawlers } = data;
  const { requests, bytes, identity } = sumCrawlers(crawlers);
  const found = IDENTITIES.filter((each) => (identity[each] ?? 0) > 0);
  return (
    <>
      {!log.hasAddresses && crawlers.length > 0 && (
        <p class="notice">
          <b>The log has no addresses: no crawler is verified.</b> Any visitor may have sent these requests,
          so nothing in this report is evidence against an operator.
        </p>
      )}
      <p class="intro">
        {describePeriod(log.from, log.to)}, <b>{formatCount(crawlers.length, 'crawler')}</b> sent{' '}
        <b>{formatCount(requests, 'request')}</b> ({formatSize(bytes)}) to {describeSites(log.sites)}.{' '}
        {log.hasAddresses && found.length > 0 && (
          <>
            Of these,{' '}
            {found.map((each, index) => (
              <Fragment key={each}>
                {index > 0 && ', '}
                <span class="unbroken">
                  {formatShare(identity[each] ?? 0, requests, 1)} are {IDENTITY_LABELS[each]}
                </span>
              </Fragment>
            ))}
            .
          </>
        )}
      </p>
      <Lines log={log} />
    </>
  );
}

function describePeriod(from: string | null, to: string | null): string {
  const [first, last] = [from, to].map((time) => (time === null ? null : Date.parse(time)));
  const span = formatSpan(first ?? null, last ?? null);
  if (span === null) return 'In a log without lines';
  return span.includes(' to ') ? `From ${span}` : `On ${span}`;
}

function describeSites(sites: readonly string[]): string {
  const more = sites.length - MAX_SITES;
  const names = sites.slice(0, MAX_SITES).map(formatSite).join(', ');
  return more > 0 ? `${names} and ${formatCount(more, 'other site')}` : names;
}

/** The lines of the log, as a bar and as text. */
function Lines({ log }: { readonly log: LogData['log'] }): JSX.Element | null {
  const { lines, otherSites, furtherCrawlers } = log;
  const parts = [
    { name: 'crawlers', label: 'of crawlers', count: lines.crawlers },
    { name: 'visitors', label: 'of other visitors', count: lines.visitors },
    { name: 'unparsed', label: 'unreadable', count: lines.unparsed },
  ];
  return (
    <section class="card lines" aria-label="Lines">
      <p>
        <b>{formatCount(lines.read, 'line')}</b>
      </p>
      <Stack label="Lines" parts={parts.filter(({ count }) => count > 0)} />
      <p class="key">
        {parts.map(({ name, label, count }) => (
          <Key
            key={name}
            name={name}
            label={`${formatNumber(count)} ${label}${count === 0 ? '' : ` (${formatShare(count, lines.read)})`}`}
          />
        ))}
      </p>
      {otherSites > 0 && (
        <p class="aside">
          {formatCount(otherSites, 'request')} of crawlers {otherSites === 1 ? 'is' : 'are'} for other hosts,
          and in no number below.
        </p>
      )}
      {furtherCrawlers > 0 && (
        <p class="aside">
          {formatCount(furtherCrawlers, 'request')} {furtherCrawlers === 1 ? 'is' : 'are'} of further names
          that the catalogue does not know, beyond the first 1,000, and in no number below.
        </p>
      )}
    </section>
  );
}
