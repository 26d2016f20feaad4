import type { InvoiceSeller } from '../../invoicing/parties.ts';
import type { SettlementTerms } from '../../money/fees.ts';
import type { CardPromotionRow } from '../../offers/card-promotion.ts';
import type { OfferRow } from '../../offers/offer.ts';
import type { PromoCodeRow } from '../../offers/promo-code.ts';
import type { Processors } from '../../payments/processors.ts';
import type { Catalog, CreditPackRow } from '../../pricing/catalog.ts';
import type { CreditOrder, ProcessingAccess } from '../../rows/enums.ts';
import type { CustomerLevelRow } from '../../rows/level-row.ts';
import type { CreditUse, CustomerRow, DeadlineRow, RetryTerms } from '../../rows/rows.ts';
import type { ConsumptionEntryRow, MeasuredEventRow } from '../../rows/usage-rows.ts';
import type { ComputeTax, TaxRegistration } from '../../tax/tax.ts';
import type { LevelLimits } from '../../usage/level-limits.ts';
import type { ChangeSet, Outcome } from './changes.ts';
import type { LoadedTable, PerTable } from './tables.ts';

export type * from '../../rows/grant-rows.ts';
export * from '../../rows/rows.ts';
export * from './changes.ts';
export type { RowChanges } from './tables.ts';

/** Settings of the environment and organization that decisions use. */
export type EnvironmentDetails = {
  readonly organizationId: string;
  /** Country of the organization. `null` if it's unknown. */
  readonly organizationCountry: string | null;
  /** Details of the organization for new invoices. */
  readonly seller: InvoiceSeller;
  readonly livemode: boolean;
  /** Processors that can charge the organization's customers. */
  readonly processors: Processors;
  readonly cardPromotions: boolean;
  /** True if each customer can have only one trial (OFR-30). */
  readonly oneTrialPerCustomer: boolean;
  /** Hours until an unpaid checkout of a new subscription is canceled. `null` if checkouts don't expire (SUB-14). */
  readonly checkoutExpiryHours: number | null;
  /** True if refunds of credits and top-ups remove the unused amount (PRM-23). */
  readonly refundTakesBack: boolean;
  readonly creditOrder: CreditOrder;
  /** Access while a first payment is processing. `null` if it depends on the instrument (INS-30). */
  readonly accessWhileProcessing: ProcessingAccess | null;
  /** True if the customer is asked to pay invoices that no stored payment method can be charged for (INS-24). */
  readonly collectByPayer: boolean;
  /** Days between the issue date and the due date of such invoices. */
  readonly collectionDueDays: number;
  /** Settings for the retries of failed payments. */
  readonly retryTerms: RetryTerms;
  readonly settlement: SettlementTerms;
};

/** Row that exists if the customer, or another customer with the same email address, has had a trial. */
export type TrialRow = { readonly customerId: string };

/**
 * Billing state of one customer, which is all that a decision may read. Immutable: decisions return a new
 * aggregate. `src/engine/load/tables.ts` defines which rows of each table are loaded.
 */
export type Aggregate = PerTable<LoadedTable, 'rows'> & {
  readonly environment: EnvironmentDetails;
  readonly customer: CustomerRow;
  /** Deadlines of the customer and of all its subscriptions. */
  readonly deadlines: readonly DeadlineRow[];
  readonly creditUses: readonly CreditUse[];
  readonly catalog: Catalog;
  /** Offers that the command can apply. Empty if the command doesn't involve offers, for example for a renewal. */
  readonly offers: readonly OfferRow[];
  /** Promo codes that the command or a quote refers to, with their redemption counts. */
  readonly promoCodes: readonly PromoCodeRow[];
  /** Card promotions that the command refers to or that match the entered card. Empty if the command involves no card promotions. */
  readonly cardPromotions: readonly CardPromotionRow[];
  /** Usage events that reduced balances below 0, newest first, up to the amount of the deficit (CON-27). */
  readonly draws: readonly ConsumptionEntryRow[];
  /** Usage events of open windows whose totals are known only at their end (PRM-121). */
  readonly measured: readonly MeasuredEventRow[];
  /** Levels of features that the customer holds, from the latest subscription with each level (PRM-14). */
  readonly levels: readonly CustomerLevelRow[];
  /** Credit packs that the command refers to, including deleted ones. */
  readonly creditPacks: readonly CreditPackRow[];
  /** Limits on numbers of seats and quota units. Empty unless the command changes such numbers. */
  readonly levelLimits: LevelLimits;
  readonly taxRegistrations: readonly TaxRegistration[];
  /** One row if the customer can't have another trial. Loaded only for commands that can start a trial. */
  readonly trials: readonly TrialRow[];
};

/** ID generator and tax calculation that a decision uses. */
export type DecisionDeps = {
  /** Returns a new opaque ID (GLO-1). The prefix doesn't include the underscore. */
  readonly newId: (prefix: string) => string;
  readonly tax: ComputeTax;
};

/** Result of a command: the changed aggregate, the changes to write, and the outcome. */
export type Decision = {
  readonly aggregate: Aggregate;
  readonly changes: ChangeSet;
  readonly outcome: Outcome;
};
