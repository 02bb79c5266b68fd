// The form of the file: content types, encodings, size, line ends.
import { byGoogle, byRfc, defineScenario, FILE, type Reply, type Scenario } from '../scenario.ts';

const rules = { rfc9309: byRfc('2.3', 'private'), google: byGoogle('format', 'private') };
/** A comment of 41 bytes. */
const COMMENT = '# a line of this comment has forty bytes\n';

/** A file that counts, whatever its form. */
const readable = (id: string, title: string, reply: Reply): Scenario =>
  defineScenario(id, title, reply, rules);

export const FILE_SCENARIOS: readonly Scenario[] = [
  readable('content-type', 'rules with the type application/octet-stream', {
    headers: { 'content-type': 'application/octet-stream' },
    body: FILE,
  }),
  readable('content-type-html', 'rules with the type text/html', {
    headers: { 'content-type': 'text/html' },
    body: FILE,
  }),
  defineScenario(
    'html-page',
    'a page of HTML with the status 200',
    {
      headers: { 'content-type': 'text/html' },
      body: '<!DOCTYPE html>\n<html><body>\n<p>User-agent: *</p>\n<p>Disallow: /</p>\n</body></html>\n',
    },
    { rfc9309: byRfc('2.3.1.5', 'none'), google: byGoogle('format', 'none', 'fetch-status-007') },
  ),
  readable('byte-order-mark', 'a byte order mark', { body: `\ufeff${FILE}` }),
  readable('carriage-returns', 'lines that end with CR', { body: FILE.replaceAll('\n', '\r') }),
  defineScenario(
    'size-within',
    'a rule after 480 KiB',
    { body: [...[['User-agent: *\n', 1] as const, [COMMENT, 12_000] as const], ['Disallow: /private\n', 1]] },
    { rfc9309: byRfc('2.5', 'private'), google: byGoogle('format', 'private') },
  ),
  defineScenario(
    'size-beyond',
    'a rule after 520 KiB',
    { body: [...[['User-agent: *\n', 1] as const, [COMMENT, 13_000] as const], ['Disallow: /private\n', 1]] },
    { rfc9309: byRfc('2.5', 'none', 'fetch-size-011'), google: byGoogle('format', 'none', 'fetch-size-002') },
  ),
];
