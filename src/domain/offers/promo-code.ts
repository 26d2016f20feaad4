import type { BillingInterval } from '../enums.ts';
import type { Rejection } from '../errors.ts';
import { defaultRejection } from '../errors.ts';
import { applicability, canBePromoted, type OfferRow } from './offer.ts';

/**
 * A code that hands out an offer (OFR-33). An empty list of plans stands for all of them, a null bound for
 * none.
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

/** A code as it is stored and looked up: upper case (OFR-33). */
export const normalizedCode = (code: string): string => code.trim().toUpperCase();

/** Whether a code has been redeemed as often as it may be. */
export const isUsedUp = ({ maxRedemptions, redemptionCount }: PromoCodeRow): boolean =>
  maxRedemptions !== null && redemptionCount >= maxRedemptions;

/** Where a code is to be used. */
export type PromoUse = {
  readonly now: Date;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly currency: string;
  /** Whether this customer has redeemed the code before. */
  readonly isRedeemed: boolean;
  /** Whether an introductory offer awaits this customer on the price. */
  readonly hasIntroduction: boolean;
};

/** The fine reasons of a rejected code, in `details.reason` (OFR-34). */
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

/** Checks 2 to 9 of OFR-34 in their order. */
const checks: readonly Check[] = [
  ['inactive', 'promo_code_expired', 'The promo code is switched off.', ({ isActive }) => !isActive],
  [
    'expired',
    'promo_code_expired',
    'The promo code has expired.',
    ({ expiresAt }, _offer, { now }) => expiresAt !== null && expiresAt <= now,
  ],
  ['max_redemptions_reached', 'promo_code_expired', 'The promo code is used up.', isUsedUp],
  [
    'already_redeemed',
    'offer_not_applicable',
    'The customer has used the promo code before.',
    (_code, _offer, use) => use.isRedeemed,
  ],
  [
    'plan_not_eligible',
    'offer_not_applicable',
    'The promo code is for other plans.',
    ({ planIds }, _offer, { planId }) => planIds.length > 0 && !planIds.includes(planId),
  ],
  [
    'interval_not_eligible',
    'offer_not_applicable',
    'The promo code is for another billing interval.',
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
    'The offer of the promo code is not available.',
    (_code, offer, use) => isOfferGone(offer, use),
  ],
  [
    'currency_not_configured',
    'offer_not_applicable',
    'The offer of the promo code has no amount in this currency.',
    (_code, offer, { currency, now }) => applicability(offer, currency, now) === 'currency_not_configured',
  ],
];

/** The rejection of a promo code for one of the reasons of OFR-34. */
export const promoRejection = (code: Check[1], reason: PromoReason, message: string): Rejection => ({
  code,
  message,
  param: 'promoCode',
  details: { reason },
});

/** The rejection of a code that does not exist (OFR-34 check 1). */
export const unknownPromoCode: Rejection = defaultRejection('promo_code_not_found', { param: 'promoCode' });

/**
 * Why a promo code that exists cannot be used; null when it can. The first check that fails decides (OFR-34
 * checks 2 to 9).
 */
export function promoCodeRejection(code: PromoCodeRow, offer: OfferRow, use: PromoUse): Rejection | null {
  const failed = checks.find(([, , , fails]) => fails(code, offer, use));
  return failed === undefined ? null : promoRejection(failed[1], failed[0], failed[2]);
}
