// What is stored of the offers and promo codes of a subscription.

import type { OfferApplicationSource, OfferApplicationStatus, RecurringInterval } from '../../enums.ts';

type Phase = {
  readonly durationInterval: RecurringInterval | null;
  /** ISO instants; null until the application is applied (OFR-7). */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
};

/**
 * A phase with its resolved value in the currency of the application; amounts in minor units, percentages in
 * basis points (OFR-2).
 */
export type ApplicationPhase =
  | (Phase & { readonly type: 'free_trial'; readonly durationDays: number })
  | (Phase & {
      readonly type: 'percentage';
      readonly percentage: number;
      readonly durationCycles: number | null;
    })
  | (Phase & { readonly type: 'amount_off'; readonly amount: number; readonly durationCycles: number | null })
  | (Phase & {
      readonly type: 'fixed_price';
      readonly price: number;
      readonly durationCycles: number | null;
      /**
       * The interval the base is billed in during the phase, where that is another than the plan's (OFR-13).
       */
      readonly cadence?: RecurringInterval;
    });

/**
 * Quoted or accepted terms of an offer (OFR-16); the amounts are those of the first charge, null for a pure
 * trial.
 */
export type OfferApplicationRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly subscriptionId: string;
  readonly name: string;
  readonly targetType: 'plan_price' | 'addon' | 'credit_pack';
  readonly targetId: string;
  readonly offerId: string | null;
  /** The code it came by; null for other channels. */
  readonly promoCodeId: string | null;
  /** The card promotion it came by; null for other channels. */
  readonly cardPromotionId: string | null;
  readonly source: OfferApplicationSource;
  readonly status: OfferApplicationStatus;
  readonly currency: string | null;
  readonly subtotalMinor: bigint | null;
  readonly discountMinor: bigint | null;
  readonly totalMinor: bigint | null;
  readonly phases: readonly ApplicationPhase[];
  readonly quotedAt: Date;
  readonly expiresAt: Date | null;
  readonly appliedAt: Date | null;
  /** When it ended before its phases ran out (OFR-19); what the phases say is never edited. */
  readonly endedAt: Date | null;
};

/**
 * A settled use of a promo code (OFR-37); `value` in basis points or minor units, `amountMinor` what the
 * first charge was lowered by.
 */
export type PromoRedemptionRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly promoCodeId: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly type: 'percentage' | 'amount_off';
  readonly value: bigint;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly createdAt: Date;
};
