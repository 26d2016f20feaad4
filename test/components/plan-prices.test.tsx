import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type OpenDashboard, openDashboard } from './support/dashboard.tsx';
import { Rejection, type Results } from './support/network.ts';

const feature = { id: 'ftr_1', code: 'calls', name: 'API calls', type: 'usage', unitName: 'call' };

const planWith = (terms: object, plan: object) => ({
  id: 'pln_1',
  name: 'Pro',
  code: 'pro',
  consumptionModel: 'balance',
  isPublic: true,
  ...plan,
  prices: [{ id: 'prc_1', price: 4_900, billingInterval: 'monthly', isDefault: true }],
  featureTerms: [
    {
      id: 'plf_1',
      enabled: true,
      pricingMode: 'fixed',
      overage: { enabled: false, unitPrice: 0 },
      feature,
      ...terms,
    },
  ],
});

async function openFeature(terms: object, results: Results = {}, plan: object = {}): Promise<OpenDashboard> {
  const dashboard = await openDashboard('/plans/pln_1', { plan: planWith(terms, plan), ...results });
  const table = await screen.findByRole('region', { name: 'Features' });
  await dashboard.user.click(await within(table).findByRole('link', { name: 'API calls' }));
  await screen.findByRole('dialog', { name: 'API calls' });
  return dashboard;
}

async function select({ user }: OpenDashboard, label: RegExp, option: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
}

async function enter({ user }: OpenDashboard, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.type(field, text);
  await user.tab();
}

async function saveChanges({ user, sent }: OpenDashboard, count: number): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await user.click(await screen.findByRole('button', { name: 'Review changes' }));
  await user.click(await screen.findByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(sent).toHaveLength(count));
}

const perUnit = (amount: string) => ({
  model: 'per_unit',
  per: 1,
  tiers: [{ upTo: null, amount, flat: '0' }],
});

const derivedRate = {
  marginBps: 2_000,
  modifiers: [{ when: { mode: ['batch', 'flex, slow'], region: ['eu'] }, factorBps: 5_000 }],
};

const place = { planId: 'pln_1', featureId: 'ftr_1' };

describe('a rate that is derived from the cost', () => {
  it('is shown with its margin and its modifiers, and keeps conditions whose values contain separators', async () => {
    const dashboard = await openFeature({ derivedRate }, { planFeatureCost: { rate: perUnit('0.01') } });
    const condition = screen.getByLabelText('Condition, modifier 1');
    expect(condition).toHaveProperty('value', 'mode = batch, "flex, slow"; region = eu');
    expect(screen.getByRole('textbox', { name: /^Factor, modifier 1/ })).toHaveProperty('value', '50');
    await enter(dashboard, screen.getByRole('textbox', { name: /^Margin on the cost/ }), '25.5');
    await saveChanges(dashboard, 1);
    expect(dashboard.sent).toEqual([
      {
        name: 'planFeatureRateSet',
        input: { ...place, rate: { from: 'cost', ...derivedRate, marginBps: 2_550 } },
      },
    ]);
  });

  it('is set after the cost', async () => {
    const dashboard = await openFeature({ overage: { enabled: false, unitPrice: 200 } });
    await select(dashboard, /Pricing model/, 'Cost plus margin');
    screen.getByText('A price derived from the cost requires a cost.');
    await select(dashboard, /Cost$/, 'Price per number of units');
    await enter(dashboard, screen.getByRole('textbox', { name: 'Price' }), '0.004');
    await enter(dashboard, screen.getByRole('textbox', { name: /^Margin on the cost/ }), '30');
    await dashboard.user.click(screen.getByRole('button', { name: 'Add modifier' }));
    await enter(dashboard, screen.getByLabelText('Condition, modifier 1'), 'mode');
    await screen.findByText(/^Enter from 1 to 3 properties/);
    await enter(dashboard, screen.getByLabelText('Condition, modifier 1'), 'mode = batch');
    await enter(dashboard, screen.getByRole('textbox', { name: /^Factor, modifier 1/ }), '50');
    await saveChanges(dashboard, 2);
    expect(dashboard.sent).toEqual([
      { name: 'planFeatureCostSet', input: { ...place, rate: perUnit('0.004') } },
      {
        name: 'planFeatureRateSet',
        input: {
          ...place,
          rate: {
            from: 'cost',
            marginBps: 3_000,
            modifiers: [{ when: { mode: ['batch'] }, factorBps: 5_000 }],
          },
        },
      },
    ]);
  });

  it('is replaced with a price per unit before the cost is removed', async () => {
    const dashboard = await openFeature({ derivedRate }, { planFeatureCost: { rate: perUnit('0.01') } });
    await select(dashboard, /Pricing model/, 'Price per unit');
    await enter(dashboard, screen.getByLabelText('Overage price per unit'), '0.02');
    await select(dashboard, /Cost$/, 'No cost');
    await saveChanges(dashboard, 2);
    expect(dashboard.sent).toEqual([
      { name: 'planFeatureUpdate', input: { ...place, overage: { unitPrice: 200 } } },
      { name: 'planFeatureCostSet', input: { ...place, rate: null } },
    ]);
  });

  it('can have modifiers for AI model prices, and keeps the margin if they are removed', async () => {
    const terms = { pricingMode: 'ai_model', margin: 2_000, derivedRate };
    const dashboard = await openFeature(terms);
    expect(screen.queryByRole('button', { name: /Cost$/ })).toBeNull();
    await dashboard.user.click(screen.getByRole('button', { name: 'Remove modifier 1' }));
    await saveChanges(dashboard, 1);
    expect(dashboard.sent).toEqual([
      {
        name: 'planFeatureRateSet',
        input: { ...place, rate: { from: 'cost', marginBps: 2_000, modifiers: [] } },
      },
    ]);
  });
});

describe('the cost of a feature', () => {
  it('is a rate or the prices of AI models, and does not change the price', async () => {
    const dashboard = await openFeature(
      { overage: { enabled: true, unitPrice: 200 } },
      {},
      { consumptionModel: 'metered' },
    );
    expect(screen.queryByRole('textbox', { name: /^Margin/ })).toBeNull();
    await select(dashboard, /Cost$/, 'AI model prices');
    await saveChanges(dashboard, 1);
    expect(dashboard.sent).toEqual([
      { name: 'planFeatureCostSet', input: { ...place, rate: { from: 'ai_models' } } },
    ]);
  });

  it('is hidden without the permission for financial data', async () => {
    let reads = 0;
    const planFeatureCost = () => {
      reads += 1;
      return new Rejection('forbidden', 'The key lacks the scope finance.');
    };
    await openFeature({ derivedRate }, { planFeatureCost });
    await waitFor(() => expect(reads).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    screen.getByRole('textbox', { name: /^Margin on the cost/ });
    expect(screen.queryByRole('button', { name: /Cost$/ })).toBeNull();
  });
});

describe('the rates of a feature in markets and currencies', () => {
  const tiers = [
    { upTo: '1000', amount: '0.02', flat: '0' },
    { upTo: null, amount: '0.015', flat: '0' },
  ];
  const rate = { model: 'graduated', per: 1, tiers };
  const inReais = tiers.map((tier) => ({ ...tier, amount: '0.1' }));
  const override = { ...rate, currency: 'brl', marketId: null, tiers: inReais };
  const around = {
    markets: { nodes: [{ id: 'mkt_1', name: 'India', countryCodes: ['IN'] }] },
    currencies: ['usd', 'brl', 'inr'].map((code) => ({ code, decimals: 2 })),
  };
  const metered = { consumptionModel: 'metered' };
  const terms = (overrides: readonly object[] | null) => ({
    overage: { enabled: true, unitPrice: 200 },
    rate: { ...rate, overrides },
  });

  it('are added with the tiers of the rate', async () => {
    const dashboard = await openFeature(terms(null), around, metered);
    await select(dashboard, /Market$/, 'India');
    await dashboard.user.click(screen.getByRole('combobox', { name: 'Currency' }));
    await dashboard.user.click(await screen.findByRole('option', { name: 'INR' }));
    await dashboard.user.click(screen.getByRole('button', { name: 'Add market or currency' }));
    const table = screen.getByRole('region', { name: 'Tiers in India, INR' });
    within(table).getByText('1,000');
    await enter(dashboard, within(table).getByLabelText('Price, tier 2'), '0.9');
    await saveChanges(dashboard, 1);
    expect(dashboard.sent).toEqual([
      {
        name: 'planFeatureRateSet',
        input: {
          ...place,
          rate: {
            ...rate,
            overrides: [
              {
                ...rate,
                marketId: 'mkt_1',
                currency: 'inr',
                tiers: [tiers[0], { ...tiers[1], amount: '0.9' }],
              },
            ],
          },
        },
      },
    ]);
  });

  it('follow the bounds of the rate', async () => {
    const dashboard = await openFeature(terms([override]), around, metered);
    await enter(dashboard, screen.getByLabelText('Up to, tier 1'), '500');
    within(screen.getByRole('region', { name: 'Tiers in BRL' })).getByText('500');
    await saveChanges(dashboard, 1);
    expect(dashboard.sent).toMatchObject([
      {
        name: 'planFeatureRateSet',
        input: {
          rate: {
            tiers: [{ upTo: '500', amount: '0.02' }, { upTo: null }],
            overrides: [{ currency: 'brl', tiers: [{ upTo: '500', amount: '0.1' }, { amount: '0.1' }] }],
          },
        },
      },
    ]);
  });

  it('are removed with an empty list', async () => {
    const dashboard = await openFeature(terms([override]), around, metered);
    await dashboard.user.click(screen.getByRole('button', { name: 'Remove price in BRL' }));
    await saveChanges(dashboard, 1);
    expect(dashboard.sent).toEqual([
      { name: 'planFeatureRateSet', input: { ...place, rate: { ...rate, overrides: [] } } },
    ]);
  });
});
