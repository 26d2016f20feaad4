// What a command is. Each file of `commands/` defines one.

import { type Rejection, specificRejection } from '../../errors.ts';
import type { Decision } from './aggregate.ts';
import type { Draft } from './draft.ts';
import type { SubscriptionRow } from './rows.ts';
import type { OfferControls } from './selection-rows.ts';

/**
 * The two times of a command. `dueAt` decides periods, anchors and which versions hold; `now` decides issue
 * dates, attempt times, slots and event times.
 */
export type Timed = { readonly dueAt: Date; readonly now: Date };

/** The input of a command on one subscription. */
export type OnSubscription = Timed & { readonly subscriptionId: string };

/** The input of a command made of a deadline. */
export type FromDeadline = Timed & { readonly deadlineId: string };

/** The input of a command made of a deadline of a subscription. */
export type Due = FromDeadline & OnSubscription;

/** What a decision needs beside the open state of its customer. Ids, unless a list says otherwise. */
export type Needs = {
  /** Subscriptions, canceled ones too. */
  readonly subscriptions: readonly string[];
  /** Outstanding invoices whose subscriptions may be canceled. */
  readonly invoices: readonly string[];
  /** Invoices in any status, with the credit notes that correct them. */
  readonly correctedInvoices: readonly string[];
  /** Transactions in any status, with their invoices, subscriptions and payments. */
  readonly transactions: readonly string[];
  /** Refunds in any status. */
  readonly refunds: readonly string[];
  /** One-time payments, locked. */
  readonly payments: readonly string[];
  /** Customer credits, used up or expired ones too. */
  readonly credits: readonly string[];
  readonly plans: readonly string[];
  /** Codes of plans that are not deleted. */
  readonly planCodes: readonly string[];
  /** Plans locked against a change of what they include. */
  readonly grantedPlans: readonly string[];
  /** Prices, whose plans are read with them. */
  readonly prices: readonly string[];
  /** Codes of features that are not deleted. */
  readonly featureCodes: readonly string[];
  /** Credit packs, locked. */
  readonly creditPacks: readonly string[];
  /** Ids or slugs of add-ons, locked. */
  readonly addons: readonly string[];
  /**
   * Upper-case country codes whose markets can settle a price; null stands for the country stored with the
   * customer.
   */
  readonly countries: readonly (string | null)[];
  /**
   * Choices of an offer, a promo code or a card promotion. Each reads the introductory offers of the catalog
   * as well.
   */
  readonly offers: readonly OfferControls[];
  /** Subscriptions whose stored selection is such a choice. */
  readonly offersSelectedBy: readonly string[];
  /** First digits of cards, null where they are unknown, whose promotions are read. */
  readonly cards: readonly (string | null)[];
  /** Subscriptions whose open checkout waits with such a card. */
  readonly cardsAwaitedBy: readonly string[];
};

/** Every list of needs, empty. */
export const noNeeds: Needs = {
  subscriptions: [],
  invoices: [],
  correctedInvoices: [],
  transactions: [],
  refunds: [],
  payments: [],
  credits: [],
  plans: [],
  planCodes: [],
  grantedPlans: [],
  prices: [],
  featureCodes: [],
  creditPacks: [],
  addons: [],
  countries: [],
  offers: [],
  offersSelectedBy: [],
  cards: [],
  cardsAwaitedBy: [],
};

/** One command: what it is called, what has to be read for it, and what it decides. */
export type CommandDefinition<Kind extends string, Input extends Timed> = {
  readonly kind: Kind;
  /** Whether it is given to deleted customers too: it ends what had begun, or gives money back (PLT-24). */
  readonly outlivesCustomer?: true;
  /** What has to be read beside the open state of the customer. A list that is left out is empty. */
  needs(input: Input): Partial<Needs>;
  /** Changes the draft and ends the decision. */
  decide(draft: Draft, input: Input): Decision;
};

/** Defines a command on a customer. */
export const customerCommand = <const Kind extends string, Input extends Timed>(
  definition: CommandDefinition<Kind, Input>,
): CommandDefinition<Kind, Input> => definition;

/** The rejection of a subscription the customer does not have. */
export const unknownSubscription = (id: string): Rejection =>
  specificRejection('subscription_not_found', 'missing', { values: { missing: id } });

/**
 * Defines a command on one subscription of a customer. It rejects an unknown one with
 * `subscription_not_found`, and reads a canceled one too.
 */
export const subscriptionCommand = <const Kind extends string, Input extends OnSubscription>({
  kind,
  needs,
  decide,
}: {
  readonly kind: Kind;
  readonly needs?: (input: Input) => Partial<Needs>;
  readonly decide: (draft: Draft, subscription: SubscriptionRow, input: Input) => Decision;
}): CommandDefinition<Kind, Input> => ({
  kind,
  needs: (input) => ({ subscriptions: [input.subscriptionId], ...needs?.(input) }),
  decide(draft, input) {
    const subscription = draft.subscriptions.find(input.subscriptionId);
    return subscription === null
      ? draft.reject(unknownSubscription(input.subscriptionId))
      : decide(draft, subscription, input);
  },
});
