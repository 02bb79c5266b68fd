import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net';

/** The records of a name. A missing address family has no records. */
export interface DnsAnswer {
  readonly addresses?: readonly string[];
  /** Of PTR records. */
  readonly names?: readonly string[];
  /** Seconds. */
  readonly ttl?: number;
  /** 0: no error, 2: SERVFAIL, 3: NXDOMAIN, 5: REFUSED. */
  readonly code?: number;
  /** Names that lead to one another, the last one to the addresses. */
  readonly aliases?: readonly string[];
  /** By UDP only says that the answer is too long. */
  readonly isTruncated?: boolean;
}

/** Responds to a query immediately, later, or never (`null`). */
type Respond = (
  name: string,
  type: 'A' | 'AAAA' | 'NS' | 'PTR',
) => DnsAnswer | null | Promise<DnsAnswer | null>;

/** A name server on loopback. */
export interface TestNameServer {
  /** Its address with its port. */
  readonly server: string;
  /** Queries in the order in which they came: type and name. */
  readonly queries: string[];
  close(): Promise<void>;
}

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
  [2, 'NS'],
  [12, 'PTR'],
] as const);
const NXDOMAIN = 3;

/** Starts a name server, by UDP and TCP. */
export async function startNameServer(respond: Respond): Promise<TestNameServer> {
  const queries: string[] = [];
  const answer = async (query: Buffer, isUdp: boolean): Promise<Buffer | null> => {
    const { name, type, end } = readJsonLine(query);
    const kind = TYPES.get(type as 1);
    queries.push(`${kind ?? type} ${name}`);
    const given = kind === undefined ? { code: 4 } : await respond(name, kind);
    return given === null ? null : writeAnswer(query.subarray(0, end), type, given, isUdp);
  };
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', async (data) => {
      const reply = await answer(data.subarray(2), false);
      if (reply === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([length, reply]));
    });
  });
  const { udp, port } = await listenOnOnePort(tcp);
  udp.on('message', async (query, { port: from, address }) => {
    const reply = await answer(query, true);
    // The server may be closed by now.
    if (reply !== null) udp.send(reply, from, address, () => {});
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([
      new Promise<void>((resolve) => udp.close(() => resolve())),
      new Promise<void>((resolve) => tcp.close(() => resolve())),
    ]);
  };
  return { server: `127.0.0.1:${port}`, queries, close };
}

/** Listens by TCP and UDP on the same port, which one of them may find in use. */
async function listenOnOnePort(tcp: Server): Promise<{ readonly udp: UdpSocket; readonly port: number }> {
  for (;;) {
    await once(tcp.listen(0, '127.0.0.1'), 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    try {
      udp.bind(port, '127.0.0.1');
      await once(udp, 'listening');
      return { udp, port };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      tcp.close();
      await once(tcp, 'close');
    }
  }
}

function readJsonLine(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(
  question: Buffer,
  type: number,
  { addresses = [], names = [], ttl = 60, code = 0, aliases = [], isTruncated = false }: DnsAnswer,
  isUdp: boolean,
): Buffer {
  const isCut = isTruncated && isUdp;
  const records: Buffer[] = [];
  // The name of the question, which begins behind the header.
  let owner: Buffer = Buffer.from([0xc0, 12]);
  for (const alias of isCut ? [] : aliases) {
    records.push(writeRecord(owner, 5, ttl, writeName(alias)));
    owner = writeName(alias);
  }
  const own = addresses.filter((each) => (isIPv6(each) ? type === 28 : type === 1));
  for (const each of isCut ? [] : own) records.push(writeRecord(owner, type, ttl, writeAddress(each)));
  if (type === 12) for (const name of names) records.push(writeRecord(owner, type, ttl, writeName(name)));
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12), ...records]);
}

function writeRecord(owner: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function writeAddress(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((each) => Number.parseInt(each, 16));
  const [first, last] = [groups(before), groups(after ?? '')];
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(group, index * 2);
  return bytes;
}

/** What a test server says about names that it does not have. */
export const NO_SUCH_NAME: DnsAnswer = { code: NXDOMAIN };
