// The wishes of an owner in the dialog, and the result in words.
import type { PreferenceLimit, SettingValue, WritableFormat } from '@maycrawl/core/preferences';
import type { PreferencePlan, PreferenceWishes } from '../judging/plan-preferences.ts';
import { PURPOSES, type Purpose } from '../state/selected-preference.ts';
import { getPurposeTitle } from './texts.ts';

/** A choice of the dialog. `none`: the file says nothing new about the purpose. */
export type WishChoice = SettingValue | 'none';

export interface WishChoices {
  readonly purposes: Readonly<Record<Purpose, WishChoice>>;
  readonly formats: readonly WritableFormat[];
}

/** "Keep search, refuse training" */
export const FIRST_CHOICES: WishChoices = {
  purposes: { search: 'allowed', 'ai-train': 'disallowed', 'ai-input': 'none' },
  formats: ['content-usage', 'content-signal', 'policy-token'],
};

export const PURPOSE_HINTS: Readonly<Record<Purpose, string>> = {
  search: 'links to your pages in results of a search engine',
  'ai-train': 'your content becomes part of a model',
  'ai-input': 'an AI quotes or summarizes your pages in its answers',
};

export const CHOICE_LABELS: Readonly<Record<WishChoice, string>> = {
  allowed: 'allow',
  disallowed: 'refuse',
  none: 'say nothing',
};

/** The formats, and what can be expected of each. */
export const FORMAT_TEXTS: Readonly<
  Record<WritableFormat, { readonly title: string; readonly hint: string }>
> = {
  'content-usage': {
    title: 'Content-Usage lines',
    hint: 'The draft standard of the IETF. No operator has promised to follow it.',
  },
  'content-signal': {
    title: 'Content-Signal lines',
    hint: 'The format of Cloudflare. Crawlers need not follow it.',
  },
  'policy-token': {
    title: 'Rules for Google-Extended and Applebot-Extended',
    hint: 'Google and Apple document that they do not train on pages that these rules disallow. Crawling and search stay the same.',
  },
  'usage-token': {
    title: 'Rules for __usage_ai-training',
    hint: 'A proposal to the IETF of 2026-10-30. Google announced that it intends to honour it; no operator does so yet.',
  },
  tdmrep: {
    title: 'The file tdmrep.json',
    hint: 'A separate file about text and data mining (W3C Community Group). Crawlers need not follow it.',
  },
};

/** Converts the choices to wishes; a sentence if something is missing. */
export function toWishes({ purposes, formats }: WishChoices, tdmrep: string): PreferenceWishes | string {
  const wishes = PURPOSES.flatMap((purpose) => {
    const value = purposes[purpose];
    return value === 'none' ? [] : [[purpose, value] as const];
  });
  if (wishes.length === 0) return 'Choose what to say about at least one use.';
  if (formats.length === 0) return 'Choose at least one format.';
  return { wishes: Object.fromEntries(wishes), formats, tdmrep };
}

/** Describes what was proved. */
export function describeProof(plan: Extract<PreferencePlan, { kind: 'set' }>): string {
  const { editCount, exceptions } = plan;
  if (editCount === 0) return 'The file already declares this. Nothing needs to change.';
  const same = 'Proved for every URL: no crawler gains or loses access to a page.';
  if (exceptions.length === 0) return same;
  return `${same} Only the rules for ${exceptions.join(' and ')} change. They are names for rules and send no requests.`;
}

/** Describes a limit for people who do not know the names of formats and purposes. */
export function describeLimit({ code, format, token, purpose, message }: PreferenceLimit): string {
  const title = getPurposeTitle(purpose ?? '');
  if (code === 'purpose-without-label' && format !== null) {
    const subject = token === null ? FORMAT_TEXTS[format as WritableFormat].title : `Rules for ${token}`;
    return `${subject} cannot say anything about ${title}.`;
  }
  if (code === 'further-purpose')
    return `Rules for ${token} are about ${title}, too: they cannot be separated.`;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
    .replaceAll('ai-train', getPurposeTitle('ai-train'))
    .replaceAll('ai-input', getPurposeTitle('ai-input'));
}
