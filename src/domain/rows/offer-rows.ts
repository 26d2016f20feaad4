import type { OfferApplicationSource, OfferApplicationStatus, RecurringInterval } from './enums.ts';

type Phase = {
  readonly durationInterval: RecurringInterval | null;
  /** Start of the phase in ISO 8601. `null` if the offer isn't applied yet (OFR-7). */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
};

/**
 * Phase of an applied offer, in the currency of the subscription. Amounts are in minor units, percentages in basis
 * points (OFR-2).
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
      /** Billing interval of the plan's base price during the phase. Absent if it's the plan's interval (OFR-13). */
      readonly cadence?: RecurringInterval;
    });

/**
 * Quoted or accepted offer, with the amounts of the first charge (OFR-16). The amounts are `null` if the
 * offer is only a trial.
 */
export type OfferApplicationRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly subscriptionId: string;
  readonly name: string;
  readonly targetType: 'plan_price' | 'addon' | 'credit_pack';
  readonly targetId: string;
  readonly offerId: string | null;
  /** Promo code that was redeemed. `null` if the offer wasn't applied by a promo code. */
  readonly promoCodeId: string | null;
  /** Card promotion that matched. `null` if the offer wasn't applied by a card promotion. */
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
  /** Time at which the offer ended early (OFR-19). The stored phases don't change. */
  readonly endedAt: Date | null;
};

/**
 * Settled redemption of a promo code (OFR-37). `value` is in basis points for a percentage, otherwise in
 * minor units. `amountMinor` is the discount on the first charge.
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
