// The scripts, style sheets and images of a page by host: which of them robots.txt blocks for a crawler, and by which line.
import type { PageJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeCause } from './badges.tsx';

type Resources = PageJson<'Resources'>;
type Host = Resources['hosts'][number];
type Resource = Host['resources'][number];

const KINDS: Readonly<Record<Resource['kind'], string>> = {
  script: 'script',
  style: 'style sheet',
  image: 'image',
};

interface ResourceListProps {
  readonly resources: Resources;
  readonly agent: string;
}

export function ResourceList({ resources: { total, hosts }, agent }: ResourceListProps): JSX.Element {
  return (
    <section aria-labelledby="page-resources">
      <h2 id="page-resources">Resources</h2>
      <p>{describeResources({ total, hosts }, agent)}</p>
      {hosts.map((host) => (
        <HostResources key={host.origin} host={host} agent={agent} />
      ))}
    </section>
  );
}

/** "2 of its 12 scripts, style sheets and images are blocked for Googlebot." */
export function describeResources({ total, hosts }: Resources, agent: string): string {
  if (total === 0) return 'The page names no scripts, style sheets and images.';
  const listed = hosts.flatMap(({ resources }) => resources);
  const blocked = listed.filter((resource) => isBlocked(resource, agent)).length;
  const name = visible(agent, 60);
  const first = listed[0];
  if (total === 1 && first !== undefined)
    return `Its only resource, ${first.kind === 'image' ? 'an' : 'a'} ${KINDS[first.kind]}, is ${blocked === 0 ? 'not ' : ''}blocked for ${name}.`;
  const count = blocked === 0 ? 'None' : formatNumber(blocked);
  const sentence = `${count} of its ${formatNumber(listed.length)} scripts, style sheets and images ${blocked === 1 ? 'is' : 'are'} blocked for ${name}.`;
  return listed.length < total
    ? `${sentence} There are ${formatNumber(total)}; the others were not checked.`
    : sentence;
}

function isBlocked({ blockedFor }: Resource, agent: string): boolean {
  return blockedFor.some((verdict) => verdict.agent === agent);
}

function HostResources({ host, agent }: { readonly host: Host; readonly agent: string }): JSX.Element {
  const blocked = host.resources.filter((resource) => isBlocked(resource, agent));
  const others = host.resources.filter((resource) => !isBlocked(resource, agent));
  const summary =
    host.problem === null
      ? `${formatCount(others.length, 'resource')} not blocked`
      : formatCount(others.length, 'resource');
  return (
    <>
      <h3>
        <code>{visible(host.origin, 300)}</code>
      </h3>
      {host.problem !== null && <p class="problem">No verdict: {visible(host.problem, 300)}.</p>}
      {blocked.length > 0 && (
        <ul class="resources">
          {blocked.map((resource) => (
            <li key={`${resource.kind} ${resource.url}`}>
              <BlockedResource resource={resource} agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details>
          <summary>{summary}</summary>
          <ul class="resources">
            {others.map(({ kind, url }) => (
              <li key={`${kind} ${url}`}>
                {KINDS[kind]} <code>{visible(url, 500)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function BlockedResource({
  resource,
  agent,
}: {
  readonly resource: Resource;
  readonly agent: string;
}): JSX.Element {
  const verdict = resource.blockedFor.find((each) => each.agent === agent);
  return (
    <>
      {KINDS[resource.kind]} <code>{visible(resource.url, 500)}</code>
      {verdict !== undefined && (
        <span class="problem">
          {' '}
          blocked, {visible(describeCause(verdict), 200)}
          {verdict.line > 0 && (
            <>
              : <code>Disallow: {visible(verdict.rule ?? '', 200)}</code>
            </>
          )}
        </span>
      )}
    </>
  );
}
