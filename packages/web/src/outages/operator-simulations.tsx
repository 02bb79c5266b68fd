// What crawlers do during an outage if they do what their operators document.
import { type OutageScenario, simulateOperatorOutage } from '@maycrawl/client/policy';
import type { CrawlerOperator } from '@maycrawl/core/crawlers';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type CrawlerCatalogue, useCrawlerCatalogue } from '../shared/requests/use-crawler-catalogue.ts';
import { visible } from '../shared/visible.ts';
import { Simulation } from './simulation.tsx';

/** Simulates an outage for each operator that documents what its crawlers do. */
export function OperatorSimulations({
  scenario,
}: {
  readonly scenario: Omit<OutageScenario, 'profile'>;
}): JSX.Element {
  const catalogue = useCrawlerCatalogue();
  if (catalogue === null) return <p>Loading the catalogue…</p>;
  if (catalogue === 'missing') return <p role="alert">The catalogue of crawlers cannot be loaded.</p>;
  return (
    <>
      {findOperators(catalogue).map(({ name, operator }) => (
        <OperatorSimulation key={name} name={name} operator={operator} scenario={scenario} />
      ))}
    </>
  );
}

interface NamedOperator {
  readonly name: string;
  readonly operator: CrawlerOperator;
}

/** Finds the operators with documented outages, by the record that documents them. */
function findOperators({
  OPERATOR_RECORDS,
  CRAWLER_RECORDS,
  findOperator,
}: CrawlerCatalogue): NamedOperator[] {
  return OPERATOR_RECORDS.flatMap(({ operator: name, crawlers, whenUnavailable, whenUnreachable }) => {
    if (whenUnavailable === undefined && whenUnreachable === undefined) return [];
    const crawler = crawlers?.[0] ?? CRAWLER_RECORDS.find(({ operator }) => operator === name)?.token ?? name;
    const operator = findOperator(crawler);
    return operator === undefined ? [] : [{ name: crawlers?.join(', ') ?? name, operator }];
  });
}

interface OperatorSimulationProps extends NamedOperator {
  readonly scenario: Omit<OutageScenario, 'profile'>;
}

function OperatorSimulation({ name, operator, scenario }: OperatorSimulationProps): JSX.Element {
  const intervals = useMemo(() => simulateOperatorOutage(operator, scenario), [operator, scenario]);
  const source = operator.sources[0];
  const caption = (
    <>
      <b>{visible(name)}</b>
      {source !== undefined && (
        <a href={source.url} rel="noreferrer" target="_blank">
          source, {source.date}
        </a>
      )}
    </>
  );
  if (intervals === null) return <p>{visible(name)} documents nothing about this result.</p>;
  return <Simulation caption={caption} intervals={intervals} scenario={scenario} />;
}
