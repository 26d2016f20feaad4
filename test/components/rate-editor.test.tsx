import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type OpenDashboard, openDashboard } from './support/dashboard.tsx';

const feature = { id: 'ftr_1', code: 'calls', name: 'API calls', type: 'usage', unitName: 'call' };

const rate = {
  model: 'graduated',
  per: 1,
  tiers: [
    { upTo: '1000', amount: '0.02', flat: '0' },
    { upTo: null, amount: '0.015', flat: '0' },
  ],
  minimum: null,
  maximum: null,
};

const planWith = (terms: object, plan: object = {}) => ({
  id: 'pln_1',
  name: 'Pro',
  code: 'pro',
  consumptionModel: 'metered',
  isPublic: true,
  ...plan,
  prices: [{ id: 'prc_1', price: 4_900, billingInterval: 'monthly', isDefault: true }],
  featureTerms: [
    {
      id: 'plf_1',
      enabled: true,
      includedAmount: 100,
      pricingMode: 'fixed',
      overage: { enabled: true, unitPrice: 200 },
      feature,
      ...terms,
    },
  ],
});

async function openFeature(terms: object, plan: object = {}): Promise<OpenDashboard> {
  const dashboard = await openDashboard('/plans/pln_1', { plan: planWith(terms, plan) });
  const table = await screen.findByRole('region', { name: 'Features' });
  await dashboard.user.click(await within(table).findByRole('link', { name: 'API calls' }));
  await screen.findByRole('dialog', { name: 'API calls' });
  return dashboard;
}

const rowsOf = (label: string): string[][] =>
  within(screen.getByRole('region', { name: label }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    );

const paste = (field: HTMLElement, text: string): void => {
  fireEvent.paste(field, { clipboardData: { getData: () => text } });
};

async function saveChanges({ user }: OpenDashboard): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await user.click(await screen.findByRole('button', { name: 'Review changes' }));
  await user.click(await screen.findByRole('button', { name: /^Save/ }));
}

describe('the rate editor', () => {
  it("shows a rate's tiers and the prices for sample quantities", async () => {
    await openFeature({ rate });
    within(screen.getByRole('dialog')).getByText('$0.02 per unit up to 1,000, $0.015 per unit from 1,001');
    expect(rowsOf('Price by number of units')).toEqual([
      ['1', '$0.02', '$0.02', '1 × $0.02'],
      ['1,000', '$20.00', '$0.02', '1,000 × $0.02'],
      ['1,001', '$20.02', '$0.02', '1,000 × $0.02 + 1 × $0.015'],
      ['2,000', '$35.00', '$0.0175', '1,000 × $0.02 + 1,000 × $0.015'],
      ['10,000', '$155.00', '$0.0155', '1,000 × $0.02 + 9,000 × $0.015'],
    ]);
  });

  it('keeps the rate if another term changes', async () => {
    const dashboard = await openFeature({ rate });
    await dashboard.user.click(screen.getByRole('switch', { name: /^Allow overage/ }));
    await saveChanges(dashboard);
    await waitFor(() => expect(dashboard.sent).not.toEqual([]));
    expect(dashboard.sent).toEqual([
      {
        name: 'planFeatureUpdate',
        input: { planId: 'pln_1', featureId: 'ftr_1', overage: { enabled: false } },
      },
    ]);
  });

  it('sets a rate from a pasted table, and asks for confirmation before discarding the rate', async () => {
    const dashboard = await openFeature({});
    const { user } = dashboard;
    await user.click(screen.getByRole('button', { name: /Pricing model/ }));
    await user.click(await screen.findByRole('option', { name: 'Volume' }));
    expect(screen.getByLabelText('Price, tier 1')).toHaveProperty('value', '0.02');
    paste(screen.getByLabelText('Up to, tier 1'), 'Up to\tPrice\tFlat fee\n1,000\t$0.02\t5\n∞\t0.000015\t');
    expect(screen.getByLabelText('Price, tier 2')).toHaveProperty('value', '0.000015');
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    await saveChanges(dashboard);
    await waitFor(() => expect(dashboard.sent).not.toEqual([]));
    expect(dashboard.sent).toEqual([
      {
        name: 'planFeatureRateSet',
        input: {
          planId: 'pln_1',
          featureId: 'ftr_1',
          rate: {
            model: 'volume',
            per: 1,
            tiers: [
              { upTo: '1000', amount: '0.02', flat: '5' },
              { upTo: null, amount: '0.000015', flat: '0' },
            ],
          },
        },
      },
    ]);
  });

  it('shows problems next to their fields, and saves only valid rates', async () => {
    const { user } = await openFeature({ rate });
    await user.click(screen.getByRole('button', { name: 'Add tier' }));
    expect(screen.getByLabelText('Up to, tier 2')).toHaveProperty('value', '10000');
    await user.clear(screen.getByLabelText('Up to, tier 2'));
    await screen.findByText('Enter the last unit of the tier.');
    await user.type(screen.getByLabelText('Up to, tier 2'), '500');
    await screen.findByText('Enter a larger number than in the previous tier.');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByRole('button', { name: 'Review changes' })).toHaveProperty('disabled', true);
    screen.getByText('Correct the rate of API calls.');
  });
});

describe('the rate editor of a meter with decimals', () => {
  const hours = { ...feature, meter: { decimals: 2 } };
  const tiers = [
    { upTo: '0.75', amount: '0.8', flat: '0' },
    { upTo: null, amount: '0.5', flat: '0' },
  ];

  it('accepts bounds with as many decimals as the meter has', async () => {
    const dashboard = await openFeature({ feature: hours, rate: { ...rate, tiers } });
    const { user } = dashboard;
    within(screen.getByRole('dialog')).getByText('$0.80 per unit up to 0.75, $0.50 per unit from 0.75');
    expect(rowsOf('Price by number of units')).toEqual([
      ['0.75', '$0.60', '$0.80', '0.75 × $0.80'],
      ['1', '$0.73', '$0.725', '0.75 × $0.80 + 0.25 × $0.50'],
      ['1.5', '$0.98', '$0.65', '0.75 × $0.80 + 0.75 × $0.50'],
      ['7.5', '$3.98', '$0.53', '0.75 × $0.80 + 6.75 × $0.50'],
    ]);
    const bound = screen.getByLabelText('Up to, tier 1');
    await user.clear(bound);
    await user.type(bound, '1.255');
    await screen.findByText('The number has too many decimals.');
    await user.type(bound, '{Backspace}');
    expect(screen.queryByText('The number has too many decimals.')).toBeNull();
    await saveChanges(dashboard);
    await waitFor(() => expect(dashboard.sent).not.toEqual([]));
    expect(dashboard.sent).toMatchObject([
      { name: 'planFeatureRateSet', input: { rate: { tiers: [{ upTo: '1.25' }, { upTo: null }] } } },
    ]);
  });

  it('rejects decimals in the bounds of a meter without decimals', async () => {
    const { user } = await openFeature({ rate });
    await user.clear(screen.getByLabelText('Up to, tier 1'));
    await user.type(screen.getByLabelText('Up to, tier 1'), '1.5');
    await screen.findByText('Enter a whole number.');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByRole('button', { name: 'Review changes' })).toHaveProperty('disabled', true);
  });

  it('accepts decimal bounds for an add-on', async () => {
    const addon = {
      id: 'adn_1',
      name: 'Extra hours',
      basePrice: 900,
      consumptionModel: 'metered',
      overageRate: 200,
      feature: hours,
      rate: { ...rate, tiers },
    };
    const dashboard = await openDashboard('/add-ons?open=adn_1', { addons: { nodes: [addon] } });
    const { user } = dashboard;
    await user.type(await screen.findByLabelText('Price, tier 2'), '5');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await waitFor(() => expect(dashboard.sent).not.toEqual([]));
    expect(dashboard.sent.at(-1)).toMatchObject({
      name: 'addonRateSet',
      input: {
        rate: {
          tiers: [
            { upTo: '0.75', amount: '0.8' },
            { upTo: null, amount: '0.55' },
          ],
        },
      },
    });
  });
});

describe('the description of a rate', () => {
  const tiers = [
    { upTo: '1000000', amount: '0', flat: '0' },
    { upTo: null, amount: '0.20', flat: '5' },
  ];

  it.each([
    [
      { model: 'per_unit', per: 1_000, tiers: [{ upTo: null, amount: '0.2', flat: '0' }] },
      '$0.20 per 1,000 units',
    ],
    [
      { model: 'graduated', per: 1_000, tiers, maximum: '50' },
      '$0.20 per 1,000 units from 1,000,001, $5.00 flat from 1,000,001, free up to 1,000,000, at most $50.00',
    ],
  ])('is a sentence as in price lists: %j', async (terms, sentence) => {
    await openFeature({ rate: { minimum: null, maximum: null, ...terms } });
    expect(screen.getByRole('dialog').textContent).toContain(sentence);
  });
});

describe('the rate editor of a credits plan', () => {
  it('shows credits instead of dollars, and sends the rate', async () => {
    const terms = { creditsPerUnit: 1, rate: { ...rate, per: 1_000 } };
    const dashboard = await openFeature(terms, { consumptionModel: 'credits' });
    const { user } = dashboard;
    expect(rowsOf('Price by number of units')[2]?.slice(0, 2)).toEqual(['1,001', '0']);
    await user.clear(screen.getByLabelText('Price, tier 2'));
    await user.type(screen.getByLabelText('Price, tier 2'), '0.5');
    await saveChanges(dashboard);
    await waitFor(() => expect(dashboard.sent).not.toEqual([]));
    expect(dashboard.sent).toMatchObject([
      {
        name: 'planFeatureRateSet',
        input: { rate: { per: 1_000, tiers: [{ amount: '0.02' }, { amount: '0.5' }] } },
      },
    ]);
  });

  it('replaces the rate with credits per unit', async () => {
    const dashboard = await openFeature({ creditsPerUnit: 1, rate }, { consumptionModel: 'credits' });
    await dashboard.user.click(screen.getByRole('button', { name: /Pricing model/ }));
    await dashboard.user.click(await screen.findByRole('option', { name: 'Price per unit' }));
    await saveChanges(dashboard);
    await waitFor(() => expect(dashboard.sent).not.toEqual([]));
    expect(dashboard.sent).toEqual([
      { name: 'planFeatureUpdate', input: { planId: 'pln_1', featureId: 'ftr_1', creditsPerUnit: 1 } },
    ]);
  });
});

describe('the rate editor of an add-on', () => {
  const addon = {
    id: 'adn_1',
    name: 'Extra calls',
    slug: 'extra-calls',
    description: '',
    basePrice: 900,
    consumptionModel: 'metered',
    includedUnits: 100,
    overageRate: 200,
    creditCost: null,
    featureCode: 'calls',
    featureName: 'API calls',
    feature,
  };

  it.each([
    [
      'keeps a rate if another value changes',
      'Name',
      { name: 'addonUpdate', input: { id: 'adn_1', name: 'Extra callss' } },
    ],
    [
      'sets a changed rate',
      'Price, tier 2',
      {
        name: 'addonRateSet',
        input: { id: 'adn_1', rate: { model: 'graduated', tiers: [{ upTo: '1000' }, { amount: '0.0155' }] } },
      },
    ],
  ])('%s', async (_what, field, expected) => {
    const dashboard = await openDashboard('/add-ons?open=adn_1', {
      addons: { nodes: [{ ...addon, rate }] },
      features: { nodes: [] },
    });
    const { user } = dashboard;
    await screen.findByRole('dialog', { name: 'Extra calls' });
    await user.type(await screen.findByLabelText(field), field === 'Name' ? 's' : '5');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await waitFor(() => expect(dashboard.sent.at(-1)).toMatchObject(expected));
    expect(dashboard.sent.filter(({ name }) => name === 'addonRateSet')).toHaveLength(
      field === 'Name' ? 0 : 1,
    );
  });
});

describe('the form of a new add-on', () => {
  it('creates the add-on and sets its tiered rate', async () => {
    const dashboard = await openDashboard('/add-ons?open=new', {
      addons: { nodes: [] },
      features: { nodes: [feature] },
      addonCreate: { id: 'adn_2' },
    });
    const { user } = dashboard;
    await user.click(await screen.findByRole('button', { name: /Feature/ }));
    await user.click(await screen.findByRole('option', { name: /^API calls/ }));
    await user.type(screen.getByLabelText('Name'), 'Calls');
    await user.type(screen.getByLabelText(/^Price/), '9');
    await user.click(screen.getByRole('radio', { name: /^Metered/ }));
    await user.click(screen.getByRole('button', { name: /Pricing model/ }));
    await user.click(await screen.findByRole('option', { name: 'Volume' }));
    paste(screen.getByLabelText('Up to, tier 1'), 'Up to\tPrice\n1,000\t0.02\n∞\t0.01');
    await user.click(screen.getByRole('button', { name: 'Create add-on' }));
    await waitFor(() => expect(dashboard.sent).toHaveLength(2));
    expect(dashboard.sent).toMatchObject([
      { name: 'addonCreate', input: { name: 'Calls', featureId: 'ftr_1', consumptionModel: 'metered' } },
      {
        name: 'addonRateSet',
        input: {
          id: 'adn_2',
          rate: { model: 'volume', tiers: [{ upTo: '1000', amount: '0.02' }, { amount: '0.01' }] },
        },
      },
    ]);
  });
});

describe("the plan's pricing card", () => {
  it('describes a rate in a sentence above its tiers', async () => {
    await openDashboard('/plans/pln_1', { plan: planWith({ rate }) });
    const tiers = await screen.findByRole('region', { name: 'Prices of API calls' });
    const sentence = screen.getByText('$0.02 per unit up to 1,000, $0.015 per unit from 1,001');
    expect(sentence.compareDocumentPosition(tiers)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});
