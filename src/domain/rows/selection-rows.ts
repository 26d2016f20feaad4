import type { Language } from '../text/language.ts';
import type { BillingInterval, PaymentProvider } from './enums.ts';

/** Numbers of seats by feature code. Each number is a non-negative whole number. */
export type SeatCounts = { readonly [code: string]: number };

/**
 * Resolved input that the subscription was created with. Later requests are compared with this input to find an
 * identical checkout (SUB-12).
 */
export type StoredSelection = {
  readonly planId: string;
  readonly priceId: string | null;
  readonly billingInterval: BillingInterval | null;
  readonly provider: PaymentProvider | null;
  /** Connected account that was selected. Absent if no account was selected. */
  readonly connectionId?: string;
  readonly offerId: string | null;
  readonly promoCode: string | null;
  readonly cardPromotionId: string | null;
  readonly customTrialDays: number | null;
  readonly skipTrial: boolean;
  /** UTC date `YYYY-MM-DD` on which the subscription starts. `null` if it starts immediately. */
  readonly startDate: string | null;
  /** Language of the checkout. Absent if no language was selected. Not compared with later requests. */
  readonly locale?: Language;
  /**
   * Time in ISO 8601 at which a payer last accepted the merchant's terms. Absent if no payer has accepted
   * them.
   */
  readonly termsAcceptedAt?: string;
  /**
   * Number of wrong security codes entered for a saved card. Absent if no wrong code was entered. Not
   * compared with later requests.
   */
  readonly wrongCodes?: number;
};

/** Input for creating a subscription (SUB-6). Absent and `null` are equivalent. */
export type CreateSelection = {
  readonly planId?: string | null;
  readonly planCode?: string | null;
  readonly billingInterval?: BillingInterval | null;
  readonly priceId?: string | null;
  readonly initialSeats?: SeatCounts | null;
  /** Name of the payment provider, or ID of a connected account. */
  readonly provider?: string | null;
  /** ID of the connected account that `provider` refers to, if any. */
  readonly connectionId?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly startDate?: Date | null;
  readonly successUrl?: string | null;
  readonly offerId?: string | null;
  readonly promoCode?: string | null;
  readonly cardPromotionId?: string | null;
  readonly customTrialDays?: number | null;
  readonly skipTrial?: boolean | null;
  readonly locale?: Language | null;
};

/** Selected offer, promo code, card promotion, or trial. Absent and `null` are equivalent. */
export type OfferControls = Pick<
  CreateSelection,
  'offerId' | 'promoCode' | 'cardPromotionId' | 'customTrialDays' | 'skipTrial'
>;
