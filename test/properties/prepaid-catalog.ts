import { type Catalog, catalogOf, noCatalogRows, type PlanRow } from '../../src/domain/pricing/catalog.ts';
import type { PlanPool } from '../../src/domain/pricing/pools.ts';
import type { CardDocument } from '../../src/domain/rates/card.ts';
import type { RateDocument } from '../../src/domain/rates/rate.ts';
import { termsRow } from '../domain/subscription/catalog.ts';

// Catalog of the random histories with commitments, pools, prices by dimension, and a feature that counts the events of another feature.

const epoch = new Date('0001-01-01T00:00:00Z');

const each = (amount: string): RateDocument => ({
  model: 'per_unit',
  per: 1,
  tiers: [{ upTo: null, amount, flat: '0' }],
});

/** Rate whose unit price falls for all units at 20 and at 60 units. */
const volume = (high: string, middle: string, low: string): RateDocument => ({
  model: 'volume',
  per: 1,
  tiers: [
    { upTo: '20', amount: high, flat: '0' },
    { upTo: '60', amount: middle, flat: '0' },
    { upTo: null, amount: low, flat: '0.5' },
  ],
});

const packages: RateDocument = {
  model: 'package',
  per: 10,
  tiers: [{ upTo: null, amount: '1.3', flat: '0' }],
};

/** Card with a cell for each of two regions, and a rate for all others. */
const regional = (scale: string): CardDocument => ({
  cells: [
    { when: { region: ['eu'] }, rate: volume(`${scale}7`, `${scale}5`, `${scale}4`) },
    { when: { region: ['us', 'ca'] }, rate: each(`${scale}3333`) },
  ],
  default: each(`${scale}1`),
});

const plan = (id: string, index: number, changes: Partial<PlanRow>): PlanRow => ({
  id,
  seq: BigInt(index + 1),
  code: id,
  name: id.toUpperCase(),
  consumptionModel: 'metered',
  isPublic: true,
  isFree: false,
  blockOnExhaustion: false,
  pools: [],
  sortOrder: index,
  planGroupId: 'group',
  deletedAt: null,
  ...changes,
});

const tokens: PlanPool = { pool: 'tokens', decimals: 3, overdraftRate: '0.0125', rollover: null };

/** Plans that the steps of a history select by index. */
export const prepaidPlans = ['metered', 'metered2', 'credits', 'money', 'strict', 'mixed'] as const;

const sketches: { readonly [id in (typeof prepaidPlans)[number]]: Partial<PlanRow> } = {
  metered: {},
  metered2: {},
  credits: {
    consumptionModel: 'credits',
    pools: [{ pool: 'credits', rollover: { windows: 2, cap: 900 }, overdraftRate: '0.02' }],
  },
  money: { consumptionModel: 'balance', pools: [{ pool: 'balance', rollover: null }] },
  strict: { consumptionModel: 'balance', blockOnExhaustion: true },
  mixed: { pools: [tokens] },
};

const calls = (planId: string, scale: string, settle: string | null = null) =>
  termsRow(planId, 'calls', {
    overageEnabled: true,
    includedAmount: 8n,
    rate: regional(scale),
    settle,
  });

/** Returns the catalog. Usage of `calls` has different prices by region. */
export const prepaidCatalog = (): Catalog =>
  catalogOf({
    ...noCatalogRows,
    plans: prepaidPlans.map((id, index) => plan(id, index, sketches[id])),
    features: [
      {
        id: 'calls',
        seq: 1n,
        code: 'calls',
        name: 'Calls',
        type: 'usage',
        unitName: null,
        deletedAt: null,
        meters: [
          {
            aggregation: 'sum',
            decimals: 0,
            dimensions: [{ property: 'region' }],
            validFrom: epoch.toISOString(),
            seq: '1',
          },
        ],
      },
      {
        id: 'exports',
        seq: 2n,
        code: 'exports',
        name: 'Exports',
        type: 'usage',
        unitName: null,
        deletedAt: null,
        meters: [],
      },
      {
        id: 'european',
        seq: 3n,
        code: 'european',
        name: 'European calls',
        type: 'usage',
        unitName: null,
        deletedAt: null,
        meters: [
          {
            aggregation: 'sum',
            decimals: 0,
            source: 'calls',
            filters: [{ property: 'region', in: ['eu', 'br'] }],
            validFrom: epoch.toISOString(),
            seq: '3',
          },
        ],
      },
      {
        id: 'storage',
        seq: 4n,
        code: 'storage',
        name: 'Storage',
        type: 'usage',
        unitName: null,
        deletedAt: null,
        meters: [
          {
            aggregation: 'time_weighted',
            decimals: 0,
            persists: true,
            validFrom: epoch.toISOString(),
            seq: '4',
          },
        ],
      },
    ],
    prices: prepaidPlans.map((id, index) => ({
      id: `p_${id}`,
      seq: BigInt(index + 1),
      planId: id,
      billingInterval: id === 'strict' || id === 'metered2' ? 'weekly' : 'monthly',
      isDefault: true,
      inheritsFromPriceId: null,
      introductoryOfferId: null,
      archivedAt: null,
    })),
    priceVersions: prepaidPlans.map((id, index) => ({
      id: `v_${id}`,
      seq: BigInt(index + 1),
      priceId: `p_${id}`,
      validFrom: epoch,
      priceMinor: BigInt(1_000 + 150 * index),
      trialDays: 0,
      includedBalanceRate: 200_000n,
      includedCredits: 300n,
      includedUnits: { tokens: 9_000 },
      minimumMinor: null,
    })),
    planFeatureVersions: [
      calls('metered', '0.'),
      calls('metered2', '0.1'),
      calls('credits', '1.'),
      calls('money', '0.'),
      calls('strict', '0.'),
      calls('mixed', '0.', 'tokens'),
      termsRow('metered', 'exports', { overageEnabled: true, rate: packages }),
      termsRow('metered2', 'exports', { overageEnabled: true, rate: volume('0.9', '0.5', '0.2') }),
      termsRow('credits', 'exports', { overageEnabled: true, rate: volume('0.9', '0.5', '0.2') }),
      termsRow('money', 'exports', { overageEnabled: true, rate: volume('0.9', '0.5', '0.2') }),
      termsRow('metered', 'european', { overageEnabled: true, includedAmount: 5n, rate: packages }),
      termsRow('credits', 'european', { overageEnabled: true, rate: volume('0.9', '0.5', '0.2') }),
      termsRow('money', 'european', { overageEnabled: true, rate: each('0.07') }),
      termsRow('strict', 'european', { overageEnabled: true, rate: volume('0.9', '0.5', '0.2') }),
      termsRow('mixed', 'european', { includedAmount: 400n, settle: 'invoice' }),
      termsRow('metered', 'storage', { overageEnabled: true, includedAmount: 5n, rate: packages }),
      termsRow('metered2', 'storage', { overageEnabled: true, rate: volume('0.9', '0.5', '0.2') }),
      termsRow('mixed', 'storage', { overageEnabled: true, rate: each('0.07'), settle: 'invoice' }),
      termsRow('mixed', 'exports', { overageEnabled: true, rate: packages, settle: 'invoice' }),
    ],
  });
