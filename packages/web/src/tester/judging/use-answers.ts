/**
 * Answers of the workers as values that components can use: each belongs to what is asked now, or is the one before it while the
 * new one is on its way.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageState } from '../state/page-state.ts';
import { type Content, contentOf } from '../state/robots-file.ts';
import type { Comparing } from './compare.ts';
import type { Explanation } from './explain.ts';
import { Judge } from './judge.ts';
import { Prover } from './prover.ts';
import type { FileToJudge } from './question.ts';

/** Cells, and what they are about. */
export interface Matrix {
  readonly urls: readonly string[];
  readonly crawlers: readonly string[];
  readonly cells: Uint8Array;
}

/** After the last key, milliseconds until what takes longer is asked. */
const REST = 200;

/** The one judging worker of the page. */
export function useJudge(): Judge {
  return useMemo(() => new Judge(), []);
}

/** The file as it is judged now; the same object as long as nothing about it changes. */
export function useFile({ file, profile, origin }: PageState): FileToJudge {
  return useMemo(() => ({ content: contentOf(file), profile, origin }), [file, profile, origin]);
}

/** The verdicts of a file; `null` while there are none for these URLs and crawlers. */
export function useMatrix(
  judge: Judge,
  slot: 'edited' | 'baseline',
  file: FileToJudge | null,
  { urls, crawlers }: PageState,
): Matrix | null {
  const [matrix, setMatrix] = useState<Matrix | null>(null);
  useEffect(() => {
    if (file === null) return;
    judge.askMatrix(slot, urls, { kind: 'matrix', file, crawlers }, (cells) =>
      setMatrix({ urls, crawlers, cells }),
    );
  }, [judge, slot, file, urls, crawlers]);
  return matrix !== null && matrix.urls === urls && matrix.crawlers === crawlers ? matrix : null;
}

/** The explanation of the selected cell; `null` if there is no cell. */
export function useExplanation(judge: Judge, file: FileToJudge, state: PageState): Explanation | null {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const url = state.urls[state.selected.row];
  const crawler = state.crawlers[state.selected.column];
  useEffect(() => {
    if (url === undefined || crawler === undefined) setExplanation(null);
    else judge.askExplanation({ kind: 'explain', file, url, crawler }, setExplanation);
  }, [judge, file, url, crawler]);
  return url === undefined || crawler === undefined ? null : explanation;
}

/** What the linter finds. */
export interface Found {
  readonly findings: readonly Finding[];
  /** How many there are; those beyond a bound are not listed. */
  readonly total: number;
}

/** The findings about the file, a moment after it was edited; `null` until there are any answers. */
export function useFindings(file: FileToJudge): Found | null {
  const prover = useRef(new Prover());
  const [found, setFound] = useState<Found | null>(null);
  useEffect(
    () =>
      afterRest(() =>
        prover.current.ask({ kind: 'findings', file }, (answer) => {
          if (answer.kind === 'findings') setFound(answer);
        }),
      ),
    [file],
  );
  return found;
}

/** What the edits change; `null` while that is being worked out. Nothing is asked where `isWanted` is not. */
export function useComparison(
  before: Content,
  after: Content,
  profile: string,
  isWanted: boolean,
): Comparing | null {
  const prover = useRef(new Prover());
  const [comparing, setComparing] = useState<Comparing | null>(null);
  useEffect(() => {
    setComparing(null);
    if (!isWanted) return;
    return afterRest(() =>
      prover.current.ask({ kind: 'compare', before, after, profile }, (answer) => {
        if (answer.kind === 'compare') setComparing(answer.comparing);
        if (answer.kind === 'failed')
          setComparing({ isEquivalent: false, sentence: answer.message, groups: [] });
      }),
    );
  }, [before, after, profile, isWanted]);
  return comparing;
}

/** Begins something in a moment. @returns a function that ends it, also if it has not begun yet. */
function afterRest(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const timer = setTimeout(() => {
    end = begin();
  }, REST);
  return () => {
    clearTimeout(timer);
    end?.();
  };
}
