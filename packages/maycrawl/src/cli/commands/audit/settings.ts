// The options of `maycrawl audit` as the options of an audit.
import { type AuditPlan, createPlan } from '../../../audit/plan.ts';
import type { RenderOptions } from '../../../audit/render/render-options.ts';
import type { SegmentPattern } from '../../../audit/run/settings.ts';
import { visible } from '../../../text/printable.ts';
import { readRobotsFile } from '../../input/file.ts';
import { requireCrawler, requireProfile } from '../../input/options.ts';
import { parseUrlOrHost } from '../../input/origin.ts';
import { readUrls } from '../../input/sitemaps.ts';
import { CommandError } from '../../output/errors.ts';
import type { AuditCommandOptions } from './options.ts';

/** Creates the plan of an audit. @throws {CommandError} if an option is invalid. */
export async function readPlan(starts: readonly string[], options: AuditCommandOptions): Promise<AuditPlan> {
  const {
    agent,
    profile,
    urls,
    robots,
    header,
    userAgent,
    timeout,
    allowPrivate,
    segment,
    render,
    external,
    externalLimit,
    ...others
  } = options;
  const segments = parseSegments(segment);
  const openList = (list: string, signal: AbortSignal) =>
    readUrls(list, { userAgent, timeout, ...(allowPrivate && { allowPrivate }), offline: false, signal });
  try {
    const plan = createPlan(
      starts.map((start) => parseUrlOrHost(start).href),
      {
        ...others,
        userAgent,
        timeout,
        ...(allowPrivate && { allowPrivateAddresses: true }),
        agents: agent.map((name) => requireCrawler(name).name),
        profile: requireProfile(profile).name,
        headers: (header ?? []).map(parseHeader),
        ...(segments !== undefined && { segments }),
        ...(render && { render: getRenderOptions(options) }),
        ...(external && { external: { limit: externalLimit } }),
        ...(robots !== undefined && { robots: await readRobotsFile(robots) }),
      },
    );
    const settings = plan.settings && { ...plan.settings, list: urls ?? null };
    // The list is read when the crawl begins, and again when a run is continued.
    return { ...plan, settings, openList };
  } catch (cause) {
    if (cause instanceof RangeError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
}

/** Parses segments, each `NAME=PATTERN`. @throws {CommandError} if one is not. */
export function parseSegments(texts: readonly string[] | undefined): SegmentPattern[] | undefined {
  return texts?.map((text) => {
    const [, name = '', pattern = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name.trim() !== '' && /^[/*]/.test(pattern)) return { name: name.trim(), pattern };
    throw new CommandError(`--segment must be NAME=PATTERN, such as "Blog=/blog/", not ${visible(text)}`);
  });
}

function getRenderOptions({
  renderLimit: limit,
  renderTimeout: timeout,
  renderWithoutSandbox: withoutSandbox = false,
  chromium,
}: AuditCommandOptions): RenderOptions {
  return { limit, timeout, withoutSandbox, ...(chromium !== undefined && { chromium }) };
}

/** Parses `Name: value`. @throws {CommandError} if the text is not a header. */
function parseHeader(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~]*)$/.exec(text) ?? [];
  // The text may contain a secret.
  if (name === '') throw new CommandError('--header must be "Name: value" in ASCII');
  return [name, value.trimStart()];
}
