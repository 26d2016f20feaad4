import { type Account, accountWith } from '../../../src/domain/lots/account.ts';
import { type Pool, poolOfAsset, scaleOf } from '../../../src/domain/pricing/pools.ts';
import type {
  ConsumptionAccountRow,
  FeatureCountRow,
  LotRow,
  UsageCounterRow,
} from '../../../src/domain/rows/usage-rows.ts';
import type { PoolTerms, UsageTerms } from '../../../src/domain/usage/terms.ts';

const epoch = new Date('2027-04-05T00:00:00Z');

/** Returns terms for a metered feature with overage, with the given changes. */
export const terms = (changes: Partial<UsageTerms> = {}): UsageTerms => ({
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: true,
  rates: null,
  derived: null,
  cost: null,
  settle: null,
  pool: null,
  currency: 'usd',
  exchangeRateE8: null,
  meter: null,
  allowsOverage: true,
  isPriceMissing: false,
  ...changes,
});

/** Returns the terms of a pool: money, or a custom unit without decimals. */
export const poolTerms = (pool: Pool, canOverdraw = false): PoolTerms => ({
  pool,
  scale: scaleOf({ pool }),
  decimals: 0,
  canOverdraw,
});

const window = { windowStart: epoch, windowEnd: new Date('2027-05-05T00:00:00Z') };

let ids = 0;

/** Returns an open lot with the given amount. */
export const lot = (changes: Partial<LotRow> & Pick<LotRow, 'source' | 'remaining'>): LotRow => ({
  id: `lot_given_${++ids}`,
  seq: BigInt(ids),
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  asset: 'credits',
  creditSource: null,
  sourceId: null,
  description: null,
  priority: {
    plan: 0,
    rollover: 0,
    promotion: 5,
    purchase: 10,
    topup: 10,
    commitment: 10,
    adjustment: 10,
    customer_credit: 50,
    overdraft: 100,
  }[changes.source],
  amount: changes.remaining > 0n ? changes.remaining : 0n,
  paidMinor: null,
  commitment: null,
  isOpen: true,
  endsWithWindow: changes.source === 'plan',
  effectiveAt: epoch,
  expiresAt: changes.source === 'plan' ? window.windowEnd : null,
  features: [],
  drawnWindow: null,
  drawnInWindow: 0n,
  ...changes,
});

/** Amounts of an account by the lots that contain them, and other changes to the account. */
export type AccountChanges = {
  readonly grantedCredits?: bigint;
  readonly grantedRate?: bigint;
  readonly lastRefillRate?: bigint;
  readonly crossed?: number;
  readonly planCredits?: bigint;
  readonly purchasedCredits?: bigint;
  readonly balanceRate?: bigint;
  readonly lots?: readonly LotRow[];
  readonly now?: Date;
};

const nothing = { granted: '0', lastRefill: '0', crossed: 0 };

/** Returns an account with lots for the given amounts. */
export function account({
  planCredits = 0n,
  purchasedCredits = 0n,
  balanceRate = 0n,
  grantedCredits = 0n,
  grantedRate = 0n,
  lastRefillRate = 0n,
  crossed = 0,
  lots = [],
  now = epoch,
}: AccountChanges = {}): Account {
  const all = [
    ...(planCredits === 0n ? [] : [lot({ source: 'plan', remaining: planCredits })]),
    ...(purchasedCredits === 0n ? [] : [lot({ source: 'purchase', remaining: purchasedCredits })]),
    ...(balanceRate > 0n ? [lot({ source: 'plan', asset: 'usd', remaining: balanceRate })] : []),
    ...(balanceRate < 0n ? [lot({ source: 'overdraft', asset: 'usd', remaining: balanceRate })] : []),
    ...lots,
  ];
  const stored = {
    credits: { granted: `${grantedCredits}`, lastRefill: '0', crossed },
    balance: { granted: `${grantedRate}`, lastRefill: `${lastRefillRate}`, crossed: 0 },
  };
  const sum = (pool: Pool) =>
    all.reduce(
      (total, { asset, remaining }) => (poolOfAsset(asset) === pool ? total + remaining : total),
      0n,
    );
  const pools = new Set(['credits', 'balance', ...all.map(({ asset }) => poolOfAsset(asset))]);
  const row: ConsumptionAccountRow = {
    id: 'sub_1',
    seq: 1n,
    customerId: 'cus_1',
    pools: Object.fromEntries(
      [...pools].map((pool) => {
        const { granted, lastRefill, crossed } = stored[pool as 'credits'] ?? { ...nothing };
        return [pool, { amount: `${sum(pool)}`, granted, lastRefill, crossed }];
      }),
    ),
    updatedAt: epoch,
  };
  const context = { now, ...window, currency: 'usd', newId: (prefix: string) => `${prefix}_${++ids}` };
  return accountWith(row, all, context);
}

/** Returns a counter at 0, with the given changes. */
export const counter = (changes: Partial<UsageCounterRow> = {}): UsageCounterRow => ({
  id: 'sub_1:ftr_1',
  seq: 1n,
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  featureId: 'ftr_1',
  windowStart: epoch,
  total: 0n,
  consumed: 0n,
  waived: 0n,
  price: '0',
  recorded: '0',
  held: null,
  crossed: 0,
  covered: 0n,
  meter: null,
  latestAt: null,
  level: null,
  ...changes,
});

/** Returns a count that hasn't changed since the start of its period, with the given changes. */
export const count = (value: bigint, changes: Partial<FeatureCountRow> = {}): FeatureCountRow => ({
  id: 'cus_1:ftr_1',
  seq: 1n,
  customerId: 'cus_1',
  featureId: 'ftr_1',
  count: value,
  pendingRemovals: 0n,
  openingCount: value,
  steps: [],
  updatedAt: epoch,
  ...changes,
});
