/**
 * Results of the workers as hooks. While a result is computed, components use the one before it.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageState } from '../state/page-state.ts';
import { type Content, getContent } from '../state/robots-file.ts';
import type { Comparison } from './compare.ts';
import type { Explanation } from './explain.ts';
import { Judge } from './judge.ts';
import type { FileInput } from './messages.ts';
import { Prover } from './prover.ts';

/** Verdicts of URLs and crawlers. */
export interface Matrix {
  readonly urls: readonly string[];
  readonly crawlers: readonly string[];
  readonly cells: Uint8Array;
}

/** Milliseconds from the last key to a request that takes longer. */
const DELAY = 200;

/** Creates the judging worker of the page. */
export function useJudge(): Judge {
  return useMemo(() => new Judge(), []);
}

/** The file to evaluate; the same object until it changes. */
export function useFile({ file, profile, origin }: PageState): FileInput {
  return useMemo(() => ({ content: getContent(file), profile, origin }), [file, profile, origin]);
}

/** The verdicts of a file; `null` while there are none of these URLs and crawlers. */
export function useMatrix(
  judge: Judge,
  slot: 'edited' | 'baseline',
  file: FileInput | null,
  { urls, crawlers }: PageState,
): Matrix | null {
  const [matrix, setMatrix] = useState<Matrix | null>(null);
  useEffect(() => {
    if (file === null) return;
    judge.requestMatrix(slot, urls, { kind: 'matrix', file, crawlers }, (cells) =>
      setMatrix({ urls, crawlers, cells }),
    );
  }, [judge, slot, file, urls, crawlers]);
  return matrix !== null && matrix.urls === urls && matrix.crawlers === crawlers ? matrix : null;
}

/** The explanation of the selected cell; `null` if there is no cell. */
export function useExplanation(judge: Judge, file: FileInput, state: PageState): Explanation | null {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const url = state.urls[state.selected.row];
  const crawler = state.crawlers[state.selected.column];
  useEffect(() => {
    if (url === undefined || crawler === undefined) setExplanation(null);
    else judge.requestExplanation({ kind: 'explain', file, url, crawler }, setExplanation);
  }, [judge, file, url, crawler]);
  return url === undefined || crawler === undefined ? null : explanation;
}

/** The result of the linter. */
export interface LintResult {
  readonly kind: 'findings';
  readonly findings: readonly Finding[];
  /** Their number, of which only the first are listed. */
  readonly total: number;
}

/** Why there are no findings. */
interface LintFailure {
  readonly kind: 'failed';
  readonly message: string;
}

/** The findings of a file, shortly after its last edit; `null` before the first result. */
export function useFindings(file: FileInput): LintResult | LintFailure | null {
  const prover = useRef(new Prover());
  const [found, setFound] = useState<LintResult | LintFailure | null>(null);
  useEffect(
    () =>
      afterDelay(() =>
        prover.current.request({ kind: 'findings', file }, (result) => {
          if (result.kind === 'findings' || result.kind === 'failed') setFound(result);
        }),
      ),
    [file],
  );
  return found;
}

/** The comparison of two files; `null` while it is computed, or not enabled. */
export function useComparison(
  before: Content,
  after: Content,
  profile: string,
  isEnabled: boolean,
): Comparison | null {
  const prover = useRef(new Prover());
  const [comparison, setComparison] = useState<Comparison | null>(null);
  useEffect(() => {
    setComparison(null);
    if (!isEnabled) return;
    return afterDelay(() =>
      prover.current.request({ kind: 'compare', before, after, profile }, (result) => {
        if (result.kind === 'compare') setComparison(result.comparison);
        if (result.kind === 'failed')
          setComparison({ isEquivalent: false, sentence: result.message, groups: [], declarations: null });
      }),
    );
  }, [before, after, profile, isEnabled]);
  return comparison;
}

/** Starts something after a delay. @returns a function that ends it, also before it starts. */
export function afterDelay(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const timer = setTimeout(() => {
    end = begin();
  }, DELAY);
  return () => {
    clearTimeout(timer);
    end?.();
  };
}
