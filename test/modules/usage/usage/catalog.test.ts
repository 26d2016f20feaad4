import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordUsage } from '../../../../src/engine/usage/record.ts';
import { requestOf } from '../../../../src/modules/usage/usage/track.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// The catalog that is cached between usage events is always up to date.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Answer = { readonly error?: { readonly code: string } };

/**
 * Records one unit through the app under test. Returns the error code, or `null` if the unit was recorded.
 */
const track = async (consumer: Consumer): Promise<string | null> =>
  (await shop.rest<Answer>('POST', '/usage/events', of(consumer))).body.error?.code ?? null;

/** Returns a function like `track` for another process on the same database, which has its own cache. */
const openOther = () => {
  const app = { ...t.app };
  return async (consumer: Consumer): Promise<string | null> => {
    const { results } = await recordUsage(await systemContext(app, t.sandboxId), [requestOf(of(consumer))]);
    const [result] = results;
    return result !== undefined && 'rejection' in result ? result.rejection.code : null;
  };
};

const change = async (consumer: Consumer, terms: object): Promise<void> => {
  const { status } = await shop.rest(
    'PATCH',
    `/plans/${consumer.planId}/features/${consumer.feature.id}`,
    terms,
  );
  expect(status).toBe(200);
};

describe('a usage event after a catalog change', () => {
  test('uses raised limits immediately, both in the process that made the change and in other processes (CAT-49)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 1 } });
    const trackElsewhere = openOther();
    expect([await track(consumer), await track(consumer), await trackElsewhere(consumer)]).toEqual([
      null,
      'included_limit_reached',
      'included_limit_reached',
    ]);
    await change(consumer, { includedAmount: 3 });
    expect([
      await trackElsewhere(consumer),
      await track(consumer),
      await track(consumer),
      await trackElsewhere(consumer),
    ]).toEqual([null, null, 'included_limit_reached', 'included_limit_reached']);
  });

  test('finds a plan, a feature, and a customer that were created after the catalog was cached', async () => {
    const first = await createConsumer(shop);
    const unknown = { ...first, feature: { ...first.feature, code: 'not_there_yet' } };
    expect([await track(first), await track(unknown)]).toEqual([null, 'feature_not_found']);
    const second = await createConsumer(shop);
    expect(await track(second)).toBeNull();
    const feature = await shop.rest<{ readonly id: string }>('POST', '/features', {
      name: 'Late',
      code: 'not_there_yet',
      type: 'usage',
    });
    expect(await track(unknown)).toBe('feature_not_in_plan');
    await shop.rest('POST', `/plans/${first.planId}/features`, {
      featureId: feature.body.id,
      includedAmount: 1,
    });
    expect(await track(unknown)).toBe(null);
  });

  test('uses the previous terms if the change was rolled back', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 1 } });
    expect(await track(consumer)).toBeNull();
    const version = () =>
      t.app.database.query('SELECT "catalogVersion" FROM "EnvironmentCounter" WHERE "environmentId" = $1', [
        t.sandboxId,
      ]);
    const before = await version();
    const rejected = await shop.rest('PATCH', `/plans/${consumer.planId}/features/${consumer.feature.id}`, {
      includedAmount: -5,
    });
    expect(rejected.status).toBe(400);
    expect(await version()).toEqual(before);
    expect(await track(consumer)).toBe('included_limit_reached');
  });
});
