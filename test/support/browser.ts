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
import { isIdle, openProfile, type Profile } from './profiles.ts';

/**
 * Path of Chromium or Chrome on this machine. Prefers the headless shell, which needs less than half the CPU time. `null` if no browser is
 * installed.
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

let opened: Promise<Browser> | null = null;

async function launch(): Promise<Browser> {
  if (browserPath === null) throw new Error('There is no browser.');
  const browser = await chromium.launch({ executablePath: browserPath, args: flags });
  browser.close = async () => {
    await Promise.all(
      browser
        .contexts()
        .filter((context) => !isIdle(context))
        .map((context) => context.close()),
    );
  };
  return browser;
}

/**
 * Returns the browser of the Vitest worker, whose test files run one after another. `close` closes the profiles that tests still use, and the
 * browser ends with the worker.
 */
export async function openBrowser(): Promise<Browser> {
  const last = await opened;
  if (last?.isConnected() === true) return last;
  opened = launch();
  return opened;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
};

/** Waits for the page's heading and for animations to end. Colors have no stable contrast during a transition. */
async function animationsEnded(page: Page): Promise<void> {
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

/** axe-core rules that also run in dark mode. Other rules don't depend on colors. */
const colorRules = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Runs axe-core in a page without animations. Returns the violated rules with the affected elements. */
async function analyze(page: Page, options: Record<string, unknown>): Promise<string[]> {
  await animationsEnded(page);
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${axe};undefined`);
  // Ignores live regions, which keep announcements for several seconds after the announced element is removed.
  const { violations } = (await page.evaluate(
    `axe.run({ exclude: [['[data-live-announcer]']] }, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
      .then(({ violations }) => ({ violations }))`,
  )) as AxeResult;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}

/** Returns the current page's accessibility violations. */
export const violationsOf = (page: Page): Promise<string[]> => analyze(page, {});

/**
 * Returns a page's accessibility violations in light mode. If the page follows the system setting, also returns its color violations in
 * dark mode.
 */
export async function colorSchemeViolationsOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await analyze(page, colorRules);
  return [...light.map((found) => `light ${found}`), ...dark.map((found) => `dark ${found}`)];
}

/** Returns the amount in minor units and the status of each of a customer's charges, from oldest to newest. */
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

/** Disables transitions, which are slow to render without a GPU. Animation tests turn them on. */
export const still = { reducedMotion: 'reduce' } as const;

export const phone = { viewport: { width: 390, height: 664 } } as const;

/**
 * Simulated failure of a browser request. A `lost` request never reaches the server. An `unanswered` request is executed, but its response
 * is dropped.
 */
export type RequestFailure = 'lost' | 'unanswered';

/** Visitor who has a page open in a separate browser profile. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors from scripts, the content security policy, and the console. */
  readonly browserErrors: string[];

  readonly close: () => Promise<void>;

  private constructor({ context, page, close }: Profile) {
    this.context = context;
    this.page = page;
    this.close = close;
    this.browserErrors = [];
    page.on('pageerror', (error) => this.browserErrors.push(String(error)));
    page.on('console', (message) => {
      // Ignores the console errors that the browser logs for requests that the test blocks.
      const isStopped = /^Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
      if (message.type() === 'error' && !isStopped) this.browserErrors.push(message.text());
    });
  }

  /** Opens a page in a browser profile without cookies. `options` can set a different viewport. */
  static async open(
    browser: Browser,
    address: string,
    options: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const profile = await openProfile(browser, {
      viewport: { width: 1_000, height: 900 },
      ...still,
      ...options,
    });
    return Visitor.at(profile, address);
  }

  /** Opens another window in the same browser context. */
  static async in(context: BrowserContext, address: string): Promise<Visitor> {
    context.setDefaultTimeout(30_000);
    return Visitor.at({ context, page: await context.newPage(), close: () => context.close() }, address);
  }

  private static async at(profile: Profile, address: string): Promise<Visitor> {
    const visitor = new Visitor(profile);
    await visitor.page.goto(address);
    await visitor.page.locator('#status:not(:text("Loading …"))').waitFor({ state: 'attached' });
    return visitor;
  }

  /** Fills in the card form. */
  async typeCard(number: string): Promise<void> {
    await this.page.fill('#number', number);
    await this.page.fill('#expiry', '12/99');
    await this.page.fill('#cvc', '123');
  }

  /** Returns the visible alert's text. `null` if no alert is visible. */
  async alert(): Promise<string | null> {
    const alert = this.page.locator('#alert');
    return (await alert.isVisible()) ? alert.textContent() : null;
  }

  /** Returns the text of the page's status element. */
  status = (): Promise<string | null> => this.page.locator('#status').textContent();

  /** Waits until the page is no longer marked as busy. */
  async settled(): Promise<void> {
    await this.page.locator('body:not([aria-busy="true"])').waitFor();
  }

  /**
   * Makes the next `times` requests for a mutation fail. Returns the idempotency keys of all requests for the mutation, including later
   * requests.
   */
  async failRequests(operation: string, failure: RequestFailure, times = 1): Promise<(string | undefined)[]> {
    const keys: (string | undefined)[] = [];
    let left = times;
    await this.page.route('**/graphql', async (route: Route, request: Request) => {
      if (!(request.postData() ?? '').includes(`mutation ${operation}(`)) return route.fallback();
      keys.push(request.headers()['idempotency-key']);
      if (left-- <= 0) return route.continue();
      if (failure === 'unanswered') await route.fetch();
      return route.abort('failed');
    });
    return keys;
  }

  /** Returns the ID of the focused element. */
  focused = (): Promise<string> => this.page.evaluate(() => document.activeElement?.id ?? '');

  /** True if an element is completely inside the viewport. */
  async isOnScreen(selector: string): Promise<boolean> {
    const [box, size] = [await this.page.locator(selector).boundingBox(), this.page.viewportSize()];
    return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height;
  }

  /** Returns the current page's accessibility violations in light and dark mode, with the affected elements. */
  async accessibilityViolations(): Promise<string[]> {
    const before = this.browserErrors.length;
    const found = await colorSchemeViolationsOf(this.page);
    // axe-core injects styles that the content security policy blocks. Ignores the resulting errors.
    this.browserErrors.length = before;
    return found;
  }
}
