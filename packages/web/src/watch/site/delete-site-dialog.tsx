/**
 * Forgetting a site, which is asked once more.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { visible } from '../../shared/visible.ts';
import { useService } from '../connection/asking.ts';
import { linkTo } from '../route.ts';

/** Asks, and does it. */
export function Forgetting({
  origin,
  onClose,
}: {
  readonly origin: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { ask } = useService();
  const [problem, setProblem] = useState('');
  const onForget = async (): Promise<void> => {
    const reply = await ask('site', { origin }, { method: 'DELETE' });
    if (reply.kind === 'problem') setProblem(reply.message);
    else location.hash = linkTo({ view: 'sites' });
  };
  return (
    <Dialog title="Forget the site" onClose={onClose}>
      <p>
        {visible(origin, 200)} will not be watched any more. All its versions and events are deleted, for
        good.
      </p>
      <div class="dialog-foot">
        <span role="alert" class="problem">
          {visible(problem)}
        </span>
        <button type="button" class="primary" onClick={onForget}>
          Forget it
        </button>
      </div>
    </Dialog>
  );
}
