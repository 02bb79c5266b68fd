// What all parts of the report share, so that no part passes it on.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Filter } from './data/filter.ts';
import type { ReportData } from './data/report-data.ts';

interface Report {
  readonly data: ReportData;
  /** Index of the chosen crawler. */
  readonly agent: number;
  /** Opens the evidence about a URL. */
  readonly onOpen: (index: number) => void;
  /** Opens the table of the URLs that meet conditions. */
  readonly onFilter: (filter: Filter) => void;
}

export const ReportContext = createContext<Report | null>(null);

export function useReport(): Report {
  const report = useContext(ReportContext);
  if (report === null) throw new Error('the component is outside of a report');
  return report;
}
