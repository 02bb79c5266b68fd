// Whether requests are of the crawler that they name, as shapes, words and numbers.
import type { Identity, ReportCrawler } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Badge, SHAPES } from '../../shared/badge.tsx';
import { formatNumber } from '../../shared/text.ts';
import { IDENTITY_LABELS } from '../text.ts';

const IDENTITY_SHAPES: Readonly<Record<Identity, string>> = {
  verified: SHAPES.check,
  spoofed: SHAPES.cross,
  unverifiable: SHAPES.dash,
  unchecked: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.8-1.1 1.8M8 12.4v.6',
};

export const IDENTITIES = Object.keys(IDENTITY_LABELS) as readonly Identity[];

export function IdentityBadge({ identity }: { readonly identity: Identity }): JSX.Element {
  return (
    <Badge class={`badge ${identity}`} shape={IDENTITY_SHAPES[identity]}>
      {IDENTITY_LABELS[identity]}
    </Badge>
  );
}

/** The identities of a crawler's requests; with numbers if there are several. */
export function Identities({ identity }: Pick<ReportCrawler, 'identity'>): JSX.Element {
  const found = IDENTITIES.filter((each) => identity[each] > 0);
  return (
    <>
      {found.map((each) => (
        <div key={each} class="identity">
          <IdentityBadge identity={each} />
          {found.length > 1 && ` ${formatNumber(identity[each])}`}
        </div>
      ))}
    </>
  );
}
