import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebhook } from '../../../../src/modules/messages/webhooks/create.ts';
import { deleteWebhook } from '../../../../src/modules/messages/webhooks/delete.ts';
import { resendDelivery } from '../../../../src/modules/messages/webhooks/resend.ts';
import type { DeliveryRow } from '../../../../src/modules/messages/webhooks/store.ts';
import { findEndpointsWithWork } from '../../../../src/modules/messages/webhooks/store.ts';
import { updateWebhook } from '../../../../src/modules/messages/webhooks/update.ts';
import { fanOut } from '../../../../src/modules/messages/webhooks/worker/fan-out.ts';
import { webhookLoop } from '../../../../src/modules/messages/webhooks/worker/worker.ts';
import type { LeasedLoop } from '../../../../src/platform/queue/leased-loop.ts';
import type { App, Context } from '../../../../src/request/context.ts';
import { inTransaction, recordEvents } from '../../../../src/request/transaction.ts';
import { removeOld } from '../../../../src/worker/retention.ts';
import {
  addCustomers,
  closeApp,
  MovableClock,
  newEnvironment,
  openApp,
  withSettings,
} from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { expectedSignature, openReceiver, type Receiver } from '../../../support/receiver.ts';

const began = '2027-05-04T13:00:00.000Z';
const wall = new MovableClock(began);
let app: App;
const dispatchers: LeasedLoop[] = [];
const receivers: Receiver[] = [];

beforeAll(async () => {
  app = await openApp(wall, { WORKER_POLL_MS: '20' });
});
afterEach(async () => {
  await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop()));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  wall.set(began);
});
afterAll(() => closeApp(app));

/**
 * Starts the dispatcher. By default, receivers have one minute to respond. The test's clock doesn't advance, so an attempt that times out
 * on a busy machine is never retried.
 */
const dispatch = (timeoutMs = 60_000): LeasedLoop => {
  const dispatcher = webhookLoop.start(
    withSettings(app, { WORKER_POLL_MS: '20', WEBHOOK_TIMEOUT_MS: String(timeoutMs) }),
  );
  dispatchers.push(dispatcher);
  return dispatcher;
};

const receive = async (): Promise<Receiver> => {
  const receiver = await openReceiver();
  receivers.push(receiver);
  return receiver;
};

const kind = 'customer.created';

/** Commits one event for each customer ID. */
const happen = (
  ctx: Context,
  customers: readonly (string | null)[],
  eventKind = kind,
  data: object = {},
): Promise<void> =>
  inTransaction(ctx, (tx) =>
    recordEvents(
      tx,
      customers.map((customerId, index) => ({
        kind: eventKind,
        occurredAt: new Date('2027-05-04T12:00:00.000Z'),
        customerId,
        subscriptionId: null,
        data: { index, customerId, ...data },
      })),
    ),
  );

const deliveries = (ctx: Context): Promise<DeliveryRow[]> =>
  ctx.sql<DeliveryRow>(
    'SELECT * FROM "WebhookDelivery" WHERE "environmentId" = $1 ORDER BY position, "webhookId"',
  );

/** Returns `true` if a worker would find work in the environment at this time. */
const isWorkLeft = async (ctx: Context): Promise<boolean> =>
  (await findEndpointsWithWork(app.database.query, wall.now(), 1_000)).some(
    ({ environmentId }) => environmentId === ctx.environment.id,
  );

const endpointState = async (ctx: Context, id: string) =>
  (
    await ctx.sql<{ isActive: boolean; failedInRow: number }>(
      'SELECT "isActive", "failedInRow" FROM "Webhook" WHERE "environmentId" = $1 AND id = $2',
      [id],
    )
  )[0];

/** Returns the emails to the organization at an email address, in order. */
const notifications = async (to: string): Promise<{ subject: string; text: string }[]> =>
  app.database.query(
    `SELECT subject, content->>'text' AS text FROM "EmailNotification" WHERE audience = 'organization' AND recipient = $1 ORDER BY seq`,
    [to],
  );

const statuses = async (ctx: Context): Promise<string[]> =>
  (await deliveries(ctx)).map(({ status }) => status);

const settle = (ctx: Context, count: number): Promise<boolean> =>
  eventually(async () => (await statuses(ctx)).filter((status) => status !== 'pending').length === count);

/** Waits until there are this many deliveries and each has this many attempts. */
const attempted = (ctx: Context, attempts: number, count = 1): Promise<boolean> =>
  eventually(async () => {
    const all = await deliveries(ctx);
    return all.length === count && all.every((delivery) => delivery.attempts === attempts);
  });

/** Retry times after a first attempt at 13:00 (PLT-E1). */
const retries = ['13:01', '13:06', '13:21', '13:51', '14:51', '16:51', '20:51'];

/** Advances real time to each retry time on the given day, and waits for each attempt. */
async function exhaust(ctx: Context, day: string): Promise<void> {
  for (const [index, time] of retries.entries()) {
    wall.set(`${day}T${time}:00.000Z`);
    await eventually(async () => {
      const pending = (await deliveries(ctx)).filter(({ status }) => status === 'pending');
      return pending.every(({ attempts }) => attempts === index + 2);
    });
  }
}

describe('a webhook event', () => {
  test('is sent with its envelope and signature to every enabled endpoint that receives its type (PLT-42, PLT-43)', async () => {
    const ctx = await newEnvironment(app);
    const [one, two] = [await receive(), await receive()];
    const first = await createWebhook(ctx, { url: one.url, events: [kind, 'invoice.created'] });
    await createWebhook(ctx, { url: two.url, events: [kind] });
    await createWebhook(ctx, { url: two.url, events: ['payout.paid'] });
    await happen(ctx, [null], 'invoice.created');
    await happen(ctx, [null], kind, { name: 'Zoë 🎉 שלום' });
    await happen(ctx, [null], 'usage.recorded');
    dispatch();
    await one.received(2);
    await two.received(1);
    await settle(ctx, 3);
    expect(one.messages.map(({ envelope }) => envelope.event).sort()).toEqual([kind, 'invoice.created']);
    const message = one.messages.find(({ envelope }) => envelope.event === kind);
    expect(message?.envelope).toEqual({
      id: expect.stringMatching(/^whev_/),
      event: kind,
      timestamp: '2027-05-04T12:00:00.000Z',
      organizationId: ctx.environment.organizationId,
      mode: 'sandbox',
      apiVersion: '2026-08-27',
      data: { index: 0, customerId: null, name: 'Zoë 🎉 שלום' },
    });
    expect(message?.headers['x-service-signature']).toBe(
      expectedSignature(message?.text ?? '', first.secretKey),
    );
    expect(two.messages.map(({ envelope }) => envelope.id)).toEqual([message?.envelope.id]);
    expect(await deliveries(ctx)).toMatchObject(
      [{ kind: 'invoice.created' }, { kind }, { kind }].map((row) => ({
        ...row,
        status: 'succeeded',
        attempts: 1,
        responseStatus: 200,
        nextAttemptAt: null,
        finishedAt: new Date(began),
        lastAttemptAt: new Date(began),
      })),
    );
  });

  test("isn't sent to an endpoint that was created later or belongs to another environment", async () => {
    const [ctx, other] = [await newEnvironment(app), await newEnvironment(app)];
    const receiver = await receive();
    await happen(ctx, [null], 'usage.recorded');
    await createWebhook(ctx, { url: receiver.url, events: ['usage.recorded'] });
    await happen(other, [null], 'usage.recorded');
    await happen(ctx, ['cus_a'], 'usage.recorded');
    dispatch();
    await receiver.received(1);
    await settle(ctx, 1);
    expect(receiver.messages.map(({ envelope }) => envelope.data['customerId'])).toEqual(['cus_a']);
  });

  test('contains the state at the time of delivery if it reports a state change (PLT-47)', async () => {
    const ctx = await newEnvironment(app);
    const [customerId = ''] = await addCustomers(ctx, 'state', 1);
    const receiver = await receive();
    await createWebhook(ctx, { url: receiver.url, events: ['customer.state_changed'] });
    await happen(ctx, [customerId], 'customer.state_changed', { trigger: 'subscription_canceled' });
    dispatch();
    const [message] = await receiver.received(1);
    expect(message?.envelope.data).toMatchObject({
      trigger: 'subscription_canceled',
      status: 'none',
      plan: null,
      features: [],
    });
  });
});

describe('a failing webhook delivery', () => {
  test('is attempted eight times on the documented schedule, then fails permanently and sends an email (PLT-44, PLT-E1)', async () => {
    const ctx = await newEnvironment(app);
    await app.database.prisma.organization.update({
      where: { id: ctx.environment.organizationId },
      data: { notificationEmail: 'ops@e1.test' },
    });
    const receiver = await receive();
    receiver.behave((_message, response) => void response.writeHead(500).end('down'));
    const { id } = await createWebhook(ctx, { url: `${receiver.url}/e1`, events: [kind] });
    await happen(ctx, [null]);
    dispatch();
    await attempted(ctx, 1);
    for (const [index, time] of retries.entries()) {
      const due = new Date(`2027-05-04T${time}:00.000Z`);
      expect(await deliveries(ctx)).toMatchObject([
        {
          status: 'pending',
          attempts: index + 1,
          nextAttemptAt: due,
          responseStatus: 500,
          responseBody: null,
        },
      ]);
      wall.set(new Date(due.getTime() - 1).toISOString());
      expect(await isWorkLeft(ctx)).toBe(false);
      expect(receiver.messages).toHaveLength(index + 1);
      wall.set(due.toISOString());
      await attempted(ctx, index + 2);
    }
    const ended = new Date('2027-05-04T20:51:00.000Z');
    expect(await deliveries(ctx)).toMatchObject([
      { status: 'failed', attempts: 8, nextAttemptAt: null, finishedAt: ended, lastAttemptAt: ended },
    ]);
    expect(new Set(receiver.messages.map(({ envelope }) => envelope.id)).size).toBe(1);
    expect(new Set(receiver.messages.map(({ text }) => text)).size).toBe(1);
    expect(await endpointState(ctx, id)).toEqual({ isActive: true, failedInRow: 1 });
    const [notification, ...more] = await notifications('ops@e1.test');
    expect(more).toEqual([]);
    expect(notification?.subject).toBe(`Webhook delivery failed: ${kind}`);
    for (const part of [`${receiver.url}/e1`, kind, 'Status 500']) expect(notification?.text).toContain(part);
    expect(notification?.text).not.toContain('down');
  });

  test.each([
    ['a redirect', 302, null],
    ['a client error', 410, null],
    ['a broken connection', null, 'socket hang up'],
    ['a timeout', null, 'No answer within 400 ms.'],
  ] as const)('is retried after %s', async (what, status, error) => {
    const ctx = await newEnvironment(app);
    const receiver = await receive();
    await createWebhook(ctx, { url: receiver.url, events: [kind] });
    receiver.behave((_message, response) => {
      if (status !== null) response.writeHead(status, { location: receiver.url }).end();
      else if (what === 'a broken connection') response.destroy();
    });
    await happen(ctx, [null]);
    dispatch(what === 'a timeout' ? 400 : undefined);
    await attempted(ctx, 1);
    expect(await deliveries(ctx)).toMatchObject([{ status: 'pending', responseStatus: status, error }]);
    receiver.behave(204);
    wall.set('2027-05-04T13:01:00.000Z');
    await settle(ctx, 1);
    expect(await deliveries(ctx)).toMatchObject([
      { status: 'succeeded', attempts: 2, responseStatus: 204, error: null },
    ]);
  });
});

describe('a webhook endpoint', () => {
  test('is disabled only if a third consecutive event fails permanently, which sends a second email (PLT-45, PLT-E3)', async () => {
    const ctx = await newEnvironment(app);
    await app.database.prisma.organization.update({
      where: { id: ctx.environment.organizationId },
      data: { notificationEmail: 'ops@e3.test' },
    });
    const receiver = await receive();
    const { id } = await createWebhook(ctx, { url: receiver.url, events: [kind] });
    dispatch();
    const play = async (day: string, behaviour: number, count: number) => {
      wall.set(`${day}T13:00:00.000Z`);
      receiver.behave(behaviour);
      const before = (await deliveries(ctx)).length;
      await happen(
        ctx,
        Array.from({ length: count }, () => null),
      );
      await eventually(async () => (await deliveries(ctx)).slice(before).length === count);
      await eventually(async () =>
        (await deliveries(ctx)).slice(before).every(({ attempts }) => attempts === 1),
      );
      if (behaviour !== 200) await exhaust(ctx, day);
    };
    await play('2027-05-04', 500, 2);
    expect(await endpointState(ctx, id)).toEqual({ isActive: true, failedInRow: 2 });
    await play('2027-05-05', 200, 1);
    expect(await endpointState(ctx, id)).toEqual({ isActive: true, failedInRow: 0 });
    await play('2027-05-06', 500, 1);
    expect(await endpointState(ctx, id)).toEqual({ isActive: true, failedInRow: 1 });
    await play('2027-05-07', 500, 2);
    expect(await endpointState(ctx, id)).toEqual({ isActive: false, failedInRow: 3 });
    expect(await statuses(ctx)).toEqual(['failed', 'failed', 'succeeded', 'failed', 'failed', 'failed']);
    const subjects = (await notifications('ops@e3.test')).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'A webhook endpoint was disabled')).toHaveLength(1);
    expect(subjects).toHaveLength(6);

    // Events that occur while the endpoint is disabled are never sent automatically. A single delivery can be resent manually.
    await happen(ctx, [null]);
    receiver.behave(200);
    await updateWebhook(ctx, { id, isActive: true });
    expect(await endpointState(ctx, id)).toEqual({ isActive: true, failedInRow: 0 });
    const before = receiver.messages.length;
    await happen(ctx, ['cus_after']);
    await receiver.received(before + 1);
    expect(receiver.messages.at(-1)?.envelope.data['customerId']).toBe('cus_after');
    const [first] = await deliveries(ctx);
    await resendDelivery(ctx, first?.id ?? '');
    await receiver.received(before + 2);
    await eventually(async () => (await deliveries(ctx))[0]?.status === 'succeeded');
    expect((await deliveries(ctx))[0]).toMatchObject({ attempts: 1, eventId: first?.eventId });
  });

  test("cancels pending deliveries when it's disabled or deleted", async () => {
    const ctx = await newEnvironment(app);
    const receiver = await receive();
    receiver.behave(500);
    const [off, gone] = [
      await createWebhook(ctx, { url: receiver.url, events: [kind] }),
      await createWebhook(ctx, { url: receiver.url, events: [kind] }),
    ];
    await happen(ctx, [null]);
    dispatch();
    await attempted(ctx, 1, 2);
    await updateWebhook(ctx, { id: off.id, isActive: false });
    await deleteWebhook(ctx, gone.id);
    expect(await statuses(ctx)).toEqual(['canceled', 'canceled']);
    const before = receiver.messages.length;
    wall.set('2027-05-04T23:00:00.000Z');
    expect(await isWorkLeft(ctx)).toBe(false);
    expect(receiver.messages).toHaveLength(before);
    expect(await removeOld(app, 'deliveriesOfDeletedEndpoints')).toBe(1);
    await removeOld(app, 'deletedEndpoints');
    expect((await deliveries(ctx)).map(({ webhookId }) => webhookId)).toEqual([off.id]);
    const left = await ctx.sql('SELECT id FROM "Webhook" WHERE "environmentId" = $1');
    expect(left).toEqual([{ id: off.id }]);
  });

  test("receives a customer's events in order, without delays for other customers (PLT-47)", async () => {
    const ctx = await newEnvironment(app);
    const receiver = await receive();
    await createWebhook(ctx, { url: receiver.url, events: [kind] });
    let fast = 0;
    receiver.behave(async ({ envelope }, response) => {
      if (envelope.data['customerId'] === 'cus_slow') await eventually(async () => fast === 30);
      else fast++;
      response.writeHead(envelope.data['index'] === 0 ? 500 : 200).end();
    });
    const customers = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0 ? 'cus_slow' : `cus_${index % 3}`,
    );
    await happen(ctx, customers);
    dispatch();
    await receiver.received(40);
    await settle(ctx, 39);
    for (const customer of new Set(customers)) {
      const order = receiver.messages
        .filter(({ envelope }) => envelope.data['customerId'] === customer)
        .map(({ envelope }) => Number(envelope.data['index']));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });

  test("doesn't delay other endpoints while it's unresponsive", async () => {
    const ctx = await newEnvironment(app);
    const [dead, alive] = [await receive(), await receive()];
    dead.behave(() => undefined);
    for (let count = 0; count < 3; count++) await createWebhook(ctx, { url: dead.url, events: [kind] });
    await createWebhook(ctx, { url: alive.url, events: [kind] });
    await happen(
      ctx,
      Array.from({ length: 60 }, () => null),
    );
    dispatch(2_000);
    await alive.received(60);
    // The unresponsive endpoints haven't timed out yet.
    expect(dead.messages.length).toBeLessThanOrEqual(3 * 8 * 3);
  });

  test('receives each event once if two workers run concurrently', async () => {
    // A second worker on the embedded database clears the first worker's leases, because only one worker is expected. Both workers
    // therefore start before any work exists.
    dispatch();
    dispatch();
    const ctx = await newEnvironment(app);
    const receiver = await receive();
    for (let count = 0; count < 3; count++) await createWebhook(ctx, { url: receiver.url, events: [kind] });
    for (let count = 0; count < 10; count++) await happen(ctx, ['cus_a', 'cus_b', null]);
    await settle(ctx, 90);
    expect(receiver.messages).toHaveLength(90);
    expect(await statuses(ctx)).toEqual(Array.from({ length: 90 }, () => 'succeeded'));
  });

  test("is served by another worker after a dead worker's lease expires, and receives its pending deliveries", async () => {
    const ctx = await newEnvironment(app);
    const receiver = await receive();
    const { id } = await createWebhook(ctx, { url: receiver.url, events: [kind] });
    await happen(ctx, ['cus_a']);
    // State after a worker died before recording the response: the lease and a pending delivery.
    const leaseUntil = new Date('2027-05-04T13:00:30.000Z');
    await ctx.sql(
      'UPDATE "WebhookCursor" SET "leaseOwner" = $3, "leaseUntil" = $4 WHERE "environmentId" = $1 AND id = $2',
      [id, 'wrk_dead', leaseUntil],
    );
    await fanOut(ctx, id, 'wrk_dead');
    await ctx.sql('UPDATE "WebhookCursor" SET "leaseOwner" = $3 WHERE "environmentId" = $1 AND id = $2', [
      id,
      null,
    ]);
    dispatch();
    expect(await isWorkLeft(ctx)).toBe(false);
    expect(receiver.messages).toHaveLength(0);
    wall.set('2027-05-04T13:00:30.000Z');
    await settle(ctx, 1);
    expect(receiver.messages).toHaveLength(1);
  });
});

test('webhook delivery records are deleted a configured number of days after the delivery ended', async () => {
  const ctx = await newEnvironment(app);
  const receiver = await receive();
  await createWebhook(ctx, { url: receiver.url, events: [kind] });
  await happen(ctx, [null, null]);
  dispatch();
  await settle(ctx, 2);
  wall.set('2027-06-03T12:59:59.999Z');
  expect(await removeOld(app, 'deliveries')).toBe(0);
  wall.set('2027-06-03T13:00:00.000Z');
  expect(await removeOld(withSettings(app, { WEBHOOK_DELIVERY_RETENTION_DAYS: '0' }), 'deliveries')).toBe(0);
  await removeOld(app, 'deliveries');
  expect(await deliveries(ctx)).toEqual([]);
});
