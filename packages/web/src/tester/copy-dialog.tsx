/**
 * Text to take away: a link, a test file. It can be copied by hand where the browser does not let the page do it.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../shared/dialog.tsx';
import { copy, download } from '../shared/files.tsx';

/** What to take away. */
export interface Takeaway {
  readonly title: string;
  readonly hint: string;
  readonly text: string;
  /** As what it can be saved; `null` if that makes no sense. */
  readonly fileName: string | null;
}

/** More is not shown, but copied. */
const MAX_SHOWN = 20_000;

/** Shows text, and copies it. */
export function CopyDialog({
  takeaway,
  onClose,
}: {
  readonly takeaway: Takeaway;
  readonly onClose: () => void;
}): JSX.Element {
  const { title, hint, text, fileName } = takeaway;
  const [said, setSaid] = useState('');
  const onCopy = async (): Promise<void> => {
    setSaid((await copy(text)) ? 'Copied.' : 'The browser did not allow it: select the text and copy it.');
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <textarea
        readOnly
        rows={8}
        aria-label={title}
        value={text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div class="dialog-foot">
        <span role="status">{said}</span>
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
