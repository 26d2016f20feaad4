import { expect } from 'vitest';
import { type CauseDetails, causeFields, expectCause } from './event-causes.ts';
import { kindOf } from './event-kinds.ts';
import {
  attachFeature,
  cards,
  clockSettled,
  createPlan,
  createPrice,
  type MadePlan,
  otherShop,
  payment,
  type Shop,
} from './factories.ts';
import type { TestApp } from './harness.ts';

// A story consists of a tenant's actions on given dates, and of the exact documents and events that are new since the last check. It uses
// only the public interfaces, in a sandbox with a test clock.

type Body = Readonly<Record<string, unknown>>;

type Line = { readonly lineType: string; readonly chargeType: string; readonly amount: number };
type Document = {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly invoiceType: string;
  readonly status: string;
  readonly currency: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly issueDate: string;
  readonly taxAmount: number;
  readonly total: number;
  readonly lineItems: readonly Line[];
};

/** Documents and events that are new since the last check. */
export type News = { readonly documents: readonly string[]; readonly events: readonly string[] };

/** Subscriber in a story, with their subscription. */
export type Subscriber = { readonly id: string; readonly customerId: string; readonly token: string | null };

/** Plan in a story, with its price and its features by code. */
export type Sketch = {
  readonly plan?: Body;
  readonly price?: Body;
  readonly features?: Readonly<Record<string, Body & { readonly type?: string }>>;
};

const day = (instant: string): string => instant.slice(0, 10);

/** Formats a line item as `plan_base 3400`, followed by `true_up` if the charge covers past days. */
const lineText = ({ lineType, chargeType, amount }: Line): string =>
  `${lineType}${chargeType === 'true_up' ? ' true_up' : ''} ${amount}`;

/**
 * Formats an invoice as `INV-0001 recurring paid 2027-03-09..2027-04-09 3400 = plan_base 3400`: number, type, status, period, total, line
 * items, tax. A single-day period is written as one date. Currencies other than US dollars are included.
 */
function documentText(document: Document): string {
  const {
    invoiceNumber,
    invoiceType,
    status,
    periodStart,
    periodEnd,
    total,
    taxAmount,
    currency,
    lineItems,
  } = document;
  const period =
    day(periodStart) === day(periodEnd) ? day(periodStart) : `${day(periodStart)}..${day(periodEnd)}`;
  const parts = [...lineItems.map(lineText), ...(taxAmount === 0 ? [] : [`tax ${taxAmount}`])];
  const money = currency === 'usd' ? String(total) : `${total} ${currency}`;
  return `${invoiceNumber} ${invoiceType} ${status} ${period} ${money} = ${parts.join(' + ')}`;
}

const pageSize = 100;
const invoices = `query ($after: String) { invoices(first: ${pageSize}, after: $after) { edges { node { id invoiceNumber invoiceType status currency
  periodStart periodEnd issueDate taxAmount total lineItems { lineType chargeType amount } } } pageInfo { hasNextPage endCursor } } }`;
const events = `query ($after: String) { events(first: ${pageSize}, after: $after) { edges { node { event data ${causeFields} } } pageInfo { hasNextPage endCursor } } }`;

type Page<T> = {
  readonly edges: readonly { readonly node: T }[];
  readonly pageInfo: { hasNextPage: boolean; endCursor: string | null };
};
type EventNode = CauseDetails & { readonly data: Readonly<Record<string, unknown>> };

const eventText = ({ event, data }: EventNode): string =>
  event === 'customer_state_changed' ? `state ${String(data['trigger'])}` : kindOf(event);

export class Story {
  readonly shop: Shop;
  readonly #told = new Map<string, string>();
  readonly #features = new Map<string, string>();
  #seenEvents = 0;

  constructor(shop: Shop) {
    this.shop = shop;
  }

  /** Advances the clock to a given time, or to the start of a date, and waits until all due work is complete. */
  async on(instant: string): Promise<void> {
    const frozenTime = instant.length === 10 ? `${instant}T00:00:00Z` : instant;
    await this.do('POST', '/test-clock', { frozenTime });
    expect(await clockSettled(this.shop)).toBe('completed');
  }

  /** Sends a REST request and returns the response body. Fails if the request is rejected. */
  async do<T = Body>(method: string, path: string, body?: Body): Promise<T> {
    const answer = await this.shop.rest<T>(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** Sends a REST request that must be rejected, and returns the error code. */
  async rejected(method: string, path: string, body?: Body): Promise<string> {
    const answer = await this.shop.rest<{ error?: { code: string } }>(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
    return answer.body.error?.code ?? '';
  }

  /** Runs a GraphQL operation as the tenant and returns its data. */
  ask<T = Body>(operation: string, variables: Body = {}): Promise<T> {
    return this.shop.t.graphql<T>(operation, variables, { key: this.shop.key });
  }

  /**
   * Creates a plan with a code. A plan without a price is free, and the returned price ID is empty. Each feature is created when a plan
   * first refers to it.
   */
  async sell(
    code: string,
    { plan = {}, price, features = {} }: Sketch,
  ): Promise<MadePlan & { readonly priceId: string }> {
    const made = await createPlan(this.shop, { code, name: code, ...plan });
    for (const [name, { type = 'usage', ...terms }] of Object.entries(features)) {
      const id =
        this.#features.get(name) ??
        (await this.do<{ id: string }>('POST', '/features', { name, code: name, type })).id;
      this.#features.set(name, id);
      await attachFeature(this.shop, made.id, id, terms);
    }
    const priceId = price === undefined ? '' : (await createPrice(this.shop, made.id, price)).id;
    return { ...made, priceId };
  }

  /** Creates a customer with this external ID and a subscription to a plan. The checkout stays open unless the plan is free. */
  async subscribe(
    customerId: string,
    planCode: string,
    body: Body = {},
    customer: Body = {},
  ): Promise<Subscriber> {
    await this.do('POST', '/customers', {
      email: `${customerId}@story.test`,
      externalId: customerId,
      fullName: customerId,
      ...customer,
    });
    const made = await this.do<{ id: string; checkoutUrl: string | null }>('POST', '/subscriptions', {
      customerId,
      planCode,
      ...body,
    });
    return { id: made.id, customerId, token: made.checkoutUrl?.split('/').at(-1) ?? null };
  }

  /** Pays an open checkout as the page does. Returns the resulting status, or the error code if the payment is rejected. */
  async pay({ token }: Subscriber, number: string = cards.pays, extra: Body = {}): Promise<string> {
    const operation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
    return this.page<{ checkoutPay: { status: string } }>(
      operation,
      { ...payment(token, number), ...extra },
      ({ checkoutPay }) => checkoutPay.status,
    );
  }

  /** Completes the authentication that an open checkout requires. */
  async authenticate({ token }: Subscriber, succeed: boolean): Promise<string> {
    const operation =
      'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';
    type Answer = { checkoutAuthenticate: { status: string } };
    return this.page<Answer>(
      operation,
      { token, succeed },
      ({ checkoutAuthenticate }) => checkoutAuthenticate.status,
    );
  }

  /** Runs a hosted page's operation without an API key. Returns the result, or the error code with its decline code if the operation is rejected. */
  async page<T>(operation: string, input: Body, outcome: (data: T) => string): Promise<string> {
    const response = await fetch(`${this.shop.t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: operation, variables: { input } }),
    });
    type Failure = { extensions: { code: string; details?: { declineCode?: string } } };
    const { data, errors } = (await response.json()) as { data?: T; errors?: Failure[] };
    const [error] = errors ?? [];
    if (error !== undefined)
      return [error.extensions.code, error.extensions.details?.declineCode].filter(Boolean).join(' ');
    if (data === undefined) throw new Error('The page answered nothing.');
    return outcome(data);
  }

  /** Creates a subscriber and pays the first invoice. */
  async active(
    customerId: string,
    planCode: string,
    card: string = cards.pays,
    body: Body = {},
    customer: Body = {},
  ): Promise<Subscriber> {
    const subscriber = await this.subscribe(customerId, planCode, body, customer);
    if (subscriber.token !== null) expect(await this.pay(subscriber, card)).toBe('paid');
    return subscriber;
  }

  async #all<T>(operation: string, root: string): Promise<T[]> {
    const found: T[] = [];
    for (let after: string | null = null; ; ) {
      const page: Page<T> | undefined = (await this.ask<Record<string, Page<T>>>(operation, { after }))[root];
      if (page === undefined) throw new Error(`${root} answered nothing.`);
      found.push(...page.edges.map(({ node }) => node));
      if (!page.pageInfo.hasNextPage) return found.toReversed();
      after = page.pageInfo.endCursor;
    }
  }

  /** Returns the new and changed documents since the last check, from oldest to newest, and the new events in order. */
  async news(): Promise<News> {
    const documents: string[] = [];
    for (const document of await this.#all<Document>(invoices, 'invoices')) {
      const text = documentText(document);
      if (this.#told.get(document.id) !== text) documents.push(text);
      this.#told.set(document.id, text);
    }
    // Omits the release of the organization's funds, which follows every payment and has its own stories.
    const all = (await this.#all<EventNode>(events, 'events')).filter(
      ({ event }) => event !== 'payout_available',
    );
    for (const one of all.slice(this.#seenEvents)) expectCause(one);
    const fresh = all.slice(this.#seenEvents).map(eventText);
    this.#seenEvents = all.length;
    return { documents, events: fresh };
  }

  /** Returns the visible state of a subscription: its status, and the end of the current period or of the subscription. */
  async state({ id }: Subscriber): Promise<string> {
    type Shown = { status: string; currentPeriod: { end: string } | null; endDate: string | null };
    const { status, currentPeriod, endDate } = await this.do<Shown>('GET', `/subscriptions/${id}`);
    return [status, day(endDate ?? currentPeriod?.end ?? '')].filter(Boolean).join(' ');
  }

  /** Asserts that every stored balance matches the replayed ledger, and that recurring revenue matches the subscriptions. */
  async close(): Promise<void> {
    const verified = await this.ask<{ ledgerVerify: unknown; metricsVerify: unknown }>(
      '{ ledgerVerify { ok mismatches { account } } metricsVerify { ok mismatches { subject expected actual } } }',
    );
    const fine = { ok: true, mismatches: [] };
    expect(verified).toEqual({ ledgerVerify: fine, metricsVerify: fine });
  }
}

/** Runs a story in a new tenant, starting at a given time. Verifies the tenant's ledger at the end. */
export async function runStory(
  t: TestApp,
  start: string,
  story: (story: Story) => Promise<void>,
): Promise<void> {
  const opened = new Story(await otherShop(t));
  await opened.on(start);
  await story(opened);
  await opened.close();
}
