import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const price = { id: 'prc_1', price: 4_900, billingInterval: 'monthly', isDefault: true };

const yearly = { id: 'prc_2', price: 49_000, billingInterval: 'yearly' };

const credits = {
  id: 'pln_1',
  name: 'Pro',
  code: 'pro',
  consumptionModel: 'credits',
  prices: [
    { ...price, includedCredits: 1_000 },
    { ...yearly, includedCredits: 1_000 },
  ],
  pools: [{ asset: 'credits', onEmpty: 'reject', rollover: null }],
};

const balance = {
  ...credits,
  consumptionModel: 'balance',
  prices: [{ ...price, includedBalance: 100_000 }],
  pools: [{ asset: 'usd', onEmpty: 'reject', rollover: { windows: 2, cap: 250_000 } }],
};

/** Opens a plan's page. */
async function openPlan(plan: object, name: string) {
  const dashboard = await openDashboard('/plans/pln_1', { plan });
  const heading = await screen.findByRole('heading', { name });
  const region = within(heading.closest('section') as HTMLElement);
  return { ...dashboard, region };
}

/** Opens the form of a plan's credits or balance. */
async function openPool(plan: object, name: string) {
  const dashboard = await openPlan(plan, name);
  await dashboard.user.click(dashboard.region.getByRole('button', { name: 'Edit' }));
  const sheet = within(await screen.findByRole('dialog', { name }));
  return { ...dashboard, sheet, save: sheet.getByRole('button', { name: 'Save changes' }) };
}

const field = (sheet: ReturnType<typeof within>, name: RegExp) =>
  sheet.getByRole('textbox', { name }) as HTMLInputElement;

describe("a plan's credits", () => {
  it('are shown with their included amount and rollover', async () => {
    const { region } = await openPlan(credits, 'Credits');
    expect(region.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '1,000',
      'Reject usage',
      'Unused amounts expire',
    ]);
  });

  it('roll over without a change of the included amount', async () => {
    const { user, sheet, save, sent } = await openPool(credits, 'Credits');
    expect(field(sheet, /^Included credits/).value).toBe('1000');
    expect(sheet.queryByRole('radio')).toBeNull();
    await user.click(sheet.getByRole('switch', { name: /Roll over/ }));
    await user.clear(field(sheet, /^Usage windows/));
    await user.type(field(sheet, /^Usage windows/), '3');
    await user.type(field(sheet, /^Maximum/), '2000');
    await user.click(save);
    await screen.findByText('Changes saved');
    expect(sent).toEqual([
      {
        name: 'planPoolSet',
        input: { planId: 'pln_1', asset: 'credits', rollover: { windows: 3, cap: 2_000 } },
      },
    ]);
  });

  it('are set for all prices if the prices include different amounts', async () => {
    const prices = [
      { ...price, includedCredits: 1_000 },
      { ...yearly, includedCredits: 1_500 },
    ];
    const { user, region, sheet, save, sent } = await openPool({ ...credits, prices }, 'Credits');
    region.getByText('Depends on the price');
    await user.type(field(sheet, /^Included credits/), '1.5');
    expect(save.hasAttribute('disabled')).toBe(true);
    await sheet.findByText('Enter a whole number of credits.');
    await user.clear(field(sheet, /^Included credits/));
    await user.type(field(sheet, /^Included credits/), '2000');
    await user.click(save);
    expect(sent).toEqual([
      {
        name: 'planPoolSet',
        input: { planId: 'pln_1', asset: 'credits', includedPerWindow: 2_000, rollover: null },
      },
    ]);
  });
});

describe("a plan's balance", () => {
  it('is shown in US dollars', async () => {
    const { region } = await openPlan(balance, 'Balance');
    expect(region.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '$10.00',
      'Reject usage',
      'For 2 usage windows',
      '$25.00',
    ]);
  });

  it('can be overdrawn, and can keep unused amounts forever', async () => {
    const { user, sheet, save, sent } = await openPool(balance, 'Balance');
    await user.click(sheet.getByRole('radio', { name: /Allow overdraft/ }));
    await user.clear(field(sheet, /^Included balance/));
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.type(field(sheet, /^Included balance/), '12.5');
    await user.clear(field(sheet, /^Usage windows/));
    await user.clear(field(sheet, /^Maximum/));
    await user.click(save);
    await screen.findByText('Changes saved');
    expect(sent).toEqual([
      {
        name: 'planPoolSet',
        input: {
          planId: 'pln_1',
          asset: 'usd',
          includedPerWindow: 125_000,
          onEmpty: 'overdraw',
          rollover: { windows: null, cap: null },
        },
      },
    ]);
  });
});

describe('a metered plan', () => {
  it('has neither credits nor a balance', async () => {
    await openDashboard('/plans/pln_1', { plan: { ...credits, consumptionModel: 'metered', pools: [] } });
    await screen.findByRole('heading', { name: 'Prices' });
    expect(screen.queryByRole('heading', { name: /Credits|Balance/ })).toBeNull();
  });
});
