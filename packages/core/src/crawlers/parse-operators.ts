// Checks of records of operators. They accept what `crawlers.schema.json` accepts.
import { type Check, fail, listOf, object, oneOf, SOURCES, TEXT, TOKEN, text, URL_TEXT } from './checks.ts';
import {
  CRAWL_DELAY_BEHAVIORS,
  type OperatorOutagePhase,
  type OperatorRecord,
  OUTAGE_EFFECTS,
  PROMISES,
  RANGE_FORMATS,
} from './operator-record.ts';

const MAX_OPERATORS = 10_000;
/** Milliseconds of ten years. */
const MAX_TIME = 315_360_000_000;

const MASK: Check = /* @__PURE__ */ text(
  'a host name, or "*." and one',
  /^(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/,
  253,
);

function checkTime(value: unknown, path: string): void {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > MAX_TIME)
    fail(path, `a whole number from 0 to ${MAX_TIME}`);
}

function checkBoolean(value: unknown, path: string): void {
  if (typeof value !== 'boolean') fail(path, 'true or false');
}

const PHASES: Check = /* @__PURE__ */ listOf(
  /* @__PURE__ */ object({ from: checkTime, effect: /* @__PURE__ */ oneOf(OUTAGE_EFFECTS) }),
  10,
);

const RANGES: Check = /* @__PURE__ */ object(
  { ranges: URL_TEXT, format: /* @__PURE__ */ oneOf(RANGE_FORMATS) },
  { partial: checkBoolean },
);
const DNS: Check = /* @__PURE__ */ object({ dns: /* @__PURE__ */ listOf(MASK, 20, { isUnique: true }) });
const SIGNATURE: Check = /* @__PURE__ */ object({ signature: URL_TEXT });

function checkMethod(value: unknown, path: string): void {
  const has = (key: string): boolean =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  if (has('dns')) DNS(value, path);
  else if (has('signature')) SIGNATURE(value, path);
  else RANGES(value, path);
}

const OPERATOR: Check = /* @__PURE__ */ object(
  { operator: TEXT, sources: SOURCES },
  {
    crawlers: /* @__PURE__ */ listOf(TOKEN, 1_000, { isUnique: true }),
    cachePeriod: checkTime,
    whenUnavailable: PHASES,
    whenUnreachable: PHASES,
    crawlDelay: /* @__PURE__ */ oneOf(CRAWL_DELAY_BEHAVIORS),
    verification: /* @__PURE__ */ listOf(checkMethod, 20),
    robotsTxt: /* @__PURE__ */ oneOf(PROMISES),
    card: URL_TEXT,
  },
);

/** A list of records of operators. */
export const OPERATORS: Check = /* @__PURE__ */ listOf(OPERATOR, MAX_OPERATORS);

/**
 * Requires an order that JSON Schema cannot express.
 *
 * @throws {RangeError} if the phases of an outage do not begin at 0, or are not in the order of time.
 */
export function requirePhaseOrder(operators: readonly OperatorRecord[], path: string): void {
  for (const [index, { whenUnavailable, whenUnreachable }] of operators.entries())
    for (const [name, phases] of Object.entries({ whenUnavailable, whenUnreachable }))
      if (phases !== undefined && !isInOrder(phases))
        throw new RangeError(`${path}[${index}].${name} must begin at 0, and be in the order of time`);
}

function isInOrder(phases: readonly OperatorOutagePhase[]): boolean {
  return (
    phases[0]?.from === 0 &&
    phases.every(({ from }, index) => index === 0 || from > (phases[index - 1] as OperatorOutagePhase).from)
  );
}
