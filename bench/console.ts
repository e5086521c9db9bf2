import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { buildConsole, openChromium } from '../scripts/chromium.ts';
import { type Branch, branchOnCosif, fillMonth, leavesOf, openMonth, settle } from './support/books.ts';
import { type Figure, type Measured, median } from './support/figure.ts';
import type { Installation } from './support/installation.ts';
import { signedInPage } from './support/signed-in-page.ts';

const ROUNDS = 5;
const LEDGER_LINES = 100_000;
/** A line of each account, so that the trial balance shows all of them. */
const LINES_OF_ALL = 20_000;

/** What an accountant waits for in the browser: Chromium on this machine, over the running program. */
export const consoleScreens: Figure = async (installation) => {
  buildConsole();
  const browser = await openChromium();
  if (browser === undefined) throw new Error('no Chromium is installed');
  try {
    const { branch, account } = await fillBooks(installation);
    return [
      ...(await coldStart(browser, installation, branch)),
      ...(await openingAll(browser, installation, branch)),
      ...(await longLedger(browser, installation, branch, account)),
      await typing(browser, installation, branch),
    ];
  } finally {
    await browser.close();
  }
};

async function fillBooks(installation: Installation): Promise<{ branch: Branch; account: number }> {
  const branch = await branchOnCosif(installation);
  const leaves = await leavesOf(installation, 'COSIF');
  await fillMonth(installation, branch, 1, LINES_OF_ALL, leaves);
  await openMonth(installation, branch, 2);
  // Every entry has a line on each of the two.
  await fillMonth(installation, branch, 2, 2 * LEDGER_LINES, leaves.slice(0, 2));
  await settle(installation);
  return { branch, account: leaves[0]!.id };
}

const FIRST_ROW = '.grid-body [role=row] .amount';

/** A browser that has nothing yet: bytes of script, and the time until amounts stand there. */
async function coldStart(browser: Browser, installation: Installation, branch: Branch): Promise<Measured[]> {
  const address = placeOf(installation, branch, 'balancete');
  const seconds: number[] = [];
  let scripts = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const page = await signedInPage(browser, installation);
    // What the sign-in has fetched does not count.
    await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) bodies.push(response.body());
    });
    const began = performance.now();
    await page.goto(address);
    await page.locator(FIRST_ROW).first().waitFor();
    seconds.push((performance.now() - began) / 1000);
    scripts = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    await page.context().close();
  }
  return [
    {
      name: 'JavaScript of the first page, the trial balance, by gzip',
      against: 'its limit',
      detail: 'all files that the browser asked for',
      value: scripts / 1024,
      unit: 'KB',
      atMost: 250,
    },
    {
      name: 'trial balance on the screen, by a browser that has nothing yet',
      against: 'its limit',
      detail: `COSIF chart; slowest of ${ROUNDS} ${Math.max(...seconds).toFixed(2)} s`,
      value: median(seconds),
      unit: 's',
      atMost: 1,
    },
  ];
}

/** `*`: every account of the chart at once. */
async function openingAll(browser: Browser, installation: Installation, branch: Branch): Promise<Measured[]> {
  const page = await signedInPage(browser, installation);
  await page.goto(placeOf(installation, branch, 'balancete'));
  await page.locator(FIRST_ROW).first().waitFor();
  const grid = page.locator('.grid').first();
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await grid.focus();
    await page.keyboard.press('-');
    await page.waitForTimeout(200);
    await grid.evaluate(watchNextKey);
    await page.keyboard.press('*');
    times.push(await grid.evaluate((element) => element.untilPaint));
    rows = await page.locator('.grid-body [role=row]').count();
  }
  const all = Number(await grid.getAttribute('aria-rowcount')) - 1;
  await page.context().close();
  return [
    {
      name: `${all.toLocaleString('en')} accounts opened at once, from the key to the paint`,
      against: 'its limit',
      detail: `${rows} rows in the page; slowest of ${ROUNDS} ${Math.max(...times).toFixed(0)} ms`,
      value: median(times) / 1000,
      unit: 's',
      atMost: 0.05,
    },
  ];
}

async function longLedger(
  browser: Browser,
  installation: Installation,
  branch: Branch,
  account: number,
): Promise<Measured[]> {
  const page = await signedInPage(browser, installation);
  await page.goto(placeOf(installation, branch, 'balancete'));
  await page.locator(FIRST_ROW).first().waitFor();
  const first = await secondsInPage(page, async () => {
    await page.locator('html').evaluate(
      (html, to) => {
        const view = html.ownerDocument.defaultView;
        view.history.pushState({}, '', to);
        view.dispatchEvent(new view.PopStateEvent('popstate'));
      },
      `${new URL(placeOf(installation, branch, 'razao')).pathname}?conta=${account}`,
    );
    await page.locator('.grid[aria-rowcount]').first().waitFor();
    await rowsInSight(page);
  });
  const jumps: number[] = [];
  for (const part of [0.5, 0.9, 0.2, 0.7, 0.35]) {
    jumps.push(
      await secondsInPage(page, async () => {
        await page
          .locator('.grid')
          .first()
          .evaluate((grid, to) => {
            grid.scrollTop = grid.scrollHeight * to;
          }, part);
        await rowsInSight(page);
      }),
    );
  }
  const frames = await scrolledFrames(page);
  await page.context().close();
  const name = `ledger of ${LEDGER_LINES.toLocaleString('en')} lines`;
  return [
    {
      name: `${name}: first rows`,
      against: 'its limit',
      detail: 'from another screen',
      value: first,
      unit: 's',
      atMost: 0.4,
    },
    {
      name: `${name}: rows of any day`,
      against: 'its limit',
      detail: `slowest of ${jumps.length} ${Math.max(...jumps).toFixed(2)} s`,
      value: median(jumps),
      unit: 's',
      atMost: 0.4,
    },
    {
      name: `${name}: 95 of 100 frames while it scrolls`,
      against: 'its limit',
      detail: `${frames.length} frames, half of them within ${median(frames).toFixed(0)} ms`,
      value: frames.toSorted((one, other) => one - other)[Math.floor(frames.length * 0.95)]! / 1000,
      unit: 's',
      atMost: 0.033,
    },
  ];
}

const TYPED = 'deposito a vista de pessoas naturais residentes no pais';
const KEYS_A_SECOND = 20;

/** The search looks through the whole chart with each key. */
async function typing(browser: Browser, installation: Installation, branch: Branch): Promise<Measured> {
  const page = await signedInPage(browser, installation);
  await page.goto(placeOf(installation, branch, 'balancete'));
  await page.locator(FIRST_ROW).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(TYPED, { delay: 1000 / KEYS_A_SECOND });
  const kept = await page.getByRole('combobox', { name: /Conta, mês/ }).inputValue();
  await page.context().close();
  return {
    name: `keys lost of ${TYPED.length} typed into the search at ${KEYS_A_SECOND} a second`,
    against: 'none',
    detail: `“${kept}”`,
    value: kept === TYPED ? 0 : Math.max(1, TYPED.length - kept.length),
    unit: 'ratio',
    atMost: 0,
  };
}

function placeOf(installation: Installation, { company, branch }: Branch, screen: string): string {
  return `${installation.address('console')}/${company}/${branch}/2026-02/${screen}`;
}

async function secondsInPage(page: Page, work: () => Promise<void>): Promise<number> {
  const clock = () => page.evaluate(() => performance.now());
  const began = await clock();
  await work();
  return ((await clock()) - began) / 1000;
}

/** Rows have come, and none in sight is still waited for. */
async function rowsInSight(page: Page): Promise<void> {
  await page
    .locator('.grid')
    .first()
    .evaluate(
      (grid) =>
        new Promise<void>((resolve) => {
          const look = () => {
            const isThere = grid.querySelector('.grid-body [role=row] .amount') && !grid.querySelector('.grid-waiting');
            if (isThere) resolve();
            else grid.ownerDocument.defaultView.requestAnimationFrame(look);
          };
          look();
        }),
    );
}

/** `untilPaint` of the grid: milliseconds from the next key to the end of the frame that shows what it did. */
function watchNextKey(grid: Watched): void {
  const { requestAnimationFrame } = grid.ownerDocument.defaultView;
  grid.untilPaint = new Promise((resolve) => {
    const listener = ({ timeStamp }: { timeStamp: number }) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)));
    };
    grid.addEventListener('keydown', listener, { once: true, capture: true });
  });
}

interface Watched {
  untilPaint?: Promise<number>;
  readonly ownerDocument: { readonly defaultView: { requestAnimationFrame(then: () => void): void } };
  addEventListener(type: string, listener: (event: { timeStamp: number }) => void, options: object): void;
}

const SCROLLED_MS = 3_000;

/** Milliseconds of each frame while the table scrolls by three rows a frame. */
function scrolledFrames(page: Page): Promise<number[]> {
  return page
    .locator('.grid')
    .first()
    .evaluate(
      (grid, duration) =>
        new Promise<number[]>((resolve) => {
          const { requestAnimationFrame } = grid.ownerDocument.defaultView;
          const frames: number[] = [];
          const began = performance.now();
          let last: number | undefined;
          const step = (now: number) => {
            if (last !== undefined) frames.push(now - last);
            last = now;
            grid.scrollTop += 78;
            if (performance.now() - began < duration) requestAnimationFrame(step);
            else resolve(frames);
          };
          requestAnimationFrame(step);
        }),
      SCROLLED_MS,
    );
}
