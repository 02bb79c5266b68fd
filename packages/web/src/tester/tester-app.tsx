/**
 * The page: the file on one side, what follows from it on the other.
 *
 * @module
 */
import type { EditorView } from '@codemirror/view';
import type { Finding } from '@maycrawl/core/lint';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { hasAudits, isMonitorThere, isServiceThere } from '../shared/service.ts';
import { Tabs } from '../shared/tabs.tsx';
import { OutagePanel } from '../weather/outage-panel.tsx';
import { ComparePanel } from './compare/compare-panel.tsx';
import type { DecidingLines } from './editor/deciding-lines.ts';
import { Editor } from './editor/editor.tsx';
import { goTo } from './editor/findings.ts';
import { FindingsList } from './editor/findings-list.tsx';
import { ExplanationView } from './explanation/explanation.tsx';
import { VerdictNews } from './explanation/verdict-announcement.tsx';
import { FileNotices } from './file-notices.tsx';
import type { Explanation } from './judging/explain.ts';
import { Prover } from './judging/prover.ts';
import {
  useComparison,
  useExplanation,
  useFile,
  useFindings,
  useJudge,
  useMatrix,
} from './judging/use-answers.ts';
import { Load } from './load/load.tsx';
import type { RobotsAnswer } from './load/robots-answer.ts';
import { VerdictsPanel } from './matrix/verdicts-panel.tsx';
import {
  type PageState,
  type Panel,
  withFile,
  withoutOrigin,
  withPanel,
  withText,
} from './state/page-state.ts';
import { fileOfBytes } from './state/robots-file.ts';
import { Toolbar } from './toolbar.tsx';

const PANELS: readonly (readonly [Panel, string])[] = [
  ['verdicts', 'Verdicts'],
  ['compare', 'Compare'],
  ['outage', 'Outage'],
];

const NO_FINDINGS: readonly Finding[] = [];
const NO_LINES: DecidingLines = { winner: 0, losers: [], isAllowed: false };

/** The page, from what it begins with. */
export function App({
  first,
  firstNotice,
}: {
  readonly first: PageState;
  readonly firstNotice: string | null;
}): JSX.Element {
  const [state, update] = useState(first);
  const [notice, setNotice] = useState(firstNotice);
  const view = useRef<EditorView | null>(null);
  const mender = useRef(new Prover());

  const judge = useJudge();
  const file = useFile(state);
  const isComparing = state.panel === 'compare';
  const { content } = state.baseline;
  const baseline = useMemo(() => ({ ...file, content }), [content, file.profile, file.origin]);
  const matrix = useMatrix(judge, 'edited', file, state);
  const before = useMatrix(judge, 'baseline', isComparing ? baseline : null, state);
  const explanation = useExplanation(judge, file, state);
  const found = useFindings(file);
  const comparing = useComparison(content, file.content, state.profile, isComparing);
  const deciding = useMemo(() => decidingLinesOf(explanation), [explanation]);

  const onMend = (findings: readonly Finding[]): void => {
    mender.current.ask({ kind: 'fix', file, findings }, (answer) => {
      if (answer.kind === 'fix' && answer.text !== null) update(withText(answer.text));
      else
        setNotice(
          answer.kind === 'failed'
            ? answer.message
            : 'Nothing was mended: that no verdict changes was not proved.',
        );
    });
  };
  const onLine = (line: number): void => {
    if (view.current !== null) goTo(view.current, { line, column: 1, length: 0 });
  };
  const onLoad = (answer: RobotsAnswer): void => {
    const { content: bytes, origin } = answer;
    if (bytes !== null) update(withFile(fileOfBytes(bytes), `live, ${origin}`, origin));
  };

  return (
    <>
      <header class="top">
        <h1>
          <img src="./favicon.svg" alt="" width="26" height="26" />
          maycrawl <span>robots.txt tester</span>
        </h1>
        {(isMonitorThere() || hasAudits()) && (
          <nav aria-label="Pages">
            {isMonitorThere() && <a href="./watch.html">Watched sites</a>}{' '}
            {hasAudits() && <a href="./audits.html">Audits</a>}
          </nav>
        )}
        <Toolbar state={state} matrix={matrix} onUpdate={update} onNotice={setNotice} />
      </header>
      <div role="status" class="notices">
        {notice !== null && (
          <p class="notice">
            {notice}{' '}
            <button type="button" class="link" onClick={() => setNotice(null)}>
              Dismiss
            </button>
          </p>
        )}
      </div>
      <main>
        <section class="left" aria-label="The file">
          {isServiceThere() && <Load onLoad={onLoad} />}
          <FileNotices state={state} onAnySite={() => update(withoutOrigin)} />
          <Editor
            text={state.file.text}
            findings={found?.findings ?? NO_FINDINGS}
            deciding={deciding}
            onText={(text) => update(withText(text))}
            onMend={(finding) => onMend([finding])}
            onRefused={() =>
              setNotice('That is too much: 1 MiB can be edited, and crawlers read half of it.')
            }
            onReady={(ready) => {
              view.current = ready;
            }}
          />
          {found !== null && (
            <FindingsList
              found={found}
              onGo={(finding) => view.current !== null && goTo(view.current, finding)}
              onMend={onMend}
            />
          )}
        </section>
        <section class="right" aria-label="What follows from it">
          <Tabs
            label="What to look at"
            tabs={PANELS}
            current={state.panel}
            onChoose={(panel) => update(withPanel(panel))}
          >
            {state.panel === 'verdicts' && (
              <>
                <VerdictsPanel state={state} matrix={matrix} onUpdate={update} onNotice={setNotice} />
                {explanation !== null && <ExplanationView explanation={explanation} onLine={onLine} />}
              </>
            )}
            {state.panel === 'compare' && (
              <ComparePanel
                state={state}
                comparing={comparing}
                before={before}
                after={matrix}
                onUpdate={update}
              />
            )}
            {state.panel === 'outage' && <OutagePanel profile={state.profile} />}
          </Tabs>
          <VerdictNews explanation={explanation} />
        </section>
      </main>
      <footer class="bottom">What you type is judged in this browser, and stays there.</footer>
    </>
  );
}

function decidingLinesOf(explanation: Explanation | null): DecidingLines {
  if (explanation === null) return NO_LINES;
  const { line, candidates, kind } = explanation;
  const losers = candidates.filter(({ fate }) => fate !== 'wins').map((each) => each.line);
  return { winner: line, losers, isAllowed: kind === 'allowed' };
}
