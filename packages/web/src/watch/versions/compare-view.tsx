// Two versions side by side, and how verdicts differ between them.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Crawlers } from '../../shared/crawlers.tsx';
import { DeclarationChanges } from '../../shared/declaration-changes.tsx';
import { ChangeTable, Direction } from '../../shared/table/change-table.tsx';
import { COMPARISON_TEXTS } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { useResponse } from '../connection/watch-client.ts';
import { linkTo } from '../route.ts';
import { SideBySide } from './side-by-side.tsx';
import { openInTester } from './version-file.ts';

interface CompareViewProps {
  readonly origin: string;
  readonly before: number;
  readonly after: number;
}

export function CompareView({ origin, before, after }: CompareViewProps): JSX.Element {
  // Versions do not change.
  const never = (): boolean => false;
  const [was] = useResponse('GET version', { origin, number: before }, never);
  const [is] = useResponse('GET version', { origin, number: after }, never);
  const [comparison] = useResponse('GET compare', { origin, before, after }, never);
  const [notice, setNotice] = useState('');
  const both = was?.kind === 'success' && is?.kind === 'success' ? ([was.value, is.value] as const) : null;
  const onOpen = async (): Promise<void> => {
    if (both !== null && !(await openInTester(origin, both[1], both[0])))
      setNotice('The files are too long for a link.');
  };
  return (
    <>
      <p>
        <a href={linkTo({ view: 'site', origin })}>{visible(origin, 200)}</a>
      </p>
      <div class="bar">
        <h2 class="grow">
          Version {before} and version {after}
        </h2>
        <a class="button" href={linkTo({ view: 'compare', origin, before: after, after: before })}>
          Swap
        </a>
        <button type="button" class="primary" disabled={both === null} onClick={onOpen}>
          Open both in the tester
        </button>
      </div>
      <p role="status">{notice}</p>
      <section class="card" aria-labelledby="verdicts" aria-busy={comparison === null}>
        <h3 id="verdicts">For all URLs and crawlers</h3>
        {comparison === null && <p>{COMPARISON_TEXTS.comparing}</p>}
        {comparison?.kind === 'problem' && <p class="problem">{visible(comparison.message)}</p>}
        {comparison?.kind === 'success' && <Changes comparison={comparison.value} />}
      </section>
      {comparison?.kind === 'success' && (
        <section class="card" aria-labelledby="declarations">
          <h3 id="declarations">Preferences about the use of content</h3>
          <DeclarationChanges comparison={comparison.value.preferences} />
        </section>
      )}
      <section class="card" aria-labelledby="sides" aria-busy={both === null}>
        <h3 id="sides">Side by side</h3>
        {[was, is].map((result) =>
          result?.kind === 'problem' ? <p class="problem">{visible(result.message)}</p> : null,
        )}
        {both !== null && <SideBySide was={both[0]} is={both[1]} />}
      </section>
    </>
  );
}

function Changes({ comparison }: { readonly comparison: WatchJson<'Comparison'> }): JSX.Element {
  const { equivalent, changes, undecided = [] } = comparison;
  const groups = useMemo(() => groupChanges(changes), [changes]);
  if (equivalent === true)
    return <p class="conclusion">Proved: every crawler may fetch the same URLs as before.</p>;
  return (
    <>
      <p class="conclusion">{equivalent === null ? COMPARISON_TEXTS.undecided : COMPARISON_TEXTS.changed}</p>
      {undecided.length > 0 && <p class="aside">Not decided for {visible(undecided.join(', '), 300)}.</p>}
      <ChangeTable
        label="Changes"
        columns={[
          ['Change', ({ direction }) => <Direction direction={direction} />],
          ['Example', ({ example }) => <code>{visible(example, 200)}</code>],
          ['Before', (group) => describeRule(group.before)],
          ['After', (group) => describeRule(group.after)],
          ['Crawlers', ({ agents }) => <Crawlers agents={agents} best="Googlebot" />],
        ]}
        changes={groups}
      />
    </>
  );
}

type Group = Omit<WatchJson<'Change'>, 'agent'> & { readonly agents: string[] };

/** Joins equal changes for several crawlers. */
function groupChanges(changes: readonly WatchJson<'Change'>[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { agent, ...change } of changes) {
    const key = JSON.stringify(change);
    const group = groups.get(key) ?? { ...change, agents: [] };
    group.agents.push(agent);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function describeRule(rule: WatchJson<'Change'>['before']): string {
  return rule === null ? 'no rule' : `line ${rule.line}: ${visible(rule.rule, 120)}`;
}
