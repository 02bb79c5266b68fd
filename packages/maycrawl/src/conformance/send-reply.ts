// Sends the response of a scenario.
import type { ServerResponse } from 'node:http';
import type { Body, Reply } from './scenario.ts';

/** @param expand - replaces the placeholders of texts. */
export function sendReply(response: ServerResponse, reply: Reply, expand: (text: string) => string): void {
  if ('raw' in reply) {
    sendRaw(response, reply);
    return;
  }
  const { status = 200, headers = {}, body = '' } = reply;
  const entries = Object.entries(headers).map(([name, value]) => [name, expand(value)] as const);
  const content = expand(toText(body));
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(hasBody && { 'content-length': Buffer.byteLength(content) }),
    ...Object.fromEntries(entries),
  });
  response.end(hasBody ? content : undefined);
}

/** Writes bytes to the connection, which is no response for Node. */
function sendRaw({ socket }: ServerResponse, { raw, end }: Extract<Reply, { readonly raw: string }>): void {
  if (socket === null) return;
  if (end === 'close') socket.end(raw);
  else if (end === 'reset') socket.resetAndDestroy();
  else socket.write(raw);
}

const toText = (body: Body): string =>
  typeof body === 'string' ? body : body.map(([text, count]) => text.repeat(count)).join('');
