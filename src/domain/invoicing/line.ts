import type { FeatureRow } from '../pricing/catalog.ts';
import type { BillingInterval } from '../rows/enums.ts';
import type { Explanation } from '../rows/explanation.ts';
import type { CarriedCharge, InvoiceLineRow, PendingCorrection } from '../rows/rows.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import type { Period } from '../time/period.ts';
import type { TrueUp } from '../usage/counts.ts';
import type { UsageTerms } from '../usage/terms.ts';
import type { WindowUse } from '../usage/window.ts';

/** Base price of the plan for the new period, in minor units. */
export type BaseDetails = {
  readonly planName: string;
  readonly billingInterval: BillingInterval;
  readonly amountMinor: bigint;
  /** True if an offer's fixed price replaces a lower base price of the plan (BIL-14). */
  readonly isFixedPrice: boolean;
};

/**
 * Offer discount on the plan's base price, as a positive amount in minor units. `value` is in basis points for a
 * percentage, otherwise in minor units.
 */
export type DiscountDetails = {
  readonly isPromoCode: boolean;
  readonly type: 'percentage' | 'amount';
  readonly value: bigint;
  readonly name: string;
  /** ID of the offer that grants the discount. `null` if the discount doesn't come from an offer. */
  readonly offerId: string | null;
  readonly amountMinor: bigint;
  readonly explanation: Explanation;
};

/** Usage of a metered feature in the ended usage window, with the terms that applied in that window. */
export type UsageDetails = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly use: WindowUse;
  readonly window: Period;
};

/**
 * Part of the negative amount of a pool, and the feature that caused it. `featureName` is `null` if no feature caused
 * this part.
 */
export type DeficitDetails = {
  readonly featureName: string | null;
  /** Amount below zero, in pool units. */
  readonly amount: bigint;
  /**
   * Price of the overdraft of a custom unit before and after this part, in units of 1 ÷ `scale` of the currency unit. Absent
   * if the pool contains money.
   */
  readonly priced?: { readonly before: bigint; readonly after: bigint; readonly scale: bigint };
  readonly amountMinor: bigint;
  readonly window: Period;
};

/**
 * Increases in the count of a seats or quota feature during the period that ended, with the terms at the end of that
 * period (CON-38).
 */
export type RiseDetails = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly rises: readonly TrueUp[];
  /** Number of days in the billing period. */
  readonly totalDays: bigint;
  /** End of the charged days, exclusive. */
  readonly until: Date;
};

/**
 * Count of a seats or quota feature at the start of the new period, with the terms of that period (CON-37).
 */
export type CountDetails = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly count: bigint;
};

/**
 * Charges of an add-on: the add-on's price for the new period, and the overage of the add-on's feature. Each is
 * `null` if there is nothing to charge.
 */
export type AddonDetails = {
  readonly name: string;
  readonly base: Explanation | null;
  readonly usage: UsageDetails | null;
};

/** Unused part of a plan's base price that was already paid, as a positive amount in minor units (SUB-39). */
export type ProrationDetails = {
  readonly planName: string;
  readonly daysRemaining: number;
  readonly totalDays: number;
  /** Amount that was paid for the full period. */
  readonly baseMinor: bigint;
  readonly amountMinor: bigint;
};

/** Minimum spend of the billing period that ends with an invoice (PRM-33). */
export type MinimumDetails = {
  /** Minimum for the full period, in minor units. */
  readonly amountMinor: bigint;
  /** Number of days of the period until its end, or until a plan change ends the period. */
  readonly days: bigint;
  readonly totalDays: bigint;
  /** Charges of the period on earlier invoices, in minor units. */
  readonly chargedMinor: bigint;
  readonly window: Period;
};

/** Inputs for computing the lines of an invoice. */
export type LineDetails = {
  readonly currency: string;
  /** Base price of the plan. `null` if no base price is charged. */
  readonly base: BaseDetails | null;
  /** Discount on the plan's base price. `null` if the base price isn't discounted. */
  readonly discount: DiscountDetails | null;
  /**
   * Charges carried over from earlier invoices whose totals were too small to charge. Absent if no charges
   * were carried over.
   */
  readonly carried?: readonly CarriedCharge[];
  /** Corrections of ended usage windows. Absent if the invoice has no corrections. */
  readonly corrections?: readonly PendingCorrection[];
  /** Unused part of a plan's base price that was already paid. Set only if a plan change ends the period. */
  readonly proration?: ProrationDetails;
  /** Prepaid commitments that pay for the usage lines, in draw order. Absent if the invoice type uses none (PRM-24). */
  readonly commitments?: readonly LotRow[];
  /** Usable customer credits in the invoice currency, in order of use. */
  readonly credits: readonly LotRow[];
  /** Usage of the plan's features. Sorted by feature code, as are `rises` and `counts`. */
  readonly usage: readonly UsageDetails[];
  readonly deficits: readonly DeficitDetails[];
  /** Increases in seats and quota during the period that ended, with the terms of that period. */
  readonly rises: readonly RiseDetails[];
  /** Minimum spend of the period that ended. Absent or `null` if the period had no minimum or doesn't end. */
  readonly minimum?: MinimumDetails | null;
  /** Seats and quota to charge in advance, with the terms of the new period. */
  readonly counts: readonly CountDetails[];
  readonly addons: readonly AddonDetails[];
};

/** Invoice line without IDs and position. */
export type LineDraft = Omit<InvoiceLineRow, 'id' | 'invoiceId' | 'position'>;

/**
 * Computes lines from the inputs of an invoice. `before` contains the preceding lines, which come from
 * other line sources.
 */
export type LineSource = (details: LineDetails, before: readonly LineDraft[]) => readonly LineDraft[];

export const emptyLine = {
  exactQuantity: null,
  exactUnitAmount: null,
  featureName: null,
  includedAmount: null,
  usedAmount: null,
  overageAmount: null,
  discountType: null,
  discountValue: null,
  discountName: null,
  offerId: null,
  creditId: null,
  correctionId: null,
  periodStart: null,
  periodEnd: null,
} as const;
