/**
 * Two files line by line: what stayed, went and came.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { FullVersion } from '../answers.ts';
import { outcomeOf } from '../words.tsx';
import { type LinePair, pairLines } from './line-pairs.ts';
import { bytesOf, linesOf } from './version-file.ts';

/** More rows are not shown. */
const MAX_ROWS = 2_000;

interface SideBySideProps {
  readonly was: FullVersion;
  readonly is: FullVersion;
}

/** Shows them. */
export function SideBySide({ was, is }: SideBySideProps): JSX.Element {
  const pairs = useMemo(() => pairLines(linesOf(bytesOf(was)), linesOf(bytesOf(is))), [was, is]);
  if (pairs.every(({ kind }) => kind === 'gap'))
    return <p>{was.hash === is.hash ? 'The files are the same.' : 'The lines are the same.'}</p>;
  return (
    <>
      <table class="sides">
        <thead>
          <tr>
            <th scope="col">
              Version {was.number}: {outcomeOf(was)}
            </th>
            <th scope="col">
              Version {is.number}: {outcomeOf(is)}
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, MAX_ROWS).map((pair, index) => (
            <Row key={index} pair={pair} />
          ))}
        </tbody>
      </table>
      {pairs.length > MAX_ROWS && <p class="aside">More is not shown.</p>}
    </>
  );
}

function Row({ pair }: { readonly pair: LinePair }): JSX.Element {
  if (pair.kind === 'gap')
    return (
      <tr class="gap">
        <td colSpan={2}>
          {pair.count.toLocaleString('en')} {pair.count === 1 ? 'line' : 'lines'} the same
        </td>
      </tr>
    );
  const { kind, left, right } = pair;
  return (
    <tr class={kind}>
      <Cell line={left} sign={kind === 'same' ? '' : 'removed'} />
      <Cell line={right} sign={kind === 'same' ? '' : 'added'} />
    </tr>
  );
}

interface CellProps {
  readonly line: { readonly number: number; readonly text: string } | null;
  readonly sign: '' | 'removed' | 'added';
}

function Cell({ line, sign }: CellProps): JSX.Element {
  if (line === null) return <td class="nothing" />;
  return (
    <td class={sign}>
      <span class="line-number">{line.number}</span>
      {sign !== '' && (
        <span class="sign">
          <span aria-hidden="true">{sign === 'added' ? '+' : '−'}</span>
          <span class="unseen">{sign}: </span>
        </span>
      )}
      <code>{visible(line.text)}</code>
    </td>
  );
}
