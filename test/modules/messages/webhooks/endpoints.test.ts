import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventKinds } from '../../../../src/domain/events/events.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { kindName } from '../../../support/event-kinds.ts';
import { otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = 'id url events description isActive apiVersion secretKey createdAt object livemode';
const create = `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: WebhookUpdateInput!) { webhookUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { webhookDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';
const one = `query ($id: ID!) { webhook(id: $id) { ${fields} } }`;
const list =
  'query ($first: Int, $after: String) { webhooks(first: $first, after: $after) { edges { node { id url secretKey } } pageInfo { hasNextPage endCursor } } }';

type Endpoint = {
  id: string;
  url: string;
  events: string[];
  secretKey: string | null;
  [field: string]: unknown;
};
type Listed = {
  webhooks: { edges: { node: Endpoint }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
};

const morning = '2026-03-01T08:00:00.000Z';

describe('the webhook endpoint API', () => {
  let t: TestApp;
  const wall = new MovableClock(morning);
  const make = async (input: Record<string, unknown> = {}, key = t.sandboxKey): Promise<Endpoint> =>
    (
      await t.graphql<{ webhookCreate: Endpoint }>(
        create,
        { input: { url: 'https://hooks.test/a', events: ['customer_created'], ...input } },
        { key },
      )
    ).webhookCreate;
  const change = async (input: Record<string, unknown>): Promise<Endpoint> =>
    (await t.graphql<{ webhookUpdate: Endpoint }>(update, { input })).webhookUpdate;
  const read = async (id: string): Promise<Endpoint> =>
    (await t.graphql<{ webhook: Endpoint }>(one, { id })).webhook;
  const clear = async (): Promise<void> => {
    const { webhooks } = await t.graphql<Listed>(list, { first: 100 });
    for (const { node } of webhooks.edges) await t.graphql(remove, { id: node.id });
  };

  beforeAll(async () => {
    t = await startApp({ wall });
  });
  afterAll(() => t.close());

  it('returns the secret once, and stores it encrypted', async () => {
    const endpoint = await make({ description: 'Für alle 🎉 שלום' });
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Za-z]{22}$/),
      url: 'https://hooks.test/a',
      events: ['customer_created'],
      description: 'Für alle 🎉 שלום',
      isActive: true,
      apiVersion: '2026-08-27',
      secretKey: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: morning,
      object: 'webhook',
      livemode: false,
    });
    expect(await read(endpoint.id)).toEqual({ ...endpoint, secretKey: null });
    const stored = await t.app.database.query<{ row: { sealedSecret: string } }>(
      'SELECT to_jsonb(w) AS row FROM "Webhook" w WHERE id = $1',
      [endpoint.id],
    );
    expect(JSON.stringify(stored)).not.toContain(endpoint.secretKey);
    expect(t.app.secrets.decrypt(stored[0]?.row.sealedSecret ?? '')).toBe(endpoint.secretKey);
  });

  it('returns the same endpoint and secret for a repeated request, and stores the response encrypted', async () => {
    const body = { url: 'http://hooks.test/once', events: ['customer.created'] };
    const headers = { 'idempotency-key': 'endpoint-once' };
    const first = await t.rest<Endpoint>('POST', '/webhooks', body, { headers });
    const second = await t.rest<Endpoint>('POST', '/webhooks', body, { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const [kept] = await t.app.database.query<{ body: string; isEncrypted: boolean }>(
      'SELECT body, "isEncrypted" FROM "IdempotencyKey" WHERE id = $1',
      ['endpoint-once'],
    );
    expect(kept?.isEncrypted).toBe(true);
    expect(kept?.body).not.toContain('whsec_');
    const { body: other } = await t.rest(
      'POST',
      '/webhooks',
      { ...body, url: 'http://hooks.test/twice' },
      { headers },
    );
    expect(other).toMatchObject({ error: { code: 'idempotency_key_mismatch' } });
  });

  it('accepts every event type, and rejects duplicates and unknown types', async () => {
    expect(await make({ events: eventKinds.map(kindName) })).toMatchObject({
      events: eventKinds.map(kindName),
    });
    const rejected = { code: 'validation_error', status: 400, param: 'events' };
    const input = (events: readonly string[]) => ({ input: { url: 'https://hooks.test/a', events } });
    expect(
      await rejection(t, create, input(['customer_created', 'invoice_created', 'customer_created'])),
    ).toEqual({
      ...rejected,
      message: 'events: must not contain the same event type twice.',
      details: [{ field: 'events', message: 'must not contain the same event type twice' }],
    });
    expect(await rejection(t, create, input([]))).toMatchObject(rejected);
    for (const kind of ['webhook.test', '*', 'customer.Created']) {
      const { status, body } = await t.rest('POST', '/webhooks', {
        url: 'https://hooks.test/a',
        events: [kind],
      });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', param: 'events.0' } },
      });
    }
  });

  it('returns event types with dots over REST and as enum values over GraphQL', async () => {
    await clear();
    const { body } = await t.rest<Endpoint>('POST', '/webhooks', {
      url: 'https://hooks.test/a',
      events: ['payment_link.created', 'customer.state_changed'],
    });
    expect(body.events).toEqual(['payment_link.created', 'customer.state_changed']);
    expect((await read(body.id)).events).toEqual(['payment_link_created', 'customer_state_changed']);
    const { body: listed } = await t.rest<{ data: Endpoint[] }>('GET', '/webhooks');
    expect(listed.data.map(({ events }) => events)).toEqual([body.events]);
    const path = `/webhooks/${body.id}`;
    const changed = await t.rest<Endpoint>('PATCH', path, { events: ['usage.recorded'] });
    expect(changed.body.events).toEqual(['usage.recorded']);
    const choices = ({ details }: Record<string, unknown>) =>
      (details as { message: string }[])[0]?.message.replace('must be one of ', '').split(', ').sort();
    const wrong = await t.rest<{ error: Record<string, unknown> }>('PATCH', path, {
      events: ['usage_recorded'],
    });
    expect([wrong.status, wrong.body.error['param']]).toEqual([400, 'events.0']);
    expect(choices(wrong.body.error)).toEqual(eventKinds.toSorted());
    const misspelt = await rejection(t, update, { input: { id: body.id, events: ['usage.recorded'] } });
    expect(misspelt).toMatchObject({ status: 400, param: 'events.0' });
    expect(choices(misspelt)).toEqual(eventKinds.map(kindName).sort());
    expect((await read(body.id)).events).toEqual(['usage_recorded']);
  });

  it('allows 20 endpoints per environment, even with concurrent requests (PLT-40)', async () => {
    const shop: Shop = await otherShop(t, 'Many endpoints');
    const attempt = async () => {
      const { status, body } = await shop.rest('POST', '/webhooks', {
        url: 'http://hooks.test/a',
        events: ['customer.created'],
      });
      return status === 201
        ? 'made'
        : (body as { error: { code: string; param: string; message: string } }).error;
    };
    for (let count = 0; count < 17; count++) expect(await attempt()).toBe('made');
    const raced = await Promise.all(Array.from({ length: 6 }, attempt));
    expect(raced.filter((outcome) => outcome === 'made')).toHaveLength(3);
    expect(raced.filter((outcome) => outcome !== 'made')).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({
          code: 'validation_error',
          param: 'url',
          message: 'An environment can have up to 20 webhook endpoints. Delete an endpoint first.',
        }),
      ),
    );
    const { body } = await shop.rest<{ data: Endpoint[] }>('GET', '/webhooks');
    expect(body.data).toHaveLength(20);
    await shop.rest('DELETE', `/webhooks/${body.data[0]?.id}`);
    expect(await attempt()).toBe('made');
    // Endpoints in another environment are counted separately.
    expect(await make()).toMatchObject({ isActive: true });
  });

  it('accepts http in the sandbox and requires https in the live environment (PLT-40)', async () => {
    expect(await make({ url: 'http://127.0.0.1:4567/a?b=c' })).toMatchObject({
      url: 'http://127.0.0.1:4567/a?b=c',
    });
    expect(await make({ url: 'https://1.1.1.1/hook' }, t.liveKey)).toMatchObject({
      url: 'https://1.1.1.1/hook',
      livemode: true,
    });
    const live = (url: string) =>
      rejection(t, create, { input: { url, events: ['customer_created'] } }, { key: t.liveKey });
    const rejected = { code: 'validation_error', status: 400, param: 'url' };
    expect(await live('http://1.1.1.1/hook')).toMatchObject({
      ...rejected,
      message: 'url: must be an HTTPS URL in the live environment.',
    });
    for (const url of [
      'https://127.0.0.1/',
      'https://10.1.2.3/',
      'https://[::1]/',
      'https://localhost:8443/',
      'https://2130706433/',
    ])
      expect(await live(url)).toMatchObject({ ...rejected, message: 'url: must point to a public address.' });
    expect(await live('https://nowhere.invalid/')).toMatchObject({
      ...rejected,
      message: 'url: must have a host name that DNS can resolve.',
    });
  });

  it.each([
    '',
    'hooks.test',
    'ftp://hooks.test/a',
    'javascript:alert(1)',
    `https://hooks.test/${'a'.repeat(2_048)}`,
  ])('rejects the URL %j', async (url) => {
    expect(await rejection(t, create, { input: { url, events: ['customer_created'] } })).toMatchObject({
      code: 'validation_error',
      param: 'url',
    });
  });

  it('changes only the provided fields', async () => {
    await clear();
    const { id, createdAt, secretKey } = await make({ description: 'Old.' });
    expect(secretKey).not.toBeNull();
    const before = await read(id);
    expect((await t.rest('PATCH', `/webhooks/${id}`, {})).status).toBe(200);
    expect(await read(id)).toEqual(before);
    wall.set('2026-03-01T09:00:00.000Z');
    expect(
      await change({ id, url: 'http://hooks.test/b', events: ['invoice_created', 'customer_updated'] }),
    ).toEqual({
      ...before,
      url: 'http://hooks.test/b',
      events: ['invoice_created', 'customer_updated'],
      createdAt,
    });
    expect(
      (
        await t.rest('PATCH', `/webhooks/${id}`, {
          description: null,
          isActive: false,
          apiVersion: '2025-01-01',
        })
      ).body,
    ).toMatchObject({
      description: null,
      isActive: false,
      apiVersion: '2025-01-01',
      url: 'http://hooks.test/b',
    });
    expect(
      await rejection(t, update, { input: { id, events: ['customer_created', 'customer_created'] } }),
    ).toMatchObject({
      param: 'events',
    });
    expect(await rejection(t, update, { input: { id, apiVersion: 'latest' } })).toMatchObject({
      code: 'validation_error',
      param: 'apiVersion',
    });
    const { body } = await t.rest('PATCH', `/webhooks/${id}`, { secretKey: 'whsec_mine' });
    expect(body).toMatchObject({ error: { code: 'validation_error', param: 'secretKey' } });
    wall.set(morning);
  });

  it('deletes endpoints permanently, including their secrets', async () => {
    const { id } = await make();
    const gone = {
      code: 'webhook_not_found',
      status: 404,
      message: "The webhook endpoint doesn't exist in this environment.",
      param: 'id',
    };
    expect(await t.graphql(remove, { id })).toEqual({
      webhookDelete: { id, deleted: true, object: 'webhook', livemode: false },
    });
    expect(await rejection(t, one, { id })).toEqual(gone);
    expect(await rejection(t, update, { input: { id, isActive: true } })).toEqual(gone);
    expect(await rejection(t, remove, { id })).toEqual(gone);
    expect(
      await rejection(t, 'mutation ($id: ID!) { webhookTest(input: { id: $id }) { success } }', { id }),
    ).toEqual(gone);
    const [row] = await t.app.database.query<{ sealedSecret: string }>(
      'SELECT "sealedSecret" FROM "Webhook" WHERE id = $1',
      [id],
    );
    expect(row?.sealedSecret).toBe('');
  });

  it('lists endpoints from newest to oldest with pagination, without secrets', async () => {
    await clear();
    for (const name of ['a', 'b', 'c']) await make({ url: `http://hooks.test/${name}` });
    const { webhooks } = await t.graphql<Listed>(list, { first: 2 });
    expect(webhooks.edges.map(({ node }) => [node.url, node.secretKey])).toEqual([
      ['http://hooks.test/c', null],
      ['http://hooks.test/b', null],
    ]);
    const rest = await t.graphql<Listed>(list, { first: 2, after: webhooks.pageInfo.endCursor });
    expect(rest.webhooks.edges.map(({ node }) => node.url)).toEqual(['http://hooks.test/a']);
    expect(rest.webhooks.pageInfo.hasNextPage).toBe(false);
  });
});
