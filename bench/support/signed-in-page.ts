import type { Browser, Page } from 'playwright-core';
import type { Installation } from './installation.ts';

/** A page of the administrator, signed in, with nothing in its cache. */
export async function signedInPage(browser: Browser, installation: Installation): Promise<Page> {
  const address = installation.address('console');
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${address}/icon-of-nothing`);
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/api/console/session', { method: 'POST', headers, body })).status;
  }, JSON.stringify(installation.administrator));
  if (status !== 201) throw new Error(`sign-in answered ${status}`);
  return page;
}
