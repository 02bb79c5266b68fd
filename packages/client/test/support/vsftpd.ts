import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/vsftpd';

/** Whether vsftpd is installed, and may be run here. */
export const HAS_VSFTPD: boolean = isExecutable(PROGRAM) && process.getuid?.() === 0;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts vsftpd on loopback with some files for anonymous users. `settings` are lines of its configuration. */
export async function startVsftpd(
  files: Readonly<Record<string, string | Uint8Array>>,
  settings: readonly string[] = [],
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-vsftpd-'));
  for (const name of ['files', 'empty']) mkdirSync(join(folder, name), { mode: 0o755 });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'files', name), content);
  const port = await findFreePort();
  const usual = [
    ...['listen=YES', 'listen_ipv6=NO', 'listen_address=127.0.0.1', `listen_port=${port}`, 'background=NO'],
    ...['anonymous_enable=YES', 'local_enable=NO', 'ftp_username=daemon', 'connect_from_port_20=NO'],
    ...[`anon_root=${join(folder, 'files')}`, `secure_chroot_dir=${join(folder, 'empty')}`],
    'seccomp_sandbox=NO',
  ];
  const config = join(folder, 'vsftpd.conf');
  writeFileSync(config, `${[...usual, ...settings].join('\n')}\n`);
  // The folder of the test must be open to the user that vsftpd becomes.
  chmodSync(folder, 0o755);
  const child = spawn(PROGRAM, [config], { stdio: 'inherit' });
  await untilListening(port);
  const close = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { origin: `ftp://127.0.0.1:${port}`, close };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('vsftpd does not start');
}
