import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';
import { createPlan, createPrice, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

/**
 * Describes the problem with the focused element: none is focused, or it's off-screen, covered, or has no focus indicator. `null` if
 * there's no problem.
 */
const problemOfFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return 'lost';
    const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 40)}`;
    // The visible element isn't the focused one if a label draws the control or a list marks an active option.
    const marked = focused.getAttribute('aria-activedescendant');
    const option = marked === null ? null : document.getElementById(marked);
    const label = focused.closest('label');
    const drawn = label ?? focused;
    const { x, y, width, height } = drawn.getBoundingClientRect();
    const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
    const [right, bottom] = [Math.min(x + width, innerWidth), Math.min(y + height, innerHeight)];
    if (right <= left || bottom <= top) return `out of sight: ${name}`;
    const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (onTop === null || !(drawn.contains(onTop) || onTop.contains(drawn))) return `covered: ${name}`;
    const isMarked = (element: Element): boolean => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
    };
    const around = [focused, focused.parentElement, focused.parentElement?.parentElement, option, label];
    const seen = [
      ...around,
      ...(label?.querySelectorAll('*') ?? []),
      ...focused.querySelectorAll('[data-active]'),
    ];
    // The caret shows the focus of a text field.
    if (focused.matches('textarea, input:not([type="checkbox"], [type="radio"])')) return null;
    // Headings receive the focus after navigation for screen readers. They aren't interactive, so they need
    // no indicator.
    if (/^H[1-6]$|^MAIN$/.test(focused.tagName)) return null;
    return seen.some((element) => element != null && isMarked(element)) ? null : `not marked: ${name}`;
  });

/** Presses keys in order, and expects a visible focus indicator after each. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await expect.poll(() => problemOfFocus(page), { message: `After ${key}` }).toBeNull();
  }
}

/** Role, if explicit, and accessible name of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const named = (element?.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.innerText ?? '')
      .join(' ')
      .trim();
    const written =
      element?.getAttribute('aria-label') ?? element?.labels?.[0]?.innerText ?? element?.innerText;
    return `${element?.role ?? ''} ${named === '' ? written : named}`.trim();
  });

/** Presses Tab until a button or link with this name has focus. */
async function tabTo(page: Page, name: RegExp, most = 60): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    await press(page, 'Tab');
    if (name.test(await focused(page))) return;
  }
  throw new Error(`No Tab of ${most} leads to ${name}, but to ${await focused(page)}.`);
}

describe.skipIf(browserPath === null)('the dashboard operated by keyboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    const shop = firstShop(t);
    const plan = await createPlan(shop, { name: 'Team' });
    await createPrice(shop, plan.id);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('creates a customer and a subscription from the command palette, and navigates back', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/');
    const isLoaded = () =>
      page.waitForFunction(() => document.querySelector('[role="dialog"] input') !== null);
    await press(page, 'Control+k');
    await isLoaded();
    await page.keyboard.type('custom');
    await page.getByRole('menuitem', { name: /^Customers/ }).waitFor();
    await press(page, 'Enter');
    // The URL changes before the page renders, but key presses apply to the rendered page. Wait for the page.
    await page.waitForURL(/\/customers$/);
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await member.settled();
    await press(page, 'n');
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    await tabTo(page, /^Email/);
    await page.keyboard.type('emmy@example.com');
    await tabTo(page, /^Name/);
    await page.keyboard.type('Emmy Noether');
    await press(page, 'Control+Enter');
    await page.waitForURL(/\/customers\/cus_/);
    const customer = page.url();
    await member.settled();
    await press(page, 'Control+k');
    await isLoaded();
    await page.keyboard.type('subscriptions');
    await page.getByRole('menuitem', { name: /^Subscriptions/ }).waitFor();
    await press(page, 'Enter');
    await page.waitForURL(/\/subscriptions$/);
    await page.getByRole('heading', { name: 'Subscriptions', level: 1 }).waitFor();
    await member.settled();
    await press(page, 'n');
    await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('emmy');
    await page.getByRole('option', { name: /Emmy Noether/ }).waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await tabTo(page, /Plan/);
    await press(page, 'Enter');
    await page.getByRole('listbox').getByRole('option', { name: /Team/ }).waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await page.getByRole('button', { name: /^Create subscription \(\$49\.00/ }).waitFor();
    await press(page, 'Control+Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Open link' }).waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, /^grid Subscriptions/);
    await press(page, 'ArrowDown', 'Enter');
    await page.waitForURL(/\/subscriptions\/sub_/);
    await member.settled();
    expect(await member.heading()).toContain('Team');
    // Each browser has its own keys for going back, so navigate back directly.
    await page.goBack();
    await page.waitForURL(/\/subscriptions(?:\?|$)/);
    await member.settled();
    await expect.poll(() => problemOfFocus(page)).toBeNull();
    await press(page, 'Control+k');
    await isLoaded();
    await page.keyboard.type('emmy');
    await page.getByRole('menuitem', { name: /^Emmy Noether/ }).waitFor();
    await press(page, 'Enter');
    await page.waitForURL(customer);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it.each(['/', '/customers', '/settings/organization', '/account'])(
    'moves the focus to the content, through the page in order, and out of the page: %s',
    async (path) => {
      const member = await DashboardMember.signIn(t, browser);
      const { page } = member;
      await member.open(path);
      await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
        getSelection()?.removeAllRanges();
      });
      await press(page, 'Tab');
      expect(await focused(page)).toBe('Skip to content');
      await press(page, 'Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
      await press(page, 'Shift+Tab');
      const isAfter = await page.evaluateHandle(() => {
        const before = { element: document.activeElement };
        return () => {
          const [last, now] = [before.element, document.activeElement];
          before.element = now;
          if (last === null || now === null || now === document.body) return false;
          return (last.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
        };
      });
      const isNext = () => page.evaluate((check) => check(), isAfter);
      let stops = 0;
      await page.evaluate(() => document.querySelector<HTMLElement>('a[href="#content"]')?.focus());
      await isNext();
      for (; stops < 150; stops += 1) {
        await page.keyboard.press('Tab');
        if (!(await isNext())) break;
        // The focus indicator appears shortly after the focus moves.
        await expect.poll(() => problemOfFocus(page)).toBeNull();
      }
      // After the last element, the focus leaves the page and returns to its start.
      expect(stops).toBeGreaterThan(10);
      expect(stops).toBeLessThan(150);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to content');
      expect(member.browserErrors).toEqual([]);
      await member.close();
    },
  );

  it('accepts letters as shortcuts, except in fields or if shortcuts are turned off', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    const dialog = page.getByRole('dialog');
    await member.open('/customers');
    await press(page, '/');
    const search = page.getByRole('searchbox').and(page.locator(':focus'));
    await search.waitFor();
    await page.keyboard.type('gsn?[`');
    expect([await search.inputValue(), await dialog.count(), new URL(page.url()).pathname]).toEqual([
      'gsn?[`',
      0,
      '/dashboard/sandbox/customers',
    ]);
    await member.open('/customers');
    await press(page, 'Tab', '?');
    await dialog.waitFor();
    const rows = await dialog.getByRole('row').allInnerTexts();
    const keys = pageRoutes.flatMap(([, { shortcut }]) => (shortcut === undefined ? [] : [shortcut]));
    for (const key of keys) expect(rows.some((row) => new RegExp(`^g\\s*${key}\\s`).test(row))).toBe(true);
    await tabTo(page, /Single-letter|letter/i);
    await press(page, 'Space', 'Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const key of ['?', 'n', 'g', 's', '`', '[']) await page.keyboard.press(key);
    await page.waitForTimeout(200);
    expect([await dialog.count(), new URL(page.url()).pathname, new URL(page.url()).search]).toEqual([
      0,
      '/dashboard/sandbox/customers',
      '',
    ]);
    await page.reload();
    await member.settled();
    await page.keyboard.press('?');
    await page.waitForTimeout(200);
    expect(await dialog.count()).toBe(0);
    await press(page, 'Control+k');
    await dialog.waitFor();
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});
