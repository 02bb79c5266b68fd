// What an owner should look at first: the findings, in the order of the summary.
import type { LogFinding } from 'maycrawl/api';
import type { JSX } from 'preact';
import { SEVERITIES, SeverityBadge } from '../../shared/severity.tsx';
import { formatCount, formatNumber, formatOmitted } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import type { SectionProps } from '../parts/props.ts';
import { Section } from '../parts/section.tsx';

/** Characters of a finding. */
const MAX_TEXT = 1_000;

export function FindingsSection({ data, crawlers, onShow }: SectionProps): JSX.Element {
  const { findings, findingCount } = data.log;
  const names = new Set(crawlers.map(({ crawler }) => crawler));
  // The page begins with the other one.
  const found = findings.filter(
    ({ code, crawler }) => code !== 'no-addresses' && (crawler === null || names.has(crawler)),
  );
  const { shown, more } = useMore(found.length);
  const omitted = findingCount - findings.length;
  return (
    <Section name="findings">
      {found.length === 0 ? (
        <p>{names.size < data.crawlers.length ? 'No findings for these crawlers.' : 'No findings.'}</p>
      ) : (
        <p class="aside">
          {describeSeverities(found)}: those with the highest severity first, then those with the most
          requests.
        </p>
      )}
      <ul class="findings">
        {found.slice(0, shown).map((finding, index) => (
          <li key={index} class="finding-title">
            <SeverityBadge severity={finding.severity} />
            <FindingText {...finding} onShow={onShow} />
          </li>
        ))}
      </ul>
      {more}
      {omitted > 0 && <p class="aside">{formatOmitted(omitted, 'finding')}</p>}
    </Section>
  );
}

/** "3 errors, 12 warnings" */
function describeSeverities(findings: readonly LogFinding[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    if (count === 0) return [];
    return severity === 'info' ? `${formatNumber(count)} info` : formatCount(count, severity);
  }).join(', ');
}

/** The text, in which the name of the crawler opens its details. */
function FindingText({ crawler, text, onShow }: LogFinding & Pick<SectionProps, 'onShow'>): JSX.Element {
  const place = crawler === null || crawler === '' ? -1 : text.indexOf(crawler);
  if (crawler === null || place < 0) return <span>{visible(text, MAX_TEXT)}</span>;
  return (
    <span>
      {visible(text.slice(0, place), MAX_TEXT)}
      <button type="button" class="link" onClick={() => onShow(crawler)}>
        {visible(crawler, 80)}
      </button>
      {visible(text.slice(place + crawler.length), MAX_TEXT)}
    </span>
  );
}
