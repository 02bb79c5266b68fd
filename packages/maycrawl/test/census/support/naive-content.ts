import type { CensusReportData } from '../../../src/census/report/report-data.ts';
import type { TableRow } from './generated-census.ts';
import type { NaiveCounter, NaiveCrawl } from './naive-counter.ts';
import type { NaiveSite } from './naive-sites.ts';

interface Declaration {
  readonly format: string;
  readonly purpose: string | null;
  readonly value: string | null;
  readonly agents: string | null;
  readonly text: string;
}

const TITLES = {
  'formats-disagree': 'One format allows a use, and another one refuses it',
  'sources-disagree': 'One place allows a use, and another one refuses it',
  'use-without-crawl': 'A use is allowed, but the rules forbid the crawler to fetch the home page',
};

const byCount = (a: { sites: { count: number } }, b: { sites: { count: number } }): number =>
  b.sites.count - a.sites.count;

/** Counts what files say besides their rules. */
export function countContent(
  crawl: NaiveCrawl,
  agents: readonly string[],
  { file, count, isBlocked }: NaiveCounter,
): Pick<CensusReportData, 'declarations' | 'generators'> {
  const sites = crawl.sites.filter((site) => file(crawl, site) !== undefined);
  const get = <T>(site: NaiveSite, column: string): readonly T[] =>
    (file(crawl, site) as TableRow)[column] as readonly T[];
  const listDistinct = (names: (site: NaiveSite) => readonly string[]): string[] =>
    [...new Set(sites.flatMap(names))].sort();
  const declarations = (site: NaiveSite): readonly Declaration[] => get<Declaration>(site, 'declarations');

  const uses = [null, ...agents.keys()].flatMap((agent) => {
    const isFor = ({ agents: names }: Declaration): boolean =>
      names === null
        ? agent === null
        : names
            .split(', ')
            .some((name) => name.toLowerCase() === (agent === null ? '*' : agents[agent]?.toLowerCase()));
    const purposes = listDistinct((site) => declarations(site).flatMap(({ purpose }) => purpose ?? []));
    return purposes
      .flatMap((purpose) =>
        (['allowed', 'disallowed'] as const).flatMap((value) => {
          const find = (site: NaiveSite): Declaration | undefined =>
            declarations(site).find(
              (each) => each.purpose === purpose && each.value === value && isFor(each),
            );
          const found = sites.filter((site) => find(site) !== undefined);
          const note = (site: NaiveSite): string => `${find(site)?.format}: ${find(site)?.text}`;
          return found.length === 0
            ? []
            : [{ agent, purpose, value, sites: count(found, crawl, undefined, note) }];
        }),
      )
      .sort(byCount);
  });

  return {
    declarations: {
      sites: sites.length,
      declaring: count(
        sites.filter((site) => declarations(site).length > 0),
        crawl,
      ),
      formats: listDistinct((site) => declarations(site).map(({ format }) => format))
        .map((format) => ({
          format,
          sites: count(
            sites.filter((site) => declarations(site).some((each) => each.format === format)),
            crawl,
          ),
        }))
        .sort(byCount),
      uses,
      contradictions: Object.entries(TITLES).flatMap(([code, title]) => {
        const found = sites.filter((site) =>
          get<{ code: string }>(site, 'conflicts').some((each) => each.code === code),
        );
        return found.length === 0 ? [] : [{ code, title, sites: count(found, crawl) }];
      }),
    },
    generators: listDistinct((site) => get<string>(site, 'generators'))
      .map((name) => {
        const found = sites.filter((site) => get<string>(site, 'generators').includes(name));
        return {
          name,
          files: new Set(found.map(({ final }) => final.digest)).size,
          sites: count(found, crawl),
          blocked: agents.map((agent, place) =>
            count(
              found.filter((site) => isBlocked(crawl, site, agent)),
              crawl,
              agents[place],
            ),
          ),
        };
      })
      .sort(byCount),
  };
}
