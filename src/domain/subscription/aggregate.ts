import type { ConsumptionAccountRow, ConsumptionEntryRow, FeatureCountRow, UsageCounterRow } from '../consumption/rows.ts';
import type { SettlementTerms } from '../fees.ts';
import type { CardPromotionRow } from '../offer/card-promotion.ts';
import type { OfferRow } from '../offer/offer.ts';
import type { PromoCodeRow } from '../offer/promo-code.ts';
import type { PaymentRow } from '../payment/rows.ts';
import type { Catalog, CreditPackRow } from '../pricing/catalog.ts';
import type { ComputeTax, TaxRegistration } from '../tax.ts';
import type { ChangeSet, Outcome } from './changes.ts';
import type { PlanGrantRow } from './grant-rows.ts';
import type {
  AddonActivationRow,
  CreditUse,
  CustomerCreditRow,
  CustomerRow,
  DeadlineRow,
  InvoiceRow,
  OfferApplicationRow,
  PaymentMethodRow,
  PromoRedemptionRow,
  RefundRow,
  SubscriptionRow,
  TransactionRow,
} from './rows.ts';

export * from './changes.ts';
export * from './commands.ts';
export type * from './grant-rows.ts';
export * from './rows.ts';

/** What decisions need to know of the environment. */
export type EnvironmentFacts = {
  readonly organizationId: string;
  /** Where the organization sells from; null when it has not said. */
  readonly organizationCountry: string | null;
  readonly livemode: boolean;
  readonly cardPromotions: boolean;
  readonly settlement: SettlementTerms;
};

/** One customer's billing state: all a decision may look at. Never changed; a decision answers the next one. */
export type Aggregate = {
  readonly environment: EnvironmentFacts;
  readonly customer: CustomerRow;
  /** All that are not canceled, and the one addressed. */
  readonly subscriptions: readonly SubscriptionRow[];
  /** Draft and outstanding ones, and the one addressed. */
  readonly invoices: readonly InvoiceRow[];
  readonly paymentMethods: readonly PaymentMethodRow[];
  /** Pending ones, those in an open dispute, and those of the invoices above. */
  readonly transactions: readonly TransactionRow[];
  /** The one-time payments named, and those the attempts named are of; empty for other commands. */
  readonly payments: readonly PaymentRow[];
  /** Those a gateway has not answered finally. */
  readonly refunds: readonly RefundRow[];
  /** Those of the subscriptions above. */
  readonly offerApplications: readonly OfferApplicationRow[];
  /** All of the subscriptions above, and those of the customer itself. */
  readonly deadlines: readonly DeadlineRow[];
  /** Those that can still be used, those the invoices above took from, and the one addressed. */
  readonly credits: readonly CustomerCreditRow[];
  /** What the invoices above took from credits. */
  readonly creditUses: readonly CreditUse[];
  readonly catalog: Catalog;
  /** Those a creation or a checkout can lead to; empty for other commands. */
  readonly offers: readonly OfferRow[];
  /** Those named, and those of the quotes above, with the count of their redemptions. */
  readonly promoCodes: readonly PromoCodeRow[];
  /** The one a creation names, and those of the card typed in at a checkout; empty for other commands. */
  readonly cardPromotions: readonly CardPromotionRow[];
  /** Of these promo codes, by this customer. */
  readonly redemptions: readonly PromoRedemptionRow[];
  /** Those of the subscriptions above. */
  readonly accounts: readonly ConsumptionAccountRow[];
  /** Those of the subscriptions above, of whatever window. */
  readonly counters: readonly UsageCounterRow[];
  /** Consumption that brought the balances above below 0, the latest first, as far as a deficit reaches (CON-27). */
  readonly draws: readonly ConsumptionEntryRow[];
  /** Seats and quota of the customer. */
  readonly counts: readonly FeatureCountRow[];
  /** Add-ons of the subscriptions above: those active, and those that ended in the open billing period. */
  readonly addons: readonly AddonActivationRow[];
  /** Those named, deleted or not; empty for other commands. */
  readonly creditPacks: readonly CreditPackRow[];
  /** Active plan grants of the subscriptions above. */
  readonly grants: readonly PlanGrantRow[];
  readonly taxRegistrations: readonly TaxRegistration[];
};

/** What a decision needs from outside besides its inputs. */
export type Tools = {
  /** A new opaque id with this prefix (GLO-1); the underscore is added. */
  readonly newId: (prefix: string) => string;
  readonly tax: ComputeTax;
};

/** A decision: the next aggregate (the given one with the changes applied), what to write, and how the command ended. */
export type Decision = { readonly aggregate: Aggregate; readonly changes: ChangeSet; readonly outcome: Outcome };
