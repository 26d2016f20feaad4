import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  createActiveSubscription,
  createOffer,
  nameRetentionOffer,
  off,
  openPortal,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

describe.skipIf(browserPath === null)('the retention offer in the portal', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  /** Creates an organization with cancellation reasons and a retention offer of 50% off for two periods. */
  async function shopWithOffer(): Promise<Shop> {
    const shop = await otherShop(t);
    await t.settings({ portal: { cancelReasons: ['Too expensive'] } }, shop.environmentId);
    const { id } = await createOffer(shop, [off.percent(5_000, 2)], { name: 'Half off' });
    await nameRetentionOffer(shop, id);
    return shop;
  }
  const open = async (shop: Shop, customerId: string, search = '', options = {}): Promise<Visitor> => {
    const visitor = await Visitor.open(
      browser,
      `${t.url}/portal/${await openPortal(shop, customerId)}/cancel${search}`,
      options,
    );
    await visitor.page.locator('#confirmation-text:not(:empty)').waitFor();
    return visitor;
  };
  type Subscription = {
    cancellation: { reason: string } | null;
    offerApplications: { source: string; status: string }[];
    events: { nodes: { summary: string }[] };
  };
  const read = async (shop: Shop, id: string): Promise<Subscription> =>
    (
      await t.graphql<{ subscription: Subscription }>(
        'query ($id: ID!) { subscription(id: $id) { cancellation { reason } offerApplications { source status } events(first: 1) { nodes { summary } } } }',
        { id },
        { key: shop.key },
      )
    ).subscription;

  it('appears after the customer submits a reason, shows the next payments, and can be accepted by keyboard', async () => {
    const shop = await shopWithOffer();
    const { id, customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId);
    const { page } = visitor;
    await page.getByLabel('Too expensive').focus();
    await page.keyboard.press('Space');
    await page.locator('#cancel-confirm').focus();
    await page.keyboard.press('Enter');
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await page.locator('#ask-title').textContent()).toBe('Stay and save $49.00');
    expect(await page.locator('#ask-text').textContent()).toMatch(
      /^Half off: you save \$49\.00 on your next 2 payments\. From \w{3} \d+, \d{4}, you pay the regular price\.$/,
    );
    const rows = await page.locator('#ask-dialog tbody tr').allTextContents();
    expect(rows.map((row) => row.replace(/^\w{3} \d+, \d{4}/, ''))).toEqual(['$24.50$49.00', '$24.50$49.00']);
    expect(await page.locator('#losses').textContent()).toMatch(/^If you cancel: You keep access until /);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    // Escape returns to the form and keeps the selected reason.
    await page.keyboard.press('Escape');
    await page.locator('#ask-dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Too expensive').isChecked()).toBe(true);
    await page.locator('#cancel-confirm').focus();
    await page.keyboard.press('Enter');
    await page.locator('#ask-dialog[open]').waitFor();
    await page.locator('#ask-confirm').focus();
    await page.keyboard.press('Enter');
    await page.locator('.status.done').waitFor();
    expect(await visitor.status()).toBe(
      'Your subscription continues. The offer applies from your next payment.',
    );
    expect(await read(shop, id)).toEqual({
      cancellation: null,
      offerApplications: [{ source: 'retention', status: 'applied' }],
      events: {
        nodes: [
          {
            summary:
              'The customer accepted the retention offer Half off instead of canceling (cancellation reason: Too expensive).',
          },
        ],
      },
    });
    await page.click('#back-to-plan');
    await page.locator('#next-text:has-text("$24.50")').waitFor();
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('can be declined, is shown again for the scheduled cancellation, and updates every window when accepted', async () => {
    const shop = await shopWithOffer();
    const { id, customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId, '?locale=es', phone);
    const other = await open(shop, customerId);
    const { page } = visitor;
    await page.getByLabel('Too expensive').check();
    await page.click('#cancel-confirm');
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await page.locator('#ask-title').textContent()).toMatch(/^Quédate y ahorra 49,00\sUS\$$/);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.click('#ask-otherwise');
    await page.locator('#offer').waitFor();
    expect((await read(shop, id)).cancellation?.reason).toBe('Too expensive');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    // The other window also shows the change.
    await other.page.locator('#stay').waitFor();
    await other.page.locator('#undo').waitFor();
    expect(await other.page.locator('#offer-text').textContent()).toContain(
      "Your subscription won't be canceled.",
    );
    await page.click('#stay');
    await page.locator('#back-to-plan').waitFor();
    await other.page.locator('#cancel-confirm').waitFor();
    expect(await read(shop, id)).toMatchObject({
      cancellation: null,
      offerApplications: [{ source: 'retention', status: 'applied' }],
    });
    // The offer isn't shown a second time.
    await other.page.locator('#cancel-confirm:not([disabled])').click();
    await other.page.locator('#undo').waitFor();
    expect(await other.page.locator('#offer').count()).toBe(0);
    await other.page.click('#undo');
    await other.page.locator('#ask-dialog[open]').waitFor();
    await other.page.click('#ask-confirm');
    await other.page.locator('#cancel-confirm').waitFor();
    expect([...visitor.browserErrors, ...other.browserErrors]).toEqual([]);
    await visitor.close();
    await other.close();
  });

  it('shows an error if the offer changed before it was accepted', async () => {
    const shop = await shopWithOffer();
    const { id, customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId);
    const { page } = visitor;
    await page.click('#cancel-confirm');
    await page.locator('#ask-dialog[open]').waitFor();
    await nameRetentionOffer(shop, (await createOffer(shop, [off.percent(1_000, 1)])).id);
    await page.click('#ask-confirm');
    await page.locator('#cancel-confirm:not([disabled])').waitFor();
    expect(await visitor.alert()).toBe('This offer is no longer available. Check the current offer.');
    expect((await read(shop, id)).offerApplications).toEqual([]);
    await page.click('#cancel-confirm');
    await page.locator('#ask-title:text("Stay and save $4.90")').waitFor();
    await visitor.close();
  });
});
