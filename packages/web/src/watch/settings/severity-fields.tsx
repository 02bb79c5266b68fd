// Severities that differ from the default, by aspect.
import { ASPECTS, type Aspect, type WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Select, toChoices } from '../../shared/fields/select.tsx';
import { SEVERITIES } from '../../shared/severity.tsx';

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
        {(Object.keys(ASPECTS) as Aspect[]).map((aspect) => (
          <Select
            key={aspect}
            label={ASPECTS[aspect].label}
            value={severity[aspect] ?? ''}
            choices={[['', 'default'], ...toChoices(SEVERITIES)]}
            onChoose={(value) => choose(aspect, value)}
          />
        ))}
      </div>
    </details>
  );
}
