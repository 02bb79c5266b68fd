// Severities that differ from the default, by aspect.
import type { Aspect, WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Select, toChoices } from '../../shared/fields/select.tsx';
import { SEVERITIES } from '../../shared/severity.tsx';
import { ASPECT_LABELS } from '../text.ts';

const ASPECTS = Object.entries(ASPECT_LABELS) as [Aspect, string][];

interface SeverityFieldsProps {
  readonly severity: WatchJson<'Severities'>;
  readonly onSeverity: (severity: WatchJson<'Severities'>) => void;
}

export function SeverityFields({ severity, onSeverity }: SeverityFieldsProps): JSX.Element {
  const choose = (aspect: Aspect, value: string): void => {
    const { [aspect]: _, ...others } = severity;
    onSeverity(value === '' ? others : { ...others, [aspect]: value as WatchJson<'Severity'> });
  };
  return (
    <details>
      <summary>Severity of each kind of change</summary>
      <div class="severities">
        {ASPECTS.map(([aspect, label]) => (
          <Select
            key={aspect}
            label={label}
            value={severity[aspect] ?? ''}
            choices={[['', 'default'], ...toChoices(SEVERITIES)]}
            onChoose={(value) => choose(aspect, value)}
          />
        ))}
      </div>
    </details>
  );
}
