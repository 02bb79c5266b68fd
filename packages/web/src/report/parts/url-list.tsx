/**
 * Lists of URLs with a head that says how many there are; long ones are shown bit by bit.
 *
 * @module
 */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { Listed } from '../data/chains.ts';
import type { ReportData, Target } from '../data/report-data.ts';

const FIRST = 20;
const MORE = 200;
/** Characters of a URL that are laid out in a list. */
const MAX_URL = 300;

interface ListProps {
  readonly data: ReportData;
  readonly title: string;
  /** What it means. */
  readonly children?: ComponentChildren;
  readonly items: readonly Listed[];
  readonly onOpen: (place: number) => void;
}

/** Shows a list, closed at first. */
export function UrlList({ data, title, children, items, onOpen }: ListProps): JSX.Element {
  const [shown, setShown] = useState(FIRST);
  const [isOpen, setOpen] = useState(false);
  if (items.length === 0)
    return (
      <p class="none">
        <span>{title}</span> <b>0</b>
      </p>
    );
  return (
    <details class="list" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>{title}</span> <b>{items.length.toLocaleString('en')}</b>
      </summary>
      {isOpen && (
        <>
          {children !== undefined && <p class="aside">{children}</p>}
          <ol>
            {items.slice(0, shown).map((item) => (
              <li key={`${item.place} ${item.note}`}>
                <UrlButton data={data} target={item.place} onOpen={onOpen} />
                {item.note !== undefined && <span class="aside"> {visible(item.note)}</span>}
                {item.targets?.map((target, step) => (
                  <div key={step} class="step">
                    <span aria-hidden="true">→ </span>
                    <span class="unseen">leads to </span>
                    <UrlButton data={data} target={target} onOpen={onOpen} />
                  </div>
                ))}
              </li>
            ))}
          </ol>
          {shown < items.length && (
            <button type="button" onClick={() => setShown(shown + MORE)}>
              Show {Math.min(MORE, items.length - shown)} more
            </button>
          )}
        </>
      )}
    </details>
  );
}

interface ButtonProps {
  readonly data: ReportData;
  readonly target: Target;
  readonly onOpen: (place: number) => void;
}

/** A URL that shows its evidence; as text if it is not in the report. It never leads out of it. */
export function UrlButton({ data, target, onOpen }: ButtonProps): JSX.Element {
  const url = visible(data.urlOf(target), MAX_URL);
  if (typeof target === 'string') return <code>{url}</code>;
  return (
    <button type="button" class="link url" onClick={() => onOpen(target)}>
      {url}
    </button>
  );
}
