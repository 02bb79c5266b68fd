/**
 * Two versions side by side, and what the difference means.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ScrollRegion } from '../../shared/scroll-region.tsx';
import { visible } from '../../shared/visible.ts';
import type { ComparedChange, ComparisonAnswer, FullVersion } from '../answers.ts';
import { useAnswer } from '../connection/asking.ts';
import { linkTo } from '../route.ts';
import { SideBySide } from './side-by-side.tsx';
import { openInTester } from './version-file.ts';

interface CompareViewProps {
  readonly origin: string;
  readonly before: number;
  readonly after: number;
}

/** More are not listed. */
const MAX_CHANGES = 200;

/** Shows both, and what changes. */
export function CompareView({ origin, before, after }: CompareViewProps): JSX.Element {
  const never = (): boolean => false;
  const [was] = useAnswer<FullVersion>('version', { origin, number: before }, never);
  const [is] = useAnswer<FullVersion>('version', { origin, number: after }, never);
  const [comparison] = useAnswer<ComparisonAnswer>('compare', { origin, before, after }, never);
  const [notice, setNotice] = useState('');
  const both = was?.kind === 'answer' && is?.kind === 'answer' ? ([was.answer, is.answer] as const) : null;
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
      <section class="card" aria-labelledby="meaning" aria-busy={comparison === null}>
        <h3 id="meaning">For every URL and crawler</h3>
        {comparison === null && <p>Comparing…</p>}
        {comparison?.kind === 'problem' && <p class="problem">{visible(comparison.message)}</p>}
        {comparison?.kind === 'answer' && <Meaning comparison={comparison.answer} />}
      </section>
      <section class="card" aria-labelledby="sides" aria-busy={both === null}>
        <h3 id="sides">Side by side</h3>
        {[was, is].map((reply) =>
          reply?.kind === 'problem' ? <p class="problem">{visible(reply.message)}</p> : null,
        )}
        {both !== null && <SideBySide was={both[0]} is={both[1]} />}
      </section>
    </>
  );
}

function Meaning({ comparison }: { readonly comparison: ComparisonAnswer }): JSX.Element {
  const { equivalent, changes, undecided = [] } = comparison;
  const groups = useMemo(() => grouped(changes), [changes]);
  if (equivalent === true)
    return <p class="conclusion">Every crawler may fetch the same URLs as before: this is proved.</p>;
  return (
    <>
      <p class="conclusion">
        {equivalent === null ? 'Not all changes are known: the rules are too entangled.' : 'Verdicts change.'}
      </p>
      {undecided.length > 0 && <p class="aside">Not decided for {visible(undecided.join(', '), 300)}.</p>}
      {groups.length > 0 && (
        <ScrollRegion label="Changes">
          <table class="changes">
            <thead>
              <tr>
                <th scope="col">Change</th>
                <th scope="col">For example</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">Crawlers</th>
              </tr>
            </thead>
            <tbody>
              {groups.slice(0, MAX_CHANGES).map(({ direction, example, before, after, agents }) => (
                <tr key={JSON.stringify([direction, example, before, after])}>
                  <td>
                    <span class={`direction ${direction}`}>
                      {direction === 'blocked' ? '▼ newly blocked' : '▲ newly allowed'}
                    </span>
                  </td>
                  <td>
                    <code>{visible(example, 200)}</code>
                  </td>
                  <td>{ruleOf(before)}</td>
                  <td>{ruleOf(after)}</td>
                  <td>
                    <Crawlers agents={agents} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {groups.length > MAX_CHANGES && (
        <p>{(groups.length - MAX_CHANGES).toLocaleString('en')} more changes are not listed.</p>
      )}
    </>
  );
}

type Group = Omit<ComparedChange, 'agent'> & { readonly agents: string[] };

/** The same change for several crawlers is one. */
function grouped(changes: readonly ComparedChange[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { agent, ...change } of changes) {
    const key = JSON.stringify(change);
    const group = groups.get(key) ?? { ...change, agents: [] };
    group.agents.push(agent === '*' ? 'any other crawler' : agent);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function ruleOf(rule: ComparedChange['before']): string {
  return rule === null ? 'no rule' : `line ${rule.line}: ${visible(rule.rule, 120)}`;
}

function Crawlers({ agents }: { readonly agents: readonly string[] }): JSX.Element {
  const first = agents.find((agent) => agent === 'Googlebot') ?? agents[0] ?? '';
  if (agents.length === 1) return <>{visible(first, 60)}</>;
  return (
    <details>
      <summary>
        {visible(first, 60)} and {agents.length - 1} more
      </summary>
      {visible(agents.filter((agent) => agent !== first).join(', '), 2_000)}
    </details>
  );
}
