import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disputeDueBy } from '../../../../src/domain/payments/dispute.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { createActiveSubscription, createDispute, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Open disputes, sorted by response deadline (PAY-32).

const wall = new MovableClock('2027-03-01T08:00:00.000Z');
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ wall });
  shop = firstShop(t);
});
afterAll(() => t.close());

type Listed = {
  readonly nodes: readonly { readonly id: string; readonly disputeDueBy: string }[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
};
const list = async (page: object = {}): Promise<Listed> =>
  (
    await t.graphql<{ disputes: Listed }>(
      'query ($first: Int, $after: String) { disputes(first: $first, after: $after) { nodes { id disputeDueBy } pageInfo { endCursor hasNextPage } } }',
      { ...page },
    )
  ).disputes;

test("an open dispute's response deadline is 20 days after the dispute was opened", () => {
  const disputedAt = new Date('2027-02-20T10:30:00.000Z');
  const due = new Date('2027-03-12T10:30:00.000Z');
  expect(disputeDueBy({ disputedAt, disputeOutcome: null })).toEqual(due);
  expect(disputeDueBy({ disputedAt, disputeOutcome: 'lost' })).toBeNull();
  expect(disputeDueBy({ disputedAt: null, disputeOutcome: null })).toBeNull();
});

describe('the list of disputes', () => {
  test('contains open disputes sorted by response deadline, and is paginated', async () => {
    const ids: string[] = [];
    for (const day of ['01', '03', '02']) {
      wall.set(`2027-03-${day}T09:00:00.000Z`);
      ids.push((await createDispute(shop)).id);
    }
    const [first, third, second] = ids;
    await createActiveSubscription(shop);
    expect((await list()).nodes).toEqual([
      { id: first, disputeDueBy: '2027-03-21T09:00:00.000Z' },
      { id: second, disputeDueBy: '2027-03-22T09:00:00.000Z' },
      { id: third, disputeDueBy: '2027-03-23T09:00:00.000Z' },
    ]);
    const page = await list({ first: 2 });
    expect(page.nodes.map(({ id }) => id)).toEqual([first, second]);
    expect(page.pageInfo.hasNextPage).toBe(true);
    const rest = await list({ first: 2, after: page.pageInfo.endCursor });
    expect(rest.nodes.map(({ id }) => id)).toEqual([third]);
    expect(rest.pageInfo.hasNextPage).toBe(false);

    await t.graphql(
      'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { status } }',
      { input: { id: first, outcome: 'lost' } },
    );
    expect((await list()).nodes.map(({ id }) => id)).toEqual([second, third]);
    expect(
      await t.graphql('query ($id: ID!) { transaction(id: $id) { disputeDueBy providerReference } }', {
        id: first,
      }),
    ).toEqual({ transaction: { disputeDueBy: null, providerReference: null } });
  });

  test('rejects a cursor from another list', async () => {
    const { transactions } = await t.graphql<{ transactions: { pageInfo: { endCursor: string } } }>(
      '{ transactions(first: 1) { pageInfo { endCursor } } }',
    );
    const { errors } = await t.graphqlFailure(
      'query ($after: String) { disputes(after: $after) { nodes { id } } }',
      { after: transactions.pageInfo.endCursor },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'after' });
  });
});
