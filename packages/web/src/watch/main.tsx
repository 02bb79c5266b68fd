// Starts the monitor pages.
import { render } from 'preact';
import { WatchApp } from './watch-app.tsx';

const root = document.getElementById('page');
if (root !== null) render(<WatchApp />, root);
