// Starts the report of a census.
import type { CensusSections } from 'maycrawl/api';
import { showReport } from '../shared/report-page.tsx';
import { CensusApp } from './census-app.tsx';
import './census.css';

void showReport<CensusSections>(({ census: [report] = [] }) => {
  if (report === undefined) throw new Error('the data have no census');
  return <CensusApp {...report} />;
});
