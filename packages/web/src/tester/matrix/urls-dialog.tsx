// The dialog for the URLs of the matrix.
import type { JSX, TargetedClipboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { FileButton } from '../../shared/files.tsx';
import { readUrlList, type UrlList } from '../state/url-list.ts';
import { readListFile } from './read-list-file.ts';

interface UrlsDialogProps {
  readonly urls: readonly string[];
  readonly onUse: (list: UrlList) => void;
  readonly onClose: () => void;
}

export function UrlsDialog({ urls, onUse, onClose }: UrlsDialogProps): JSX.Element {
  const [text, setText] = useState(() => urls.join('\n'));
  const use = (list: UrlList): void => {
    onUse(list);
    onClose();
  };
  return (
    <Dialog title="URLs" onClose={onClose}>
      <p id="urls-hint">One URL or path per line, or the XML of a sitemap, RSS or Atom feed.</p>
      <textarea
        rows={14}
        aria-label="URLs"
        aria-describedby="urls-hint"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={(event) => setText(paste(event))}
      />
      <div class="dialog-foot">
        <FileButton
          accept=".txt,.xml,.gz,text/plain,text/xml,application/xml"
          onFile={(file) => readListFile(file).then(use)}
        >
          Open a list or sitemap…
        </FileButton>
        <button type="button" class="primary" onClick={() => use(readUrlList(text))}>
          Use this list
        </button>
      </div>
    </Dialog>
  );
}

/** Pastes text: browsers take seconds for thousands of lines. @returns the new value of the field. */
function paste(event: TargetedClipboardEvent<HTMLTextAreaElement>): string {
  const { currentTarget: field, clipboardData } = event;
  event.preventDefault();
  const { selectionStart, selectionEnd } = field;
  field.setRangeText(clipboardData?.getData('text/plain') ?? '', selectionStart, selectionEnd, 'end');
  return field.value;
}
