import type { BillingInterval, PaymentProvider } from '../words.ts';

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
};
