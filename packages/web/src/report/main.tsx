/**
 * The report of an audit: where it starts.
 *
 * @module
 */
import { render } from 'preact';
import { readData } from './data/report-data.ts';
import { ReportApp } from './report-app.tsx';
import './report.css';

const root = document.getElementById('page');
if (root !== null) render(<ReportApp data={readData()} />, root);
