import { describe, expect, test } from 'vitest';
import { CLASS_CASES } from './cases.ts';
import { createTimeline, getLogStart, judge, toRequest } from './log-of.ts';

describe('The class of a request', () => {
  test.each(CLASS_CASES)('$title: $class. $reason', async (each) => {
    const requests = [...(each.before ?? []), each.request].map(toRequest);
    const timeline = createTimeline(each.robots);
    const start = getLogStart(each);
    const since = requests.at(-1)?.time ?? 0;
    const { crawlers } = await judge(requests, timeline, { start, since });
    const name = each.request.crawler ?? 'GPTBot';
    const crawler = crawlers.find((found) => found.crawler === name);
    const classes = Object.entries(crawler?.classes ?? {}).filter(([, count]) => count > 0);
    expect(classes).toEqual([[each.class, 1]]);
    const [violation] = crawler?.violations ?? [];
    if (each.class !== 'violation') expect(violation).toBeUndefined();
    if (each.read !== undefined) expect(violation?.read).toBe(each.read);
    if (each.line !== undefined) expect(violation?.line).toBe(each.line);
    if (each.version !== undefined) expect(violation?.version).toBe(each.version);
  });
});
