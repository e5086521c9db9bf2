import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Download,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { HAS_CHROMIUM } from '../../scripts/chromium.ts';
import { signedInBrowser } from './browser-client.ts';
import { ADMIN, type Platform, startPlatform } from './platform.ts';

// Screens in a real browser, over a real program with real books.

/** How long an element is waited for, in milliseconds: a machine may be slow, and busy with other work. */
const PATIENCE = 30_000;

/**
 * `expect.poll` over what a page shows: as long as the browser itself waits for an element, for a screen under load may
 * take its time.
 */
export function eventually<Shown>(read: () => Shown | Promise<Shown>, options?: { readonly timeout: number }) {
  return expect.poll(read, { timeout: PATIENCE, ...options });
}

/**
 * The table of a screen is there with its rows and has the focus, as whoever is about to press a key sees: a key pressed
 * before goes to nobody.
 */
export async function atGrid(page: Page, name: string): Promise<Locator> {
  const grids = page.getByRole('grid', { name }).or(page.getByRole('treegrid', { name }));
  const grid = grids.and(page.locator(':focus'));
  await grid.locator('[data-marked]').waitFor();
  return grids;
}

/** What the screens of a file are tried on. */
export interface Site<Books> {
  readonly platform: Platform;
  /** What the file's books were said to be. */
  readonly books: Books;
  /** Address of the console. */
  readonly address: string;
  /** A page of a signed-in user, the administrator by default, at a place such as '/0001/0001/2026-01/balancete'. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** What the browser complained about since; a test that provokes complaints takes them here. */
  takeFaults(): string[];
}

export interface PageOptions {
  /** null: nobody is signed in. */
  readonly as?: { readonly username: string; readonly password: string } | null;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

interface BrowsingOptions {
  readonly environment?: Record<string, string>;
  readonly now?: () => Date;
}

/**
 * Tests of a screen, which share a program and a browser. A violation of the Content-Security-Policy, an uncaught error
 * or an error on the browser's console fails the test that it happened in. Without Chromium they are skipped, with the
 * reason printed.
 */
export function inBrowser<Books>(
  name: string,
  makeBooks: (platform: Platform) => Promise<Books>,
  tests: (site: Site<Books>) => void,
  { environment = {}, now }: BrowsingOptions = {},
): void {
  describe.skipIf(!HAS_CHROMIUM)(name, { timeout: 4 * PATIENCE }, () => {
    const site = new BrowserSite<Books>();
    beforeAll(async () => {
      await site.start(await startPlatform(environment, now ? { now } : {}), makeBooks);
    });
    afterEach(() => site.endTest());
    afterAll(() => site.stop());
    tests(site);
  });
}

if (!HAS_CHROMIUM) {
  const message = 'no Chromium is installed: the screens are not tried in a browser';
  if (process.env.CI) throw new Error(message);
  console.log(message);
}

class BrowserSite<Books> implements Site<Books> {
  platform!: Platform;
  books!: Books;
  address!: string;
  #browser!: Browser;
  #faults: string[] = [];
  /** Pages of earlier tests, each a browser of its own; the first ones of them are in use. */
  readonly #pages: Page[] = [];
  #inUse = 0;
  readonly #sessions = new Map<string, Parameters<BrowserContext['addCookies']>[0]>();

  async start(platform: Platform, makeBooks: (platform: Platform) => Promise<Books>): Promise<void> {
    this.platform = platform;
    this.address = platform.address('console');
    const chromiumAt = await fetch(inject('chromiumUrl'));
    if (!chromiumAt.ok) throw new Error(await chromiumAt.text());
    this.#browser = await chromium.connect(await chromiumAt.text());
    this.books = await makeBooks(platform);
  }

  async open(
    path: string,
    { as = ADMIN, theme = 'light', width = 1440, height = 900 }: PageOptions = {},
  ): Promise<Page> {
    const session = as === null ? [] : await this.#sessionOf(as);
    this.#pages[this.#inUse] ??= await this.#newPage();
    const page = this.#pages[this.#inUse++]!;
    await page.context().addCookies(session);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${this.address}${path}`);
    await settled(page);
    return page;
  }

  takeFaults(): string[] {
    return this.#faults.splice(0);
  }

  async endTest(): Promise<void> {
    const faults = this.takeFaults();
    const used = this.#pages.slice(0, this.#inUse);
    this.#inUse = 0;
    await Promise.all(used.map((page) => this.#forget(page)));
    this.takeFaults();
    expect(faults).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.platform?.stop();
  }

  /** The page becomes as a new one: a new browser takes a second, an address some milliseconds. */
  async #forget(page: Page): Promise<void> {
    try {
      const context = page.context();
      await Promise.all(context.pages().map((each) => (each === page ? undefined : each.close())));
      await page.removeAllListeners('dialog');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await context.clearPermissions();
      await context.clearCookies();
      await page.emulateMedia({ media: null });
      // An address of the console without its program: what the program remembers is forgotten there.
      await page.goto(`${this.address}/icon-of-nothing`);
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    } catch {
      this.#pages.splice(this.#pages.indexOf(page), 1);
      await page.context().close();
    }
  }

  /** The cookie of the user, who signs in once for all tests of the file. */
  async #sessionOf(user: { username: string; password: string }) {
    const known = this.#sessions.get(user.username);
    if (known !== undefined) return known;
    const { cookie } = await signedInBrowser(this.platform, user);
    const [name, value] = cookie!.split('=', 2) as [string, string];
    const url = this.address.replace('http:', 'https:');
    const session = [{ name, value, url, httpOnly: true, secure: true, sameSite: 'Strict' as const }];
    this.#sessions.set(user.username, session);
    return session;
  }

  async #newPage(): Promise<Page> {
    const context = await this.#browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' });
    // Sooner than the test's own limit, so that what was waited for is named.
    context.setDefaultTimeout(PATIENCE);
    // Who signs out in one test signs in again for the next.
    context.on('request', (request) => {
      if (request.method() === 'DELETE' && request.url().endsWith('/api/console/session')) this.#sessions.clear();
    });
    context.on('page', (page) => {
      this.#watch(page);
      countRequests(page);
    });
    return context.newPage();
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.#faults.push(String(error.stack ?? error)));
    page.on('console', (message) => {
      // Refusals are a part of the work; the browser reports each of them as an error.
      const isRefusal = /responded with a status of 4\d\d/.test(message.text());
      if (message.type() === 'error' && !isRefusal) this.#faults.push(message.text());
    });
  }
}

const underWay = new WeakMap<Page, Set<Request>>();
/** A page that looks at the status alone never takes the body: then it is not waited for any longer. In milliseconds. */
const BODY_COMES_WITHIN = 250;

/** A stream of events never ends and is not waited for. */
function countRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => {
    if (!request.headers().accept?.includes('text/event-stream')) requests.add(request);
  });
  const end = (request: Request) => requests.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  page.on('response', (response) => setTimeout(end, BODY_COMES_WITHIN, response.request()));
}

/**
 * Waits until everything that the page asks for has come and is drawn, and what is asked for because of that as well: a
 * screen is whole, its keys and its buttons act.
 */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page)!;
  do {
    await eventually(() => requests.size).toBe(0);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  } while (requests.size > 0);
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What colours have a part in: the dark theme changes nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** No finding of axe on the page as it stands, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate(`!('axe' in globalThis)`)) await page.evaluate(axe.source);
  for (const [colorScheme, runOnly] of [
    ['light', { type: 'tag', values: RULES }],
    ['dark', { type: 'rule', values: COLOUR_RULES }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const findings = await page.evaluate(
      async (only) => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run({ runOnly: only, resultTypes: ['violations'] });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
      },
      runOnly as unknown as import('axe-core').RunOnly,
    );
    expect(findings, colorScheme).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** No number is cut, and the page does not scroll sideways, at this width. */
export async function expectFits(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  const cut = await page.locator('.grid-end:visible, .amount:visible').evaluateAll((cells) =>
    cells
      .map((cell) => ({ cell, grid: cell.closest('.grid') ?? cell.ownerDocument.documentElement }))
      .filter(
        ({ cell, grid }) =>
          cell.scrollWidth > cell.clientWidth + 1 ||
          cell.getBoundingClientRect().right > grid.getBoundingClientRect().right,
      )
      .map(({ cell }) => cell.textContent),
  );
  expect(cut, 'cut numbers').toEqual([]);
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(width);
}

/** What was saved. */
export async function bytesOf(saved: Download): Promise<Buffer> {
  return buffer(await saved.createReadStream());
}

/** A picture into the folder that SHOTS names; nothing without it. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
