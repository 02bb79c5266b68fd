// What is documented about a crawler and its operator, beside the explanation of a verdict.
import { describeOperator } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCrawlerCatalogue } from '../../shared/requests/use-crawler-catalogue.ts';
import { visible } from '../../shared/visible.ts';

/** Shows the facts on request: the catalogue is loaded only then. */
export function OperatorFacts({ crawler }: { readonly crawler: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="operator-facts" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What is documented about {visible(crawler, 60)}</summary>
      {isOpen && <FactList crawler={crawler} />}
    </details>
  );
}

function FactList({ crawler }: { readonly crawler: string }): JSX.Element {
  const catalogue = useCrawlerCatalogue();
  if (catalogue === null) return <p>Loading the catalogue…</p>;
  if (catalogue === 'missing') return <p role="alert">The catalogue of crawlers cannot be loaded.</p>;
  const operator = catalogue.findOperator(crawler);
  if (operator === undefined) return <p>The catalogue has no record of it.</p>;
  return (
    <>
      <p>Operator: {visible(operator.operator)}.</p>
      <ul>
        {describeOperator(operator).map((sentence) => (
          <li key={sentence}>{visible(sentence, 2_000)}</li>
        ))}
      </ul>
      {operator.sources.length > 0 && (
        <p>
          Sources:{' '}
          {operator.sources.map(({ url, kind, date }, index) => (
            <span key={url}>
              {index > 0 && '; '}
              <a href={url} rel="noreferrer" target="_blank">
                {kind}, {date}
              </a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}
