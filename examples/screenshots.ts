import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { parseConfig } from '../src/platform/config.ts';
import { type Running, start } from '../src/start.ts';

// `npm run screenshots` creates the dashboard screenshots for the README in light and dark mode. Starts an instance with the example shop.

const folder = path.resolve(import.meta.dirname, '../docs/images');
const browserPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const apiKey = `ck_sandbox_${randomBytes(24).toString('base64url')}`;
const password = randomBytes(12).toString('base64url');

async function ask<Data>(url: string, query: string): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

/** Loads the example shop into the sandbox and waits until it is complete. */
async function fill(url: string): Promise<void> {
  await ask(url, 'mutation { sandboxExampleLoad(input: { size: small }) { id } }');
  for (;;) {
    const { exampleRuns } = await ask<{ exampleRuns: { nodes: { status: string }[] } }>(
      url,
      '{ exampleRuns(first: 1) { nodes { status } } }',
    );
    const status = exampleRuns.nodes[0]?.status;
    if (status === 'completed') return;
    if (status === 'failed') throw new Error("The example shop couldn't be loaded.");
    await rest(500);
  }
}

/** Creates the owner's account with the claim link that the first start printed. */
async function claim(browser: Browser, { created, url }: Running) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(created?.claim.url ?? url);
  await page.getByLabel('Your name').first().fill('Ada Byron');
  await page.getByLabel('Email address').first().fill('ada@example.com');
  await page
    .getByLabel(/Password/)
    .first()
    .fill(password);
  await page.getByRole('button', { name: /Create account/ }).click();
  await page
    .getByRole('link', { name: /dashboard/i })
    .first()
    .waitFor();
  return context.storageState();
}

const base = (url: string, place: string): string => `${url}/dashboard/sandbox${place}`;

/** Opens the first object in a list. */
const openFirst = (list: string) => async (page: Page, url: string) => {
  await page.goto(base(url, list));
  await page.getByRole('grid').getByRole('row').nth(2).click();
  await page.waitForURL(`**${list}/*`);
};

const at = (place: string) => async (page: Page, url: string) => {
  await page.goto(base(url, place));
};

const views = {
  home: at(''),
  customer: async (page: Page, url: string) => {
    const { customers } = await ask<{ customers: { nodes: { id: string }[] } }>(
      url,
      '{ customers(first: 1, filter: { subscriptionStatuses: [active] }) { nodes { id } } }',
    );
    await page.goto(base(url, `/customers/${customers.nodes[0]?.id ?? ''}`));
  },
  plan: async (page: Page, url: string) => {
    const { plan } = await ask<{ plan: { id: string } }>(url, '{ plan(id: "pro") { id } }');
    await page.goto(base(url, `/plans/${plan.id}`));
  },
  'time-machine': at('/time-machine'),
  invoice: openFirst('/invoices'),
};

const running = await start(
  parseConfig({
    PORT: '0',
    DATA_DIR: 'memory:',
    BOOTSTRAP_API_KEY: apiKey,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
  }),
);
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
try {
  await mkdir(folder, { recursive: true });
  await fill(running.url);
  const storageState = await claim(browser, running);
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      storageState,
      colorScheme,
      viewport: { width: 1_280, height: 800 },
    });
    const page = await context.newPage();
    for (const [name, open] of Object.entries(views)) {
      await open(page, running.url);
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await rest(1_500);
      await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
      console.log(`docs/images/${name}-${colorScheme}.png`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await running.close();
}
