// Explains a verdict: the group, the matching rules, the winner, and why the others lose.
import type { JSX } from 'preact';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { CELL } from '../judging/cell.ts';
import type { Candidate, Explanation, SearchedToken } from '../judging/explain.ts';
import { VerdictBadge } from '../matrix/verdict-badge.tsx';
import { OperatorFacts } from './operator-facts.tsx';

interface ExplanationViewProps {
  readonly explanation: Explanation;
  /** Moves the cursor of the editor to a line. */
  readonly onLine: (line: number) => void;
}

const CELLS = { allowed: CELL.allowed, disallowed: CELL.disallowed, 'out-of-scope': CELL.none };

export function ExplanationView({ explanation, onLine }: ExplanationViewProps): JSX.Element {
  const { url, crawler, kind, sentence, path, isNormalized, tokens, candidates, more, ruleCount } =
    explanation;
  return (
    <section class="explanation" aria-labelledby="why">
      <h2 id="why">
        <VerdictBadge cell={CELLS[kind]} />
        <span class="cell-name">
          <b>{crawler}</b> <span class="url">{visible(url)}</span>
        </span>
      </h2>
      <p class="sentence">{visible(sentence, 2000)}</p>
      {isNormalized && path !== null && (
        <p>
          Requested and matched as <code>{visible(path)}</code>.
        </p>
      )}
      {tokens.length > 0 && (
        <>
          <h3>Group</h3>
          <ol class="tokens">
            {tokens.map((each) => (
              <li key={each.token} class={each.result}>
                <code>{each.token}</code>: <TokenResult token={each} onLine={onLine} />
              </li>
            ))}
          </ol>
        </>
      )}
      {candidates.length > 0 && (
        <>
          <h3>Matching rules</h3>
          <Candidates candidates={candidates} onLine={onLine} />
          <p class="aside">
            {more > 0 && `${formatOmitted(more, 'matching rule')} `}
            {describeOthers(ruleCount - candidates.length - more)}
          </p>
        </>
      )}
      <OperatorFacts key={crawler} crawler={crawler} />
    </section>
  );
}

const PRECEDENCE = 'The longest pattern wins; on a tie, allow wins.';

function describeOthers(count: number): string {
  if (count <= 0) return PRECEDENCE;
  return `${formatCount(count, 'other rule')} of the group ${count === 1 ? 'does' : 'do'} not match. ${PRECEDENCE}`;
}

interface TokenResultProps extends Pick<ExplanationViewProps, 'onLine'> {
  readonly token: SearchedToken;
}

function TokenResult({ token: { result, lines }, onLine }: TokenResultProps): JSX.Element {
  if (result === 'absent') return <span>no group</span>;
  const links = <Lines lines={lines} onLine={onLine} />;
  if (result === 'used') return <span>this group applies ({links})</span>;
  if (result === 'ignored') return <span>this crawler does not obey it</span>;
  return <span>another group applies instead ({links})</span>;
}

const MAX_LINES = 5;

function Lines({
  lines,
  onLine,
}: { readonly lines: readonly number[] } & Pick<ExplanationViewProps, 'onLine'>): JSX.Element {
  return (
    <>
      {lines.slice(0, MAX_LINES).map((line) => (
        <LineButton key={line} line={line} onLine={onLine} />
      ))}
      {lines.length > MAX_LINES && ` and ${lines.length - MAX_LINES} more`}
    </>
  );
}

function LineButton({
  line,
  onLine,
}: { readonly line: number } & Pick<ExplanationViewProps, 'onLine'>): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => onLine(line)}>
      line {line}
    </button>
  );
}

const RESULTS: Readonly<Record<Candidate['result'], string>> = {
  wins: 'wins: the longest pattern',
  shorter: 'loses: shorter',
  tie: 'loses: same length, and allow wins',
  later: 'loses: same length, but further down',
  empty: 'empty: disallows nothing',
};

function Candidates({
  candidates,
  onLine,
}: Pick<Explanation, 'candidates'> & Pick<ExplanationViewProps, 'onLine'>): JSX.Element {
  return (
    <div class="scroll">
      <DataTable
        class="candidates"
        rows={candidates}
        getKey={({ line }) => line}
        getRowClass={({ result, kind }) => (result === 'wins' ? `winner ${kind}` : 'overridden')}
        columns={[
          { title: 'Line', getCell: ({ line }) => <LineButton line={line} onLine={onLine} /> },
          { title: 'Rule', getCell: (candidate) => <Rule {...candidate} /> },
          { title: 'Length', kind: 'number', getCell: ({ priority }) => priority },
          {
            title: 'Result',
            getCell: ({ result, priority }) =>
              result === 'wins' && priority === 0 ? RESULTS.empty : RESULTS[result],
          },
        ]}
      />
    </div>
  );
}

function Rule({ kind, text, pattern }: Candidate): JSX.Element {
  return (
    <>
      <code>
        {kind === 'allow' ? 'Allow' : 'Disallow'}: {visible(text, 200)}
      </code>
      {pattern !== null && (
        <>
          {' '}
          matched as <code>{visible(pattern, 200)}</code>
        </>
      )}
    </>
  );
}
