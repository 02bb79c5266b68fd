/**
 * Why a verdict is as it is: the group, the rules that match, the winner, and why the others lose.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import { CELL } from '../judging/cell.ts';
import type { Candidate, Explanation, Sought } from '../judging/explain.ts';
import { VerdictBadge } from '../matrix/verdict-badge.tsx';

interface ExplanationViewProps {
  readonly explanation: Explanation;
  /** Goes to a line of the editor. */
  readonly onLine: (line: number) => void;
}

const CELLS = { allowed: CELL.allowed, disallowed: CELL.disallowed, 'out-of-scope': CELL.none };

/** Explains one verdict. */
export function ExplanationView({ explanation, onLine }: ExplanationViewProps): JSX.Element {
  const { url, crawler, kind, sentence, path, isNormalized, sought, candidates, more, ruleCount } =
    explanation;
  return (
    <section class="explanation" aria-labelledby="why">
      <h2 id="why">
        <VerdictBadge cell={CELLS[kind]} />
        <span class="asked">
          <b>{crawler}</b> <span class="url">{visible(url)}</span>
        </span>
      </h2>
      <p class="sentence">{visible(sentence, 2000)}</p>
      {isNormalized && path !== null && (
        <p>
          Requested, and matched, as <code>{visible(path)}</code>.
        </p>
      )}
      {sought.length > 0 && (
        <>
          <h3>Group</h3>
          <ol class="sought">
            {sought.map((each) => (
              <li key={each.token} class={each.fate}>
                <code>{each.token}</code> <Fate sought={each} onLine={onLine} />
              </li>
            ))}
          </ol>
        </>
      )}
      {candidates.length > 0 && (
        <>
          <h3>Rules that match</h3>
          <Candidates candidates={candidates} onLine={onLine} />
          <p class="aside">
            {more > 0 && `${more} more match. `}
            {othersOf(ruleCount - candidates.length - more)}
          </p>
        </>
      )}
    </section>
  );
}

function othersOf(count: number): string {
  if (count <= 0) return 'The longest pattern wins; allow wins ties.';
  return `${count === 1 ? 'One more rule' : `${count.toLocaleString('en')} more rules`} of the group ${count === 1 ? 'does' : 'do'} not match. The longest pattern wins; allow wins ties.`;
}

function Fate({
  sought: { fate, lines },
  onLine,
}: { readonly sought: Sought } & Pick<ExplanationViewProps, 'onLine'>): JSX.Element {
  if (fate === 'absent') return <span>no group names it</span>;
  const where = <Lines lines={lines} onLine={onLine} />;
  if (fate === 'used') return <span>its group applies: {where}</span>;
  if (fate === 'ignored') return <span>this crawler does not obey it</span>;
  return <span>not looked at any more: {where}</span>;
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

const FATES: Readonly<Record<Candidate['fate'], string>> = {
  wins: 'wins: the longest',
  shorter: 'loses: shorter',
  tie: 'loses: as long, and allow wins a tie',
  later: 'loses: as long, but further down',
  empty: 'empty: forbids nothing',
};

function Candidates({
  candidates,
  onLine,
}: Pick<Explanation, 'candidates'> & Pick<ExplanationViewProps, 'onLine'>): JSX.Element {
  return (
    <div class="scroll">
      <table class="candidates">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Rule</th>
            <th scope="col" class="number">
              Length
            </th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {candidates.map(({ line, kind, text, pattern, priority, fate }) => (
            <tr key={line} class={fate === 'wins' ? `winner ${kind}` : 'overridden'}>
              <td>
                <LineButton line={line} onLine={onLine} />
              </td>
              <td>
                <code>
                  {kind === 'allow' ? 'Allow' : 'Disallow'}: {visible(text, 200)}
                </code>
                {pattern !== null && (
                  <>
                    {' '}
                    here as <code>{visible(pattern, 200)}</code>
                  </>
                )}
              </td>
              <td class="number">{priority}</td>
              <td>{fate === 'wins' && priority === 0 ? 'empty: forbids nothing' : FATES[fate]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
