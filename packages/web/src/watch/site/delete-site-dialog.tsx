// Deletes a site after a confirmation.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { visible } from '../../shared/visible.ts';
import { useWatchClient } from '../connection/watch-client.ts';
import { linkTo } from '../route.ts';

interface DeleteSiteDialogProps {
  readonly origin: string;
  readonly onClose: () => void;
}

export function DeleteSiteDialog({ origin, onClose }: DeleteSiteDialogProps): JSX.Element {
  const { request } = useWatchClient();
  const [problem, setProblem] = useState('');
  const onDelete = async (): Promise<void> => {
    const result = await request('DELETE site', { origin });
    if (result.kind === 'problem') setProblem(result.message);
    else location.hash = linkTo({ view: 'sites' });
  };
  return (
    <Dialog title="Delete the site" onClose={onClose}>
      <p>
        {visible(origin, 200)} will no longer be watched. All its versions and events are deleted permanently.
      </p>
      <div class="dialog-foot">
        <span role="alert" class="problem">
          {visible(problem)}
        </span>
        <button type="button" class="primary" onClick={onDelete}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}
