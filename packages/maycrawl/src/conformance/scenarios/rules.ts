// Groups, names and paths in the file.
import { byGoogle, byRfc, defineScenario, FILE, type Pages, type Scenario } from '../scenario.ts';

const pages = (open: readonly string[], closed: readonly string[]): { pages: Pages } => ({
  pages: { open, private: closed },
});

const inGroups = { rfc9309: byRfc('2.2.1', 'private'), google: byGoogle('groups', 'private') };
const byPath = { rfc9309: byRfc('2.2.2', 'private'), google: byGoogle('matching', 'private') };

/** A file that names the crawler. */
const named = (id: string, title: string, body: string): Scenario =>
  defineScenario(id, title, { body }, inGroups, { needsAgent: true });

export const RULE_SCENARIOS: readonly Scenario[] = [
  defineScenario(
    'query',
    'a rule about the query',
    { body: 'User-agent: *\nDisallow: /list?filter=\n' },
    byPath,
    pages(['/list', '/list?page=2'], ['/list?filter=1', '/list?filter=2']),
  ),
  defineScenario(
    'longest-match',
    'a longer allow rule after a disallow rule',
    { body: 'User-agent: *\nDisallow: /o\nAllow: /open\n' },
    byPath,
    pages(['/open/1', '/open/2'], ['/other/1']),
  ),
  defineScenario(
    'first-match',
    'a longer disallow rule after an allow rule',
    { body: 'User-agent: *\nAllow: /\nDisallow: /private\n' },
    byPath,
  ),
  defineScenario(
    'wildcards',
    'a star and an end anchor',
    { body: 'User-agent: *\nDisallow: /*.pdf$\n' },
    { rfc9309: byRfc('2.2.3', 'private'), google: byGoogle('matching', 'private') },
    pages(['/open/1', '/a.pdf?page=1'], ['/a.pdf', '/folder/b.pdf']),
  ),
  defineScenario(
    'percent-encoding',
    'a rule with a character, links with its code',
    { body: 'User-agent: *\nDisallow: /caf\u00e9\n' },
    byPath,
    pages(['/open/1', '/caf'], ['/caf%C3%A9/1', '/caf%c3%a9/2']),
  ),
  defineScenario(
    'ports',
    'links to another port, which has no file',
    { body: FILE },
    { rfc9309: byRfc('2.3', 'private'), google: byGoogle('location', 'private') },
    pages(['/open/1', '{other}/private/3'], ['/private/1']),
  ),
  defineScenario(
    'ports-closed',
    'links to another port, whose file disallows other paths',
    { body: 'User-agent: *\nDisallow: /private\n' },
    { rfc9309: byRfc('2.3', 'private'), google: byGoogle('location', 'private') },
    {
      ...pages(['/open/1', '{other}/private/3'], ['/private/1', '{other}/open/3']),
      otherPaths: { '/robots.txt': { body: 'User-agent: *\nDisallow: /open\n' } },
    },
  ),
  named(
    'own-group',
    'a group that names the crawler: by its token, not by its whole header',
    'User-agent: *\nDisallow: /\n\nUser-agent: {agent}\nDisallow: /private\n',
  ),
  named(
    'stacked-agents',
    'several names above a group',
    'User-agent: {agent}\nUser-agent: Other\nDisallow: /private\n',
  ),
  named(
    'merged-groups',
    'two groups that name the crawler',
    'User-agent: {agent}\nDisallow: /other\n\nUser-agent: Other\nDisallow: /\n\nUser-agent: {agent}\nDisallow: /private\n',
  ),
  named('empty-line', 'an empty line after the name', 'User-agent: {agent}\n\nDisallow: /private\n'),
  named(
    'part-of-name',
    'a group for a longer name',
    'User-agent: {agent}-Images\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n',
  ),
];
