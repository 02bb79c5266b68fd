/**
 * The naive oracle: a literal implementation of parsing, grouping and matching that shares no code with the library. It is slow on
 * purpose. The tests compare all fast paths with it.
 */

export interface OracleInput {
  readonly content: Uint8Array;
  /** Token sets in order of preference. */
  readonly preferences: readonly (readonly string[])[];
  readonly obeysGlobal?: boolean;
  /** Whether tokens are bare tokens, which are compared only with the product token. */
  readonly areBare?: boolean;
  readonly url: string;
  readonly normalize?: boolean;
  readonly profile?: string;
}

export interface OracleResult {
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
const WHITE_SPACE = codes('\t\n\v\f\r ');

/** Lines: size limit, byte order mark, line ends, line limit and NUL. */
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

export function trim(bytes: readonly number[]): number[] {
  const rest = [...bytes];
  while (WHITE_SPACE.includes(rest[0] as number)) rest.shift();
  while (WHITE_SPACE.includes(rest.at(-1) as number)) rest.pop();
  return rest;
}

/** Records: comments, separators, field names and escaping of values. */
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

export function escapeValue(value: readonly number[]): number[] {
  const octets = text(value).replace(/%[0-9A-Fa-f][0-9A-Fa-f]/g, (octet) => octet.toUpperCase());
  return codes(octets.replace(/[\x80-\xff]/g, (char) => hex(char.charCodeAt(0))));
}

/** Pattern matching: computes all positions in the path up to which the prefix of the pattern can match. */
export function oracleMatches(path: readonly number[], pattern: readonly number[]): boolean {
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

/**
 * The path and query of a URL with a special scheme: the state machine of the basic URL parser (URL Standard of 2026-07-02), one code
 * point at a time. It does not validate host and port.
 */
export function oracleRequestPath(url: string): string {
  let points = [...url].map((char) => char.codePointAt(0) as number);
  const isControlOrSpace = (point: number | undefined): boolean => point !== undefined && point <= 0x20;
  while (isControlOrSpace(points[0])) points = points.slice(1);
  while (isControlOrSpace(points.at(-1))) points = points.slice(0, -1);
  const input = points
    .filter((point) => point !== 0x09 && point !== 0x0a && point !== 0x0d)
    // USVString of Web IDL.
    .map((point) => (point >= 0xd800 && point <= 0xdfff ? '\ufffd' : String.fromCodePoint(point)));

  const encode = (char: string, set: string): string => {
    const point = char.codePointAt(0) as number;
    if (point > 0x1f && point <= 0x7e && !set.includes(char)) return char;
    return [...new TextEncoder().encode(char)].map(hex).join('');
  };
  const query = ' "#<>';
  const path: string[] = [];
  let buffer = '';
  let queryBuffer: string | undefined;
  let state = input[0] === '/' ? 'path start' : 'scheme';
  for (let pointer = 0; pointer <= input.length; pointer++) {
    const c = input[pointer] ?? 'EOF';
    const isSlash = c === '/' || c === '\\';
    if (state === 'scheme') {
      if (c === ':') state = 'slashes';
    } else if (state === 'slashes') {
      if (isSlash) continue;
      state = 'authority';
      pointer--;
    } else if (state === 'authority') {
      if (!isSlash && c !== '?' && c !== '#' && c !== 'EOF') continue;
      state = 'path start';
      pointer--;
    } else if (state === 'path start') {
      state = 'path';
      if (!isSlash) pointer--;
    } else if (state === 'path') {
      if (!isSlash && c !== '?' && c !== '#' && c !== 'EOF') {
        buffer += encode(c, `${query}?^\`{}`);
        continue;
      }
      const dots = buffer.replace(/%2[eE]/g, '.');
      if (dots === '..') path.pop();
      if ((dots === '..' || dots === '.') && !isSlash) path.push('');
      if (dots !== '..' && dots !== '.') path.push(buffer);
      buffer = '';
      if (c === '?') [state, queryBuffer] = ['query', ''];
      if (c === '#') break;
    } else {
      if (c === '#' || c === 'EOF') break;
      queryBuffer += encode(c, `${query}'`);
    }
  }
  const whole = `/${path.join('/')}${queryBuffer === undefined ? '' : `?${queryBuffer}`}`;
  return whole.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

/**
 * The path that is matched.
 *
 * @throws {TypeError} if the runtime cannot parse the URL.
 */
function oraclePath(url: string, normalize: boolean): number[] {
  const utf8 = (string: string): number[] => [...new TextEncoder().encode(string)];
  if (normalize) {
    const isPath = /^\/(?!\/)/.test(url);
    if (!isPath) new URL(url);
    return codes(oracleRequestPath(url));
  }
  // As in Google's matcher: drops leading slashes and the scheme, then everything before the first `/`, `?` or `;`.
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

/** Comparison form of RFC 9309: unreserved characters decoded, all others encoded, except the delimiters of a path. */
function oracleComparisonForm(bytes: readonly number[], isPattern: boolean): string {
  const units = text(bytes).match(/%[0-9A-Fa-f]{2}|[\s\S]/g) ?? [];
  const form = units.map((unit, index) => {
    const char = unit.length === 3 ? String.fromCharCode(Number.parseInt(unit.slice(1), 16)) : unit;
    if (/[A-Za-z0-9._~-]/.test(char)) return char;
    if (unit.length === 3) return unit.toUpperCase();
    if (char === '/' || char === '?' || char === '%') return char;
    if (isPattern && (char === '*' || (char === '$' && index === units.length - 1))) return char;
    return hex(char.charCodeAt(0));
  });
  return form.join('');
}

/** Slashes and question marks in a query are not delimiters, so they match in both forms. */
function oracleComparedPaths(path: readonly number[]): number[][] {
  const form = oracleComparisonForm(path, false);
  const [before = '', ...query] = form.split('?');
  if (query.length === 0) return [codes(form)];
  const rest = query.join('?');
  const decoded = rest.replace(/%2F/g, '/').replace(/%3F/g, '?');
  const encoded = rest.replace(/[/?]/g, (char) => hex(char.charCodeAt(0)));
  return [rest, decoded, encoded].map((each) => codes(`${before}?${each}`));
}

interface OracleGroup {
  readonly agents: number[][];
  readonly rules: OracleRecord[];
}

/** Groups: a user-agent record after a rule starts a new group. */
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
/** A token with digits or dots is compared with the extended token, any other with the product token. Bare tokens always with that. */
const names = (agent: readonly number[], token: string, isBare: boolean): boolean => {
  const run = !isBare && /[0-9.]/.test(token) ? /^[A-Za-z0-9._-]*/ : /^[A-Za-z_-]*/;
  return !isGlobal(agent) && run.exec(text(agent))?.[0].toLowerCase() === token.toLowerCase();
};

/** Selects the groups, and finds the longest matching rule. */
export function oracleDecide(input: OracleInput): OracleResult {
  const { profile = 'google', normalize = true, obeysGlobal = true, areBare = false } = input;
  const rfc = profile === 'rfc9309';
  const records = oracleLines(input.content)
    .map((line) => oracleRecord(line, rfc))
    .filter((record) => record !== undefined);
  const groups = oracleGroups(records);
  let chosen: OracleGroup[] = [];
  let group: OracleResult['group'] = 'none';
  for (const [rank, tokens] of input.preferences.entries()) {
    const own = groups.filter(({ agents }) =>
      agents.some((agent) => tokens.some((token) => names(agent, token, areBare))),
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
  const path = oraclePath(input.url, normalize);
  const paths = rfc ? oracleComparedPaths(path) : [path];
  if (rfc && text(paths[0] ?? []) === '/robots.txt') return { allowed: true, line: 0, group };

  const best = { allow: { priority: -1, line: 0 }, disallow: { priority: -1, line: 0 } };
  for (const rule of chosen.flatMap(({ rules }) => rules)) {
    let pattern = rule.value;
    const first = text(pattern)[0];
    if (profile === 'google-2013' && first !== undefined && first !== '/' && first !== '*') {
      pattern = [0x2f, ...pattern];
    }
    let priority = -1;
    const compared = rfc ? codes(oracleComparisonForm(pattern, true)) : pattern;
    if (paths.some((each) => oracleMatches(each, compared))) priority = pattern.length;
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
