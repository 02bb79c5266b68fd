// Settings of monitored sites in the API. Targets that run programs, write files or read the environment can only be set on the command
// line; they stay when the other settings are changed here. URLs on private addresses cannot be set either (private-urls.ts). Secrets
// are not shown.
import { isInvalidAgentError, resolveAgent } from '@maycrawl/core';
import type { WatchJson } from '../../api/watch-api.ts';
import { describeTarget, parseTarget, type Target } from '../../watch/notifications/targets/target.ts';
import { TargetError } from '../../watch/notifications/targets/target-error.ts';
import { DEFAULT_CONFIRM, type SiteSettings, type StoredText } from '../../watch/site.ts';
import type { SiteRepository } from '../../watch/storage/site-repository.ts';
import { Problem } from '../http/problems.ts';
import { listTargets } from './site.ts';

/** Returns the settings for a form. */
export async function getEditableSettings(
  repository: SiteRepository,
  settings: SiteSettings,
): Promise<WatchJson<'EditableSettings'>> {
  const { every, confirm = DEFAULT_CONFIRM, agents, urls, tests, severity = {} } = settings;
  const readText = async (kept: StoredText | undefined): Promise<string | null> =>
    kept === undefined ? null : Buffer.from((await repository.content(kept.hash)) ?? []).toString();
  return {
    ...{ every, confirm, agents, severity },
    urls: await readText(urls),
    tests: await readText(tests),
    notify: listTargets(settings).map((target, index) => ({ index, ...target })),
  };
}

/**
 * Settings as they are stored. A text that is `null` is removed; an omitted one stays.
 *
 * @param before - the current settings; `undefined` for a new site.
 * @throws {Problem} for invalid settings, and for those that cannot be set here.
 */
export async function createSettings(
  repository: SiteRepository,
  given: WatchJson<'SettingsChange'>,
  before: SiteSettings | undefined,
): Promise<SiteSettings> {
  const { every, agents, notify, severity } = given;
  const confirm = given.confirm ?? before?.confirm;
  const keep = async (
    text: string | null | undefined,
    old: StoredText | undefined,
    name: string,
  ): Promise<StoredText | undefined> => {
    if (text === undefined) return old;
    return text === null || text.trim() === '' ? undefined : repository.storeText(old?.name ?? name, text);
  };
  const targets = notify.map((each) => {
    const text = getNewTarget(each);
    return text === undefined ? findOldTarget(each as StoredTarget, before) : checkNewTarget(text);
  });
  // A private address that the operator allowed on the command line stays allowed.
  const openTargets = targets.filter(
    (target, index) =>
      getNewTarget(notify[index] as GivenTarget) === undefined && before?.openTargets?.includes(target),
  );
  const notifyFrom = Object.fromEntries(
    notify.flatMap((each, index) =>
      typeof each === 'string' || each.from === 'info' ? [] : [[targets[index] as string, each.from]],
    ),
  );
  const names = agents.map(resolveName);
  const urls = await keep(given.urls, before?.urls, 'urls.txt');
  const tests = await keep(given.tests, before?.tests, 'robots.test.yaml');
  return {
    every,
    ...(confirm !== undefined && { confirm }),
    agents: [...new Set(names)],
    notify: [...new Set(targets)],
    ...(Object.keys(notifyFrom).length > 0 && { notifyFrom }),
    ...(urls && { urls }),
    ...(tests && { tests }),
    ...(Object.keys(severity).length > 0 && { severity }),
    ...(before?.isOriginOpen && { isOriginOpen: true }),
    ...(openTargets.length > 0 && { openTargets }),
  };
}

/** Returns the URLs of new webhooks. @throws {Problem} `invalid-target` for a target that cannot be set here. */
export function getNewWebhookUrls({ notify }: WatchJson<'SettingsChange'>): string[] {
  return notify.flatMap((each) => {
    const text = getNewTarget(each);
    const target = text === undefined ? undefined : readTarget(text);
    return target?.kind === 'webhook' || target?.kind === 'slack' ? [target.url] : [];
  });
}

/** Parses a target that can be set or tested here. @throws {Problem} `invalid-target` for any other. */
export function readTarget(text: string): Target {
  let target: Target;
  try {
    target = parseTarget(text);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new Problem('invalid-target', error.message);
  }
  const { kind } = target;
  if (kind === 'exec' || kind === 'feed' || kind === 'env')
    throw new Problem('invalid-target', `${kind}: targets can only be set on the command line`);
  return target;
}

function checkNewTarget(text: string): string {
  readTarget(text);
  return text;
}

type StoredTarget = WatchJson<'StoredTarget'>;
type GivenTarget = WatchJson<'SettingsChange'>['notify'][number];

/** Returns the text of a new target; `undefined` for one that is stored. */
function getNewTarget(given: GivenTarget): string | undefined {
  if (typeof given === 'string') return given;
  return 'target' in given ? given.target : undefined;
}

function findOldTarget({ index, shown }: StoredTarget, before: SiteSettings | undefined): string {
  const target = before?.notify[index];
  if (target !== undefined && describeTarget(target) === shown) return target;
  throw new Problem('changed-meanwhile', 'another request has changed the targets: reload the settings');
}

function resolveName(written: string): string {
  try {
    return resolveAgent(written.trim()).name;
  } catch (error) {
    if (isInvalidAgentError(error)) throw new Problem('invalid-request', error.message);
    throw error;
  }
}
