// The changes between two files in what they declare about the use of content.
import { describeStatement, getDirection, getPurposeName, getValueName, type WatchJson } from 'maycrawl/api';
import type { ComponentProps, JSX } from 'preact';
import { Crawlers } from './crawlers.tsx';
import { ChangeTable } from './table/change-table.tsx';
import { COMPARISON_TEXTS, capitalize } from './text.ts';
import { visible } from './visible.ts';

/** Characters of a sentence. */
const MAX_SENTENCE = 1_000;

/** Shows the changes: in sentences, then each with an example and the deciding lines. */
export function DeclarationChanges({
  comparison,
}: {
  readonly comparison: WatchJson<'DeclarationComparison'>;
}): JSX.Element {
  const { equivalent, sentences, changes, undecided = [], totals } = comparison;
  return (
    <>
      <p class="conclusion">{describeConclusion(comparison)}</p>
      {equivalent === false && undecided.length > 0 && <p class="problem">{COMPARISON_TEXTS.undecided}</p>}
      {sentences.length > 0 && (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{visible(capitalize(sentence), MAX_SENTENCE)}.</li>
          ))}
        </ul>
      )}
      <ChangeTable
        label="Changed declarations"
        columns={COLUMNS}
        changes={changes}
        total={totals?.changes ?? changes.length}
      />
    </>
  );
}

function describeConclusion({
  equivalent,
  wording: { removed, added },
}: WatchJson<'DeclarationComparison'>): string {
  if (equivalent === null) return COMPARISON_TEXTS.undecided;
  if (!equivalent) return 'Declarations change.';
  if (removed.length + added.length > 0)
    return 'The declarations are written differently, with the same effect for every crawler and URL.';
  return 'The declarations are the same for every crawler and URL.';
}

const COLUMNS: ComponentProps<typeof ChangeTable<WatchJson<'DeclarationChange'>>>['columns'] = [
  ['Use', ({ purpose }) => visible(getPurposeName(purpose), 60)],
  ['Example', ({ example }) => <code>{visible(example, 200)}</code>],
  ['Before', ({ before }) => describeValue(before)],
  ['After', (change) => <NewValue {...change} />],
  ['Crawlers', ({ agents }) => <Crawlers agents={agents} best="GPTBot" />],
];

function NewValue({ before, after }: WatchJson<'DeclarationChange'>): JSX.Element {
  const direction = getDirection({ before, after }) === 'disallowed' ? 'blocked' : 'allowed';
  return (
    <>
      <span class={`direction ${direction}`}>{getValueName(after.value)}</span>
      {describePlace(after)}
    </>
  );
}

function describeValue(declared: WatchJson<'DeclaredValue'>): string {
  return `${getValueName(declared.value)}${describePlace(declared)}`;
}

/** ", line 3: Content-Usage: train-ai=n"; an empty text without a statement. */
function describePlace({ format, label, line, field, text }: WatchJson<'DeclaredValue'>): string {
  if (format === undefined) return '';
  const statement = { format, label: label ?? '', line: line ?? null, name: field ?? null, text: text ?? '' };
  return `, ${visible(describeStatement({ source: 'robots.txt', ...statement }), 200)}`;
}
