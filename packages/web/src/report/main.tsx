// Starts the report of an audit.
import type { AuditSections } from 'maycrawl/api';
import { showReport } from '../shared/report-page.tsx';
import { ReportData } from './data/report-data.ts';
import { ReportApp } from './report-app.tsx';
import './report.css';

void showReport<AuditSections>((data) => <ReportApp data={new ReportData(data)} />);
