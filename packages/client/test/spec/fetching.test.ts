/** The vectors about fetching and caching, with servers on loopback and a clock that only the vectors move. */
import { getPolicyCode } from '@maycrawl/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { getVectorIds, readConformanceFile, readRows } from '../../../core/test/support/manifest.ts';
import { RobotsClient } from '../../src/origins/client/client.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { startSites, type VectorChanges, type VectorSites } from '../support/vector-sites.ts';

/** A row of fetching.jsonl; the fields are described in conformance/README.md. */
interface FetchingVector {
  readonly id: string;
  readonly note?: string;
  readonly profile?: string;
  readonly steps: readonly Step[];
}

interface Step extends VectorChanges {
  /** Seconds since the step before. */
  readonly after?: number;
  readonly agent?: string;
  readonly callers?: number;
  readonly url: string;
  readonly policy: string;
  readonly allowed: boolean;
  readonly line: number;
  readonly requests?: readonly string[];
  readonly conditional?: boolean;
}

const FILE = 'fetching.jsonl';
const START = Date.UTC(2026, 10, 21, 12);
/** Milliseconds. The other rows have the deadline of the client. */
const SHORT_TIMEOUT = 300;

const vectors = readRows<FetchingVector>(FILE);
const isVector = new Ajv2020({ strict: false }).compile(
  JSON.parse(readConformanceFile('fetching-schema.json')) as object,
);
const answered: string[] = [];

/** Returns a function that returns the client of an agent. All clients of a row share a store. */
function createClients(
  { profile, steps }: FetchingVector,
  now: () => number,
): (agent?: string) => RobotsClient {
  const waits = JSON.stringify(steps).includes('"end":"wait"');
  const store = new MemoryStore();
  const clients = new Map<string, RobotsClient>();
  return (agent = 'ExampleBot') => {
    const client =
      clients.get(agent) ??
      new RobotsClient({
        agent,
        userAgent: `${agent}/1.0`,
        store,
        now,
        // Redirects lead from one server on loopback to another.
        allowPrivateAddresses: true,
        ...(profile === undefined ? {} : { profile }),
        ...(waits ? { timeout: SHORT_TIMEOUT } : {}),
      });
    clients.set(agent, client);
    return client;
  };
}

/** Returns what a step has in the form of the expectation. */
async function answerStep(step: Step, client: RobotsClient, sites: VectorSites): Promise<Partial<Step>> {
  await sites.change(step);
  const from = sites.requests.length;
  const url = sites.expand(step.url);
  const verdicts = await Promise.all(Array.from({ length: step.callers ?? 1 }, () => client.decide(url)));
  const { policy } = await client.robots(url);
  const requests = sites.requests.slice(from);
  const [verdict, ...rest] = verdicts;
  if (verdict === undefined || verdict.kind === 'out-of-scope') throw new Error(`${url} is out of scope`);
  for (const each of rest) expect(each).toEqual(verdict);
  return {
    policy: getPolicyCode(policy),
    allowed: verdict.allowed,
    line: verdict.line,
    ...(step.requests === undefined ? {} : { requests: requests.map((request) => request.url) }),
    ...(step.conditional === undefined
      ? {}
      : { conditional: requests.some(({ isConditional }) => isConditional) }),
  };
}

test('each row is valid against the schema', () => {
  for (const vector of vectors)
    expect(isVector(vector), `${vector.id}: ${JSON.stringify(isVector.errors)}`).toBe(true);
});

describe('each row has the expected policies, verdicts and requests', () => {
  test.each(vectors)('$id: $note', async (vector) => {
    const sites = await startSites();
    let now = START;
    const getClient = createClients(vector, () => now);
    try {
      for (const [index, step] of vector.steps.entries()) {
        now += (step.after ?? 0) * 1000;
        const { policy, allowed, line, requests, conditional } = step;
        const expected = { policy, allowed, line, requests, conditional };
        expect(await answerStep(step, getClient(step.agent), sites), `step ${index + 1}`).toEqual(
          JSON.parse(JSON.stringify(expected)),
        );
      }
      answered.push(vector.id);
    } finally {
      await sites.close();
    }
  });
});

test('every row of the manifest was answered', () => {
  expect(answered).toEqual(getVectorIds(FILE));
});
