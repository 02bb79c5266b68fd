// The findings of the linter as a list below the editor. The editor shows them in its margin.
import { type Finding, groupFindings } from '@maycrawl/core/lint';
import type { JSX } from 'preact';
import { SEVERITIES, SeverityBadge } from '../../shared/severity.tsx';
import { formatCount, formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { LintResult } from '../judging/use-results.ts';
import { describeSuggestion } from './findings.ts';

interface FindingsListProps {
  readonly found: LintResult;
  readonly onGo: (finding: Finding) => void;
  readonly onFix: (findings: readonly Finding[]) => void;
  readonly onSuggestion: (findings: readonly Finding[]) => void;
}

/** Groups of findings that are listed. The editor marks all findings. */
const MAX_LISTED = 100;

/** Lists findings, those with the same message as one. */
export function FindingsList({ found, onGo, onFix, onSuggestion }: FindingsListProps): JSX.Element {
  const { findings, total } = found;
  const fixable = findings.filter(({ fix }) => fix !== undefined);
  const groups = groupFindings(findings, ({ message }) => message).slice(0, MAX_LISTED);
  const listed = groups.reduce((sum, group) => sum + group.findings.length, 0);
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
        {groups.map(({ findings: group, lines }) => {
          const [first] = group;
          return (
            <li key={`${first.line} ${first.column} ${first.code}`}>
              <SeverityBadge severity={first.severity} />
              <button type="button" class="link" onClick={() => onGo(first)}>
                {lines}
              </button>
              <span class="finding-message">
                {visible(first.message)} <code>{first.code}</code>
              </span>
              {first.fix !== undefined && (
                <button type="button" class="small" onClick={() => onFix(group)}>
                  Fix<span class="unseen"> {lines}</span>
                </button>
              )}
              {first.suggestion !== undefined && (
                <button type="button" class="small" onClick={() => onSuggestion(group)}>
                  {describeSuggestion(first.suggestion)}
                  <span class="unseen"> {lines}</span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {listed < total && <p>{formatOmitted(total - listed, 'finding')}</p>}
    </details>
  );
}

function formatSummary({ findings, total }: LintResult): string {
  const counts = SEVERITIES.map(
    (severity) => [findings.filter((each) => each.severity === severity).length, severity] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, severity]) =>
      formatCount(count, severity, severity === 'info' ? severity : `${severity}s`),
    );
  return `${formatCount(total, 'finding')}: ${counts.join(', ')}`;
}
