// Times of captures, in the part of ISO 8601 that the W3C describes (NOTE-datetime) and WARC uses. A time without a zone is in UTC, so that
// the result does not depend on the zone of the machine.

const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
/** Databases write a space between date and time of day, and zones without minutes. */
const DATE_AND_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)?$/;

/** Parses a time. @returns milliseconds since 1970; `undefined` if the text is not a time. */
export function parseTime(text: string): number | undefined {
  const [, date, timeOfDay, hours = '+00', minutes = '00'] = DATE_AND_TIME.exec(text) ?? [];
  const standard = date === undefined ? text : `${date}T${timeOfDay}${hours}:${minutes}`;
  const time = date !== undefined || DATE.test(text) ? Date.parse(standard) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
