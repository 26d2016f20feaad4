/** Statuses of a subscription (SUB-1). */
export type SubscriptionStatus =
  | 'draft'
  | 'pending_payment'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled';

/** How often the plan base is charged; `one_time` charges it once (GLO-20). */
export type BillingInterval = 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'one_time';

/** An interval that repeats. */
export type RecurringInterval = Exclude<BillingInterval, 'one_time'>;

/** Connection kinds (PAY-11); only `platform` can be used so far. */
export type PaymentProvider = 'platform' | 'stripe' | 'dlocal';

/** What kind of capability a feature is (CAT-1). */
export type FeatureType = 'boolean' | 'usage' | 'seats' | 'quota';

/** How a plan's usage is paid for (CAT-7). */
export type ConsumptionModel = 'metered' | 'credits' | 'balance';

/** How an add-on's units are paid for; `boolean` has none (CAT-42). */
export type AddonConsumptionModel = ConsumptionModel | 'boolean';

/** How a unit price is found: fixed, or from the catalog of AI models (CAT-35). */
export type PricingMode = 'fixed' | 'ai_model';

/** Statuses of an invoice; `paid`, `void` and `uncollectible` are terminal (BIL-24). */
export type InvoiceStatus = 'draft' | 'outstanding' | 'paid' | 'void' | 'uncollectible';

/** Why an invoice was made (section 3 of the billing rules). */
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

/** What a line charges or takes off (BIL-13). */
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

/** When a line is charged: before its span, after it, or neither. */
export type InvoiceChargeType = 'standard' | 'advance' | 'true_up';

/** Statuses of a payment attempt (PAY-21). */
export type TransactionStatus = 'pending' | 'succeeded' | 'failed' | 'refunded' | 'disputed';

/** How a dispute ended (PAY-32). */
export type DisputeOutcome = 'won' | 'lost';

/** Statuses of a refund, the same for every provider (PAY-26). */
export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

/** Why money is returned (PAY-26). */
export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer';

/** Where a customer credit came from (BIL-19). */
export type CustomerCreditSource = 'dashboard' | 'api' | 'plan_change' | 'migration';

/** The channel that brought an offer (OFR-26). */
export type OfferApplicationSource =
  | 'direct'
  | 'introductory'
  | 'promo_code'
  | 'card_promotion'
  | 'retention'
  | 'custom';

/** States of an offer application (OFR-15). */
export type OfferApplicationStatus = 'quoted' | 'applied' | 'failed' | 'expired';

/** Whether a deadline may run, waits for something else, or has failed. */
export type DeadlineState = 'ready' | 'parked' | 'failed';

/** Whether a plan grant gives access, or how it ended (SUB-56). */
export type PlanGrantStatus = 'active' | 'expired' | 'revoked';

/** How a plan grant ends (SUB-55). */
export type PlanGrantDuration = 'cycles' | 'until_date' | 'until_revoked';

/** Who makes and changes plan grants: people on dashboards, or API keys (PLT-8). */
export type PlanGrantSource = 'dashboard' | 'api';

/** What happens to plan grants (SUB-58). */
export type PlanGrantEntryType = 'created' | 'updated' | 'expired' | 'revoked';

/** Why the entitlements of a customer may have changed; the `trigger` of `customer.state_changed`. */
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
