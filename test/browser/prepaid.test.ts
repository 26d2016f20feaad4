import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, Visitor } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createPricedPlan,
  firstShop,
  openPortal,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
let shop: Shop;

/** Folder for screenshots. No screenshots are taken if it isn't set. */
const folder = process.env['SCREENSHOTS'];

/** Takes a screenshot in both themes, and at the width of a phone. */
async function shots(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${folder}/${name}-phone.png` });
  await page.setViewportSize({ width: 1_280, height: 900 });
}

describe.skipIf(browserPath === null)('prepaid units and rate cards in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('deducts usage from a pool of a custom unit, priced by a rate card', async () => {
    const { id } = await createPricedPlan(shop);
    const feature = await createFeature(shop, 'usage');
    await attachFeature(shop, id, feature.id, { includedAmount: 100 });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;

    await member.open('/assets');
    await page.getByRole('button', { name: 'New unit' }).first().click();
    const unit = page.getByRole('dialog', { name: 'New unit' });
    await unit.getByLabel('Name').fill('GPU seconds');
    await unit.getByLabel('Symbol').fill('GPU s');
    await unit.getByRole('textbox', { name: /^Decimal places/ }).fill('3');
    expect(await member.accessibilityViolations()).toEqual([]);
    await shots(page, 'asset');
    await unit.getByRole('button', { name: 'Create unit' }).click();
    await page.getByRole('link', { name: 'GPU seconds' }).waitFor();
    await shots(page, 'assets');

    await member.open(`/features?open=${feature.id}`);
    await page.getByRole('button', { name: 'Change meter' }).click();
    const meter = page.getByRole('dialog', { name: `Meter of ${feature.name}` });
    await meter.getByRole('button', { name: 'Add dimension' }).click();
    await meter.getByLabel('Property').last().fill('gpu');
    await shots(page, 'meter');
    await meter.getByRole('button', { name: 'Save changes' }).click();
    await meter.waitFor({ state: 'hidden' });

    await member.open('/rate-cards');
    await page.getByRole('button', { name: 'New rate card' }).first().click();
    const made = page.getByRole('dialog', { name: 'New rate card' });
    await made.getByLabel('Name').fill('GPU prices');
    await made.getByLabel('Condition, row 1').fill('gpu = h100, h200');
    await made.getByRole('button', { name: /^Change the price of row 1/ }).click();
    await made.getByLabel('Price', { exact: true }).fill('2.5');
    await made.getByText('Price for all other usage').click();
    await made.getByLabel('Price', { exact: true }).last().fill('1');
    expect(await member.accessibilityViolations()).toEqual([]);
    await shots(page, 'card');
    await made.getByRole('button', { name: 'Create rate card' }).click();
    await page.getByRole('link', { name: 'GPU prices' }).waitFor();
    await shots(page, 'cards');

    await member.open(`/plans/${id}`);
    await page.getByRole('button', { name: 'Add pool' }).click();
    const pool = page.getByRole('dialog', { name: 'Add pool' });
    await pool.getByRole('button', { name: /Unit/ }).click();
    await page.getByRole('option', { name: 'GPU seconds' }).click();
    await pool.getByLabel('Included amount').fill('500.5');
    expect(await member.accessibilityViolations()).toEqual([]);
    await shots(page, 'pool');
    await pool.getByRole('button', { name: 'Add pool' }).click();
    await page.getByText('500.5 GPU s').waitFor();

    await page.getByRole('table').getByText(feature.name, { exact: true }).click();
    const terms = page.getByRole('dialog', { name: feature.name });
    await terms.getByRole('button', { name: /Settlement/ }).click();
    await page.getByRole('option', { name: 'Deducted from GPU seconds' }).click();
    await terms.getByRole('button', { name: /Pricing model/ }).click();
    await page.getByRole('option', { name: 'Prices by dimension' }).click();
    await terms.getByRole('cell', { name: 'gpu = h100, h200' }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await shots(page, 'terms');
    await terms.getByRole('button', { name: 'Done' }).click();
    await shots(page, 'plan');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('dialog', { name: 'Review changes' });
    await shots(page, 'review');
    await review.getByRole('button', { name: /^Save \d/ }).click();
    await review.waitFor({ state: 'hidden' });
    const { plan } = await t.graphql<{ plan: object }>(
      'query ($id: ID!) { plan(id: $id) { pools { asset includedPerWindow } featureTerms { settle { pool } rateCard { cells { when } } } } }',
      { id },
    );
    expect(plan).toEqual({
      pools: [{ asset: 'gpu_seconds', includedPerWindow: 500_500 }],
      featureTerms: [
        { settle: { pool: 'gpu_seconds' }, rateCard: { cells: [{ when: { gpu: ['h100', 'h200'] } }] } },
      ],
    });

    await member.open('/metrics?view=margin');
    await page.getByText('No usage with a price or a cost in this period').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await shots(page, 'margin');
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('sells packs of a custom unit in the portal, with amounts in the decimals of the unit', async () => {
    const asset = 'build_minutes';
    await shop.rest('POST', '/assets', { code: asset, name: 'Build minutes', symbol: 'min', decimals: 2 });
    const { id: planId } = await createPricedPlan(shop);
    await attachFeature(shop, planId, (await createFeature(shop, 'usage')).id, { includedAmount: 100 });
    await shop.rest('PUT', `/plans/${planId}/pools/${asset}`, { includedPerWindow: 50_050 });
    await shop.rest('POST', '/credit-packs', { name: 'Builds', asset, credits: 12_525, price: 2_500 });
    const { id: customerId } = await createCustomer(shop);
    const { token } = await subscribeTo(shop, customerId, planId);
    await pay(shop, token ?? '');
    const visitor = await Visitor.open(
      browser,
      `${t.url}/portal/${await openPortal(shop, customerId)}/credits`,
    );
    const { page } = visitor;
    await page.getByText('500.5 min left').waitFor();
    const pack = page.getByRole('listitem').filter({ hasText: 'Builds' });
    expect(await pack.textContent()).toBe('Builds125.25 min for $25.00Buy');
    await pack.getByRole('button').click();
    await page.getByRole('heading', { name: 'Buy 125.25 min?' }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.click('#ask-confirm');
    await page.getByText('625.75 min left').waitFor();
    await page.getByText('125.25 min was added.').waitFor();
    await shots(page, 'portal-units');
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });
});
