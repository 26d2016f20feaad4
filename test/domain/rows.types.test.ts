import { expect, test } from 'vitest';
import type { OfferRow } from '../../src/domain/offers/offer.ts';
import type { PromoCodeRow } from '../../src/domain/offers/promo-code.ts';
import type { ProviderRequestRow } from '../../src/domain/payments/provider-request.ts';
import type * as catalog from '../../src/domain/pricing/catalog.ts';
import type { DeadlineRow } from '../../src/domain/rows/rows.ts';
import type { AttemptRow } from '../../src/domain/subscription/payments/charge-attempt.ts';
import type { RowOf, TableName } from '../../src/domain/subscription/state/tables.ts';
import type { storedTables } from '../../src/engine/load/tables.ts';
import type { ModelName, Row } from '../../src/platform/db/rows.ts';

// Compile-time checks that the row types of the domain have the columns and types of their Prisma models. Type errors name the row and the columns.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Columns that exist in only one type, or with different types. */
type Differing<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B ? (Equal<A[K], B[K]> extends true ? never : K) : K;
}[keyof A | keyof B];

/** Row types that differ from their models, with the columns. Empty if all match. */
type Drift<Pairs extends { readonly [name: string]: readonly [domain: unknown, stored: unknown] }> = {
  [N in keyof Pairs as [Differing<Pairs[N][0], Pairs[N][1]>] extends [never] ? never : N]: Differing<
    Pairs[N][0],
    Pairs[N][1]
  >;
};

type Model<T extends TableName> = (typeof storedTables)[T]['model'];

/** Columns that have no value before the row is stored. */
type GivenByStoring<T extends TableName> =
  | 'seq'
  | (T extends 'invoices' | 'creditNotes' ? 'number' | 'buyerId' | 'sellerId' : never);

/** A stored row as decisions use it: without its environment, and possibly not stored yet. */
type Stored<T extends TableName> = {
  [K in Exclude<keyof Row<Model<T>>, 'environmentId'>]: K extends GivenByStoring<T>
    ? Row<Model<T>>[K] | null
    : Row<Model<T>>[K];
};

/** The columns of a model that a row type contains. */
type Part<M extends ModelName, R> = Pick<Row<M>, keyof R & keyof Row<M>>;

test('a row type of the aggregate matches its Prisma model', () => {
  const drift: Drift<{ [T in TableName]: [RowOf<T>, Stored<T>] }> = {};
  expect(drift).toEqual({});
});

test('a row type outside the aggregate is a subset of its Prisma model', () => {
  const drift: Drift<{
    attempt: [Omit<AttemptRow, 'request'>, Omit<Row<'ChargeAttempt'>, 'environmentId' | 'request'>];
    deadline: [Omit<DeadlineRow, 'subjectSeq'>, Omit<Row<'Deadline'>, 'environmentId' | 'subjectSeq'>];
    providerRequest: [ProviderRequestRow, Omit<Row<'ProviderRequest'>, 'environmentId'>];
    offer: [OfferRow, Part<'Offer', OfferRow>];
    promoCode: [PromoCodeRow, Part<'PromoCode', PromoCodeRow>];
    plan: [catalog.PlanRow, Part<'Plan', catalog.PlanRow>];
    feature: [catalog.FeatureRow, Part<'Feature', catalog.FeatureRow>];
    planPrice: [catalog.PlanPriceRow, Part<'PlanPrice', catalog.PlanPriceRow>];
    planPriceVersion: [catalog.PlanPriceVersionRow, Part<'PlanPriceVersion', catalog.PlanPriceVersionRow>];
    planFeatureVersion: [
      catalog.PlanFeatureVersionRow,
      Part<'PlanFeatureVersion', catalog.PlanFeatureVersionRow>,
    ];
    priceOverride: [catalog.PriceOverrideRow, Part<'PlanPriceOverride', catalog.PriceOverrideRow>];
    exchangeRate: [catalog.ExchangeRateRow, Part<'PlanExchangeRate', catalog.ExchangeRateRow>];
    marketCountry: [catalog.MarketCountryRow, Part<'MarketCountry', catalog.MarketCountryRow>];
    addon: [catalog.AddonRow, Part<'Addon', catalog.AddonRow>];
    addonVersion: [catalog.StoredAddonVersionRow, Part<'AddonVersion', catalog.StoredAddonVersionRow>];
    creditPack: [catalog.CreditPackRow, Part<'CreditPack', catalog.CreditPackRow>];
  }> = {};
  expect(drift).toEqual({});
});
