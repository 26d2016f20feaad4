import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventKinds } from '../../../src/domain/events/events.ts';
import { missingRecipes } from '../../../src/packages/cli/missing-recipes.ts';
import type { Recipe } from '../../../src/packages/cli/recipe-stage.ts';
import { pageClient, recipeFor, recipes } from '../../../src/packages/cli/recipes.ts';
import { Quittance } from '../../../src/packages/sdk/index.ts';
import { root } from '../../../src/platform/root.ts';
import { advanceDays, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// Recipes for events, and the command that runs them.

const entry = path.join(root, 'src/packages/cli/main.ts');

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t, 'Recipes');
});
afterAll(() => t.close());

/** Returns the event types that aren't recorded within 12 seconds. Background work causes some events after a recipe ends. */
async function missingIn(own: Shop, types: Recipe['causes']): Promise<readonly string[]> {
  const missing = new Set<string>(types);
  const client = new Quittance({ baseUrl: t.url, apiKey: own.key });
  const signal = AbortSignal.timeout(12_000);
  for await (const { event } of client.events({ after: 0, types: [...types], signal })) {
    missing.delete(event);
    if (missing.size === 0) break;
  }
  return [...missing];
}

const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, [entry, 'trigger', ...words], {
    env: {
      PATH: process.env['PATH'] ?? '',
      QUITTANCE_URL: t.url,
      QUITTANCE_API_KEY: shop.key,
      QUITTANCE_CONFIG: '/none',
    },
  });

describe('a recipe', () => {
  test.each(recipes.map((recipe) => [recipe.causes.join(', '), recipe] as const))(
    'causes %s',
    async (_name, { causes, run: cause }) => {
      const own = await otherShop(t, 'Recipe');
      const client = new Quittance({ baseUrl: t.url, apiKey: own.key });
      if (causes.includes('checkout.expired'))
        await t.settings({ checkoutExpiryHours: 24 }, own.environmentId);
      await cause({
        client,
        page: pageClient(t.url),
        advanceDays: async (days) => expect(await advanceDays(own, days)).toBe('completed'),
      });
      expect(await missingIn(own, causes)).toEqual([]);
    },
  );

  test('restores the retention offer of the sandbox', async () => {
    const own = await otherShop(t, 'Retention');
    const client = new Quittance({ baseUrl: t.url, apiKey: own.key });
    const { id } = await client.offers.create({
      name: 'Own offer',
      phases: [{ type: 'percentage', percentage: 1_000, durationCycles: 1 }],
    });
    const set = 'mutation ($id: ID) { retentionOfferSet(input: { offerId: $id }) { id } }';
    await client.graphql(set, { id });
    const advance = async (days: number) => expect(await advanceDays(own, days)).toBe('completed');
    await recipeFor('subscription.retained')?.run({ client, page: pageClient(t.url), advanceDays: advance });
    expect(await client.graphql('{ retentionOffer { id } }')).toEqual({ retentionOffer: { id } });
  });

  test('names the required setting if checkouts never expire, and creates nothing', async () => {
    const own = await otherShop(t, 'No expiry');
    const client = new Quittance({ baseUrl: t.url, apiKey: own.key });
    const advance = () => Promise.reject(new Error('The recipe must not advance the clock.'));
    const ran = recipeFor('checkout.expired')?.run({ client, page: pageClient(t.url), advanceDays: advance });
    await expect(ran).rejects.toThrow('Set checkoutExpiryHours');
    expect((await client.customers.list()).data).toEqual([]);
    expect((await client.plans.list()).data).toEqual([]);
  });

  test('exists once for each event type without a documented reason', () => {
    const types: string[] = recipes.flatMap(({ causes }) => causes);
    expect([...types, ...Object.keys(missingRecipes)].toSorted()).toEqual([...eventKinds].toSorted());
    const page = readFileSync(path.join(root, 'docs/cli.md'), 'utf8');
    const rows = Object.entries(missingRecipes).map(([type, reason]) => `| \`${type}\` | ${reason} |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});

describe('the command trigger', () => {
  test('prints the caused event', async () => {
    const { stdout } = await run('customer.updated', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      event: 'customer.updated',
      id: expect.stringMatching(/^whev_/) as string,
    });
  });

  test('creates customers and prices with the given values', async () => {
    const { stdout } = await run(
      'invoice.created',
      '--override',
      'customer.fullName=Grace,price.price=1234',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ event: 'invoice.created' });
    const { body } = await shop.rest<{ data: { fullName: string }[] }>('GET', '/customers');
    expect(body.data[0]?.fullName).toBe('Grace');
    const invoices = await shop.rest<{ data: { subtotal: number }[] }>('GET', '/invoices');
    expect(invoices.body.data[0]?.subtotal).toBe(1_234);
  });

  test('lists the event types', async () => {
    const { stdout } = await run('--list');
    expect(stdout).toContain('invoice.created\n');
    expect(stdout).toContain('trial.started (advances the test clock)\n');
  });

  test.each([
    ['unknown.type', "unknown.type can't be triggered"],
    ['customer.deleted', "customer.deleted can't be triggered because it requires a member"],
    ['trial.started', 'Add --yes'],
    ['invoice.created --override plan.name=Pro', "plan.name can't be set"],
  ])('rejects %s with exit code 2', async (words, message) => {
    await expect(run(...words.split(' '))).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});
