import { testCard } from '../src/modules/sandbox/example-shop/read-shop.ts';
import { ApiError, type Client } from './client.ts';

// Payments without a subscription: a payment link with a refund, and a payout.

/** Payment link. The token is the last part of the link's URL. */
export type Link = { readonly id: string; readonly token: string };

/** Creates a payment link for 180 dollars that anyone can pay. */
export async function createLink(seller: Client): Promise<Link> {
  const requested = { amount: 18_000, currency: 'usd', description: 'Workshop' };
  const { id, url } = await seller.post<{ id: string; url: string }>('/payments', requested);
  return { id, token: url.split('/').at(-1) ?? '' };
}

const payMutation = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';

/** Pays a payment link with a test card, as the hosted page does. Returns `paid`, or `declined` if the link can be paid again. */
export async function payLink(payer: Client, { token }: Link, kind: 'pays' | 'isDeclined'): Promise<string> {
  try {
    const input = { token, email: 'walk.in@example.org', card: testCard(kind) };
    const { paymentLinkPay } = await payer.graphql<{ paymentLinkPay: { status: string } }>(payMutation, {
      input,
    });
    return paymentLinkPay.status;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_failed') return 'declined';
    throw error;
  }
}

const attemptsQuery = 'query ($id: ID!) { payment(id: $id) { transactions { id status } } }';

type Attempts = {
  readonly payment: { readonly transactions: readonly { readonly id: string; readonly status: string }[] };
};

/** Refunds a payment link's payment. Returns the refunded amount in US cents. */
export async function refundLink(seller: Client, { id }: Link): Promise<number> {
  const { payment } = await seller.graphql<Attempts>(attemptsQuery, { id });
  const paid = payment.transactions.find(({ status }) => status === 'succeeded');
  if (paid === undefined) throw new Error("The link wasn't paid.");
  const { amount, status } = await seller.post<{ amount: number; status: string }>(
    `/transactions/${paid.id}/refund`,
    {},
  );
  if (status !== 'succeeded') throw new Error(`The refund has the status ${status}.`);
  return amount;
}

/** Balance in US cents: available for payout, pending, and in transit to the bank. */
export type Balance = { readonly available: number; readonly pending: number; readonly inTransit: number };

export const readBalance = async (seller: Client): Promise<Balance> =>
  (await seller.graphql<{ payoutBalance: Balance }>('{ payoutBalance { available pending inTransit } }'))
    .payoutBalance;

/** Requests a payout and returns its ID. Sandboxes require no verification, and the test clock simulates the bank. */
export async function requestPayout(seller: Client, amount: number): Promise<string> {
  const mutation = 'mutation ($input: PayoutSimulateInput!) { payoutSimulate(input: $input) { id } }';
  const { payoutSimulate } = await seller.graphql<{ payoutSimulate: { id: string } }>(mutation, {
    input: { amount },
  });
  return payoutSimulate.id;
}

export const payoutStatus = async (seller: Client, id: string): Promise<string> =>
  (
    await seller.graphql<{ payout: { status: string } }>('query ($id: ID!) { payout(id: $id) { status } }', {
      id,
    })
  ).payout.status;
