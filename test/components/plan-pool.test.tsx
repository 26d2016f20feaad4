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
  await dashboard.user.click(dashboard.region.getByRole('button', { name: `Edit ${name}` }));
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
    await sheet.findByText('Enter a whole number.');
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

const seconds = { id: 'ast_1', code: 'gpu_seconds', name: 'GPU seconds', symbol: 's', decimals: 3 };

const metered = { ...credits, consumptionModel: 'metered', prices: [price], pools: [] };

const pool = {
  asset: 'gpu_seconds',
  includedPerWindow: 90_500,
  onEmpty: 'overdraw',
  overdraftRate: '0.02',
  rollover: null,
};

describe('pools of custom units', () => {
  it('are added with an amount in the unit and the price of an overdraft', async () => {
    const { user, sent } = await openDashboard('/plans/pln_1', { plan: metered, assets: [seconds] });
    await user.click(await screen.findByRole('button', { name: 'Add pool' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Add pool' }));
    await user.type(await sheet.findByRole('textbox', { name: /^Included amount/ }), '90.5');
    await user.click(sheet.getByRole('radio', { name: /Allow overdraft/ }));
    const save = sheet.getByRole('button', { name: 'Add pool' });
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.type(sheet.getByRole('textbox', { name: /^Price per unit below zero/ }), '0.02');
    await user.click(save);
    expect(sent).toEqual([
      {
        name: 'planPoolSet',
        input: {
          planId: 'pln_1',
          asset: 'gpu_seconds',
          includedPerWindow: 90_500,
          onEmpty: 'overdraw',
          overdraftRate: '0.02',
          rollover: null,
        },
      },
    ]);
  });

  it('are shown in the unit and removed after a confirmation', async () => {
    const { user, sent } = await openDashboard('/plans/pln_1', {
      plan: { ...metered, pools: [pool] },
      assets: [seconds],
    });
    await screen.findByText('90.5 s');
    await user.click(screen.getByRole('button', { name: 'Edit GPU seconds' }));
    await user.click(await screen.findByRole('button', { name: 'Remove pool' }));
    const dialog = await screen.findByRole('alertdialog', {
      name: 'Remove the pool GPU seconds from the plan?',
    });
    await user.click(within(dialog).getByRole('button', { name: 'Remove pool' }));
    expect(sent).toEqual([{ name: 'planPoolRemove', input: { planId: 'pln_1', asset: 'gpu_seconds' } }]);
  });
});

const terms = {
  id: 'plf_1',
  enabled: true,
  includedAmount: 100,
  pricingMode: 'fixed',
  overage: { enabled: true, unitPrice: 20 },
  feature: { id: 'ftr_1', code: 'calls', name: 'Calls', type: 'usage' },
};

const saved = {
  id: 'rcd_1',
  name: 'API prices',
  cells: [
    {
      when: { model: ['large'] },
      rate: { model: 'per_unit', per: 1, tiers: [{ upTo: null, amount: '0.012', flat: '0' }] },
    },
  ],
};

/** Opens the terms of the feature Calls. */
async function openFeature() {
  const dashboard = await openDashboard('/plans/pln_1', {
    plan: { ...metered, pools: [pool], featureTerms: [terms], features: [{ code: 'calls' }] },
    assets: [seconds],
    rateCards: { nodes: [saved] },
  });
  const { user } = dashboard;
  await user.click(await screen.findByText('Calls', { selector: 'table *' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Calls' }));
  const choose = async (label: RegExp, option: string) => {
    await user.click(await sheet.findByRole('button', { name: label }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const save = async () => {
    await user.click(sheet.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('button', { name: 'Review changes' }));
    await user.click(await screen.findByRole('button', { name: /^Save \d/ }));
  };
  return { ...dashboard, sheet, choose, save };
}

describe("a feature's settlement and rate card", () => {
  it('deducts usage from a pool with an amount per unit', async () => {
    const { sent, choose, save } = await openFeature();
    await choose(/Settlement/, 'Deducted from GPU seconds');
    await save();
    expect(sent).toEqual([
      {
        name: 'planFeatureUpdate',
        input: {
          planId: 'pln_1',
          featureId: 'ftr_1',
          settle: { pool: 'gpu_seconds' },
          creditsPerUnit: 1,
        },
      },
    ]);
  });

  it('refers to a saved rate card', async () => {
    const { sent, sheet, choose, save } = await openFeature();
    await choose(/Pricing model/, 'Prices by dimension');
    await sheet.findByText('$0.012 per unit');
    await save();
    expect(sent).toEqual([
      {
        name: 'planFeatureRateSet',
        input: { planId: 'pln_1', featureId: 'ftr_1', rateCardId: 'rcd_1' },
      },
    ]);
  });

  it('invoices the usage of a feature that is added to a metered plan with a pool', async () => {
    const calls = { id: 'ftr_2', code: 'calls', name: 'API calls', type: 'usage' };
    const plan = {
      ...credits,
      prices: [{ ...price, includedBalance: null }],
      pools: [{ asset: 'gpu_seconds', includedPerWindow: 0, onEmpty: 'reject', rollover: null }],
      featureTerms: [],
    };
    const { user, sent } = await openDashboard('/plans/pln_1', { plan, features: { nodes: [calls] } });
    await user.click(await screen.findByRole('button', { name: 'Add feature' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Add feature' }));
    await user.click(await sheet.findByRole('button', { name: /Feature/ }));
    await user.click(await screen.findByRole('option', { name: /API calls/ }));
    const terms = within(await screen.findByRole('dialog', { name: 'API calls' }));
    expect(terms.getByRole('button', { name: /Settlement/ }).textContent).toContain('Billed on the invoice');
    await user.click(terms.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('button', { name: 'Review changes' }));
    await user.click(await screen.findByRole('button', { name: /^Save \d/ }));
    expect(sent).toEqual([
      {
        name: 'planFeatureAdd',
        input: expect.objectContaining({ featureId: 'ftr_2', settle: { pool: null } }),
      },
    ]);
    expect(sent[0]?.input).not.toHaveProperty('creditsPerUnit');
  });
});
