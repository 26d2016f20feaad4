import { describe, expect, test } from 'vitest';
import { impactQuestion } from '../../../src/dashboard/pages/catalog/parts/impact-change.ts';
import { planSteps } from '../../../src/dashboard/parts/catalog/model/changes.ts';
import {
  type FeatureDraft,
  newPrice,
  type PlanDraft,
  type PriceDraft,
  withDefault,
  withFeature,
  withoutPrice,
  withPrice,
  withRate,
} from '../../../src/dashboard/parts/catalog/model/plan-draft.ts';
import type { RateDraft } from '../../../src/dashboard/parts/catalog/model/rate-draft.ts';
import type { Step } from '../../../src/dashboard/parts/catalog/model/step.ts';

const monthly: PriceDraft = {
  id: 'pp_month',
  baseId: null,
  label: '',
  interval: 'monthly',
  price: 4_900,
  trialDays: 14,
  includedCredits: null,
  includedBalance: null,
  minimumSpend: null,
  isDefault: true,
  offerId: null,
  typed: { eur: { price: 4_500, includedBalance: null } },
  derived: ['brl'],
  markets: {},
};
const calls: FeatureDraft = {
  featureId: 'ftr_calls',
  code: 'calls',
  name: 'Calls',
  type: 'usage',
  unitName: 'call',
  decimals: 0,
  enabled: true,
  includedAmount: 1_000,
  unlimited: false,
  overageEnabled: true,
  unitPrice: 25,
  rate: null,
  overrides: [],
  derived: null,
  card: null,
  settle: null,
  cost: null,
  creditsPerUnit: null,
  pricingMode: 'fixed',
  margin: null,
  typed: {},
};
const saved: PlanDraft = {
  id: 'pln_1',
  name: 'Pro',
  description: '',
  isPublic: true,
  groupId: null,
  model: 'metered',
  isFree: false,
  features: [calls],
  prices: [monthly],
  rates: { brl: 5 },
};

const sent = (steps: readonly Step[]) =>
  steps.map(({ command, input }) => [command, input((id) => id.replace('new:', 'saved:'))]);
const reaches = (steps: readonly Step[]) =>
  steps.flatMap(({ lines }) => lines.map(({ what, from, to, reaches: when }) => [what, from, to, when]));

describe('the plan editor', () => {
  test('sends nothing if the plan is unchanged', () => {
    expect(planSteps(saved, structuredClone(saved))).toEqual([]);
  });

  test('combines name, description, and visibility in one command', () => {
    const steps = planSteps(saved, { ...saved, name: 'Pro 2', description: 'More.', isPublic: false });
    expect(sent(steps)).toEqual([
      ['planUpdate', { id: 'pln_1', name: 'Pro 2', description: 'More.', isPublic: false }],
    ]);
    expect(reaches(steps)).toEqual([
      ['name', 'Pro', 'Pro 2', 'text'],
      ['description', '', 'More.', 'text'],
      ['visibility', true, false, 'visibility'],
    ]);
  });

  test('removes the plan from its group before adding it to another group', () => {
    const steps = planSteps({ ...saved, groupId: 'plg_a' }, { ...saved, groupId: 'plg_b' });
    expect(sent(steps)).toEqual([
      ['groupRemove', { planId: 'pln_1', planGroupId: 'plg_a' }],
      ['groupAdd', { planId: 'pln_1', planGroupId: 'plg_b' }],
    ]);
    expect(reaches(steps)).toHaveLength(1);
  });

  test('distinguishes changes that affect subscribers immediately from changes at renewal', () => {
    const better = planSteps(
      saved,
      withFeature(saved, 'ftr_calls', { includedAmount: 2_000, unitPrice: 20 }),
    );
    expect(sent(better)).toEqual([
      [
        'featureUpdate',
        {
          planId: 'pln_1',
          featureId: 'ftr_calls',
          includedAmount: 2_000,
          overage: { enabled: true, unitPrice: 20 },
        },
      ],
    ]);
    expect(reaches(better)).toEqual([
      ['includedAmount', 1_000, 2_000, 'now'],
      ['unitPrice', 25, 20, 'now'],
    ]);
    const worse = planSteps(saved, withFeature(saved, 'ftr_calls', { includedAmount: 500, unitPrice: 30 }));
    expect(reaches(worse)).toEqual([
      ['includedAmount', 1_000, 500, 'renewal'],
      ['unitPrice', 25, 30, 'next_period'],
    ]);
  });

  describe('for a feature with tiers', () => {
    const rate: RateDraft = {
      model: 'graduated',
      per: 1,
      tiers: [
        { upTo: '1000', amount: '0.02', flat: '5' },
        { upTo: '', amount: '0.015', flat: '' },
      ],
      minimum: '',
      maximum: '150',
    };
    const tiered = withFeature(saved, 'ftr_calls', { rate });
    const reference = { planId: 'pln_1', featureId: 'ftr_calls' };
    const input = {
      model: 'graduated',
      per: 1,
      tiers: [
        { upTo: '1000', amount: '0.02', flat: '5' },
        { upTo: null, amount: '0.015', flat: '0' },
      ],
      maximum: '150',
    };

    test('keeps the rate if another term changes', () => {
      const off = { overageEnabled: false, includedAmount: 2_000 };
      expect(sent(planSteps(tiered, withFeature(tiered, 'ftr_calls', off)))).toEqual([
        ['featureUpdate', { ...reference, includedAmount: 2_000, overage: { enabled: false } }],
      ]);
      expect(sent(planSteps(tiered, withFeature(tiered, 'ftr_calls', { unlimited: true })))).toEqual([
        ['featureUpdate', { ...reference, unlimited: true, overage: { enabled: false } }],
      ]);
    });

    test('sets a new rate instead of the unit price', () => {
      const steps = planSteps(saved, withFeature(tiered, 'ftr_calls', { unitPrice: 200, unlimited: false }));
      expect(sent(steps)).toEqual([['featureRateSet', { ...reference, rate: input }]]);
      expect(reaches(steps)).toEqual([['rate', 25, rate, 'lower_price']]);
    });

    test('replaces the rate with an unchanged unit price', () => {
      expect(sent(planSteps(tiered, saved))).toEqual([
        ['featureUpdate', { ...reference, overage: { enabled: true, unitPrice: 25 } }],
      ]);
    });

    test('sets the rate of a feature that is added to the plan or added again', () => {
      const terms = { ...reference, enabled: true, includedAmount: 1_000, unlimited: false };
      expect(sent(planSteps({ ...saved, features: [] }, tiered))).toEqual([
        ['featureAdd', { ...terms, overage: { enabled: true } }],
        ['featureRateSet', { ...reference, rate: input }],
      ]);
      const balance = { ...tiered, model: 'balance' as const };
      const byModel = withFeature(balance, 'ftr_calls', { pricingMode: 'ai_model', margin: 0 });
      expect(sent(planSteps(byModel, balance)).map(([command]) => command)).toEqual([
        'featureRemove',
        'featureAdd',
        'featureRateSet',
      ]);
    });
  });

  test('attaches and detaches features', () => {
    const other = { ...calls, featureId: 'ftr_sso', name: 'SSO', type: 'boolean' as const };
    const steps = planSteps(saved, { ...saved, features: [other] });
    expect(sent(steps)).toEqual([
      ['featureRemove', { planId: 'pln_1', featureId: 'ftr_calls' }],
      ['featureAdd', { planId: 'pln_1', featureId: 'ftr_sso', enabled: true }],
    ]);
    expect(reaches(steps)).toEqual([
      ['featureRemoved', 'Calls', null, 'renewal'],
      ['featureAdded', null, 'SSO', 'now'],
    ]);
  });

  test("replaces a feature to change the feature's margin", () => {
    const balance = { ...saved, model: 'balance' as const };
    const ai = { ...calls, pricingMode: 'ai_model' as const, margin: 2_000 };
    const steps = planSteps(
      { ...balance, features: [ai] },
      { ...balance, features: [{ ...ai, margin: 1_500 }] },
    );
    expect(sent(steps)).toEqual([
      ['featureRemove', { planId: 'pln_1', featureId: 'ftr_calls' }],
      [
        'featureAdd',
        { planId: 'pln_1', featureId: 'ftr_calls', enabled: true, pricingMode: 'ai_model', margin: 1_500 },
      ],
    ]);
    expect(reaches(steps)).toEqual([['margin', 2_000, 1_500, 'now']]);
  });

  test('applies a price increase at renewal, and a shorter trial only to new customers', () => {
    const steps = planSteps(saved, withPrice(saved, 'pp_month', { price: 5_900, trialDays: 7 }));
    expect(sent(steps)).toEqual([
      ['priceUpdate', { planId: 'pln_1', priceId: 'pp_month', price: 5_900, trialDays: 7 }],
    ]);
    expect(reaches(steps)).toEqual([
      ['price', 4_900, 5_900, 'renewal'],
      ['trialDays', 14, 7, 'new_only'],
    ]);
  });

  test('increases the included amount immediately, and decreases it at renewal', () => {
    const credits = (amount: number) => withPrice(saved, 'pp_month', { includedCredits: amount });
    expect(reaches(planSteps(credits(100), credits(200)))).toEqual([['includedCredits', 100, 200, 'now']]);
    expect(reaches(planSteps(credits(200), credits(100)))).toEqual([
      ['includedCredits', 200, 100, 'renewal'],
    ]);
  });

  test('adds a price with an offer, and makes it the default before the old default is archived', () => {
    const yearly = { ...newPrice(saved, 'yearly', 49_000), offerId: 'ofr_1', isDefault: false };
    const added = { ...saved, prices: [...saved.prices, yearly] };
    const steps = planSteps(saved, withoutPrice(withDefault(added, yearly.id), 'pp_month'));
    expect(sent(steps)).toEqual([
      ['priceAdd', { planId: 'pln_1', billingInterval: 'yearly', price: 49_000, trialDays: 0 }],
      ['priceDefault', { planId: 'pln_1', priceId: 'saved:yearly' }],
      ['priceOffer', { planId: 'pln_1', priceId: 'saved:yearly', offerId: 'ofr_1' }],
      ['priceArchive', { planId: 'pln_1', priceId: 'pp_month' }],
    ]);
  });

  test('selects another default price when the default price is removed', () => {
    const yearly = { ...newPrice(saved, 'yearly', 49_000), isDefault: false };
    const left = withoutPrice({ ...saved, prices: [monthly, yearly] }, 'pp_month');
    expect(left.prices).toEqual([{ ...yearly, isDefault: true }]);
  });
});

describe('the plan editor for other currencies', () => {
  test('sends a currency with the entered amounts', () => {
    const typed = { ...monthly.typed, brl: { price: 21_900, includedBalance: null } };
    const steps = planSteps(saved, withPrice(withRate(saved, 'brl', 5.5), 'pp_month', { typed }));
    expect(sent(steps)).toEqual([
      [
        'currencySet',
        {
          planId: 'pln_1',
          currency: 'brl',
          exchangeRate: 5.5,
          prices: [{ priceId: 'pp_month', price: 21_900 }],
        },
      ],
    ]);
    expect(reaches(steps)).toEqual([
      ['exchangeRate', 5, 5.5, 'renewal'],
      ['amount:monthly', null, 21_900, 'renewal'],
    ]);
  });

  test('sets a single amount in a currency without an exchange rate', () => {
    const typed = { eur: { price: 4_700, includedBalance: null } };
    expect(sent(planSteps(saved, withPrice(saved, 'pp_month', { typed })))).toEqual([
      [
        'regionalUpsert',
        { planId: 'pln_1', priceId: 'pp_month', overrides: [{ currency: 'eur', price: 4_700 }] },
      ],
    ]);
  });

  test('removes an entered amount', () => {
    const steps = planSteps(saved, withPrice(saved, 'pp_month', { typed: {} }));
    expect(sent(steps)).toEqual([
      ['regionalDelete', { planId: 'pln_1', priceId: 'pp_month' }],
      ['currencySet', { planId: 'pln_1', currency: 'brl', exchangeRate: 5 }],
    ]);
    expect(reaches(steps)).toEqual([['amountIn:eur', 4_500, null, 'renewal']]);
  });

  test("sends a price's amounts for all markets", () => {
    const markets = { pmg_1: { currency: 'eur', price: 4_200 } };
    const steps = planSteps(saved, withPrice(saved, 'pp_month', { markets }));
    expect(sent(steps)).toEqual([
      [
        'priceUpdate',
        {
          planId: 'pln_1',
          priceId: 'pp_month',
          marketPrices: [{ marketGroupId: 'pmg_1', currency: 'eur', price: 4_200 }],
        },
      ],
    ]);
  });

  test('sets a unit price in a currency', () => {
    const steps = planSteps(saved, withFeature(saved, 'ftr_calls', { typed: { brl: 150 } }));
    expect(sent(steps)).toEqual([
      [
        'currencySet',
        {
          planId: 'pln_1',
          currency: 'brl',
          exchangeRate: 5,
          features: [{ featureId: 'ftr_calls', overageUnitPrice: 150 }],
        },
      ],
    ]);
  });
});

describe('the impact query for a change', () => {
  const asked = (draft: PlanDraft) =>
    planSteps(saved, draft).flatMap((step) => step.lines.map((line) => impactQuestion(saved.id, step, line)));

  test('contains the full feature update and the changed term', () => {
    const featureUpdate = {
      planId: 'pln_1',
      featureId: 'ftr_calls',
      includedAmount: 500,
      overage: { enabled: true, unitPrice: 30 },
    };
    expect(asked(withFeature(saved, 'ftr_calls', { includedAmount: 500, unitPrice: 30 }))).toEqual([
      { change: { featureUpdate }, term: 'included_amount' },
      { change: { featureUpdate }, term: 'unit_price' },
    ]);
  });

  test("contains a feature's removal, and is null if only the name changes", () => {
    expect(asked({ ...saved, name: 'Pro 2', features: [] })).toEqual([
      null,
      { change: { featureRemove: { planId: 'pln_1', featureId: 'ftr_calls' } } },
    ]);
  });
});
