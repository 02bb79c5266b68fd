/**
 * Two versions side by side, and how verdicts differ between them.
 *
 * @module
 */
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Crawlers } from '../../shared/crawlers.tsx';
import { DeclarationChanges } from '../../shared/declaration-changes.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { COMPARISON_TEXTS, DIRECTION_LABELS, formatOmitted } from '../../shared/text.ts';
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

/** Changes that are listed. */
const MAX_CHANGES = 200;

/** Shows the versions and the comparison. */
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
      {groups.length > 0 && (
        <ScrollRegion label="Changes">
          <table class="changes">
            <thead>
              <tr>
                <th scope="col">Change</th>
                <th scope="col">Example</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">Crawlers</th>
              </tr>
            </thead>
            <tbody>
              {groups.slice(0, MAX_CHANGES).map(({ direction, example, before, after, agents }) => (
                <tr key={JSON.stringify([direction, example, before, after])}>
                  <td>
                    <span class={`direction ${direction}`}>{DIRECTION_LABELS[direction]}</span>
                  </td>
                  <td>
                    <code>{visible(example, 200)}</code>
                  </td>
                  <td>{describeRule(before)}</td>
                  <td>{describeRule(after)}</td>
                  <td>
                    <Crawlers agents={agents} best="Googlebot" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {groups.length > MAX_CHANGES && <p>{formatOmitted(groups.length - MAX_CHANGES, 'change')}</p>}
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
