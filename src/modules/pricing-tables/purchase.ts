import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import type { Language } from '../../domain/page-language.ts';
import { executeOne } from '../../engine/execute.ts';
import { newId } from '../../platform/ids.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { inTransaction } from '../../transaction.ts';
import { createCustomer } from '../customers/create.ts';
import { payerAddressOf } from '../customers/store.ts';
import { openCheckoutUrl } from '../subscriptions/store.ts';
import { pricingSubject, showTable } from './load-page.ts';
import {
  countPurchases,
  countSubscriptionsOf,
  findPurchase,
  type PricingTableRow,
  requireLockedTable,
  tableNotFound,
} from './store.ts';

/** What a visitor wants to buy, and who that is. */
export type PurchaseInput = {
  /** A secret the browser drew. */
  readonly visit: string;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly email: string;
  readonly country?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly locale?: Language | null | undefined;
};

/** Where a purchase goes on. */
export type Purchase = { readonly checkoutUrl: string };

const hourMs = 3_600_000;

/** How long a purchase can be completed; then it is canceled. */
export const purchaseMs = 72 * hourMs;

/** New purchases of a table in an hour. */
export const mostPerHour = 300;

/** Choices of one visit, each of which takes the place of the one before. */
export const mostPerVisit = 30;

/** What tells one purchase from another. Two people who type the same address have two, since each browser draws a secret of its own. */
const visitHashOf = ({ visit, email, country, state }: PurchaseInput): string =>
  hashSecret([visit, email.toLowerCase(), country ?? '', state ?? ''].join('\n'));

/** Throws unless everybody may buy the plan at this table for the interval, in the country. */
async function demandOffered(
  ctx: Context,
  table: PricingTableRow,
  { planId, billingInterval, country = null }: PurchaseInput,
): Promise<void> {
  const { plans } = await showTable(ctx, table, country);
  const shown = plans.find(({ plan }) => plan.id === planId);
  if (shown === undefined) throw new QuittanceError('plan_not_found', { param: 'planId' });
  if (!shown.prices.some(({ interval }) => interval === billingInterval))
    throw new QuittanceError('price_not_found', { param: 'billingInterval' });
}

/**
 * The customer of a purchase: the one this visit made before, else a new one, also where another customer has the address. The table is locked, so that two requests of
 * a visit make one, and no more than `mostPerHour` are made in an hour.
 */
async function customerOf(tx: Context, table: PricingTableRow, input: PurchaseInput): Promise<string> {
  const visitHash = visitHashOf(input);
  const known = await findPurchase(tx, table.id, visitHash);
  if (known !== null) {
    if ((await countSubscriptionsOf(tx, known.customerId)) >= mostPerVisit)
      throw specificError('rate_limited', 'purchases_of_visit');
    return known.customerId;
  }
  const now = tx.wall.now();
  const since = new Date(now.getTime() - hourMs);
  if ((await countPurchases(tx.sql, table.id, since, mostPerHour)) >= mostPerHour)
    throw specificError('rate_limited', 'purchases_per_hour', { values: { most: mostPerHour } });
  const { email, country, state } = input;
  const address = country == null ? null : payerAddressOf({ country, state: state ?? null });
  const { id: customerId } = await createCustomer(tx, { email, address });
  // One of a customer that was deleted.
  await tx.db.pricingTablePurchase.deleteMany({ where: { pricingTableId: table.id, visitHash } });
  await tx.db.pricingTablePurchase.create({
    data: {
      id: newId('ptp'),
      pricingTableId: table.id,
      customerId,
      visitHash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + purchaseMs),
    },
  });
  return customerId;
}

/**
 * Begins to buy a plan at the pricing table of the caller's page, and answers the checkout (CAT-62 to CAT-65). It belongs to a customer of its own, so that
 * nothing is said about, shown of or changed for anybody who has the email address already. The same visit gets the same customer: an open checkout
 * for the same choice is answered again, one for another choice is replaced. Customer and subscription are made in one transaction. Throws `not_found`,
 * `plan_not_found`, `price_not_found`, `rate_limited`, and what `subscription.create` is rejected with; then nothing has changed.
 */
export const beginPurchase = (ctx: Context, input: PurchaseInput): Promise<Purchase> =>
  inTransaction(ctx, async (tx) => {
    const table = await requireLockedTable(tx, pricingSubject(tx), 'token');
    if (!table.isActive) throw tableNotFound('token');
    await demandOffered(tx, table, input);
    const customerId = await customerOf(tx, table, input);
    const { planId, billingInterval, locale } = input;
    const selection = {
      planId,
      billingInterval,
      ...(table.successUrl === null ? {} : { successUrl: table.successUrl }),
      ...(locale == null ? {} : { locale }),
    };
    const { subscriptionId } = await executeOne(tx, customerId, { kind: 'subscription.create', selection });
    if (subscriptionId === null) throw new Error('A creation named no subscription.');
    return { checkoutUrl: await openCheckoutUrl(tx, subscriptionId) };
  });
