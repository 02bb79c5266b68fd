// Writes preferences into a robots.txt: the smallest edit after which every crawler reads the settings, with a proof that no verdict changes.

import { toBytes } from '../../bytes/byte-string.ts';
import { freezeDeep } from '../../bytes/freeze.ts';
import { decodeUtf8, encodeUtf8 } from '../../bytes/platform.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import { isPageWithoutRules } from '../../model/diagnostics/diagnostics.ts';
import { parse, type RobotsTxt } from '../../model/robots-txt.ts';
import type { ParseOptions } from '../../model/source.ts';
import { Budget, type ProofOptions } from '../../proofs/automata/budget.ts';
import { EquivalenceProver } from '../../proofs/equivalence.ts';
import { POLICY_TOKENS } from '../policy-token-data.ts';
import { requirePolicyTokens } from '../policy-tokens.ts';
import type { PreferenceEdit, RawEdit } from './edit.ts';
import { FileGroups } from './file-groups.ts';
import { listLimits, type PreferenceLimit } from './limits.ts';
import { type DeclarationPlan, planDeclarations } from './plan-declarations.ts';
import { planGroups } from './plan-groups.ts';
import { emptiesPart, findTargets, planPolicyTokens, type TokenPlan } from './plan-policy-tokens.ts';
import { type PreferenceSetting, type PreferenceSettings, requireSettings } from './setting.ts';
import { writeTdmRep } from './write-tdmrep.ts';

/** A format that can be written. `usage-token`: groups for policy tokens that operators only announced, such as `__usage_ai-training`. */
export type WritableFormat = 'content-usage' | 'content-signal' | 'policy-token' | 'usage-token' | 'tdmrep';

/** All formats that can be written. */
export const WRITABLE_FORMATS: readonly WritableFormat[] = /* @__PURE__ */ freezeDeep([
  'content-usage',
  'content-signal',
  'policy-token',
  'usage-token',
  'tdmrep',
]);

/** The formats that are written unless the caller selects others. */
export const DEFAULT_FORMATS: readonly WritableFormat[] = /* @__PURE__ */ freezeDeep([
  'content-usage',
  'content-signal',
  'policy-token',
]);

/** Options of {@link setPreferences}. */
export interface SetPreferencesOptions extends ProofOptions, Pick<ParseOptions, 'profile' | 'maxBytes'> {
  /**
   * The formats that state the settings. In other formats of the file, only statements of the opposite change.
   *
   * @defaultValue {@link DEFAULT_FORMATS}
   */
  readonly formats?: readonly WritableFormat[];
  /** The policy tokens that are written. @defaultValue {@link POLICY_TOKENS} */
  readonly policyTokens?: readonly PolicyToken[];
  /** The present `/.well-known/tdmrep.json`, for the format `tdmrep`. @defaultValue the site has none */
  readonly tdmrep?: string;
}

/**
 * Why no file was written.
 *
 * - `not-robots-txt`: the file is an HTML page.
 * - `file-too-long`: the new file would exceed the size limit, after which crawlers ignore lines, or the file already does.
 * - `inseparable-purposes`: a group for a policy token states the same about purposes with different settings.
 * - `shared-group`: a policy token would have to leave a group in which a declaration depends on its user-agent line.
 * - `invalid-tdmrep`: the present tdmrep.json is not a JSON array, too long, or nested too deeply.
 * - `setting-not-reached`: a line that must change cannot, for example because it would exceed the length that parsers read.
 * - `verdict-changed`: the proof found a verdict that would change.
 * - `proof-undecided`: the proof exceeds its budget.
 */
export type RefusalCode =
  | 'not-robots-txt'
  | 'file-too-long'
  | 'inseparable-purposes'
  | 'shared-group'
  | 'invalid-tdmrep'
  | 'setting-not-reached'
  | 'verdict-changed'
  | 'proof-undecided';

/** A file that declares the settings. */
export interface PreferencesSet {
  readonly kind: 'set';
  /** The robots.txt. Without edits, a copy of the original bytes. */
  readonly bytes: Uint8Array;
  /** The edits in file order; empty if the file already declares the settings. */
  readonly edits: readonly PreferenceEdit[];
  /** What the formats cannot express, or state beyond the settings. */
  readonly limits: readonly PreferenceLimit[];
  /** What was proved: for every URL, the verdict is the same for every crawler except these names. */
  readonly proof: {
    /** The policy tokens whose rules changed. They send no requests. */
    readonly exceptions: readonly string[];
  };
  /** The text of `/.well-known/tdmrep.json`; `null` unless the format is selected and there is a setting about training. */
  readonly tdmrep: string | null;
}

/** A refusal. Nothing was written. */
export interface PreferencesRefused {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  /** A sentence for people. */
  readonly message: string;
  readonly limits: readonly PreferenceLimit[];
}

/** The result of {@link setPreferences}. */
export type SetPreferencesResult = PreferencesSet | PreferencesRefused;

/**
 * Edits a robots.txt so that every crawler reads the settings on every path, under every reading (`READINGS`), with as few edits as needed.
 *
 * Statements of the opposite change in place. Statements that already say so stay, as do all other bytes. Groups whose crawlers may fetch
 * nothing need no statement. The result contains a proof that no verdict changes; a file without it is refused.
 *
 * @param robots - the file as bytes, or as a string, which is encoded as UTF-8.
 * @param settings - what to declare about `search`, `ai-train` and `ai-input`.
 * @throws {TypeError | RangeError} if an argument is invalid. The content of the file never causes an error.
 * @example
 * const result = setPreferences('User-agent: *\nDisallow: /admin/\n', { 'ai-train': 'disallowed' });
 * if (result.kind === 'set') result.edits[0]?.added; // ['Content-Usage: train-ai=n', 'Content-Signal: ai-train=no']
 */
export function setPreferences(
  robots: Uint8Array | string,
  settings: PreferenceSettings,
  options: SetPreferencesOptions = {},
): SetPreferencesResult {
  return new Writer(robots, requireSettings(settings), options).run();
}

interface Plan {
  readonly edits: readonly RawEdit[];
  readonly declarations: DeclarationPlan;
  readonly tokens: TokenPlan;
  readonly file: FileGroups;
}

class Writer {
  readonly #original: Uint8Array;
  readonly #robots: RobotsTxt;
  readonly #settings: readonly PreferenceSetting[];
  readonly #formats: ReadonlySet<WritableFormat>;
  readonly #policyTokens: readonly PolicyToken[];
  readonly #options: SetPreferencesOptions;
  readonly #budget: Budget;

  constructor(
    content: Uint8Array | string,
    settings: readonly PreferenceSetting[],
    options: SetPreferencesOptions,
  ) {
    this.#budget = Budget.from('setPreferences', options, {
      ...{ profile: ['string', 'object'], maxBytes: 'number' },
      ...{ formats: 'array', policyTokens: 'array', tdmrep: 'string' },
    });
    const { formats = DEFAULT_FORMATS, policyTokens = POLICY_TOKENS } = options;
    if (formats.length === 0) throw new RangeError('the list of formats is empty');
    for (const format of formats)
      if (!WRITABLE_FORMATS.includes(format))
        throw new RangeError(`unknown format ${JSON.stringify(format)}: use ${WRITABLE_FORMATS.join(', ')}`);
    requirePolicyTokens(policyTokens);
    this.#settings = settings;
    this.#formats = new Set(formats);
    this.#policyTokens = policyTokens;
    this.#options = options;
    this.#robots = this.#parse(content);
    this.#original = typeof content === 'string' ? encodeUtf8(content) : content.slice();
  }

  run(): SetPreferencesResult {
    const robots = this.#robots;
    if (isPageWithoutRules(robots))
      return refuse('not-robots-txt', 'the file is an HTML page, not a robots.txt');
    const plan = this.#plan(robots);
    const { edits, file, tokens, declarations } = plan;
    const targets = findTargets(this.#policyTokens, this.#settings);
    const limits = listLimits(file, this.#settings, this.#formats, targets, declarations.tolerated);
    const stop = (code: RefusalCode, message: string): PreferencesRefused => refuse(code, message, limits);
    if (tokens.inseparable !== null) {
      const { token, line } = tokens.inseparable;
      const purposes = token.purposes.join(' and ');
      return stop(
        'inseparable-purposes',
        `line ${line}: the rules for ${token.token} state the same about ${purposes}: remove its group, or choose the same for both`,
      );
    }
    const tdmrep = this.#writeTdmRep();
    if (tdmrep === undefined)
      return stop(
        'invalid-tdmrep',
        'the present tdmrep.json is not a JSON array of rules, or its values are nested too deeply',
      );
    const set: Omit<PreferencesSet, 'bytes'> = {
      kind: 'set',
      edits: edits.map(decodeEdit),
      limits,
      proof: { exceptions: tokens.changed },
      tdmrep,
    };
    const unreached = findUnreached(plan, true);
    if (unreached !== undefined) return stop('setting-not-reached', unreached);
    if (edits.length === 0) return { ...set, bytes: this.#original };
    if (emptiesPart(file, tokens.edits))
      return stop(
        'shared-group',
        'a declaration depends on the user-agent line of a policy token: move it first',
      );
    const bytes = file.source.apply(edits);
    const after = this.#parse(bytes);
    if (robots.truncated || after.truncated)
      return stop(
        'file-too-long',
        `crawlers ignore everything after the first ${robots.maxBytes} bytes of the file`,
      );
    const rest = findUnreached(this.#plan(after), false);
    if (rest !== undefined) return stop('setting-not-reached', rest);
    const isSame = this.#prove(after, new Set(tokens.changed.map((token) => token.toLowerCase())));
    if (isSame === undefined)
      return stop('proof-undecided', 'the proof that no verdict changes exceeds its budget');
    if (!isSame) return stop('verdict-changed', 'a verdict would change');
    return { ...set, bytes };
  }

  #parse(content: Uint8Array | string): RobotsTxt {
    const { profile, maxBytes } = this.#options;
    return parse(content, {
      ...(profile !== undefined && { profile }),
      ...(maxBytes !== undefined && { maxBytes }),
    });
  }

  #plan(robots: RobotsTxt): Plan {
    const file = new FileGroups(robots);
    const targets = findTargets(this.#policyTokens, this.#settings);
    const exempt = new Set(this.#policyTokens.map(({ token }) => token.toLowerCase()));
    const declarations = planDeclarations(file, this.#settings, this.#formats, exempt);
    const tokens = planPolicyTokens(file, targets, this.#formats);
    const edits = [...tokens.edits, ...declarations.edits, ...planGroups(file, declarations, tokens)];
    return { edits: edits.sort((a, b) => a.line - b.line), declarations, tokens, file };
  }

  /** @returns `undefined` if the present file is invalid. */
  #writeTdmRep(): string | null | undefined {
    const setting = this.#settings.find(({ purpose }) => purpose === 'ai-train');
    if (!this.#formats.has('tdmrep') || setting === undefined) return null;
    return writeTdmRep(this.#options.tdmrep, setting.value) ?? undefined;
  }

  /** @returns `undefined` if the proof exceeds its budget. */
  #prove(after: RobotsTxt, exceptions: ReadonlySet<string>): boolean | undefined {
    const budget = this.#budget;
    return budget.runWithin(1, () =>
      new EquivalenceProver(this.#robots, budget).isEquivalent(after, ({ name }) =>
        exceptions.has(name.toLowerCase().replace(/^token:/, '')),
      ),
    );
  }
}

/**
 * Describes a place that cannot state a setting, or, unless `isEditable` is set, one that does not state it.
 *
 * @returns `undefined` if every crawler reads the settings.
 */
function findUnreached({ edits, declarations, tokens }: Plan, isEditable: boolean): string | undefined {
  const [line] = declarations.unwritable;
  if (line !== undefined) return `line ${line.record.line} is too long to change`;
  const [edit] = edits;
  if (edit !== undefined)
    return isEditable ? undefined : `line ${edit.line} of the new file: ${edit.message}`;
  const [token] = tokens.changed;
  return token === undefined ? undefined : `the rules for ${token} are too long to change`;
}

function refuse(
  code: RefusalCode,
  message: string,
  limits: readonly PreferenceLimit[] = [],
): PreferencesRefused {
  return { kind: 'refused', code, message, limits };
}

function decodeEdit(edit: RawEdit): PreferenceEdit {
  const { removed, added } = edit;
  return { ...edit, removed: removed === null ? null : decode(removed), added: added.map(decode) };
}

function decode(text: string): string {
  return decodeUtf8(toBytes(text), 0, text.length);
}
