// The crawlers as a table that sorts. Each row opens the details of its crawler.
import { formatSize, type ReportCrawler } from 'maycrawl/api';
import type { JSX } from 'preact';
import { type Column, GroupedTable } from '../../shared/table/data-table.tsx';
import { getSortState, SortButton } from '../../shared/table/sort-button.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { useMoreOfEach } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { type CrawlerColumn, groupCrawlers, type PurposeGroup, sortCrawlers } from '../data/crawler-list.ts';
import { sumCrawlers } from '../data/log-data.ts';
import { formatTime } from '../text.ts';
import { ClassStack } from './class-stack.tsx';
import { CrawlerDetails } from './crawler-details.tsx';
import { Identities } from './identity-badge.tsx';
import type { SectionProps } from './props.ts';

/** The id of the button of a crawler. @param index - in the data. */
export function getCrawlerId(index: number): string {
  return `crawler-${index}`;
}

export function CrawlerTable({ data, view, crawlers, onChange }: SectionProps): JSX.Element {
  const { sorting, isGrouped, open } = view;
  const limit = useMoreOfEach();
  const opened = new Set(open);
  const indexes = new Map(data.crawlers.map((each, index) => [each, index]));
  const sorted = sortCrawlers(crawlers, sorting);
  const groups: readonly PurposeGroup[] = isGrouped
    ? groupCrawlers(sorted)
    : [{ purpose: 'all', title: 'All crawlers', crawlers: sorted }];
  const toggle = (name: string): void =>
    onChange({ open: opened.has(name) ? open.filter((each) => each !== name) : [...open, name] });
  const sort = (column: CrawlerColumn): void =>
    // Numbers begin with the largest ones.
    onChange({
      sorting: { column, descending: sorting.column === column ? !sorting.descending : column !== 'crawler' },
    });
  const toHead = (
    column: CrawlerColumn,
    title: string,
  ): Pick<Column<ReportCrawler>, 'title' | 'head' | 'sorted'> => {
    const state = getSortState(column, sorting);
    return {
      title,
      head: <SortButton title={title} state={state} onSort={() => sort(column)} />,
      sorted: state,
    };
  };
  const columns: readonly Column<ReportCrawler>[] = [
    {
      ...toHead('crawler', 'Crawler'),
      kind: 'row',
      getCell: (crawler) => (
        <CrawlerName
          crawler={crawler}
          id={getCrawlerId(indexes.get(crawler) ?? -1)}
          isOpen={opened.has(crawler.crawler)}
          onToggle={() => toggle(crawler.crawler)}
        />
      ),
    },
    {
      ...toHead('requests', 'Requests'),
      ...{ kind: 'number', note: 'requests' },
      getCell: ({ requests }) => formatNumber(requests),
    },
    {
      ...toHead('bytes', 'Size'),
      ...{ kind: 'number', note: 'size' },
      getCell: ({ bytes }) => formatSize(bytes),
    },
    {
      ...toHead('spoofed', 'Identity'),
      note: 'identity',
      getCell: (crawler) => <Identities {...crawler} />,
    },
    {
      title: 'Classes',
      getClass: () => 'classes',
      getCell: (crawler) => <ClassStack {...crawler} />,
    },
    {
      ...toHead('violations', 'Violations'),
      ...{ kind: 'number', note: 'violations' },
      getClass: ({ classes }) => (classes.violation > 0 ? 'some-violations' : 'zero'),
      getCell: ({ classes }) => formatNumber(classes.violation),
    },
    {
      ...toHead('fetches', 'robots.txt'),
      ...{ kind: 'number', note: 'robots.txt fetches' },
      getClass: ({ robotsTxt }) => (robotsTxt.fetches === 0 ? 'zero' : ''),
      getCell: ({ robotsTxt: { fetches, last } }) => (
        <>
          {formatNumber(fetches)}
          {last !== null && <small>last {formatTime(last).slice(0, 10)}</small>}
        </>
      ),
    },
  ];
  return (
    <GroupedTable
      class="stacked crawlers"
      columns={columns}
      groups={groups.map(({ purpose, title, crawlers: members }) => {
        const { shown, more } = limit(purpose, members.length);
        return {
          name: purpose,
          head: <GroupHead title={title} crawlers={members} />,
          rows: members.filter(({ crawler }, index) => index < shown || opened.has(crawler)),
          foot: more,
        };
      })}
      getKey={({ crawler }) => crawler}
      getRowClass={({ crawler }) => (opened.has(crawler) ? 'open' : '')}
      getDetails={(crawler) =>
        opened.has(crawler.crawler) ? <CrawlerDetails crawler={crawler} log={data.log} /> : null
      }
    />
  );
}

interface NameProps {
  readonly crawler: ReportCrawler;
  readonly id: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function CrawlerName({ crawler: { crawler, operator }, id, isOpen, onToggle }: NameProps): JSX.Element {
  return (
    <>
      <button type="button" class="link disclosure" id={id} aria-expanded={isOpen} onClick={onToggle}>
        {visible(crawler, 80)}
      </button>
      {operator !== null && <small>{visible(operator, 60)}</small>}
    </>
  );
}

function GroupHead({
  title,
  crawlers,
}: {
  readonly title: string;
  readonly crawlers: readonly ReportCrawler[];
}): JSX.Element {
  const { requests, classes } = sumCrawlers(crawlers);
  const violations = classes.violation ?? 0;
  return (
    <>
      {title}
      <span class="aside">
        {' '}
        {formatCount(crawlers.length, 'crawler')}, {formatCount(requests, 'request')}
        {violations > 0 && `, ${formatCount(violations, 'violation')}`}
      </span>
    </>
  );
}
