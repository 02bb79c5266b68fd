// wget, as it fetches: one recursive run over one page for each question, on a host of its own, through a proxy on loopback that has all
// hosts. The page links to the URL of the question; a second run without robots.txt shows whether wget requests such a URL at all.
// wget always obeys the groups for `wget`, so that ExampleBot is replaced in the file; names that resemble it are no question for wget.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AGENT } from '../questions.mjs';

const START = '/start.html';
/** Milliseconds for all pages: some milliseconds for each, and hostile patterns. */
const DEADLINE = 60_000;

const print = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
print({ version: execFileSync('wget', ['--version'], { encoding: 'utf8' }).split(' ')[2] });

const questions = (await text(process.stdin))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-wget-'));
try {
  const free = await crawl('off');
  const obedient = await crawl('on');
  for (const [index, { agent, robots }] of questions.entries()) {
    if (agent !== AGENT || hasSimilarName(robots))
      print({ error: 'not comparable: wget only obeys groups for wget' });
    else if (!free.has(index)) print({ error: 'not comparable: wget does not request this URL' });
    else print({ allowed: obedient.has(index) });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Whether a user-agent line has a name that resembles the crawler's. */
function hasSimilarName(robots) {
  return /^\s*user-?agent\b.*(?:example|bot)/im.test(getRobots({ robots }).toString('latin1'));
}

/** The file, with the name of wget. */
function getRobots({ robots }) {
  const latin1 = Buffer.from(robots, 'base64').toString('latin1');
  return Buffer.from(latin1.replace(new RegExp(AGENT, 'gi'), 'wget'), 'latin1');
}

/** @returns the indexes of the questions whose URL was requested. */
async function crawl(useRobots) {
  const requested = new Set();
  const proxy = createServer((request, response) => {
    // An absolute URL, as clients send it to a proxy.
    const [, index, path] = /^http:\/\/q(\d+)\.test(.*)$/.exec(request.url) ?? [];
    const question = questions[index];
    if (question === undefined) return response.writeHead(404).end();
    if (path === '/robots.txt') return response.end(getRobots(question));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (path !== START) requested.add(Number(index));
    const link = question.url.replace(/^http:\/\/[^/]*/, `http://q${index}.test`);
    return response.end(path === START ? `<a href="${link.replaceAll('"', '&quot;')}">a page</a>` : 'a page');
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const list = join(folder, 'list');
  writeFileSync(list, questions.map((_, index) => `http://q${index}.test${START}\n`).join(''));
  const args = ['--no-config', '--recursive', '--level=1', '--no-verbose', '--tries=1', '--timeout=5'];
  args.push(`--execute=robots=${useRobots}`, '--execute=use_proxy=on', '--delete-after');
  args.push(`--execute=http_proxy=http://127.0.0.1:${proxy.address().port}/`);
  args.push('--directory-prefix', folder, '--input-file', list);
  await new Promise((resolve) =>
    execFile('wget', args, { timeout: DEADLINE, killSignal: 'SIGKILL' }, resolve),
  );
  proxy.closeAllConnections();
  proxy.close();
  return requested;
}
