// Decisions as messages of their channel.
import { type Channel, channel } from 'node:diagnostics_channel';
import type { DecisionReason, OutOfScope, Verdict } from '@maycrawl/core';
import { type ClientVerdict, getRefusal, type RefusalCode } from '../refusal.ts';
import type { CacheMessage, FetchMessage, OutageMessage } from './client-event.ts';

/** A message of the channel `maycrawl:robots:decision`: a client has decided about a URL. */
export interface DecisionMessage {
  readonly kind: 'decided';
  readonly origin: string;
  readonly url: string;
  /** The User-Agent header of the client. */
  readonly userAgent: string;
  readonly decision: Verdict['kind'];
  readonly reason: DecisionReason | OutOfScope['reason'];
  /** Line of the deciding rule, from 1; 0 without one. */
  readonly line: number;
  /** The code of a refusal; `null` if the URL is allowed. */
  readonly code: RefusalCode | null;
  /** When a queue can try again, in milliseconds since 1970; `null` if the URL is allowed, or refused for good. */
  readonly retryAt: number | null;
}

/** The channels of `node:diagnostics_channel`, and their messages (docs/telemetry.md). */
export interface ChannelMessages {
  readonly 'maycrawl:robots:fetch': FetchMessage;
  readonly 'maycrawl:robots:decision': DecisionMessage;
  readonly 'maycrawl:robots:cache': CacheMessage;
  readonly 'maycrawl:robots:outage': OutageMessage;
}

/** Decisions are frequent: check `hasSubscribers` before {@link publishDecision}. */
export const DECISION_CHANNEL: Channel = /* @__PURE__ */ channel('maycrawl:robots:decision');

/** A decision about a URL. */
type Decision = Pick<DecisionMessage, 'origin' | 'url' | 'userAgent'> & { readonly verdict: ClientVerdict };

/** Publishes a decision. The message has no reference to the verdict, which the caller can change. */
export function publishDecision({ origin, url, userAgent, verdict }: Decision): void {
  const { kind: decision, reason } = verdict;
  const line = verdict.kind === 'out-of-scope' ? 0 : verdict.line;
  const { code, retryAt } = verdict.kind === 'allowed' ? { code: null, retryAt: null } : getRefusal(verdict);
  const message = { kind: 'decided', origin, url, userAgent, decision, reason, line, code, retryAt } as const;
  DECISION_CHANNEL.publish(Object.freeze<DecisionMessage>(message));
}
