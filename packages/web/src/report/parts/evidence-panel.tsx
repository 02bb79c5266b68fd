// The evidence about one URL, for one crawler.
import type { ReportCanonical, ReportVerdict, Target } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Fact } from '../../shared/fact.tsx';
import { visible } from '../../shared/visible.ts';
import { getOutcome } from '../data/outcome.ts';
import { NONE, type ReportData } from '../data/report-data.ts';
import { OutcomeBadge } from '../outcome-badge.tsx';
import { useReport } from '../report-context.ts';
import { describeUrl, getRedirectSteps } from '../sentences.ts';
import { describeDecision, describeDepth, describeResponse, OUTCOME_TEXTS } from '../text.ts';
import { LinksFrom, LinksTo } from './link-lists.tsx';
import { RenderingFact } from './rendering-fact.tsx';
import { UrlFindings } from './url-findings.tsx';
import { UrlButton } from './url-list.tsx';
import { UseFact } from './use-fact.tsx';

/** Pixels of the panel that must be visible after a choice. */
const MIN_VISIBLE = 200;

interface UrlProps {
  readonly index: number;
}

interface EvidenceProps extends UrlProps {
  readonly onClose: () => void;
}

export function EvidencePanel({ index, onClose }: EvidenceProps): JSX.Element {
  const { data, agent } = useReport();
  const panel = useRef<HTMLElement>(null);
  // On a narrow screen the panel is below the table, where a choice in the table would have no visible effect.
  useEffect(() => {
    const { top = 0 } = panel.current?.getBoundingClientRect() ?? {};
    if (top < 0 || top > innerHeight - MIN_VISIBLE) panel.current?.scrollIntoView();
  }, [index]);
  const verdict = data.getVerdict(index, agent);
  const outcome = getOutcome(verdict);
  const others = data.head.agents.map((_, other) => other).filter((other) => other !== agent);
  return (
    <section ref={panel} class="evidence card" aria-label="Evidence" aria-live="polite">
      <div class="evidence-head">
        <h2>Evidence</h2>
        <button type="button" class="small" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="whole">
        <code>{visible(data.urls[index] ?? '', 2_000)}</code>
      </p>
      <p>
        <OutcomeBadge outcome={outcome} />
      </p>
      <p class="sentence">{describeUrl(data, index, agent)}</p>
      <UrlFindings index={index} />
      <dl class="facts">
        {verdict !== null && verdict.reasons.length > 1 && (
          <Fact name="All reasons">
            {verdict.reasons.map((reason) => OUTCOME_TEXTS[reason].label).join(', ')}
          </Fact>
        )}
        {verdict !== null && <RobotsFact verdict={verdict} />}
        <UseFact index={index} />
        {outcome === 'blocked' ? (
          <HiddenFacts verdict={verdict} />
        ) : (
          verdict !== null && <PageFacts index={index} />
        )}
        <Sitemaps index={index} />
        <LinksTo index={index} />
        {!data.isBlocked(index, agent) && <LinksFrom index={index} />}
        <Fact name="Depth">{describeDepth(data.depths[index] as number)}</Fact>
        {others.length > 0 && (
          <Fact name="Other crawlers">
            {others.map((other) => (
              <div key={other}>
                {visible(data.head.agents[other]?.agent ?? '', 60)}{' '}
                <OutcomeBadge outcome={getOutcome(data.getVerdict(index, other))} />
              </div>
            ))}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function RobotsFact({ verdict }: { readonly verdict: ReportVerdict }): JSX.Element {
  const { isAllowed, decision, line, text } = verdict;
  return (
    <Fact name="robots.txt">
      {isAllowed ? 'Allowed' : 'Disallowed'}: {describeDecision(decision)}
      {line > 0 && (
        <span class="line">
          <span class="aside">line {line}</span> <code>{text === null ? '' : visible(text)}</code>
        </span>
      )}
    </Fact>
  );
}

/** What a block hides is unknown, not absent. */
function HiddenFacts({ verdict }: { readonly verdict: ReportVerdict | null }): JSX.Element {
  const hidden = verdict?.maskedReasons ?? [];
  return (
    <Fact name="Hidden by the block">
      Status, noindex and canonical are unknown, not absent: the crawler may not fetch the page, so nothing in
      it counts.
      {hidden.length > 0 && (
        <>
          {' '}
          Another crawler of the run fetched it. Without the block it would be:{' '}
          {hidden.map((reason) => OUTCOME_TEXTS[reason].label).join(', ')}.
        </>
      )}
    </Fact>
  );
}

function PageFacts({ index }: UrlProps): JSX.Element {
  const { data, agent } = useReport();
  const status = data.statuses[index] as number;
  const steps = getRedirectSteps(data, index, agent);
  const canonical = data.get(index, 'canonical');
  const ignored = data.getIgnoredCanonicals(index);
  const noindex = data.getNoindex(index, agent);
  const bytes = data.get(index, 'bytes');
  const rendering = data.get(index, 'rendering');
  return (
    <>
      <Fact name="Status">{status < 0 ? 'no response' : status}</Fact>
      {steps.length > 0 && (
        <Fact name="Redirects">
          {steps.map((to, step) => (
            <div key={step}>
              {getStatus(data, steps[step - 1] ?? index)} → <UrlButton target={to} />
            </div>
          ))}
        </Fact>
      )}
      {status >= 0 && (
        <Fact name="noindex">
          {noindex.length === 0
            ? 'none'
            : noindex.map(([from, name, text], order) => (
                <div key={order}>
                  {from === 'meta' ? 'meta tag' : 'X-Robots-Tag header'} for{' '}
                  {name === null ? 'all' : visible(name)}: <code>{visible(text)}</code>
                </div>
              ))}
        </Fact>
      )}
      {status >= 0 && (
        <Fact name="Canonical">
          {canonical === null && 'none'}
          {canonical?.kind === 'self' && `itself (${formatSources(canonical)})`}
          {canonical?.kind === 'conflict' && <b>conflict, all are ignored: </b>}
          {canonical !== null && canonical.kind === 'other' && `another URL (${formatSources(canonical)}): `}
          {canonical?.targets.map((target) => (
            <div key={target}>
              <UrlButton target={target} />
            </div>
          ))}
          {ignored.map(([from, href, why], order) => (
            <div key={order} class="aside">
              ignored ({why}, {from}): <code>{visible(href)}</code>
            </div>
          ))}
        </Fact>
      )}
      <BlockedResources index={index} />
      {data.get(index, 'title') !== null && (
        <Fact name="Title">{visible(data.get(index, 'title') ?? '')}</Fact>
      )}
      {rendering !== null && <RenderingFact cell={rendering} />}
      {status >= 0 && (
        <Fact name="Response">
          {describeResponse(data.getType(index), bytes, data.milliseconds[index] as number)}
        </Fact>
      )}
    </>
  );
}

/** "HTML, header" */
function formatSources({ sources }: ReportCanonical): string {
  return sources.map((source) => (source === 'html' ? 'HTML' : source)).join(', ');
}

function BlockedResources({ index }: UrlProps): JSX.Element | null {
  const { data, agent } = useReport();
  const resources = data.getBlockedResources(index, agent);
  if (resources.length === 0) return null;
  return (
    <Fact name="Blocked resources">
      {resources.map(({ url, kinds, line }) => (
        <div key={url}>
          <span class="aside">
            {kinds.join(', ')}, line {line}:{' '}
          </span>
          <code>{visible(url)}</code>
        </div>
      ))}
    </Fact>
  );
}

/** The status of a URL, if the report has a row of it. */
function getStatus(data: ReportData, target: Target): string {
  const status = typeof target === 'number' ? (data.statuses[target] as number) : NONE;
  return status < 0 ? '' : String(status);
}

function Sitemaps({ index }: UrlProps): JSX.Element {
  const { data } = useReport();
  const ids = data.getSitemaps(index);
  const getSitemapUrl = (id: number): string =>
    data.head.sitemaps.find((each) => each.id === id)?.url ?? `number ${id}`;
  return (
    <Fact name="Sitemaps">
      {ids.length === 0
        ? 'none'
        : ids.slice(0, 10).map((id) => (
            <div key={id}>
              <code>{visible(getSitemapUrl(id))}</code>
            </div>
          ))}
    </Fact>
  );
}
