/**
 * Starts the report of an audit.
 *
 * @module
 */
import { render } from 'preact';
import { readReportData } from './data/report-data.ts';
import { ReportApp } from './report-app.tsx';
import './report.css';

const root = document.getElementById('page');
if (root !== null) render(<ReportApp data={readReportData()} />, root);
