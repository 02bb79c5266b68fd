// Methods: how classes are proved, what the numbers cannot say, versions and digests of everything that the report depends on, and how to
// cite it.

import { formatList } from '@maycrawl/core/internal';
import type { CensusReportData } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { formatCount, formatNumber, formatSpan } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { Section, type SectionProps } from '../parts/section.tsx';

const SOURCE_NAMES = { '--ranks': 'Ranks', '--weights': 'Weights', '--table': 'Table' } as const;

export function MethodsSection({
  data,
  maxExamples,
}: SectionProps & { readonly maxExamples: number }): JSX.Element {
  return (
    <Section name="methods">
      <h3>What is counted</h3>
      <ul>
        {data.methods.map((text) => (
          <li key={text}>{visible(text)}</li>
        ))}
        <li>
          The classes are proved: for each file and agent, a URL that is allowed or disallowed is found, or a
          product of automata shows that there is no such URL. Nothing is sampled. A class whose proof
          exceeded its budget is counted as undecided.
        </li>
        <li>
          <i>Known policy</i>: the site has a file, or its server responded with a 4xx status.{' '}
          <i>With a file</i>: also empty files and HTML pages, which allow everything. Each share names what
          it is a share of.
        </li>
        <li>
          {maxExamples === 0
            ? 'This report has no examples: they would make it too large.'
            : `Each number opens at most ${formatCount(maxExamples, 'example')}: the sites with the best ranks, or else a sample that depends on nothing but their names. For weights, they are the sites with the largest ones.`}
        </li>
      </ul>
      <h3>What the numbers cannot say</h3>
      <ul>
        <li>
          No capture does not mean no robots.txt: a crawl does not visit every site. Sites without a capture
          are in no number.
        </li>
        <li>
          A robots.txt is a request. Whether a crawler obeys it cannot be seen in it, nor other ways of
          blocking crawlers.
        </li>
        <li>
          A file can be that of a service or of software: the owner of the site may not have written it.
        </li>
        <li>The group for all crawlers (*) applies to agents that the owner did not have in mind.</li>
        {data.crawls.length > 1 && (
          <li>
            Crawls visit different sites. The sites that are in all crawls show changes of sites; they are not
            a sample of the web.
          </li>
        )}
        {data.breaks.length > 0 && (
          <li>At a break, the method changed: numbers on its sides are not comparable.</li>
        )}
      </ul>
      <h3>Versions and inputs</h3>
      <dl class="facts">
        <Fact name="Report">maycrawl {visible(data.maycrawl, 60)}</Fact>
        {data.catalogue !== null && (
          <Fact name="Catalogue of crawlers">sources of {visible(data.catalogue, 20)}</Fact>
        )}
        <Fact name="Agents">{data.agents.map(({ name }) => visible(name, 60)).join(', ')}</Fact>
        {data.crawls.map((crawl) => (
          <Fact key={crawl.name} name={visible(crawl.name, 60)}>
            <div>
              {[
                formatSpan(crawl.from, crawl.to),
                formatCount(crawl.inputs, 'input'),
                formatCount(crawl.captures, 'capture'),
                `${formatNumber(crawl.files)} distinct files`,
                formatCount(crawl.sites, 'site'),
                `judged by maycrawl ${visible(crawl.maycrawl, 60)}`,
                `profile ${visible(crawl.profile, 60)}`,
              ]
                .filter((part) => part !== null)
                .join(', ')}
            </div>
            <div class="digest">
              inputs <code>{visible(crawl.inputsDigest, 64)}</code>
            </div>
            <div class="digest">
              captures <code>{visible(crawl.capturesSha256, 64)}</code>
            </div>
            <div class="digest">
              files <code>{visible(crawl.filesSha256, 64)}</code>
            </div>
          </Fact>
        ))}
        {data.sources.map(({ option, file, sha256, rows }) => (
          <Fact key={`${option} ${file}`} name={SOURCE_NAMES[option]}>
            <div>
              {visible(file, 120)}, {formatCount(rows, 'row')}
            </div>
            <div class="digest">
              <code>{visible(sha256, 64)}</code>
            </div>
          </Fact>
        ))}
      </dl>
      <h3>How to cite</h3>
      <p class="cite">{createCitation(data)}</p>
    </Section>
  );
}

function createCitation({ crawls, agents, maycrawl }: CensusReportData): string {
  const last = crawls.at(-1);
  const collections = crawls.map(({ collection }) => collection);
  const source = collections.every((each) => each !== null)
    ? `robots.txt archives of Common Crawl, ${formatList(collections.map((each) => visible(each ?? '', 60)))}`
    : `censuses ${formatList(crawls.map(({ name }) => visible(name, 60)))}`;
  return `maycrawl ${visible(maycrawl, 60)}: census of robots.txt, ${formatCount(agents.length, 'agent')}, ${formatCount(last?.sites ?? 0, 'site')} in the last crawl. Data: ${source}. Inputs ${visible(last?.inputsDigest ?? '', 64).slice(0, 16)}.`;
}
