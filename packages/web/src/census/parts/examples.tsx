// Examples of a number: every number of the report opens them.
import type { Example, SiteCount } from 'maycrawl/api';
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeWitness } from '../text.ts';

/** A number whose examples are shown. */
interface Opened {
  readonly title: string;
  readonly sites: SiteCount;
}

const Opener = createContext<(opened: Opened) => void>(() => {});

export function useExamples(): (title: string, sites: SiteCount) => void {
  const open = useContext(Opener);
  return (title, sites) => open({ title, sites });
}

/** Lets the numbers in it open their examples. */
export function ExamplesProvider({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <Opener.Provider value={setOpened}>
      {children}
      {opened !== null && <ExamplesDialog {...opened} onClose={() => setOpened(null)} />}
    </Opener.Provider>
  );
}

function ExamplesDialog({ title, sites, onClose }: Opened & { readonly onClose: () => void }): JSX.Element {
  const { count, examples } = sites;
  const more = count - examples.length;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <b>{formatCount(count, 'site')}</b>
        {examples.length > 0 &&
          more > 0 &&
          `, of which ${examples.length === 1 ? 'this is one' : 'these are some'}`}
        {examples.length === 0 && '. The report is too large to have examples.'}
      </p>
      <ol class="examples">
        {examples.map((example, index) => (
          <li key={index}>
            <ExampleItem {...example} />
          </li>
        ))}
      </ol>
      {examples.length > 0 && more > 0 && <p class="aside">{formatNumber(more)} more</p>}
    </Dialog>
  );
}

function ExampleItem({ host, witnesses, note }: Example): JSX.Element {
  return (
    <>
      <b class="host">{visible(host, 200)}</b>
      {note !== null && <span class="aside"> {visible(note, 200)}</span>}
      {witnesses.map((witness) => {
        const { verdict, path, rule } = describeWitness(witness);
        return (
          <div key={verdict} class="witness">
            <span class={`verdict ${verdict}`}>{verdict}</span> <code>{path}</code>{' '}
            <span class="aside">{rule}</span>
          </div>
        );
      })}
    </>
  );
}

interface NumberProps {
  /** What is counted, for the title of the examples and for screen readers. */
  readonly label: string;
  readonly sites: SiteCount;
  /** The text. @defaultValue the number of sites */
  readonly text?: string;
}

export function SiteNumber({ label, sites, text = formatNumber(sites.count) }: NumberProps): JSX.Element {
  const open = useExamples();
  if (sites.count === 0) return <span class="zero">{text}</span>;
  return (
    <button type="button" class="link" aria-label={`${label}: ${text}`} onClick={() => open(label, sites)}>
      {text}
    </button>
  );
}
