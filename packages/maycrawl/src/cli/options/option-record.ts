// Options as records: name, type, default, bounds, configuration and documentation in one place, from which the types of their values
// follow. A table of records is written `as const`.
import type { NumberRange } from '@maycrawl/core/internal';
import {
  choice,
  count,
  duration,
  flag,
  list,
  type OptionDescription,
  type OptionTable,
  text,
} from './option.ts';

interface OptionBase {
  readonly description: string;
  /** As a user would write it. */
  readonly default?: string;
  readonly isRequired?: boolean;
  /** Whether the environment and the configuration file can set it. */
  readonly isConfigurable?: boolean;
}

/** An option. @see OptionDescription for the meaning of its parts */
type OptionRecord = OptionBase &
  (
    | { readonly type: 'flag' }
    | ({ readonly placeholder: string; readonly isList?: boolean } & (
        | { readonly type: 'text' }
        | { readonly type: 'choice'; readonly choices: readonly string[] }
        | { readonly type: 'count'; readonly range: NumberRange }
        | { readonly type: 'duration'; readonly range: readonly [least: string, most: string | undefined] }
      ))
  );

/** Options by name in camel case. */
export type OptionRecords = Readonly<Record<string, OptionRecord>>;

type ItemOf<Option> = Option extends { readonly type: 'flag' }
  ? boolean
  : Option extends { readonly type: 'count' | 'duration' }
    ? number
    : Option extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;
type ValueOf<Option> = Option extends { readonly isList: true } ? readonly ItemOf<Option>[] : ItemOf<Option>;
type Set = { readonly default: string } | { readonly isRequired: true };

/** The values of options: those with a default, or that are required, are always there. Times are in milliseconds. */
export type OptionValues<Records> = {
  readonly [Name in keyof Records as Records[Name] extends Set ? Name : never]: ValueOf<Records[Name]>;
} & { readonly [Name in keyof Records as Records[Name] extends Set ? never : Name]?: ValueOf<Records[Name]> };

/** Describes options for the command line, the environment, the configuration file and the documentation. */
export function describeOptions<Records extends OptionRecords>(
  records: Records,
): OptionTable<OptionValues<Records>> {
  const entries = Object.entries(records).map(([name, record]) => [name, describeOption(record)]);
  return Object.fromEntries(entries) as OptionTable<OptionValues<Records>>;
}

/** Returns the names of the options that the environment and the configuration file can set. */
export function getConfigurableNames<Records extends OptionRecords>(
  records: Records,
): (keyof Records & string)[] {
  return Object.keys(records).filter((name) => records[name]?.isConfigurable === true);
}

function describeOption(record: OptionRecord): OptionDescription<unknown> {
  const { description, default: value, isRequired } = record;
  const details = { ...(value !== undefined && { default: value }), ...(isRequired && { isRequired }) };
  if (record.type === 'flag') return flag(description, details);
  const { placeholder, isList = false } = record;
  const describeItem = (): OptionDescription<unknown> => {
    switch (record.type) {
      case 'text':
        return text(placeholder, description, details);
      case 'choice':
        return choice(placeholder, record.choices, description, details);
      case 'count':
        return count(placeholder, record.range, description, details);
      case 'duration':
        return duration(placeholder, record.range, description, details);
    }
  };
  return isList ? list(describeItem()) : describeItem();
}
