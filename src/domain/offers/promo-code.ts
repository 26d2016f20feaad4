import type { Rejection } from '../errors/errors.ts';
import { defaultRejection } from '../errors/errors.ts';
import type { BillingInterval } from '../rows/enums.ts';
import { applicability, canBePromoted, type OfferRow } from './offer.ts';

/**
 * Code that customers can redeem for an offer (OFR-33). If `planIds` is empty, the code applies to all
 * plans. A limit of `null` means no limit.
 */
export type PromoCodeRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly offerId: string;
  readonly billingInterval: BillingInterval | null;
  readonly planIds: readonly string[];
  readonly maxRedemptions: bigint | null;
  readonly redemptionCount: bigint;
  readonly expiresAt: Date | null;
  readonly isActive: boolean;
};

/** Normalizes a code for storage and lookup: trimmed and uppercase (OFR-33). */
export const normalizedCode = (code: string): string => code.trim().toUpperCase();

/** Returns true if the code has reached its redemption limit. */
export const isUsedUp = ({ maxRedemptions, redemptionCount }: PromoCodeRow): boolean =>
  maxRedemptions !== null && redemptionCount >= maxRedemptions;

export type PromoUse = {
  readonly now: Date;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly currency: string;
  /** True if the customer has already redeemed the code. */
  readonly isRedeemed: boolean;
  /** True if an introductory offer applies to the customer. */
  readonly hasIntroduction: boolean;
};

/** Reasons for the rejection of a promo code, in `details.reason` (OFR-34). */
export type PromoReason =
  | 'inactive'
  | 'expired'
  | 'max_redemptions_reached'
  | 'already_redeemed'
  | 'plan_not_eligible'
  | 'interval_not_eligible'
  | 'intro_offer_active'
  | 'currency_not_configured'
  | 'offer_inactive'
  | 'below_minimum';

type Check = readonly [
  reason: PromoReason,
  code: 'promo_code_expired' | 'offer_not_applicable',
  message: string,
  fails: (code: PromoCodeRow, offer: OfferRow, use: PromoUse) => boolean,
];

const isOfferGone = (offer: OfferRow, { currency, now }: PromoUse): boolean =>
  !canBePromoted(offer.phases) ||
  !['applicable', 'currency_not_configured'].includes(applicability(offer, currency, now));

/** Promo code checks 2 to 9 (OFR-34), in order. */
const checks: readonly Check[] = [
  ['inactive', 'promo_code_expired', "The promo code isn't active.", ({ isActive }) => !isActive],
  [
    'expired',
    'promo_code_expired',
    'The promo code has expired.',
    ({ expiresAt }, _offer, { now }) => expiresAt !== null && expiresAt <= now,
  ],
  [
    'max_redemptions_reached',
    'promo_code_expired',
    'The promo code has reached its redemption limit.',
    isUsedUp,
  ],
  [
    'already_redeemed',
    'offer_not_applicable',
    'The customer has already used the promo code.',
    (_code, _offer, use) => use.isRedeemed,
  ],
  [
    'plan_not_eligible',
    'offer_not_applicable',
    "The promo code doesn't apply to this plan.",
    ({ planIds }, _offer, { planId }) => planIds.length > 0 && !planIds.includes(planId),
  ],
  [
    'interval_not_eligible',
    'offer_not_applicable',
    "The promo code doesn't apply to this billing interval.",
    (code, _offer, use) => code.billingInterval !== null && code.billingInterval !== use.billingInterval,
  ],
  [
    'intro_offer_active',
    'offer_not_applicable',
    'An introductory offer applies instead of the promo code.',
    (_code, _offer, use) => use.hasIntroduction,
  ],
  [
    'offer_inactive',
    'offer_not_applicable',
    "The promo code's offer is no longer available.",
    (_code, offer, use) => isOfferGone(offer, use),
  ],
  [
    'currency_not_configured',
    'offer_not_applicable',
    "The promo code's offer has no amount in this currency.",
    (_code, offer, { currency, now }) => applicability(offer, currency, now) === 'currency_not_configured',
  ],
];

/** Returns the rejection for a promo code, with a reason from OFR-34. */
export const promoRejection = (code: Check[1], reason: PromoReason, message: string): Rejection => ({
  code,
  message,
  param: 'promoCode',
  details: { reason },
});

/** Rejection for a code that doesn't exist (OFR-34 check 1). */
export const unknownPromoCode: Rejection = defaultRejection('promo_code_not_found', { param: 'promoCode' });

/**
 * Returns the reason why an existing promo code can't be redeemed, or `null` if it can be redeemed. The first failed
 * check determines the reason (OFR-34 checks 2 to 9).
 */
export function promoCodeRejection(code: PromoCodeRow, offer: OfferRow, use: PromoUse): Rejection | null {
  const failed = checks.find(([, , , fails]) => fails(code, offer, use));
  return failed === undefined ? null : promoRejection(failed[1], failed[0], failed[2]);
}
