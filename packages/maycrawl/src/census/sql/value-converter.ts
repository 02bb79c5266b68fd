// Converts values of the database to values of JSON.
import type { DuckDBValueConverter, Json } from '@duckdb/node-api';

/** Decimal numbers with more digits would lose some as a number of JSON. */
const MAX_DECIMAL_DIGITS = 15;

/**
 * Returns the conversion of values. Whole numbers that JSON cannot represent exactly are texts. Timestamps are UTC, as in ISO 8601.
 *
 * @param duckdb - the loaded package.
 */
export function createValueConverter(duckdb: typeof import('@duckdb/node-api')): DuckDBValueConverter<Json> {
  return (value, type, self) => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (value instanceof duckdb.DuckDBTimestampValue && value.isFinite)
      return `${value.toString().replace(' ', 'T')}Z`;
    if (value instanceof duckdb.DuckDBDecimalValue && value.width <= MAX_DECIMAL_DIGITS)
      return value.toDouble();
    return duckdb.JsonDuckDBValueConverter(value, type, self);
  };
}
