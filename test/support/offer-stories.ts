import { expect } from 'vitest';
import {
  createCustomer,
  createOffer,
  createPricedPlan,
  firstShop,
  type Made,
  type MadePlan,
  type Shop,
} from './factories.ts';
import { startApp, type TestApp } from './harness.ts';
import { closeStory } from './recompute.ts';
import { advance, allEvents, expectLedgerBalanced, invoicesOf, pay, setClock, word } from './stories.ts';

type Body = Record<string, unknown>;
type Phase = { readonly type: string; readonly startsAt: string | null; readonly endsAt: string | null };
type Application = {
  readonly source: string;
  readonly status: string;
  readonly total: number | null;
  readonly phases: readonly Phase[];
};
type Read = {
  readonly id: string;
  readonly status: string;
  readonly checkoutUrl: string | null;
  readonly nextBillingDate: string | null;
  readonly currentPeriod: { readonly start: string; readonly end: string } | null;
  readonly offerApplications: readonly Application[];
  readonly error?: {
    readonly code: string;
    readonly param?: string;
    readonly details?: { readonly reason?: string };
  };
};

/** Subscription, with the position of the last event before the subscription was created. */
export type Emitted = {
  readonly id: string;
  readonly customerId: string;
  readonly token: string | null;
  readonly from: number;
};

const day = (instant: string | null | undefined): string => instant?.slice(0, 10) ?? '–';

/**
 * Scenarios with applied offers, tested through public interfaces. Each scenario has its own subscriptions.
 */
export class OfferStories {
  readonly t: TestApp;
  readonly shop: Shop;

  private constructor(t: TestApp) {
    this.t = t;
    this.shop = firstShop(t);
  }

  /** Starts the product with its test clock at a given time. */
  static async at(instant: string): Promise<OfferStories> {
    const stories = new OfferStories(await startApp());
    await setClock(stories.t, instant);
    return stories;
  }

  close(): Promise<void> {
    return closeStory(this.t);
  }
  to(instant: string): Promise<unknown> {
    return setClock(this.t, instant);
  }
  days(advanceDays: number): Promise<unknown> {
    return advance(this.t, { advanceDays });
  }
  plan(
    billingInterval: string,
    price: number,
    more: Body = {},
  ): Promise<MadePlan & { readonly priceId: string }> {
    return createPricedPlan(this.shop, { billingInterval, price, ...more });
  }
  offer(...phases: Body[]): Promise<Made> {
    return createOffer(this.shop, phases);
  }

  /** Creates a subscription, by default for a new customer. Returns the response. */
  async create(
    planId: string,
    choices: Body = {},
  ): Promise<{ status: number; body: Read; customerId: string }> {
    const customerId =
      typeof choices['customerId'] === 'string'
        ? choices['customerId']
        : (await createCustomer(this.shop)).id;
    return {
      ...(await this.shop.rest<Read>('POST', '/subscriptions', { ...choices, customerId, planId })),
      customerId,
    };
  }
  /** Creates a subscription with an open checkout. */
  async open(planId: string, choices: Body = {}): Promise<Emitted> {
    const from = (await allEvents(this.t)).length;
    const { status, body, customerId } = await this.create(planId, choices);
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: body.id, customerId, token: body.checkoutUrl?.split('/').at(-1) ?? null, from };
  }
  /** Creates a subscription with a paid checkout. */
  async begin(planId: string, choices: Body = {}, card?: string): Promise<Emitted> {
    const emitted = await this.open(planId, choices);
    expect(await pay(this.t, emitted.token, card)).toBe('paid');
    return emitted;
  }

  async read({ id }: Emitted): Promise<Read> {
    return (await this.shop.rest<Read>('GET', `/subscriptions/${id}`)).body;
  }
  /** Returns each invoice's period, total, and status, from oldest to newest. */
  async charged({ id }: Emitted): Promise<string[]> {
    return (await invoicesOf(this.t, id)).map(
      (one) => `${one.periodStart} ${one.periodEnd} ${one.total} ${one.status}`,
    );
  }
  /**
   * Returns the applied offers, from newest to oldest. Each offer has a line with its source, status, and total, followed by a line for
   * each phase with its type and dates.
   */
  async offers(emitted: Emitted): Promise<string[]> {
    return (await this.read(emitted)).offerApplications.flatMap(({ source, status, total, phases }) => [
      `${source} ${status} ${total}`,
      ...phases.map(({ type, startsAt, endsAt }) => `  ${type} ${day(startsAt)} ${day(endsAt)}`),
    ]);
  }
  /** Returns the types of the events since the subscription was created. */
  async events({ id, from }: Emitted): Promise<string[]> {
    return (await allEvents(this.t))
      .slice(from)
      .flatMap((event) => (event.data['subscriptionId'] === id ? [word(event)] : []));
  }
  async rejected(method: string, path: string, body?: Body): Promise<string[]> {
    const { error } = (await this.shop.rest<Read>(method, path, body)).body;
    return [
      error?.code ?? 'accepted',
      ...(error?.details?.reason === undefined ? [] : [error.details.reason]),
    ];
  }
  /** Verifies the ledger and cancels the subscription, so that it doesn't affect later scenarios. */
  async end({ id }: Emitted): Promise<void> {
    await expectLedgerBalanced(this.t);
    await this.shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  }
}
