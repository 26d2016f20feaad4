import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedClock } from '../../../../src/platform/clock.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

const fields = 'id name description credits price currency isActive createdAt updatedAt object livemode';
const create = `mutation ($input: CreditPackCreateInput!) { creditPackCreate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { creditPackDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';
const list = `query ($first: Int, $after: String) {
  creditPacks(first: $first, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } } }`;

type Pack = { id: string; name: string; [field: string]: unknown };
type Listed = {
  creditPacks: { edges: { node: { name: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
};

const morning = '2026-03-01T08:00:00.000Z';

describe('the credit pack API', () => {
  let t: TestApp;
  const wall = fixedClock(new Date(morning));
  const make = async (name: string, more: Record<string, unknown> = {}, key = t.sandboxKey): Promise<Pack> =>
    (
      await t.graphql<{ creditPackCreate: Pack }>(
        create,
        { input: { name, credits: 1_000, price: 2_500, ...more } },
        { key },
      )
    ).creditPackCreate;
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
      body: { ...shown, isActive: true, createdAt: morning, updatedAt: morning },
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
