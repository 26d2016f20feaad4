import type { BillingInterval, ConsumptionModel, FeatureType, PricingMode } from '../words.ts';

/** A capability that can be sold. */
export type FeatureRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly name: string;
  readonly type: FeatureType;
  readonly unitName: string | null;
  readonly deletedAt: Date | null;
};

/** A package of features with one consumption model. */
export type PlanRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly name: string;
  readonly consumptionModel: ConsumptionModel;
  readonly isPublic: boolean;
  readonly isFree: boolean;
  readonly blockOnExhaustion: boolean;
  readonly sortOrder: number;
  readonly planGroupId: string | null;
  readonly deletedAt: Date | null;
};

/** A base price of one interval, or a variant of one (CAT-14, CAT-16). Its amounts are in its versions. */
export type PlanPriceRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly isDefault: boolean;
  readonly inheritsFromPriceId: string | null;
  readonly archivedAt: Date | null;
};

/** The amounts of a price from `validFrom` until its next version (protocols B8): US cents, days, balance at rate scale, whole credits. */
export type PlanPriceVersionRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly priceId: string;
  readonly validFrom: Date;
  readonly priceMinor: bigint;
  readonly trialDays: number;
  readonly includedBalanceRate: bigint | null;
  readonly includedCredits: bigint | null;
};

/** The terms of a feature in a plan from `validFrom` until the next version; `attached` is false from a detachment on. */
export type PlanFeatureVersionRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly featureId: string;
  readonly validFrom: Date;
  readonly attached: boolean;
  readonly enabled: boolean;
  readonly includedAmount: bigint;
  readonly unlimited: boolean;
  readonly overageEnabled: boolean;
  readonly unitPriceRate: bigint | null;
  readonly creditsPerUnit: bigint | null;
  readonly pricingMode: PricingMode;
  readonly marginBps: number | null;
};

/** What decisions need of the catalogue, shared by all aggregates of a batch and never changed. Versions are ordered by (validFrom, seq). */
export type Catalog = {
  readonly plans: ReadonlyMap<string, PlanRow>;
  readonly features: ReadonlyMap<string, FeatureRow>;
  readonly prices: ReadonlyMap<string, PlanPriceRow>;
  /** By plan id, in order of seq; archived ones included. */
  readonly pricesOfPlan: ReadonlyMap<string, readonly PlanPriceRow[]>;
  /** By price id. */
  readonly priceVersions: ReadonlyMap<string, readonly PlanPriceVersionRow[]>;
  /** By plan id, then by feature id. */
  readonly featureVersions: ReadonlyMap<string, ReadonlyMap<string, readonly PlanFeatureVersionRow[]>>;
};

/** The rows a catalogue is made of, in any order. */
export type CatalogRows = {
  readonly plans: readonly PlanRow[];
  readonly features: readonly FeatureRow[];
  readonly prices: readonly PlanPriceRow[];
  readonly priceVersions: readonly PlanPriceVersionRow[];
  readonly planFeatureVersions: readonly PlanFeatureVersionRow[];
};

const bySeq = (a: { readonly seq: bigint }, b: { readonly seq: bigint }): number => (a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0);

const byStart = (a: { readonly validFrom: Date; readonly seq: bigint }, b: { readonly validFrom: Date; readonly seq: bigint }): number =>
  a.validFrom.getTime() - b.validFrom.getTime() || bySeq(a, b);

const byId = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> => new Map(rows.map((row) => [row.id, row]));

/** Arranges catalogue rows for look-ups; versions come out in the order they took effect. */
export function catalogOf(rows: CatalogRows): Catalog {
  const planVersions = Map.groupBy(rows.planFeatureVersions.toSorted(byStart), (version) => version.planId);
  return {
    plans: byId(rows.plans),
    features: byId(rows.features),
    prices: byId(rows.prices),
    pricesOfPlan: Map.groupBy(rows.prices.toSorted(bySeq), (price) => price.planId),
    priceVersions: Map.groupBy(rows.priceVersions.toSorted(byStart), (version) => version.priceId),
    featureVersions: new Map(
      [...planVersions].map(([planId, versions]) => [planId, Map.groupBy(versions, (version) => version.featureId)]),
    ),
  };
}
