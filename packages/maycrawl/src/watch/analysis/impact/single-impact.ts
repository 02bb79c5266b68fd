// Events with one aspect, about something else than a check of robots.txt: a run of an audit, or a reading of an access log.
import { ASPECTS, type Aspect } from '../../../api/watch/aspects.ts';
import { compareSeverities } from '../../../reports/severities.ts';
import type { Severity, SiteSettings } from '../../site.ts';
import type { Impact } from './impact-types.ts';

/** Events of one run or reading. */
const MAX_EVENTS = 20;

/** What an event says. */
export interface ImpactParts {
  readonly title: string;
  readonly lines: readonly string[];
  readonly details: object;
  /** @defaultValue that of the kind */
  readonly severity?: Severity;
}

/** Creates an event. The severity that the owner has set for its kind takes precedence. */
export function createSingleImpact(
  kind: Aspect,
  site: SiteSettings,
  { title, lines, details, severity }: ImpactParts,
): Impact {
  return {
    ...{ kind, aspects: [kind], title },
    severity: site.severity?.[kind] ?? severity ?? ASPECTS[kind].severity,
    text: lines.join('\n'),
    details: { aspects: [kind], ...details },
  };
}

/**
 * Limits the events of one run or reading.
 *
 * @param createRest - creates the last event, which counts the others. It has the kind and the severity of the worst of them.
 * @returns all events in their order; if there are too many, the worst first.
 */
export function limitImpacts(
  impacts: readonly Impact[],
  createRest: (rest: readonly Impact[], worst: Pick<Impact, 'kind' | 'severity'>) => Impact,
): Impact[] {
  if (impacts.length <= MAX_EVENTS) return [...impacts];
  // Equal severities keep their order.
  const sorted = [...impacts].sort((a, b) => compareSeverities(a.severity, b.severity));
  const rest = sorted.slice(MAX_EVENTS - 1);
  const [worst] = rest as [Impact];
  return [...sorted.slice(0, MAX_EVENTS - 1), createRest(rest, worst)];
}
