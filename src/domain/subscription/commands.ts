import type { ChargeResult } from '../gateway.ts';
import type { PaymentCommand } from '../payment/commands.ts';
import type { BillingInterval, CustomerCreditSource, DisputeOutcome, PlanGrantDuration, PlanGrantSource, RefundReason } from '../words.ts';
import type { ChangePlanCommand, RevokeChangeCommand } from './change-commands.ts';
import type { Address, Metadata, MethodFacts, SeatCounts } from './rows.ts';

/** `dueAt` decides periods, anchors and which versions hold; `now` decides issue dates, attempt times, slots and event times (protocols B2). */
type Timed = { readonly dueAt: Date; readonly now: Date };

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
};

/** Creates a subscription, or answers the pending one that is the same (SUB-6 … SUB-14). */
export type CreateCommand = Timed & { readonly kind: 'subscription.create'; readonly selection: CreateSelection };

/** Cancels at the period end, or at once (SUB-23, SUB-24). */
export type CancelCommand = Timed & {
  readonly kind: 'subscription.cancel';
  readonly subscriptionId: string;
  readonly reason: string | null;
  readonly immediate: boolean;
};

/** Withdraws a scheduled cancellation (SUB-29). */
export type UncancelCommand = Timed & { readonly kind: 'subscription.uncancel'; readonly subscriptionId: string };

/** Charges the outstanding invoice of a past-due subscription by hand, which uses up the next dunning slot (SUB-30, BIL-42). */
export type RetryCommand = Timed & { readonly kind: 'subscription.retry'; readonly subscriptionId: string };

/** Collects what a past-due subscription owes, or starts a canceled one anew, perhaps with an offer (SUB-30, SUB-31). */
export type ReactivateCommand = Timed & {
  readonly kind: 'subscription.reactivate';
  readonly subscriptionId: string;
  readonly offerId: string | null;
};

/** Pays what keeps a subscription from running by a method typed in at the recovery page (SUB-32, SUB-35). */
export type RecoveryPayCommand = Timed & {
  readonly kind: 'recovery.pay';
  readonly subscriptionId: string;
  readonly invoiceId: string;
  readonly method: MethodFacts;
};

/** Stores a method typed in at the page for it, in place of the one a subscription has (SUB-36). */
export type UpdateMethodCommand = Timed & {
  readonly kind: 'method.update';
  readonly subscriptionId: string;
  readonly method: MethodFacts;
};

/** Quotes a direct offer in an open checkout, or applies it to a running subscription (OFR-21). `expiresAt` ends the quote. */
export type ApplyOfferCommand = Timed & {
  readonly kind: 'offer.apply';
  readonly subscriptionId: string;
  readonly offerId: string;
  readonly expiresAt: Date | null;
};

/** Takes the direct offer off an open checkout (OFR-24). */
export type RemoveOfferCommand = Timed & { readonly kind: 'offer.remove'; readonly subscriptionId: string };

/** Pays or sets up an open checkout with a method (SUB-15 … SUB-18). */
export type CheckoutPayCommand = Timed & {
  readonly kind: 'checkout.pay';
  readonly subscriptionId: string;
  readonly method: MethodFacts;
  readonly billingAddress?: Address | null;
  readonly taxDocument?: string | null;
  /** A promo code typed in, in any case (OFR-26 line 8). */
  readonly promoCode?: string | null;
  /** The attempt whose authentication was given up before, and taken back where its gateway is reached over a network; null where none was. */
  readonly givenUp: string | null;
};

/** Ends an authentication the issuer asked for at the checkout (protocols D4). */
export type CheckoutAuthenticateCommand = Timed & {
  readonly kind: 'checkout.authenticate';
  readonly subscriptionId: string;
  readonly succeed: boolean;
};

/** Issues an invoice by hand that corrects what was billed (BIL-23). `amountMinor` is not 0; negative for a credit. */
export type AdjustCommand = Timed & {
  readonly kind: 'invoice.adjust';
  readonly amountMinor: bigint;
  readonly description: string;
  readonly metadata: Metadata;
};

/** Marks an outstanding invoice paid or void by hand (BIL-25, BIL-26). */
export type MarkInvoiceCommand = Timed & { readonly kind: 'invoice.mark'; readonly invoiceId: string; readonly status: 'paid' | 'void' };

/** Grants a customer credit of an amount above 0, under an id given by the caller (BIL-19). */
export type GrantCreditCommand = Timed & {
  readonly kind: 'credit.grant';
  readonly creditId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly source: CustomerCreditSource;
  readonly reason: string;
  readonly expiresAt: Date | null;
};

/** Withdraws what is left of a customer credit (BIL-19). */
export type RevokeCreditCommand = Timed & { readonly kind: 'credit.revoke'; readonly creditId: string };

/** One change of a count. `add` and `remove` come with a count of at least 1, `set` with one of at least 0 (CON-36). */
export type CountChange = {
  /** Id of the event that records it. */
  readonly eventId: string;
  readonly featureCode: string;
  readonly op: 'add' | 'remove' | 'set';
  readonly count: bigint;
  /** The caller's path to the change, where feature and count have one in common. */
  readonly param?: string;
};

/** Changes counts of seats or of quota, all or none (CON-35 to CON-52). A feature is named at most once. */
export type ChangeCountsCommand = Timed & {
  readonly kind: 'counts.change';
  readonly type: 'seats' | 'quota';
  readonly changes: readonly CountChange[];
};

/** A pool of a subscription: whole credits, or a balance at rate scale. */
export type PoolKind = 'credits' | 'balance';

/** Corrects a pool by hand, without a charge (CON-21, CON-26). `amount` is not 0; without a pool that of the plan is meant. */
export type AdjustBalanceCommand = Timed & {
  readonly kind: 'balance.adjust';
  readonly subscriptionId: string;
  readonly pool: PoolKind | null;
  readonly amount: bigint;
  readonly reason: string | null;
};

/** Buys balance for an amount above 0, minor units of the subscription's currency (CON-25). */
export type TopUpCommand = Timed & { readonly kind: 'balance.topup'; readonly subscriptionId: string; readonly amountMinor: bigint };

/** Buys a credit pack (CON-20). */
export type PurchaseCreditsCommand = Timed & {
  readonly kind: 'credits.purchase';
  readonly subscriptionId: string;
  readonly creditPackId: string;
};

/** Switches an add-on on, named by id or slug (SUB-70, SUB-71). */
export type ActivateAddonCommand = Timed & { readonly kind: 'addon.activate'; readonly subscriptionId: string; readonly addonId: string };

/** Switches an add-on off, named by id or slug (SUB-73). */
export type DeactivateAddonCommand = Timed & {
  readonly kind: 'addon.deactivate';
  readonly subscriptionId: string;
  readonly addonId: string;
};

/** How long a plan grant lasts (SUB-55): `durationCycles` with `cycles` only, `requestedExpiresAt` with `until_date` only. */
export type GrantTerm = {
  readonly duration: PlanGrantDuration;
  /** Boundaries from now on, at least 1. */
  readonly durationCycles: number | null;
  readonly requestedExpiresAt: Date | null;
};

/** Why a plan grant is made or changed, and by whom. */
type GrantCause = { readonly reason: string; readonly source: PlanGrantSource };

/** Gives a subscription access to a higher plan, under an id given by the caller (SUB-53). */
export type CreateGrantCommand = Timed &
  GrantTerm &
  GrantCause & { readonly kind: 'grant.create'; readonly subscriptionId: string; readonly grantId: string; readonly planId: string };

/** Replaces the duration of a plan grant (SUB-56). */
export type UpdateGrantCommand = Timed & GrantTerm & GrantCause & { readonly kind: 'grant.update'; readonly grantId: string };

/** Ends a plan grant at once (SUB-56). */
export type RevokeGrantCommand = Timed & GrantCause & { readonly kind: 'grant.revoke'; readonly grantId: string };

/** The answer to a charge request; `transactionId` is that of the request. */
export type ChargeResultCommand = Timed & { readonly kind: 'charge.result'; readonly transactionId: string; readonly result: ChargeResult };

/** Returns money of a settled attempt under a refund id given by the caller (PAY-26); all that is left of it when the amount is null. */
export type RefundCommand = Timed & {
  readonly kind: 'transaction.refund';
  readonly transactionId: string;
  readonly refundId: string;
  /** Minor units of the charge, above 0. */
  readonly amountMinor: bigint | null;
  readonly reason: RefundReason | null;
};

/** Tries the invoice behind a failed attempt again (PAY-31). */
export type RetryTransactionCommand = Timed & { readonly kind: 'transaction.retry'; readonly transactionId: string };

/** The payer contests a settled attempt, for the provider's reason (PAY-32). */
export type OpenDisputeCommand = Timed & { readonly kind: 'dispute.open'; readonly transactionId: string; readonly reason: string | null };

/** A dispute ended (PAY-32). */
export type ResolveDisputeCommand = Timed & {
  readonly kind: 'dispute.resolve';
  readonly transactionId: string;
  readonly outcome: DisputeOutcome;
};

type DueItself = Timed & { /** The deadline this command was made of. */ readonly deadlineId: string };
type Due = DueItself & { readonly subscriptionId: string };

/** A quote runs out (OFR-17). */
export type QuoteExpiryCommand = Due & { readonly kind: 'quote_expiry' };
/** A plan grant runs out (SUB-56). */
export type GrantExpiryCommand = Due & { readonly kind: 'grant_expiry' };
/** A draft begins (SUB-10). */
export type StartCommand = Due & { readonly kind: 'start' };
/** A trial ends (BIL-12). */
export type TrialEndCommand = Due & { readonly kind: 'trial_end' };
/** A billing period ends (BIL-6). */
export type PeriodEndCommand = Due & { readonly kind: 'period_end' };
/** A consumption window ends inside a period, or one of a free or one-time plan (BIL-9, BIL-10). */
export type WindowResetCommand = Due & { readonly kind: 'window_reset' };
/** A dunning slot, 1 to 4, is due (BIL-45). */
export type DunningRetryCommand = Due & { readonly kind: 'dunning_retry'; readonly slot: number };
/** A daily notice is due (BIL-4); its deadline says which. Without a subscription it is about an invoice that has none. */
export type DailyScanCommand = DueItself & { readonly kind: 'daily_scan'; readonly subscriptionId: string | null };

/** Commands that deadlines become. */
export type DeadlineCommand =
  | QuoteExpiryCommand
  | GrantExpiryCommand
  | StartCommand
  | TrialEndCommand
  | PeriodEndCommand
  | WindowResetCommand
  | DunningRetryCommand
  | DailyScanCommand;

/** Everything that can be asked of one customer's billing state. */
export type Command =
  | CreateCommand
  | CancelCommand
  | UncancelCommand
  | ChangePlanCommand
  | RevokeChangeCommand
  | RetryCommand
  | ReactivateCommand
  | RecoveryPayCommand
  | UpdateMethodCommand
  | ApplyOfferCommand
  | RemoveOfferCommand
  | CheckoutPayCommand
  | CheckoutAuthenticateCommand
  | AdjustCommand
  | MarkInvoiceCommand
  | GrantCreditCommand
  | RevokeCreditCommand
  | ChangeCountsCommand
  | AdjustBalanceCommand
  | TopUpCommand
  | PurchaseCreditsCommand
  | ActivateAddonCommand
  | DeactivateAddonCommand
  | CreateGrantCommand
  | UpdateGrantCommand
  | RevokeGrantCommand
  | ChargeResultCommand
  | RefundCommand
  | RetryTransactionCommand
  | OpenDisputeCommand
  | ResolveDisputeCommand
  | PaymentCommand
  | DeadlineCommand;
