// Statements of a page: its headers and meta elements.

import { encodeUtf8 } from '../../bytes/platform.ts';
import type { AgentTokens } from '../../crawler/crawler.ts';
import { splitDirectives } from '../../indexability/directive.ts';
import {
  createClaims,
  createDeclaration,
  DECLARATION_NAMES,
  type Declaration,
  type DeclarationFormat,
  getDistinction,
  parseDeclaration,
  type StatementPlace,
} from '../declaration.ts';
import { parseReservation } from '../documents/tdmrep.ts';
import { findLabel, LABELS } from '../labels.ts';
import type { SourceProblem } from '../source-problem.ts';
import type { PageSources } from '../sources.ts';
import type { Claim } from '../statement.ts';
import { getNamedValues, type NamedValue, selectValues } from './named-values.ts';

export interface PageStatements {
  /** The declarations of the formats that headers share with robots.txt. */
  readonly declarations: readonly Declaration[];
  /** The claims of directives such as `noai`. */
  readonly claims: readonly Claim[];
  /** The reservation of the headers, replaced by that of meta elements; `null` if neither sets it. */
  readonly tdm: { readonly isReserved: boolean; readonly place: StatementPlace } | null;
  /** Why other statements are not read; `null` if all are. */
  readonly problem: SourceProblem | null;
}

export function readPageStatements(sources: PageSources, agentTokens: AgentTokens): PageStatements {
  const names = new Set(getTokens(agentTokens));
  const { values, problem } = selectValues(
    getNamedValues(sources).filter(({ name, value }) => {
      const lower = name.trim().toLowerCase();
      return (
        USE_NAMES.has(lower) || ((names.has(lower) || META_NAMES.has(lower)) && PAGE_DIRECTIVE.test(value))
      );
    }),
    isDirectiveList,
  );
  return {
    declarations: readDeclarations(values),
    claims: readDirectives(values, agentTokens),
    tdm: readTdm(values),
    problem,
  };
}

/** The labels of directives, and those beside which they say nothing. */
const PAGE_LABELS: ReadonlySet<string> = new Set(
  LABELS.flatMap(({ format, label, unless }) => (format === 'page' ? [label, ...unless] : [])),
);

/** Directives about use, and the one that changes what `noarchive` means (labels.ts). */
const PAGE_DIRECTIVE = /\bno(?:(?:image)?ai|archive|cache)\b/i;

const TDM_NAMES = ['tdm-reservation', 'tdm-policy'];

/** Names of headers and meta elements, besides those of declarations. */
const OTHER_NAMES = ['x-robots-tag', 'robots', ...TDM_NAMES];

const META_NAMES: ReadonlySet<string> = new Set([...OTHER_NAMES, ...DECLARATION_NAMES.keys()]);

/** Names that say something about use whatever the value is. */
const USE_NAMES: ReadonlySet<string> = new Set([...TDM_NAMES, ...DECLARATION_NAMES.keys()]);

/**
 * Whether a meta element can state a preference: by its name, or by a directive such as `noai` for the crawler that it names.
 *
 * @param name - the `name` attribute.
 * @param content - the `content` attribute.
 */
export function isPreferenceMeta(name: string, content: string): boolean {
  return META_NAMES.has(name.trim().toLowerCase()) || PAGE_DIRECTIVE.test(content);
}

/** Whether a header or a meta element says something about the use of its page. Most robots meta elements are about indexing only. */
export function isAboutUse({ source, name, value }: NamedValue): boolean {
  const lower = name.trim().toLowerCase();
  if (USE_NAMES.has(lower)) return true;
  return (source === 'meta' || lower === 'x-robots-tag') && PAGE_DIRECTIVE.test(value);
}

/** Whether a value that can state a preference is a list of directives. */
export function isDirectiveList({ name }: NamedValue): boolean {
  return !USE_NAMES.has(name.trim().toLowerCase());
}

function getTokens({ tokenSets }: AgentTokens): string[] {
  return tokenSets.flat().map((token) => token.toLowerCase());
}

interface NamedDeclaration {
  readonly value: NamedValue;
  readonly format: DeclarationFormat;
}

/** Selects declarations. The lines of a header are one value, as RFC 9651 section 4.2 joins them; each meta element is one of its own. */
export function joinDeclarations(values: readonly NamedValue[]): NamedDeclaration[] {
  const joined = new Map<string, NamedValue>();
  const separate: NamedValue[] = [];
  for (const each of values) {
    const name = each.name.toLowerCase();
    if (!DECLARATION_NAMES.has(name)) continue;
    const first = joined.get(name);
    if (each.source === 'meta') separate.push(each);
    else joined.set(name, first === undefined ? each : { ...first, value: `${first.value}, ${each.value}` });
  }
  return [...joined.values(), ...separate].map((value) => ({
    value,
    format: DECLARATION_NAMES.get(value.name.toLowerCase()) as DeclarationFormat,
  }));
}

function readDeclarations(values: readonly NamedValue[]): Declaration[] {
  const distinct = new Map<string, Declaration>();
  for (const { value: each, format } of joinDeclarations(values)) {
    const bytes = encodeUtf8(each.value);
    const keys = parseDeclaration(format, bytes, 0, bytes.length);
    // A path belongs to a robots.txt. In a header it is not a dictionary.
    const parsed = keys.path === null ? keys : { ...keys, keys: [], isClean: false };
    const distinction = getDistinction(format, parsed);
    if (!distinct.has(distinction))
      distinct.set(distinction, createDeclaration(format, parsed, createPlace(each, null)));
  }
  return [...distinct.values()];
}

interface Directive {
  readonly value: NamedValue;
  readonly agent: string | null;
  /** In lower case. */
  readonly label: string;
}

/**
 * Reads the directives of robots meta elements and X-Robots-Tag headers that apply to the crawler. A value has each of them once, so that
 * their number is bounded.
 */
function readDirectives(values: readonly NamedValue[], agentTokens: AgentTokens): Claim[] {
  const tokens = getTokens(agentTokens);
  const { obeysGlobal } = agentTokens;
  const directives: Directive[] = [];
  for (const value of values) {
    const seen = new Set<string>();
    for (const directive of splitValue(value)) {
      const { agent, label } = directive;
      const applies = agent === null ? obeysGlobal : tokens.includes(agent);
      const key = `${agent ?? ''}:${label}`;
      if (!applies || !PAGE_LABELS.has(label) || seen.has(key)) continue;
      seen.add(key);
      directives.push(directive);
    }
  }
  const present = new Set(directives.map(({ label }) => label));
  return directives.flatMap(({ value, agent, label: name }) => {
    const label = findLabel('page', name);
    const isForCrawler = label?.agents?.some((each) => tokens.includes(each)) ?? true;
    if (label === undefined || !isForCrawler || label.unless.some((each) => present.has(each))) return [];
    return createClaims('page', name, 'disallowed', createPlace(value, agent), null);
  });
}

function* splitValue(value: NamedValue): Generator<Directive, void, undefined> {
  const name = value.name.trim().toLowerCase();
  const isMeta = value.source === 'meta';
  if (!isMeta && name !== 'x-robots-tag') return;
  const own = isMeta && name !== 'robots' ? name : null;
  for (const { agent, text } of splitDirectives(value.value, !isMeta))
    yield { value, agent: agent ?? own, label: text.toLowerCase() };
}

/** A later value of the same source replaces an earlier one, and a meta element replaces a header. Invalid values set nothing. */
function readTdm(values: readonly NamedValue[]): PageStatements['tdm'] {
  let tdm: PageStatements['tdm'] = null;
  // The headers are before the meta elements.
  for (const value of values) {
    if (value.name.toLowerCase() !== 'tdm-reservation') continue;
    const isReserved = parseReservation(value.value);
    if (isReserved !== null) tdm = { isReserved, place: createPlace(value, null) };
  }
  return tdm;
}

function createPlace({ source, name, value }: NamedValue, agent: string | null): StatementPlace {
  return { source, name, text: value, line: null, column: null, agents: agent === null ? null : [agent] };
}
