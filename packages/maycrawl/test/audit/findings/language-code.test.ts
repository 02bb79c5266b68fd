import { expect, test } from 'vitest';
import { isLanguageCode } from '../../../src/audit/findings/targets/language-code.ts';

test.each([
  'en',
  'de',
  'EN-us',
  'en-GB',
  'zh-Hant',
  'zh-hans-TW',
  'x-default',
  'X-Default',
  ' fr ',
  'nb',
  'cs-CZ',
])('%j is understood', (code) => expect(isLanguageCode(code)).toBe(true));

test.each([
  '',
  'en-UK',
  'en-EU',
  'xx',
  'cz',
  'jp',
  'eng',
  'english',
  'en_US',
  'es-419',
  'en-',
  'US',
  'zh-Abcd',
  'de-de-de',
])('%j is not understood', (code) => expect(isLanguageCode(code)).toBe(false));
