// Lists of URLs with their number in the title; long ones are shown in parts.
import type { Target } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { useReport } from '../report-context.ts';

/** Characters of a URL that are shown. */
const MAX_URL = 300;

export interface ListItem {
  readonly index: number;
  readonly note?: string;
  /** Further URLs. */
  readonly targets?: readonly Target[];
  /** What is shown below it. */
  readonly details?: ComponentChildren;
}

interface ListProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly items: readonly ListItem[];
}

/** Shows a list, which is closed at first. */
export function UrlList({ title, children, items }: ListProps): JSX.Element {
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
        <span>{title}</span> <b>{formatNumber(items.length)}</b>
      </summary>
      {isOpen && (
        <>
          {children !== undefined && <p class="aside">{children}</p>}
          <ItemList count={items.length} getItem={(place) => items[place]} />
        </>
      )}
    </details>
  );
}

interface ItemListProps {
  readonly count: number;
  /** Creates an item when it is shown. */
  readonly getItem: (place: number) => ListItem | undefined;
}

/** Shows the first items, and a button for more. */
export function ItemList({ count, getItem }: ItemListProps): JSX.Element {
  const { shown, more } = useMore(count);
  const items = Array.from({ length: shown }, (_, place) => getItem(place)).filter(
    (item) => item !== undefined,
  );
  return (
    <>
      <ol>
        {items.map((item) => (
          <li key={`${item.index} ${item.note}`}>
            <UrlButton target={item.index} />
            {item.note !== undefined && <span class="aside"> {visible(item.note)}</span>}
            {item.targets?.map((target, step) => (
              <div key={step} class="step">
                <span aria-hidden="true">→ </span>
                <span class="unseen">to </span>
                <UrlButton target={target} />
              </div>
            ))}
            {item.details}
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}

/** A URL that opens its evidence; text only if the report has no row of it. It is never a link to the site. */
export function UrlButton({ target }: { readonly target: Target }): JSX.Element {
  const { data, onOpen } = useReport();
  const url = visible(data.getUrl(target), MAX_URL);
  if (typeof target === 'string') return <code>{url}</code>;
  return (
    <button type="button" class="link url" onClick={() => onOpen(target)}>
      {url}
    </button>
  );
}
