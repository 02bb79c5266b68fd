/**
 * The changes between two files in what they declare about the use of content.
 *
 * @module
 */
import { describeStatement, getDirection, getPurposeName, type WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Crawlers } from './crawlers.tsx';
import { ScrollRegion } from './grid/scroll-region.tsx';
import { COMPARISON_TEXTS, formatOmitted } from './text.ts';
import { visible } from './visible.ts';

/** Changes that are listed. */
const MAX_CHANGES = 200;
/** Characters of a sentence. */
const MAX_SENTENCE = 1_000;

/** Shows the changes: in sentences, then each with an example and the deciding lines. */
export function DeclarationChanges({
  comparison,
}: {
  readonly comparison: WatchJson<'DeclarationComparison'>;
}): JSX.Element {
  const { equivalent, sentences, changes, undecided = [], totals } = comparison;
  const more = (totals?.changes ?? changes.length) - Math.min(changes.length, MAX_CHANGES);
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
      {changes.length > 0 && (
        <ScrollRegion label="Changed declarations">
          <table class="changes">
            <thead>
              <tr>
                <th scope="col">Use</th>
                <th scope="col">Example</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">Crawlers</th>
              </tr>
            </thead>
            <tbody>
              {changes.slice(0, MAX_CHANGES).map((change) => (
                <Change key={JSON.stringify(change)} change={change} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {more > 0 && <p>{formatOmitted(more, 'change')}</p>}
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

function Change({
  change: { purpose, agents, example, before, after },
}: {
  readonly change: WatchJson<'DeclarationChange'>;
}): JSX.Element {
  const direction = getDirection({ before, after }) === 'disallowed' ? 'blocked' : 'allowed';
  return (
    <tr>
      <td>{visible(getPurposeName(purpose), 60)}</td>
      <td>
        <code>{visible(example, 200)}</code>
      </td>
      <td>{describeValue(before)}</td>
      <td>
        <span class={`direction ${direction}`}>{getValueName(after)}</span>
        {describePlace(after)}
      </td>
      <td>
        <Crawlers agents={agents} best="GPTBot" />
      </td>
    </tr>
  );
}

const VALUE_NAMES: Readonly<Record<WatchJson<'DeclaredValue'>['value'], string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  unknown: 'nothing declared',
  'not-applicable': 'not fetchable',
};

function getValueName({ value }: WatchJson<'DeclaredValue'>): string {
  return VALUE_NAMES[value];
}

function describeValue(declared: WatchJson<'DeclaredValue'>): string {
  return `${getValueName(declared)}${describePlace(declared)}`;
}

/** ", line 3: Content-Usage: train-ai=n"; an empty text without a statement. */
function describePlace({ format, label, line, field, text }: WatchJson<'DeclaredValue'>): string {
  if (format === undefined) return '';
  const statement = { format, label: label ?? '', line: line ?? null, name: field ?? null, text: text ?? '' };
  return `, ${visible(describeStatement({ source: 'robots.txt', ...statement }), 200)}`;
}

function capitalize(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
