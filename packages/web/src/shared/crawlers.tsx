// A list of crawlers in a table: one name, and the others on request.
import { getCrawlerName } from 'maycrawl/api';
import type { JSX } from 'preact';
import { visible } from './visible.ts';

/** Shows crawlers; `*` is any other crawler. @param best - the crawler to name, if it is among them. */
export function Crawlers({
  agents,
  best,
}: {
  readonly agents: readonly string[];
  readonly best: string;
}): JSX.Element {
  const names = agents.map(getCrawlerName);
  const first = names.find((name) => name === best) ?? names[0] ?? '';
  if (names.length === 1) return <>{visible(first, 60)}</>;
  return (
    <details>
      <summary>
        {visible(first, 60)} and {names.length - 1} more
      </summary>
      {visible(names.filter((name) => name !== first).join(', '), 2_000)}
    </details>
  );
}
