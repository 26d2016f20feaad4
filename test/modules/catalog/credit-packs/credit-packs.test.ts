import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = 'id name description credits price currency isActive createdAt updatedAt object livemode';
const create = `mutation ($input: CreditPackCreateInput!) { creditPackCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: CreditPackUpdateInput!) { creditPackUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { creditPackDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';
const list = `query ($first: Int, $after: String) {
  creditPacks(first: $first, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } } }`;

type Pack = { id: string; name: string; [field: string]: unknown };
type Listed = {
  creditPacks: { edges: { node: { name: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
};

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';

describe('the credit pack API', () => {
  let t: TestApp;
  const wall = new MovableClock(morning);
  const make = async (name: string, more: Record<string, unknown> = {}, key = t.sandboxKey): Promise<Pack> =>
    (
      await t.graphql<{ creditPackCreate: Pack }>(
        create,
        { input: { name, credits: 1_000, price: 2_500, ...more } },
        { key },
      )
    ).creditPackCreate;
  const change = async (input: Record<string, unknown>): Promise<Pack> =>
    (await t.graphql<{ creditPackUpdate: Pack }>(update, { input })).creditPackUpdate;
  const names = async (key: string, page: Record<string, unknown> = {}) => {
    const { edges, pageInfo } = (await t.graphql<Listed>(list, page, { key })).creditPacks;
    return { names: edges.map(({ node }) => node.name), ...pageInfo };
  };

  beforeAll(async () => {
    t = await startApp({ wall });
  });
  afterAll(() => t.close());

  it('creates active packs with a price in US cents', async () => {
    const pack = {
      id: expect.stringMatching(/^cpk_[0-9A-Za-z]{22}$/),
      name: 'Small',
      description: null,
      credits: 1_000,
      price: 2_500,
      currency: 'usd',
      isActive: true,
      createdAt: morning,
      updatedAt: morning,
      object: 'credit_pack',
      livemode: false,
    };
    expect(await make('Small')).toEqual(pack);
    expect(await make('Large', { credits: 1, price: 1, description: 'One.', isActive: false })).toEqual({
      ...pack,
      name: 'Large',
      description: 'One.',
      credits: 1,
      price: 1,
      isActive: false,
    });
    const most = Number.MAX_SAFE_INTEGER;
    const price = 900_000_000_000_000;
    expect(await make('Largest', { credits: most, price })).toMatchObject({ credits: most, price });
  });

  it("requires unique names among all packs that aren't deleted", async () => {
    const { id } = await make('Unique', { isActive: false });
    const taken = {
      code: 'duplicate',
      status: 409,
      message: 'Another credit pack already has this name. Choose another name.',
      param: 'name',
    };
    const input = { name: 'Unique', credits: 5, price: 100 };
    expect(await rejection(t, create, { input })).toEqual(taken);
    const other = await make('Rival');
    expect(await rejection(t, update, { input: { id: other.id, name: 'Unique', price: 1 } })).toEqual(taken);
    expect(await make('Unique', {}, t.liveKey)).toMatchObject({ name: 'Unique', livemode: true });
    await t.graphql(remove, { id });
    expect(await change({ id: other.id, name: 'Unique' })).toMatchObject({ id: other.id, name: 'Unique' });
    expect(await make('Rival')).toMatchObject({ name: 'Rival' });
  });

  it('creates or renames one pack for concurrent requests with the same name', async () => {
    const outcome = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'made',
        (error: Error) => /"code":"(\w+)","param":"name"/.exec(error.message)?.[1] ?? error.message,
      );
    const created = await Promise.all([1, 2, 3].map((credits) => outcome(make('Racing', { credits }))));
    expect(created.toSorted()).toEqual(['duplicate', 'duplicate', 'made']);
    const packs = [await make('Racer one'), await make('Racer two'), await make('Racer three')];
    const renamed = await Promise.all(packs.map(({ id }) => outcome(change({ id, name: 'Renamed by all' }))));
    expect(renamed.toSorted()).toEqual(['duplicate', 'duplicate', 'made']);
    const rows = await t.app.database.query<{ name: string; count: number }>(
      `SELECT name, count(*)::int AS count FROM "CreditPack" WHERE name IN ('Racing', 'Renamed by all') GROUP BY name ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: 'Racing', count: 1 },
      { name: 'Renamed by all', count: 1 },
    ]);
  });

  it('reports zero and negative numbers and an empty name in one response', async () => {
    expect(await rejection(t, create, { input: { name: '', credits: 0, price: -1 } })).toEqual({
      code: 'validation_error',
      status: 400,
      message: 'credits: must be at least 1.',
      param: 'credits',
      details: [
        { field: 'credits', message: 'must be at least 1' },
        { field: 'name', message: 'must have at least 1 character' },
        { field: 'price', message: 'must be at least 1' },
      ],
    });
    const { id } = await make('Bounded');
    expect(
      await rejection(t, update, { input: { id, credits: -5, price: 0, name: 'a'.repeat(201) } }),
    ).toMatchObject({
      details: [
        { field: 'credits', message: 'must be at least 1' },
        { field: 'name', message: 'must have at most 200 characters' },
        { field: 'price', message: 'must be at least 1' },
      ],
    });
    const { status, body } = await t.rest('POST', '/credit-packs', {
      name: 'Half',
      credits: 1.5,
      price: 99.5,
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'credits' } },
    });
  });

  it('changes only the provided values and keeps updatedAt if nothing changes', async () => {
    const made = await make('Changing', { description: 'Before.' });
    wall.set(noon);
    const changed = { ...made, name: 'Changed', credits: 1_200, price: 2_900, updatedAt: noon };
    expect(await change({ id: made.id, name: 'Changed', credits: 1_200, price: 2_900 })).toEqual(changed);
    wall.set('2026-03-02T00:00:00.000Z');
    expect(await change({ id: made.id, name: 'Changed', price: 2_900 })).toEqual(changed);
    expect(await change({ id: made.id })).toEqual(changed);
    wall.set(noon);
    expect(await change({ id: made.id, description: 'After.', isActive: false })).toEqual({
      ...changed,
      description: 'After.',
      isActive: false,
    });
    expect(await change({ id: made.id, isActive: true })).toEqual({ ...changed, description: 'After.' });
  });

  it('applies the changes from all concurrent updates', async () => {
    const { id } = await make('Shared');
    await Promise.all([
      change({ id, credits: 7 }),
      change({ id, price: 9 }),
      change({ id, description: 'Together.' }),
    ]);
    expect(await change({ id })).toMatchObject({ credits: 7, price: 9, description: 'Together.' });
  });

  it('soft-deletes packs and no longer finds them', async () => {
    const { id } = await make('Old');
    expect(await t.graphql(remove, { id })).toEqual({
      creditPackDelete: { id, deleted: true, object: 'credit_pack', livemode: false },
    });
    const missing = {
      code: 'credit_pack_not_found',
      status: 404,
      message: "The credit pack doesn't exist in this environment.",
      param: 'id',
    };
    expect(await rejection(t, remove, { id })).toEqual(missing);
    expect(await rejection(t, update, { input: { id, isActive: true } })).toEqual(missing);
    const rows = await t.app.database.query(
      'SELECT name, "isActive", "updatedAt", "deletedAt" FROM "CreditPack" WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([
      { name: 'Old', isActive: true, updatedAt: new Date(noon), deletedAt: new Date(noon) },
    ]);
  });

  it("doesn't find packs of another environment", async () => {
    const { id } = await make('Private');
    for (const key of [t.liveKey, (await t.otherTenant()).sandboxKey]) {
      expect(await rejection(t, update, { input: { id, price: 1 } }, { key })).toMatchObject({
        code: 'credit_pack_not_found',
      });
      expect(await rejection(t, remove, { id }, { key })).toMatchObject({ code: 'credit_pack_not_found' });
    }
  });

  it('lists active packs newest first, up to 1,000 by default', async () => {
    const key = (await t.otherTenant()).sandboxKey;
    const made: Pack[] = [];
    for (let index = 0; index < 30; index++)
      made.push(await make(`Pack ${index}`, { isActive: index !== 4 }, key));
    await t.graphql(remove, { id: made[3]?.id }, { key });
    const expected = made
      .map(({ name }) => name)
      .filter((name) => name !== 'Pack 3' && name !== 'Pack 4')
      .reverse();
    expect(await names(key)).toMatchObject({ names: expected, hasNextPage: false });
    const first = await names(key, { first: 20 });
    const second = await names(key, { first: 20, after: first.endCursor });
    expect([...first.names, ...second.names]).toEqual(expected);
    expect([first.hasNextPage, second.hasNextPage]).toEqual([true, false]);
    const all = await t.graphql<Listed>(
      '{ creditPacks(includeInactive: true, first: 27) { edges { node { name } } pageInfo { hasNextPage endCursor } } }',
      {},
      { key },
    );
    expect(all.creditPacks.edges.slice(-2).map(({ node }) => node.name)).toEqual(['Pack 4', 'Pack 2']);
  });

  it('returns the currency only in REST lists, and timestamps only in REST responses with a single credit pack', async () => {
    const key = (await t.otherTenant()).sandboxKey;
    const { status, body } = await t.rest<Pack>(
      'POST',
      '/credit-packs',
      { name: 'Wire', credits: 10, price: 500 },
      { key },
    );
    const shown = {
      id: body.id,
      name: 'Wire',
      description: null,
      credits: 10,
      price: 500,
      object: 'credit_pack',
      livemode: false,
    };
    expect({ status, body }).toEqual({
      status: 201,
      body: { ...shown, isActive: true, createdAt: noon, updatedAt: noon },
    });
    const listed = await t.rest('GET', '/credit-packs', undefined, { key });
    expect(listed.body).toEqual({ object: 'list', data: [{ ...shown, currency: 'usd' }], hasMore: false });
    await t.rest('PATCH', `/credit-packs/${body.id}`, { isActive: false }, { key });
    expect((await t.rest('GET', '/credit-packs', undefined, { key })).body).toEqual({
      object: 'list',
      data: [],
      hasMore: false,
    });
  });
});
