// What the scripts of a page change, before and after them.
import {
  REQUEST_FAILURES,
  type RenderedLinks,
  type RenderedState,
  type RenderingCell,
  type Target,
} from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { formatCount } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { UrlButton } from './url-list.tsx';

/** Number of links that are listed. */
const MAX_SHOWN = 5;

/** Why requests of a page were refused, or failed. */
const REFUSALS: Readonly<Record<string, string>> = {
  ...REQUEST_FAILURES,
  robots: 'robots.txt disallows it',
  'own-robots': 'robots.txt disallows it to maycrawl',
  'robots-unreachable': 'its robots.txt is unreachable',
  limit: 'too many requests',
  sites: 'too many sites',
  method: 'only GET requests are sent',
  'too-large': 'too large',
  redirects: 'too many redirects',
  'host-failing': 'its host does not respond',
};

export function RenderingFact({ cell }: { readonly cell: RenderingCell }): JSX.Element {
  if (typeof cell === 'string') return <Fact name="After scripts">not rendered: {visible(cell)}</Fact>;
  const { before, after, added, removed, redirect, refused, isStopped } = cell;
  const isSame = !isChanged(before, after) && added[0] === 0 && removed[0] === 0 && redirect === null;
  return (
    <Fact name="After scripts">
      {isSame && 'no difference'}
      <Change name="Title" before={before.title ?? 'none'} after={after.title ?? 'none'} />
      <Change name="Robots meta tag" before={join(before.robots)} after={join(after.robots)} />
      <Change name="Canonical" before={join(before.canonicals)} after={join(after.canonicals)} />
      <Links name="added by scripts" links={added} />
      <Links name="removed by scripts" links={removed} />
      {redirect !== null && (
        <Part name="Scripts lead to">
          <Targets targets={[redirect]} />
        </Part>
      )}
      {refused.length > 0 && (
        <Part name="Files that were not loaded">
          {refused.map(([url, why]) => (
            <div key={url}>
              <code>{visible(url)}</code> <span class="aside">{REFUSALS[why] ?? why.replace('-', ' ')}</span>
            </div>
          ))}
        </Part>
      )}
      {isStopped && <div class="aside">Its requests or scripts had not ended when its time was over.</div>}
    </Fact>
  );
}

function isChanged(before: RenderedState, after: RenderedState): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

const join = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join(', '));

function Part({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="rendered">
      <span class="aside">{name}:</span>
      {children}
    </div>
  );
}

function Change({
  name,
  before,
  after,
}: {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}): JSX.Element | null {
  if (before === after) return null;
  return (
    <Part name={name}>
      <div>
        before <code>{visible(before)}</code>
      </div>
      <div>
        after <code>{visible(after)}</code>
      </div>
    </Part>
  );
}

function Links({
  name,
  links: [count, ...targets],
}: {
  readonly name: string;
  readonly links: RenderedLinks;
}): JSX.Element | null {
  if (count === 0) return null;
  const shown = targets.slice(0, MAX_SHOWN);
  const more = count - shown.length;
  return (
    <Part name={`${formatCount(count, 'link')} ${name}`}>
      <Targets targets={shown} />
      {more > 0 && <div class="aside">and {formatCount(more, 'other')}</div>}
    </Part>
  );
}

function Targets({ targets }: { readonly targets: readonly Target[] }): JSX.Element {
  return (
    <>
      {targets.map((target) => (
        <div key={target}>
          <UrlButton target={target} />
        </div>
      ))}
    </>
  );
}
