// Which crawlers may still fetch pages after a refusal, and who promised to honour it. The catalogue of crawlers is loaded for it.
import { parse } from '@maycrawl/core';
import { describeRefusalReach, findRefusalReach } from '@maycrawl/core/preferences';
import { useEffect, useState } from 'preact/hooks';
import type { PreferencePlan, PreferenceWishes } from '../judging/plan-preferences.ts';
import { PURPOSE_TITLES } from './texts.ts';

const REQUEST: readonly string[] = [
  'The statements are requests. To keep a crawler away from your pages, disallow it by name.',
];

/** @returns sentences: a general one until the catalogue is loaded, or if nothing is refused. */
export function useRefusalReach(
  plan: PreferencePlan | null,
  wishes: PreferenceWishes | null,
  profile: string,
): readonly string[] {
  const [sentences, setSentences] = useState(REQUEST);
  useEffect(() => {
    const purposes = Object.entries(wishes?.wishes ?? {}).flatMap(([purpose, value]) =>
      value === 'disallowed' ? [purpose] : [],
    );
    setSentences(REQUEST);
    if (plan?.kind !== 'set' || wishes === null || purposes.length === 0) return;
    let isCurrent = true;
    import('@maycrawl/core/crawlers').then(
      ({ CRAWLER_RECORDS }) => {
        if (!isCurrent) return;
        const refusal = { purposes, formats: wishes.formats };
        const reach = findRefusalReach(parse(plan.bytes, { profile }), refusal, CRAWLER_RECORDS);
        setSentences(describeRefusalReach(reach, purposes).map(withTitles));
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [plan, wishes, profile]);
  return sentences;
}

function withTitles(sentence: string): string {
  return Object.entries(PURPOSE_TITLES).reduce(
    (text, [purpose, title]) => text.replaceAll(` ${purpose} `, ` ${title} `),
    sentence,
  );
}
