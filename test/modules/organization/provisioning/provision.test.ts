import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueNamedClaimLink } from '../../../../src/modules/organization/provisioning/issue-claim-link.ts';
import { removeOld } from '../../../../src/worker/retention.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import { dump } from '../../../support/dump.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';

// Provisioning: an API client creates an organization and receives the organization's API keys (PLT-15, PLT-16).

const began = '2027-03-01T12:00:00.000Z';
const wall = new MovableClock(began);
let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { PROVISIONING_PER_MINUTE: '0', PUBLIC_URL: 'https://billing.example' }, wall });
});
afterAll(() => t.close());

type Provisioned = {
  object: string;
  id: string;
  name: string;
  liveApiKey: string;
  sandboxApiKey: string;
  claimUrl: string;
  nextSteps: readonly { readonly method: string; readonly path: string; readonly body: object }[];
  claimExpiresAt: string;
  livemode: boolean;
};
type Failure = { error: { code: string; param?: string; details?: unknown } };

const wish = { name: 'Acme', country: 'US', businessType: 'software' };

const provision = <T = Provisioned>(body: unknown = wish, key: string | null = randomUUID(), app = t) =>
  app.rest<T>('POST', '/provision', body, {
    key: null,
    headers: key === null ? { 'idempotency-key': '' } : { 'idempotency-key': key },
  });

const operation = `mutation ($input: OrganizationProvisionInput!) {
  organizationProvision(input: $input) { object id: organizationId name liveApiKey sandboxApiKey claimUrl claimExpiresAt livemode }
}`;

const countOf = async (app = t): Promise<number> => app.app.database.prisma.organization.count();

describe('POST /provision without a key', () => {
  test('returns an organization, an API key for each environment, and a claim link that is valid for seven days', async () => {
    const { status, body } = await provision();
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'organization',
      id: expect.stringMatching(/^org_[0-9A-Za-z]{22}$/),
      name: 'Acme',
      liveApiKey: expect.stringMatching(/^ck_live_[A-Za-z0-9_-]{43}$/),
      sandboxApiKey: expect.stringMatching(/^ck_sandbox_[A-Za-z0-9_-]{43}$/),
      claimUrl: expect.stringMatching(/^https:\/\/billing\.example\/claim\/[A-Za-z0-9_-]{43}$/),
      claimExpiresAt: '2027-03-08T12:00:00.000Z',
      nextSteps: expect.any(Array),
      livemode: false,
    });
    for (const { method, path, body: sent } of body.nextSteps) {
      const response = await t.rest(method, path.replace('/api/v1', ''), sent, { key: body.sandboxApiKey });
      expect([path, response.status]).toEqual([path, 201]);
    }
    expect(body.nextSteps).toHaveLength(3);
    for (const [key, livemode] of [
      [body.sandboxApiKey, false],
      [body.liveApiKey, true],
    ] as const) {
      const { organization } = await t.graphql(
        '{ organization { id name country businessType livemode } }',
        {},
        { key },
      );
      expect(organization).toEqual({ id: body.id, ...wish, livemode });
      expect((await t.rest('POST', '/customers', { email: 'a@b.test' }, { key })).status).toBe(201);
    }
  });

  test('returns the same organization and secrets for a repeated request, and stores the secrets encrypted', async () => {
    const key = randomUUID();
    const before = await countOf();
    const first = await provision(wish, key);
    const again = await provision(
      { businessType: 'software', country: 'US', name: 'Acme' },
      key.toUpperCase(),
    );
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await countOf()).toBe(before + 1);
    const [row] = await t.app.database.query<{ body: string; isEncrypted: boolean }>(
      'SELECT body, "isEncrypted" FROM "OpenIdempotencyKey" WHERE id = $1',
      [key],
    );
    expect(row?.isEncrypted).toBe(true);
    expect(row?.body).not.toContain(first.body.sandboxApiKey);
    const everything = JSON.stringify(await dump(t.app.database.query));
    for (const secret of [
      first.body.liveApiKey,
      first.body.sandboxApiKey,
      first.body.claimUrl.split('/').at(-1) ?? '',
    ])
      expect(everything).not.toContain(secret);
  });

  test('rejects the same Idempotency-Key with a different body, and creates nothing', async () => {
    const key = randomUUID();
    await provision(wish, key);
    const changes = await watchChanges(t.app.database.query);
    const { status, body } = await provision<Failure>({ ...wish, country: 'DE' }, key);
    expect([status, body.error.code]).toEqual([409, 'idempotency_key_mismatch']);
    expect(await changes()).toEqual([]);
  });

  test('creates one organization for five concurrent requests with one Idempotency-Key', async () => {
    const key = randomUUID();
    const before = await countOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => provision(wish, key)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await countOf()).toBe(before + 1);
  });

  test('creates two organizations for two Idempotency-Keys', async () => {
    const [first, second] = [await provision(), await provision()];
    expect(first.body.id).not.toBe(second.body.id);
  });

  test('accepts an Idempotency-Key for a new request after 24 hours, once the stored response has been deleted', async () => {
    const key = randomUUID();
    const first = await provision(wish, key);
    wall.set('2027-03-02T11:59:59.999Z');
    expect((await provision(wish, key)).body).toEqual(first.body);
    wall.set('2027-03-02T12:00:00.000Z');
    await removeOld(t.app, 'openIdempotencyKeys');
    expect(await t.app.database.prisma.openIdempotencyKey.count()).toBe(0);
    expect((await provision(wish, key)).body.id).not.toBe(first.body.id);
    wall.set(began);
  });

  test.each([
    ['a missing key', null],
    ["a key that isn't a UUID", 'again'],
    ['a key with spaces', `${randomUUID()} x`],
  ])('requires an Idempotency-Key, and rejects %s', async (_what, key) => {
    const changes = await watchChanges(t.app.database.query);
    const { status, body } = await provision<Failure>(wish, key);
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({
        code: 'validation_error',
        param: 'Idempotency-Key',
        details: [{ field: 'Idempotency-Key', message: 'must be a UUID' }],
      }),
    ]);
    expect(await changes()).toEqual([]);
  });

  test('reports every invalid input in one response', async () => {
    const { status, body } = await provision<Failure>({ name: '', country: 'usa', plan: 'pro' });
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
    expect((body.error.details as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'businessType',
      'country',
      'name',
      'plan',
    ]);
  });

  test('accepts names in any script, up to 200 characters', async () => {
    for (const name of ['🧮 Söhne', 'شركة', 'n'.repeat(200)])
      expect((await provision({ ...wish, name })).body.name).toBe(name);
    expect((await provision<Failure>({ ...wish, name: 'n'.repeat(201) })).status).toBe(400);
  });

  test("rejects a body that isn't JSON", async () => {
    const response = await fetch(`${t.url}/api/v1/provision`, {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID() },
      body: '{"name":',
    });
    expect([response.status, ((await response.json()) as Failure).error.code]).toEqual([400, 'invalid_json']);
  });
});

describe('organizationProvision', () => {
  const call = (key: string | null) =>
    fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify({ query: operation, variables: { input: wish } }),
    });

  test('creates an organization, and returns the same organization for a repeated request', async () => {
    const key = randomUUID();
    const first = await (await call(key)).json();
    expect(first).toMatchObject({
      data: { organizationProvision: { object: 'organization', name: 'Acme', livemode: false } },
    });
    expect(await (await call(key)).json()).toEqual(first);
  });

  test.each([null, 'again'])('rejects the Idempotency-Key %j', async (key) => {
    const changes = await watchChanges(t.app.database.query);
    const { errors } = (await (await call(key)).json()) as {
      errors: { extensions: { code: string; param: string } }[];
    };
    expect(errors.map(({ extensions }) => [extensions.code, extensions.param])).toEqual([
      ['validation_error', 'Idempotency-Key'],
    ]);
    expect(await changes()).toEqual([]);
  });
});

describe('the provisioning rate limit', () => {
  test('applies per IP address to REST and GraphQL combined, regardless of the Idempotency-Key', async () => {
    const limited = await startApp({ env: { PROVISIONING_PER_MINUTE: '2' } });
    try {
      const ask = () => provision<Failure>(wish, randomUUID(), limited);
      expect((await ask()).status).toBe(201);
      const overGraphql = () =>
        fetch(`${limited.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: JSON.stringify({ query: operation, variables: { input: wish } }),
        });
      expect((await overGraphql()).status).toBe(200);
      const before = await countOf(limited);
      const [third, fourth] = [await ask(), await overGraphql()];
      expect([third.status, third.body.error.code]).toEqual([429, 'rate_limited']);
      expect(fourth.status).toBe(429);
      for (const { headers } of [third, fourth]) {
        expect(headers.get('ratelimit-limit')).toBe('2');
        expect(headers.get('ratelimit-remaining')).toBe('0');
        for (const name of ['ratelimit-reset', 'retry-after'])
          expect(Number(headers.get(name))).toBeGreaterThanOrEqual(1);
      }
      expect(await countOf(limited)).toBe(before);
      // The test client sends an API key. Requests with an API key have a separate rate limit.
      expect((await limited.rest('GET', '/customers')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('POST /provision with provisioning turned off', () => {
  test('is forbidden and creates nothing, but claim links can still be renewed', async () => {
    const off = await startApp({ env: { PROVISIONING: 'off' } });
    try {
      const before = await countOf(off);
      const { status, body } = await provision<Failure>(wish, randomUUID(), off);
      expect([status, body.error.code]).toEqual([403, 'forbidden']);
      expect(await countOf(off)).toBe(before);
      expect((await off.rest('POST', '/claim-link', undefined, { key: off.liveKey })).status).toBe(200);
    } finally {
      await off.close();
    }
  });
});

describe('POST /claim-link', () => {
  type Link = { url: string; expiresAt: string; object: string; livemode: boolean };
  const renew = (key: string) => t.rest<Link>('POST', '/claim-link', undefined, { key });
  const statusOf = async (url: string): Promise<string> => {
    const query = 'query ($token: String!) { claimLink(token: $token) { organizationName status } }';
    const { data, errors } = (await (
      await fetch(`${t.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { token: url.split('/').at(-1) } }),
      })
    ).json()) as {
      data: { claimLink: { status: string } } | null;
      errors?: { extensions: { code: string } }[];
    };
    return errors?.[0]?.extensions.code ?? data?.claimLink.status ?? 'nothing';
  };

  test('returns a new link that is valid for seven days if called with a live key, and invalidates all earlier links (PLT-17)', async () => {
    const { body: organization } = await provision();
    expect(await statusOf(organization.claimUrl)).toBe('open');
    wall.set('2027-03-03T12:00:00.000Z');
    const second = await renew(organization.liveApiKey);
    expect([second.status, second.body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^https:\/\/billing\.example\/claim\/[A-Za-z0-9_-]{43}$/),
        expiresAt: '2027-03-10T12:00:00.000Z',
        object: 'claim_link',
        livemode: true,
      },
    ]);
    expect(await Promise.all([organization.claimUrl, second.body.url].map(statusOf))).toEqual([
      'claim_not_pending',
      'open',
    ]);
    wall.set(began);
  });

  test('returns a link that expires after seven days of real time and can then be renewed', async () => {
    const { body: organization } = await provision();
    wall.set('2027-03-08T11:59:59.999Z');
    expect(await statusOf(organization.claimUrl)).toBe('open');
    wall.set('2027-03-08T12:00:00.000Z');
    expect(await statusOf(organization.claimUrl)).toBe('expired');
    expect(await statusOf((await renew(organization.liveApiKey)).body.url)).toBe('open');
    wall.set(began);
  });

  const rejectedFor = async (key: string) => {
    const changes = await watchChanges(t.app.database.query);
    const { status, body } = await t.rest<Failure>('POST', '/claim-link', undefined, { key });
    expect(await changes()).toEqual([]);
    return [status, body.error.code];
  };

  test("returns a link for an organization without an owner, even if the organization wasn't created by provisioning", async () => {
    const { liveKey } = await t.otherTenant();
    const [first, second] = [await renew(liveKey), await renew(liveKey)];
    expect([first.status, await statusOf(first.body.url), await statusOf(second.body.url)]).toEqual([
      200,
      'claim_not_pending',
      'open',
    ]);
  });

  test('rejects sandbox keys with all scopes and live keys without the `keys` scope, and the claim link from provisioning stays valid (PLT-17)', async () => {
    const { body: organization } = await provision();
    const { sandboxApiKey, liveApiKey } = organization;
    expect(await rejectedFor(sandboxApiKey)).toEqual([403, 'forbidden']);
    const limited = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "CI", scopes: [read, write, finance] }) { apiKey } }',
      {},
      { key: liveApiKey },
    );
    expect(await rejectedFor(limited.apiKeyCreate.apiKey)).toEqual([403, 'forbidden']);
    expect(await statusOf(organization.claimUrl)).toBe('open');
  });

  test('rejects an organization that has or had an owner, and changes nothing', async () => {
    const { liveKey, organizationId } = await t.otherTenant();
    const { memberId } = await memberOf(t, organizationId, 'owner');
    expect(await rejectedFor(liveKey)).toEqual([409, 'organization_already_claimed']);
    const now = t.app.wall.now();
    const { member, organizationClaim } = t.app.database.prisma;
    await organizationClaim.create({
      data: { organizationId, tokenHash: organizationId, expiresAt: now, claimedAt: now, createdAt: now },
    });
    expect(await rejectedFor(liveKey)).toEqual([409, 'organization_already_claimed']);
    await member.delete({ where: { id: memberId } });
    expect(await rejectedFor(liveKey)).toEqual([404, 'claim_not_pending']);
  });

  test("returns a link that the operator's script can replace until the organization has an owner", async () => {
    const { organizationId } = await t.otherTenant();
    const issued = await issueNamedClaimLink(t.app, organizationId);
    const url = issued?.link.url ?? '';
    expect([issued?.name, await statusOf(url)]).toEqual(['Another organization', 'open']);
    await memberOf(t, organizationId, 'owner');
    await expect(issueNamedClaimLink(t.app, organizationId)).rejects.toMatchObject({
      code: 'organization_already_claimed',
    });
    expect(await statusOf(url)).toBe('open');
  });

  test('leaves one valid link after five concurrent requests', async () => {
    const { body: organization } = await provision();
    const links = await Promise.all(Array.from({ length: 5 }, () => renew(organization.liveApiKey)));
    const statuses = await Promise.all(links.map(({ body }) => statusOf(body.url)));
    expect(statuses.filter((status) => status === 'open')).toHaveLength(1);
  });
});
