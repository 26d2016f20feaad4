import type { Clock } from '../../src/platform/clock.ts';
import {
  createSubscription,
  latestTransaction,
  type MadeSubscription,
  type Shop,
  shopOf,
} from './factories.ts';
import { newTenant, type TestApp } from './harness.ts';
import { type StripeServer, stripeMethods } from './stripe.ts';

type Row = Record<string, unknown>;

export type StripeParts = { readonly t: TestApp; readonly stripe: StripeServer; readonly wall: Clock };

const webhookSecret = 'whsec_test';
const create =
  'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id webhookUrl } }';
const payText = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

/** Charge, with its IDs in Quittance and at Stripe. */
export type StripeCharge = MadeSubscription & { readonly transactionId: string; readonly intent: string };

/** Shop for a new organization with a connected Stripe account. */
export class StripeShop {
  readonly shop: Shop;
  readonly connectionId: string;
  readonly #parts: StripeParts;
  readonly #webhook: string;

  private constructor(
    parts: StripeParts,
    shop: Shop,
    connection: { readonly id: string; readonly webhookUrl: string },
  ) {
    this.#parts = parts;
    this.shop = shop;
    this.connectionId = connection.id;
    this.#webhook = `${parts.t.url}${new URL(connection.webhookUrl).pathname}`;
  }

  /** Creates the organization and connects its sandbox or live environment. */
  static async open(parts: StripeParts, mode: 'test' | 'live' = 'test'): Promise<StripeShop> {
    const { t } = parts;
    const { sandboxKey, sandboxId, liveKey, liveId } = await newTenant(
      t.app,
      'A shop with an account at Stripe',
    );
    const shop = mode === 'live' ? shopOf(t, liveKey, liveId) : shopOf(t, sandboxKey, sandboxId);
    await t.settings({ issuerAddress: '1 Main St' }, shop.environmentId);
    const input = {
      name: 'Main',
      secretKey: `sk_${mode}_1`,
      publishableKey: `pk_${mode}_1`,
      webhookSecret,
      isDefault: true,
    };
    const made = await t.graphql<{ connectedAccountCreate: { id: string; webhookUrl: string } }>(
      create,
      { input },
      { key: shop.key },
    );
    return new StripeShop(parts, shop, made.connectedAccountCreate);
  }

  run = <T = Row>(query: string, variables: Row = {}): Promise<T> =>
    this.#parts.t.graphql<T>(query, variables, { key: this.shop.key });

  list = async (path: string): Promise<Row[]> =>
    (await this.shop.rest<{ data: Row[] }>('GET', path)).body.data;

  /** Returns the statuses of all payment attempts, from oldest to newest. */
  attempts = async (): Promise<unknown[]> =>
    (await this.list('/transactions?limit=100')).map(({ status }) => status).toReversed();

  /** Returns the refunds, such as `succeeded 4900`, from oldest to newest. */
  refunds = async (): Promise<string[]> => {
    const text = `SELECT status || ' ' || "amountMinor" AS emitted FROM "Refund" WHERE "environmentId" = $1 ORDER BY seq`;
    return (await this.#parts.t.app.database.query<{ emitted: string }>(text, [this.shop.environmentId])).map(
      ({ emitted }) => emitted,
    );
  };

  statusOf = async (id: string): Promise<unknown> =>
    (await this.shop.rest('GET', `/subscriptions/${id}`)).body['status'];

  /** Returns the objects at Stripe that this shop created, by ID prefix. */
  own = (prefix: string): Row[] =>
    this.#parts.stripe
      .of(prefix)
      .filter(({ metadata }) => metadata['environment'] === this.shop.environmentId);

  /** Sends a webhook with a valid signature, as Stripe does. Returns the response status. */
  emit = async (type: string, object: unknown): Promise<number> => {
    const { stripe, wall } = this.#parts;
    return (
      await fetch(this.#webhook, {
        method: 'POST',
        ...stripe.message(type, object, webhookSecret, wall.now()),
      })
    ).status;
  };

  /** Pays a checkout with a payment method that its page received from Stripe. */
  pay = async (token: string | null, paymentMethod: string = stripeMethods.pays): Promise<string> => {
    const variables = { input: { token, paymentMethod } };
    return (
      await this.#parts.t.graphql<{ checkoutPay: { status: string } }>(payText, variables, { key: null })
    ).checkoutPay.status;
  };

  /** Tries to pay a checkout, and returns the error. */
  payRejected = async (token: string | null, paymentMethod: string): Promise<Row> => {
    const { errors } = await this.#parts.t.graphqlFailure(
      payText,
      { input: { token, paymentMethod } },
      { key: null },
    );
    return errors[0]?.extensions ?? {};
  };

  /** Creates a subscription for 49.00 a month and pays its first invoice with a payment method. */
  active = async (method: string = stripeMethods.pays): Promise<StripeCharge> => {
    const subscription = await createSubscription(this.shop);
    const status = await this.pay(subscription.token, method);
    if (status !== 'paid') throw new Error(`The checkout is ${status}.`);
    const transactionId = await latestTransaction(this.shop, subscription.id);
    return { ...subscription, transactionId, intent: this.intentOf(transactionId) };
  };

  /** Returns Stripe's ID for a payment attempt. */
  intentOf = (transactionId: string): string => {
    const intent = this.own('pi').find(({ metadata }) => (metadata as Row)['attempt'] === transactionId);
    if (intent === undefined) throw new Error(`Stripe has no payment for ${transactionId}.`);
    return String(intent['id']);
  };

  /** Returns the types of the events in order, without the first `after` events. */
  events = async (after = 0): Promise<string[]> =>
    (
      await this.#parts.t.app.database.query<{ kind: string }>(
        'SELECT kind FROM "Event" WHERE "environmentId" = $1 ORDER BY position',
        [this.shop.environmentId],
      )
    )
      .slice(after)
      .map(({ kind }) => kind);

  ledger = async (): Promise<unknown> =>
    (await this.run<{ ledgerVerify: unknown }>('{ ledgerVerify { ok mismatches { account } } }'))
      .ledgerVerify;
}
