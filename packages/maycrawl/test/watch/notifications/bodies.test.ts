import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Alert, createTestMessage, groupAlerts } from '../../../src/watch/message.ts';
import {
  summarize,
  toJson,
  toPlainText,
  toSlackText,
} from '../../../src/watch/notifications/messages/bodies.ts';
import { createMessage, hostileAlert, hostileMessage, NOW, RUNS, toAlert, UNPRINTABLE } from './alerts.ts';

function createAlerts(count: number): Alert[] {
  return Array.from({ length: count }, (_, index) =>
    toAlert({
      id: `e${index}`,
      origin: `https://s${index}.example`,
      severity: index === count - 1 ? 'error' : 'info',
    }),
  );
}

describe('grouping of alerts into messages', () => {
  test('the alerts of one minute are one message, the most severe first', () => {
    const [first, second, ...others] = groupAlerts([
      toAlert({ id: 'late', at: NOW + 60_000 }),
      toAlert({ id: 'a', at: NOW + 59_999, severity: 'info' }),
      toAlert({ id: 'b', at: NOW, severity: 'error' }),
      toAlert({ id: 'c', at: NOW, severity: 'error' }),
    ]);
    expect(first?.alerts.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect(second).toMatchObject({ id: 'late', alerts: [{ id: 'late' }] });
    expect(others).toEqual([]);
  });

  test('the messages do not depend on the order of the alerts or on duplicates', () => {
    fc.assert(
      fc.property(fc.array(hostileAlert, { maxLength: 12 }), fc.nat(), (alerts, turn) => {
        const unique = [...new Map(alerts.map((alert) => [alert.id, alert])).values()];
        const at = turn % (unique.length + 1);
        const turned = [...unique.slice(at), ...unique.slice(0, at)];
        const messages = groupAlerts(unique);
        expect(groupAlerts([...turned, ...turned])).toEqual(messages);
        expect(messages.flatMap((message) => message.alerts)).toHaveLength(unique.length);
      }),
      RUNS,
    );
  });

  test('too many alerts are several messages with different ids', () => {
    const messages = groupAlerts(createAlerts(2500));
    expect(messages.map(({ alerts }) => alerts.length)).toEqual([1000, 1000, 500]);
    expect(messages[0]?.alerts[0]?.severity).toBe('error');
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  });
});

describe('bodies', () => {
  test('JSON contains all fields of an alert', () => {
    expect(JSON.parse(toJson(createMessage({})))).toEqual({
      id: 'message-1',
      severity: 'error',
      title: toAlert().title,
      alerts: [{ ...toAlert(), at: '2026-11-21T10:00:00.000Z' }],
    });
  });

  test('JSON of a large number of alerts is smaller than a megabyte', () => {
    const title = '\u202e'.repeat(1000);
    const body = toJson({ id: 'many', alerts: createAlerts(1000).map((alert) => ({ ...alert, title })) });
    expect(body.length).toBeLessThan(1_000_000);
    const { alerts } = JSON.parse(body);
    expect(alerts).toHaveLength(1000);
    expect(alerts[0]).toMatchObject({ text: null, details: null });
  });

  test('details that are too long are omitted', () => {
    const body = toJson(createMessage({ details: { urls: 'x'.repeat(5000) } }));
    expect(JSON.parse(body).alerts[0].details).toBeNull();
  });

  test('plain text contains the number of alerts, and shows the most severe', () => {
    const [message] = groupAlerts(createAlerts(57));
    if (message === undefined) throw new Error('no message');
    expect(summarize(message).title).toMatch(
      /^57 changes at 57 sites, the worst: https:\/\/example\.com: newly/,
    );
    const [pair] = groupAlerts(createAlerts(2).map((alert) => ({ ...alert, origin: 'https://one.example' })));
    expect(pair && summarize(pair).title).toMatch(/^2 changes at 1 site, the worst: /);
    const text = toPlainText(message);
    expect(text.split('\n').filter((line) => line.startsWith('info: '))).toHaveLength(19);
    expect(text).toMatch(/^error: .*\n.*\n/);
    expect(text).toMatch(/and 37 more\n$/);
    expect(toSlackText(message)).toMatch(/^57 changes:\n\*error\* `[^`]+`\n.*\nand 37 more$/s);
  });

  test('a Slack text shows the alerts that fit, and the number of the others', () => {
    for (const title of ['&'.repeat(300), 'x'.repeat(300)]) {
      const text = toSlackText({
        id: 'long',
        alerts: createAlerts(30).map((alert) => ({ ...alert, title })),
      });
      const shown = text.match(/^\*/gm)?.length ?? 0;
      expect(text.length).toBeLessThan(4000);
      expect(shown).toBeGreaterThan(1);
      expect(text).toMatch(new RegExp(`\nand ${30 - shown} more$`));
    }
  });

  test('plain text of one alert contains its text', () => {
    expect(toPlainText(createMessage({}))).toBe(`error: ${toAlert().title}\n\n${toAlert().text}\n`);
    expect(toSlackText(createMessage({ title: 'a & b', text: '<x>`' }))).toBe(
      '*error* `a &amp; b`\n```\n&lt;x&gt;\\x60\n```',
    );
    expect(toPlainText(createTestMessage(NOW))).toContain('Nothing has happened.');
  });

  test('text of a site cannot end a code block or inline code of a Slack text', () => {
    let coded = 0;
    fc.assert(
      fc.property(hostileMessage, (message) => {
        const text = toSlackText(message);
        expect(text.length).toBeLessThan(4000);
        expect(text.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
        expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
        // Without code blocks and inline code only the text of maycrawl is left.
        const ours = text.replace(/```\n[^`]+\n```/g, '').replace(/`[^`\n]+`/g, 'CODE');
        expect(ours).toMatch(/^(?:\d+ changes:\n)?\*\w+\* CODE(?:\n+\*\w+\* CODE)*\n*(?:and \d+ more)?$/);
        coded += /&lt;|\\x60/.test(text) ? 1 : 0;
      }),
      RUNS,
    );
    expect(coded).toBeGreaterThan(RUNS.numRuns / 10);
  });

  test('plain text and JSON contain no unprintable characters', () => {
    fc.assert(
      fc.property(hostileMessage, (message) => {
        expect(toPlainText(message).replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
        const json = toJson(message);
        expect(json).not.toMatch(UNPRINTABLE);
        const read = JSON.parse(json);
        expect(read.alerts).toHaveLength(message.alerts.length);
        expect(read.alerts[0].origin).toBe(message.alerts[0]?.origin);
      }),
      RUNS,
    );
  });
});
