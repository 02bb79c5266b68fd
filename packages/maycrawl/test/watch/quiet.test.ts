/** Which events are sent: a file with a comment that changes each time, thresholds of targets, and returns that only a proof recognizes. */

import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createSettings } from '../support/recorded-checks.ts';
import { describeKinds, openTestDatabase } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 1);
const SHOP = 'User-agent: *\nDisallow: /cart\n';
const STAGING = 'User-agent: *\nDisallow: /\n';

/** A monitored site on a clock of its own. */
class WatchedShop {
  readonly #database: WatchDatabase;
  readonly #site: TestServer;
  #file = '';
  readonly repository: SiteRepository;
  now: number = START;
  /** The titles that each target received. */
  readonly sent: Record<string, string[]> = {};

  constructor(database: WatchDatabase, site: TestServer) {
    this.#database = database;
    this.#site = site;
    this.repository = new SiteRepository(database);
  }

  /** The current file. */
  get file(): string {
    return this.#file;
  }

  /** Checks each of some files, with a time between two. */
  async check(files: readonly string[], pause: number = HOUR): Promise<void> {
    for (const file of files) {
      await this.#database.db.run(sql`update watch_sites set due_at = ${this.now}`);
      this.#file = file;
      await workOnce(this.#database, {
        now: () => this.now,
        deliver: async (target, { alerts }) => {
          const titles = alerts.map(({ title }) => title.replace(`${this.#site.origin}: `, ''));
          this.sent[target] = [...(this.sent[target] ?? []), ...titles];
          return { kind: 'delivered' };
        },
      });
      this.now += pause;
    }
  }

  getVersions(): Promise<readonly object[]> {
    return this.repository.versions(this.#site.origin);
  }

  async getKinds(): Promise<string[]> {
    return (await this.repository.events(1_000)).reverse().map(({ kind }) => kind);
  }
}

async function watchShop(
  database: WatchDatabase,
  settings: Partial<SiteSettings>,
  work: (shop: WatchedShop) => Promise<void>,
): Promise<void> {
  const site = await serve((_request, response) => response.end(shop.file));
  const shop = new WatchedShop(database, site);
  const given = { ...createSettings(['log']), agents: ['Googlebot'], ...settings };
  await shop.repository.addSites([site.origin], given, () => START);
  await work(shop);
  await site.close();
}

const withDate = (file: string, index: number): string => `# generated at ${index}:00\n${file}`;
const hours = (count: number, file: string, from: number = 0): string[] =>
  Array.from({ length: count }, (_, index) => withDate(file, from + index));

describeKinds((withDatabase) => {
  const withShop = (
    settings: Partial<SiteSettings>,
    work: (shop: WatchedShop) => Promise<void>,
  ): Promise<void> => withDatabase((database) => watchShop(database, settings, work));

  test('a comment that changes every five minutes hides no change of the rules, and does not delay the end of throttling', () =>
    withShop({ severity: { blocked: 'warning' } }, async (shop) => {
      await shop.check(hours(4, SHOP), 5 * MINUTE);
      const changes = Array.from({ length: 8 }, (_, index) =>
        withDate(`${SHOP}Disallow: /${index}\n`, index),
      );
      await shop.check(changes, 5 * MINUTE);
      const sent = shop.sent['log'] ?? [];
      // The first check counts as a change, too.
      expect(sent.length).toBe(6);
      expect(sent[1]).toBe('newly blocked: /0 for Googlebot');
      await shop.check(hours(18, `${SHOP}Disallow: /7\n`), 5 * MINUTE);
      expect(shop.sent['log']?.slice(6)).toEqual([
        'no further changes; 3 changes not reported one by one. The rules of the robots.txt apply.',
      ]);
    }));

  test('a target gets only events from its threshold on', () =>
    withShop(
      {
        notify: ['log', 'mailto:a@b.example', 'mailto:c@d.example'],
        notifyFrom: { 'mailto:a@b.example': 'warning', 'mailto:c@d.example': 'error' },
      },
      async (shop) => {
        await shop.check([SHOP, `${SHOP}Disallow: /x\n`, STAGING]);
        const [first, blocked, staging] = shop.sent['log'] ?? [];
        expect(first).toMatch(/^watched from now on/);
        expect(shop.sent['mailto:a@b.example']).toEqual([blocked, staging]);
        expect(shop.sent['mailto:c@d.example']).toEqual([staging]);
      },
    ));

  test('the version with the same records is compared first, however many others there are', () =>
    withShop({}, async (shop) => {
      const others = Array.from({ length: 12 }, (_, index) => `${SHOP}Disallow: /${index}\n`);
      await shop.check([`${SHOP}Disallow: /search\n`, ...others], 24 * HOUR);
      await shop.check([`# new\n${SHOP}Disallow: /search # old\n`]);
      expect(JSON.parse((await shop.repository.events(1))[0]?.details ?? '')).toMatchObject({
        ...{ sameAs: 1, sameBy: 'proof' },
      });
      // Of the others only the latest are compared.
      await shop.check([`${SHOP}Allow: /\nDisallow: /0\n`]);
      expect(JSON.parse((await shop.repository.events(1))[0]?.details ?? '')).not.toHaveProperty('sameAs');
      await shop.check([`${SHOP}Allow: /\nDisallow: /11\n`]);
      expect(JSON.parse((await shop.repository.events(1))[0]?.details ?? '')).toMatchObject({ sameAs: 13 });
    }));
});

// The queries of these tests are those of the tests above.
const withShop = async (
  settings: Partial<SiteSettings>,
  work: (shop: WatchedShop) => Promise<void>,
): Promise<void> => watchShop(await openTestDatabase(), settings, work);

test('a file with a comment that changes each hour sends nothing, and each version is stored', () =>
  withShop({}, async (shop) => {
    await shop.check(hours(12, SHOP));
    expect(shop.sent['log']?.length).toBe(1);
    expect(await shop.getKinds()).toEqual(['first', ...Array.from({ length: 11 }, () => 'formatting')]);
    expect((await shop.getVersions()).length).toBe(12);
    const [event] = await shop.repository.events(1);
    expect(event?.text).toBe('line 1: "# generated at 10:00" is "# generated at 11:00" now');
  }));

test('an owner who makes it more severe is notified of formatting', () =>
  withShop({ severity: { formatting: 'warning' } }, async (shop) => {
    await shop.check(hours(3, SHOP));
    expect(shop.sent['log']?.slice(1)).toEqual([
      'formatting only: verdicts are the same',
      'formatting only: verdicts are the same',
    ]);
  }));

test('a return to rules of sixty versions ago with another comment is information', () =>
  withShop({}, async (shop) => {
    await shop.check(hours(5, `${SHOP}Disallow: /search\n`));
    // More than the 50 versions that are searched for a readable file.
    await shop.check(hours(60, SHOP));
    await shop.check([withDate(`user-agent: *\n\ndisallow: /search\nDisallow: /cart\n`, 1_000)]);
    const [event] = await shop.repository.events(1);
    expect(event).toMatchObject({
      kind: 'restored',
      severity: 'info',
      title: expect.stringMatching(
        /: back to version 1 \(same verdicts, other text\), as before November 1: newly blocked: \/search for Googlebot$/,
      ),
    });
    expect(JSON.parse(event?.details ?? '')).toMatchObject({ sameAs: 1, sameBy: 'proof' });
  }));
