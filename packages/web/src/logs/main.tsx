// Starts the report of logs.
import type { LogSections } from 'maycrawl/api';
import { showReport } from '../shared/report-page.tsx';
import { LogsApp } from './logs-app.tsx';
import './logs.css';

void showReport<LogSections>(({ log: [log] = [], crawlers = [] }) => {
  if (log === undefined) throw new Error('the data have no log');
  return <LogsApp data={{ log, crawlers }} />;
});
