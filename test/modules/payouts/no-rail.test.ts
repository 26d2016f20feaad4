import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Context, systemContext } from '../../../src/context.ts';
import { createOrganization } from '../../../src/modules/organizations/create.ts';
import { requestPayout } from '../../../src/modules/payouts/request.ts';
import { requirePayout } from '../../../src/modules/payouts/store.ts';
import { withdrawPayout } from '../../../src/modules/payouts/withdraw.ts';
import { askProviders } from '../../../src/modules/payouts/worker.ts';
import { openGateways } from '../../../src/providers/index.ts';
import { closeApp, MovableClock, openApp } from '../../support/billing-world.ts';
import { openPayouts } from '../../support/payouts.ts';
import { openProcessor, type Processor } from '../../support/processor.ts';

// Payouts of live environments where no rail is set up: they wait, and nobody is asked.

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

test('a payout waits, and is canceled immediately when it is withdrawn (PAY-37)', async () => {
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

test('a payout that has waited is made by the provider that is set up later, and one withdrawn before is not', async () => {
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

test('what is stopped before it has begun to ask is asked at the next inquiry', async () => {
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
  // It may have been made: that is asked first.
  expect(processor.calls.slice(before)).toEqual([`GET ${id}`, `PUT ${id}`]);
});
