// The changes that the edits make: for all URLs, with an example of each, and for the URLs of the matrix.
import { formatCrawlers, getCrawlerName } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { DeclarationChanges } from '../../shared/declaration-changes.tsx';
import { FileButton } from '../../shared/files.tsx';
import { ChangeTable, Direction, MAX_CHANGES } from '../../shared/table/change-table.tsx';
import { COMPARISON_TEXTS, formatCount } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { Change, ChangeGroup, Comparison } from '../judging/compare.ts';
import { compareCells } from '../judging/matrix.ts';
import type { Matrix } from '../judging/use-results.ts';
import { VerdictBadge } from '../matrix/verdict-badge.tsx';
import { type PageState, type Update, withCurrentBaseline, withPart } from '../state/page-state.ts';
import { decodeFile, MAX_EDITED } from '../state/robots-file.ts';

interface ComparePanelProps {
  readonly state: PageState;
  readonly comparison: Comparison | null;
  /** Verdicts before the edits, and now. */
  readonly before: Matrix | null;
  readonly after: Matrix | null;
  readonly onUpdate: (update: Update) => void;
}

export function ComparePanel({ state, comparison, before, after, onUpdate }: ComparePanelProps): JSX.Element {
  return (
    <>
      <div class="bar">
        <p class="grow">
          Before: <b>{visible(state.baseline.name, 100)}</b>. After: the text in the editor.
        </p>
        <FileButton
          accept=".txt,text/plain"
          onFile={async (file) => {
            const bytes = new Uint8Array(await file.slice(0, MAX_EDITED).arrayBuffer());
            onUpdate(
              withPart({ baseline: { name: file.name, content: decodeFile(bytes).original?.bytes ?? '' } }),
            );
          }}
        >
          Open another baseline…
        </FileButton>
        <button type="button" onClick={() => onUpdate(withCurrentBaseline('an earlier text of the editor'))}>
          Use current text as baseline
        </button>
      </div>
      <section aria-labelledby="all-urls" aria-busy={comparison === null}>
        <h2 id="all-urls">For all URLs and crawlers</h2>
        <p role="status" class={`conclusion ${getClass(comparison)}`}>
          {comparison === null ? COMPARISON_TEXTS.comparing : visible(comparison.sentence)}
        </p>
        {comparison?.groups.map((group) => (
          <Group key={group.crawlers[0]} group={group} />
        ))}
      </section>
      {comparison?.declarations && isShown(comparison.declarations) && (
        <section aria-labelledby="changed-declarations">
          <h2 id="changed-declarations">Preferences about the use of content</h2>
          <DeclarationChanges comparison={comparison.declarations} />
        </section>
      )}
      <ListedChanges state={state} before={before} after={after} />
    </>
  );
}

/** Whether a declaration differs, at least in its wording. */
function isShown({ equivalent, wording }: NonNullable<Comparison['declarations']>): boolean {
  return equivalent !== true || wording.removed.length + wording.added.length > 0;
}

function getClass(comparison: Comparison | null): string {
  if (comparison === null) return 'pending';
  return comparison.isEquivalent ? 'same' : 'different';
}

function Group({
  group: { crawlers, isDecided, changes, more },
}: {
  readonly group: ChangeGroup;
}): JSX.Element {
  return (
    <div class="group">
      <h3>{formatNames(crawlers)}</h3>
      {crawlers.length > 1 && (
        <p class="aside">For {crawlers.map((name) => visible(getCrawlerName(name), 60)).join(', ')}.</p>
      )}
      {!isDecided && <p class="problem">{COMPARISON_TEXTS.undecided}</p>}
      {changes.length === 0 && <p>No change found.</p>}
      <ChangeTable
        label={`Changes for ${formatNames(crawlers)}`}
        columns={[
          ['Change', ({ direction }) => <Direction direction={direction} />],
          ['Example', ({ example }) => <code>{visible(example, 200)}</code>],
          ['Before', ({ before }) => describeRule(before)],
          ['After', ({ after }) => describeRule(after)],
        ]}
        changes={changes}
        total={changes.length + more}
      />
    </div>
  );
}

function describeRule(decider: Change['before']): string {
  return decider === null ? 'no rule' : `line ${decider.line}: ${decider.kind} ${visible(decider.text, 120)}`;
}

function formatNames(crawlers: readonly string[]): string {
  return visible(formatCrawlers(crawlers), 200);
}

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
        : compareCells(before.cells, after.cells, crawlers.length, MAX_CHANGES),
    [before, after, crawlers],
  );
  return (
    <section aria-labelledby="listed-urls">
      <h2 id="listed-urls">For the listed URLs</h2>
      <p role="status">{changes === null ? COMPARISON_TEXTS.comparing : describeTotal(changes.total)}</p>
      {changes !== null && (
        <ChangeTable
          label="Changes for the listed URLs"
          columns={[
            ['Crawler', ({ column }) => crawlers[column]],
            ['URL', ({ row }) => <code>{visible(urls[row] ?? '', 200)}</code>],
            ['Before', (cell) => <VerdictBadge cell={cell.before} />],
            ['After', (cell) => <VerdictBadge cell={cell.after} />],
          ]}
          changes={changes.changed}
          total={changes.total}
          noun="verdict"
        />
      )}
    </section>
  );
}

function describeTotal(total: number): string {
  if (total === 0) return 'No verdict of the matrix changes.';
  return `${formatCount(total, 'verdict of the matrix changes', 'verdicts of the matrix change')}.`;
}
