// Fields for the sources of preferences beside the robots.txt.
import type { JSX } from 'preact';
import { RequestStatus } from '../../shared/requests/request-status.tsx';
import { visible } from '../../shared/visible.ts';
import {
  findSourceProblem,
  hasSources,
  MAX_SOURCE,
  SOURCE_NAMES,
  type SourceName,
  type SourceTexts,
} from '../state/declaration-sources.ts';
import { type Update, withSources } from '../state/page-state.ts';
import { useSourcesRequest } from './request-sources.ts';

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
  /** The URL whose page the service can request; `null` without a service, or if it cannot be requested. */
  readonly requestUrl: string | null;
  readonly onUpdate: (update: Update) => void;
}

/** Shows the fields, which the user opens. */
export function SourcesForm({ sources, requestUrl, onUpdate }: SourcesFormProps): JSX.Element {
  const count = SOURCE_NAMES.filter((name) => sources[name].trim() !== '').length;
  return (
    <details class="sources">
      <summary>More sources: headers, page, tdmrep.json, RSL{count > 0 && <b> ({count} in use)</b>}</summary>
      <p class="aside">
        A site can also declare preferences outside of its robots.txt. Paste what you have. It stays in this
        browser.
      </p>
      {requestUrl !== null && <RequestSources url={requestUrl} onUpdate={onUpdate} />}
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

function RequestSources({
  url,
  onUpdate,
}: { readonly url: string } & Pick<SourcesFormProps, 'onUpdate'>): JSX.Element {
  const { isRunning, result, problems, onRequest } = useSourcesRequest();
  const request = (): void => onRequest(url, (texts) => onUpdate(withSources(texts)));
  return (
    <>
      <p>
        <button type="button" onClick={request} disabled={isRunning}>
          Request the page and tdmrep.json
        </button>{' '}
        <span class="aside">
          The service requests <code>{visible(url, 200)}</code> once, if robots.txt allows that.
        </span>
      </p>
      <RequestStatus {...{ isRunning, result }} pending="Requesting…" onToken={request}>
        {problems.map((problem) => (
          <p key={problem} class="problem">
            {visible(problem, 500)}
          </p>
        ))}
        {problems.length === 0 && <p>Read. The fields contain what can state preferences.</p>}
      </RequestStatus>
    </>
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
        onInput={({ currentTarget }) => onUpdate(withSources({ [name]: currentTarget.value }))}
      />
      {problem !== null && <span class="problem">{problem}</span>}
    </label>
  );
}
