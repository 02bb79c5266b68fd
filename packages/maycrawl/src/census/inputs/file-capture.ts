// Files that contain one robots.txt each, and are named by its host: `example.com.txt`, or `example.com/robots.txt`.
import { basename, dirname } from 'node:path';
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { readStart } from '@maycrawl/core/internal';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { parseHostUrl } from './host-url.ts';

const EXTENSION = /\.(?:txt|robots)$/i;

/** Reads the robots.txt of one file. */
export async function readFileCapture(
  input: AsyncIterable<Uint8Array>,
  path: string,
  totals: InputTotals,
): Promise<Capture> {
  const body = await readStart(input, MAX_FILE_BYTES + 1);
  totals.dataBytes += body.length;
  return createFileCapture(body, path, totals);
}

export function isRobotsTxtName(path: string): boolean {
  return EXTENSION.test(path);
}

/** Creates the capture of a file. @param path - the name of the file is the host, or that of its folder if it is `robots.txt`. */
export function createFileCapture(body: Uint8Array, path: string, totals: InputTotals): Capture {
  const host = getHost(path);
  const url = isHostName(host) ? parseHostUrl(host) : undefined;
  if (url === undefined)
    totals.addProblem({
      code: 'invalid-url',
      offset: 0,
      message: `the name of the file is not a host: ${host}`,
    });
  return {
    url: url?.href ?? '',
    ...{ time: null, status: null, location: null, body, isTruncated: false },
    ...{ kind: 'response', hops: 0, input: path, offset: 0 },
  };
}

/** Whether a name can be a host of the web. Other files, such as README.txt, have names of one word. */
function isHostName(name: string): boolean {
  return name === 'localhost' || /[.:]/.test(name);
}

function getHost(path: string): string {
  const name = basename(path);
  return name === 'robots.txt' ? basename(dirname(path)) : name.replace(EXTENSION, '');
}
