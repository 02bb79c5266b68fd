/**
 * The findings of the linter as a list below the editor. The editor shows them in its margin.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';
import type { JSX } from 'preact';
import { formatCount, formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { LintResult } from '../judging/use-results.ts';

interface FindingsListProps {
  readonly found: LintResult;
  readonly onGo: (finding: Finding) => void;
  readonly onFix: (findings: readonly Finding[]) => void;
}

/** Findings that are listed. The editor marks all of them. */
const MAX_LISTED = 100;

/** Lists findings. */
export function FindingsList({ found, onGo, onFix }: FindingsListProps): JSX.Element {
  const { findings, total } = found;
  const fixable = findings.filter(({ fix }) => fix !== undefined);
  if (total === 0) return <p class="findings-none">No findings.</p>;
  return (
    <details class="findings">
      <summary>{formatSummary(found)}</summary>
      {fixable.length > 0 && (
        <button type="button" onClick={() => onFix(fixable)}>
          Fix {formatCount(fixable.length, 'finding')} without changing any verdict
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
              <button type="button" class="small" onClick={() => onFix([finding])}>
                Fix<span class="unseen"> line {finding.line}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {total > MAX_LISTED && <p>{formatOmitted(total - MAX_LISTED, 'finding')}</p>}
    </details>
  );
}

function formatSummary({ findings, total }: LintResult): string {
  const counts = (['error', 'warning', 'info'] as const)
    .map((severity) => [findings.filter((each) => each.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) =>
      formatCount(count, severity, severity === 'info' ? severity : `${severity}s`),
    );
  return `${formatCount(total, 'finding')}: ${counts.join(', ')}`;
}
