// Who came: each crawler with its identity, its classes and its violations.
import type { JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { Select } from '../../shared/fields/select.tsx';
import { formatCount, formatShare } from '../../shared/text.ts';
import { sumCrawlers } from '../data/log-data.ts';
import { createCrawlerTable } from '../data/tables.ts';
import { ClassKey, listParts } from '../parts/class-stack.tsx';
import { CrawlerTable } from '../parts/crawler-table.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Section } from '../parts/section.tsx';

export function CrawlersSection(props: SectionProps): JSX.Element {
  const { data, view, crawlers, onChange } = props;
  const { requests, identity, classes } = sumCrawlers(crawlers);
  const parts = listParts(classes);
  const own = requests - (identity.spoofed ?? 0);
  const violations = classes.violation ?? 0;
  return (
    <Section
      name="crawlers"
      finding={
        crawlers.length > 0 &&
        (violations === 0 ? (
          'No request is a violation.'
        ) : (
          <>
            <b>{formatCount(violations, 'request')}</b> of{' '}
            {formatCount(crawlers.filter((each) => each.classes.violation > 0).length, 'crawler')}{' '}
            {violations === 1 ? 'is a violation' : 'are violations'}:{' '}
            <span class="unbroken">{formatShare(violations, own, 1)}</span> of those that are not spoofed.
          </>
        ))
      }
    >
      {crawlers.length === 0 ? (
        <p>{data.crawlers.length === 0 ? 'The log has no request of a crawler.' : 'No crawler matches.'}</p>
      ) : (
        <Chart
          title="Requests by crawler. A name opens the details."
          table={() => createCrawlerTable(data, crawlers)}
          controls={
            <Select
              label="Groups"
              value={view.isGrouped ? 'purpose' : 'none'}
              choices={[
                ['purpose', 'by purpose'],
                ['none', 'none'],
              ]}
              onChoose={(groups) => onChange({ isGrouped: groups === 'purpose' })}
            />
          }
        >
          <ClassKey classes={parts} />
          <CrawlerTable {...props} />
        </Chart>
      )}
    </Section>
  );
}
