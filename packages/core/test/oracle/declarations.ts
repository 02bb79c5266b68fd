/**
 * The naive oracle of declarations: a literal evaluation of the Content-Usage and Content-Signal lines of a robots.txt, which shares no
 * code with the library. It knows the labels that its tests generate.
 */
import { parseWithOracle } from '../support/structured-fields.ts';
import { escapeValue, oracleLines, oracleMatches, oracleRequestPath, trim } from './oracle.ts';

/** A reading, by the properties in which it differs from `grouped`. */
export interface OracleReading {
  readonly grouping: 'own' | 'robots';
  readonly isGlobal?: boolean;
  readonly isByLabel?: boolean;
  readonly isPrefix?: boolean;
  readonly isCurrentOnly?: boolean;
}

type Value = 'allowed' | 'disallowed' | 'unknown';

interface Line {
  readonly kind: 'user-agent' | 'rule' | 'content-usage' | 'content-signal';
  readonly value: string;
}

interface Labelled {
  readonly label: string;
  readonly value: Value;
}

interface OracleDeclaration {
  readonly format: 'content-usage' | 'content-signal';
  readonly path: string;
  readonly labels: readonly Labelled[];
  /** The agents of its group; `null` outside groups. */
  readonly agents: readonly string[] | null;
}

/** By format and label: the purposes, with the distance of the category. */
const PURPOSES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'content-usage train-ai': { 'ai-train': 0, 'genai-train': 1 },
  'content-usage ai-use': { 'ai-input': 0 },
  'content-usage search': { search: 0 },
  'content-usage ai': { 'ai-train': 0, 'genai-train': 1 },
  'content-usage all': { all: 0, 'ai-train': 1, 'genai-train': 2, 'ai-input': 1, search: 1 },
  'content-usage bots': { all: 0, 'ai-train': 1, 'genai-train': 2, 'ai-input': 1, search: 2 },
  'content-signal search': { search: 0 },
  'content-signal ai-input': { 'ai-input': 0 },
  'content-signal ai-train': { 'ai-train': 0 },
};
const CURRENT = ['train-ai', 'ai-use', 'search'];

const latin1 = (bytes: readonly number[]): string => bytes.map((byte) => String.fromCharCode(byte)).join('');
const codes = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));

function readLines(content: Uint8Array): Line[] {
  return oracleLines(content).flatMap((line): Line[] => {
    const text = latin1(trim(codes((latin1(line.content).split('#')[0] as string) ?? '')));
    const colon = text.indexOf(':');
    if (colon < 0) return [];
    const field = latin1(trim(codes(text.slice(0, colon)))).toLowerCase();
    const value = latin1(trim(codes(text.slice(colon + 1))));
    if (field === 'user-agent') return [{ kind: 'user-agent', value }];
    if (field === 'allow' || field === 'disallow') return [{ kind: 'rule', value }];
    if (field === 'content-usage') return [{ kind: 'content-usage', value }];
    if (field === 'content-signal' || field === 'content-signals') return [{ kind: 'content-signal', value }];
    return [];
  });
}

function readDeclarations(lines: readonly Line[], grouping: 'own' | 'robots'): OracleDeclaration[] {
  const declarations: OracleDeclaration[] = [];
  let agents: string[] | null = null;
  let isOpen = false;
  for (const { kind, value } of lines) {
    if (kind === 'user-agent') {
      if (!isOpen || agents === null) agents = [];
      isOpen = true;
      agents.push(value);
    }
    if (kind === 'rule' || (kind === 'content-usage' && grouping === 'own')) isOpen = false;
    if (kind !== 'content-usage' && kind !== 'content-signal') continue;
    const [, path = '', rest = ''] = /^(\/[^ \t]*)?[ \t]*([\s\S]*)$/.exec(value) as RegExpExecArray;
    const labels = kind === 'content-usage' ? readUsage(rest) : readSignal(rest);
    declarations.push({ format: kind, path: latin1(escapeValue(codes(path))), labels, agents });
  }
  return declarations;
}

function readUsage(text: string): Labelled[] {
  return (parseWithOracle(text) ?? []).map(([label, token]) => ({
    label,
    value: token === 'y' ? 'allowed' : token === 'n' ? 'disallowed' : 'unknown',
  }));
}

function readSignal(text: string): Labelled[] {
  return text.split(',').flatMap((member): Labelled[] => {
    const [label = '', ...rest] = member.toLowerCase().split('=');
    const value = rest.join('=').trim();
    if (rest.length === 0) return [];
    return [
      { label: label.trim(), value: value === 'yes' ? 'allowed' : value === 'no' ? 'disallowed' : 'unknown' },
    ];
  });
}

/** The labels of a declaration that decide about a purpose. */
function selectLabels(
  { format, labels }: OracleDeclaration,
  purpose: string,
  { isCurrentOnly = false }: OracleReading,
): Value[] {
  const about = labels.flatMap(({ label, value }) => {
    const distance = PURPOSES[`${format} ${label}`]?.[purpose];
    const isOld = format === 'content-usage' && !CURRENT.includes(label);
    return distance === undefined || (isOld && isCurrentOnly) ? [] : [{ value, distance }];
  });
  const usable = about.filter(({ value }) => value !== 'unknown');
  const counted = usable.length > 0 ? usable : about;
  const closest = Math.min(...counted.map(({ distance }) => distance));
  return counted.filter(({ distance }) => distance === closest).map(({ value }) => value);
}

/** A file, and its declarations under both groupings. */
export interface OracleFile {
  readonly agents: readonly string[];
  readonly own: readonly OracleDeclaration[];
  readonly robots: readonly OracleDeclaration[];
}

export function readOracleFile(content: Uint8Array): OracleFile {
  const lines = readLines(content);
  return {
    agents: lines.filter(({ kind }) => kind === 'user-agent').map(({ value }) => value),
    own: readDeclarations(lines, 'own'),
    robots: readDeclarations(lines, 'robots'),
  };
}

/** Evaluates a file for a crawler with one token that obeys `*`. */
export function oraclePreference(
  file: OracleFile,
  token: string,
  url: string,
  purpose: string,
  reading: OracleReading,
): Value {
  const path = codes(oracleRequestPath(url));
  const isOwn = (agent: string): boolean => agent.toLowerCase() === token.toLowerCase();
  const hasOwn = file.agents.some(isOwn);
  const reaches = ({ agents }: OracleDeclaration, tier: 'agent' | 'all'): boolean => {
    const isChosen = agents?.some(hasOwn ? isOwn : (agent) => agent === '*') ?? false;
    const isForAll = agents === null || agents.includes('*');
    return tier === 'agent' ? isChosen : isForAll && !isChosen;
  };
  const values = ['content-usage', 'content-signal'].flatMap((format) => {
    const matching = file[reading.grouping].filter(
      (each) =>
        each.format === format &&
        (reading.isPrefix ? latin1(path).startsWith(each.path) : oracleMatches(path, codes(each.path))),
    );
    for (const tier of reading.isGlobal ? (['agent', 'all'] as const) : (['agent'] as const)) {
      let candidates = matching.filter((each) => reaches(each, tier));
      if (reading.isByLabel)
        candidates = candidates.filter((each) =>
          selectLabels(each, purpose, reading).some((value) => value !== 'unknown'),
        );
      const longest = Math.max(...candidates.map((each) => each.path.length));
      const selected = candidates
        .filter((each) => each.path.length === longest)
        .flatMap((each) => selectLabels(each, purpose, reading))
        .filter((value) => value !== 'unknown');
      if (selected.length > 0) return selected;
    }
    return [];
  });
  if (values.includes('disallowed')) return 'disallowed';
  return values.includes('allowed') ? 'allowed' : 'unknown';
}
