import { eventually } from './eventually.ts';
import { cards, type MadePayment, payment, type Shop } from './factories.ts';

// Payers' and merchants' actions on payment links, with any payment provider.

type Body = Record<string, unknown>;

/** Returns a payment attempt's status, or the error code if the attempt was rejected. Other errors fail the test. */
export async function outcomeOf(requested: Promise<Record<string, { status: string }>>): Promise<string> {
  try {
    return Object.values(await requested)[0]?.status ?? 'nothing';
  } catch (error) {
    const [, code] = /"code":"(\w+)"/.exec(String(error)) ?? [];
    if (code === undefined) throw error;
    return code;
  }
}

const anonymous = { key: null };

/** Attempts to pay a link with a card number, or with a payment method that the page received from Stripe. */
export const tryLink = (
  shop: Shop,
  { token }: Pick<MadePayment, 'token'>,
  method: string = cards.pays,
  more: Body = {},
): Promise<string> =>
  outcomeOf(
    shop.t.graphql(
      'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }',
      {
        input: {
          ...(method.startsWith('pm_') ? { token, paymentMethod: method } : payment(token, method)),
          ...more,
        },
      },
      anonymous,
    ),
  );

/** Confirms that the payer has authenticated with the bank. */
export const confirmLink = (
  shop: Shop,
  { token }: Pick<MadePayment, 'token'>,
  succeed = true,
): Promise<string> =>
  outcomeOf(
    shop.t.graphql(
      'mutation ($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status } }',
      { input: { token, succeed } },
      anonymous,
    ),
  );

/** Returns the content of a link's page for a payer in a country. */
export async function openLink(
  shop: Shop,
  { token }: Pick<MadePayment, 'token'>,
  country: string | null = null,
): Promise<Body> {
  const { paymentLink } = await shop.t.graphql<{ paymentLink: Body }>(
    `query ($token: String!, $country: String) { paymentLink(token: $token, country: $country) { status nextStep publishableKey clientSecret } }`,
    { token, country },
    anonymous,
  );
  return paymentLink;
}

/** Payment as shown to the merchant. */
export type SeenPayment = {
  readonly status: string;
  readonly provider: string;
  readonly failureCode: string | null;
  readonly customerId: string | null;
  readonly invoice: { readonly status: string; readonly total: number } | null;
  readonly transactions: readonly {
    readonly id: string;
    readonly status: string;
    readonly declineCode: string | null;
  }[];
};

export async function seePayment(shop: Shop, id: string): Promise<SeenPayment> {
  const { payment: seen } = await shop.t.graphql<{ payment: SeenPayment }>(
    `query ($id: ID!) { payment(id: $id) { status provider failureCode customerId invoice { status total } transactions { id status declineCode } } }`,
    { id },
    { key: shop.key },
  );
  return seen;
}

/** Returns the payment attempts' statuses, from oldest to newest. */
export const attemptsAt = async (shop: Shop, id: string): Promise<string[]> =>
  (await seePayment(shop, id)).transactions.map(({ status }) => status);

/** Returns the number of customers with an email address. */
export const customersWith = async ({ t, environmentId }: Shop, email: string): Promise<number> =>
  (
    await t.app.database.query('SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND email = $2', [
      environmentId,
      email,
    ])
  ).length;

/** Waits until the worker has sent all due status requests to providers. */
export async function inquiriesMade({ t, environmentId }: Shop): Promise<void> {
  const open =
    'SELECT count(*) AS count FROM "ChargeAttempt" WHERE "environmentId" = $1 AND least("inquireAt", "compareAt") <= $2';
  const look = () => t.app.database.query<{ count: bigint }>(open, [environmentId, t.app.wall.now()]);
  await eventually(look, ([row]) => row?.count === 0n);
}

/** Throws if the ledger doesn't balance. */
export async function booksBalance({ t, key }: Shop): Promise<void> {
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: Body }>(
    '{ ledgerVerify { ok mismatches { account } } }',
    {},
    { key },
  );
  if (ledgerVerify['ok'] !== true)
    throw new Error(`The books do not balance: ${JSON.stringify(ledgerVerify)}`);
}
