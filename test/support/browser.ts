import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { buildConsole, HAS_CHROMIUM, openChromium } from '../../scripts/chromium.ts';
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
      buildConsole();
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
  #contexts: BrowserContext[] = [];
  readonly #sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();

  async start(platform: Platform, makeBooks: (platform: Platform) => Promise<Books>): Promise<void> {
    this.platform = platform;
    this.address = platform.address('console');
    this.#browser = (await openChromium())!;
    this.books = await makeBooks(platform);
  }

  async open(
    path: string,
    { as = ADMIN, theme = 'light', width = 1440, height = 900 }: PageOptions = {},
  ): Promise<Page> {
    const session = as === null ? undefined : await this.#sessionOf(as);
    const context = await this.#newContext({ colorScheme: theme, viewport: { width, height }, storageState: session });
    const page = await context.newPage();
    // Sooner than the test's own limit, so that what was waited for is named.
    page.setDefaultTimeout(PATIENCE);
    this.#watch(page);
    const calm = calmOf(page);
    await page.goto(`${this.address}${path}`);
    await calm();
    return page;
  }

  takeFaults(): string[] {
    return this.#faults.splice(0);
  }

  async endTest(): Promise<void> {
    const contexts = this.#contexts.splice(0);
    await Promise.all(contexts.map((context) => context.close()));
    expect(this.takeFaults()).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.platform?.stop();
  }

  async #sessionOf(user: { username: string; password: string }) {
    const known = this.#sessions.get(user.username);
    if (known !== undefined) return known;
    const context = await this.#newContext({});
    const page = await context.newPage();
    await page.goto(`${this.address}/icon-of-nothing`);
    const status = await page.evaluate(async (credentials) => {
      const body = JSON.stringify(credentials);
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/api/console/session', { method: 'POST', headers, body })).status;
    }, user);
    expect(status).toBe(201);
    const session = await context.storageState();
    this.#sessions.set(user.username, session);
    return session;
  }

  async #newContext(options: NonNullable<Parameters<Browser['newContext']>[0]>): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...options });
    this.#contexts.push(context);
    return context;
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

/**
 * Waits until everything that the page asks for has come and is drawn, and what is asked for because of that as well: a
 * screen is complete, its keys and its buttons act. A stream of events never ends and is not waited for.
 */
function calmOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  const end = (request: Request) => underWay.delete(request);
  page.on('request', (request) => {
    if (!request.headers().accept?.includes('text/event-stream')) underWay.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    do {
      await eventually(() => underWay.size).toBe(0);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    } while (underWay.size > 0);
  };
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No finding of axe on the page as it stands, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const findings = await page.evaluate(async (tags) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
    }, RULES);
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

/** A picture into the folder that SHOTS names; nothing without it. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
