// What every section receives.
import type { CensusReportData } from 'maycrawl/api';
import type { View } from '../data/view.ts';

/** The data, and what is chosen. */
export interface SectionProps {
  readonly data: CensusReportData;
  readonly view: View;
  readonly onChange: (part: Partial<View>) => void;
}
