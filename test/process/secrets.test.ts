import { afterAll, expect, test } from 'vitest';
import { callerOf } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { expectedSignature, openReceiver } from '../support/receiver.ts';
import { childStorage } from '../support/storage.ts';

// Rotates APP_SECRET by following the steps in docs/operations.md.

const key = 'ck_sandbox_rotation_0123456789abcdef';
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

const call = (child: Child, path: string, body?: unknown) => callerOf(child, key).rest('POST', path, body);

/** Returns true if the link opens the checkout. */
async function opens(child: Child, checkoutUrl: unknown): Promise<boolean> {
  const token = String(checkoutUrl).split('/').at(-1);
  const response = await fetch(`${child.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($token: String!) { checkout(token: $token) { status } }',
      variables: { token },
    }),
  });
  return !('errors' in ((await response.json()) as object));
}

test('rotating APP_SECRET keeps stored values readable, re-encrypts them with the new secret, and makes the old secret unnecessary', {
  timeout: 120_000,
}, async () => {
  const { env, remove } = await childStorage({
    BOOTSTRAP_API_KEY: key,
    WORKER_POLL_MS: '50',
    HOUSEKEEPING_MS: '100',
    LOG_LEVEL: 'info',
  });
  const receiver = await openReceiver();
  cleanups.push(receiver.close, remove);
  const [old, current] = [
    'the old secret of thirty-two characters',
    'the new secret of thirty-two characters',
  ];

  const first = await startChild({ ...env, APP_SECRET: old });
  const endpoint = await call(first, '/webhooks', { url: receiver.url, events: ['payout.paid'] });
  const plan = await call(first, '/plans', { name: 'Pro', code: 'pro' });
  await call(first, `/plans/${String(plan['id'])}/prices`, { billingInterval: 'monthly', price: 1_900 });
  await call(first, '/customers', { email: 'a@shop.test', externalId: 'a' });
  const { checkoutUrl } = await call(first, '/subscriptions', { customerId: 'a', planCode: 'pro' });
  expect(await opens(first, checkoutUrl)).toBe(true);
  expect(await first.stop()).toBe(0);

  /** Sends an event to the endpoint and expects a signature made with the secret that the endpoint's owner received. */
  const expectSigned = async (child: Child): Promise<void> => {
    const emitted = receiver.messages.length + 1;
    await call(child, `/webhooks/${String(endpoint['id'])}/test`);
    const message = (await receiver.received(emitted)).at(-1);
    expect(message?.headers['x-service-signature']).toBe(
      expectedSignature(message?.text ?? '', String(endpoint['secretKey'])),
    );
  };

  const second = await startChild({ ...env, APP_SECRET: current, APP_SECRET_PREVIOUS: old });
  expect(await opens(second, checkoutUrl)).toBe(true);
  await eventually(() => second.output().includes('encrypted again'));
  expect(second.output()).toContain('"resealed":1');
  await expectSigned(second);
  const customer = await call(second, '/customers', { email: 'b@shop.test', externalId: 'b' });
  expect(customer['externalId']).toBe('b');
  const { checkoutUrl: fresh } = await call(second, '/subscriptions', { customerId: 'b', planCode: 'pro' });
  expect(await second.stop()).toBe(0);

  const third = await startChild({ ...env, APP_SECRET: current });
  await expectSigned(third);
  // Links aren't stored, so replacing the old secret invalidates the links that it signed.
  expect([await opens(third, fresh), await opens(third, checkoutUrl)]).toEqual([true, false]);
  expect(third.output()).not.toContain('cannot be opened');
  expect(await third.stop()).toBe(0);
});
