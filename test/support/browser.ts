import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import type { Shop } from './factories.ts';

// A real browser on the pages of a real server.

/**
 * Where Chromium or Chrome is installed on this machine, the shell without windows first: it computes less than half for the same page. Null where
 * none is.
 */
export const browserPath: string | null = (() => {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  const files = ['chromium-headless-shell', 'chromium', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  const isUsable = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return files.find(isUsable) ?? null;
})();

if (browserPath === null)
  console.warn('Neither Chromium nor Chrome is installed: the journeys in a browser are skipped.');

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('There is no browser.');
  return chromium.launch({ executablePath: browserPath, args: flags });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
};

/** Waits until a page has its heading and nothing on it fades or moves: a color halfway to another has no contrast yet. */
async function standsStill(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
}

/** What is looked for again where only the colors have changed. */
const colorRules = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Runs axe-core in a page that stands still, and answers what it finds, each with the elements it is about. */
async function analyze(page: Page, options: Record<string, unknown>): Promise<string[]> {
  await standsStill(page);
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${axe};undefined`);
  // What is read out stays in a region of its own for seconds, also when what it names has left the page.
  const { violations } = (await page.evaluate(
    `axe.run({ exclude: [['[data-live-announcer]']] }, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
      .then(({ violations }) => ({ violations }))`,
  )) as AxeResult;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}

/** What axe-core finds against a page as it stands. */
export const violationsOf = (page: Page): Promise<string[]> => analyze(page, {});

/** What axe-core finds against a page in light, and by its colors in dark, where it follows the system. */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await analyze(page, colorRules);
  return [...light.map((found) => `light ${found}`), ...dark.map((found) => `dark ${found}`)];
}

/** What was tried to be collected from a customer, the oldest first: the amount in minor units, and how it ended. */
export async function chargesOf(
  { t, environmentId }: Shop,
  customerId: string,
): Promise<[amount: number, status: string][]> {
  const rows = await t.app.database.query<{ amountMinor: bigint; status: string }>(
    'SELECT "amountMinor", status FROM "Transaction" WHERE "environmentId" = $1 AND "customerId" = $2 ORDER BY seq',
    [environmentId, customerId],
  );
  return rows.map(({ amountMinor, status }) => [Number(amountMinor), status]);
}

/** Without transitions, which a software renderer draws at the cost of all else; what measures or looks at motion asks for it. */
export const still = { reducedMotion: 'reduce' } as const;

/** The size of a small phone. */
export const phone = { viewport: { width: 390, height: 664 } } as const;

/** What becomes of a request of a page: it never leaves, or is answered without the answer getting through. */
export type Fate = 'lost' | 'unanswered';

/** A person at a page, in a profile of its own. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained about: errors of scripts, of the content policy and of the console. */
  readonly complaints: string[];

  private constructor(ctx: BrowserContext, page: Page, complaints: string[]) {
    this.context = ctx;
    this.page = page;
    this.complaints = complaints;
  }

  /** Opens a page; in the size of a small phone where asked to. */
  static async open(
    browser: Browser,
    address: string,
    options: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const ctx = await browser.newContext({ viewport: { width: 1_000, height: 900 }, ...still, ...options });
    return Visitor.in(ctx, address);
  }

  /** Opens another window of a person. */
  static async in(ctx: BrowserContext, address: string): Promise<Visitor> {
    ctx.setDefaultTimeout(30_000);
    const page = await ctx.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // A request that a test has stopped is no mistake of the page.
      const isStopped = /^Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
      if (message.type() === 'error' && !isStopped) complaints.push(message.text());
    });
    await page.goto(address);
    await page.locator('#status:not(:text("Loading …"))').waitFor({ state: 'attached' });
    return new Visitor(ctx, page, complaints);
  }

  /** Types in a card. */
  async typeCard(number: string): Promise<void> {
    await this.page.fill('#number', number);
    await this.page.fill('#expiry', '12/99');
    await this.page.fill('#cvc', '123');
  }

  /** The text of the alert that is shown; null without one. */
  async alert(): Promise<string | null> {
    const alert = this.page.locator('#alert');
    return (await alert.isVisible()) ? alert.textContent() : null;
  }

  /** How things stand, as the page says it. */
  status = (): Promise<string | null> => this.page.locator('#status').textContent();

  /** Waits until the page does nothing any more. */
  async settled(): Promise<void> {
    await this.page.locator('body:not([aria-busy="true"])').waitFor();
  }

  /** Lets operations of a name meet a fate, as often as told; answers the keys they were sent with, to which later ones are added. */
  async meet(operation: string, fate: Fate, times = 1): Promise<(string | undefined)[]> {
    const keys: (string | undefined)[] = [];
    let left = times;
    await this.page.route('**/graphql', async (route: Route, request: Request) => {
      if (!(request.postData() ?? '').includes(`mutation ${operation}(`)) return route.fallback();
      keys.push(request.headers()['idempotency-key']);
      if (left-- <= 0) return route.continue();
      if (fate === 'unanswered') await route.fetch();
      return route.abort('failed');
    });
    return keys;
  }

  /** The id of the element that has the focus. */
  focused = (): Promise<string> => this.page.evaluate(() => document.activeElement?.id ?? '');

  /** Whether an element lies on the screen as it is scrolled. */
  async isOnScreen(selector: string): Promise<boolean> {
    const [box, size] = [await this.page.locator(selector).boundingBox(), this.page.viewportSize()];
    return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height;
  }

  /** What axe-core finds against the page as it stands, in light and in dark, each with the elements it is about. */
  async barriers(): Promise<string[]> {
    const before = this.complaints.length;
    const found = await barriersOf(this.page);
    // It measures by styles of its own, which the content policy of the page stops.
    this.complaints.length = before;
    return found;
  }

  close = (): Promise<void> => this.context.close();
}
