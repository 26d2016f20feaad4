export type SubscriptionStatus =
  | 'draft'
  | 'pending_payment'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled';

/** Interval at which the plan's base price is charged. With `one_time`, the base price is charged once (GLO-20). */
export type BillingInterval = 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'one_time';

export type RecurringInterval = Exclude<BillingInterval, 'one_time'>;

/** Providers of payment connections (PAY-11). */
export type PaymentProvider = 'platform' | 'stripe' | 'dlocal';

/** Providers that Quittance can't charge with. The API still accepts them (PAY-11). */
export const unavailableProviders: ReadonlySet<string> = new Set<PaymentProvider>(['dlocal']);

/** Access while the first payment of a subscription is processing (INS-30). */
export type ProcessingAccess = 'grant' | 'wait';

/** Effect of the last declined payment retry on a subscription (BIL-43). */
export type LastRetryAction = 'cancel' | 'keep_past_due';

/** Order in which invoices use customer credits (BIL-18). */
export type CreditOrder = 'oldest' | 'soonest_expiry';

export type FeatureType = 'boolean' | 'usage' | 'seats' | 'quota';

/** Charging model for usage on a plan (CAT-7). */
export type ConsumptionModel = 'metered' | 'credits' | 'balance';

/** Charging model for the units of an add-on. `boolean` add-ons have no units (CAT-42). */
export type AddonConsumptionModel = ConsumptionModel | 'boolean';

/** Statuses of an invoice. `paid`, `void`, and `uncollectible` are final (BIL-24). */
export type InvoiceStatus = 'draft' | 'outstanding' | 'paid' | 'void' | 'uncollectible';

/** Reason for an invoice (section 3 of the billing rules). */
export type InvoiceType =
  | 'recurring'
  | 'overage'
  | 'plan_change'
  | 'adjustment'
  | 'credit_purchase'
  | 'balance_topup'
  | 'addon_activation'
  | 'one_time_payment'
  | 'reactivation';

export type InvoiceLineType =
  | 'plan_base'
  | 'feature_overage'
  | 'feature_seats'
  | 'feature_quota'
  | 'discount'
  | 'promo_code_discount'
  | 'credit'
  | 'balance_overage'
  | 'addon_base'
  | 'one_time';

/** Timing of the charge for a line: `advance` before its period, `true_up` after it, otherwise `standard`. */
export type InvoiceChargeType = 'standard' | 'advance' | 'true_up';

/** Statuses of a payment attempt (PAY-21). */
export type TransactionStatus = 'pending' | 'succeeded' | 'failed' | 'refunded' | 'disputed';

/** Stages of a payment attempt. The stage refines the status (INS-10). */
export type TransactionStage =
  | 'scheduled'
  | 'requested'
  | 'awaiting_payer'
  | 'processing'
  | 'settled'
  | 'declined'
  | 'expired'
  | 'canceled'
  | 'returned';

/** Names of the instruments in the registry (INS-4). */
export type InstrumentName =
  | 'card'
  | 'apple_pay'
  | 'google_pay'
  | 'link'
  | 'paypal'
  | 'sepa_debit'
  | 'ach_debit'
  | 'bacs_debit'
  | 'becs_debit'
  | 'pad_debit'
  | 'pix_automatico'
  | 'pix'
  | 'ideal'
  | 'bancontact'
  | 'blik'
  | 'boleto'
  | 'oxxo'
  | 'bank_transfer';

/** Status of a receipt: not matched, partly on account, applied in full, or returned in full. */
export type ReceiptStatus = 'unmatched' | 'on_account' | 'applied' | 'returned';
export type ReceiptSource = 'manual' | 'simulation' | 'statement' | 'late_payment';

export type MandateStatus = 'active' | 'revoked';
/** Party that ended a mandate. */
export type MandateEnder = 'customer' | 'merchant' | 'bank';

export type DisputeOutcome = 'won' | 'lost';

/** Statuses of a refund. They're the same for all providers (PAY-26). */
export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer';

export type CreditNoteReason = 'refund' | 'void' | 'adjustment';

export type CustomerCreditSource = 'dashboard' | 'api' | 'plan_change' | 'migration';

export type OfferApplicationSource =
  | 'direct'
  | 'introductory'
  | 'promo_code'
  | 'card_promotion'
  | 'retention'
  | 'custom';

export type OfferApplicationStatus = 'quoted' | 'applied' | 'failed' | 'expired';

/** State of a deadline. `parked` deadlines wait for a later decision that makes them ready again. */
export type DeadlineState = 'ready' | 'parked' | 'failed';

/** Status of a plan grant. Every status except `active` states why the plan grant ended (SUB-56). */
export type PlanGrantStatus = 'active' | 'expired' | 'revoked';

export type PlanGrantDuration = 'cycles' | 'until_date' | 'until_revoked';

/** Source of a plan grant change: the dashboard or an API key (PLT-8). */
export type PlanGrantSource = 'dashboard' | 'api';

export type PlanGrantEntryType = 'created' | 'updated' | 'expired' | 'revoked';

/** Reason why a customer's access may have changed: `trigger` of `customer.state_changed`. */
export type StateTrigger =
  | 'subscription_created'
  | 'subscription_activated'
  | 'subscription_canceled'
  | 'plan_change'
  | 'past_due'
  | 'trial_started'
  | 'trial_converted'
  | 'trial_expired'
  | 'cancellation_scheduled'
  | 'cancellation_revoked'
  | 'seats_updated'
  | 'addon_activated'
  | 'addon_deactivated'
  | 'credits_depleted'
  | 'balance_depleted'
  | 'quota_exceeded'
  | 'plan_access_granted'
  | 'plan_access_ended';
