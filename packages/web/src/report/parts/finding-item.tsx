// A kind of findings: the sentence with its count, what it costs and what to do, and the URLs, grouped by detail.
import { FINDING_KINDS, type FindingGroup, type FindingSummary, getAdvice } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Fact } from '../../shared/fact.tsx';
import { SeverityBadge } from '../../shared/severity.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { DEFAULT_FILTER } from '../data/filter.ts';
import type { ReportData } from '../data/report-data.ts';
import { useReport } from '../report-context.ts';
import { formatDetail } from '../text.ts';
import { describeLinks, LinkSample } from './link-lists.tsx';
import { ResourceList } from './resource-list.tsx';
import { ItemList, type ListItem } from './url-list.tsx';

/** Groups that the sentence mentions. */
const MENTIONED = 3;
/** Characters of a title in the name of a group. */
const MAX_TITLE = 80;

interface ItemProps {
  readonly finding: FindingSummary;
  /** Whether the address names it. */
  readonly isChosen?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
}

export function FindingItem({ finding, isChosen = false, onToggle }: ItemProps): JSX.Element {
  const { data, agent } = useReport();
  const { code, severity, title } = finding;
  const [isOpen, setOpen] = useState(isChosen);
  useEffect(() => {
    if (isChosen) setOpen(true);
  }, [isChosen]);
  const groups = useMemo(
    () => sortGroups(data.findings.getGroups(code, agent).filter((each) => each.severity === severity)),
    [data, agent, code, severity],
  );
  const mentioned = mentionGroups(data, code, groups);
  return (
    <details
      class="list finding"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open !== isChosen) onToggle?.(currentTarget.open);
      }}
    >
      <summary>
        <span class="finding-title">
          <SeverityBadge severity={severity} />
          <span>
            <b>{title}</b>
            {mentioned !== '' && <span class="aside">: {mentioned}</span>}
          </span>
        </span>
      </summary>
      {isOpen && <FindingBody {...{ finding, groups }} />}
    </details>
  );
}

function FindingBody({
  finding: { code, count: total },
  groups,
}: {
  readonly finding: FindingSummary;
  readonly groups: readonly FindingGroup[];
}): JSX.Element {
  const { data, agent, onFilter } = useReport();
  const { decision, example, source, isAboutLinks } = FINDING_KINDS[code];
  const { cost, action } = getAdvice(code, data.head.agents[agent]?.isIndexing ?? true);
  const { shown, more } = useMore(groups.length);
  const listed = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const filter = { ...DEFAULT_FILTER, finding: code };
  const [only] = groups;
  return (
    <div class="finding-body">
      <dl class="facts">
        <Fact name="Effect">{cost}</Fact>
        <Fact name="What to do">{action}</Fact>
        <Fact name="When">{decision}</Fact>
        <Fact name="Example">
          <code>{example}</code>
        </Fact>
        <Fact name="Documentation">
          <a href={source.url} rel="noreferrer">
            {source.title}
          </a>
          ; <code>{code}</code> in <code>docs/findings.md</code> of maycrawl
        </Fact>
      </dl>
      <ResourceList {...{ code, groups }} />
      {listed > 0 && (
        <p>
          <button type="button" onClick={() => onFilter(filter)}>
            Show {formatCount(listed, 'URL')} in the table
          </button>
        </p>
      )}
      {isAboutLinks && (
        <p class="aside">
          <code>maycrawl audit links RUN --to-status 4xx --csv</code> exports all broken links with their
          texts.
        </p>
      )}
      {groups.length === 1 && only !== undefined && <GroupItems code={code} group={only} />}
      {groups.length > 1 &&
        groups
          .slice(0, shown)
          .map((group) => <Group key={`${group.detail} ${group.rows[0]}`} {...{ code, group }} />)}
      {more}
      {listed < total && (
        <p class="aside">
          {formatCount(total - listed, 'URL')} of {formatNumber(total)} {total - listed === 1 ? 'is' : 'are'}{' '}
          not listed, because the report is limited to {formatCount(data.count, 'URL')}. The CSV and NDJSON
          files of <code>maycrawl audit report</code> contain all of them.
        </p>
      )}
    </div>
  );
}

interface GroupProps {
  readonly code: FindingSummary['code'];
  readonly group: FindingGroup;
}

function Group({ code, group }: GroupProps): JSX.Element {
  const { data, onFilter } = useReport();
  const [isOpen, setOpen] = useState(false);
  const { detail, rows } = group;
  return (
    <details class="list" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>{nameGroup(data, code, group)}</span> <b>{formatNumber(rows.length)}</b>
      </summary>
      {isOpen && (
        <>
          {detail !== null && (
            <button
              type="button"
              class="small"
              onClick={() => onFilter({ ...DEFAULT_FILTER, finding: code, detail })}
            >
              Show in the table
            </button>
          )}
          <GroupItems {...{ code, group }} />
        </>
      )}
    </details>
  );
}

function GroupItems({ code, group }: GroupProps): JSX.Element {
  const { data } = useReport();
  const { rows, targets } = group;
  const getItem = (place: number): ListItem | undefined => {
    const index = rows[place];
    if (index === undefined) return undefined;
    const note = describeItem(data, code, index);
    const details = FINDING_KINDS[code].isAboutLinks && <LinkSample index={index} />;
    return { index, targets: targets[place] ?? [], ...(note !== '' && { note }), details };
  };
  return <ItemList count={rows.length} getItem={getItem} />;
}

/** What else helps to find the fault: pages that link to a missing one, and what an ignored canonical says. */
function describeItem(data: ReportData, code: FindingSummary['code'], index: number): string {
  if (FINDING_KINDS[code].isAboutLinks) return describeLinks(data, index);
  if (code !== 'canonical-ignored') return '';
  return data
    .getIgnoredCanonicals(index)
    .map(([, href]) => (href === '' ? 'without a URL' : href))
    .join(', ');
}

/** Orders groups by their number of URLs. */
function sortGroups(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  return [...groups].sort((a, b) => b.rows.length - a.rows.length);
}

/** "file: address (517), in the body (3)"; without the count if there is one URL, or the name has it. */
function mentionGroups(
  data: ReportData,
  code: FindingSummary['code'],
  groups: readonly FindingGroup[],
): string {
  const parts = groups.slice(0, MENTIONED).flatMap((group) => {
    const name = nameGroup(data, code, group);
    if (name === '') return [];
    if (FINDING_KINDS[code].countsUrls || (groups.length === 1 && group.rows.length === 1)) return name;
    return `${name} (${formatNumber(group.rows.length)})`;
  });
  const others = groups.length - MENTIONED;
  return parts.length > 0 && others > 0
    ? `${parts.join(', ')}, and ${formatCount(others, 'other group')}`
    : parts.join(', ');
}

/** The name of a group; empty for kinds without groups. */
function nameGroup(
  data: ReportData,
  code: FindingSummary['code'],
  { detail, rows: [first = -1] }: FindingGroup,
): string {
  const title = data.get(first, 'title');
  const name =
    title === null || title === ''
      ? visible(data.urls[first] ?? '', MAX_TITLE)
      : `“${visible(title, MAX_TITLE)}”`;
  if (code === 'duplicate-title') return name;
  if (code === 'duplicate-content') return `same bytes as ${name}`;
  return detail === null ? '' : formatDetail(code, detail);
}
