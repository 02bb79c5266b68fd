/**
 * Reads the data from the file.
 *
 * @module
 */
import { type CensusReportData, type PackedReport, unpackReport } from 'maycrawl/api';

/** The data, and how many examples a number has at most. */
export interface Report {
  readonly data: CensusReportData;
  readonly maxExamples: number;
}

/** Reads the data. @throws {Error} if the document has none. */
export function readReport(): Report {
  const element = document.querySelector('script[data-report="census"]');
  if (element === null) throw new Error('the file contains no data');
  const packed = JSON.parse(element.textContent ?? '') as PackedReport;
  return { data: unpackReport(packed), maxExamples: packed.maxExamples };
}
