import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, hashOf } from '../../../src/packages/cli/catalog/compare.ts';
import { type Item, itemsOf } from '../../../src/packages/cli/catalog/document.ts';
import { Quittance } from '../../../src/packages/sdk/index.ts';
import { root } from '../../../src/platform/root.ts';
import {
  createActiveSubscription,
  createAddon,
  createCreditPack,
  createFeature,
  createPlanGroup,
  createPrice,
  otherShop,
  type Shop,
} from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// Commands that keep the catalog in a file, run as processes against the service.

const entry = path.join(root, 'src/packages/cli/main.ts');

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await startApp();
  folder = mkdtempSync(path.join(tmpdir(), 'catalog-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await t.close();
});

type Result = {
  readonly code: number;
  readonly lines: readonly Record<string, unknown>[];
  readonly err: string;
};

type Output = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command for a shop, by default in the folder of the test. */
const runText = (
  shop: Shop,
  words: readonly string[],
  { cwd = folder, ...variables }: { readonly cwd?: string; readonly INIT_CWD?: string } = {},
): Promise<Output> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      QUITTANCE_URL: t.url,
      QUITTANCE_API_KEY: shop.key,
      QUITTANCE_CONFIG: '/none',
      ...variables,
    };
    execFile(process.execPath, [entry, 'catalog', ...words], { env, cwd }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });

/** Runs a command for a shop with JSON output. */
async function run(shop: Shop, ...words: string[]): Promise<Result> {
  const { code, out, err } = await runText(shop, [...words, '--json']);
  const lines = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, lines, err };
}

type CatalogJson = Record<string, Record<string, Record<string, unknown>>>;

const read = (name: string): CatalogJson =>
  JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as CatalogJson;
const write = (name: string, value: unknown): void =>
  writeFileSync(path.join(folder, name), JSON.stringify(value));

const summaryOf = ({ lines }: Result): Record<string, unknown> => lines.at(-1) ?? {};

/** Shows the difference, and makes the changes. */
async function push(shop: Shop, file: string, ...words: string[]): Promise<Result> {
  const { hash } = summaryOf(await run(shop, 'diff', file, ...words));
  return run(shop, 'push', file, '--hash', String(hash), ...words);
}

const small = {
  version: 1,
  features: { api_calls: { name: 'API calls', type: 'usage' }, sso: { name: 'SSO', type: 'boolean' } },
  planGroups: { Plans: { plans: ['basic', 'pro'] } },
  plans: {
    basic: { name: 'Basic', isFree: true },
    pro: {
      name: 'Pro',
      prices: { monthly: { price: 2_900, trialDays: 14 }, yearly: { price: 29_000, isDefault: true } },
      features: {
        api_calls: { includedAmount: 1_000, overage: { enabled: true, unitPrice: 25 } },
        sso: { enabled: true },
      },
    },
  },
};

describe('a pulled catalog', () => {
  test('equals the catalog of its environment, and creates an equal catalog in another one', async () => {
    const [shop, other] = [await otherShop(t, 'Source'), await otherShop(t, 'Copy')];
    const group = await createPlanGroup(shop, 2);
    await createPrice(shop, group.planIds[0] ?? '');
    await createActiveSubscription(shop);
    await createAddon(shop);
    await createCreditPack(shop);
    await createFeature(shop, 'quota');
    const pulled = await run(shop, 'pull', 'source.json');
    expect([pulled.code, pulled.err]).toEqual([0, '']);
    expect(summaryOf(await run(shop, 'diff', 'source.json', '--prune'))).toMatchObject({ changes: 0 });
    const pushed = await push(other, 'source.json');
    expect([pushed.code, pushed.err]).toEqual([0, '']);
    expect((await run(other, 'pull', 'copy.json')).code).toBe(0);
    const catalog = read('source.json');
    expect(Object.keys(catalog['plans'] ?? {}).length).toBeGreaterThan(2);
    expect(read('copy.json')).toEqual(catalog);
  });
});

describe('a pulled catalog pushed to an environment with other values', () => {
  const described = { description: 'Described' };
  /** Catalog with a value in each field that can be removed. */
  const full = {
    version: 1,
    features: {
      api_calls: { name: 'API calls', type: 'usage', ...described, unitName: 'call' },
      sso: { name: 'SSO', type: 'boolean' },
    },
    planGroups: { Plans: { ...described, plans: ['tokens'] } },
    plans: {
      tokens: {
        ...{ name: 'Tokens', consumptionModel: 'credits', ...described },
        prices: { monthly: { price: 2_900, includedCredits: 500, minimumSpend: 1_000 } },
      },
      wallet: {
        ...{ name: 'Wallet', consumptionModel: 'balance' },
        prices: { monthly: { price: 1_900, includedBalance: 50_000 } },
      },
    },
    addons: {
      sso: { name: 'SSO', basePrice: 900, consumptionModel: 'boolean', ...described },
      api_calls: {
        ...{ name: 'Calls', basePrice: 500, consumptionModel: 'metered' },
        ...{ includedUnits: 100, overageRate: 25 },
      },
    },
    creditPacks: { Small: { credits: 100, price: 500, ...described, validDays: 90 } },
  };
  /** Names of the fields that the other catalog doesn't set. */
  const removed = [
    ...['description', 'unitName', 'includedCredits', 'includedBalance', 'minimumSpend', 'validDays'],
  ];
  const bare = JSON.parse(
    JSON.stringify(full, (name, value: unknown) => (removed.includes(name) ? undefined : value)),
  ) as typeof full;
  bare.addons.api_calls.includedUnits = 0;

  test('removes the values that its environment does not have', async () => {
    const [source, target] = [await otherShop(t, 'Bare'), await otherShop(t, 'Full')];
    write('bare.json', bare);
    write('full.json', full);
    for (const [shop, file] of [
      [source, 'bare.json'],
      [target, 'full.json'],
    ] as const)
      expect((await push(shop, file)).err).toBe('');
    await run(source, 'pull', 'source-bare.json');
    const pushed = await push(target, 'source-bare.json');
    expect([pushed.code, pushed.err]).toEqual([0, '']);
    const names = pushed.lines.slice(0, -1).map(({ kind, key }) => `${String(kind)} ${String(key)}`);
    expect(names.toSorted()).toEqual([
      'addon api_calls',
      'addon sso',
      'credit_pack Small',
      'feature api_calls',
      'plan tokens',
      'plan_group Plans',
      'price tokens/monthly',
      'price wallet/monthly',
    ]);
    await run(target, 'pull', 'target-bare.json');
    expect(read('target-bare.json')).toEqual(read('source-bare.json'));
    expect(summaryOf(await run(target, 'diff', 'source-bare.json', '--prune'))).toMatchObject({ changes: 0 });
  });

  test('creates objects without the values that its environment does not have', async () => {
    const [source, target] = [await otherShop(t, 'Bare source'), await otherShop(t, 'Empty')];
    write('bare.json', bare);
    expect((await push(source, 'bare.json')).err).toBe('');
    await run(source, 'pull', 'source-bare.json');
    const pushed = await push(target, 'source-bare.json');
    expect([pushed.code, pushed.err]).toEqual([0, '']);
    await run(target, 'pull', 'target-bare.json');
    expect(read('target-bare.json')).toEqual(read('source-bare.json'));
  });

  test('changes nothing the second time, also for inactive credit packs', async () => {
    const [source, target] = [await otherShop(t, 'Inactive source'), await otherShop(t, 'Inactive')];
    await createCreditPack(source);
    const { id } = await createCreditPack(source);
    await source.rest('PATCH', `/credit-packs/${id}`, { isActive: false });
    await run(source, 'pull', 'packs.json');
    expect(Object.values(read('packs.json')['creditPacks'] ?? {}).map(({ isActive }) => isActive)).toEqual(
      expect.arrayContaining([true, false]),
    );
    for (const shop of [source, target]) await push(shop, 'packs.json');
    const again = await run(target, 'diff', 'packs.json', '--prune');
    expect(again.lines).toEqual([{ changes: 0, hash: expect.any(String) as string }]);
    const { hash } = summaryOf(again);
    const second = await run(target, 'push', 'packs.json', '--prune', '--hash', String(hash));
    expect(second.lines).toEqual([{ changes: 0, isDryRun: false }]);
    await run(target, 'pull', 'packs-again.json');
    expect(read('packs-again.json')).toEqual(read('packs.json'));
  });
});

describe('a push', () => {
  test('makes the shown changes once, and repeats nothing', async () => {
    const shop = await otherShop(t, 'New');
    write('new.json', small);
    const shown = await run(shop, 'diff', 'new.json');
    const { hash, changes } = summaryOf(shown);
    expect(changes).toBe(10);
    const first = await run(shop, 'push', 'new.json', '--hash', String(hash));
    expect([first.code, summaryOf(first)]).toEqual([0, { changes: 10, isDryRun: false }]);
    const again = await run(shop, 'push', 'new.json', '--hash', String(hash));
    expect([again.code, summaryOf(again)]).toEqual([0, { changes: 0, isDryRun: false }]);
    const plan = await new Quittance({ baseUrl: t.url, apiKey: shop.key }).plans.get('pro');
    expect(
      plan.prices
        .map(({ billingInterval, price, trialDays, isDefault }) => [
          billingInterval,
          price,
          trialDays,
          isDefault,
        ])
        .toSorted(),
    ).toEqual([
      ['monthly', 2_900, 14, false],
      ['yearly', 29_000, 0, true],
    ]);
  });

  test('shows the subscriptions that a change affects', async () => {
    const shop = await otherShop(t, 'Affected');
    await createActiveSubscription(shop);
    await run(shop, 'pull', 'affected.json');
    const catalog = read('affected.json') as {
      plans: Record<string, { prices: Record<string, { price: number }> }>;
    };
    const [plan] = Object.values(catalog.plans);
    const [interval = '', price] = Object.entries(plan?.prices ?? {})[0] ?? [];
    expect(price?.price).toBeGreaterThan(0);
    if (plan !== undefined && price !== undefined)
      plan.prices[interval] = { ...price, price: price.price + 1_000 };
    write('affected.json', catalog);
    const { lines } = await run(shop, 'diff', 'affected.json');
    expect(lines[0]).toMatchObject({
      change: 'update',
      kind: 'price',
      before: { price: price?.price },
      fields: { price: (price?.price ?? 0) + 1_000 },
      impact: { subscribers: { value: 1, isExact: true }, when: 'at_renewal', inFavorOf: 'merchant' },
    });
  });

  test('is rejected without the hash of the current difference', async () => {
    const shop = await otherShop(t, 'Hash');
    write('hash.json', small);
    const without = await run(shop, 'push', 'hash.json');
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('catalog diff')]);
    const { hash } = summaryOf(await run(shop, 'diff', 'hash.json'));
    await shop.rest('POST', '/features', { code: 'sso', name: 'Single sign-on', type: 'boolean' });
    const changed = await run(shop, 'push', 'hash.json', '--hash', String(hash));
    expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('diff_changed')]);
    const { body } = await shop.rest<{ data: unknown[] }>('GET', '/plans?includePrivate=true');
    expect(body.data).toEqual([]);
  });

  test('validates changes without making them in a dry run', async () => {
    const shop = await otherShop(t, 'Dry');
    write('dry.json', { version: 1, features: { sso: { name: 'SSO', type: 'boolean' } } });
    const valid = await run(shop, 'push', 'dry.json', '--dry-run');
    expect(valid.lines[0]).toMatchObject({ kind: 'feature', key: 'sso', state: 'valid' });
    write('dry.json', { version: 1, features: { sso: { name: '', type: 'boolean' } } });
    const invalid = await run(shop, 'push', 'dry.json', '--dry-run');
    expect([invalid.code, invalid.err]).toEqual([1, expect.stringContaining('validation_error')]);
    const { body } = await shop.rest<{ data: unknown[] }>('GET', '/features');
    expect(body.data).toEqual([]);
  });

  test('removes omitted objects only with --prune', async () => {
    const shop = await otherShop(t, 'Prune');
    write('prune.json', small);
    await push(shop, 'prune.json');
    const { sso: _sso, ...features } = small.features;
    const { sso: _included, ...included } = small.plans.pro.features;
    write('prune.json', {
      ...small,
      features,
      plans: { ...small.plans, pro: { ...small.plans.pro, features: included } },
    });
    expect(summaryOf(await run(shop, 'diff', 'prune.json'))).toMatchObject({ changes: 0 });
    const removed = await push(shop, 'prune.json', '--prune');
    expect(removed.lines.map(({ change, key }) => [change, key])).toEqual([
      ['remove', 'pro/sso'],
      ['remove', 'sso'],
      [undefined, undefined],
    ]);
    await run(shop, 'pull', 'pruned.json');
    expect(Object.keys(read('pruned.json')['features'] ?? {})).toEqual(['api_calls']);
  });

  test('lists all issues of a file, and changes nothing', async () => {
    const shop = await otherShop(t, 'Issues');
    write('issues.json', {
      version: 1,
      things: {},
      plans: { pro: { name: 'Pro', colour: 'red', prices: { monthly: {} } } },
    });
    const { code, lines } = await run(shop, 'diff', 'issues.json');
    expect([code, lines.map(({ issue }) => issue)]).toEqual([
      1,
      [
        "things isn't a section. Sections: features, planGroups, plans, addons, creditPacks.",
        "plan pro can't have the field colour.",
      ],
    ]);
    expect((await run(shop, 'diff', 'none.json')).code).toBe(2);
  });
});

test('reads and writes the file in the directory in which npm was started', async () => {
  const shop = await otherShop(t, 'Directory');
  const start = path.join(folder, 'app');
  const checkout = path.join(folder, 'checkout');
  for (const name of [start, checkout]) mkdirSync(name);
  write('app/catalog.json', small);
  const variables = { cwd: checkout, INIT_CWD: start };
  const shown = await runText(shop, ['diff', 'catalog.json', '--json'], variables);
  const { hash } = JSON.parse(shown.out.trim().split('\n').at(-1) ?? '') as { hash: string };
  const pushed = await runText(shop, ['push', 'catalog.json', '--hash', hash], variables);
  expect([pushed.code, pushed.err]).toEqual([0, '']);
  await runText(shop, ['pull', 'pulled.json'], variables);
  expect(Object.keys(read('app/pulled.json')['plans'] ?? {}).toSorted()).toEqual(['basic', 'pro']);
  expect(readdirSync(checkout)).toEqual([]);
  const absolute = path.join(folder, 'absolute.json');
  expect((await runText(shop, ['pull', absolute], variables)).out).toContain(`to ${absolute}.`);
  expect(read('absolute.json')).toEqual(read('app/pulled.json'));
});

describe('the output', () => {
  test('has the singular for one object, one change, and one issue', async () => {
    const shop = await otherShop(t, 'Singular');
    write('one.json', { version: 1, features: { sso: { name: 'SSO', type: 'boolean' } } });
    const shown = await runText(shop, ['diff', 'one.json']);
    const [, hash = ''] = /1 change\. To make it, run push with --hash (\w+)\./.exec(shown.out) ?? [];
    expect((await runText(shop, ['push', 'one.json', '--dry-run'])).out).toContain('\n1 change validated.\n');
    expect((await runText(shop, ['push', 'one.json', '--hash', hash])).out).toContain('\n1 change made.\n');
    expect((await runText(shop, ['pull', 'pulled.json'])).out).toBe('Wrote 1 object to pulled.json.\n');
    write('issue.json', { version: 1, things: {} });
    expect((await runText(shop, ['diff', 'issue.json'])).err).toBe(
      'issue.json has 1 issue. Nothing was changed.\n',
    );
  });

  test('has the plural for several objects, changes, and issues', async () => {
    const shop = await otherShop(t, 'Plural');
    write('several.json', small);
    expect((await runText(shop, ['diff', 'several.json'])).out).toContain('\n10 changes. To make them, run');
    await push(shop, 'several.json');
    expect((await runText(shop, ['pull', 'all.json'])).out).toBe('Wrote 10 objects to all.json.\n');
    write('issues.json', { version: 1, things: {}, others: {} });
    expect((await runText(shop, ['diff', 'issues.json'])).err).toContain('issues.json has 2 issues.');
  });
});

describe('a comparison', () => {
  const item = (kind: Item['kind'], key: string, fields: Item['fields'] = {}): Item => ({
    kind,
    key,
    fields,
  });
  const changesOf = (current: readonly Item[], wanted: readonly Item[], prunes = false) =>
    compare(current, wanted, { prunes });

  test('keeps the values of omitted fields, also inside overage', () => {
    const stored = item('plan_feature', 'pro/calls', {
      includedAmount: 5,
      overage: { enabled: true, unitPrice: 10 },
    });
    const known = [item('plan', 'pro', { name: 'Pro' }), item('feature', 'calls', { name: 'Calls' })];
    const wanted = item('plan_feature', 'pro/calls', { overage: { enabled: true } });
    expect(changesOf([...known, stored], [wanted]).changes).toEqual([]);
    const [change] = changesOf(
      [...known, stored],
      [{ ...wanted, fields: { overage: { enabled: false } } }],
    ).changes;
    expect(change).toMatchObject({ change: 'update', fields: { overage: { enabled: false } } });
  });

  test('reports fixed fields, missing fields, and unknown references', () => {
    const { issues } = changesOf(
      [item('feature', 'calls', { name: 'Calls', type: 'usage' })],
      [
        item('feature', 'calls', { type: 'seats' }),
        item('plan', 'pro'),
        item('plan_feature', 'pro/storage', {}),
      ],
    );
    expect(issues).toEqual([
      "plan_feature pro/storage refers to feature storage, which doesn't exist.",
      'feature calls: type can\'t be changed from "usage" to "seats".',
      'plan pro is new and requires name.',
    ]);
  });

  test('creates features before plans, and removes plans with their contents before features', () => {
    const { items } = itemsOf(small);
    expect(changesOf([], items.toReversed()).changes.map(({ kind }) => kind)).toEqual([
      'feature',
      'feature',
      'plan_group',
      'plan',
      'plan',
      'price',
      'price',
      'plan_feature',
      'plan_feature',
      'plan_order',
    ]);
    expect(changesOf(items, [], true).changes.map(({ kind }) => kind)).toEqual([
      'plan',
      'plan',
      'plan_group',
      'feature',
      'feature',
    ]);
  });

  test('has a hash that depends on the environment and the changes', () => {
    const { changes } = changesOf([], [item('feature', 'a', { name: 'A', type: 'usage' })]);
    const reordered = changesOf([], [item('feature', 'a', { type: 'usage', name: 'A' })]).changes;
    expect(hashOf('one', changes)).toBe(hashOf('one', reordered));
    expect(new Set([hashOf('one', changes), hashOf('two', changes), hashOf('one', [])]).size).toBe(3);
  });
});
