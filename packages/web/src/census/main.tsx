/**
 * Starts the report of a census.
 *
 * @module
 */
import { render } from 'preact';
import { CensusApp } from './census-app.tsx';
import './census.css';
import { readReport } from './data/read-report.ts';

const root = document.getElementById('page');
if (root !== null) render(<CensusApp {...readReport()} />, root);
