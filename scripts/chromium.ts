import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

/** Where Debian and others keep it. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export const HAS_CHROMIUM = CHROMIUM !== undefined;

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium of this machine, as tests and figures use it; undefined where none is installed. */
export async function openChromium(): Promise<Browser | undefined> {
  return CHROMIUM === undefined ? undefined : chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** The same for several processes and threads, which connect to it. */
export async function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: CHROMIUM!, args: FLAGS });
}

/** Nothing where the console is built of these very sources already. */
export function buildConsole(): void {
  const script = fileURLToPath(new URL('build-console.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the console is not built: ${stderr}`);
}
