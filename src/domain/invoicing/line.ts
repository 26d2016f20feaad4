import type { BillingInterval } from '../enums.ts';
import type { Period } from '../period.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import type { CustomerCreditRow, InvoiceLineRow } from '../subscription/state/rows.ts';
import type { TrueUp } from '../usage/counts.ts';
import type { UsageTerms } from '../usage/terms.ts';
import type { WindowUse } from '../usage/window.ts';
import type { Explanation } from './explanation.ts';

/** The plan base of the period that opens; its amount in minor units. */
export type BaseDetails = {
  readonly planName: string;
  readonly billingInterval: BillingInterval;
  readonly amountMinor: bigint;
  /** Whether the fixed price of an offer stands in the place of a lower base (BIL-14). */
  readonly isFixedPrice: boolean;
};

/**
 * What an offer takes off the base, a positive amount in minor units; `value` is basis points of a
 * percentage, minor units of an amount.
 */
export type DiscountDetails = {
  readonly isPromoCode: boolean;
  readonly type: 'percentage' | 'amount';
  readonly value: bigint;
  readonly name: string;
  /** Null for terms without an offer. */
  readonly offerId: string | null;
  readonly amountMinor: bigint;
  readonly explanation: Explanation;
};

/** A usage feature of a metered plan with its total in the window that ended, on the terms held then. */
export type UsageDetails = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly use: WindowUse;
  readonly window: Period;
};

/** A part of a balance below 0, and the feature that caused it; null where none did. */
export type DeficitDetails = {
  readonly featureName: string | null;
  readonly rate: bigint;
  readonly amountMinor: bigint;
  readonly window: Period;
};

/** The rises of a seats or quota feature in the period that ended, on the terms held at its end (CON-38). */
export type RiseDetails = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly rises: readonly TrueUp[];
  /** Days of that period. */
  readonly totalDays: bigint;
  /** Until when they are charged, exclusive. */
  readonly until: Date;
};

/**
 * A seats or quota feature with the count in force when the period opens, on the terms of that period
 * (CON-37).
 */
export type CountDetails = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly count: bigint;
};

/**
 * An add-on: how the base of the period that opens is worked out, and what its own feature owes; null for
 * either there is none of.
 */
export type AddonDetails = {
  readonly name: string;
  readonly base: Explanation | null;
  readonly usage: UsageDetails | null;
};

/** The share of a base paid before that is not used up, a positive amount in minor units (SUB-39). */
export type ProrationDetails = {
  readonly planName: string;
  readonly daysRemaining: number;
  readonly totalDays: number;
  /** What was paid for all of it. */
  readonly baseMinor: bigint;
  readonly amountMinor: bigint;
};

/** What lines are made of. */
export type LineDetails = {
  readonly currency: string;
  /** Null where no base is charged. */
  readonly base: BaseDetails | null;
  /** Null where no offer lowers the base. */
  readonly discount: DiscountDetails | null;
  /** What is left of a base that was paid before; absent unless a plan change ends its period. */
  readonly proration?: ProrationDetails;
  /** Those that can be used, in the currency, in the order they are drawn on. */
  readonly credits: readonly CustomerCreditRow[];
  /** Of the plan's features, in order of their codes, as the lists below. */
  readonly usage: readonly UsageDetails[];
  readonly deficits: readonly DeficitDetails[];
  /** Rises of the period that ended, on its terms. */
  readonly rises: readonly RiseDetails[];
  /** Counts charged in advance, on the terms of the period that opens. */
  readonly counts: readonly CountDetails[];
  /** By name. */
  readonly addons: readonly AddonDetails[];
};

/** A line before it has a place on an invoice. */
export type LineDraft = Omit<InvoiceLineRow, 'id' | 'invoiceId' | 'position'>;

/** Makes the lines of one kind, in their order; `before` are the lines of the kinds before it. */
export type LineSource = (details: LineDetails, before: readonly LineDraft[]) => readonly LineDraft[];

/** Fields most lines leave empty. */
export const emptyLine = {
  featureName: null,
  includedAmount: null,
  usedAmount: null,
  overageAmount: null,
  discountType: null,
  discountValue: null,
  discountName: null,
  offerId: null,
  creditId: null,
  periodStart: null,
  periodEnd: null,
} as const;
