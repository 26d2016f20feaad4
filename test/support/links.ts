import { eventually } from './eventually.ts';
import { cards, type MadePayment, payment, type Shop } from './factories.ts';

// Payment links as their payers and their seller see them, whatever account takes the money.

type Body = Record<string, unknown>;

/** What a try came to: how it ended, or the code it was rejected with. Anything else that goes wrong fails the test. */
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

/** Tries to pay a link by the card of a number, or by what the page got from Stripe for one. */
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

/** Tells the service that the payer is done with its bank. */
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

/** What the page of a link shows, for a payer of a country. */
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

/** A payment as its seller sees it. */
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

/** The statuses of the attempts at a payment, oldest first. */
export const attemptsAt = async (shop: Shop, id: string): Promise<string[]> =>
  (await seePayment(shop, id)).transactions.map(({ status }) => status);

/** How many customers of the shop have an email address. */
export const customersWith = async ({ t, environmentId }: Shop, email: string): Promise<number> =>
  (
    await t.app.database.query('SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND email = $2', [
      environmentId,
      email,
    ])
  ).length;

/** Lets the worker inquire about everything that is due by the time the test has moved to. */
export async function inquiriesMade({ t, environmentId }: Shop): Promise<void> {
  const open =
    'SELECT count(*) AS count FROM "ChargeAttempt" WHERE "environmentId" = $1 AND least("inquireAt", "compareAt") <= $2';
  const look = () => t.app.database.query<{ count: bigint }>(open, [environmentId, t.app.wall.now()]);
  await eventually(look, ([row]) => row?.count === 0n);
}

/** Throws unless the shop's books balance. */
export async function booksBalance({ t, key }: Shop): Promise<void> {
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: Body }>(
    '{ ledgerVerify { ok mismatches { account } } }',
    {},
    { key },
  );
  if (ledgerVerify['ok'] !== true)
    throw new Error(`The books do not balance: ${JSON.stringify(ledgerVerify)}`);
}
