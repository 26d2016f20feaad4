import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { attachFeature, createFeature, createPricedPlan, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

/** Folder for screenshots. No screenshots are taken if it isn't set. */
const folder = process.env['SCREENSHOTS'];

describe.skipIf(browserPath === null)('rates in the plan editor', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('sets a graduated rate, and shows its tiers in the pricing card', async () => {
    const shop = firstShop(t);
    const { id } = await createPricedPlan(shop);
    const feature = await createFeature(shop, 'usage');
    await attachFeature(shop, id, feature.id, {
      includedAmount: 1_000,
      overage: { enabled: true, unitPrice: 200 },
    });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    const shot = async (name: string, of: Locator): Promise<void> => {
      if (folder !== undefined) await of.screenshot({ path: `${folder}/${name}.png` });
    };
    await member.open(`/plans/${id}`);
    await page.getByRole('table').getByText(feature.name, { exact: true }).click();
    const terms = page.getByRole('dialog', { name: feature.name });
    await terms.getByRole('button', { name: /Pricing model/ }).click();
    await page.getByRole('option', { name: 'Graduated' }).click();
    await terms.getByRole('button', { name: 'Add tier' }).click();
    await terms.getByLabel('Price, tier 2').fill('0.015');
    await terms.getByRole('cell', { name: '1,000 × $0.02 + 1,000 × $0.015' }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await shot('editor', page.locator('body'));
    await terms.getByRole('button', { name: 'Done' }).click();
    const card = page.getByRole('region', { name: `Prices of ${feature.name}` });
    await card.getByRole('row', { name: '1,001+ $0.015' }).waitFor();
    await shot('card', page.locator('body'));
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('dialog', { name: 'Review changes' });
    await review.getByText('→ Graduated, 2 tiers').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await shot('review', page.locator('body'));
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await review.waitFor({ state: 'hidden' });
    const { plan } = await t.graphql<{ plan: object }>(
      'query ($id: ID!) { plan(id: $id) { featureTerms { rate { model tiers { upTo amount } } } } }',
      { id },
    );
    expect(plan).toEqual({
      featureTerms: [
        {
          rate: {
            model: 'graduated',
            tiers: [
              { upTo: '1000', amount: '0.02' },
              { upTo: null, amount: '0.015' },
            ],
          },
        },
      ],
    });
    await card.getByRole('row', { name: '1,001+ $0.015' }).waitFor();
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});
