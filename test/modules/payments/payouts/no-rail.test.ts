import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrganization } from '../../../../src/modules/organization/organizations/create.ts';
import { requestPayout } from '../../../../src/modules/payments/payouts/request.ts';
import { requirePayout } from '../../../../src/modules/payments/payouts/store.ts';
import { withdrawPayout } from '../../../../src/modules/payments/payouts/withdraw.ts';
import { askProviders } from '../../../../src/modules/payments/payouts/worker.ts';
import { openGateways } from '../../../../src/providers/index.ts';
import { type Context, systemContext } from '../../../../src/request/context.ts';
import { closeApp, MovableClock, openApp } from '../../../support/billing-world.ts';
import { openPayouts } from '../../../support/payouts.ts';
import { openProcessor, type Processor } from '../../../support/processor.ts';

// Live payouts without a configured payment provider stay pending, and no provider is called.

const began = '2027-03-01T10:00:00.000Z';
const wall = new MovableClock(began);
let app: Context['app'];
let processor: Processor;
let ctx: Context;
beforeAll(async () => {
  app = await openApp(wall);
  processor = await openProcessor();
});
beforeEach(async () => {
  wall.set(began);
  const { live } = await createOrganization(app, { name: 'Live' });
  ctx = await systemContext(app, live.id);
  await openPayouts(ctx, 5_000n);
});
afterAll(async () => {
  await closeApp(app);
  await processor.close();
});

const goesOn = () => true;
const requestOf = (id: string) => ctx.db.providerRequest.findFirst({ where: { id } });

test('a payout without a provider stays pending, and is canceled immediately on request (PAY-37)', async () => {
  const { id } = await requestPayout(ctx, { amount: 2_000 });
  await askProviders(ctx, goesOn);
  expect(await requestOf(id)).toMatchObject({
    asks: 0,
    requestedAt: null,
    inquireAt: new Date('2027-03-01T10:01:00.000Z'),
  });
  expect(await withdrawPayout(ctx, id)).toMatchObject({ status: 'canceled' });
  expect(await requestOf(id)).toMatchObject({ inquireAt: null, result: { status: 'canceled' } });
});

test('a pending payout is sent to a provider that is configured later, unless the payout has been canceled', async () => {
  const [waiting, withdrawn] = [
    await requestPayout(ctx, { amount: 2_000 }),
    await requestPayout(ctx, { amount: 1_000 }),
  ];
  await askProviders(ctx, goesOn);
  await withdrawPayout(ctx, withdrawn.id);
  const config = { ...app.config, platformProcessorUrl: processor.url };
  const gateways = openGateways({ config, database: app.database, secrets: app.secrets });
  const withPlatformProcessor = await systemContext({ ...app, config, gateways }, ctx.environment.id);
  await askProviders(withPlatformProcessor, goesOn);
  expect(processor.calls).toEqual([]);
  wall.set('2027-03-01T10:01:00.000Z');
  await askProviders(withPlatformProcessor, goesOn);
  expect(processor.calls).toEqual([`PUT ${waiting.id}`]);
  expect(processor.bank.made.get(waiting.id)?.order).toMatchObject({ amountMinor: '2000' });
  expect(await requirePayout(ctx, waiting.id)).toMatchObject({ status: 'pending' });
});

test('a payout request that is interrupted before it reaches the provider is sent after the next provider inquiry', async () => {
  const { id } = await requestPayout(ctx, { amount: 2_000 });
  const config = { ...app.config, platformProcessorUrl: processor.url };
  const withPlatformProcessor = await systemContext(
    { ...app, config, gateways: openGateways({ config, database: app.database, secrets: app.secrets }) },
    ctx.environment.id,
  );
  const before = processor.calls.length;
  await askProviders(withPlatformProcessor, () => false);
  expect(processor.calls.length).toBe(before);
  wall.set('2027-03-01T10:01:00.000Z');
  await askProviders(withPlatformProcessor, goesOn);
  // The provider may already have received the payout, so its status is requested first.
  expect(processor.calls.slice(before)).toEqual([`GET ${id}`, `PUT ${id}`]);
});
