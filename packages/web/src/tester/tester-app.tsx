// The tester page: the file on one side, verdicts and comparisons on the other.
import type { EditorView } from '@codemirror/view';
import type { Finding } from '@maycrawl/core/lint';
import type { RobotsReport } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { OutagePanel } from '../outages/outage-panel.tsx';
import { decodeBase64 } from '../shared/base64.ts';
import { hasAudits, hasMonitor, hasService, readPolicyCode } from '../shared/requests/service.ts';
import { Tabs } from '../shared/tabs.tsx';
import { ComparePanel } from './compare/compare-panel.tsx';
import { Editor } from './editor/editor.tsx';
import { applySuggestions, goTo } from './editor/findings.ts';
import { FindingsList } from './editor/findings-list.tsx';
import { ChangeAnnouncement } from './explanation/change-announcement.tsx';
import { ExplanationView } from './explanation/explanation.tsx';
import { describeVerdict, getDecidingLines } from './explanation/selected-verdict.ts';
import { FileNotices } from './file-notices.tsx';
import { Prover } from './judging/prover.ts';
import { usePreferenceDetails, usePreferenceInput } from './judging/use-preferences.ts';
import {
  useComparison,
  useExplanation,
  useFile,
  useFindings,
  useJudge,
  useMatrix,
} from './judging/use-results.ts';
import { Load } from './load/load.tsx';
import { VerdictsPanel } from './matrix/matrix.tsx';
import { usePageCheck } from './page/page-check.ts';
import { PagePanel } from './page/page-panel.tsx';
import { getPreferenceLines } from './preferences/preference-lines.ts';
import { PreferencesPanel } from './preferences/preferences-panel.tsx';
import { describePreference } from './preferences/texts.ts';
import {
  type PageState,
  type Panel,
  withComputedFile,
  withFile,
  withPart,
  withPastedText,
  withSitemapUrls,
  withText,
} from './state/page-state.ts';
import { createTextFile, decodeFile, getContent } from './state/robots-file.ts';
import { selectPreference } from './state/selected-preference.ts';
import { Toolbar } from './toolbar.tsx';

const PANELS: readonly (readonly [Panel, string])[] = [
  ['verdicts', 'Verdicts'],
  ['preferences', 'AI and use'],
  ['compare', 'Compare'],
  ['page', 'Page'],
  ['outage', 'Outage'],
];

const NO_FINDINGS: readonly Finding[] = [];

/** The page. @param first - its initial state. */
export function TesterApp({
  first,
  firstNotice,
}: {
  readonly first: PageState;
  readonly firstNotice: string | null;
}): JSX.Element {
  const [state, update] = useState(first);
  const [notice, setNotice] = useState(firstNotice);
  const view = useRef<EditorView | null>(null);
  const notices = useRef<HTMLDivElement>(null);
  const fixer = useRef(new Prover());
  const latest = useRef(state.file);
  latest.current = state.file;

  const pageCheck = usePageCheck();
  const judge = useJudge();
  const file = useFile(state);
  const isComparing = state.panel === 'compare';
  const { content } = state.baseline;
  const baseline = useMemo(() => ({ ...file, content }), [content, file.profile, file.origin]);
  const matrix = useMatrix(judge, 'edited', file, state);
  const before = useMatrix(judge, 'baseline', isComparing ? baseline : null, state);
  const explanation = useExplanation(judge, file, state);
  const found = useFindings(file);
  const comparison = useComparison(content, file.content, state.profile, isComparing);
  const preferences = usePreferenceInput(state, file);
  const preference = selectPreference(state.preference, preferences.crawlers);
  const isAboutUse = state.panel === 'preferences';
  const details = usePreferenceDetails(judge, preferences, isAboutUse ? preference.crawler : null);
  const deciding = useMemo(
    () =>
      isAboutUse && details !== null
        ? getPreferenceLines(details, preference.purpose)
        : getDecidingLines(explanation),
    [explanation, isAboutUse, details, preference.purpose],
  );

  const onFix = (findings: readonly Finding[]): void => {
    fixer.current.request({ kind: 'fix', file, findings }, (result) => {
      if (result.kind === 'fix' && result.bytes !== null) {
        const isSame = getContent(latest.current) === file.content;
        if (isSame) {
          update(withComputedFile(file.content, result.bytes));
          // The button that was pressed may be gone.
          view.current?.focus();
        } else setNotice('Nothing was fixed, because the text was edited meanwhile. Fix it again.');
      } else
        setNotice(
          result.kind === 'failed'
            ? result.message
            : 'Nothing was fixed: there is no proof that the verdicts stay the same.',
        );
    });
  };
  const onDismiss = (): void => {
    setNotice(null);
    // The button is gone: without this, the focus would be at the beginning of the page.
    notices.current?.focus();
  };
  const onLine = (line: number): void => {
    if (view.current !== null) goTo(view.current, { line, column: 1, length: 0 });
  };
  const onLoad = ({ content: encoded, origin, policy }: RobotsReport, url: string): void => {
    if (encoded !== null)
      update(withFile(decodeFile(decodeBase64(encoded)), `live, ${origin}`, { origin, url }));
    else if (readPolicyCode(policy) === 'unavailable')
      update(withFile(createTextFile(''), `live, ${origin} (no robots.txt)`, { origin, url }));
  };

  return (
    <>
      <header class="top">
        <h1>
          <img src="./favicon.svg" alt="" width="26" height="26" />
          maycrawl <span>robots.txt tester</span>
        </h1>
        {(hasMonitor() || hasAudits()) && (
          <nav aria-label="Pages">
            {hasMonitor() && <a href="./watch.html">Watched sites</a>}{' '}
            {hasAudits() && <a href="./audits.html">Audits</a>}
          </nav>
        )}
        <Toolbar state={state} matrix={matrix} onUpdate={update} onNotice={setNotice} />
      </header>
      <div role="status" class="notices" tabIndex={-1} ref={notices}>
        {notice !== null && (
          <p class="notice">
            {notice}{' '}
            <button type="button" class="link" onClick={onDismiss}>
              Dismiss
            </button>
          </p>
        )}
      </div>
      <main>
        <section class="left" aria-label="File">
          {hasService() && (
            <Load
              isSampled={!state.hasOwnUrls}
              onLoad={onLoad}
              onSample={({ origin, urls }) => update(withSitemapUrls(origin, urls))}
            />
          )}
          <FileNotices state={state} onAnySite={() => update(withPart({ origin: null }))} />
          <Editor
            text={state.file.text}
            findings={found?.kind === 'findings' ? found.findings : NO_FINDINGS}
            deciding={deciding}
            onText={(text, isPaste) => update(isPaste ? withPastedText(text) : withText(text))}
            onFix={(finding) => onFix([finding])}
            onRefused={() =>
              setNotice('The text is too long. The limit is 1 MiB, and crawlers read only half of it.')
            }
            onReady={(ready) => {
              view.current = ready;
            }}
          />
          {found?.kind === 'failed' && (
            <p class="problem" role="status">
              The findings are not up to date. {found.message}
            </p>
          )}
          {found?.kind === 'findings' && (
            <FindingsList
              found={found}
              onGo={(finding) => view.current !== null && goTo(view.current, finding)}
              onFix={onFix}
              onSuggestion={(findings) => view.current !== null && applySuggestions(view.current, findings)}
            />
          )}
        </section>
        <section class="right" aria-label="Results">
          <Tabs
            label="Results"
            tabs={PANELS}
            current={state.panel}
            onChoose={(panel) => update(withPart({ panel }))}
          >
            {state.panel === 'verdicts' && (
              <>
                <VerdictsPanel state={state} matrix={matrix} onUpdate={update} onNotice={setNotice} />
                {explanation !== null && <ExplanationView explanation={explanation} onLine={onLine} />}
              </>
            )}
            {state.panel === 'preferences' && (
              <PreferencesPanel
                judge={judge}
                input={preferences}
                state={state}
                selected={preference}
                details={details}
                onUpdate={update}
                onNotice={setNotice}
                onLine={onLine}
              />
            )}
            {state.panel === 'compare' && (
              <ComparePanel
                state={state}
                comparison={comparison}
                before={before}
                after={matrix}
                onUpdate={update}
              />
            )}
            {state.panel === 'page' && (
              <PagePanel
                check={pageCheck}
                selectedUrl={state.urls[state.selected.row] ?? ''}
                crawlers={state.crawlers}
                profile={state.profile}
              />
            )}
            {state.panel === 'outage' && <OutagePanel profile={state.profile} />}
          </Tabs>
          <ChangeAnnouncement
            cell={isAboutUse ? describePreference(details, preference) : describeVerdict(explanation)}
          />
        </section>
      </main>
      <footer class="bottom">
        {hasService()
          ? 'The file and the URLs stay in this browser. Only the host of a site that you load and the URL of a page that you check or request are sent to the service.'
          : 'Everything runs in this browser. Your input is not sent to a server.'}
      </footer>
    </>
  );
}
