// The known policy tokens, written from `crawlers/crawlers.json` by `npm run crawlers`.
import { freezeDeep } from '../bytes/freeze.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';

/** The known policy tokens, those of the catalogue of crawlers. */
export const POLICY_TOKENS: readonly PolicyToken[] = /* @__PURE__ */ freezeDeep([
  {
    token: 'Google-Extended',
    operator: 'Google',
    governs: [
      'Googlebot',
      'Googlebot-Image',
      'Googlebot-Video',
      'Googlebot-News',
      'Google-InspectionTool',
      'GoogleOther',
      'GoogleOther-Image',
      'GoogleOther-Video',
    ],
    purposes: ['ai-train', 'ai-input'],
    source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers',
    checked: '2026-11-23',
  },
  {
    token: 'Applebot-Extended',
    operator: 'Apple',
    governs: ['Applebot'],
    purposes: ['ai-train'],
    source: 'https://support.apple.com/en-us/119829',
    checked: '2026-11-23',
  },
  {
    token: '__usage_ai-training',
    operator: 'IETF proposal',
    governs: null,
    purposes: ['ai-train'],
    source: 'https://developers.google.com/crawling/docs/changelog',
    checked: '2026-11-28',
    obeysGlobal: false,
    announced: [
      {
        operator: 'Google',
        date: '2026-10-30',
        url: 'https://developers.google.com/crawling/docs/changelog',
      },
    ],
  },
]);
