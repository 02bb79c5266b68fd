/**
 * What the linter finds, as a list below the editor: the same as in its margin, for those who do not hover.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import type { Found } from '../judging/use-answers.ts';

interface FindingsListProps {
  readonly found: Found;
  readonly onGo: (finding: Finding) => void;
  /** Mends some. */
  readonly onMend: (findings: readonly Finding[]) => void;
}

/** More are counted, and marked in the editor, but not listed. */
const MAX_LISTED = 100;

/** Lists findings. */
export function FindingsList({ found, onGo, onMend }: FindingsListProps): JSX.Element {
  const { findings, total } = found;
  const mendable = findings.filter(({ fix }) => fix !== undefined);
  if (total === 0) return <p class="findings-none">No findings: nothing in this file is odd.</p>;
  return (
    <details class="findings">
      <summary>{summaryOf(found)}</summary>
      {mendable.length > 0 && (
        <button type="button" onClick={() => onMend(mendable)}>
          Mend {mendable.length === 1 ? 'one' : `all ${mendable.length}`} that{' '}
          {mendable.length === 1 ? 'changes' : 'change'} no verdict
        </button>
      )}
      <ul>
        {findings.slice(0, MAX_LISTED).map((finding) => (
          <li key={`${finding.line} ${finding.column} ${finding.code}`}>
            <span class={`severity ${finding.severity}`}>{finding.severity}</span>
            <button type="button" class="link" onClick={() => onGo(finding)}>
              line {finding.line}
            </button>
            <span class="finding-message">
              {visible(finding.message)} <code>{finding.code}</code>
            </span>
            {finding.fix !== undefined && (
              <button type="button" class="small" onClick={() => onMend([finding])}>
                Mend<span class="unseen"> line {finding.line}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {total > MAX_LISTED && <p>{(total - MAX_LISTED).toLocaleString('en')} more are not listed.</p>}
    </details>
  );
}

function summaryOf({ findings, total }: Found): string {
  const counts = (['error', 'warning', 'info'] as const)
    .map((severity) => [findings.filter((each) => each.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`);
  return `${total.toLocaleString('en')} ${total === 1 ? 'finding' : 'findings'}: ${counts.join(', ')}`;
}
