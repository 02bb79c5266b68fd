// The addresses and networks of spoofed requests, as servers read lists of clients to refuse.
import type { LogSummary } from '../../../logs/summary/log-summary.ts';
import { visible } from '../../../text/printable.ts';

/** `nginx`: `deny` directives. `apache`: `Require not ip` lines for a `RequireAll` section. `cidr`: one address or network a line. */
export type BlockListForm = 'nginx' | 'apache' | 'cidr';

const LINES: Readonly<Record<BlockListForm, (network: string) => string>> = {
  nginx: (network) => `deny ${network};`,
  apache: (network) => `Require not ip ${network}`,
  cidr: (network) => network,
};

/** Formats the list, with a comment for each crawler whose name the requests had. */
export function formatBlockList({ crawlers }: LogSummary, form: BlockListForm): string {
  const listed = new Set<string>();
  const lines = crawlers.flatMap(({ crawler, spoofed: { networks } }) => {
    const further = networks.filter(({ network }) => !listed.has(network));
    for (const { network } of further) listed.add(network);
    if (further.length === 0) return [];
    return [`# not ${visible(crawler)}`, ...further.map(({ network }) => LINES[form](network))];
  });
  return lines.map((line) => `${line}\n`).join('');
}
