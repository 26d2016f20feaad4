import { neededAddress } from './countries.ts';
import { createCustomer } from './customers.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';
import { cards, createSubscription, pay, payment } from './subscriptions.ts';

export type MadePayment = Made & { readonly url: string; readonly token: string };

/** Returns the input for a payment link, by default for 42.00 USD. */
export const requested = (body: Body = {}): Body => ({
  amount: 4_200,
  currency: 'usd',
  description: 'Workshop',
  ...body,
});

/** Creates a payment link, by default without a customer. */
export async function createPayment(shop: Shop, body: Body = {}): Promise<MadePayment> {
  const link = await made(shop.rest<MadePayment>('POST', '/payments', requested(body)));
  return { ...link, token: link.url.split('/').at(-1) ?? '' };
}

const payLinkOperation =
  'mutation Pay($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';

/** Pays a link as the hosted page does. Returns the resulting status. Throws if the payment is declined. */
export async function payLink(
  shop: Shop,
  token: string,
  more: Body = {},
  number: string = cards.pays,
): Promise<string> {
  const input = { ...payment(token, number), ...(await neededAddress(shop, 'paymentLink', token)), ...more };
  const { paymentLinkPay } = await shop.t.graphql<{ paymentLinkPay: { status: string } }>(
    payLinkOperation,
    { input },
    { key: null },
  );
  return paymentLinkPay.status;
}

/**
 * Creates a customer with a saved payment method by paying a link for 42.00. Returns the IDs of the customer
 * and the payment.
 */
export async function createPayer(
  shop: Shop,
  number: string = cards.pays,
): Promise<{ customerId: string; paymentId: string }> {
  const { id: customerId } = await createCustomer(shop);
  const { id: paymentId, token } = await createPayment(shop, { customerId });
  await payLink(shop, token, {}, number);
  return { customerId, paymentId };
}

/** Creates an adjustment invoice, by default for 12.50 and a new customer. */
export async function createAdjustment(shop: Shop, body: Body = {}): Promise<Made> {
  const customerId = body['customerId'] ?? (await createCustomer(shop)).id;
  return made(
    shop.rest<Made>('POST', '/invoices', {
      amount: 1_250,
      description: 'Hours of help',
      ...body,
      customerId,
    }),
  );
}

/** Creates a credit note of 5.00 for a new adjustment invoice. */
export async function createCreditNote(shop: Shop): Promise<Made & { readonly invoiceId: string }> {
  const { id: customerId } = await createCustomer(shop);
  const { id: invoiceId } = await createAdjustment(shop, { customerId });
  const note = await createAdjustment(shop, { customerId, invoiceId, amount: -500 });
  return { ...note, invoiceId };
}

export async function latestInvoice(shop: Shop, subscriptionId: string): Promise<string> {
  const { data } = await made(
    shop.rest<{ data: readonly Made[] }>('GET', `/invoices?subscriptionId=${subscriptionId}`),
  );
  const [invoice] = data;
  if (invoice === undefined) throw new Error(`${subscriptionId} has no invoice.`);
  return invoice.id;
}

/** Returns the ID of the latest transaction for the subscription's latest invoice. */
export async function latestTransaction(shop: Shop, subscriptionId: string): Promise<string> {
  const invoiceId = await latestInvoice(shop, subscriptionId);
  const { data } = await made(
    shop.rest<{ data: readonly (Made & { invoiceId: string | null })[] }>('GET', '/transactions?limit=100'),
  );
  const transaction = data.find((row) => row.invoiceId === invoiceId);
  if (transaction === undefined) throw new Error(`${subscriptionId} was never charged.`);
  return transaction.id;
}

/** Creates a payment and opens a dispute for it. */
export async function createDispute(shop: Shop): Promise<Made> {
  const { id, token } = await createSubscription(shop);
  await pay(shop, token, '4000000000000259');
  return { id: await latestTransaction(shop, id) };
}

/** Makes later charges to the customer's saved payment methods succeed. */
export async function mendMethods(shop: Shop, customerId: string): Promise<void> {
  await shop.t.app.database.query(
    `UPDATE "PaymentMethod" SET reference = 'tok_sandbox_pays_4242' WHERE "environmentId" = $1 AND "customerId" = $2`,
    [shop.environmentId, customerId],
  );
}
