import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What a scripted FTP server does at a command; without it, it does what a good one does. */
export interface FtpScript {
  /** The first reply; nothing at all if `null`. */
  readonly greeting?: string | null;
  readonly replies?: Readonly<Record<string, string>>;
  /** The port that it sends for data. @defaultValue that of its data server */
  readonly dataPort?: number;
  /** The delimiter in the reply to EPSV. @defaultValue `|` */
  readonly delimiter?: string;
  /** The address that it names in reply to PASV. */
  readonly dataAddress?: string;
  /** The number of bytes of each reply that it sends some time before the others. */
  readonly cut?: number;
  /** What it does with a data connection. */
  readonly onData?: (data: Socket, control: Socket) => void;
}

export interface FtpServer {
  readonly origin: string;
  readonly commands: string[];
  close(): Promise<void>;
}

const GOOD: Readonly<Record<string, string>> = {
  USER: '331 password?',
  PASS: '230 welcome',
  TYPE: '200 binary',
  RETR: '150 here it comes',
  QUIT: '221 bye',
};

/** Starts an FTP server on loopback that follows a script. */
export async function serveFtp(script: FtpScript): Promise<FtpServer> {
  const sockets = new Set<Socket>();
  const commands: string[] = [];
  let control: Socket | undefined;
  const watch = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const data = createServer((socket) => {
    watch(socket);
    if (script.onData !== undefined) script.onData(socket, control as Socket);
    else socket.end('User-agent: *\nDisallow: /ftp\n', () => control?.write('226 done\r\n'));
  });
  const dataPort = await listen(data);
  const server = createServer((socket) => {
    watch(socket);
    control = socket;
    if (script.greeting !== null) socket.write(`${script.greeting ?? '220 ready'}\r\n`);
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        commands.push(line);
        const reply = `${replyTo(line.split(' ')[0] as string)}\r\n`;
        if (script.cut === undefined) {
          socket.write(reply);
          continue;
        }
        socket.setNoDelay().write(reply.slice(0, script.cut));
        setTimeout(() => socket.write(reply.slice(script.cut)), 20);
      }
    });
  });
  const replyTo = (command: string): string => {
    const port = script.dataPort ?? dataPort;
    const bar = script.delimiter ?? '|';
    const address = (script.dataAddress ?? '127.0.0.1').replaceAll('.', ',');
    const passive: Readonly<Record<string, string>> = {
      EPSV: `229 passive (${bar}${bar}${bar}${port}${bar})`,
      PASV: `227 passive (${address},${port >> 8},${port & 255})`,
    };
    return script.replies?.[command] ?? GOOD[command] ?? passive[command] ?? '502 unknown';
  };
  const origin = `ftp://127.0.0.1:${await listen(server)}`;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([server, data].map((each) => new Promise((resolve) => each.close(resolve))));
  };
  return { origin, commands, close };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
