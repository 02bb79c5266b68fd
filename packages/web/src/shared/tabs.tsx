// Tabs (ARIA pattern): the current one is reached with Tab, the others with the arrow keys.
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [Name, string])[];
  readonly current: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ComponentChildren;
}

/** Shows tabs, and the panel of the current one. */
export function Tabs<Name extends string>(props: TabsProps<Name>): JSX.Element {
  const { label, tabs, current, onChoose, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(([name]) => name === current);
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: -1,
    };
    const to = steps[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next[0]);
    list.current?.querySelector<HTMLElement>(`#tab-${next[0]}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" ref={list} onKeyDown={onKeyDown}>
        {tabs.map(([name, title]) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`tab-${name}`}
            aria-selected={name === current}
            aria-controls="panel"
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="panel" class={`panel ${current}`} aria-labelledby={`tab-${current}`}>
        {children}
      </div>
    </>
  );
}
