import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  attachFeature,
  clockSettled,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';

// Plans with pools of custom units, from the first event to the invoice. Each story has a separate sandbox and clock.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

type Body = Readonly<Record<string, unknown>>;
type Answer = {
  readonly consumption?: { readonly deducted: number; readonly remaining: number };
  readonly error?: { readonly code: string };
};

/** Pool of a plan: its asset and its terms. */
type PoolTerms = { readonly asset: string } & Body;

/** Feature of a plan, with its settlement and its rate. */
type FeatureTerms = { readonly pool?: string; readonly rate?: Body; readonly terms?: Body };

async function put(shop: Shop, path: string, body: Body): Promise<Body> {
  const answer = await shop.rest<Body>('PUT', path, body);
  if (answer.status !== 200) throw new Error(`${path} failed: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a sandbox with a metered plan for 49.00, its pools and features, and a subscriber. */
async function story(
  pools: readonly PoolTerms[],
  features: readonly FeatureTerms[],
  assets: readonly Body[] = [],
) {
  const shop = await otherShop(t, 'Story');
  const until = async (frozenTime: string): Promise<void> => {
    expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
    expect(await clockSettled(shop)).toBe('completed');
  };
  await until('2027-04-05T09:00:00Z');
  for (const asset of assets) expect((await shop.rest('POST', '/assets', asset)).status).toBe(201);
  const { id: planId } = await createPlan(shop, {});
  await createPrice(shop, planId, { price: 4_900 });
  for (const { asset, ...terms } of pools) await put(shop, `/plans/${planId}/pools/${asset}`, terms);
  const codes: string[] = [];
  for (const { pool, rate, terms = {} } of features) {
    const feature = await createFeature(shop, 'usage');
    const settle = pool === undefined ? {} : { settle: { pool } };
    const credits = pool === 'credits' ? { creditsPerUnit: 1 } : {};
    await attachFeature(shop, planId, feature.id, { ...terms, ...credits, ...settle });
    if (rate !== undefined) await put(shop, `/plans/${planId}/features/${feature.id}/rate`, { rate });
    codes.push(feature.code);
  }
  const { id: customerId } = await createCustomer(shop);
  const { id: subscriptionId, token } = await subscribeTo(shop, customerId, planId);
  if (token !== null) await pay(shop, token);
  /** Records usage of a feature. Returns the deduction and the rest, or the error code. */
  const use = async (feature: number, value: number): Promise<readonly number[] | string> => {
    const body = { customerId, featureCode: codes[feature], value };
    const { body: answer } = await shop.rest<Answer>('POST', '/usage/events', body);
    const { consumption, error } = answer;
    if (error !== undefined) return error.code;
    return consumption === undefined ? [] : [consumption.deducted, consumption.remaining];
  };
  /** Returns the asset and amount of each pool. */
  const amounts = async (): Promise<unknown> => {
    const query = `query ($id: ID!) { subscription(id: $id) { pools { asset amount } } }`;
    const { subscription } = await t.graphql<{
      subscription: { pools: readonly { readonly asset: string; readonly amount: number }[] };
    }>(query, { id: subscriptionId }, { key: shop.key });
    return subscription.pools.map(({ asset, amount }) => [asset, amount]);
  };
  /** Returns the types and amounts of the lines of the latest invoice. */
  const lines = async (): Promise<unknown> => {
    type Invoice = { readonly lineItems: readonly { readonly lineType: string; readonly amount: number }[] };
    const { body } = await shop.rest<{ data: readonly { readonly id: string }[] }>(
      'GET',
      `/invoices?subscriptionId=${subscriptionId}`,
    );
    const invoice = await shop.rest<Invoice>('GET', `/invoices/${body.data[0]?.id}`);
    return invoice.body.lineItems.map(({ lineType, amount }) => [lineType, amount]);
  };
  return { shop, until, planId, customerId, subscriptionId, codes, use, amounts, lines };
}

const oneEach = { amount: '1' };

describe('a plan with pools of custom units (PRM-160)', () => {
  test('overdraws credits at the overdraft rate, and bills the overdraft at the end of the window (PRM-143, PRM-E45)', async () => {
    const { use, until, amounts, lines } = await story(
      [{ asset: 'credits', includedPerWindow: 40, onEmpty: 'overdraw', overdraftRate: '0.0125' }],
      [{ pool: 'credits' }],
    );
    expect(await use(0, 100)).toEqual([100, -60]);
    expect(await amounts()).toEqual([['credits', -60]]);
    await until('2027-05-06T00:00:00Z');
    expect(await lines()).toEqual([
      ['plan_base', 4_900],
      ['balance_overage', 75],
    ]);
    expect(await amounts()).toEqual([['credits', 40]]);
  });

  test('deducts fractions of a unit with decimals (PRM-E47)', async () => {
    const { use, amounts } = await story(
      [{ asset: 'tokens', includedPerWindow: 2_000 }],
      [{ pool: 'tokens', rate: { per: 1_000, amount: '1' } }],
      [{ code: 'tokens', name: 'Tokens', decimals: 3 }],
    );
    expect(await use(0, 411)).toEqual([0.411, 1.589]);
    expect(await use(0, 411)).toEqual([0.411, 1.178]);
    expect(await use(0, 411)).toEqual([0.411, 0.767]);
    expect(await use(0, 768)).toBe('insufficient_credits');
    expect(await amounts()).toEqual([['tokens', 767]]);
  });

  test('settles each feature by its own pool or by invoice', async () => {
    const { use, until, amounts, lines } = await story(
      [
        { asset: 'gpu', includedPerWindow: 500, rollover: { windows: 1 } },
        { asset: 'usd', includedPerWindow: 100_000, onEmpty: 'overdraw' },
      ],
      [
        { pool: 'gpu', rate: oneEach },
        { pool: 'usd', rate: { amount: '0.25' } },
        { terms: { includedAmount: 10, overage: { enabled: true, unitPrice: 20_000 } } },
      ],
      [{ code: 'gpu', name: 'GPU seconds' }],
    );
    expect(await use(0, 120)).toEqual([120, 380]);
    expect(await use(0, 381)).toBe('insufficient_credits');
    expect(await use(1, 60)).toEqual([150_000, -50_000]);
    expect(await use(2, 13)).toEqual([]);
    expect(await amounts()).toEqual([
      ['gpu', 380],
      ['usd', -50_000],
    ]);
    await until('2027-05-06T00:00:00Z');
    expect(await lines()).toEqual([
      ['plan_base', 4_900],
      ['feature_overage', 600],
      ['balance_overage', 500],
    ]);
    expect(await amounts()).toEqual([
      ['gpu', 880],
      ['usd', 100_000],
    ]);
    await until('2027-06-06T00:00:00Z');
    expect(await amounts()).toEqual([
      ['gpu', 1_000],
      ['usd', 100_000],
    ]);
  });

  test('accepts units up to the included amount without a deduction (PRM-161)', async () => {
    const { use } = await story(
      [{ asset: 'gpu', includedPerWindow: 10 }],
      [{ pool: 'gpu', rate: oneEach, terms: { includedAmount: 5 } }],
      [{ code: 'gpu', name: 'GPU seconds' }],
    );
    expect(await use(0, 5)).toEqual([0, 10]);
    expect(await use(0, 8)).toEqual([8, 2]);
    expect(await use(0, 3)).toBe('insufficient_credits');
    expect(await use(0, 2)).toEqual([2, 0]);
  });

  test('sells and grants lots of a custom unit (PRM-142)', async () => {
    const { shop, subscriptionId, customerId, use, amounts } = await story(
      [{ asset: 'gpu', includedPerWindow: 10 }],
      [{ pool: 'gpu', rate: oneEach }],
      [{ code: 'gpu', name: 'GPU seconds' }],
    );
    const pack = await shop.rest<{ id: string; asset: string }>('POST', '/credit-packs', {
      name: 'GPU pack',
      credits: 50,
      asset: 'gpu',
      price: 900,
    });
    expect(pack.body).toMatchObject({ asset: 'gpu', credits: 50 });
    const bought = await shop.rest('POST', `/subscriptions/${subscriptionId}/credits`, {
      creditPackId: pack.body.id,
    });
    expect(bought.status).toBe(200);
    const granted = await shop.rest<Body>('POST', `/customers/${customerId}/lots`, {
      asset: 'gpu',
      amount: 7,
    });
    expect(granted.body).toMatchObject({ asset: 'gpu', source: 'promotion', remaining: 7 });
    expect(await amounts()).toEqual([['gpu', 67]]);
    expect(await use(0, 67)).toEqual([67, 0]);
    const foreign = await shop.rest('POST', `/customers/${customerId}/lots`, { asset: 'credits', amount: 7 });
    expect(foreign).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
  });
});
