// The resources that a finding is about.
import type { FindingCode } from 'maycrawl/api';
import type { BlockedResource, ReportData } from './report-data.ts';

/** Returns the blocked resources of a page that a finding is about; none for other kinds of findings. */
export function getFindingResources(
  data: ReportData,
  code: FindingCode,
  index: number,
  agent: number,
): BlockedResource[] {
  if (code !== 'blocked-resource' && code !== 'blocked-image') return [];
  return data
    .getBlockedResources(index, agent)
    .filter(({ kinds }) => kinds.some((kind) => (kind === 'image') === (code === 'blocked-image')));
}
