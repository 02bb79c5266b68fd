// May the content be used, and for what? URLs by crawler, purpose and preference. Each number opens its list.
import { describePurpose, type UseSummary } from 'maycrawl/api';
import type { JSX } from 'preact';
import { CountButton } from '../../shared/table/count-button.tsx';
import { NumberHead } from '../../shared/table/data-table.tsx';
import { visible } from '../../shared/visible.ts';
import { formatUseCondition } from '../data/use.ts';
import { useReport } from '../report-context.ts';
import { FORMAT_LABELS, USE_LABELS } from '../text.ts';

interface UseProps {
  /** Receives the index of a crawler, and a condition for URLs (use.ts). */
  readonly onChoose: (agent: number, use: string) => void;
}

type Counts = UseSummary['agents'][number]['purposes'][string];

const COLUMNS = [
  ['allowed', 'allowed', 'Allowed'],
  ['disallowed', 'disallowed', 'Disallowed'],
  ['unknown', 'unknown', 'Not declared'],
  ['not-applicable', 'notApplicable', 'Not applicable'],
] as const;

export function UseTab({ onChoose }: UseProps): JSX.Element | null {
  const { data, agent } = useReport();
  const { preferences } = data.head;
  if (preferences === null) return null;
  return (
    <section class="card">
      <h2>May it be used?</h2>
      <p class="aside">
        What the site declares about the use of its content, by purpose. These are requests of the owner: they
        never change whether a crawler may fetch a URL. Only URLs with content count, and URLs that the
        crawler may not fetch, to which preferences do not apply. If several statements apply, the most
        restrictive one decides.
      </p>
      <div class="scroll">
        <table class="segments">
          <thead>
            <tr>
              <th scope="col">Crawlers</th>
              <th scope="col">Purpose</th>
              {COLUMNS.map(([value, , title]) => (
                <NumberHead key={value}>{title}</NumberHead>
              ))}
              <th scope="col">Decided by</th>
            </tr>
          </thead>
          {groupCrawlers(preferences, agent).map((crawlers) => (
            <CrawlerRows key={crawlers[0]} {...{ preferences, crawlers, onChoose }} />
          ))}
        </table>
      </div>
      {preferences.tdmrep.map(({ origin, problem }) => (
        <p key={origin}>
          <code>{visible(`${origin}/.well-known/tdmrep.json`, 200)}</code>{' '}
          {problem === null ? 'was read.' : `was not read: ${visible(problem)}.`}
        </p>
      ))}
    </section>
  );
}

/** Groups crawlers with the same numbers. The group of the chosen crawler is the first, and names it first. */
function groupCrawlers({ agents }: UseSummary, chosen: number): number[][] {
  const groups = new Map<string, number[]>();
  const order = [chosen, ...agents.keys()].filter((each, place, all) => all.indexOf(each) === place);
  for (const each of order) {
    const key = JSON.stringify(agents[each]?.purposes);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

function CrawlerRows({
  preferences: { agents, purposes },
  crawlers,
  onChoose,
}: {
  readonly preferences: UseSummary;
  /** Crawlers with the same numbers. */
  readonly crawlers: readonly number[];
  readonly onChoose: UseProps['onChoose'];
}): JSX.Element {
  const [first = 0] = crawlers;
  const names = crawlers.map((each) => visible(agents[each]?.agent ?? '', 60)).join(', ');
  return (
    <tbody>
      {purposes.map((purpose, place) => {
        const counts = agents[first]?.purposes[purpose];
        if (counts === undefined) return null;
        const choose = (value: string, format: string = ''): void =>
          onChoose(first, formatUseCondition({ purpose, value, format }));
        return (
          <tr key={purpose}>
            {place === 0 && (
              <th scope="rowgroup" rowSpan={purposes.length} class="crawlers">
                {names}
              </th>
            )}
            <th scope="row">
              {visible(purpose, 60)}
              {describePurpose(purpose) !== null && <div class="aside">{describePurpose(purpose)}</div>}
            </th>
            {COLUMNS.map(([value, name]) => (
              <td key={value} class="number">
                <CountButton
                  count={counts[name]}
                  label={`${names}, ${purpose}, ${USE_LABELS[value]}`}
                  onChoose={() => choose(value)}
                />
              </td>
            ))}
            <td>
              <Formats counts={counts} label={`${names}, ${purpose}`} onChoose={choose} />
            </td>
          </tr>
        );
      })}
    </tbody>
  );
}

function Formats({
  counts: { formats },
  label,
  onChoose,
}: {
  readonly counts: Counts;
  readonly label: string;
  readonly onChoose: (value: string, format: string) => void;
}): JSX.Element {
  if (formats.length === 0) return <span class="zero">–</span>;
  return (
    <>
      {formats.map(({ value, format, count }) => (
        <div key={`${value} ${format}`}>
          {FORMAT_LABELS[format] ?? format}, {USE_LABELS[value]}:{' '}
          <CountButton
            count={count}
            label={`${label}, ${USE_LABELS[value]} by ${FORMAT_LABELS[format] ?? format}`}
            onChoose={() => onChoose(value, format)}
          />
        </div>
      ))}
    </>
  );
}
