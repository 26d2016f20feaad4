import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { openKitPages } from '../support/kit-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let browser: Browser;
let kit: Awaited<ReturnType<typeof openKitPages>>;

describe.skipIf(browserPath === null)('the component kit in the browser', () => {
  beforeAll(async () => {
    [browser, kit] = await Promise.all([openBrowser(), openKitPages()]);
  });
  afterAll(() => Promise.all([browser.close(), kit.close()]));

  const browserErrors: string[] = [];

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, ...options });
    browserErrors.length = 0;
    page.on('pageerror', (error) => browserErrors.push(String(error)));
    page.on('console', (message) => message.type() !== 'log' && browserErrors.push(message.text()));
    await page.goto(`${kit.url}?page=${name}`);
    await page.locator('h1').first().waitFor();
    return page;
  }

  /** Rules that axe-core reports as violated, with the affected elements. */
  async function accessibilityViolations(page: Page): Promise<string[]> {
    const before = [...browserErrors];
    await page.evaluate(`${axe};undefined`);
    const { violations } = (await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} })`)) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    // axe-core injects styles that the content security policy blocks. Ignore the resulting errors.
    browserErrors.splice(0, browserErrors.length, ...before);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const sizes = { desktop: {}, phone };
  const cases = ['parts', 'more', 'charts', 'lists'].flatMap((name) =>
    (['desktop', 'phone'] as const).map((size) => [name, size] as const),
  );

  it.each(cases)('renders without accessibility violations or errors: %s, %s', async (name, size) => {
    const page = await open(name, { ...sizes[size], colorScheme: 'light' });
    await page.waitForTimeout(300);
    expect(await accessibilityViolations(page)).toEqual([]);
    // Transitions are disabled so that colors aren't measured during a transition.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(browserErrors).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.close();
  });

  it.each([
    ['Open dialog', 'Invite a member'],
    ['Open confirmation', 'Delete the plan Scale?'],
    ['Open sheet', 'Ada Lovelace'],
  ])('opens and closes overlays by keyboard: %s', async (button, title) => {
    const page = await open('parts');
    // When the page renders the field with the error, it focuses the field. The button would lose focus.
    await page.getByRole('textbox', { name: 'Email' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    const surface = page.locator('[role=dialog], [role=alertdialog]');
    await surface.getByRole('heading', { name: title }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await surface.waitFor({ state: 'detached' });
    // The focus returns asynchronously.
    await page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
    await page.close();
  });

  it("requires the object's name before it confirms a permanent action", async () => {
    const page = await open('parts');
    await page.getByRole('button', { name: 'Open confirmation' }).click();
    const confirm = page.getByRole('button', { name: 'Delete plan' });
    expect(await confirm.isDisabled()).toBe(true);
    const name = page.getByLabel('Type Scale to confirm');
    await name.fill('scale');
    await name.press('Enter');
    expect(await confirm.isDisabled()).toBe(true);
    await name.fill('Scale');
    expect(await confirm.isDisabled()).toBe(false);
    await name.press('Enter');
    await confirm.waitFor({ state: 'detached' });
    await page.close();
  });

  it('shows errors next to their fields, and focuses the first invalid field', async () => {
    const page = await open('parts');
    const email = page.getByRole('textbox', { name: 'Email' });
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
    const described = (await email.getAttribute('aria-describedby')) ?? '';
    const texts = await page.evaluate(
      `${JSON.stringify(described.split(' '))}.map((id) => document.getElementById(id)?.textContent)`,
    );
    expect(texts).toContain('Email is already in use.');
    await page.close();
  });

  it("parses amounts with their currency's number of decimals", async () => {
    const page = await open('parts');
    const price = page.getByRole('textbox', { name: 'Price' });
    expect(await price.inputValue()).toBe('49.00');
    await price.fill('1,234.5');
    await price.blur();
    expect(await price.inputValue()).toBe('1234.50');
    await price.fill('12.345');
    await price.blur();
    expect(await price.getAttribute('aria-invalid')).toBe('true');
    expect(await price.inputValue()).toBe('12.345');
    await page.close();
  });
});
