import { neededAddress } from './countries.ts';
import { createCustomer } from './customers.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';
import { cards, createSubscription, pay, payment } from './subscriptions.ts';

export type MadePayment = Made & { readonly url: string; readonly token: string };

/** What is asked of a payer: 42.00 US dollars by default. */
export const requested = (body: Body = {}): Body => ({
  amount: 4_200,
  currency: 'usd',
  description: 'Workshop',
  ...body,
});

/** A payment link, without customer by default. */
export async function createPayment(shop: Shop, body: Body = {}): Promise<MadePayment> {
  const link = await made(shop.rest<MadePayment>('POST', '/payments', requested(body)));
  return { ...link, token: link.url.split('/').at(-1) ?? '' };
}

const payLinkOperation =
  'mutation Pay($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';

/** Pays a link as its page does; throws when it is rejected. Answers how it ended. */
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

/** A customer who has paid a link of 42.00, so that a method is stored; answers its id and that of the payment. */
export async function createPayer(
  shop: Shop,
  number: string = cards.pays,
): Promise<{ customerId: string; paymentId: string }> {
  const { id: customerId } = await createCustomer(shop);
  const { id: paymentId, token } = await createPayment(shop, { customerId });
  await payLink(shop, token, {}, number);
  return { customerId, paymentId };
}

/** An adjustment of 12.50 that a new customer owes, by default. */
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

/** The id of the latest invoice of a subscription. */
export async function latestInvoice(shop: Shop, subscriptionId: string): Promise<string> {
  const { data } = await made(
    shop.rest<{ data: readonly Made[] }>('GET', `/invoices?subscriptionId=${subscriptionId}`),
  );
  const [invoice] = data;
  if (invoice === undefined) throw new Error(`${subscriptionId} has no invoice.`);
  return invoice.id;
}

/** The id of the latest attempt to collect the latest invoice of a subscription. */
export async function latestTransaction(shop: Shop, subscriptionId: string): Promise<string> {
  const invoiceId = await latestInvoice(shop, subscriptionId);
  const { data } = await made(
    shop.rest<{ data: readonly (Made & { invoiceId: string | null })[] }>('GET', '/transactions?limit=100'),
  );
  const transaction = data.find((row) => row.invoiceId === invoiceId);
  if (transaction === undefined) throw new Error(`${subscriptionId} was never charged.`);
  return transaction.id;
}

/** A settled charge that is in dispute. */
export async function createDispute(shop: Shop): Promise<Made> {
  const { id, token } = await createSubscription(shop);
  await pay(shop, token, '4000000000000259');
  return { id: await latestTransaction(shop, id) };
}

/** Lets the stored methods of a customer pay from now on. */
export async function mendMethods(shop: Shop, customerId: string): Promise<void> {
  await shop.t.app.database.query(
    `UPDATE "PaymentMethod" SET reference = 'tok_sandbox_pays_4242' WHERE "environmentId" = $1 AND "customerId" = $2`,
    [shop.environmentId, customerId],
  );
}
