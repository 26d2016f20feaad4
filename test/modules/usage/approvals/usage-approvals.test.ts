import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf, type Session } from '../../../support/people.ts';
import { advance } from '../../../support/stories.ts';

type Json = Readonly<Record<string, unknown>>;
type Failure = { readonly error: { readonly code: string; readonly details: Json } };

let t: TestApp;
let shop: Shop;
let member: Session;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  member = await memberOf(t, t.organizationId, 'member');
});
afterAll(() => t.close());

const track = (consumer: Consumer, body: Json = {}) =>
  shop.rest<Failure & Json>('POST', '/usage/events', { ...of(consumer), ...body });

const decide = (id: string, decision: 'approve' | 'reject') =>
  t.graphql<{ approvalDecide: Json }>(
    `mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: ${decision} }) { status raise limit { id } } }`,
    { id },
    {
      key: null,
      headers: { ...member.headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
    },
  );

/** Creates a consumer with 3 included calls a day above which usage needs an approval. */
async function limited(amount = 3) {
  const consumer = await createConsumer(shop);
  const { body } = await shop.rest('POST', '/limits', {
    scope: { customer: consumer.customerId },
    measure: 'calls',
    window: { kind: 'day' },
    amount,
    action: 'approve',
  });
  return { consumer, limitId: String(body['id']) };
}

const dataOf = async (kind: string, approvalId: string): Promise<Json[]> => {
  const rows = await t.app.database.query<{ data: Json }>(
    'SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = $2',
    [t.sandboxId, kind],
  );
  return rows.map(({ data }) => data).filter((data) => data['approvalId'] === approvalId);
};

const requested = async (approvalId: string): Promise<number> =>
  (await dataOf('approval.requested', approvalId)).length;

describe('usage above a limit with the action `approve`', () => {
  it('is rejected with an approval, which raises the limit until the window ends', async () => {
    const { consumer, limitId } = await limited();
    for (const _call of [1, 2, 3]) expect((await track(consumer)).status).toBe(200);
    const rejected = await track(consumer);
    expect(rejected.status).toBe(400);
    expect(rejected.body.error).toMatchObject({
      code: 'included_limit_reached',
      details: { reason: 'approval_required', limits: [{ limitId, action: 'approve', used: '3' }] },
    });
    const approvalId = String(rejected.body.error.details['approvalId']);
    expect((await track(consumer)).body.error.details['approvalId']).toBe(approvalId);
    expect(await requested(approvalId)).toBe(1);
    expect((await decide(approvalId, 'approve')).approvalDecide).toEqual({
      status: 'used',
      raise: 1,
      limit: { id: limitId },
    });
    expect((await track(consumer)).status).toBe(200);
    const later = await track(consumer);
    expect(later.body.error.details['approvalId']).not.toBe(approvalId);
    await decide(String(later.body.error.details['approvalId']), 'reject');
    expect((await track(consumer)).status).toBe(400);
  });
});

describe('events about an approval of usage', () => {
  it('contain the hash and the deadline of the approval, and the customer ID of events', async () => {
    const { consumer, limitId } = await limited(0);
    await shop.rest('PATCH', `/customers/${consumer.customerId}`, { externalId: 'ext-approval' });
    // Deadlines of approvals follow real time, and not the test clock.
    await advance(t, { advanceDays: 3 });
    const approvalId = String((await track(consumer)).body.error.details['approvalId']);
    const { body } = await t.rest<Json>('GET', `/approvals/${approvalId}`);
    await decide(approvalId, 'reject');
    const { previewHash, expiresAt } = body;
    expect(previewHash).toMatch(/^[0-9a-f]{64}$/);
    const about = { approvalId, limitId, customerId: 'ext-approval', previewHash, expiresAt };
    expect(await dataOf('approval.requested', approvalId)).toMatchObject([about]);
    expect(await dataOf('approval.decided', approvalId)).toMatchObject([about]);
  });
});

describe('a limit on purchases', () => {
  it.each([
    [{ operations: ['portal'] }, {}, 'filter.operations'],
    [{ operations: ['credits_purchase'], features: ['a'] }, {}, 'filter.operations'],
    [{ operations: ['credits_purchase'] }, { window: { kind: 'usage_window' } }, 'window.kind'],
  ])('rejects invalid terms: %j %j', async (filter, terms, param) => {
    const { status, body } = await shop.rest<Failure>('POST', '/limits', {
      scope: { each: 'customer', in: { organization: true } },
      measure: 'calls',
      window: { kind: 'day' },
      amount: 3,
      action: 'block',
      filter,
      ...terms,
    });
    expect([status, body]).toMatchObject([400, { error: { code: 'validation_error', param } }]);
  });
});
