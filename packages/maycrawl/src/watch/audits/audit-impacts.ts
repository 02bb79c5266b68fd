// What a run of a scheduled audit means for the owner of the site, as events of the monitor.
import type { RunPoint } from '../../api/audits-api.ts';
import type { Aspect } from '../../api/watch/aspects.ts';
import { FINDING_KINDS } from '../../audit/findings/finding-kinds.ts';
import type { ChangeGroup, CrawlerCount } from '../../audit/report/compare/change-groups.ts';
import type { CauseGroup, GroupedChanges } from '../../audit/report/compare/grouped-changes.ts';
import type { TitleChange } from '../../audit/report/compare/title-changes.ts';
import { formatCount } from '../../text/counts.ts';
import { REASON_TEXTS } from '../../text/reasons.ts';
import type { Impact } from '../analysis/impact/impact-types.ts';
import { createSingleImpact, type ImpactParts, limitImpacts } from '../analysis/impact/single-impact.ts';
import type { Severity, SiteSettings } from '../site.ts';
import type { AuditSettings } from './audit-settings.ts';
import {
  describeCauseGroup,
  describeFindingChange,
  describeIndexable,
  describeTitleChange,
  describeTitleChanges,
  quoteTitle,
} from './titles.ts';

/** URLs in the text, and in the details. */
const [MAX_NAMED, MAX_DETAILS] = [10, 20];
/** Folders in the details. */
const MAX_FOLDERS = 10;
/** Changed titles from which an event reports them, or half of the site: a small site has few pages, and edits of some. */
const WIDE_TITLES = 10;

/** What events about a run need. */
export interface ImpactContext {
  readonly settings: AuditSettings;
  readonly site: SiteSettings;
  /** The name of the run. */
  readonly run: string;
}

/** Returns the event of an audit without an earlier one whose results count. @param obstacle - why that cannot be used, in a sentence. */
export function getFirstImpact(
  { agents }: RunPoint,
  context: ImpactContext,
  obstacle: string | null,
): Impact {
  return createImpact('audit-first', context, {
    title: `audited from now on: ${describeIndexable(agents)}`,
    lines: [...(obstacle === null ? [] : [obstacle]), 'The next audits are compared with this one.'],
    details: { agents: agents.map(({ agent, judged, indexable }) => ({ agent, judged, indexable })) },
  });
}

/** Returns the event of a run whose results do not count. @param failure - why, in a sentence without its first capital. */
export function getFailureImpact(failure: string, context: ImpactContext): Impact {
  return createImpact('audit-incomplete', context, {
    title: `the audit could not finish: ${failure}`,
    lines: [
      'What it did not see is unknown, so no URL is reported as lost. The next audit is compared with the last complete one.',
      'To do: check that the server responds to the monitor; the events about robots.txt may name the cause.',
    ],
    details: {},
  });
}

/** Returns the event of the first complete run after one that did not count. */
export function getRecoveryImpact({ agents }: RunPoint, context: ImpactContext): Impact {
  return createImpact('audit-complete', context, {
    title: `the audit is complete again: ${describeIndexable(agents)}`,
    lines: [],
    details: {},
  });
}

/** Returns the events of a comparison, the worst first. @param since - the day of the earlier run, in words. */
export function getChangeImpacts(
  { lost, won, unlinked, linked, findings, titles, notes, indexableBefore }: Omit<GroupedChanges, 'missing'>,
  context: ImpactContext & { readonly since: string; readonly before: string },
): Impact[] {
  const { settings, since, before, run } = context;
  const isReported = ({ crawlers }: ChangeGroup): boolean =>
    crawlers.some(({ urls }) => urls >= settings.alertUrls);
  const isSevere = ({ crawlers }: ChangeGroup): boolean =>
    crawlers.some(({ agents, urls }) =>
      agents.some((agent) => urls > 1 && urls * 100 >= settings.errorShare * (indexableBefore[agent] ?? 0)),
    );
  const compare = `maycrawl audit compare ${before} ${run}`;
  const add = (
    kind: Aspect,
    group: ChangeGroup,
    title: string,
    lines: readonly string[],
    severity?: Severity,
  ): Impact =>
    createImpact(kind, context, {
      title,
      lines: [...describeCounts(group), ...group.examples.slice(0, MAX_NAMED), ...lines, ...notes, compare],
      details: { before, notes, ...summarizeGroup(group) },
      ...(severity && { severity }),
    });
  // Titles of single pages are edited every day: those of many pages, or of the home page, can be an accident.
  const getTitleImpacts = (): Impact[] => {
    if (titles === null) return [];
    const { group, start, examples } = titles;
    const isWide = ({ agents, urls }: CrawlerCount): boolean =>
      urls >= WIDE_TITLES || agents.some((agent) => urls * 2 >= (indexableBefore[agent] ?? 0));
    const isMass = isSevere(group) && group.crawlers.some(isWide);
    if (!isMass && start === null) return [];
    const title =
      isMass || start === null ? describeTitleChanges(titles, since) : describeTitleChange(start, since);
    const lines = [...examples.map(describeTitleExample), TITLE_ADVICE];
    return [add('titles-changed', group, title, lines, isMass ? 'warning' : undefined)];
  };
  // What hides the home page hides the links of all other pages, until it is back.
  const hidesLinks = lost.some(({ hasStart }) => hasStart);
  const returnsLinks = won.some(({ hasStart }) => hasStart);
  const impacts = [
    ...lost
      .filter(({ group, hasStart }) => hasStart || isReported(group))
      .map(({ cause, group, hasStart }) => {
        const title = describeCauseGroup('are not indexable', group, since, cause);
        const more =
          hasStart && unlinked !== null
            ? [`Not reached any more: ${formatCount(unlinked.urls, 'URL')} that were indexable.`]
            : [];
        return add(
          'not-indexable',
          group,
          title,
          [...more, `To do: ${REASON_TEXTS[cause.reason].advice}`],
          hasStart || isSevere(group) ? 'error' : undefined,
        );
      }),
    ...(unlinked !== null && !hidesLinks && isReported(unlinked)
      ? [
          add(
            'unlinked',
            unlinked,
            describeCauseGroup('are no longer found by links or sitemaps', unlinked, since, null),
            ['To do: if they should stay in the index, link to them or add them to a sitemap.'],
            isSevere(unlinked) ? 'warning' : undefined,
          ),
        ]
      : []),
    ...findings
      .filter(({ group }) => isReported(group))
      .map((change) => {
        const { code, kind, group } = change;
        const { cost, action } = FINDING_KINDS[code];
        const title = describeFindingChange(change, since);
        if (kind === 'fixed') return add('finding-fixed', group, title, []);
        return add(
          'finding',
          group,
          title,
          [cost, `To do: ${action}`],
          isSevere(group) ? 'error' : undefined,
        );
      }),
    ...getTitleImpacts(),
    ...won
      .filter(({ group, hasStart }) => hasStart || isReported(group))
      .map(({ cause, group, hasStart }: CauseGroup) => {
        const more =
          hasStart && linked !== null
            ? [`Found by links or sitemaps again: ${formatCount(linked.urls, 'URL')}.`]
            : [];
        return add('indexable', group, describeCauseGroup('are indexable now', group, since, cause), more);
      }),
    ...(linked !== null && !returnsLinks && isReported(linked)
      ? [
          add(
            'linked',
            linked,
            describeCauseGroup('are found by links or sitemaps again', linked, since, null),
            [],
          ),
        ]
      : []),
  ];
  return limitImpacts(impacts, (rest, { kind, severity }) =>
    createImpact(kind, context, {
      title: `${formatCount(rest.length, 'further change')}, each with a cause of its own`,
      lines: rest.map(({ title }) => title),
      details: {},
      severity,
    }),
  );
}

const TITLE_ADVICE = 'To do: if this was no intended edit, check the template of the pages.';

function describeTitleExample({ url, before, after }: TitleChange): string {
  return `${url}: ${quoteTitle(before)} → ${quoteTitle(after)}`;
}

function createImpact(kind: Aspect, { site, run }: ImpactContext, parts: ImpactParts): Impact {
  return createSingleImpact(kind, site, {
    ...parts,
    lines: [...parts.lines, `run: ${run}`],
    details: { audit: { run, ...parts.details } },
  });
}

/** The counts by crawler, if the title does not have all of them. */
function describeCounts({ crawlers, folders }: ChangeGroup): string[] {
  return [
    ...(crawlers.length > 1
      ? [crawlers.map(({ agents, urls }) => `${agents.join(', ')}: ${formatCount(urls)}`).join('; ')]
      : []),
    ...(folders.length > 1
      ? [
          folders
            .slice(0, MAX_FOLDERS)
            .map(({ folder, urls }) => `${folder || 'other folders'}: ${formatCount(urls)}`)
            .join('; '),
        ]
      : []),
  ];
}

function summarizeGroup({ crawlers, urls, folders, examples }: ChangeGroup): object {
  return {
    ...{ crawlers, urls, folders: folders.slice(0, MAX_FOLDERS) },
    examples: examples.slice(0, MAX_DETAILS),
  };
}
