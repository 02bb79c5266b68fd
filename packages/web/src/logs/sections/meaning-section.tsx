// What the classes and identities mean, what the result cannot say, and what the file contains of visitors.
import type { JSX } from 'preact';
import { Key } from '../../shared/charts/charts.tsx';
import { Fact } from '../../shared/fact.tsx';
import { formatNumber } from '../../shared/text.ts';
import { CLASSES } from '../parts/class-stack.tsx';
import { IDENTITIES, IdentityBadge } from '../parts/identity-badge.tsx';
import type { SectionProps } from '../parts/props.ts';
import { Section } from '../parts/section.tsx';
import { CLASS_DESCRIPTIONS, CLASS_LABELS, IDENTITY_DESCRIPTIONS } from '../text.ts';

export function MeaningSection({ data: { log } }: SectionProps): JSX.Element {
  return (
    <Section name="meaning">
      <h3>Classes of requests</h3>
      <dl class="facts">
        {CLASSES.map((name) => (
          <Fact
            key={name}
            name={
              <span class="key">
                <Key name={name} label={CLASS_LABELS[name]} />
              </span>
            }
          >
            {CLASS_DESCRIPTIONS[name]}
          </Fact>
        ))}
      </dl>
      <p class="aside">
        A crawler may use a robots.txt that it has fetched for as long as its operator documents, else for 24
        hours. Which file it had read is known from its own fetches in this log. If there are none, every
        version that was served in that time is possible.
      </p>
      <h3>Identities</h3>
      <dl class="facts">
        {IDENTITIES.map((identity) => (
          <Fact key={identity} name={<IdentityBadge identity={identity} />}>
            {IDENTITY_DESCRIPTIONS[identity]}
          </Fact>
        ))}
      </dl>
      <h3>What the result cannot say</h3>
      <ul>
        <li>
          A crawler that hides behind the header of a browser is not found: it counts as one of the{' '}
          {formatNumber(log.lines.visitors)} requests of other visitors.
        </li>
        <li>
          A request that is not verified can come from anyone. Its violations are not evidence against the
          operator.
        </li>
        <li>
          A fetch of robots.txt through another server, a cache or a content delivery network is not in this
          log. The words “not in the log” say so.
        </li>
        <li>
          Times are those of the server. Requests within seconds of an edit of robots.txt can be in the wrong
          order.
        </li>
        <li>
          A crawler that obeys can still send too many requests, and one that is exempt does nothing wrong.
        </li>
      </ul>
      <h3>Privacy</h3>
      <p>
        This file contains no address, URL or header of a visitor that is no crawler: they are only counted.
        Addresses of crawlers are shown as networks (/24 for IPv4, /48 for IPv6), unless the report was
        created with <code>--addresses</code>. URLs of crawlers are shown as they were logged, with their
        queries.
      </p>
    </Section>
  );
}
