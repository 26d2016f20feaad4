import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventDraft } from '../../src/domain/events/event-draft.ts';
import { apply } from '../../src/engine/apply.ts';
import {
  CommittedRejectionError,
  type CustomerCommand,
  execute,
  executeOne,
} from '../../src/engine/execute.ts';
import { authenticateCheckout } from '../../src/modules/pages/checkout/authenticate.ts';
import { payCheckout } from '../../src/modules/pages/checkout/pay.ts';
import {
  subscriptionCancel,
  subscriptionCreate,
  subscriptionUncancel,
} from '../../src/modules/subscriptions/subscriptions/mutations.ts';
import { vaultCard } from '../../src/providers/sandbox.ts';
import { type App, type Context, systemContext } from '../../src/request/context.ts';
import { inTransaction } from '../../src/request/transaction.ts';
import {
  addCustomers,
  addPlan,
  card,
  cards,
  closeApp,
  MovableClock,
  newEnvironment,
  openApp,
  portrait,
  recording,
  subscribe,
} from '../support/billing-world.ts';
import { noChanges } from '../support/change-sets.ts';

let app: App;

beforeAll(async () => {
  app = await openApp(new MovableClock('2027-01-31T09:30:00.000Z'));
});
afterAll(() => closeApp(app));

async function world(customers: number, on: App = app): Promise<{ ctx: Context; ids: string[] }> {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  const ids = await addCustomers(ctx, 'c', customers);
  return { ctx: await systemContext(on, ctx.environment.id), ids };
}

const creation = (customerId: string): CustomerCommand => ({
  customerId,
  input: { kind: 'subscription.create', selection: { planId: 'pln_monthly' } },
});

const kinds = async (ctx: Context) =>
  (await portrait(ctx)).events.map((row) => (row as { kind: string }).kind);

describe('the engine', () => {
  test('executes the same number of SQL statements for 5 and for 500 customers, in at most 16 round trips', async () => {
    const counts: number[][] = [];
    const waited: number[] = [];
    for (const size of [1, 5, 500]) {
      const { app: recorded, statements, waits } = recording(app);
      const { ctx, ids } = await world(size, recorded);
      statements.length = 0;
      const made = await execute(ctx, ids.map(creation));
      const creating = statements.splice(0).length;
      waits.length = 0;
      const method = vaultCard(card(cards.pays), app.wall.now());
      const pay = ids.map((customerId, index): CustomerCommand => {
        const outcome = made[index]?.outcome;
        if (outcome?.kind !== 'ok' || outcome.subscriptionId === null) throw new Error('Not created.');
        return {
          customerId,
          input: { kind: 'checkout.pay', subscriptionId: outcome.subscriptionId, method, abandoned: null },
        };
      });
      const paid = await execute(ctx, pay);
      expect(paid.every(({ outcome }) => outcome.kind === 'ok' && outcome.status === 'done')).toBe(true);
      counts.push([creating, statements.length]);
      waited.push(waits.length);
    }
    expect(counts[1]).toEqual(counts[0]);
    expect(counts[2]).toEqual(counts[0]);
    expect(Math.max(...(counts[0] ?? []))).toBeLessThan(37);
    // Loading takes four SQL statements: one each for the clock, the customers, their rows, and referenced rows. On the embedded database,
    // each write is a separate round trip. On a server, the number of round trips varies by two, because responses to parallel reads
    // arrive in any order.
    expect(Math.max(...waited)).toBeLessThanOrEqual(16);
  });
});

describe('the numbering of new rows', () => {
  test('follows the order of the customers, not of the commands', async () => {
    const { ctx, ids } = await world(4);
    await execute(ctx, ids.toReversed().map(creation));
    const { invoices, events } = await portrait(ctx);
    expect(invoices).toMatchObject(
      [0, 1, 2, 3].map((index) => ({ number: BigInt(index + 1), externalId: `c${index}` })),
    );
    expect(events.map((row) => (row as { position: bigint }).position)).toEqual(
      events.map((_row, index) => BigInt(index + 1)),
    );
  });

  test('adds invoice numbers and signed page URLs to events', async () => {
    const { ctx, ids } = await world(1);
    const { id } = await subscriptionCreate.execute(ctx, { customerId: 'c0', planId: 'pln_monthly' });
    expect(ids).toEqual(['cus_c0']);
    const [ready] = await ctx.sql<{ data: Record<string, unknown> }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = 'checkout.ready'`,
    );
    const [created] = await ctx.sql<{ data: Record<string, unknown> }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = 'invoice.created'`,
    );
    const url = String(ready?.data['checkoutUrl']);
    expect(url).toMatch(/^https:\/\/bill\.test\/checkout\/.+/);
    expect(await app.secrets.readPage(url.slice('https://bill.test/checkout/'.length))).toEqual({
      page: 'checkout',
      environmentId: ctx.environment.id,
      subjectId: id,
    });
    expect(created?.data['invoiceNumber']).toBe('INV-0001');
  });
});

describe('an event with a cause', () => {
  test('is stored once per cause, and event positions have no gaps', async () => {
    const { ctx } = await world(1);
    const event = (cause?: string): EventDraft => ({
      kind: 'invoice.overdue',
      data: { cause: cause ?? null },
      customerId: 'cus_c0',
      subscriptionId: null,
      occurredAt: new Date(0),
      ...(cause === undefined ? {} : { cause }),
    });
    const store = (...events: EventDraft[]) =>
      inTransaction(ctx, (tx) => apply(tx, [{ ...noChanges, events }]));
    await store(event('a'), event(), event('a'), event('b'));
    await store(event('b'), event('c'), event());
    const rows = await ctx.sql<{ position: bigint; cause: string | null }>(
      `SELECT position, cause FROM "Event" WHERE "environmentId" = $1 ORDER BY position`,
    );
    expect(rows).toEqual(
      [['a'], [null], ['b'], ['c'], [null]].map(([cause = null], index) => ({
        position: BigInt(index + 1),
        cause,
      })),
    );
  });
});

describe('a command', () => {
  test('leaves the database unchanged after an uncommitted rejection', async () => {
    const { ctx } = await world(1);
    const id = await subscribe(ctx, 'cus_c0', 'pln_monthly');
    const before = await portrait(ctx);
    for (const attempt of [
      () => subscriptionCreate.execute(ctx, { customerId: 'c0', planId: 'pln_monthly' }),
      () => subscriptionCreate.execute(ctx, { customerId: 'nobody', planId: 'pln_monthly' }),
      () => subscriptionUncancel.execute(ctx, { id }),
      () => subscriptionCancel.execute(ctx, { id: 'sub_unknown' }),
      () => payCheckout(ctx, { subscriptionId: id, card: card(cards.pays) }),
    ]) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'QuittanceError' });
      expect(error).not.toBeInstanceOf(CommittedRejectionError);
    }
    await expect(
      executeOne(ctx, 'cus_unknown', { kind: 'subscription.create', selection: { planId: 'pln_monthly' } }),
    ).rejects.toMatchObject({ code: 'customer_not_found' });
    expect(await portrait(ctx)).toEqual(before);
  });

  test('stores the attempt of a declined checkout, which can be retried', async () => {
    const { ctx } = await world(1);
    const { id } = await subscriptionCreate.execute(ctx, { customerId: 'c0', planId: 'pln_monthly' });
    const before = await portrait(ctx);
    const declined = payCheckout(ctx, { subscriptionId: id, card: card(cards.declines) });
    await expect(declined).rejects.toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'card_declined' },
    });
    await expect(declined).rejects.toBeInstanceOf(CommittedRejectionError);
    const after = await portrait(ctx);
    expect(after.transactions).toMatchObject([{ status: 'failed', declineCode: 'card_declined' }]);
    expect({ ...after, transactions: [] }).toEqual(before);
    expect((await payCheckout(ctx, { subscriptionId: id, card: card(cards.pays) })).subscription.status).toBe(
      'active',
    );
  });

  test('completes or declines a checkout after an authentication', async () => {
    const { ctx } = await world(1);
    const { id } = await subscriptionCreate.execute(ctx, { customerId: 'c0', planId: 'pln_monthly' });
    const pay = () => payCheckout(ctx, { subscriptionId: id, card: card(cards.authenticates) });
    expect((await pay()).status).toBe('requires_action');
    await expect(authenticateCheckout(ctx, { subscriptionId: id, succeed: false })).rejects.toMatchObject({
      code: 'charge_failed',
    });
    expect((await pay()).subscription.status).toBe('pending_payment');
    expect(await authenticateCheckout(ctx, { subscriptionId: id, succeed: true })).toMatchObject({
      status: 'paid',
      subscription: { status: 'active' },
    });
  });
});

describe('an engine operation', () => {
  test('schedules a cancellation, undoes it, and then cancels immediately', async () => {
    const { ctx } = await world(1);
    const id = await subscribe(ctx, 'cus_c0', 'pln_monthly');
    expect(await subscriptionCancel.execute(ctx, { id, reason: 'too dear' })).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      cancelReason: 'too dear',
    });
    expect(await subscriptionUncancel.execute(ctx, { id })).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: false,
    });
    expect(await subscriptionCancel.execute(ctx, { id, immediate: true })).toMatchObject({
      status: 'canceled',
    });
    expect((await kinds(ctx)).filter((kind) => kind.startsWith('subscription.'))).toEqual([
      'subscription.created',
      'subscription.activated',
      'subscription.cancellation_scheduled',
      'subscription.updated',
      'subscription.cancellation_revoked',
      'subscription.updated',
      'subscription.canceled',
    ]);
  });

  test('creates one subscription for two concurrent requests', async () => {
    const { ctx } = await world(1);
    const create = () => subscriptionCreate.execute(ctx, { customerId: 'c0', planId: 'pln_monthly' });
    const [one, two] = await Promise.all([create(), create()]);
    expect(one.id).toBe(two.id);
    expect((await portrait(ctx)).invoices).toHaveLength(1);
  });
});
