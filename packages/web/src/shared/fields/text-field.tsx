// A line of text that is no prose: the browser neither checks its spelling nor changes its case.
import type { JSX } from 'preact';

interface TextFieldProps {
  readonly label: string;
  /** @defaultValue `text` */
  readonly type?: 'text' | 'password';
  readonly inputMode?: 'url';
  readonly placeholder?: string;
  readonly autoComplete?: 'off';
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onEnter?: () => void;
  readonly onPaste?: (event: ClipboardEvent) => void;
  /** Whether only screen readers have the label, and the field takes the space of its row. @defaultValue false */
  readonly isInRow?: boolean;
}

export function TextField(props: TextFieldProps): JSX.Element {
  const { label, value, onValue, onEnter, isInRow = false, type = 'text', ...attributes } = props;
  return (
    <label class={isInRow ? 'add' : 'field'}>
      {isInRow ? <span class="unseen">{label}</span> : label}
      <input
        {...attributes}
        // The types of Preact distinguish inputs by their literal type.
        type={type as 'text'}
        spellcheck={false}
        autoCapitalize="none"
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
      />
    </label>
  );
}
