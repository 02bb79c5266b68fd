// Fields and dialogs for the lists of URLs and crawlers.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextField } from '../../shared/fields/text-field.tsx';
import { formatNumber } from '../../shared/text.ts';
import { type PageState, type Update, withCrawlers, withSelected, withUrls } from '../state/page-state.ts';
import { addUrls, readUrlList } from '../state/url-list.ts';
import { CrawlersDialog } from './crawlers-dialog.tsx';
import { UrlsDialog } from './urls-dialog.tsx';

export interface ListsBarProps {
  readonly state: PageState;
  readonly onUpdate: (update: Update) => void;
  readonly onNotice: (notice: string | null) => void;
}

export function ListsBar({ state, onUpdate, onNotice }: ListsBarProps): JSX.Element {
  const { urls, crawlers } = state;
  const [dialog, setDialog] = useState<'urls' | 'crawlers' | null>(null);
  const [more, setMore] = useState('');
  const onAdd = (text: string): void => {
    const read = readUrlList(text);
    const { urls: all, notice } = addUrls(urls, read.urls);
    onUpdate(withUrls(all));
    // A single new URL is selected.
    const row = read.urls.length === 1 ? all.indexOf(read.urls[0] ?? '') : -1;
    if (row >= 0) onUpdate(withSelected(row, state.selected.column));
    onNotice(read.notice ?? notice);
    setMore('');
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    onAdd(text);
  };
  return (
    <>
      <div class="bar">
        <TextField
          isInRow
          label="Add a URL or path; a pasted list adds all its lines"
          inputMode="url"
          placeholder="Add a URL or path, or paste a list"
          autoComplete="off"
          value={more}
          onValue={setMore}
          onEnter={() => onAdd(more)}
          onPaste={onPaste}
        />
        <button type="button" onClick={() => onAdd(more)} disabled={more.trim() === ''}>
          Add
        </button>
        <button type="button" onClick={() => setDialog('urls')}>
          URLs… <span class="count">{formatNumber(urls.length)}</span>
        </button>
        <button type="button" onClick={() => setDialog('crawlers')}>
          Crawlers… <span class="count">{crawlers.length}</span>
        </button>
      </div>
      {dialog === 'urls' && (
        <UrlsDialog
          urls={urls}
          onClose={() => setDialog(null)}
          onUse={({ urls: list, notice }) => {
            if (notice === null || list.length > 0) onUpdate(withUrls(list));
            onNotice(notice);
          }}
        />
      )}
      {dialog === 'crawlers' && (
        <CrawlersDialog
          crawlers={crawlers}
          onClose={() => setDialog(null)}
          onUse={(names) => onUpdate(withCrawlers(names))}
        />
      )}
    </>
  );
}
