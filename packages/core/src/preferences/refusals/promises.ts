// Who says that it honours which format: dated statements of operators. A preference that no operator promised to honour is only a request.
import { freezeDeep } from '../../bytes/freeze.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import { findLabel, type Label } from '../labels.ts';
import { POLICY_TOKENS } from '../policy-token-data.ts';
import { READINGS } from '../readings.ts';
import type { PreferenceFormat, PreferenceStatement } from '../statement.ts';

/** The statement of an operator that it honours a label of a format. */
export interface PreferencePromise {
  readonly operator: string;
  readonly format: PreferenceFormat;
  /** The policy token, or the directive of a page. */
  readonly label: string;
  /** The purposes that a refusal is about. */
  readonly purposes: readonly string[];
  /** Tokens of the crawlers whose pages it is about; `null` for all crawlers of the operator. */
  readonly crawlers: readonly string[] | null;
  /** `documented`: the operator documents that it honours the label. `announced`: it only intends to. */
  readonly status: 'documented' | 'announced';
  /** The page of the operator; `null` if it is unknown. */
  readonly source: string | null;
  /** When the page was read or published: a year, month or day; `null` if it is unknown. */
  readonly date: string | null;
}

const NOARCHIVE: PreferencePromise = /* @__PURE__ */ freezeDeep({
  ...{ operator: 'Microsoft', format: 'page', label: 'noarchive', purposes: ['ai-train', 'ai-input'] },
  ...{ crawlers: ['bingbot'], status: 'documented', date: '2023-09' },
  source: (findLabel('page', 'noarchive') as Label).source,
});

/**
 * Lists the promises of operators. For Content-Usage, Content-Signal, RSL and TDMRep none is known.
 *
 * @param policyTokens - by default those of the catalogue.
 */
export function listPromises(policyTokens: readonly PolicyToken[] = POLICY_TOKENS): PreferencePromise[] {
  return [...policyTokens.flatMap(toPromises), NOARCHIVE];
}

function toPromises(policyToken: PolicyToken): PreferencePromise[] {
  const { token, operator, governs, purposes, source, checked, announced } = policyToken;
  const shared = { format: 'policy-token', label: token, purposes, crawlers: governs } as const;
  if (announced !== undefined)
    return announced.map((each) => ({
      ...{ ...shared, operator: each.operator },
      ...{ status: 'announced', source: each.url, date: each.date },
    }));
  return operator === null ? [] : [{ ...shared, operator, status: 'documented', source, date: checked }];
}

/** Who promised to honour refusals, and the formats of refusals that no operator is known to honour. */
export interface RefusalPromises {
  readonly promises: readonly PreferencePromise[];
  readonly unpromised: readonly PreferenceFormat[];
}

/** What is read of a statement. */
type Statement = Pick<PreferenceStatement, 'format' | 'label' | 'value'> & {
  readonly countsUnder: readonly string[];
};

/** A preference about one purpose. */
interface Refusable {
  readonly value: string;
  readonly statements: readonly Statement[];
}

/**
 * Finds who promised to honour the statements that refuse a use.
 *
 * @param preferences - of a report, those about each purpose, or some of them. Only refused purposes count.
 * @param policyTokens - by default those of the catalogue.
 */
export function findRefusalPromises(
  preferences: readonly Refusable[],
  policyTokens: readonly PolicyToken[] = POLICY_TOKENS,
): RefusalPromises {
  const refusals = preferences
    .filter(({ value }) => value === 'disallowed')
    .flatMap(({ statements }) => statements)
    .filter(({ value, countsUnder }) => value === 'disallowed' && countsUnder.includes(READINGS[0].name));
  const promises = listPromises(policyTokens).filter((promise) =>
    refusals.some(
      ({ format, label }) => format === promise.format && label.toLowerCase() === promise.label.toLowerCase(),
    ),
  );
  const unpromised = new Set(refusals.map(({ format }) => format));
  for (const { format } of promises) unpromised.delete(format);
  return { promises, unpromised: [...unpromised] };
}

const FORMAT_NAMES: Readonly<Record<PreferenceFormat | 'usage-token', string>> = {
  'content-usage': 'Content-Usage',
  'content-signal': 'Content-Signal',
  rsl: 'RSL',
  tdmrep: 'tdmrep.json',
  'policy-token': 'the policy token',
  'usage-token': 'the usage token',
  page: 'the directives of the page',
};

/**
 * Describes who honours a refusal, one sentence for each promise, and one for the formats without any.
 *
 * @param unpromised - formats for which no promise is known.
 */
export function describePromises(
  promises: readonly PreferencePromise[],
  unpromised: readonly (PreferenceFormat | 'usage-token')[],
): string[] {
  const names = unpromised.map((format) => FORMAT_NAMES[format]);
  return [
    ...promises.map(({ operator, label, purposes, status, source, date }) => {
      const place = [source, date].filter((each) => each !== null).join(', ');
      const verb =
        status === 'documented' ? 'documents that it honours' : 'announced that it intends to honour';
      return `${operator} ${verb} ${label} for ${purposes.join(' and ')}${place === '' ? '' : ` (${place})`}.`;
    }),
    ...(names.length === 0 ? [] : [`No operator is known to have promised to honour ${names.join(' or ')}.`]),
  ];
}
