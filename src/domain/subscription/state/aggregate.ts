import type { SettlementTerms } from '../../fees.ts';
import type { InvoiceSeller } from '../../invoicing/parties.ts';
import type { CardPromotionRow } from '../../offers/card-promotion.ts';
import type { OfferRow } from '../../offers/offer.ts';
import type { PromoCodeRow } from '../../offers/promo-code.ts';
import type { Catalog, CreditPackRow } from '../../pricing/catalog.ts';
import type { Processors } from '../../processors.ts';
import type { ComputeTax, TaxRegistration } from '../../tax.ts';
import type { ConsumptionEntryRow } from '../../usage/rows.ts';
import type { ChangeSet, Outcome } from './changes.ts';
import type { CreditUse, CustomerRow, DeadlineRow } from './rows.ts';
import type { LoadedTable, PerTable } from './tables.ts';

export * from './changes.ts';
export type * from './grant-rows.ts';
export * from './rows.ts';
export type { RowChange, RowChanges } from './tables.ts';

/** What decisions need to know of the environment. */
export type EnvironmentDetails = {
  readonly organizationId: string;
  /** Where the organization sells from; null when it is unknown. */
  readonly organizationCountry: string | null;
  /** The organization as invoices issued now name it. */
  readonly seller: InvoiceSeller;
  readonly livemode: boolean;
  /** What can charge its payers. */
  readonly processors: Processors;
  readonly cardPromotions: boolean;
  readonly settlement: SettlementTerms;
};

/**
 * One customer's billing state: all a decision may read. Never changed; a decision returns the next one.
 * Which rows of the tables are read stands in `src/engine/tables.ts`.
 */
export type Aggregate = PerTable<LoadedTable, 'rows'> & {
  readonly environment: EnvironmentDetails;
  readonly customer: CustomerRow;
  /** All of the subscriptions, and those of the customer itself. */
  readonly deadlines: readonly DeadlineRow[];
  /** What the invoices took from credits. */
  readonly creditUses: readonly CreditUse[];
  readonly catalog: Catalog;
  /** Those a creation or a checkout can lead to; empty for other commands. */
  readonly offers: readonly OfferRow[];
  /** Those named, and those of the quotes, with the count of their redemptions. */
  readonly promoCodes: readonly PromoCodeRow[];
  /** The one a creation names, and those of the card typed in at a checkout; empty for other commands. */
  readonly cardPromotions: readonly CardPromotionRow[];
  /**
   * Consumption that brought the balances below 0, the latest first, as far as a deficit reaches (CON-27).
   */
  readonly draws: readonly ConsumptionEntryRow[];
  /** Those named, deleted or not; empty for other commands. */
  readonly creditPacks: readonly CreditPackRow[];
  readonly taxRegistrations: readonly TaxRegistration[];
};

/** What a decision needs from outside besides its inputs. */
export type DecisionDeps = {
  /** A new opaque id with this prefix (GLO-1); the underscore is added. */
  readonly newId: (prefix: string) => string;
  readonly tax: ComputeTax;
};

/**
 * A decision: the next aggregate (the given one with the changes applied), what to write, and how the command
 * ended.
 */
export type Decision = {
  readonly aggregate: Aggregate;
  readonly changes: ChangeSet;
  readonly outcome: Outcome;
};
