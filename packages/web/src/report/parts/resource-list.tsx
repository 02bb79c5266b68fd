// The resources that a finding is about, with the number of pages that use each of them.
import type { FindingCode, FindingGroup } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { getFindingResources } from '../data/finding-resources.ts';
import type { BlockedResource, ReportData } from '../data/report-data.ts';
import { useReport } from '../report-context.ts';

interface ResourceListProps {
  readonly code: FindingCode;
  readonly groups: readonly FindingGroup[];
}

/** Shows the resources, those that most pages use first; nothing for other kinds of findings. */
export function ResourceList({ code, groups }: ResourceListProps): JSX.Element | null {
  const { data, agent } = useReport();
  const uses = useMemo(() => countUses(data, agent, code, groups), [data, agent, code, groups]);
  const { shown, more } = useMore(uses.length);
  if (uses.length === 0) return null;
  return (
    <>
      <ol class="resources">
        {uses.slice(0, shown).map(({ resource: { url, kinds, line }, pages }) => (
          <li key={url}>
            <code>{visible(url)}</code>{' '}
            <span class="aside">
              {kinds.join(', ')}, blocked by line {line} for {formatCount(pages, 'page')}
            </span>
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}

interface Use {
  readonly resource: BlockedResource;
  readonly pages: number;
}

function countUses(
  data: ReportData,
  agent: number,
  code: FindingCode,
  groups: readonly FindingGroup[],
): readonly Use[] {
  const uses = new Map<string, { resource: BlockedResource; pages: number }>();
  for (const { rows } of groups)
    for (const row of rows)
      for (const resource of getFindingResources(data, code, row, agent)) {
        const use = uses.get(resource.url);
        if (use === undefined) uses.set(resource.url, { resource, pages: 1 });
        else use.pages++;
      }
  return [...uses.values()].sort((a, b) => b.pages - a.pages);
}
