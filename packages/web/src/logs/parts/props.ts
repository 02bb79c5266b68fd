// What every section receives.
import type { ReportCrawler } from 'maycrawl/api';
import type { LogData } from '../data/log-data.ts';
import type { View } from '../data/view.ts';

export interface SectionProps {
  readonly data: LogData;
  readonly view: View;
  /** The crawlers that the filter finds, in the order of their requests. */
  readonly crawlers: readonly ReportCrawler[];
  readonly onChange: (part: Partial<View>) => void;
  /** Opens the details of a crawler, and scrolls to them. */
  readonly onShow: (crawler: string) => void;
}
