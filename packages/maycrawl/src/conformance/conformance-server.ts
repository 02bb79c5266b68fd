// The referee: a server on loopback for each scenario, and one with the list of their start pages and the report.
import type { ConformanceReport, ScenarioReport } from '../api/conformance-report.ts';
import { toJson } from '../text/printable.ts';
import { formatReport } from './report.ts';
import type { Scenario } from './scenario.ts';
import { closeServer, listen, openScenario, type ScenarioSite } from './scenario-site.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';

export interface ConformanceOptions {
  /** The product token of the crawler; without it, scenarios whose file names the crawler are omitted. */
  readonly agent?: string;
  /** The port of the list; the scenarios have the next ones. 0: free ports. */
  readonly port: number;
  /** The scenarios; by default all. */
  readonly scenarios?: readonly string[];
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

export interface ConformanceServer {
  /** The URL of the list. */
  readonly url: string;
  /** The URLs of the start pages. */
  readonly starts: readonly string[];
  /** The time of the last request, in milliseconds since 1970; `undefined` before the first. */
  getLastRequest(): number | undefined;
  getReport(): ScenarioReport[];
  close(): Promise<void>;
}

/** Finds scenarios by id. @throws {RangeError} if one does not exist. */
function findScenarios(ids: readonly string[] | undefined): readonly Scenario[] {
  return (ids ?? SCENARIOS.map(({ id }) => id)).map((id) => {
    const scenario = SCENARIOS.find((each) => each.id === id);
    if (scenario !== undefined) return scenario;
    throw new RangeError(
      `there is no scenario ${id}; the scenarios are ${SCENARIOS.map((each) => each.id).join(', ')}`,
    );
  });
}

/**
 * Serves scenarios at 127.0.0.1 until it is closed.
 *
 * @throws {RangeError} if a scenario does not exist. An error of the system with its code if a port is in use.
 */
export async function openConformanceServer(options: ConformanceOptions): Promise<ConformanceServer> {
  const { agent, port, now = Date.now } = options;
  const scenarios = findScenarios(options.scenarios).filter(
    ({ needsAgent }) => !needsAgent || agent !== undefined,
  );
  const sites: ScenarioSite[] = [];
  let lastRequest: number | undefined;
  const onRequest = (): void => {
    lastRequest = now();
  };
  const closeSites = async (): Promise<void> => {
    await Promise.all(sites.map((site) => site.close()));
  };
  try {
    for (const [index, scenario] of scenarios.entries()) {
      const first = port === 0 ? 0 : port + 1 + 2 * index;
      sites.push(await openScenario(scenario, { agent: agent ?? '*', port: first, now, onRequest }));
    }
    const list = await listen((request, response) => {
      const send = (type: string, body: string): void =>
        void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
      const reports = sites.map((site) => site.getReport());
      if (request.url === '/report') return send('text/plain', formatReport(reports));
      if (request.url === '/report.json')
        return send('application/json', `${toJson({ scenarios: reports } satisfies ConformanceReport, 2)}\n`);
      if (request.url === '/urls.txt') return send('text/plain', sites.map(({ url }) => `${url}\n`).join(''));
      if (request.url === '/') return send('text/html', formatList(reports));
      return void response.writeHead(404).end();
    }, port);
    return {
      url: `http://127.0.0.1:${list.port}/`,
      starts: sites.map(({ url }) => url),
      getLastRequest: () => lastRequest,
      getReport: () => sites.map((site) => site.getReport()),
      close: async () => {
        await Promise.all([closeServer(list), closeSites()]);
      },
    };
  } catch (error) {
    await closeSites();
    throw error;
  }
}

/** The page with links to the start pages. Titles and URLs are those of this module. */
function formatList(reports: readonly ScenarioReport[]): string {
  const items = reports.map(({ id, title, url }) => `<li><a href="${url}">${id}</a>: ${title}</li>\n`);
  return `<!DOCTYPE html>\n<title>Scenarios for crawlers</title>\n<ul>\n${items.join('')}</ul>\n`;
}
