// The worst known inputs of up to 1 MiB for every command that takes some: processor seconds and peak memory of each process, the
// longest first. It is not a test: tests of the limits are beside the code.
//   node worst-inputs.mjs [part of a command] [part of an input]
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { FILES, fill, name } from './worst-files.mjs';

const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const MEBIBYTE = 2 ** 20;
/** No command may take more processor seconds, or bytes of memory. */
const [MAX_SECONDS, MAX_BYTES] = [5, 2 ** 30];
/** Milliseconds after which a command is killed. */
const DEADLINE = 120_000;

/** Writes the resources that a process has used when it exits. */
const PROBE = `
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(process.env.USAGE_FILE, JSON.stringify([(userCPUTime + systemCPUTime) / 1e6, maxRSS * 1024]));
  });
`;

const repeat = (text, bytes = MEBIBYTE) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const count = (line, bytes = MEBIBYTE) => {
  const parts = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    const next = line(index);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
};
const list = (length, item) => Array.from({ length }, (_, index) => item(index));

const TWENTY_THOUSAND_STARS = fill('User-agent: *\n', (n) => `Disallow: *${name(n)}*b${n % 7}*\n`);
const SMALL = 'User-agent: *\nDisallow: /a\nAllow: /a/*b\n';
const LONG_PATHS = list(16, (n) => `/${repeat(`a${n}b0c`, 64_000)}`);

/** Lists of URLs. */
const URLS = {
  'short paths': repeat('/a\n'),
  'short URLs': repeat('http://a/\n'),
  'one letter, which is no URL': repeat('a\n'),
  'one line': `/${repeat('ab')}`,
  'one line of dot segments': `https://a.example/${repeat('../a/', MEBIBYTE - 100)}`,
  'one line of escapes': `/${repeat('%e4', MEBIBYTE - 100)}`,
  'one line of letters beyond ASCII': `/${repeat('ä', MEBIBYTE - 100)}`,
  'one host of a MiB': `https://${repeat('a.', MEBIBYTE - 100)}/`,
  'one host of a MiB beyond ASCII': `https://${repeat('ä', MEBIBYTE - 100)}/`,
  'hosts beyond ASCII': count((n) => `https://ä${n}.example/\n`),
  'one port of a MiB': `https://a:${repeat('1', MEBIBYTE - 100)}/`,
  'one user of a MiB': `https://${repeat('@', MEBIBYTE - 100)}a/`,
  'CR only': repeat('/a\r'),
  'line ends': repeat('\n'),
  'spaces in one line': repeat(' '),
  'spaces beyond ASCII in one line': repeat('\u00a0'),
  'a letter between spaces': ` ${repeat(' ', MEBIBYTE / 2)}ä${repeat(' ', MEBIBYTE / 2)}`,
  NULs: repeat('\0'),
  'lines of NULs': repeat('\0\n'),
  'control characters': repeat('/\x1b[31m\u202e\n'),
  'bytes that are not UTF-8': Buffer.from(repeat('/\xff\n'), 'latin1'),
  'one line that is not UTF-8': Buffer.from(repeat('\xff'), 'latin1'),
  'long lines': repeat(`/${'a'.repeat(60_000)}\n`),
  'long lines of what the rules say': LONG_PATHS.join('\n'),
};

const question = (fields) => `${JSON.stringify(fields)}\n`;
/** Questions for batch. */
const QUESTIONS = {
  brackets: repeat('['),
  'brackets in lines': repeat('[\n'),
  'objects in one another': `{"id":${repeat('{"a":', MEBIBYTE / 2)}`,
  'an id of lists in one another': `{"id":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'an agent of lists in one another': `{"robots":"","url":"/","agent":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'a huge id': question({ id: repeat('x', MEBIBYTE - 100) }),
  'an id of many fields': `{"id":{${list(90_000, (n) => `"${n}a":1`).join(',')}}}`,
  'many fields': `{${list(90_000, (n) => `"${n}a":1`).join(',')}}`,
  'one field many times': `{${repeat('"robots":"a",')}"url":"/","agent":"a"}`,
  'beginnings of a file': repeat('"robots'),
  'beginnings of files': repeat('"robots":"\n'),
  'beginnings of a file and spaces': repeat('"robots"      '),
  backslashes: `{"robots":"${repeat('\\')}`,
  'quotes behind backslashes': `{"robots":"${repeat('\\"')}`,
  'braces in lines': repeat('{}\n'),
  'letters in lines': repeat('a\n'),
  'a number': `{"id":${repeat('1')}}`,
  base64: question({
    robots_base64: Buffer.from(FILES['short rules']).toString('base64'),
    agent: 'a',
    url: '/',
  }),
  'what is nearly base64': question({ robots_base64: `${repeat('A')}===!`, agent: 'a', url: '/' }),
  'a name of a MiB': question({ robots: SMALL, agent: repeat('a', MEBIBYTE - 100), url: '/' }),
  'a header of a MiB': question({ robots: SMALL, agent: repeat('a/(;', MEBIBYTE - 100), url: '/' }),
  'many names': question({ robots: SMALL, agents: list(150_000, (n) => name(n)), url: '/' }),
  'many names, many times': count((n) =>
    question({ robots: SMALL, agents: list(1000, (m) => name(n + m)), url: '/' }),
  ),
  'small questions': count((n) => question({ robots: SMALL, agent: 'a', url: `/${n}` })),
  'small questions, each about another file': count((n) =>
    question({ robots: `${SMALL}#${n}`, agent: 'a', url: '/a' }),
  ),
  'small questions, each of another agent': count((n) =>
    question({ robots: SMALL, agent: name(n), url: '/a' }),
  ),
  'a URL of a MiB': question({ robots: SMALL, agent: 'a', url: `/${repeat('../', MEBIBYTE - 200)}` }),
  'star rules and a long URL': question({
    robots: TWENTY_THOUSAND_STARS,
    agent: 'a',
    url: `/${repeat('a1b2c', MEBIBYTE / 2)}`,
  }),
};

/** Expectations for verify. */
const EXPECTATIONS = {
  '50,000 URLs': `- agent: a\n  allow:\n${count((n) => `   - /${n}\n`)}`,
  '50,000 patterns': `- agent: a\n  allow:\n${count((n) => `   - /a${n}*\n`)}`,
  '20,000 crawlers': count((n) => `- agent: ${name(n)}\n  allow: [/${n}, "/a*"]\n`),
  'patterns of stars': `- agent: a\n  allow:\n${repeat(`   - "/${'*a'.repeat(1000)}"\n`)}`,
  'one pattern of stars': `- agent: a\n  allow: ["/${repeat('*a', MEBIBYTE - 100)}"]\n`,
  'keys of a mapping': count((n) => `k${n}: 1\n`),
  'keys of an expectation': `- agent: a\n${count((n) => `  k${n}: 1\n`)}`,
  'keys of a flow mapping': `{${count((n) => `k${n}, `)}}`,
  'a mapping in a key': count((n) => `? {a: ${n}}\n: 1\n`),
  'merged keys': `- &a {a: 1}\n${count((n) => `- {<<: *a, k${n}: 1}\n`)}`,
  anchors: `- agent: a\n  allow:\n${count((n) => `   - &a${n} /\n`)}`,
  'one anchor, many times': `- agent: a\n  allow:\n${repeat('   - &a /\n')}`,
  aliases: `- agent: a\n  allow:\n   - &a /\n${repeat('   - *a\n')}`,
  'each an alias of another': `- agent: a\n  allow:\n   - &a0 /\n${count((n) => `   - &b${n} x\n   - *b${n}\n`)}`,
  'a bomb of aliases': `- &a0 [x,x,x,x,x,x,x,x,x]\n${list(50, (n) => `- &a${n + 1} [${list(9, () => `*a${n}`).join(',')}]\n`).join('')}`,
  brackets: repeat('['),
  'brackets that close': `${repeat('[', MEBIBYTE / 2)}${repeat(']', MEBIBYTE / 2)}`,
  'sequences in one another': repeat('- '),
  'mappings in one another': list(1_400, (n) => `${' '.repeat(n)}a:\n`).join(''),
  braces: repeat('{'),
  questions: repeat('? '),
  colons: repeat(':\n'),
  'quoted lines': `"${repeat('a\n\n')}"`,
  'a text in lines': `- |\n${repeat(' a\n')}`,
  'a folded text in lines': `- >\n${repeat(' a\n\n')}`,
  'a long line': repeat('a '),
  comments: repeat('#\n'),
  'comments in a list': `- agent: a\n  allow:\n   - /\n${repeat('   #\n')}`,
  documents: repeat('---\n'),
  directives: repeat('%A\n'),
  tags: `- agent: a\n  allow:\n${count((n) => `   - !a${n} /\n`)}`,
  'line ends': repeat('\n'),
  tabs: repeat('\t'),
  NULs: repeat('\0'),
  errors: repeat('- "\n'),
  'bad escapes': `"${repeat('\\q')}"`,
  'bytes that are not UTF-8': Buffer.from(repeat('- \xff\n'), 'latin1'),
  'one scalar that looks like a number': `- ${repeat('1')}`,
  'one scalar that looks like a time': `- 2000-01-01${repeat(' ')}x`,
};

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const sitemap = (body) => `${XML}<urlset>${body}</urlset>`;
/** Sitemaps for the option --urls of diff. */
const SITEMAPS = {
  ...URLS,
  'short entries': sitemap(repeat('<url><loc>/a</loc></url>')),
  'empty entries': sitemap(repeat('<url/>')),
  'elements in one another': `${XML}${repeat('<a>')}`,
  'entries in one another': `${XML}<urlset>${repeat('<url>')}`,
  'elements that close nothing': `${XML}${repeat('</a>')}`,
  'opening brackets': `${XML}${repeat('<')}`,
  'opening comments': `${XML}${repeat('<!--')}`,
  'opening CDATA': `${XML}<urlset>${repeat('<![CDATA[')}`,
  'opening document types': `${XML}${repeat('<!DOCTYPE ')}`,
  'opening instructions': `${XML}${repeat('<?')}`,
  comments: sitemap(repeat('<!---->')),
  CDATA: sitemap(`<url><loc>${repeat('<![CDATA[a]]>')}</loc></url>`),
  attributes: `${XML}<urlset ${count((n) => `a${n}="" `)}></urlset>`,
  'quotes in a tag': `${XML}<urlset ${repeat(`"'`)}`,
  'spaces in a tag': `${XML}<urlset ${repeat(' ')}x></urlset>`,
  prefixes: `${XML}<${repeat('a:')}></a>`,
  entities: `${XML}<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${list(20, (n) => `<!ENTITY a${n} "${`&a${n - 1 || ''};`.repeat(10)}">`).join('')}]><urlset><url><loc>&a19;</loc></url></urlset>`,
  'many entities': `${XML}<!DOCTYPE a [${count((n) => `<!ENTITY a${n} "a">`, MEBIBYTE / 2)}]><urlset><url><loc>${repeat('&a1;', MEBIBYTE / 2)}</loc></url></urlset>`,
  'many entities and entries': `${XML}<!DOCTYPE a [${count((n) => `<!ENTITY a${n} "a">`, MEBIBYTE / 2)}]><urlset>${repeat('<url><loc>&a1;</loc></url>', MEBIBYTE / 2)}</urlset>`,
  ampersands: sitemap(`<url><loc>${repeat('&')}</loc></url>`),
  'references to characters': sitemap(`<url><loc>${repeat('&#97;')}</loc></url>`),
  'one kind of element after another': sitemap(count((n) => `<a${n}/>`)),
  'an index of itself': `${XML}<sitemapindex>${repeat('<sitemap><loc>/a</loc></sitemap>')}</sitemapindex>`,
  'text with little XML': `<${repeat('a\n')}`,
  'spaces before text': `${repeat(' ')}x`,
  'a gzip bomb': gzipSync(Buffer.alloc(1000 * MEBIBYTE)),
  'a gzip bomb of 49 MiB of short lines': gzipSync(repeat('/a\n', 49 * MEBIBYTE)),
  'a gzip bomb of 49 MiB of empty elements': gzipSync(sitemap(repeat('<url/>', 49 * MEBIBYTE))),
  'a gzip bomb of 49 MiB of elements in one another': gzipSync(`${XML}${repeat('<a>', 49 * MEBIBYTE)}`),
};

/** What `verify --init` writes. */
const EXPECTATIONS_FILE = 'written.yaml';
const OPTION_VALUE = 'x/(;'.repeat(25_000);
const half = (text) => text.slice(0, text.lastIndexOf('\n', 500_000) + 1);

/** Arguments, files of the working folder, and standard input of each run. */
function* getCases() {
  for (const [input, content] of Object.entries(FILES)) {
    const files = { 'robots.txt': content };
    for (const agent of ['googlebot-image', name(7)]) {
      const args = ['--robots', 'robots.txt', '--agent', agent];
      yield {
        command: 'check',
        input: `${input}, ${agent}`,
        args: ['check', ...args, `/${'a'.repeat(60_000)}`],
        files,
      };
    }
    yield {
      command: 'check, 16 URLs of 64 kB',
      input,
      args: ['check', '--robots', 'robots.txt', ...LONG_PATHS],
      files,
    };
    yield {
      command: 'check --json, 16 URLs of 64 kB',
      input,
      args: [
        'check',
        '--json',
        '--robots',
        'robots.txt',
        '--agent',
        'a',
        '--agent',
        'googlebot-image',
        ...LONG_PATHS,
      ],
      files,
    };
    yield {
      command: 'check -',
      input,
      args: ['check', '--robots', '-', '/a'],
      stdin: `${content}${content}`.slice(0, MEBIBYTE),
    };
    yield { command: 'parse', input, args: ['parse', 'robots.txt'], files };
    yield { command: 'parse --json', input, args: ['parse', 'robots.txt', '--json'], files };
    for (const format of ['text', 'sarif', 'github'])
      yield {
        command: `lint --format ${format}`,
        input,
        args: ['lint', 'robots.txt', '--format', format],
        files,
      };
    for (const profile of ['google', 'rfc9309']) {
      const proofs = { input: `${input}, ${profile}`, files };
      const options = ['--profile', profile];
      yield { ...proofs, command: 'lint --fix', args: ['lint', '--fix', 'robots.txt', ...options] };
      yield { ...proofs, command: 'minify', args: ['minify', 'robots.txt', ...options] };
      yield {
        ...proofs,
        command: 'verify --init',
        args: ['verify', 'robots.txt', '--init', '--tests', EXPECTATIONS_FILE, ...options],
      };
      // The previous command has written the expectations.
      yield {
        ...proofs,
        command: 'verify',
        args: ['verify', 'robots.txt', '--tests', EXPECTATIONS_FILE, ...options],
      };
      yield {
        ...proofs,
        command: 'diff of files that differ in each rule',
        args: ['diff', 'robots.txt', 'other.txt', '--json', ...options],
        files: {
          ...files,
          'other.txt': Buffer.from(
            Buffer.from(content)
              .toString('latin1')
              .replace(/^(.*low: \/.*)/gm, '$1z'),
            'latin1',
          ),
        },
      };
    }
    yield {
      command: 'diff of unrelated files',
      input,
      args: ['diff', 'robots.txt', 'other.txt'],
      files: { ...files, 'other.txt': Buffer.from(FILES['rules with stars']) },
    };
    yield {
      command: 'diff --urls, all agents',
      input,
      args: ['diff', 'robots.txt', 'other.txt', '--urls', 'urls.txt'],
      files: {
        ...files,
        'other.txt': half(String(content)).replace(/low: \//g, 'low: /b'),
        'urls.txt': repeat('/a/b\n'),
      },
    };
    yield {
      command: 'batch, one file',
      input,
      args: ['batch'],
      stdin: question({
        robots_base64: Buffer.from(content).toString('base64'),
        agent: 'a',
        url: LONG_PATHS[3],
      }),
    };
  }
  for (const [rules, robots] of Object.entries({ small: SMALL, stars: TWENTY_THOUSAND_STARS })) {
    for (const [input, urls] of Object.entries(URLS)) {
      const files = { 'robots.txt': robots, 'urls.txt': urls };
      const args = ['check', '--robots', 'robots.txt', '--urls', 'urls.txt'];
      yield { command: `check --urls, ${rules}`, input, args, files };
      yield { command: `check --urls --json, ${rules}`, input, args: [...args, '--json'], files };
      yield {
        command: `check --urls --no-normalize, ${rules}`,
        input,
        args: [...args, '--no-normalize'],
        files,
      };
    }
    for (const [input, tests] of Object.entries(EXPECTATIONS))
      for (const format of ['text', 'junit'])
        yield {
          command: `verify --format ${format}, ${rules}`,
          input,
          args: ['verify', 'robots.txt', '--tests', 'tests.yaml', '--format', format],
          files: { 'robots.txt': robots, 'tests.yaml': tests },
        };
  }
  for (const [input, lines] of Object.entries(QUESTIONS))
    yield { command: 'batch', input, args: ['batch'], stdin: lines };
  for (const [input, urls] of Object.entries(SITEMAPS))
    yield {
      command: 'diff --urls',
      input,
      args: ['diff', 'robots.txt', 'other.txt', '--urls', 'urls.txt'],
      files: { 'robots.txt': SMALL, 'other.txt': 'User-agent: *\nDisallow: /b\n', 'urls.txt': urls },
    };
  const files = { 'robots.txt': SMALL };
  for (const option of ['--agent', '--profile', '--database', '--timeout', '--user-agent'])
    yield {
      command: 'check',
      input: `${option} of 100 kB`,
      args: ['check', 'https://127.0.0.1:9/', option, OPTION_VALUE, '--offline'],
    };
  yield {
    command: 'check',
    input: '10,000 agents',
    args: ['check', '--robots', 'robots.txt', ...list(10_000, (n) => `--agent=${name(n)}`), '/a'],
    files,
  };
  yield {
    command: 'check',
    input: '10,000 URLs',
    args: ['check', '--robots', 'robots.txt', ...list(10_000, (n) => `/${n}`)],
    files,
  };
  for (const command of ['parse', 'lint', 'minify']) {
    yield { command, input: 'a name of 100 kB', args: [command, OPTION_VALUE] };
    yield { command, input: 'an unknown option of 100 kB', args: [command, `--${OPTION_VALUE}`] };
    yield { command, input: 'a file without an end', args: [command, '/dev/zero'] };
  }
  yield {
    command: 'verify',
    input: 'expectations without an end',
    args: ['verify', 'robots.txt', '--tests', '/dev/zero'],
    files,
  };
  yield {
    command: 'diff --urls',
    input: 'a list without an end',
    args: ['diff', 'robots.txt', 'robots.txt', '--urls', '/dev/zero'],
    files,
  };
  yield { command: '(unknown)', input: 'a command of 100 kB', args: [OPTION_VALUE] };
}

async function run({ args, files = {}, stdin }, folder, probe) {
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  if (args.includes('--init')) rmSync(join(folder, EXPECTATIONS_FILE), { force: true });
  const usage = join(folder, 'usage.json');
  writeFileSync(usage, 'null');
  const input = join(folder, 'stdin');
  writeFileSync(input, stdin ?? '');
  const descriptor = openSync(input);
  const child = spawn(process.execPath, ['--import', probe, COMMAND, ...args], {
    cwd: folder,
    env: { ...process.env, USAGE_FILE: usage, XDG_CACHE_HOME: folder },
    stdio: [descriptor, 'ignore', 'pipe'],
    timeout: DEADLINE,
    killSignal: 'SIGKILL',
  });
  closeSync(descriptor);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(0, 1e6);
  });
  const [status, signal] = await new Promise((resolve) => child.once('close', (...ended) => resolve(ended)));
  const [seconds, bytes] = JSON.parse(readFileSync(usage, 'utf8')) ?? [Number.POSITIVE_INFINITY, 0];
  return { seconds, bytes, problem: getProblem(status, signal, errors) };
}

/** Describes the failure of a command; an empty text if there is none. */
function getProblem(status, signal, errors) {
  if (signal !== null) return `ended by ${signal}`;
  if (/\n\s+at |a fault in maycrawl/.test(errors)) return `fault: ${errors.slice(0, 150)}`;
  return status > 2 ? `exit code ${status}` : '';
}

const [command = '', input = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-worst-'));
const probe = join(folder, 'probe.mjs');
writeFileSync(probe, PROBE);
const results = [];
let isStopped = false;
// The results are printed after Ctrl-C, too.
process.once('SIGINT', () => {
  isStopped = true;
});
try {
  for (const each of getCases()) {
    if (isStopped) break;
    if (!each.command.includes(command) || !each.input.includes(input)) continue;
    const result = { ...each, ...(await run(each, folder, probe)) };
    results.push({ ...result, files: undefined, stdin: undefined });
    // The whole list takes a quarter of an hour or more: each result is printed, and all of them again at the end.
    const { seconds, command: name, input: what } = result;
    process.stderr.write(`${results.length}: ${seconds.toFixed(2)} s  ${name}: ${what}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const isGood = ({ seconds, bytes, problem }) =>
  seconds <= MAX_SECONDS && bytes <= MAX_BYTES && problem === '';
for (const each of results.sort((a, b) => b.seconds - a.seconds)) {
  const { seconds, bytes, problem } = each;
  const verdict = isGood(each)
    ? 'PASS'
    : seconds > MAX_SECONDS
      ? 'over 5 s'
      : problem === ''
        ? 'over 1 GiB'
        : 'FAULT';
  const megabytes = `${Math.round(bytes / MEBIBYTE)} MiB`;
  console.log(
    `${verdict.padEnd(10)} ${seconds.toFixed(2).padStart(8)} s ${megabytes.padStart(9)}  ${each.command}: ${each.input}${problem === '' ? '' : ` (${problem})`}`,
  );
}
console.log(`${results.length} inputs, ${results.filter(isGood).length} of them PASS`);
