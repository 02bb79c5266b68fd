/**
 * What can be done with the whole: choose a profile, open and save, share.
 *
 * @module
 */
import { PROFILES } from '@maycrawl/core';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { download, FileButton } from '../shared/files.tsx';
import { CopyDialog, type Takeaway } from './copy-dialog.tsx';
import type { Matrix } from './judging/use-answers.ts';
import { type PageState, type Update, withFile, withProfile } from './state/page-state.ts';
import { contentOf, fileOfBytes, MAX_EDITED } from './state/robots-file.ts';
import { MAX_LINK, toFragment } from './state/share-link.ts';
import { testFileOf } from './state/test-file.ts';

interface ToolbarProps {
  readonly state: PageState;
  readonly matrix: Matrix | null;
  readonly onUpdate: (update: Update) => void;
  readonly onNotice: (notice: string | null) => void;
}

const PROFILE_TITLES: Readonly<Record<string, string>> = {
  google: 'Google, today',
  'google-2022': 'Google, 2022',
  'google-2013': 'Google, 2013',
  rfc9309: 'RFC 9309',
};

/** The buttons at the top. */
export function Toolbar({ state, matrix, onUpdate, onNotice }: ToolbarProps): JSX.Element {
  const [takeaway, setTakeaway] = useState<Takeaway | null>(null);
  const onOpen = async (file: File): Promise<void> => {
    const bytes = new Uint8Array(await file.slice(0, MAX_EDITED).arrayBuffer());
    onUpdate(withFile(fileOfBytes(bytes), file.name, null));
    onNotice(
      file.size > MAX_EDITED ? 'Only the first 1 MiB of the file was opened; crawlers read less.' : null,
    );
  };
  const onShare = async (): Promise<void> => {
    const fragment = await toFragment(state);
    if (fragment === null) {
      onNotice(`That is too much for a link, which can have ${MAX_LINK.toLocaleString('en')} characters.`);
      return;
    }
    const text = new URL(fragment, location.href).href;
    const size = `${text.length.toLocaleString('en')} characters`;
    const hint = `File, URLs and crawlers are in the link itself (${size}): behind the #, which browsers do not send.`;
    setTakeaway({ title: 'Share', hint, text, fileName: null });
  };
  const onTestFile = (): void => {
    if (matrix === null) return;
    const hint = 'What the matrix shows, as expectations. In any CI: maycrawl verify robots.txt';
    setTakeaway({ title: 'Test file', hint, text: testFileOf(matrix), fileName: 'robots.test.yaml' });
  };
  return (
    <div class="toolbar">
      <label>
        Profile{' '}
        <select
          value={state.profile}
          onChange={({ currentTarget }) => onUpdate(withProfile(currentTarget.value))}
        >
          {PROFILES.map(({ name }) => (
            <option key={name} value={name}>
              {PROFILE_TITLES[name] ?? name}
            </option>
          ))}
        </select>
      </label>
      <FileButton accept=".txt,text/plain" onFile={onOpen}>
        Open…
      </FileButton>
      <button type="button" onClick={() => download('robots.txt', contentOf(state.file))}>
        Download
      </button>
      <button type="button" onClick={onTestFile} disabled={matrix === null}>
        Test file…
      </button>
      <button type="button" onClick={onShare}>
        Share…
      </button>
      {takeaway !== null && <CopyDialog takeaway={takeaway} onClose={() => setTakeaway(null)} />}
    </div>
  );
}
