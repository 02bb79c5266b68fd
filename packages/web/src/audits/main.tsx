// The entry of the page of audits.
import { render } from 'preact';
import { AuditsApp } from './audits-app.tsx';

const root = document.getElementById('page');
if (root !== null) render(<AuditsApp />, root);
