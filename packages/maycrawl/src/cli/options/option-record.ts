// Options as records: name, type, default, bounds, configuration and documentation in one place, from which the types of their values
// follow. A table of records is written `as const`. A record that several tables have is written `RECORD as typeof RECORD` in them, because
// the compiler option `isolatedDeclarations` derives no type from a name.
import type { NumberRange } from '@maycrawl/core/internal';

/** The sections of the configuration file. Their names are also a part of the names of variables. */
export const SECTIONS = ['serve', 'watch', 'audit'] as const;
export type Section = (typeof SECTIONS)[number];

interface OptionBase {
  /** One line of the help. */
  readonly description: string;
  /** The default value, as a user would write it. A flag with the default `true` is `--no-NAME` on the command line. */
  readonly default?: string;
  /** One letter: `-o` is short for `--output`. */
  readonly letter?: string;
  readonly isRequired?: boolean;
  /** Only an environment variable can set it: other users of the machine can see command lines. */
  readonly isSecret?: boolean;
  /** The sections of the configuration file that can set it, and whose environment variables can. */
  readonly sections?: readonly Section[];
}

/** An option that is there or not. */
interface FlagRecord extends OptionBase {
  readonly type: 'flag';
}

/** An option with a value. */
export type ValueRecord = OptionBase & {
  /** The placeholder of the value in the help, such as `<time>`. */
  readonly placeholder: string;
  /** Whether the user can repeat the option. */
  readonly isList?: boolean;
  /** Whether the value can also be the word `none`, which sets no limit (`Infinity`). */
  readonly acceptsNone?: boolean;
} & (
    | { readonly type: 'text' }
    /** The value of a header of requests: printable ASCII characters. */
    | { readonly type: 'header' }
    /** One of several words. */
    | { readonly type: 'choice'; readonly choices: readonly string[] }
    /** A list of such words with commas between them; the user can also repeat the option. */
    | { readonly type: 'words'; readonly choices: readonly string[] }
    /** A whole number of at least `least`, and at most `most` if it is there. */
    | { readonly type: 'count'; readonly range: NumberRange | readonly [least: number, most: undefined] }
    /** A duration in milliseconds, with bounds as a user would write them. */
    | { readonly type: 'duration'; readonly range: readonly [least: string, most: string | undefined] }
    /** A size in bytes: `500MB`, `2GB`, or a number of bytes. */
    | { readonly type: 'size' }
  );

export type OptionRecord = FlagRecord | ValueRecord;

/** Options by name in camel case. */
export type OptionRecords = Readonly<Record<string, OptionRecord>>;

type ItemOf<Option> = Option extends { readonly type: 'flag' }
  ? boolean
  : Option extends { readonly type: 'count' | 'duration' | 'size' }
    ? number
    : Option extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;
/** The value of an option. */
export type OptionValue<Option> = Option extends { readonly isList: true } | { readonly type: 'words' }
  ? readonly ItemOf<Option>[]
  : ItemOf<Option>;
type Set = { readonly default: string } | { readonly isRequired: true };

/** The values of options: those with a default, or that are required, are always there. Times are in milliseconds. */
export type OptionValues<Records> = {
  readonly [Name in keyof Records as Records[Name] extends Set ? Name : never]: OptionValue<Records[Name]>;
} & {
  readonly [Name in keyof Records as Records[Name] extends Set ? never : Name]?: OptionValue<Records[Name]>;
};
