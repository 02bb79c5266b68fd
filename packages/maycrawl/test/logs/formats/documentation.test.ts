import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS, findFormat } from '../../../src/logs/formats/find-format.ts';
import { readLine } from '../../support/log-reading.ts';

const PAGE = readFileSync('docs/logs-formats.md', 'utf8');
const ROWS = PAGE.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

/** The names in the code of a cell. */
function getNames(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

describe('the page about formats of logs', () => {
  it('lists every format', () => {
    const names = ROWS.filter((cells) => cells.length === 6).flatMap(([name]) => getNames(name));
    expect(names.toSorted()).toEqual(FORMATS.map(({ name }) => name).toSorted());
  });

  it('has patterns that the readers accept, with address, host and signature', () => {
    const patterns = [...PAGE.matchAll(/```(?:nginx|apache)\n(.*?)```/gs)].map(([, pattern = '']) => pattern);
    expect(patterns).toHaveLength(2);
    for (const pattern of patterns)
      expect(findFormat(pattern.trim()).has).toEqual({
        ...{ address: true, host: true, userAgent: true, status: true, signature: true },
      });
  });

  const record = {
    time: 1_795_884_003,
    address: '203.0.113.7',
    method: 'GET',
    'path and query': '/a',
    host: 'shop.example',
    status: 404,
    size: 17,
    'User-Agent header': 'GPTBot/1.0',
  };
  const documented = ROWS.filter((cells) => cells.length === 2 && (cells[0] as string) in record).flatMap(
    ([field = '', names]) => getNames(names).map((name) => [field, name] as const),
  );

  it('lists the names of members of nginx-json', () => {
    expect(new Set(documented.map(([field]) => field)).size).toBe(8);
  });

  it.each(documented)('is right about the %s in the member %s', (field, name) => {
    const usual: Record<string, unknown> = {
      ...{ msec: record.time, remote_addr: record.address, request_method: record.method },
      ...{ request_uri: record['path and query'], http_host: record.host, status: record.status },
      ...{ body_bytes_sent: record.size, http_user_agent: record['User-Agent header'] },
    };
    const expected = readLine('nginx-json', JSON.stringify(usual));
    const value = record[field as keyof typeof record];
    const members = Object.entries(usual).filter(([, each]) => each !== value);
    const changed = { ...Object.fromEntries(members), [name]: value };
    expect(readLine('nginx-json', JSON.stringify(changed))).toEqual(expected);
  });
});
