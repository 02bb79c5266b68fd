// The tab about the use of content: what the site declares for a URL, for each crawler and purpose.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Select } from '../../shared/fields/select.tsx';
import { hasService } from '../../shared/requests/service.ts';
import { formatCount, formatNumber, formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { Judge } from '../judging/judge.ts';
import type { CrawlerPreferences, PreferenceDetails } from '../judging/preferences.ts';
import {
  type OtherUrls,
  type PreferenceInput,
  useOtherUrls,
  usePreferenceTable,
} from '../judging/use-preferences.ts';
import { ListsBar } from '../matrix/lists-bar.tsx';
import { useCatalogue } from '../matrix/use-catalogue.ts';
import {
  type PageState,
  type Update,
  withComputedFile,
  withPart,
  withSelected,
} from '../state/page-state.ts';
import type { SelectedPreference } from '../state/selected-preference.ts';
import { groupRows } from './crawler-rows.ts';
import { PreferenceDetailsView } from './preference-details.tsx';
import { PreferenceGrid } from './preference-grid.tsx';
import { SourcesForm } from './sources-form.tsx';
import { WishesDialog } from './wishes-dialog.tsx';

interface PreferencesPanelProps {
  readonly judge: Judge;
  readonly input: PreferenceInput;
  readonly state: PageState;
  readonly selected: SelectedPreference;
  /** Those of the selected cell. */
  readonly details: PreferenceDetails | null;
  readonly onUpdate: (update: Update) => void;
  readonly onNotice: (notice: string | null) => void;
  /** Moves the cursor of the editor to a line. */
  readonly onLine: (line: number) => void;
}

export function PreferencesPanel(props: PreferencesPanelProps): JSX.Element {
  const { state, input, onUpdate, onNotice } = props;
  const [isWishing, setIsWishing] = useState(false);
  return (
    <>
      {isWishing && (
        <WishesDialog
          file={input.file}
          text={state.file.text}
          tdmrep={state.sources.tdmrep}
          onFile={(bytes) => onUpdate(withComputedFile(input.file.content, bytes))}
          onClose={() => setIsWishing(false)}
        />
      )}
      <section class="use-intro">
        <p>
          robots.txt decides whether a crawler may <b>fetch</b> a page. Other statements say how its content
          may be <b>used</b>. They are requests: crawlers need not follow them.
        </p>
        <button type="button" class="primary" onClick={() => setIsWishing(true)}>
          Keep search, refuse training…
        </button>
      </section>
      <ListsBar state={state} onUpdate={onUpdate} onNotice={onNotice} />
      {state.urls.length === 0 ? <p class="empty">Add a URL to see preferences.</p> : <Answers {...props} />}
      <SourcesForm
        sources={state.sources}
        requestUrl={hasService() && /^https?:/.test(input.url) ? input.url : null}
        onUpdate={onUpdate}
      />
    </>
  );
}

function Answers({
  judge,
  input,
  state,
  selected,
  details,
  onUpdate,
  onLine,
}: PreferencesPanelProps): JSX.Element {
  const { groups: catalogue } = useCatalogue();
  const table = usePreferenceTable(judge, input);
  const others = useOtherUrls(judge, input, state.urls, table);
  const groups = useMemo(
    () => (catalogue === null || table === null ? null : groupRows(catalogue, table.rows)),
    [catalogue, table],
  );
  const onUrl = (row: number): void => onUpdate(withSelected(row, state.selected.column));
  return (
    <>
      <UrlChoice urls={state.urls} row={state.selected.row} onChoose={onUrl} />
      {table !== null && isUndeclared(table.rows) && (
        <p class="notice plain">
          Nothing is declared about the use of this page, so each crawler decides for itself.
        </p>
      )}
      {groups === null ? (
        <p class="empty">Reading…</p>
      ) : (
        <PreferenceGrid
          groups={groups}
          selected={selected}
          isBusy={table?.input !== input}
          onSelect={(preference) => onUpdate(withPart({ preference }))}
        />
      )}
      <p class="aside">
        <b>unknown</b>: nothing is declared, which is neither permission nor refusal. <b>not applicable</b>:
        the crawler may not fetch the page. <b>disputed</b>: open the cell to see what disagrees.
      </p>
      {details !== null && details.report.agent === selected.crawler && (
        <PreferenceDetailsView details={details} purpose={selected.purpose} onLine={onLine} />
      )}
      {state.urls.length > 1 && (
        <OtherUrlList others={others} onChoose={(url) => onUrl(state.urls.indexOf(url))} />
      )}
    </>
  );
}

/** Whether no statement counts for any crawler. */
function isUndeclared(rows: readonly CrawlerPreferences[]): boolean {
  return !rows.some(({ values }) =>
    Object.values(values).some((value) => value === 'allowed' || value === 'disallowed'),
  );
}

/** URLs in the list of the browser, which is slow with many. */
const MAX_CHOICES = 300;

interface UrlChoiceProps {
  readonly urls: readonly string[];
  readonly row: number;
  readonly onChoose: (row: number) => void;
}

function UrlChoice({ urls, row, onChoose }: UrlChoiceProps): JSX.Element {
  const rows = urls.slice(0, MAX_CHOICES).map((_, at) => at);
  if (row >= MAX_CHOICES) rows.push(row);
  return (
    <Select
      class="url-choice"
      label="URL"
      value={row}
      choices={rows.map((at) => [at, visible(urls[at] ?? '', 200)])}
      onChoose={onChoose}
    />
  );
}

/** URLs that are listed. */
const MAX_LISTED = 12;

interface OtherUrlListProps {
  readonly others: OtherUrls | null;
  readonly onChoose: (url: string) => void;
}

function OtherUrlList({ others, onChoose }: OtherUrlListProps): JSX.Element {
  if (others === null) return <p class="aside">Comparing the other URLs…</p>;
  const { compared, omitted, different } = others;
  const more = different.length - MAX_LISTED;
  return (
    <div class="other-urls">
      <p>
        {describeOthers(others)}
        {omitted > 0 &&
          ` ${formatCount(omitted, 'URL')} of the list ${omitted === 1 ? 'was' : 'were'} not compared.`}
      </p>
      {different.length > 0 && compared > 0 && (
        <ul>
          {different.slice(0, MAX_LISTED).map((url) => (
            <li key={url}>
              <button type="button" class="link" onClick={() => onChoose(url)}>
                {visible(url, 120)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p class="aside">{formatOmitted(more, 'URL')}</p>}
    </div>
  );
}

/** "The other 8 URLs have the same values.", "3 of the other 8 URLs have other values:" */
export function describeOthers({ compared, different }: OtherUrls): string {
  const others = compared === 1 ? 'The other URL has' : `The other ${formatNumber(compared)} URLs have`;
  if (different.length === 0) return `${others} the same values.`;
  if (different.length === compared) return `${others} different values:`;
  return `${formatNumber(different.length)} of the other ${formatNumber(compared)} URLs ${different.length === 1 ? 'has' : 'have'} different values:`;
}
