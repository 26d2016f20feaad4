import type {
  ConsumptionAccountRow,
  FeatureCountRow,
  UsageCounterRow,
} from '../../../src/domain/rows/usage-rows.ts';
import type { UsageTerms } from '../../../src/domain/usage/terms.ts';

const epoch = new Date('2027-04-05T00:00:00Z');

/** Returns terms for a metered feature with overage, with the given changes. */
export const terms = (changes: Partial<UsageTerms> = {}): UsageTerms => ({
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: true,
  rates: null,
  creditsPerUnit: null,
  pricingMode: 'fixed',
  marginBps: null,
  model: 'metered',
  currency: 'usd',
  allowsOverage: true,
  isBlocking: false,
  isPriceMissing: false,
  ...changes,
});

/** Returns an empty account, with the given changes. */
export const account = (changes: Partial<ConsumptionAccountRow> = {}): ConsumptionAccountRow => ({
  id: 'sub_1',
  seq: 1n,
  customerId: 'cus_1',
  planCredits: 0n,
  purchasedCredits: 0n,
  balanceRate: 0n,
  grantedCredits: 0n,
  grantedRate: 0n,
  isLowSent: false,
  lastRefillRate: 0n,
  updatedAt: epoch,
  ...changes,
});

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
  price: '0',
  alertLevel: 0,
  covered: 0n,
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
