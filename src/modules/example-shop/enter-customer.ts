import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { authenticateCheckout } from '../checkout/authenticate.ts';
import { payCheckout } from '../checkout/pay.ts';
import { createCustomer } from '../customers/create.ts';
import { createSubscription } from '../subscriptions/create.ts';
import { type ShopCustomer, testCard, wallets } from './read-shop.ts';

const isRejectedWith = (error: unknown, code: string): boolean =>
  error instanceof QuittanceError && error.code === code;

/** Tries one test card at an open checkout. False when it is declined, which leaves the checkout as it was. */
async function tryCard(
  ctx: Context,
  subscriptionId: string,
  card: ReturnType<typeof testCard>,
): Promise<boolean> {
  try {
    const { status } = await payCheckout(ctx, { subscriptionId, card });
    if (status === 'requires_action') await authenticateCheckout(ctx, { subscriptionId, succeed: true });
    return true;
  } catch (error) {
    if (isRejectedWith(error, 'charge_failed')) return false;
    throw error;
  }
}

/**
 * Creates a customer with its subscription and pays the checkout with its cards, one after another. What exists is found again: the customer by
 * its external id, its checkout while it is open. A customer with a subscription that runs is left as it is.
 */
export async function enterCustomer(ctx: Context, customer: ShopCustomer): Promise<void> {
  const { plan, interval, seats, card, ...person } = customer;
  await createCustomer(ctx, person);
  try {
    const { id, status } = await createSubscription(ctx, {
      customerId: person.externalId,
      planCode: plan,
      ...(interval === undefined ? {} : { billingInterval: interval }),
      ...(seats === undefined ? {} : { initialSeats: { seats } }),
    });
    if (status !== 'pending_payment') return;
    for (const kind of wallets[card ?? 'good']) if (await tryCard(ctx, id, testCard(kind))) return;
  } catch (error) {
    if (!isRejectedWith(error, 'already_has_active_subscription')) throw error;
  }
}
