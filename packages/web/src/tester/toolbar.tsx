// Profile, open, download, test file and share.
import { PROFILES } from '@maycrawl/core';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Select } from '../shared/fields/select.tsx';
import { download, FileButton } from '../shared/files.tsx';
import { formatCount } from '../shared/text.ts';
import { type CopyableText, CopyDialog } from './copy-dialog.tsx';
import type { Matrix } from './judging/use-results.ts';
import type { ListsBarProps } from './matrix/lists-bar.tsx';
import { hasSources, isShareable } from './state/declaration-sources.ts';
import { withFile, withProfile } from './state/page-state.ts';
import { decodeFile, getContent, MAX_EDITED } from './state/robots-file.ts';
import { MAX_LINK, toFragment } from './state/share-link.ts';
import { formatTestFile, formatVerifyCommand } from './state/test-file.ts';

interface ToolbarProps extends ListsBarProps {
  readonly matrix: Matrix | null;
}

const PROFILE_TITLES: Readonly<Record<string, string>> = {
  google: 'Google, today',
  'google-2022': 'Google, 2022',
  'google-2013': 'Google, 2013',
  rfc9309: 'RFC 9309',
};

export function Toolbar({ state, matrix, onUpdate, onNotice }: ToolbarProps): JSX.Element {
  const [copyable, setCopyableText] = useState<CopyableText | null>(null);
  const onOpen = async (file: File): Promise<void> => {
    const bytes = new Uint8Array(await file.slice(0, MAX_EDITED).arrayBuffer());
    onUpdate(withFile(decodeFile(bytes), file.name, null));
    onNotice(
      file.size > MAX_EDITED
        ? 'The file is too long: only its first 1 MiB was opened, and crawlers read less.'
        : null,
    );
  };
  const onShare = async (): Promise<void> => {
    const fragment = await toFragment(state);
    if (fragment === null) {
      onNotice(`This is too long for a link, which has at most ${formatCount(MAX_LINK, 'character')}.`);
      return;
    }
    const text = new URL(fragment, location.href).href;
    const size = formatCount(text.length, 'character');
    const hint = `The link contains the file, the URLs and the crawlers (${size}). They follow the #, which browsers do not send to servers.`;
    const { sources } = state;
    const omitted =
      hasSources(sources) && !isShareable(sources)
        ? ' The texts of other sources are too long for a link and are not in it.'
        : '';
    setCopyableText({ title: 'Share', hint: `${hint}${omitted}`, text, fileName: null });
  };
  const onTestFile = (): void => {
    if (matrix === null) return;
    const command = formatVerifyCommand(state.profile);
    const hint = `The verdicts of the matrix as expectations. Check them in CI with: ${command}`;
    const text = formatTestFile(matrix, state.profile);
    setCopyableText({ title: 'Test file', hint, text, fileName: 'robots.test.yaml' });
  };
  return (
    <div class="toolbar">
      <Select
        label="Profile"
        value={state.profile}
        choices={PROFILES.map(({ name }) => [name, PROFILE_TITLES[name] ?? name])}
        onChoose={(profile) => onUpdate(withProfile(profile))}
      />
      <FileButton accept=".txt,text/plain" onFile={onOpen}>
        Open…
      </FileButton>
      <button type="button" onClick={() => download('robots.txt', getContent(state.file))}>
        Download
      </button>
      <button type="button" onClick={onTestFile} disabled={matrix === null}>
        Test file…
      </button>
      <button type="button" onClick={onShare}>
        Share…
      </button>
      {copyable !== null && <CopyDialog copyable={copyable} onClose={() => setCopyableText(null)} />}
    </div>
  );
}
