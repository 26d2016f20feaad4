import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/platform/config.ts';
import { systemContext } from '../../src/request/context.ts';
import { start } from '../../src/start.ts';
import { callerOf } from '../support/caller.ts';
import { startChild } from '../support/child.ts';
import { newTenant, type Tenant } from '../support/harness.ts';
import { openPayouts } from '../support/payouts.ts';
import { openProcessor, type Processor } from '../support/processor.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';
import { HeldCharges } from './outside/charges.ts';
import { HeldEmail } from './outside/emails.ts';
import { HeldPayout } from './outside/payouts.ts';
import type { Place, Scene } from './outside/scene.ts';
import { HeldDelivery } from './outside/webhooks.ts';

// A process is killed while external services delay their responses, and a new process takes over. Each scenario has a separate
// organization.

describe('a process killed while external services delay their responses', () => {
  let notification: HeldEmail;
  let delivery: HeldDelivery;
  let charges: HeldCharges;
  let platformProcessor: Processor;
  let taken: HeldPayout;
  let lost: HeldPayout;
  let scenes: Scene[];
  let storage: ChildStorage;
  let exitCode: number | null;

  /** Runs a step in each scenario in turn, with the scenario's organization. */
  const each = async (
    tenants: readonly Tenant[],
    act: (scene: Scene, tenant: Tenant) => Promise<void>,
  ): Promise<void> => {
    for (const [index, scene] of scenes.entries()) await act(scene, tenants[index] as Tenant);
  };

  /** Creates the organizations and the funds for payouts in a process that stops normally. */
  async function makeTenants(): Promise<Tenant[]> {
    const { app, close } = await start(parseConfig({ ...storage.env, PORT: '0', LOG_LEVEL: 'silent' }));
    const tenants: Tenant[] = [];
    for (const scene of scenes) {
      const tenant = await newTenant(app, 'Shop');
      if (scene instanceof HeldPayout) await openPayouts(await systemContext(app, tenant.liveId), 5_000n);
      tenants.push(tenant);
    }
    await close();
    return tenants;
  }

  beforeAll(async () => {
    [notification, delivery, charges, platformProcessor] = await Promise.all([
      HeldEmail.open(),
      HeldDelivery.open(),
      HeldCharges.open(),
      openProcessor(),
    ]);
    [taken, lost] = [
      new HeldPayout(platformProcessor, 'accepts and hangs', 'paid'),
      new HeldPayout(platformProcessor, 'hangs', 'pending'),
    ];
    // The mail server attempt times out first, so its scenario comes last.
    scenes = [delivery, charges, taken, lost, notification];
    const settings = { RATE_LIMIT_PER_MINUTE: '0', WORKER_POLL_MS: '100' };
    storage = await childStorage(Object.assign(settings, ...scenes.map(({ env }) => env)));
    const tenants = await makeTenants();
    let child = await startChild(storage.env);
    const place = (tenant: Tenant): Place => {
      const [sandbox, live] = [callerOf(child, tenant.sandboxKey), callerOf(child, tenant.liveKey)];
      return { child, tenant, sandbox, live };
    };
    await each(tenants, (scene, tenant) => scene.prepare(place(tenant)));
    await each(tenants, (scene, tenant) => scene.ask(place(tenant)));
    await child.kill();
    await storage.meanwhile(({ query }) => each(tenants, (scene, tenant) => scene.meanwhile(query, tenant)));
    child = await startChild(storage.env);
    await each(tenants, (scene, tenant) => scene.end(place(tenant)));
    exitCode = await child.stop();
  }, 180_000);
  afterAll(async () => {
    for (const scene of scenes) await scene.close();
    await platformProcessor.close();
    await storage.remove();
  });

  test('is followed by a process that stops normally', () => expect(exitCode).toBe(0));

  // PAY-20: an email with an unknown outcome isn't sent again.
  test("doesn't resend an email whose outcome is unknown, and sends a waiting email once", () => {
    expect(notification.statuses).toEqual(['unconfirmed', 'sent']);
    expect(notification.mail.notifications).toHaveLength(2);
    expect(new Set(notification.mail.notifications.map(({ subject }) => subject)).size).toBe(2);
  });

  // PLT-47: events are delivered at least once, with the same ID.
  test('resends an event whose outcome is unknown, and delivers other events once', () => {
    const { messages } = delivery.receiver;
    expect(messages.map(({ envelope }) => envelope.data['externalId'])).toEqual(['a', 'b', 'b']);
    expect(messages[2]?.text).toBe(messages[1]?.text);
  });

  // BIL-5: the customer is charged once, whether or not the charge had already succeeded. The clock run continues normally.
  test('charges every renewal of a clock run once', () => {
    expect(charges.run).toMatchObject({ status: 'completed', failedDeadlineCount: 0 });
    expect(charges.transactions).toEqual(Array.from({ length: 10 }, () => 'succeeded'));
    expect(charges.invoices).toEqual(Array.from({ length: 10 }, () => 'paid'));
    const intents = charges.stripe.of('pi');
    expect(intents.map(({ status, amount }) => [status, amount])).toEqual(
      Array.from({ length: 10 }, () => ['succeeded', 1_900]),
    );
    expect(new Set(intents.map(({ metadata }) => metadata['attempt'])).size).toBe(10);
    // Five checkouts, five renewals, and one repeated request for the charge with an unknown outcome.
    expect(charges.requested).toBe(11);
    expect(charges.ledger).toEqual({ ledgerVerify: { ok: true, mismatches: [] } });
  });

  // PAY-37: the payout is made once, whether or not the provider had already accepted it.
  test('pays out once if the provider had already accepted the payout', () => {
    expect(taken.requested).toEqual(['PUT', 'GET']);
    expect(taken.state).toEqual({
      payouts: { edges: [{ node: { status: 'paid' } }] },
      payoutBalance: { available: 3_000, inTransit: 0 },
      ledgerVerify: { ok: true },
    });
  });

  test("pays out once if the provider hadn't received the payout", () => {
    expect(lost.requested).toEqual(['PUT', 'GET', 'PUT']);
    expect(lost.state).toEqual({
      payouts: { edges: [{ node: { status: 'pending' } }] },
      payoutBalance: { available: 3_000, inTransit: 2_000 },
      ledgerVerify: { ok: true },
    });
  });
});
