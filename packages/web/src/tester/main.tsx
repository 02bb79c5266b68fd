// Starts the tester page with the state of the link, or with the sample.
import { render } from 'preact';
import { initialState } from './state/page-state.ts';
import { fromFragment, isFragment } from './state/share-link.ts';
import { TesterApp } from './tester-app.tsx';

const BROKEN = 'This link is not valid. The sample is shown instead.';

const root = document.getElementById('page');
if (root !== null) {
  const shared = await fromFragment(location.hash, initialState());
  const notice = shared === null && isFragment(location.hash) ? BROKEN : null;
  render(<TesterApp first={shared ?? initialState()} firstNotice={notice} />, root);
}
// Another link was opened in this tab.
addEventListener('hashchange', () => {
  if (isFragment(location.hash)) location.reload();
});
