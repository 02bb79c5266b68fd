// Explains a preference: the deciding statement, the others, readings that lead to another value, and contradictions.
import type { PurposePreference } from '@maycrawl/core/preferences';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { PreferenceDetails } from '../judging/preferences.ts';
import { PURPOSES, type Purpose } from '../state/selected-preference.ts';
import { CrawlBadge, PreferenceBadge } from './preference-badge.tsx';
import {
  CONFLICT_TITLES,
  describeEffect,
  describePlace,
  describeRefusal,
  explainPreference,
  formatStatement,
  getDifferentReadings,
  getPurposeTitle,
} from './texts.ts';

interface PreferenceDetailsProps {
  readonly details: PreferenceDetails;
  readonly purpose: Purpose;
  /** Moves the cursor of the editor to a line. */
  readonly onLine: (line: number) => void;
}

/** Statements that are listed. */
const MAX_STATEMENTS = 20;

export function PreferenceDetailsView({ details, purpose, onLine }: PreferenceDetailsProps): JSX.Element {
  const { report, crawlSentence } = details;
  const preference = report.purposes[purpose] as PurposePreference;
  const readings = getDifferentReadings(preference.readings, preference.value);
  const others = Object.entries(report.purposes).filter(([name]) => !PURPOSES.includes(name as Purpose));
  return (
    <section class="explanation preference-details" aria-labelledby="why-use">
      <h2 id="why-use">
        <PreferenceBadge value={preference.value} />
        <span class="cell-name">
          <b>
            {visible(report.agent, 100)}, {getPurposeTitle(purpose)}
          </b>{' '}
          <span class="url">{visible(report.url)}</span>
        </span>
      </h2>
      <p class="sentence">{visible(explainPreference(details, purpose), 1_000)}</p>
      {preference.value === 'disallowed' && (
        <p class="sentence">{visible(describeRefusal(preference, report.agent), 1_000)}</p>
      )}
      {preference.statements.length > 0 && <Statements preference={preference} onLine={onLine} />}
      {readings.length > 0 && (
        <>
          <h3>It depends on the reader</h3>
          <p>The formats leave a point open. Programs that read it in another way come to another result:</p>
          <ul class="readings">
            {readings.map(({ text, value }) => (
              <li key={text}>
                {text}: <PreferenceBadge value={value} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Contradictions details={details} purpose={purpose} />
      {report.problems.length > 0 && (
        <>
          <h3>Not read</h3>
          <ul class="readings">
            {report.problems.slice(0, MAX_STATEMENTS).map(({ source, name, line, reason }) => (
              <li key={`${source} ${line} ${reason}`}>
                {visible(describePlace({ source, name, line }), 200)}: {visible(reason, 300)}
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Beside it</h3>
      <dl class="page-facts">
        <Fact name="Crawling">
          <CrawlBadge crawl={report.crawl} /> {visible(crawlSentence, 500)}
        </Fact>
        {others.map(([name, { value }]) => (
          <Fact key={name} name={visible(getPurposeTitle(name), 60)}>
            <PreferenceBadge value={value} />
          </Fact>
        ))}
        {report.licenses.slice(0, MAX_STATEMENTS).map(({ url, line }) => (
          <Fact key={`${url} ${line}`} name="Licence">
            <code>{visible(url, 300)}</code>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Statements({
  preference: { statements, value },
  onLine,
}: { readonly preference: PurposePreference } & Pick<PreferenceDetailsProps, 'onLine'>): JSX.Element {
  const more = statements.length - MAX_STATEMENTS;
  const rows = statements
    .slice(0, MAX_STATEMENTS)
    .map((statement, at) => ({ statement, effect: describeEffect(statement, at === 0, value) }));
  return (
    <>
      <h3>Statements</h3>
      <div class="scroll">
        <DataTable
          class="candidates"
          rows={rows}
          getRowClass={({ statement, effect }) =>
            effect === 'decides' ? 'winner' : statement.value === value ? '' : 'overridden'
          }
          columns={[
            { title: 'Where', getCell: ({ statement }) => <Place {...{ statement, onLine }} /> },
            {
              title: 'Statement',
              getCell: ({ statement }) => <code>{visible(formatStatement(statement), 320)}</code>,
            },
            {
              title: 'Result',
              getCell: ({ statement, effect }) => `${STATEMENT_RESULTS[statement.value]}: ${effect}`,
            },
          ]}
        />
      </div>
      <p class="aside">
        {more > 0 && `${formatOmitted(more, 'statement')} `}
        {statements.length > 1 && 'Of several statements, the most restrictive one decides.'}
      </p>
    </>
  );
}

type Statement = PurposePreference['statements'][number];

const STATEMENT_RESULTS: Readonly<Record<Statement['value'], string>> = {
  allowed: 'allows',
  disallowed: 'refuses',
  unknown: 'says nothing usable',
};

/** Where a statement is: a button if it is a line of the editor. */
function Place({
  statement,
  onLine,
}: { readonly statement: Statement } & Pick<PreferenceDetailsProps, 'onLine'>): JSX.Element {
  const { source, line } = statement;
  if (source !== 'robots.txt' || line === null) return <>{visible(describePlace(statement), 60)}</>;
  return (
    <button type="button" class="link" onClick={() => onLine(line)}>
      line {line}
    </button>
  );
}

function Contradictions({
  details: { report },
  purpose,
}: Pick<PreferenceDetailsProps, 'details' | 'purpose'>): JSX.Element | null {
  const conflicts = report.conflicts.flatMap(({ code, message, purpose: about }) =>
    code === 'readings-differ' || about !== purpose ? [] : [{ title: CONFLICT_TITLES[code], message }],
  );
  if (conflicts.length === 0) return null;
  return (
    <>
      <h3>Contradictions</h3>
      <ul class="readings">
        {conflicts.map(({ title, message }) => (
          <li key={message}>
            <b>{title}:</b> {visible(message, 500)}.
          </li>
        ))}
      </ul>
    </>
  );
}
