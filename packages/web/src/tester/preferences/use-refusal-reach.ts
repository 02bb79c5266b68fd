// Which crawlers may still fetch pages after a refusal, and who promised to honour it.
import { useMemo } from 'preact/hooks';
import type { FileInput } from '../judging/messages.ts';
import type { PreferencePlan, PreferenceWishes } from '../judging/plan-preferences.ts';
import { useProof } from '../judging/use-results.ts';
import { PURPOSES } from '../state/selected-preference.ts';
import { getPurposeTitle } from './texts.ts';

const REQUEST: readonly string[] = [
  'The statements are requests. To keep a crawler away from your pages, disallow it by name.',
];

/** @returns sentences: a general one while they are computed, or if nothing is refused. */
export function useRefusalReach(
  plan: PreferencePlan | null,
  wishes: PreferenceWishes | null,
  file: FileInput,
): readonly string[] {
  const request = useMemo(() => {
    const purposes = Object.entries(wishes?.wishes ?? {}).flatMap(([purpose, value]) =>
      value === 'disallowed' ? [purpose] : [],
    );
    if (plan?.kind !== 'set' || wishes === null || purposes.length === 0) return null;
    const refusal = { purposes, formats: wishes.formats };
    return { kind: 'reach', file: { ...file, content: plan.bytes }, refusal } as const;
  }, [plan, wishes, file]);
  const result = useProof(request);
  return result?.kind === 'reach' ? result.sentences.map(withTitles) : REQUEST;
}

function withTitles(sentence: string): string {
  return PURPOSES.reduce(
    (text, purpose) => text.replaceAll(` ${purpose} `, ` ${getPurposeTitle(purpose)} `),
    sentence,
  );
}
