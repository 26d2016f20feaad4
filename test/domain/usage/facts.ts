import type {
  ConsumptionAccountRow,
  FeatureCountRow,
  UsageCounterRow,
} from '../../../src/domain/usage/rows.ts';
import type { UsageTerms } from '../../../src/domain/usage/terms.ts';

const epoch = new Date('2027-04-05T00:00:00Z');

/** Terms of a metered feature with overage, changed as told. */
export const terms = (changes: Partial<UsageTerms> = {}): UsageTerms => ({
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: true,
  unitPriceRate: null,
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

/** An empty account, changed as told. */
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

/** A counter at 0, changed as told. */
export const counter = (changes: Partial<UsageCounterRow> = {}): UsageCounterRow => ({
  id: 'sub_1:ftr_1',
  seq: 1n,
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  featureId: 'ftr_1',
  windowStart: epoch,
  total: 0n,
  consumed: 0n,
  alertLevel: 0,
  covered: 0n,
  ...changes,
});

/** A count that opened its period as it stands, changed as told. */
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
