import { expect } from 'vitest';
import { type CauseDetails, causeFields, expectCause } from './event-causes.ts';
import { kindOf } from './event-kinds.ts';
import type { TestApp } from './harness.ts';
import { collect, liveClient } from './live.ts';

// Helpers for scenarios that are tested only through public interfaces.

export type InvoiceDetails = {
  readonly invoiceNumber: string;
  readonly status: string;
  readonly total: number;
  readonly periodStart: string;
  readonly periodEnd: string;
};
export type EventDetails = {
  readonly event: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
};
type Emitted = EventDetails & CauseDetails;

/** Sets the test clock to a given time and waits for the run to end. */
export const setClock = (shop: TestApp, frozenTime: string) => advance(shop, { frozenTime });

/** Advances the test clock and follows the run over WebSocket. Returns the run's last state. */
export async function advance(
  shop: TestApp,
  body: { advanceDays: number } | { frozenTime: string },
): Promise<{ status: string; completed: number; failed: number; seen: string[] }> {
  const { status, body: run } = await shop.rest<{ id: string; status: string }>('POST', '/test-clock', body);
  expect(status).toBe(202);
  expect(run.status).toBe('pending');
  const client = liveClient(shop.url, { apiKey: shop.sandboxKey });
  type Progress = {
    testClockRunProgress: { status: string; completedDeadlineCount: number; failedDeadlineCount: number };
  };
  const states = await collect<Progress>(
    client,
    'subscription ($id: ID!) { testClockRunProgress(id: $id) { status completedDeadlineCount failedDeadlineCount } }',
    { id: run.id },
  );
  await client.dispose();
  const last = states.at(-1)?.testClockRunProgress;
  if (last === undefined) throw new Error('The run showed no state.');
  return {
    status: last.status,
    completed: last.completedDeadlineCount,
    failed: last.failedDeadlineCount,
    seen: states.map((state) => state.testClockRunProgress.status),
  };
}

/** Creates a plan with one price. Returns its ID. */
export async function sellPlan(
  shop: TestApp,
  code: string,
  price: { billingInterval: string; price: number; trialDays?: number } | null,
): Promise<string> {
  const plan = await shop.rest<{ id: string }>('POST', '/plans', {
    name: code.toUpperCase(),
    code,
    ...(price === null ? { isFree: true } : {}),
  });
  expect(plan.status).toBe(201);
  if (price !== null)
    expect((await shop.rest('POST', `/plans/${plan.body.id}/prices`, price)).status).toBe(201);
  return plan.body.id;
}

/** Creates a customer with a subscription. Returns the subscription's ID and checkout token. */
export async function subscribe(
  shop: TestApp,
  externalId: string,
  planCode: string,
): Promise<{ id: string; token: string | null }> {
  expect(
    (
      await shop.rest('POST', '/customers', {
        email: `${externalId}@example.com`,
        externalId,
        fullName: externalId,
      })
    ).status,
  ).toBe(201);
  const { status, body } = await shop.rest<{ id: string; checkoutUrl: string | null }>(
    'POST',
    '/subscriptions',
    {
      customerId: externalId,
      planCode,
    },
  );
  expect(status).toBe(201);
  return { id: body.id, token: body.checkoutUrl?.split('/').at(-1) ?? null };
}

const card = (number: string) => ({ number, expMonth: 12, expYear: 2099, cvc: '123' });

/** Pays an open checkout as the hosted page does. Returns the resulting status. */
export async function pay(shop: TestApp, token: string | null, number = '4242424242424242'): Promise<string> {
  const { checkoutPay } = await shop.graphql<{ checkoutPay: { status: string } }>(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    {
      input: {
        token,
        card: card(number),
        billingAddress: { line1: '1 Main St', city: 'Springfield', postalCode: '12345', country: 'US' },
      },
    },
    { key: null },
  );
  return checkoutPay.status;
}

/** Returns a subscription's invoices, from oldest to newest. */
export async function invoicesOf(shop: TestApp, subscriptionId: string): Promise<InvoiceDetails[]> {
  const { body } = await shop.rest<{ data: InvoiceDetails[]; hasMore: boolean }>(
    'GET',
    `/invoices?subscriptionId=${subscriptionId}&limit=100`,
  );
  expect(body.hasMore).toBe(false);
  return body.data
    .map(({ invoiceNumber, status, total, periodStart, periodEnd }) => ({
      invoiceNumber,
      status,
      total,
      periodStart: periodStart.slice(0, 10),
      periodEnd: periodEnd.slice(0, 10),
    }))
    .toReversed();
}

/** Returns the events in order of position. Omits the events about the release of the organization's funds, which follow every payment. */
export async function allEvents(shop: TestApp): Promise<EventDetails[]> {
  const events: EventDetails[] = [];
  for (let after: string | null = null; ; ) {
    type Page = {
      events: {
        edges: { node: Emitted }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    };
    const page: Page = await shop.graphql(
      `query ($after: String) { events(first: 100, after: $after) { edges { node { event timestamp data ${causeFields} } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    for (const { node } of page.events.edges) {
      expectCause(node);
      const { event, timestamp, data } = node;
      events.push({ event: kindOf(event), timestamp, data });
    }
    if (!page.events.pageInfo.hasNextPage)
      return events.toReversed().filter(({ event }) => event !== 'payout.available');
    after = page.events.pageInfo.endCursor;
  }
}

/** Returns the event type, followed by the event's trigger if it's set. */
export const word = ({ event, data }: EventDetails): string =>
  typeof data['trigger'] === 'string' ? `${event}:${data['trigger']}` : event;

/**
 * Asserts that every stored balance equals the sum of its ledger entries, and that recurring revenue equals the sum across all
 * subscriptions (MET-74a).
 */
export async function expectLedgerBalanced(shop: Pick<TestApp, 'graphql'>): Promise<void> {
  const verified = await shop.graphql<{ ledgerVerify: unknown; metricsVerify: unknown }>(
    '{ ledgerVerify { ok mismatches { account } } metricsVerify { ok mismatches { subject expected actual } sumMismatches { subject expected actual } } }',
  );
  const fine = { ok: true, mismatches: [] };
  expect(verified).toEqual({ ledgerVerify: fine, metricsVerify: { ...fine, sumMismatches: [] } });
}
