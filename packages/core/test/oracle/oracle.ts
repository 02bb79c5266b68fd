/**
 * The naive oracle: the behaviour contract in its most literal form, byte by byte and list by list, sharing no code with
 * the library. Slow on purpose. Every clever path is held against it.
 */

export interface OracleQuestion {
  readonly content: Uint8Array;
  /** Sets of tokens, asked one after another. */
  readonly preferences: readonly (readonly string[])[];
  readonly obeysGlobal?: boolean;
  readonly url: string;
  readonly normalize?: boolean;
  readonly profile?: string;
}

export interface OracleAnswer {
  readonly allowed: boolean;
  readonly line: number;
  readonly group: 'own' | 'fallback' | 'global' | 'none';
}

interface Line {
  readonly number: number;
  readonly content: number[];
}

interface OracleRecord {
  readonly line: number;
  readonly kind: 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'other';
  readonly value: number[];
}

const codes = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const text = (bytes: readonly number[]): string => bytes.map((byte) => String.fromCharCode(byte)).join('');
const WHITE = codes('\t\n\v\f\r ');

/** Section 1.2 to 1.6. */
export function oracleLines(content: Uint8Array): Line[] {
  const bytes = [...content.slice(0, 512_000)];
  const mark = [0xef, 0xbb, 0xbf];
  while (mark.length > 0 && bytes[0] === mark[0]) {
    bytes.shift();
    mark.shift();
  }
  const lines: Line[] = [];
  let current: number[] = [];
  let previous = -1;
  for (const byte of bytes) {
    if (byte === 0x0d) {
      lines.push({ number: lines.length + 1, content: current });
      current = [];
    } else if (byte === 0x0a) {
      if (previous !== 0x0d) {
        lines.push({ number: lines.length + 1, content: current });
        current = [];
      }
    } else current.push(byte);
    previous = byte;
  }
  lines.push({ number: lines.length + 1, content: current });
  return lines.map(({ number, content: whole }) => {
    const counted = whole.slice(0, 16_663);
    return { number, content: counted.includes(0) ? counted.slice(0, counted.indexOf(0)) : counted };
  });
}

function trim(bytes: readonly number[]): number[] {
  const rest = [...bytes];
  while (WHITE.includes(rest[0] as number)) rest.shift();
  while (WHITE.includes(rest.at(-1) as number)) rest.pop();
  return rest;
}

/** Section 1.7 to 1.11. */
export function oracleRecord(line: Line, exact: boolean): OracleRecord | undefined {
  const hash = line.content.indexOf(0x23);
  const content = trim(hash < 0 ? line.content : line.content.slice(0, hash));
  let separator = content.indexOf(0x3a);
  if (separator < 0) {
    const runs = text(content)
      .split(/[ \t]+/)
      .filter((run) => run !== '');
    if (runs.length !== 2) return undefined;
    separator = (runs[0] as string).length;
  }
  const field = text(trim(content.slice(0, separator))).replace(/[A-Z]/g, (char) => char.toLowerCase());
  const value = trim(content.slice(separator + 1));
  if (field === '') return undefined;
  const is = (...names: string[]): boolean =>
    exact ? field === names[0] : names.some((name) => field.startsWith(name));
  if (is('user-agent', 'useragent', 'user agent')) return { line: line.number, kind: 'user-agent', value };
  if (is('allow')) return { line: line.number, kind: 'allow', value: escapeValue(value) };
  if (is('disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw')) {
    return { line: line.number, kind: 'disallow', value: escapeValue(value) };
  }
  if (is('sitemap', 'site-map')) return { line: line.number, kind: 'sitemap', value };
  return { line: line.number, kind: 'other', value: escapeValue(value) };
}

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;

function escapeValue(value: readonly number[]): number[] {
  const octets = text(value).replace(/%[0-9A-Fa-f][0-9A-Fa-f]/g, (octet) => octet.toUpperCase());
  return codes(octets.replace(/[\x80-\xff]/g, (char) => hex(char.charCodeAt(0))));
}

/** Section 3.3: all positions in the path up to which the pattern so far can have matched. */
function oracleMatches(path: readonly number[], pattern: readonly number[]): boolean {
  let positions = new Set([0]);
  for (const [index, byte] of pattern.entries()) {
    if (byte === 0x24 && index === pattern.length - 1) return positions.has(path.length);
    const next = new Set<number>();
    for (const position of positions) {
      if (byte === 0x2a) for (let at = position; at <= path.length; at++) next.add(at);
      else if (path[position] === byte) next.add(position + 1);
    }
    positions = next;
  }
  return positions.size > 0;
}

/** Section 3.1 and 3.2; throws what `new URL` throws. */
function oraclePath(url: string, normalize: boolean): number[] {
  const utf8 = (string: string): number[] => [...new TextEncoder().encode(string)];
  if (normalize) {
    const absolute = new URL(/^\/(?!\/)/.test(url) ? `http://localhost${url}` : url);
    const emptyQuery = /^[^#]*\?(#|$)/.test(absolute.href) ? '?' : '';
    const path = absolute.pathname + (absolute.search || emptyQuery);
    return utf8(path.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase()));
  }
  // As Google's matcher finds it: leading slashes and the scheme are dropped, then all up to the first of / ? ;
  let rest = url.startsWith('//') ? url.slice(2) : url;
  const scheme = /^[^/?;]*?:\/\//s.exec(rest);
  const beforePath = rest;
  if (scheme) rest = rest.slice(scheme[0].length);
  const start = rest.search(/[/?;]/);
  if (start < 0) return codes('/');
  if (beforePath.slice(0, beforePath.length - rest.length + start).includes('#')) return codes('/');
  const path = rest.slice(start).replace(/#.*$/s, '');
  return utf8(path.startsWith('/') ? path : `/${path}`);
}

/** RFC 9309 section 2.2.2, as docs/decisions tells it. */
function oracleComparisonForm(bytes: readonly number[], isPattern: boolean): number[] {
  const unreserved = /[A-Za-z0-9._~-]/;
  let query = false;
  const units = text(bytes).match(/%[0-9A-Fa-f]{2}|[\s\S]/g) ?? [];
  const form = units.map((unit, index) => {
    const wasEncoded = unit.length === 3;
    const char = wasEncoded ? String.fromCharCode(Number.parseInt(unit.slice(1), 16)) : unit;
    const encoded = hex(char.charCodeAt(0));
    if (unreserved.test(char)) return char;
    if (char === '/' || char === '?') {
      const written = wasEncoded && !query ? encoded : char;
      if (char === '?' && !wasEncoded) query = true;
      return written;
    }
    if (wasEncoded) return encoded;
    if (char === '%') return char;
    if (isPattern && (char === '*' || (char === '$' && index === units.length - 1))) return char;
    return encoded;
  });
  return codes(form.join(''));
}

interface OracleGroup {
  readonly agents: number[][];
  readonly rules: OracleRecord[];
}

/** Section 2. */
function oracleGroups(records: readonly OracleRecord[]): OracleGroup[] {
  const groups: OracleGroup[] = [];
  let open = false;
  for (const record of records) {
    if (record.kind === 'user-agent') {
      if (!open) groups.push({ agents: [], rules: [] });
      open = true;
      groups.at(-1)?.agents.push(record.value);
    } else if (record.kind === 'allow' || record.kind === 'disallow') {
      open = false;
      groups.at(-1)?.rules.push(record);
    }
  }
  return groups;
}

const isGlobal = (agent: readonly number[]): boolean => /^\*([\t-\r ]|$)/.test(text(agent));
const names = (agent: readonly number[], token: string): boolean =>
  !isGlobal(agent) && /^[A-Za-z_-]*/.exec(text(agent))?.[0].toLowerCase() === token.toLowerCase();

/** Sections 2.4 to 2.6 and 3.4 to 3.8. */
export function oracleDecide(question: OracleQuestion): OracleAnswer {
  const { profile = 'google', normalize = true, obeysGlobal = true } = question;
  const rfc = profile === 'rfc9309';
  const records = oracleLines(question.content)
    .map((line) => oracleRecord(line, rfc))
    .filter((record) => record !== undefined);
  const groups = oracleGroups(records);
  let chosen: OracleGroup[] = [];
  let group: OracleAnswer['group'] = 'none';
  for (const [rank, tokens] of question.preferences.entries()) {
    const own = groups.filter(({ agents }) =>
      agents.some((agent) => tokens.some((token) => /^[A-Za-z_-]+$/.test(token) && names(agent, token))),
    );
    if (own.length === 0) continue;
    chosen = own;
    group = rank === 0 ? 'own' : 'fallback';
    break;
  }
  if (group === 'none' && obeysGlobal) {
    chosen = groups.filter(({ agents }) => agents.some(isGlobal));
    if (chosen.length > 0) group = 'global';
  }
  let path = oraclePath(question.url, normalize);
  if (rfc && text(path) === '/robots.txt') return { allowed: true, line: 0, group };
  if (rfc) path = oracleComparisonForm(path, false);

  const best = { allow: { priority: -1, line: 0 }, disallow: { priority: -1, line: 0 } };
  for (const rule of chosen.flatMap(({ rules }) => rules)) {
    let pattern = rule.value;
    const first = text(pattern)[0];
    if (profile === 'google-2013' && first !== undefined && first !== '/' && first !== '*') {
      pattern = [0x2f, ...pattern];
    }
    let priority = -1;
    const compared = (bytes: number[]): number[] => (rfc ? oracleComparisonForm(bytes, true) : bytes);
    if (oracleMatches(path, compared(pattern))) priority = pattern.length;
    else if (rule.kind === 'allow' && !rfc && /\/index\.htm[^/]*$/.test(text(pattern))) {
      const directory = codes(text(pattern).replace(/\/index\.htm[^/]*$/, '/$'));
      if (oracleMatches(path, directory)) priority = directory.length;
    }
    const kind = rule.kind === 'allow' ? 'allow' : 'disallow';
    if (priority > best[kind].priority) best[kind] = { priority, line: rule.line };
  }
  const { allow, disallow } = best;
  return {
    allowed: !(disallow.priority > 0 && disallow.priority > allow.priority),
    line: disallow.priority > allow.priority ? disallow.line : allow.line,
    group,
  };
}
