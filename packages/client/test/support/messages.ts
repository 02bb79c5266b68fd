import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { ChannelMessages } from '../../src/origins/events/decision-event.ts';

/** Collects the messages of channels about one origin, or about all, until the test ends. */
export function collectMessages<Name extends keyof ChannelMessages>(
  names: readonly Name[],
  origin?: string,
): ChannelMessages[Name][] {
  const messages: ChannelMessages[Name][] = [];
  const listen = (message: unknown): void => {
    const received = message as ChannelMessages[Name];
    if (origin === undefined || received.origin === origin) messages.push(received);
  };
  for (const name of names) subscribe(name, listen);
  onTestFinished(() => {
    for (const name of names) unsubscribe(name, listen);
  });
  return messages;
}
