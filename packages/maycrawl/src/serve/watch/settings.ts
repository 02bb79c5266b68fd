/**
 * How a site is watched, as people set it through the web. They may not set what runs programs, writes files or reads the environment:
 * that is for the command line, and stays as it is when the rest is changed here. Nor may they set what is on a private address
 * (private-urls.ts). Secrets are not shown.
 *
 * @module
 */
import { resolveAgent } from '@maycrawl/core';
import type { WatchJson } from '../../api/watch-api.ts';
import type { KeptText, SiteSettings } from '../../watch/site.ts';
import type { SiteRepository } from '../../watch/site-repository.ts';
import { describeTarget, parseTarget, type Target } from '../../watch/telling/target.ts';
import { TargetError } from '../../watch/telling/target-error.ts';
import { Problem } from '../http/problems.ts';

/** Settings as they are shown to those who change them. */
export async function editableSettings(
  repository: SiteRepository,
  settings: SiteSettings,
): Promise<WatchJson<'EditableSettings'>> {
  const { every, agents, urls, tests, notify, severity = {} } = settings;
  const textOf = async (kept: KeptText | undefined): Promise<string | null> =>
    kept === undefined ? null : Buffer.from((await repository.content(kept.hash)) ?? []).toString();
  return {
    ...{ every, agents, severity },
    urls: await textOf(urls),
    tests: await textOf(tests),
    notify: notify.map((target, index) => ({ index, shown: describeTarget(target) })),
  };
}

/**
 * Settings as they are stored. A text that is `null` is removed; an omitted one stays.
 *
 * @param before - those of the site until now.
 * @throws {Problem} for what makes no sense, or may not be set here.
 */
export async function settingsFrom(
  repository: SiteRepository,
  given: WatchJson<'SettingsChange'>,
  before: SiteSettings | undefined,
): Promise<SiteSettings> {
  const { every, agents, notify, severity } = given;
  const keep = async (
    text: string | null | undefined,
    old: KeptText | undefined,
    name: string,
  ): Promise<KeptText | undefined> => {
    if (text === undefined) return old;
    return text === null || text.trim() === '' ? undefined : repository.storeText(old?.name ?? name, text);
  };
  const targets = notify.map((each) =>
    typeof each === 'string' ? newTarget(each) : oldTarget(each, before),
  );
  // What the operator opened on the command line stays open as long as it stays.
  const openTargets = notify.flatMap((each) => {
    const target = typeof each === 'string' ? undefined : oldTarget(each, before);
    return target !== undefined && before?.openTargets?.includes(target) ? [target] : [];
  });
  const names = agents.map(nameOf);
  const urls = await keep(given.urls, before?.urls, 'urls.txt');
  const tests = await keep(given.tests, before?.tests, 'robots.test.yaml');
  return {
    every,
    agents: [...new Set(names)],
    notify: [...new Set(targets)],
    ...(urls && { urls }),
    ...(tests && { tests }),
    ...(Object.keys(severity).length > 0 && { severity }),
    ...(before?.isOriginOpen && { isOriginOpen: true }),
    ...(openTargets.length > 0 && { openTargets }),
  };
}

/** The URLs of webhooks among the targets that are set anew. @throws {Problem} for a target that may not be set here. */
export function newWebhookUrls({ notify }: WatchJson<'SettingsChange'>): string[] {
  return notify.flatMap((each) => {
    const target = typeof each === 'string' ? readTarget(each) : undefined;
    return target?.kind === 'webhook' || target?.kind === 'slack' ? [target.url] : [];
  });
}

/** A target that may be set, or tried, through the web. @throws {Problem} for any other. */
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
    throw new Problem('invalid-target', `targets of the kind ${kind}: are set on the command line only`);
  return target;
}

function newTarget(text: string): string {
  readTarget(text);
  return text;
}

function oldTarget({ index, shown }: WatchJson<'StoredTarget'>, before: SiteSettings | undefined): string {
  const target = before?.notify[index];
  if (target !== undefined && describeTarget(target) === shown) return target;
  throw new Problem('changed-meanwhile', 'who is told was changed by somebody else: look at it again');
}

function nameOf(written: string): string {
  try {
    return resolveAgent(written.trim()).name;
  } catch (error) {
    throw new Problem('invalid-request', (error as RangeError).message);
  }
}
