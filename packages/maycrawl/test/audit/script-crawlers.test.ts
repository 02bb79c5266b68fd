import { CRAWLER_RECORDS } from '@maycrawl/core/crawlers';
import { expect, test } from 'vitest';
import { COMMON_CRAWLERS } from '../../src/audit/page/common-crawlers.ts';
import { runsScripts } from '../../src/audit/run/script-crawlers.ts';

const getName = ({ token, name = token }: { readonly token: string; readonly name?: string }): string => name;
const NAMES = CRAWLER_RECORDS.map(getName);

test('the crawlers that run scripts are those of which the catalogue says it', () => {
  expect(NAMES.filter(runsScripts)).toEqual(['Applebot', 'bingbot', 'Google-InspectionTool', 'Googlebot']);
});

test('the common crawlers are in the catalogue, and not retired', () => {
  for (const { name } of COMMON_CRAWLERS) {
    const record = CRAWLER_RECORDS.find((each) => getName(each) === name);
    expect(record, name).toBeDefined();
    expect(record?.retired, name).toBeUndefined();
  }
});
