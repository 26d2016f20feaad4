import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BatchError, type UsageOperation, type UsageOutcome } from '../../src/engine/usage/operation.ts';
import { recordInBatch } from '../../src/engine/usage/queue.ts';
import { requestOf } from '../../src/modules/usage/usage/track.ts';
import { systemContext } from '../../src/request/context.ts';
import {
  type Consumer,
  consumptionOf,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../support/consumers.ts';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Operations in one batch. Each operation's response is created before any write.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Respond = UsageOperation<string>['respond'];

/** Returns the remaining units after each event, or the error code. */
const shown = ({ results }: UsageOutcome): string =>
  results
    .map((result) => {
      if ('rejection' in result) return result.rejection.code;
      return 'event' in result ? String(result.event.remaining ?? 'ok') : result.hold.status;
    })
    .join(' ');

const kept: Respond = (outcome) => ({ value: shown(outcome), stored: null, isUndone: false });
const undone: Respond = (outcome) => ({ ...kept(outcome), isUndone: true });
const broken: Respond = () => {
  throw new RangeError('It cannot be shown.');
};

/**
 * Records one event for each response function, all concurrently. For each event, returns the value of the
 * response or the name of the error.
 */
async function record(consumer: Consumer, ...responds: readonly Respond[]): Promise<string[]> {
  const ctx = await systemContext(t.app, t.sandboxId);
  return Promise.all(
    responds.map(async (respond) => {
      const operation = { key: null, requests: [requestOf(of(consumer))], respond };
      try {
        const result = await recordInBatch(ctx, operation);
        return 'value' in result ? result.value : 'found';
      } catch (error) {
        return error instanceof BatchError && error.cause instanceof Error ? error.cause.name : 'unknown';
      }
    }),
  );
}

describe('a usage operation', () => {
  test("fails without affecting other operations if its response can't be created", async () => {
    const consumer = await createCreditsConsumer(shop);
    expect(await record(consumer, kept, broken, kept)).toEqual(['633', 'RangeError', '626']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 626n,
      total: 2n,
      events: 2n,
      entries: { credits: 626n },
    });
  });

  test('records no usage if its response is a failure, both with loaded rows and with a snapshot', async () => {
    const consumer = await createCreditsConsumer(shop);
    for (const left of [633, 626, 619])
      expect(await record(consumer, undone, kept)).toEqual([String(left), String(left)]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ credits: 619n, total: 3n, events: 3n });
  });

  test('records no usage if it fails as the only operation', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 1 } });
    expect(await record(consumer, undone)).toEqual(['ok']);
    expect(await record(consumer, broken)).toEqual(['RangeError']);
    expect(await record(consumer, kept)).toEqual(['ok']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 1n, events: 1n });
  });
});
