// Chromium without a network: it is started for rendering, and each of its requests is fulfilled by this process (page-network.ts).
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { isMissingModule } from '../../files/missing-module.ts';
import { findChromium } from './find-chromium.ts';
import { readMemory } from './memory.ts';
import { RenderError, withLimit } from './render-error.ts';

/** How Chromium is started. */
export interface ChromiumOptions {
  /** The path of the program. @defaultValue it is searched */
  readonly executable?: string;
  readonly withoutSandbox: boolean;
}

/** Milliseconds for a start, and for an orderly end. */
const [START_TIME, END_TIME] = [30_000, 2_000] as const;
/** Megabytes of the heap of one page. */
const MAX_HEAP = 512;

const ARGUMENTS: readonly string[] = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-first-run',
  '--no-pings',
  // No name resolves, addresses as names included, and no proxy is there, also for the loopback interface.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://no-network.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--js-flags=--max-old-space-size=${MAX_HEAP}`,
];

/** Variables of the environment that Chromium gets: others may be secrets. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'XDG_RUNTIME_DIR'];
/** Windows needs more. */
const WINDOWS = ['SYSTEMROOT', 'LOCALAPPDATA', 'APPDATA', 'USERPROFILE', 'PROGRAMFILES'];

/**
 * Checks that Chromium can be started here and opens pages, by doing so: a Chromium that starts may still be too old, or have no process
 * for a page.
 *
 * @param pageTime - milliseconds for opening a page.
 * @returns its version.
 * @throws {RenderError} if playwright-core or Chromium is missing or cannot be used.
 */
export async function requireChromium(
  options: ChromiumOptions,
  pageTime: number = START_TIME,
): Promise<string> {
  const chromium = await Chromium.start(options);
  const { version } = chromium;
  try {
    await withLimit(chromium.openEmptyPage(), pageTime, 'it opens no page');
  } catch (cause) {
    throw toRenderError(`${version} cannot be used`, options, cause);
  } finally {
    await chromium.close();
  }
  return version;
}

/** A running Chromium. */
export class Chromium {
  readonly #browser: Browser;
  readonly #session: CDPSession;
  /** The process that all others belong to. */
  readonly #process: number;
  #isKilled = false;

  private constructor(browser: Browser, session: CDPSession, process: number) {
    this.#browser = browser;
    this.#session = session;
    this.#process = process;
  }

  /** Starts Chromium. @throws {RenderError} as {@link requireChromium} does. */
  static async start({ executable, withoutSandbox }: ChromiumOptions): Promise<Chromium> {
    const { chromium } = await loadPlaywright();
    const executablePath = findChromium(executable);
    if (!withoutSandbox && process.geteuid?.() === 0)
      throw new RenderError(
        'sandbox-unavailable',
        'Chromium has no sandbox when root runs it: run the audit as another user, or give --render-without-sandbox if you trust the pages',
      );
    try {
      const browser = await chromium.launch({
        executablePath,
        chromiumSandbox: !withoutSandbox,
        args: [...ARGUMENTS],
        // Playwright lets pages open windows.
        ignoreDefaultArgs: ['--disable-popup-blocking'],
        env: selectEnvironment(),
        timeout: START_TIME,
        // The audit decides what a signal ends.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      const session = await browser.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const main = processInfo.find(({ type }) => type === 'browser');
      if (main === undefined) throw new Error('its process is unknown');
      return new Chromium(browser, session, main.id);
    } catch (cause) {
      throw toRenderError(`${executablePath} could not be started`, { withoutSandbox }, cause);
    }
  }

  get version(): string {
    return this.#browser.version();
  }

  get isRunning(): boolean {
    return !this.#isKilled && this.#browser.isConnected();
  }

  /** Opens a context without cookies and storage. */
  newContext(options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> {
    return this.#browser.newContext(options);
  }

  /** Opens a page without content, and closes it. */
  async openEmptyPage(): Promise<void> {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    await (await context.newCDPSession(page)).send('Page.getFrameTree');
    await context.close();
  }

  /** Returns the memory of all its processes, in bytes. */
  async readMemory(): Promise<number> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    return readMemory(processInfo.map(({ id }) => id));
  }

  /** Ends all its processes, in an orderly way if it responds. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.kill();
        resolve();
      }, END_TIME);
    });
    // A browser that has crashed is closed.
    await Promise.race([this.#browser.close().catch(() => {}), late]);
    clearTimeout(timer);
  }

  /** Ends all its processes. */
  kill(): void {
    if (!this.isRunning) return;
    this.#isKilled = true;
    // Its processes are a group, unless a script has started it without replacing itself, and on Windows. Then they end with the first one.
    if (process.platform === 'win32' || !killIfRunning(-this.#process)) killIfRunning(this.#process);
  }
}

/** Kills a process, or a group if the id is negative. Returns `false` if it does not exist. */
function killIfRunning(id: number): boolean {
  try {
    return process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

/** Creates the error of a Chromium that does not work. */
function toRenderError(
  what: string,
  { withoutSandbox }: Pick<ChromiumOptions, 'withoutSandbox'>,
  cause: unknown,
): RenderError {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const hint = withoutSandbox
    ? ''
    : ' (where its sandbox is not available, as in many containers, give --render-without-sandbox)';
  return new RenderError('chromium-unusable', `${what}: ${line}${hint}`, { cause });
}

/** Loads the optional package. @throws {RenderError} if it is not installed. */
async function loadPlaywright(): Promise<typeof import('playwright-core')> {
  try {
    return await import('playwright-core');
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause;
    throw new RenderError(
      'playwright-missing',
      '--render needs the package playwright-core: npm install playwright-core',
      { cause },
    );
  }
}

function selectEnvironment(): Record<string, string> {
  const names = process.platform === 'win32' ? [...ENVIRONMENT, ...WINDOWS] : ENVIRONMENT;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
