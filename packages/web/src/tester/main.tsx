/**
 * The start: what the link holds, else the sample.
 *
 * @module
 */
import { render } from 'preact';
import { initialState } from './state/page-state.ts';
import { fromFragment, isFragment } from './state/share-link.ts';
import { App } from './tester-app.tsx';

const BROKEN = 'This link does not hold what it should; the sample is shown instead.';

const root = document.getElementById('page');
if (root !== null) {
  const shared = await fromFragment(location.hash, initialState());
  const notice = shared === null && isFragment(location.hash) ? BROKEN : null;
  render(<App first={shared ?? initialState()} firstNotice={notice} />, root);
}
// Another link that is opened in this tab.
addEventListener('hashchange', () => {
  if (isFragment(location.hash)) location.reload();
});
