// The simulation of a fleet that docs/fleet.md describes. FLEET_MINUTES, FLEET_SITES and FLEET_RATE set its size.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPostgres } from '../../../../client/test/support/postgres.ts';
import { HAS_REDIS } from '../../../../client/test/support/redis-server.ts';
import { createFleetReport, formatFleetReport } from '../../support/fleet/fleet-report.ts';
import { HAS_NGINX } from '../../support/fleet/nginx.ts';
import { GROUPS } from '../../support/fleet/parts.ts';
import { simulateFleet } from '../../support/fleet/simulation.ts';
import { createTestFolder } from '../../support/folder.ts';

const MINUTE = 60_000;
const minutes = Number(process.env['FLEET_MINUTES'] ?? 1.5);
const sites = Number(process.env['FLEET_SITES'] ?? 1_000);
/** Decisions of each crawler in a second. */
const rate = Number(process.env['FLEET_RATE'] ?? 15);
/** Each fault is repeated every half an hour. */
const rounds = Math.max(Math.round(minutes / 30), 1);
const programs = await findPostgres();

function openFolder(): string {
  const path = process.env['FLEET_FOLDER'];
  if (path === undefined) return createTestFolder('simulation');
  mkdirSync(path, { recursive: true });
  return path;
}

test.skipIf(programs === undefined || !HAS_REDIS || !HAS_NGINX)(
  'a fleet obeys every robots.txt and fetches each once while its parts restart and are killed (skipped without PostgreSQL, Redis or nginx)',
  { timeout: (minutes + 20) * MINUTE },
  async () => {
    const folder = openFolder();
    const report = (text: string): void => {
      process.stdout.write(`${new Date().toISOString()} ${text}\n`);
    };
    const record = await simulateFleet({
      ...{ folder, programs: programs as string, duration: minutes * MINUTE, sites, rate, rounds, report },
      sampling: minutes > 10 ? 10_000 : 2_000,
    });
    const result = await createFleetReport(folder, record);
    writeFileSync(join(folder, 'report.json'), JSON.stringify(result, null, 1));
    process.stdout.write(formatFleetReport(result));

    expect(result.disallowedPages).toEqual([]);
    expect(result.unjustified).toEqual([]);
    expect(result.refetches.unexplained).toEqual([]);
    for (const { name, every } of GROUPS)
      expect(result.decidedSites[name]).toBeGreaterThanOrEqual(Math.ceil(sites / every));
    // Requests fail only while what they need is killed.
    const failures = Object.keys(result.failures).filter((key) => !key.startsWith('kill -9'));
    expect(failures).toEqual([]);
    for (const { takeovers } of result.faults.filter(({ handedOver }) => handedOver !== undefined))
      expect(takeovers?.length).toBeGreaterThan(0);
  },
);
