// Results of the workers as hooks. While a result is computed, components use the one before it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageState } from '../state/page-state.ts';
import { type Content, getContent } from '../state/robots-file.ts';
import type { Comparison } from './compare.ts';
import type { Explanation } from './explain.ts';
import { Judge } from './judge.ts';
import type { FileInput, ProofRequest, ProofResult } from './messages.ts';
import { Prover } from './prover.ts';

/** Verdicts of URLs and crawlers. */
export interface Matrix {
  readonly urls: readonly string[];
  readonly crawlers: readonly string[];
  /** A byte for each URL and crawler, row by row (cell.ts). */
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
    judge.setUrls(urls);
    judge.request(slot, { kind: 'matrix', file, crawlers }, (cells) => setMatrix({ urls, crawlers, cells }));
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
    else judge.request('explain', { kind: 'explain', file, url, crawler }, setExplanation);
  }, [judge, file, url, crawler]);
  return url === undefined || crawler === undefined ? null : explanation;
}

/** The result of the linter: its findings, of which only the first are listed, or why there are none. */
export type LintResult = Extract<ProofResult, { kind: 'findings' }>;
type Failure = Extract<ProofResult, { kind: 'failed' }>;

/** The findings of a file, shortly after its last edit; `null` before the first result. */
export function useFindings(file: FileInput): LintResult | Failure | null {
  const last = useRef<LintResult | Failure | null>(null);
  const request = useMemo(() => ({ kind: 'findings', file }) as const, [file]);
  // While a text is evaluated, the findings of the one before it are shown.
  last.current = useProof(request) ?? last.current;
  return last.current;
}

/** The comparison of two files; `null` while it is computed, or not enabled. */
export function useComparison(
  before: Content,
  after: Content,
  profile: string,
  isEnabled: boolean,
): Comparison | null {
  const request = useMemo(
    () => (isEnabled ? ({ kind: 'compare', before, after, profile } as const) : null),
    [before, after, profile, isEnabled],
  );
  const result = useProof(request);
  if (result?.kind === 'failed')
    return { isEquivalent: false, sentence: result.message, groups: [], declarations: null };
  return result?.comparison ?? null;
}

/**
 * The result of a proof worker, shortly after the last change; `null` while it is computed.
 *
 * @param request - the same object until it changes; `null`: none.
 */
export function useProof<Kind extends ProofRequest['kind']>(
  request: Extract<ProofRequest, { kind: Kind }> | null,
): Extract<ProofResult, { kind: Kind }> | Failure | null {
  const prover = useRef(new Prover());
  const [proof, setProof] = useState<{ readonly request: unknown; readonly result: ProofResult } | null>(
    null,
  );
  useEffect(() => {
    if (request === null) return;
    let cancel: (() => void) | undefined;
    const timer = setTimeout(() => {
      cancel = prover.current.request(request, (result) => setProof({ request, result }));
    }, DELAY);
    return () => {
      clearTimeout(timer);
      cancel?.();
    };
  }, [request]);
  return proof !== null && proof.request === request
    ? (proof.result as Extract<ProofResult, { kind: Kind }> | Failure)
    : null;
}
