import { testCard } from '../src/modules/example-shop/read-shop.ts';
import { ApiError, type Client } from './client.ts';

// Money beside subscriptions: a payment link and its refund, and what the shop takes out.

/** A payment someone has been asked for: its id, and the last part of the address of its page. */
export type Link = { readonly id: string; readonly token: string };

/** Makes a link over 180 dollars that anybody who has it can pay. */
export async function createLink(seller: Client): Promise<Link> {
  const requested = { amount: 18_000, currency: 'usd', description: 'Workshop' };
  const { id, url } = await seller.post<{ id: string; url: string }>('/payments', requested);
  return { id, token: url.split('/').at(-1) ?? '' };
}

const payMutation = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';

/** Pays a link with a card, as its page does. Answers `paid`, or `declined`, after which it can be tried again. */
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

/** Returns all that was paid at a link. Answers the US cents that went back. */
export async function refundLink(seller: Client, { id }: Link): Promise<number> {
  const { payment } = await seller.graphql<Attempts>(attemptsQuery, { id });
  const paid = payment.transactions.find(({ status }) => status === 'succeeded');
  if (paid === undefined) throw new Error('The link was not paid.');
  const { amount, status } = await seller.post<{ amount: number; status: string }>(
    `/transactions/${paid.id}/refund`,
    {},
  );
  if (status !== 'succeeded') throw new Error(`The refund is ${status}.`);
  return amount;
}

/** US cents that can be taken out, that are held for a while yet, and that are on their way to the bank. */
export type Balance = { readonly available: number; readonly pending: number; readonly inTransit: number };

export const readBalance = async (seller: Client): Promise<Balance> =>
  (await seller.graphql<{ payoutBalance: Balance }>('{ payoutBalance { available pending inTransit } }'))
    .payoutBalance;

/** Asks for a payout. In a sandbox nobody has to be verified, and the clock plays the bank. Answers its id. */
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
