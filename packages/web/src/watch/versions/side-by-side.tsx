// Two files line by line: unchanged, removed and added lines.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { COMPARISON_TEXTS, formatCount } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeResult } from '../text.ts';
import { type LinePair, pairLines } from './line-pairs.ts';
import { decodeContent, splitLines } from './version-file.ts';

const MAX_ROWS = 2_000;

interface SideBySideProps {
  readonly was: WatchJson<'VersionFile'>;
  readonly is: WatchJson<'VersionFile'>;
}

export function SideBySide({ was, is }: SideBySideProps): JSX.Element {
  const pairs = useMemo(
    () => pairLines(splitLines(decodeContent(was)), splitLines(decodeContent(is))),
    [was, is],
  );
  if (pairs.every(({ kind }) => kind === 'gap'))
    return <p>{was.hash === is.hash ? COMPARISON_TEXTS.identical : 'The lines are identical.'}</p>;
  return (
    <>
      <table class="sides">
        <thead>
          <tr>
            <th scope="col">
              Version {was.number}: {describeResult(was)}
            </th>
            <th scope="col">
              Version {is.number}: {describeResult(is)}
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, MAX_ROWS).map((pair, index) => (
            <Row key={index} pair={pair} />
          ))}
        </tbody>
      </table>
      {pairs.length > MAX_ROWS && <p class="aside">Further lines are not shown.</p>}
    </>
  );
}

function Row({ pair }: { readonly pair: LinePair }): JSX.Element {
  if (pair.kind === 'gap')
    return (
      <tr class="gap">
        <td colSpan={2}>{formatCount(pair.count, 'unchanged line')}</td>
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
