// What crawlers of other operators than Google do when robots.txt fails, as documented.
import { findOperator, OPERATOR_RECORDS, type OperatorOutagePhase } from '@maycrawl/core/crawlers';
import { describePhases } from '../../../text/operators.ts';

/** The operator whose policy the other lines of a message are about. */
const GOOGLE = 'Google';

/**
 * Describes what operators other than Google document about a failure of robots.txt, a line each.
 *
 * @param failure - `whenUnavailable`: there is no file; `whenUnreachable`: it cannot be fetched.
 * @param agents - the crawlers that matter to the owner; empty: all.
 */
export function describeOtherOperators(
  failure: 'whenUnavailable' | 'whenUnreachable',
  agents: readonly string[],
): string[] {
  const phases = new Map<string, readonly OperatorOutagePhase[]>();
  if (agents.length === 0)
    for (const { operator, crawlers, [failure]: documented } of OPERATOR_RECORDS) {
      const subject = crawlers?.join(', ') ?? `crawlers of ${operator}`;
      if (operator !== GOOGLE && documented !== undefined) phases.set(subject, documented);
    }
  for (const agent of agents) {
    const found = findOperator(agent);
    const documented = found?.[failure] ?? null;
    if (found?.operator !== GOOGLE && documented !== null) phases.set(agent, documented);
  }
  return [...phases].map(
    ([subject, documented]) => `As documented, for ${subject}: ${describePhases(documented)}.`,
  );
}
