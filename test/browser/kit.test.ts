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

describe.skipIf(browserPath === null)('the kit in a browser', () => {
  beforeAll(async () => {
    [browser, kit] = await Promise.all([openBrowser(), openKitPages()]);
  });
  afterAll(() => Promise.all([browser.close(), kit.close()]));

  const complaints: string[] = [];

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, ...options });
    complaints.length = 0;
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() !== 'log' && complaints.push(message.text()));
    await page.goto(`${kit.url}?page=${name}`);
    await page.locator('h1').first().waitFor();
    return page;
  }

  /** What axe-core finds, as rules with the elements they are about. */
  async function barriers(page: Page): Promise<string[]> {
    const before = [...complaints];
    await page.evaluate(`${axe};undefined`);
    const { violations } = (await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} })`)) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    // It measures by styles of its own, which the policy stops.
    complaints.splice(0, complaints.length, ...before);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const sizes = { desktop: {}, phone };
  const cases = ['parts', 'more', 'charts', 'lists'].flatMap((name) =>
    (['desktop', 'phone'] as const).map((size) => [name, size] as const),
  );

  it.each(cases)('has no barriers and no complaints: %s, %s', async (name, size) => {
    const page = await open(name, { ...sizes[size], colorScheme: 'light' });
    await page.waitForTimeout(300);
    expect(await barriers(page)).toEqual([]);
    // Without motion, so that no color is measured on its way.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.close();
  });

  it.each([
    ['Open dialog', 'Invite a member'],
    ['Open confirmation', 'Delete the plan Scale?'],
    ['Open sheet', 'Ada Lovelace'],
  ])('opens and closes by keyboard: %s', async (button, title) => {
    const page = await open('parts');
    await page.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    const surface = page.locator('[role=dialog], [role=alertdialog]');
    await surface.getByRole('heading', { name: title }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await surface.waitFor({ state: 'detached' });
    // The focus goes back a moment later.
    await page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
    await page.close();
  });

  it('asks for the name before what cannot be undone', async () => {
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

  it('keeps errors with their fields and the first one focused', async () => {
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

  it('reads amounts in the digits of their currency', async () => {
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
