// The labels of the formats, and the purposes that they are about: data with sources, so that a new label is one row.
import { freezeDeep } from '../bytes/freeze.ts';
import type { PreferenceFormat } from './statement.ts';

/** The purposes that every report contains. */
export const MAIN_PURPOSES: readonly ['search', 'ai-train', 'ai-input'] = /* @__PURE__ */ freezeDeep([
  'search',
  'ai-train',
  'ai-input',
]);

/** A label of a format. */
export interface Label {
  readonly format: PreferenceFormat;
  /** In lower case. */
  readonly label: string;
  readonly purpose: string;
  /** Further purposes that belong to the label's category, with the number of levels between them. */
  readonly includes: Readonly<Record<string, number>>;
  /** The newest dialect that defines the label; `null` if the format has no dialects. */
  readonly dialect: string | null;
  /** Whether the current dialect of the format defines the label. */
  readonly isCurrent: boolean;
  /** Labels beside which this one says nothing. */
  readonly unless: readonly string[];
  /** The agents to which the label applies, in lower case; `null` for all. */
  readonly agents: readonly string[] | null;
  /** The document that defines the label. */
  readonly source: string;
}

/** The versions of the AIPREF vocabulary, each with the date of its draft. */
export const AIPREF_DIALECTS: readonly { readonly name: string; readonly date: string }[] =
  /* @__PURE__ */ freezeDeep([
    { name: 'aipref-01', date: '2025-06-18' },
    { name: 'aipref-02', date: '2025-07-20' },
    { name: 'aipref-03', date: '2025-09-05' },
    { name: 'aipref-04', date: '2025-10-28' },
    { name: 'aipref-07', date: '2026-08-19' },
    { name: 'aipref-08', date: '2026-09-13' },
  ]);

const VOCABULARY = 'https://datatracker.ietf.org/doc/html/draft-ietf-aipref-vocab-';
const BING =
  'https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat';

const row = (
  format: PreferenceFormat,
  label: string,
  purpose: string,
  source: string,
  further: Partial<Label> = {},
): Label => ({
  format,
  label,
  purpose,
  includes: {},
  dialect: null,
  isCurrent: true,
  unless: [],
  agents: null,
  source,
  ...further,
});

const usage = (dialect: string, label: string, purpose: string, includes: Label['includes'] = {}): Label =>
  row('content-usage', label, purpose, VOCABULARY + dialect, {
    ...{ includes, dialect: `aipref-${dialect}` },
    isCurrent: dialect === '08',
  });

const SIGNALS = 'https://contentsignals.org/';
const RSL = 'https://rslstandard.org/rsl';
const TDMREP = 'https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/';
const NOAI =
  'https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371';

/** All labels. A category of an old AIPREF dialect includes its subcategories (sections 3 and 4 of the drafts). */
export const LABELS: readonly Label[] = /* @__PURE__ */ freezeDeep([
  usage('08', 'train-ai', 'ai-train', { 'genai-train': 1 }),
  // The drafts 03 to 07 do not define it; draft 02 does, for any model.
  usage('08', 'ai-use', 'ai-input'),
  usage('08', 'search', 'search'),
  // By the figure and the definitions of the draft. One sentence says that it includes all categories.
  usage('01', 'tdm', 'tdm', { 'ai-train': 1, 'genai-train': 2 }),
  usage('01', 'ai', 'ai-train', { 'genai-train': 1 }),
  // Since vocab-05, "train-ai" is what the older drafts call generative AI training.
  usage('01', 'genai', 'genai-train', { 'ai-train': 3 }),
  usage('01', 'inference', 'ai-input'),
  usage('02', 'all', 'all', { 'ai-train': 1, 'genai-train': 2, 'ai-input': 1, search: 1 }),
  usage('03', 'train-genai', 'genai-train', { 'ai-train': 3 }),
  usage('04', 'bots', 'all', { 'ai-train': 1, 'genai-train': 2, 'ai-input': 1, search: 2 }),
  usage('04', 'ai-output', 'ai-input', { search: 1 }),

  row('content-signal', 'search', 'search', SIGNALS),
  row('content-signal', 'ai-input', 'ai-input', SIGNALS),
  row('content-signal', 'ai-train', 'ai-train', SIGNALS),
  row('content-signal', 'use', 'use', SIGNALS, { dialect: '2026-07' }),

  row('rsl', 'all', 'all', RSL, {
    includes: { 'ai-all': 1, 'ai-train': 2, 'ai-input': 2, 'ai-index': 2, search: 1 },
  }),
  row('rsl', 'ai-all', 'ai-all', RSL, { includes: { 'ai-train': 1, 'ai-input': 1, 'ai-index': 1 } }),
  row('rsl', 'ai-train', 'ai-train', RSL),
  row('rsl', 'train-ai', 'ai-train', RSL, { dialect: 'draft', isCurrent: false }),
  row('rsl', 'ai-input', 'ai-input', RSL),
  row('rsl', 'ai-index', 'ai-index', RSL),
  row('rsl', 'search', 'search', RSL),

  row('tdmrep', 'tdm-reservation', 'tdm', TDMREP, { includes: { 'ai-train': 1 } }),

  row('page', 'noai', 'ai-train', NOAI),
  row('page', 'noimageai', 'ai-train-images', NOAI),
  row('page', 'noarchive', 'ai-train', BING, {
    includes: { 'ai-input': 0 },
    unless: ['nocache'],
    agents: ['bingbot'],
  }),
]);

const BY_FORMAT: ReadonlyMap<string, Label> = /* @__PURE__ */ new Map(
  LABELS.map((each) => [`${each.format} ${each.label}`, each]),
);

/** Finds a label of a format. @param label - in the case that the format requires. */
export function findLabel(format: PreferenceFormat, label: string): Label | undefined {
  return BY_FORMAT.get(`${format} ${label}`);
}

/** The purposes of a label: its own and those that its category includes, with their distance. */
export function getPurposes({ purpose, includes }: Label): [purpose: string, distance: number][] {
  return [[purpose, 0], ...Object.entries(includes)];
}
