/**
 * What should be known of the file in the editor: bytes that text cannot hold, and for whom it speaks.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../shared/visible.ts';
import type { PageState } from './state/page-state.ts';
import { lossOf } from './state/robots-file.ts';

const LOSSES = {
  imminent:
    'This file is not UTF-8. Its own bytes are judged as long as you do not edit it; then each byte that is not UTF-8 becomes �.',
  lost: 'This file was not UTF-8: what is judged now is the text, in which � stands for the bytes that were lost.',
} as const;

interface FileNoticesProps {
  readonly state: PageState;
  readonly onAnySite: () => void;
}

/** Shows notices, if there are any. */
export function FileNotices({ state, onAnySite }: FileNoticesProps): JSX.Element {
  const loss = lossOf(state.file);
  return (
    <>
      {loss !== 'none' && (
        <p class="notice" role="status">
          {LOSSES[loss]}
        </p>
      )}
      {state.origin !== null && (
        <p class="notice plain">
          It speaks only for <code>{visible(state.origin, 100)}</code>.{' '}
          <button type="button" class="link" onClick={onAnySite}>
            Test URLs of any site
          </button>
        </p>
      )}
    </>
  );
}
