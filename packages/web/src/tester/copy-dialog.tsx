// Text to copy or download: a link, a test file. Where the browser does not allow the page to copy, the user can select it.
import { truncate } from '@maycrawl/core/internal';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../shared/dialog.tsx';
import { copy, download } from '../shared/files.tsx';

export interface CopyableText {
  readonly title: string;
  readonly hint: string;
  readonly text: string;
  /** For the download; `null` for text that is not a file. */
  readonly fileName: string | null;
}

/** Characters that are shown. All are copied. */
const MAX_SHOWN = 20_000;

export function CopyDialog({
  copyable,
  onClose,
}: {
  readonly copyable: CopyableText;
  readonly onClose: () => void;
}): JSX.Element {
  const { title, hint, text, fileName } = copyable;
  const [status, setStatus] = useState('');
  const onCopy = async (): Promise<void> => {
    setStatus(
      (await copy(text))
        ? 'Copied.'
        : 'The browser does not allow the page to copy. Select the text and copy it.',
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <textarea
        readOnly
        rows={8}
        aria-label={title}
        value={truncate(text, MAX_SHOWN)}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div class="dialog-foot">
        <span role="status">{status}</span>
        {fileName !== null && (
          <button type="button" onClick={() => download(fileName, text)}>
            Download
          </button>
        )}
        <button type="button" class="primary" onClick={onCopy}>
          Copy
        </button>
      </div>
    </Dialog>
  );
}
