// The names of the purposes that preferences are about, for the command, the monitor and the pages.

/** A purpose in words. */
interface PurposeText {
  /** The name in sentences. */
  readonly name: string;
  /** What a crawler does for the purpose, if that explains more than the name. */
  readonly description?: string;
}

const PURPOSES: Readonly<Record<string, PurposeText>> = {
  search: { name: 'search', description: 'show it in search results' },
  'ai-train': { name: 'AI training', description: 'train AI models' },
  'ai-input': { name: 'AI answers', description: 'answer questions with AI' },
  tdm: { name: 'text and data mining' },
  'genai-train': { name: 'training of generative AI' },
  'ai-train-images': { name: 'AI training with images' },
  all: { name: 'all automated use' },
  'ai-all': { name: 'all use by AI' },
  'ai-index': { name: 'indexes of AI services' },
  use: { name: 'length of quotations (use=)' },
};

/** Returns the name of a purpose in sentences: "AI training". One without a name is its code. */
export function getPurposeName(purpose: string): string {
  return findPurpose(purpose)?.name ?? purpose;
}

/** Describes a purpose next to its code: "train AI models"; `null` if it has no name. */
export function describePurpose(purpose: string): string | null {
  const found = findPurpose(purpose);
  return found?.description ?? found?.name ?? null;
}

function findPurpose(purpose: string): PurposeText | undefined {
  return Object.hasOwn(PURPOSES, purpose) ? PURPOSES[purpose] : undefined;
}
