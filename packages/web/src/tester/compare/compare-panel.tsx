/**
 * What the edits change: for every URL, with an example for each change; and which of the listed URLs change.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { FileButton } from '../../shared/files.tsx';
import { visible } from '../../shared/visible.ts';
import type { Changed, Comparing, CrawlersChanged } from '../judging/compare.ts';
import { changesBetween } from '../judging/matrix.ts';
import type { Matrix } from '../judging/use-answers.ts';
import { VerdictBadge } from '../matrix/verdict-badge.tsx';
import { type PageState, type Update, withBaseline, withBaselineHere } from '../state/page-state.ts';
import { fileOfBytes, MAX_EDITED } from '../state/robots-file.ts';

interface ComparePanelProps {
  readonly state: PageState;
  readonly comparing: Comparing | null;
  /** Verdicts before the edits, and now. */
  readonly before: Matrix | null;
  readonly after: Matrix | null;
  readonly onUpdate: (update: Update) => void;
}

/** Shows what changes. */
export function ComparePanel({ state, comparing, before, after, onUpdate }: ComparePanelProps): JSX.Element {
  return (
    <>
      <div class="bar">
        <p class="grow">
          Before: <b>{visible(state.baseline.name, 100)}</b>. After: what is in the editor.
        </p>
        <FileButton
          accept=".txt,text/plain"
          onFile={async (file) => {
            const bytes = new Uint8Array(await file.slice(0, MAX_EDITED).arrayBuffer());
            onUpdate(withBaseline({ name: file.name, content: fileOfBytes(bytes).original?.bytes ?? '' }));
          }}
        >
          Open the file before…
        </FileButton>
        <button type="button" onClick={() => onUpdate(withBaselineHere('the editor as it was'))}>
          Start from here
        </button>
      </div>
      <section aria-labelledby="all-urls" aria-busy={comparing === null}>
        <h2 id="all-urls">For every URL and crawler</h2>
        <p role="status" class={`conclusion ${classOf(comparing)}`}>
          {comparing === null ? 'Comparing…' : visible(comparing.sentence)}
        </p>
        {comparing?.groups.map((group) => (
          <Group key={group.crawlers[0]} group={group} />
        ))}
      </section>
      <ListedChanges state={state} before={before} after={after} />
    </>
  );
}

function classOf(comparing: Comparing | null): string {
  if (comparing === null) return 'pending';
  return comparing.isEquivalent ? 'same' : 'different';
}

function Group({
  group: { crawlers, isDecided, changes, more },
}: {
  readonly group: CrawlersChanged;
}): JSX.Element {
  return (
    <div class="group">
      <h3>{namesOf(crawlers)}</h3>
      {crawlers.length > 1 && (
        <p class="aside">The same for {crawlers.map((name) => visible(name, 60)).join(', ')}.</p>
      )}
      {!isDecided && (
        <p class="problem">Not decided: the rules are too entangled. What was found until then:</p>
      )}
      {changes.length === 0 ? (
        <p>No change was found.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Change</th>
                <th scope="col">For example</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <tr key={`${change.direction} ${change.example}`}>
                  <td>
                    <Direction direction={change.direction} />
                  </td>
                  <td>
                    <code>{visible(change.example, 200)}</code>
                  </td>
                  <td>{ruleOf(change.before)}</td>
                  <td>{ruleOf(change.after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more > 0 && <p>{more.toLocaleString('en')} more changes are not listed.</p>}
    </div>
  );
}

function Direction({ direction }: Pick<Changed, 'direction'>): JSX.Element {
  const isBlocked = direction === 'blocked';
  return <span class={`direction ${direction}`}>{isBlocked ? '▼ newly blocked' : '▲ newly allowed'}</span>;
}

function ruleOf(decider: Changed['before']): string {
  return decider === null ? 'no rule' : `line ${decider.line}: ${decider.kind} ${visible(decider.text, 120)}`;
}

/** The best known crawler, and how many more. */
function namesOf(crawlers: readonly string[]): string {
  const first =
    ['Googlebot', 'any other crawler'].find((name) => crawlers.includes(name)) ?? crawlers[0] ?? '';
  const others = crawlers.length - 1;
  const name = visible(first, 60);
  return others === 0 ? name : `${name} and ${others} ${others === 1 ? 'other' : 'others'}`;
}

const MAX_LISTED = 200;

function ListedChanges({
  state,
  before,
  after,
}: Pick<ComparePanelProps, 'state' | 'before' | 'after'>): JSX.Element {
  const { urls, crawlers } = state;
  const changes = useMemo(
    () =>
      before === null || after === null
        ? null
        : changesBetween(before.cells, after.cells, crawlers.length, MAX_LISTED),
    [before, after, crawlers],
  );
  return (
    <section aria-labelledby="listed-urls">
      <h2 id="listed-urls">Of the listed URLs</h2>
      <p role="status">{changes === null ? 'Comparing…' : conclusionOf(changes.total)}</p>
      {changes !== null && changes.total > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Crawler</th>
                <th scope="col">URL</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {changes.changed.map(({ row, column, before: was, after: is }) => (
                <tr key={`${row} ${column}`}>
                  <td>{crawlers[column]}</td>
                  <td>
                    <code>{visible(urls[row] ?? '', 200)}</code>
                  </td>
                  <td>
                    <VerdictBadge cell={was} />
                  </td>
                  <td>
                    <VerdictBadge cell={is} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {changes !== null && changes.total > MAX_LISTED && (
        <p>{(changes.total - MAX_LISTED).toLocaleString('en')} more are not listed.</p>
      )}
    </section>
  );
}

function conclusionOf(total: number): string {
  if (total === 0) return 'No verdict of the matrix changes.';
  return `${total.toLocaleString('en')} ${total === 1 ? 'verdict of the matrix changes' : 'verdicts of the matrix change'}.`;
}
