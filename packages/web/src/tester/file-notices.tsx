// Notices about the file in the editor: bytes that are not UTF-8, and its origin.
import type { JSX } from 'preact';
import { visible } from '../shared/visible.ts';
import type { PageState } from './state/page-state.ts';
import { getLoss } from './state/robots-file.ts';

const LOSSES = {
  imminent:
    'This file is not UTF-8. Its bytes are evaluated until you edit it; the first edit replaces bytes that are not UTF-8 by �.',
  lost: 'This file was not UTF-8. The text is evaluated now, with � in place of the lost bytes.',
} as const;

interface FileNoticesProps {
  readonly state: PageState;
  readonly onAnySite: () => void;
}

export function FileNotices({ state, onAnySite }: FileNoticesProps): JSX.Element {
  const loss = getLoss(state.file);
  return (
    <>
      {loss !== 'none' && (
        <p class="notice" role="status">
          {LOSSES[loss]}
        </p>
      )}
      {state.origin !== null && (
        <p class="notice plain">
          This file applies only to <code>{visible(state.origin, 100)}</code>.{' '}
          <button type="button" class="link" onClick={onAnySite}>
            Test URLs of any site
          </button>
        </p>
      )}
    </>
  );
}
