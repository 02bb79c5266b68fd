/**
 * Dialogs for the URLs and the crawlers of the matrix.
 *
 * @module
 */
import { CRAWLERS } from '@maycrawl/core';
import type { JSX, TargetedClipboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { FileButton } from '../../shared/files.tsx';
import { visible } from '../../shared/visible.ts';
import { MAX_CRAWLERS, parseCrawler } from '../state/crawlers.ts';
import { readUrlList, type UrlList } from '../state/url-list.ts';
import { readListFile } from './read-list-file.ts';

interface UrlsDialogProps {
  readonly urls: readonly string[];
  readonly onUse: (list: UrlList) => void;
  readonly onClose: () => void;
}

/** Edits the list of URLs as text. */
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

interface CrawlersDialogProps {
  readonly crawlers: readonly string[];
  readonly onUse: (crawlers: readonly string[]) => void;
  readonly onClose: () => void;
}

const OPERATORS: readonly string[] = [...new Set(CRAWLERS.map(({ operator }) => operator))];

/** Chooses crawlers of the catalogue, and any product tokens. */
export function CrawlersDialog({ crawlers, onUse, onClose }: CrawlersDialogProps): JSX.Element {
  const isListed = (name: string): boolean => CRAWLERS.some((each) => each.name === name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(crawlers.filter(isListed)));
  const [others, setOthers] = useState(() => crawlers.filter((name) => !isListed(name)).join(', '));
  const [problem, setProblem] = useState('');
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const use = (): void => {
    const written = others.split(/[,\n]/).filter((name) => name.trim() !== '');
    const wrong = written.find((name) => parseCrawler(name) === null);
    const names = [
      ...crawlers.filter((name) => chosen.has(name)),
      ...chosen,
      ...written.flatMap((name) => parseCrawler(name) ?? []),
    ];
    if (wrong !== undefined)
      setProblem(
        `“${visible(wrong.trim(), 60)}” is not a valid product token: use letters, digits, “_”, “-” and “.”.`,
      );
    else if (names.length === 0) setProblem('Choose a crawler.');
    else if (new Set(names).size > MAX_CRAWLERS) setProblem(`Choose at most ${MAX_CRAWLERS} crawlers.`);
    else {
      onUse(names);
      onClose();
    }
  };
  return (
    <Dialog title="Crawlers" onClose={onClose}>
      <div class="catalogue">
        {OPERATORS.map((operator) => (
          <fieldset key={operator}>
            <legend>{operator}</legend>
            {CRAWLERS.filter((each) => each.operator === operator).map(({ name, tokens, obeys }) => (
              <label key={name}>
                <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
                {`${name} `}
                {obeys === 'own-rules' && <small>obeys only its own group</small>}
                {obeys === 'nothing' && <small>ignores robots.txt</small>}
                {tokens.length > 1 && <small>else {tokens.slice(1).join(', ')}</small>}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      <label class="field">
        Other product tokens, separated by commas
        <input
          type="text"
          value={others}
          spellcheck={false}
          onInput={({ currentTarget }) => setOthers(currentTarget.value)}
        />
      </label>
      <div class="dialog-foot">
        <span role="alert" class="problem">
          {problem}
        </span>
        <button type="button" class="primary" onClick={use}>
          Use these
        </button>
      </div>
    </Dialog>
  );
}
