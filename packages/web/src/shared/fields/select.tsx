// A choice among values.
import type { JSX } from 'preact';

interface SelectProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
  /** Whether only screen readers have the label. @defaultValue false */
  readonly isLabelHidden?: boolean;
  /** Of the label. */
  readonly class?: string;
}

export function Select<Value extends string | number>(props: SelectProps<Value>): JSX.Element {
  const { label, value, choices, onChoose, isLabelHidden = false } = props;
  const choose = (index: number): void => {
    const choice = choices[index];
    if (choice !== undefined) onChoose(choice[0]);
  };
  const select = (
    <select
      value={value}
      aria-label={isLabelHidden ? label : undefined}
      onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}
    >
      {choices.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
  if (isLabelHidden) return select;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains the select element.
    <label class={props.class}>
      {label} {select}
    </label>
  );
}

/** Choices whose texts are their values. */
export function toChoices<Value extends string | number>(
  values: readonly Value[],
): (readonly [Value, string])[] {
  return values.map((value) => [value, String(value)]);
}
