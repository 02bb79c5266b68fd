// Paths that stand for all others when a reading only decides about single URLs. Classes by probes are estimates, unlike those of the
// proof engine.
import type { RobotsTxt } from '@maycrawl/core';

/** Rules from which probes are made. */
const MAX_RULES = 200;
const MAX_PATTERN_LENGTH = 500;

/** Returns paths that the rules of a file distinguish: `/`, a path that no file names, and paths made from the first 200 distinct patterns. */
export function createProbes(robots: RobotsTxt): string[] {
  const patterns = new Set<string>();
  for (const record of robots.records()) {
    if (patterns.size === MAX_RULES) break;
    const isRule = record.kind === 'allow' || record.kind === 'disallow';
    if (isRule && record.value.length <= MAX_PATTERN_LENGTH) patterns.add(record.value);
  }
  const probes = new Set(['/', '/no-file-names-this-path']);
  for (const pattern of patterns)
    for (const star of ['', 'x'])
      for (const end of ['', 'x']) {
        const path = pattern.replaceAll('*', star).replace(/\$$/, '') + end;
        const probe = path.startsWith('/') ? path : `/${path}`;
        // robots.txt itself is always allowed under RFC 9309, and may be fetched by every crawler.
        if (probe !== '/robots.txt' && !probe.includes('#')) probes.add(probe);
      }
  return [...probes];
}
