import type { BillingInterval, PaymentProvider } from '../../enums.ts';
import type { Language } from '../../page-language.ts';

/** Counts by seats feature code; whole numbers of at least 0. */
export type SeatCounts = { readonly [code: string]: number };

/** The resolved choices of the creating call, compared when a checkout is asked for again (SUB-12). */
export type StoredSelection = {
  readonly planId: string;
  readonly priceId: string | null;
  readonly billingInterval: BillingInterval | null;
  readonly provider: PaymentProvider | null;
  /** The connection of the organization that was named; absent without one. */
  readonly connectionId?: string;
  readonly offerId: string | null;
  readonly promoCode: string | null;
  readonly cardPromotionId: string | null;
  readonly customTrialDays: number | null;
  readonly skipTrial: boolean;
  /** UTC date `YYYY-MM-DD` of a later start; null when it starts at once. */
  readonly startDate: string | null;
  /** The language of the checkout; absent where none was named. It is not compared. */
  readonly locale?: Language;
  /** When a payer last accepted the terms of the seller at the checkout, ISO 8601; absent where nobody did. */
  readonly termsAcceptedAt?: string;
  /**
   * Wrong security codes that were typed in for a stored card at the checkout; absent for none. It is not
   * compared.
   */
  readonly wrongCodes?: number;
};

/** The choices of a creating call (SUB-6), as the caller made them. Absent and null mean the same. */
export type CreateSelection = {
  readonly planId?: string | null;
  readonly planCode?: string | null;
  readonly billingInterval?: BillingInterval | null;
  readonly priceId?: string | null;
  readonly initialSeats?: SeatCounts | null;
  /** A provider name or the id of a connection. */
  readonly provider?: string | null;
  /** The connection of the organization it names, where there is one. */
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
  /** The language of the checkout. */
  readonly locale?: Language | null;
};

/** The choices of an offer, a promo code, a card promotion or a trial. Absent and null mean the same. */
export type OfferControls = Pick<
  CreateSelection,
  'offerId' | 'promoCode' | 'cardPromotionId' | 'customTrialDays' | 'skipTrial'
>;
