import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { retryAfterOf } from '../../../domain/limits/operation-limits.ts';
import { pricingPurchases } from '../../../domain/limits/system-operations.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import { foldEmail } from '../../../domain/text/folding.ts';
import type { Language } from '../../../domain/text/language.ts';
import { hourMs } from '../../../domain/time/period.ts';
import { executeOne } from '../../../engine/execute.ts';
import { takeOperation } from '../../../engine/policy/gauges.ts';
import { newId } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { createCustomer } from '../../customers/customers/create.ts';
import { payerAddressOf } from '../../customers/customers/store.ts';
import { remindOfSubscription } from '../../messages/emails/request-portal-link.ts';
import { openCheckoutUrl } from '../../subscriptions/subscriptions/store.ts';
import { pricingSubject, showTable } from './load-page.ts';
import {
  countSubscriptionsOf,
  findPurchase,
  type PricingTableRow,
  tableNotFound,
  tableRows,
} from './store.ts';

/** Plan choice and contact details of a visitor who starts a purchase. */
export type PurchaseInput = {
  /** Secret that the browser generates and that identifies the visit. */
  readonly visit: string;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly email: string;
  readonly country?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly locale?: Language | null | undefined;
};

/** Result of starting a purchase: the checkout URL. */
export type Purchase = { readonly checkoutUrl: string };

/** Time after which an incomplete purchase is canceled. */
const purchaseMs = 72 * hourMs;

/** Maximum number of plan choices per visit. Each plan choice replaces the previous choice. */
const maxPerVisit = 30;

/**
 * Returns the hash that identifies a purchase. The hash includes the browser's secret, so that two people with the same email address have
 * separate purchases.
 */
const visitHashOf = ({ visit, email, country, state }: PurchaseInput): string =>
  hashSecret([visit, foldEmail(email), country ?? '', state ?? ''].join('\n'));

/** Throws `plan_not_found` or `price_not_found` if the public page doesn't offer the plan at the interval in the country. */
async function requireOffered(
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
 * Returns the customer for a purchase: the customer that this visit created earlier, or a new customer, even if another customer has the
 * email address. The table must be locked, so that concurrent requests from one visit create only one customer and don't exceed
 * the limit.
 */
async function customerOf(tx: Context, table: PricingTableRow, input: PurchaseInput): Promise<string> {
  const visitHash = visitHashOf(input);
  const known = await findPurchase(tx, table.id, visitHash);
  if (known !== null) {
    if ((await countSubscriptionsOf(tx, known.customerId)) >= maxPerVisit)
      throw specificError('rate_limited', 'purchases_of_visit');
    return known.customerId;
  }
  const now = tx.wall.now();
  const counted = { delta: { calls: 1n, money: 0n }, now };
  const rejecting = await takeOperation(tx.sql, table.id, [pricingPurchases], counted);
  if (rejecting.length > 0)
    throw specificError('rate_limited', 'purchases_per_hour', {
      values: { most: pricingPurchases.amount },
      retryAfter: retryAfterOf(rejecting),
    });
  const { email, country, state } = input;
  const address = country == null ? null : payerAddressOf({ country, state: state ?? null });
  const { id: customerId } = await createCustomer(tx, { email, address });
  // Delete the earlier purchase with the same hash. The customer of that purchase was deleted.
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
 * Starts a plan purchase on the caller's pricing table and returns its checkout (CAT-62 to CAT-65). Each purchase has
 * its own customer, so a purchase doesn't reveal or change data about an existing customer with the email address.
 * Within a visit, the customer is reused, the same plan choice returns the open checkout, and another plan choice
 * replaces the checkout. If a customer with the email address already has a subscription, Quittance emails a portal
 * link to the address. The customer and the subscription are created in one transaction. Throws `not_found`,
 * `plan_not_found`, `price_not_found`, `rate_limited`, and the errors for `subscription.create`.
 */
export const beginPurchase = (ctx: Context, input: PurchaseInput): Promise<Purchase> =>
  inTransaction(ctx, async (tx) => {
    const table = await tableRows.lock(tx, pricingSubject(tx), 'token');
    if (!table.isActive) throw tableNotFound('token');
    await requireOffered(tx, table, input);
    const customerId = await customerOf(tx, table, input);
    const { planId, billingInterval, locale } = input;
    const selection = {
      planId,
      billingInterval,
      ...(table.successUrl === null ? {} : { successUrl: table.successUrl }),
      ...(locale == null ? {} : { locale }),
    };
    const { subscriptionId } = await executeOne(tx, customerId, { kind: 'subscription.create', selection });
    if (subscriptionId === null)
      throw new Error('The command that creates a subscription returned no subscription ID.');
    tx.transaction.afterCommit(() => remindOfSubscription(ctx, input.email));
    return { checkoutUrl: await openCheckoutUrl(tx, subscriptionId) };
  });
