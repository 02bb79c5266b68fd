// All readings of other programs and studies, the classes by them, and their comparison with this library.

import { createCrawler, type RobotsTxt } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';
import { createProbes } from './probes.ts';
import { PYTHON_FIRST_MATCH } from './python-first-match.ts';
import { PYTHON_LONGEST_MATCH } from './python-longest-match.ts';
import { type Access, classifyByProbes, type OtherReading } from './reading.ts';
import { STUDIES } from './studies.ts';

/** All readings. The order is that of tables and of the documentation. */
export const OTHER_READINGS: readonly OtherReading[] = /* @__PURE__ */ freezeDeep([
  PYTHON_FIRST_MATCH,
  PYTHON_LONGEST_MATCH,
  ...STUDIES,
]);

/** Finds a reading. @throws {RangeError} if it does not exist. */
export function requireReading(name: string): OtherReading {
  const reading = OTHER_READINGS.find((each) => each.name === name);
  if (reading !== undefined) return reading;
  const names = OTHER_READINGS.map((each) => each.name).join(', ');
  throw new RangeError(`there is no reading ${JSON.stringify(name)}; the readings are ${names}`);
}

/**
 * Classifies a file by other readings.
 *
 * @param content - the bytes from which `robots` was parsed.
 * @param agents - product tokens.
 * @returns the classes by reading and agent; `null` if the program of a reading fails on the file.
 */
export function classifyAs(
  content: Uint8Array,
  robots: RobotsTxt,
  agents: readonly string[],
  readings: readonly OtherReading[],
): (Access | null)[][] {
  if (readings.length === 0) return [];
  const probes = createProbes(robots);
  return readings.map(({ read }) => {
    const file = read(content, probes);
    return agents.map((agent) => file?.classify(agent) ?? null);
  });
}

/** How another reading classifies a file for an agent, beside the profile of the file. */
export interface ComparedReading {
  readonly reading: string;
  readonly agent: string;
  /** The class by the verdicts of this library on the same paths. */
  readonly expected: Access;
  /** The class by the other reading; `null` if its program fails on the file. */
  readonly access: Access | null;
  /** The number of paths with another verdict; `null` if the reading decides about no paths, or its work exceeds the budget. */
  readonly different: number | null;
  /** The number of paths. */
  readonly probes: number;
}

/**
 * Compares what other programs read with the verdicts of this library.
 *
 * @param content - the bytes from which `robots` was parsed.
 * @param agents - product tokens.
 */
export function compareReadings(
  content: Uint8Array,
  robots: RobotsTxt,
  agents: readonly string[],
  readings: readonly OtherReading[] = OTHER_READINGS,
): ComparedReading[] {
  const probes = createProbes(robots);
  const expected = agents.map((agent) => {
    const ruleset = robots.ruleset(createCrawler(agent));
    return new Map(probes.map((path) => [path, ruleset.decide(path).kind === 'allowed']));
  });
  return readings.flatMap(({ name, read }) => {
    const file = read(content, probes);
    return agents.map((agent, index): ComparedReading => {
      const verdicts = expected[index] as ReadonlyMap<string, boolean>;
      const isAllowed = (path: string): boolean => verdicts.get(path) === true;
      const others = file?.isAllowed && probes.map((path) => file.isAllowed?.(agent, path) ?? null);
      return {
        reading: name,
        agent,
        expected: classifyByProbes(isAllowed, probes),
        access: file?.classify(agent) ?? null,
        different:
          others === undefined || others.includes(null)
            ? null
            : probes.filter((path, place) => others[place] !== isAllowed(path)).length,
        probes: probes.length,
      };
    });
  });
}
