/**
 * Fields for the sources of preferences beside the robots.txt.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import {
  findSourceProblem,
  hasSources,
  MAX_SOURCE,
  SOURCE_NAMES,
  type SourceName,
  type SourceTexts,
} from '../state/declaration-sources.ts';
import { type Update, withSource, withSources } from '../state/page-state.ts';

const FIELDS: Readonly<Record<SourceName, { readonly label: string; readonly example: string }>> = {
  headers: { label: 'Headers of the response', example: 'Content-Usage: train-ai=n' },
  html: {
    label: 'HTML of the page, or its meta elements',
    example: '<meta name="robots" content="noai">',
  },
  tdmrep: {
    label: '/.well-known/tdmrep.json',
    example: '[{ "location": "/", "tdm-reservation": 1 }]',
  },
  rsl: {
    label: 'RSL document',
    example: '<rsl xmlns="https://rslstandard.org/rsl">…',
  },
};

interface SourcesFormProps {
  readonly sources: SourceTexts;
  readonly onUpdate: (update: Update) => void;
}

/** Shows the fields, which the user opens. */
export function SourcesForm({ sources, onUpdate }: SourcesFormProps): JSX.Element {
  const count = SOURCE_NAMES.filter((name) => sources[name].trim() !== '').length;
  return (
    <details class="sources">
      <summary>More sources: headers, page, tdmrep.json, RSL{count > 0 && <b> ({count} in use)</b>}</summary>
      <p class="aside">
        A site can also declare preferences outside of its robots.txt. Paste what you have. It stays in this
        browser.
      </p>
      {sources.pageUrl !== null && (
        <p class="notice plain">
          The headers and the HTML count only for <code>{visible(sources.pageUrl, 200)}</code>.{' '}
          <button type="button" class="link" onClick={() => onUpdate(withSources({ pageUrl: null }))}>
            Count them for every URL
          </button>
        </p>
      )}
      <div class="source-fields">
        {SOURCE_NAMES.map((name) => (
          <SourceField key={name} name={name} text={sources[name]} onUpdate={onUpdate} />
        ))}
      </div>
      {hasSources(sources) && (
        <button
          type="button"
          onClick={() => onUpdate(withSources({ headers: '', html: '', tdmrep: '', rsl: '', pageUrl: null }))}
        >
          Clear all
        </button>
      )}
    </details>
  );
}

interface SourceFieldProps extends Pick<SourcesFormProps, 'onUpdate'> {
  readonly name: SourceName;
  readonly text: string;
}

function SourceField({ name, text, onUpdate }: SourceFieldProps): JSX.Element {
  const { label, example } = FIELDS[name];
  const problem = findSourceProblem(name, text);
  return (
    <label>
      {label}
      <textarea
        rows={3}
        spellcheck={false}
        maxLength={MAX_SOURCE}
        placeholder={example}
        value={text}
        onInput={({ currentTarget }) => onUpdate(withSource(name, currentTarget.value))}
      />
      {problem !== null && <span class="problem">{problem}</span>}
    </label>
  );
}
