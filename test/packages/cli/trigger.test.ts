import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Recipe } from '../../../src/packages/cli/recipe-stage.ts';
import { pageClient, recipes } from '../../../src/packages/cli/recipes.ts';
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
      await cause({
        client: new Quittance({ baseUrl: t.url, apiKey: own.key }),
        page: pageClient(t.url),
        advanceDays: async (days) => expect(await advanceDays(own, days)).toBe('completed'),
      });
      expect(await missingIn(own, causes)).toEqual([]);
    },
  );

  test('exists once per event type', () => {
    const types = recipes.flatMap(({ causes }) => causes);
    expect(new Set(types).size).toBe(types.length);
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
    ['trial.started', 'Add --yes'],
    ['invoice.created --override plan.name=Pro', "plan.name can't be set"],
  ])('rejects %s with exit code 2', async (words, message) => {
    await expect(run(...words.split(' '))).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});
