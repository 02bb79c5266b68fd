import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/program.ts';
import { type AnyCommand, CONFIG_VARIABLE, getConfigurableNames } from '../../src/cli/options/command.ts';
import { describeType } from '../../src/cli/options/option.ts';
import { toFlag, toVariable } from '../../src/cli/options/resolve.ts';
import { ROOT } from '../support/run.ts';

const INTRODUCTION = `# Options and environment variables

This page is generated from the descriptions in \`packages/maycrawl/src/cli\`; \`npx vitest run -u packages/maycrawl/test/docs/options.test.ts\`
writes it.

An option of \`serve\`, \`watch\` and \`audit\` can be set in four places. The first of them that has it decides:

1. the command line,
2. the environment variable in the table,
3. the configuration file: \`maycrawl.config.json\` or \`maycrawl.config.yaml\` in the current directory, or the file that \`--config\` or
   \`${CONFIG_VARIABLE}\` names,
4. the default.

The configuration file has a section for each of these commands, and in it the options in camel case:

\`\`\`yaml
serve:
  port: 9000
  timeout: 10s
  allowedHost: [robots.example.com]
watch:
  database: /var/lib/maycrawl/watch.sqlite
  keep: 400d
audit:
  maxPages: 10000
  sitemaps: false
\`\`\`

A section, a key or a variable \`MAYCRAWL_SERVE_…\`, \`MAYCRAWL_WATCH_…\` or \`MAYCRAWL_AUDIT_…\` that is no option is an error. An empty variable is
not set. A variable for a list has commas between its items, or is a JSON array of strings. Passwords and tokens belong into variables: other
users of the machine can see command lines.

A duration has a unit: \`500ms\`, \`30s\`, \`15m\`, \`12h\`, \`400d\`. A size is a number of bytes or has the unit \`kB\`, \`MB\` or \`GB\`.

| variable | |
|---|---|
| \`${CONFIG_VARIABLE}\` | the configuration file |
| \`MAYCRAWL_SECRET_KEY\` | the key that seals the targets of the monitor ([watching](watch.md)) |
| \`MAYCRAWL_SMTP_URL\`, \`MAYCRAWL_MAIL_FROM\`, \`MAYCRAWL_WEBHOOK_SECRET\` | the mail server and the sender of the monitor, and the secret that signs its webhooks ([messages](watch-messages.md)) |
| \`PGPASSWORD\` | the password of a PostgreSQL database whose URL has none |
| \`MAYCRAWL_TARGET_1\`, … | targets of notifications that \`watch export\` omits |
| \`MAYCRAWL_DEBUG\` | if set, a fault of the program ends it with the stack of the error |
| \`XDG_CACHE_HOME\`, \`XDG_DATA_HOME\` | folders of the default databases |
| \`NO_COLOR\` | if set, the output has no colours |
`;

/** Formats the page that describes all options of all commands. */
function formatPage(commands: readonly AnyCommand[]): string {
  return `${INTRODUCTION}${commands.map(formatCommand).join('')}`;
}

function formatCommand(command: AnyCommand): string {
  const { name, description, options, section } = command;
  const args = (command.arguments ?? []).map(([each]) => ` ${each}`).join('');
  const entries = Object.entries(options);
  const head = `\n## maycrawl ${name}\n\n\`maycrawl ${name}${args}\`: ${description}.\n`;
  if (entries.length === 0) return head;
  const configurable = getConfigurableNames(command);
  const rows = entries.map(([key, option]) => {
    const isNegative = option.type === 'flag' && option.default === 'true';
    const flag = isNegative ? toFlag(key).replace('--', '--no-') : toFlag(key);
    const short = option.letter === undefined ? '' : `\`-${option.letter}\`, `;
    const placeholder = option.type === 'flag' ? '' : option.placeholder;
    const variable =
      section === undefined || !configurable.includes(key) ? '' : `\`${toVariable(section, key)}\``;
    const cells = [
      option.isSecret ? '' : `${short}\`${`${flag} ${placeholder}`.trim()}\``,
      describeType(option),
      isNegative || option.default === undefined ? '' : `\`${option.default}\``,
      variable,
      option.description,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  return `${head}\n| option | value | default | environment | |\n|---|---|---|---|---|\n${rows.join('')}`;
}

test('docs/options.md describes all options of all commands', async () => {
  await expect(formatPage(COMMANDS)).toMatchFileSnapshot(join(ROOT, 'docs/options.md'));
});

test('all secrets are configurable', () => {
  for (const command of COMMANDS) {
    const secrets = Object.keys(command.options).filter((key) => command.options[key]?.isSecret);
    expect(getConfigurableNames(command), command.name).toEqual(expect.arrayContaining(secrets));
  }
});

test('docs/command.md describes every command', () => {
  const page = readFileSync(join(ROOT, 'docs', 'command.md'), 'utf8');
  const isDescribed = (name: string): boolean => new RegExp(`(?:\`|maycrawl )${name}\\b`).test(page);
  const names = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''));
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => !isDescribed(name))).toEqual([]);
});
