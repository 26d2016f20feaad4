import {
  type Catalog,
  catalogOf,
  noCatalogRows,
  type PlanFeatureVersionRow,
  type PlanPriceRow,
  type PlanPriceVersionRow,
  type PlanRow,
} from '../../../src/domain/pricing/catalog.ts';
import type { BillingInterval, ConsumptionModel, FeatureType } from '../../../src/domain/rows/enums.ts';

const start = new Date('0001-01-01T00:00:00Z');

/** Plan with its prices, for a test catalog. */
export type PlanSketch = {
  readonly id: string;
  readonly isFree?: boolean;
  readonly deletedAt?: Date | null;
  /** By default, all plans are in one group, in the given order. */
  readonly group?: string | null;
  readonly consumptionModel?: ConsumptionModel;
  readonly isPublic?: boolean;
  readonly prices?: readonly PriceSketch[];
  readonly seats?: { readonly [code: string]: Partial<PlanFeatureVersionRow> };
};

type PriceSketch = {
  readonly id: string;
  readonly interval: BillingInterval;
  readonly amount: bigint;
  readonly trialDays?: number;
  readonly archivedAt?: Date;
  readonly introductoryOfferId?: string | null;
  /** Later amounts for the price, by effective date. */
  readonly edits?: { readonly [date: string]: bigint };
};

const planRow = (sketch: PlanSketch, index: number): PlanRow => {
  const {
    id,
    isFree = false,
    deletedAt = null,
    group = 'group',
    consumptionModel = 'metered',
    isPublic = true,
  } = sketch;
  return {
    id,
    seq: BigInt(index + 1),
    code: `${id}_code`,
    name: id.toUpperCase(),
    consumptionModel,
    isPublic,
    isFree,
    blockOnExhaustion: false,
    pools: [],
    sortOrder: index,
    planGroupId: group,
    deletedAt,
  };
};

const priceRow = (
  planId: string,
  { id, interval, archivedAt, introductoryOfferId = null }: PriceSketch,
  index: number,
): PlanPriceRow => ({
  id,
  seq: BigInt(index + 1),
  planId,
  billingInterval: interval,
  isDefault: index === 0,
  inheritsFromPriceId: null,
  introductoryOfferId,
  archivedAt: archivedAt ?? null,
});

const versionRows = ({ id, amount, trialDays = 0, edits = {} }: PriceSketch): PlanPriceVersionRow[] =>
  [
    [start, amount] as const,
    ...Object.entries(edits).map(([date, value]) => [new Date(`${date}T00:00:00Z`), value] as const),
  ].map(([validFrom, priceMinor], index) => ({
    id: `${id}-${index}`,
    seq: BigInt(index + 1),
    priceId: id,
    validFrom,
    priceMinor,
    trialDays,
    includedBalanceRate: null,
    includedCredits: null,
    includedUnits: {},
    minimumMinor: null,
  }));

/** Returns a feature's terms without a start date. */
export const termsRow = (
  planId: string,
  featureId: string,
  changes: Partial<PlanFeatureVersionRow>,
): PlanFeatureVersionRow => ({
  id: `${planId}-${featureId}`,
  seq: 1n,
  planId,
  featureId,
  validFrom: start,
  attached: true,
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: false,
  rate: null,
  overrides: [],
  costRate: null,
  settle: null,
  ...changes,
});

const featureTypes: { readonly [code: string]: FeatureType } = {
  editors: 'seats',
  viewers: 'seats',
  exports: 'usage',
};

/**
 * Builds a catalog from plans. The features `editors` and `viewers` are seat features, and `exports` is a
 * usage feature.
 */
export const catalog = (...plans: readonly PlanSketch[]): Catalog =>
  catalogOf({
    ...noCatalogRows,
    plans: plans.map(planRow),
    features: Object.entries(featureTypes).map(([code, type], index) => ({
      id: code,
      seq: BigInt(index + 1),
      code,
      name: code.toUpperCase(),
      type,
      unitName: null,
      deletedAt: null,
      meters: [],
    })),
    prices: plans.flatMap(({ id, prices = [] }) => prices.map((price, index) => priceRow(id, price, index))),
    priceVersions: plans.flatMap(({ prices = [] }) => prices.flatMap(versionRows)),
    planFeatureVersions: plans.flatMap(({ id, seats = {} }) =>
      Object.entries(seats).map(([code, terms]) => termsRow(id, code, terms)),
    ),
  });

/** Builds a catalog with a single plan that has one price. */
export const simplePlan = (
  interval: BillingInterval,
  amount: bigint,
  extra: Partial<PriceSketch> = {},
): Catalog => catalog({ id: 'cove', prices: [{ id: 'p1', interval, amount, ...extra }] });
