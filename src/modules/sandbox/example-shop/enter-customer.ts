import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { createCustomer } from '../../customers/customers/create.ts';
import { authenticateCheckout } from '../../pages/checkout/authenticate.ts';
import { payCheckout } from '../../pages/checkout/pay.ts';
import { subscriptionCreate } from '../../subscriptions/subscriptions/mutations.ts';
import { type ShopCustomer, testCard, wallets } from './read-shop.ts';

const isRejectedWith = (error: unknown, code: string): boolean =>
  error instanceof QuittanceError && error.code === code;

/** Pays an open checkout with a test card. Returns `false` if the card is declined; the checkout then stays open. */
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
 * Creates a customer with a subscription and pays the checkout, trying the customer's cards in order. Reuses a customer with the same
 * external ID and an open checkout. Leaves a customer with an active subscription unchanged.
 */
export async function enterCustomer(ctx: Context, customer: ShopCustomer): Promise<void> {
  const { plan, interval, seats, card, promoCode, ...person } = customer;
  await createCustomer(ctx, person);
  try {
    const { id, status } = await subscriptionCreate.execute(ctx, {
      customerId: person.externalId,
      planCode: plan,
      ...(interval === undefined ? {} : { billingInterval: interval }),
      ...(seats === undefined ? {} : { initialSeats: { seats } }),
      ...(promoCode === undefined ? {} : { promoCode }),
    });
    if (status !== 'pending_payment') return;
    for (const kind of wallets[card ?? 'good']) if (await tryCard(ctx, id, testCard(kind))) return;
  } catch (error) {
    if (!isRejectedWith(error, 'already_has_active_subscription')) throw error;
  }
}
