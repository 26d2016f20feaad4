// Command definition. Each file in `commands/` defines one command.

import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { OfferControls } from '../../rows/selection-rows.ts';
import type { Decision } from './aggregate.ts';
import type { Draft } from './draft.ts';

/**
 * Times that a command uses. `dueAt` determines periods, anchors, and the catalog versions that apply. `now` determines
 * issue dates, attempt times, retries, and event times.
 */
export type Timed = { readonly dueAt: Date; readonly now: Date };

export type OnSubscription = Timed & { readonly subscriptionId: string };

/** Input for a command that runs when a deadline is due. */
export type FromDeadline = Timed & { readonly deadlineId: string };

/** Input for a command that runs when a subscription deadline is due. */
export type Due = FromDeadline & OnSubscription;

/**
 * Rows that a decision needs in addition to the customer's open billing state. Lists contain IDs unless
 * stated otherwise.
 */
export type Needs = {
  /** Subscriptions, including canceled ones. */
  readonly subscriptions: readonly string[];
  /** Outstanding invoices, including invoices of canceled subscriptions. */
  readonly invoices: readonly string[];
  /** Invoices to credit, in any status. */
  readonly creditedInvoices: readonly string[];
  /** Transactions in any status, with their invoices, subscriptions, and payments. */
  readonly transactions: readonly string[];
  /**
   * Settled transactions to refund. Also loads the plan change after their invoice and the credit that the
   * plan change created.
   */
  readonly refundedTransactions: readonly string[];
  /** Refunds in any status. */
  readonly refunds: readonly string[];
  /** Receipts that aren't matched, or that belong to the customer. Their rows are locked. */
  readonly receipts: readonly string[];
  /** One-time payments. Their rows are locked. */
  readonly payments: readonly string[];
  /** Customer credits, including used and expired ones. */
  readonly credits: readonly string[];
  readonly plans: readonly string[];
  /** Codes of plans that aren't deleted. */
  readonly planCodes: readonly string[];
  /** Plans whose features must not change until the commit. Their rows are locked. */
  readonly grantedPlans: readonly string[];
  /** Prices to load together with their plans. */
  readonly prices: readonly string[];
  /** Codes of features that aren't deleted. */
  readonly featureCodes: readonly string[];
  /** Codes of seats and quota features whose limits are loaded. */
  readonly levels: readonly string[];
  /** Credit packs. Their rows are locked. */
  readonly creditPacks: readonly string[];
  /** Subscriptions whose automatic top-ups are loaded, including disabled ones. */
  readonly topUps: readonly string[];
  /** IDs or slugs of add-ons. Their rows are locked. */
  readonly addons: readonly string[];
  /**
   * Uppercase country codes. The markets of these countries can determine a price. `null` represents the
   * customer's stored country.
   */
  readonly countries: readonly (string | null)[];
  /** Selected offers, promo codes, or card promotions. Any entry also loads the introductory offers. */
  readonly offers: readonly OfferControls[];
  /** Subscriptions whose stored offer selection is loaded. */
  readonly offersSelectedBy: readonly string[];
  /** BINs whose card promotions are loaded. `null` represents a card with an unknown BIN. */
  readonly cards: readonly (string | null)[];
  /** Subscriptions whose open checkout has a pending card. The promotions for this card are loaded. */
  readonly cardsAwaitedBy: readonly string[];
};

export const noNeeds: Needs = {
  subscriptions: [],
  invoices: [],
  creditedInvoices: [],
  transactions: [],
  refundedTransactions: [],
  refunds: [],
  receipts: [],
  payments: [],
  credits: [],
  plans: [],
  planCodes: [],
  grantedPlans: [],
  prices: [],
  featureCodes: [],
  levels: [],
  creditPacks: [],
  topUps: [],
  addons: [],
  countries: [],
  offers: [],
  offersSelectedBy: [],
  cards: [],
  cardsAwaitedBy: [],
};

export type CommandDefinition<Kind extends string, Input extends Timed> = {
  readonly kind: Kind;
  /**
   * True if the command also runs for deleted customers, because it finishes earlier work or returns money
   * (PLT-24).
   */
  readonly outlivesCustomer?: true;
  /** True if the command doesn't read the totals of usage, so that the events of meters needn't be loaded. */
  readonly ignoresUsage?: true;
  /** Returns the rows to load in addition to the customer's open billing state. Omitted lists are empty. */
  needs(input: Input): Partial<Needs>;
  /** Applies the command to the draft and returns the decision. */
  decide(draft: Draft, input: Input): Decision;
};

export const customerCommand = <const Kind extends string, Input extends Timed>(
  definition: CommandDefinition<Kind, Input>,
): CommandDefinition<Kind, Input> => definition;

export const unknownSubscription = (id: string): Rejection =>
  specificRejection('subscription_not_found', 'missing', { values: { missing: id } });

/**
 * Defines a command on one of the customer's subscriptions, including canceled ones. Fails with
 * `subscription_not_found` if the subscription doesn't exist.
 */
export const subscriptionCommand = <const Kind extends string, Input extends OnSubscription>({
  kind,
  ignoresUsage,
  needs,
  decide,
}: Pick<CommandDefinition<Kind, Input>, 'kind' | 'ignoresUsage'> & {
  readonly needs?: (input: Input) => Partial<Needs>;
  readonly decide: (draft: Draft, subscription: SubscriptionRow, input: Input) => Decision;
}): CommandDefinition<Kind, Input> => ({
  kind,
  ...(ignoresUsage === true ? { ignoresUsage } : {}),
  needs: (input) => ({ subscriptions: [input.subscriptionId], ...needs?.(input) }),
  decide(draft, input) {
    const subscription = draft.subscriptions.find(input.subscriptionId);
    return subscription === null
      ? draft.reject(unknownSubscription(input.subscriptionId))
      : decide(draft, subscription, input);
  },
});
