import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { openKitPages } from '../support/kit-page.ts';

let browser: Browser;
let kit: Awaited<ReturnType<typeof openKitPages>>;

describe.skipIf(browserPath === null)('a grid of 100,000 rows in the browser', () => {
  beforeAll(async () => {
    [browser, kit] = await Promise.all([openBrowser(), openKitPages()]);
  });
  afterAll(() => Promise.all([browser.close(), kit.close()]));

  async function open(): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    await page.goto(`${kit.url}?page=lists`);
    await page.getByText('ada0@example.com').waitFor();
    return page;
  }
  const grid = (page: Page) => page.getByRole('grid');
  /** Text of the cell with keyboard focus. */
  const active = (page: Page) =>
    page.evaluate(() => {
      const id = document.querySelector('[role=grid]')?.getAttribute('aria-activedescendant');
      return id ? (document.getElementById(id)?.textContent ?? null) : null;
    });
  const rowsDrawn = (page: Page) => page.locator('[role=row][aria-rowindex]').count();

  it('reports the total row count, and renders fewer than 60 rows', async () => {
    const page = await open();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('100001');
    expect(await rowsDrawn(page)).toBeLessThan(60);
    expect(await page.locator('*').count()).toBeLessThan(1_500);
    await page.close();
  });

  it('moves to any row with the keyboard', async () => {
    const page = await open();
    await grid(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('j');
    expect(await active(page)).toBe('grace1@example.com');
    await page.keyboard.press('Control+End');
    await page
      .getByText('edsger99999@example.com')
      .or(page.getByText('@example.com').last())
      .first()
      .waitFor();
    await page.waitForFunction(() =>
      document.querySelector('[aria-rowindex="100001"]')?.textContent?.includes('99999@example.com'),
    );
    await page.keyboard.press('Home');
    expect(await active(page)).toBe('Katherine Johnson');
    await page.keyboard.press('Control+Home');
    await page.waitForFunction(() => document.querySelector('[aria-rowindex="2"]') !== null);
    expect(await active(page)).toBe('Ada Lovelace');
    await page.keyboard.press('ArrowUp');
    expect(await active(page)).toBe('Name');
    expect(await rowsDrawn(page)).toBeLessThan(60);
    await page.close();
  });

  it('loads rows in the middle when the user scrolls there', async () => {
    const page = await open();
    await grid(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
    await page.waitForFunction(() => /\D50\d{3}@example\.com/.test(document.body.textContent ?? ''));
    expect(await rowsDrawn(page)).toBeLessThan(60);
    await page.close();
  });

  it('selects rows with the X and Shift keys, and clears the selection with a button', async () => {
    const page = await open();
    await grid(page).focus();
    await page.keyboard.press('Escape');
    const selected = () => page.locator('[role=row][aria-selected=true]').count();
    expect(await selected()).toBe(0);
    await page.keyboard.press('x');
    expect(await selected()).toBe(1);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await selected()).toBe(3);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    expect(await selected()).toBe(0);
    await page.close();
  });

  it('opens a row with Enter or a click, and its menu with the keyboard', async () => {
    const page = await open();
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const opened = () => page.locator('[role=row][data-opened]').getAttribute('aria-rowindex');
    expect(await opened()).toBe('3');
    await page.getByText('Alan Turing').first().click();
    expect(await opened()).toBe('4');
    await grid(page).focus();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Open cus_2' }).waitFor();
    await page.close();
  });

  it("sorts by a column and hides a column from the column's header", async () => {
    const page = await open();
    const created = page.getByRole('columnheader', { name: 'Created' });
    expect(await created.getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('columnheader', { name: 'Name' }).click();
    expect(await created.getAttribute('aria-sort')).toBe('none');
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('checkbox', { name: 'Email' }).click({ force: true });
    await page.keyboard.press('Escape');
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Name',
      'Status',
      'MRR',
      'Created',
      'More actions',
    ]);
    await page.close();
  });

  it('filters rows, and shows a chip that describes each filter', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Status' }).click();
    await page.getByRole('dialog', { name: 'Status' }).waitFor();
    const apply = page.getByRole('button', { name: 'Apply' });
    expect(await apply.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Active' }).click({ force: true });
    await page.getByRole('checkbox', { name: 'Canceled' }).click({ force: true });
    await apply.click();
    await page.getByRole('button', { name: 'Status is Active or Canceled', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Created in the last 30 days' }).click();
    expect(await page.getByRole('button', { name: /^Created/ }).count()).toBe(0);
    await page.close();
  });
});
