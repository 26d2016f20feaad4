import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isRedirectUri } from '../../src/modules/organization/app-connections/rules.ts';
import { removeOld } from '../../src/worker/retention.ts';
import { MovableClock } from '../support/billing-world.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { memberOf, type Session } from '../support/people.ts';

// Connection of an app over OAuth with the approval of a member (AGT-67).

const began = '2027-03-01T12:00:00.000Z';
const wall = new MovableClock(began);
let t: TestApp;
let admin: Session & { readonly memberId: string };

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall });
});
afterAll(() => t.close());
beforeEach(async () => {
  wall.set(began);
  admin = await memberOf(t, t.organizationId, 'admin');
});

const redirectUri = 'http://127.0.0.1:7777/callback';
const as = ({ headers }: Session, environment: 'sandbox' | 'live' = 'sandbox') => ({
  key: null,
  headers: { ...headers, 'x-organization': t.organizationId, 'x-environment': environment },
});

const post = async (path: string, body: string | object) => {
  const isForm = typeof body === 'string';
  const response = await fetch(`${t.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, string>,
  };
};
const form = (values: Record<string, string>): string => new URLSearchParams(values).toString();

async function register(uris: readonly string[] = [redirectUri], name = 'Assistant'): Promise<string> {
  const { body } = await post('/oauth/register', { client_name: name, redirect_uris: uris });
  return String(body['client_id']);
}

const newVerifier = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Opens the authorization page without following the redirect. */
const authorize = (values: Record<string, string>) =>
  fetch(`${t.url}/oauth/authorize?${form(values)}`, { redirect: 'manual' });

const requestIn = (response: Response): string =>
  new URL(response.headers.get('location') ?? '').searchParams.get('request') ?? '';

/** Returns the signed request of an app. */
async function begin(clientId: string, verifier: string, more: Record<string, string> = {}): Promise<string> {
  const response = await authorize({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  expect(response.status).toBe(302);
  return requestIn(response);
}

const approveText =
  'mutation ($input: AppConnectionApproveInput!) { appConnectionApprove(input: $input) { redirectUrl } }';
const denyText =
  'mutation ($input: AppConnectionDenyInput!) { appConnectionDeny(input: $input) { redirectUrl } }';
const readText =
  'query ($request: String!) { appConnectionRequest(request: $request) { appName redirectHost } }';

type Approval = {
  readonly preset?: string;
  readonly limits?: Record<string, number>;
  readonly permissions?: readonly string[];
  readonly environment?: 'sandbox' | 'live';
};

async function approve(
  request: string,
  { preset = 'reader', limits, permissions, environment = 'sandbox' }: Approval = {},
) {
  const { appConnectionApprove } = await t.graphql<{ appConnectionApprove: { redirectUrl: string } }>(
    approveText,
    { input: { request, preset, ...(limits && { limits }), ...(permissions && { permissions }) } },
    as(admin, environment),
  );
  return new URL(appConnectionApprove.redirectUrl);
}

const exchange = (clientId: string, code: string, verifier: string, more: Record<string, string> = {}) =>
  post(
    '/oauth/token',
    form({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...more,
    }),
  );
const refresh = (clientId: string, token: string) =>
  post('/oauth/token', form({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token }));

type Connection = { clientId: string; access: string; refreshToken: string; keyId: string };

/** Connects an app completely. */
async function connect(approval: Approval = {}): Promise<Connection> {
  const clientId = await register();
  const verifier = newVerifier();
  const code = (await approve(await begin(clientId, verifier), approval)).searchParams.get('code') ?? '';
  const { body } = await exchange(clientId, code, verifier);
  const codeHash = createHash('sha256').update(code).digest('hex');
  const stored = await t.app.database.prisma.oAuthCode.findUnique({ where: { codeHash } });
  return {
    clientId,
    access: String(body['access_token']),
    refreshToken: String(body['refresh_token']),
    keyId: stored?.apiKeyId ?? '',
  };
}

const counts = async () => {
  const { prisma } = t.app.database;
  return [
    await prisma.apiKey.count(),
    await prisma.apiKeyHash.count(),
    await prisma.oAuthRefreshToken.count(),
  ];
};

/** Checks that `work` creates no API key and no token. */
async function withoutToken(work: () => Promise<unknown>): Promise<void> {
  const before = await counts();
  await work();
  expect(await counts()).toEqual(before);
}

const mcp = (token: string, method = 'tools/list') =>
  fetch(`${t.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
  });
const later = (ms: number): void => wall.set(new Date(wall.now().getTime() + ms).toISOString());

/** Client of the official SDK with storage in memory. The redirect is approved by the member. */
class Provider implements OAuthClientProvider {
  redirectUrl = redirectUri;
  clientMetadata = {
    client_name: 'Official client',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  authorizationUrl: URL | null = null;
  stored: { client?: never; tokens?: never; verifier: string } = { verifier: '' };
  state = () => 'state-1';
  clientInformation = () => this.stored.client;
  saveClientInformation = (client: unknown) => {
    this.stored.client = client as never;
  };
  tokens = () => this.stored.tokens;
  saveTokens = (tokens: unknown) => {
    this.stored.tokens = tokens as never;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.stored.verifier = verifier;
  };
  codeVerifier = () => this.stored.verifier;
}

describe('the official client', () => {
  test('finds the authorization server, registers, gets tokens after the approval, and refreshes them', async () => {
    const authProvider = new Provider();
    const open = () => new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { authProvider });
    const first = open();
    await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(
      UnauthorizedError,
    );
    const page = await fetch(authProvider.authorizationUrl ?? '', { redirect: 'manual' });
    const redirect = await approve(requestIn(page), { preset: 'builder' });
    expect(redirect.searchParams.get('state')).toBe('state-1');
    await first.finishAuth(redirect.searchParams);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(open());
    const create = { name: 'customer_create', arguments: { email: 'ada@example.com' } };
    const { structuredContent } = (await client.callTool(create)) as {
      structuredContent: Record<string, unknown>;
    };
    expect(structuredContent['email']).toBe('ada@example.com');
    const before = JSON.stringify(authProvider.stored.tokens);
    later(3_600_001);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(JSON.stringify(authProvider.stored.tokens)).not.toBe(before);
  });
});

describe('the discovery of the authorization server', () => {
  test('starts at the 401 response of the MCP server', async () => {
    const { status, headers } = await mcp('ck_oauth_unknown');
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${t.app.config.publicUrl}/.well-known/oauth-protected-resource"`,
    ]);
    const resource = await fetch(`${t.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await resource.json()).toMatchObject({
      resource: `${t.app.config.publicUrl}/mcp`,
      authorization_servers: [t.app.config.publicUrl],
    });
    const metadata = await fetch(`${t.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({
      issuer: t.app.config.publicUrl,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    });
  });
});

describe('the registration endpoint', () => {
  test.each([
    ['https://claude.ai/api/mcp/auth_callback', true],
    ['http://localhost:3000/callback', true],
    ['http://127.0.0.1:7777/callback', true],
    ['http://[::1]:7777/callback', true],
    ['http://claude.ai/callback', false],
    ['http://localhost.evil.test/callback', false],
    ['https://user@evil.test/callback', false],
    ['https://evil.test/callback#fragment', false],
    ['https:\\\\evil.test\\callback', false],
    ['https://evil.test/\ncallback', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['app://callback', false],
    ['/callback', false],
    ['', false],
  ])('accepts the redirect URI %j: %s', (uri, isAccepted) => {
    expect(isRedirectUri(uri)).toBe(isAccepted);
  });

  test('returns the same client ID for the same registration', async () => {
    const first = await register();
    expect(await register()).toBe(first);
    expect(await register([redirectUri], 'Another')).not.toBe(first);
  });

  test.each([
    [{}, 'invalid_redirect_uri'],
    [[], 'invalid_client_metadata'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://evil.test/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 6 }, () => redirectUri) }, 'invalid_redirect_uri'],
    [{ redirect_uris: [redirectUri], client_name: 3 }, 'invalid_client_metadata'],
  ])('rejects the body %j with %s', async (body, error) => {
    expect(await post('/oauth/register', body)).toMatchObject({ status: 400, body: { error } });
  });

  test('removes control and bidirectional characters from the name', async () => {
    const clientId = await register([redirectUri], '\u202e\u0000Assis\u200btant\n ');
    const request = await begin(clientId, newVerifier());
    expect(await t.graphql(readText, { request }, as(admin))).toEqual({
      appConnectionRequest: { appName: 'Assis tant', redirectHost: '127.0.0.1:7777' },
    });
  });
});

describe('the authorization endpoint', () => {
  test.each([
    ['another redirect URI', { redirect_uri: 'https://evil.test/callback' }],
    ['a longer redirect URI', { redirect_uri: `${redirectUri}/more` }],
    ['a redirect URI with another port', { redirect_uri: 'http://127.0.0.1:7778/callback' }],
    ['an unknown client ID', { client_id: 'none' }],
    ['no proof key', { code_challenge: '' }],
    ['the proof key method plain', { code_challenge_method: 'plain' }],
    ['the response type token', { response_type: 'token' }],
    ['another resource', { resource: 'https://evil.test/mcp' }],
    ['a state of 2,001 characters', { state: 'x'.repeat(2_001) }],
  ])('rejects %s on a page, without a redirect', async (_title, more) => {
    const response = await authorize({
      response_type: 'code',
      client_id: await register(),
      redirect_uri: redirectUri,
      code_challenge: challengeOf(newVerifier()),
      code_challenge_method: 'S256',
      ...more,
    });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(await response.text()).not.toContain('evil');
  });

  test('rejects a repeated parameter', async () => {
    const clientId = await register();
    const response = await fetch(
      `${t.url}/oauth/authorize?client_id=${clientId}&redirect_uri=${redirectUri}&redirect_uri=https://evil.test`,
      { redirect: 'manual' },
    );
    expect(response.status).toBe(400);
  });

  test('creates requests that expire after 10 minutes, and that only admins can decide', async () => {
    const request = await begin(await register(), newVerifier());
    const input = { request, preset: 'reader' };
    const codes = await t.app.database.prisma.oAuthCode.count();
    const codeOf = async (text: string, variables: object, options: { key: string | null }) =>
      (await t.graphqlFailure(text, variables as never, options)).errors[0]?.extensions?.['code'];
    const member = await memberOf(t, t.organizationId, 'member');
    await withoutToken(async () => {
      expect(await codeOf(approveText, { input }, as(member))).toBe('forbidden');
      expect(await codeOf(approveText, { input }, { key: t.sandboxKey })).toBe('unauthorized');
      const { 'x-quittance-csrf': _csrf, ...headers } = as(admin).headers as Record<string, string>;
      expect(await codeOf(approveText, { input }, { key: null, headers } as never)).toBe('unauthorized');
      const changed = { ...input, request: `${request.slice(0, -4)}AAAA` };
      expect(await codeOf(approveText, { input: changed }, as(admin))).toBe('not_found');
      const live = { input: { ...input, preset: 'builder' } };
      expect(await codeOf(approveText, live, as(admin, 'live'))).toBe('sandbox_only');
      later(600_000);
      expect(await codeOf(approveText, { input }, as(admin))).toBe('not_found');
      expect(await t.app.database.prisma.oAuthCode.count()).toBe(codes);
    });
  });

  test('informs the app about a denial', async () => {
    const request = await begin(await register(), newVerifier(), { state: 's 1&x' });
    const { appConnectionDeny } = await t.graphql<{ appConnectionDeny: { redirectUrl: string } }>(
      denyText,
      { input: { request } },
      as(admin),
    );
    const url = new URL(appConnectionDeny.redirectUrl);
    expect(url.origin + url.pathname).toBe(redirectUri);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'access_denied',
      state: 's 1&x',
      iss: t.app.config.publicUrl,
    });
  });
});

describe('an authorization code', () => {
  test('creates a key with the name of the app, the preset, the lower limits, and 30 days', async () => {
    const { keyId, access } = await connect({
      preset: 'support',
      limits: { maxAmountPerCall: 9_900, maxAmountPerDay: 10_000, maxCallsPerHour: 50, approveAbove: 1_000 },
    });
    const [key] = await t.app.database.prisma.apiKey.findMany({ where: { id: keyId } });
    expect(key).toMatchObject({
      name: 'Assistant',
      scopes: ['read', 'write', 'finance'],
      expiresAt: new Date('2027-03-31T12:00:00.000Z'),
      policy: {
        maxAmountPerCall: 5_000,
        maxAmountPerDay: 10_000,
        maxCallsPerHour: 50,
        approveAbove: 1_000,
      },
    });
    const events = await t.app.database.query<{ data: unknown }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = 'app.connected' AND data->>'apiKeyId' = $2`,
      [t.sandboxId, keyId],
    );
    expect(events).toEqual([
      { data: { apiKeyId: keyId, name: 'Assistant', preset: 'support', connectedBy: admin.memberId } },
    ]);
    // The token acts as the key over every interface.
    expect((await mcp(access)).status).toBe(200);
    expect((await t.rest('GET', '/customers', undefined, { key: access })).status).toBe(200);
    expect((await t.rest('GET', '/webhooks', undefined, { key: access })).status).toBe(403);
  });

  test('creates a key with the permissions of the preset that the member selected', async () => {
    const { keyId, access } = await connect({
      preset: 'support',
      permissions: ['usage:read', 'customers:write', 'customers:read'],
    });
    const [key] = await t.app.database.prisma.apiKey.findMany({ where: { id: keyId } });
    expect(key).toMatchObject({
      scopes: ['read', 'write'],
      permissions: ['customers:read', 'customers:write', 'usage:read'],
    });
    expect((await t.rest('GET', '/customers', undefined, { key: access })).status).toBe(200);
    expect((await t.rest('GET', '/invoices', undefined, { key: access })).status).toBe(403);
    const request = await begin(await register(), newVerifier());
    for (const permissions of [['customers:keys'], ['unknown:read'], []]) {
      const input = { request, preset: 'reader', permissions };
      expect((await t.graphqlFailure(approveText, { input }, as(admin))).errors[0]?.extensions).toMatchObject(
        {
          code: 'validation_error',
        },
      );
    }
  });

  test('requires the client, the redirect URI, and the verifier of its request', async () => {
    const clientId = await register();
    const other = await register([redirectUri], 'Other');
    const verifier = newVerifier();
    const code = (await approve(await begin(clientId, verifier))).searchParams.get('code') ?? '';
    await withoutToken(async () => {
      for (const wrong of [
        { client_id: other },
        { redirect_uri: 'http://127.0.0.1:7777/other' },
        { code_verifier: newVerifier() },
        { code_verifier: '' },
        { code_verifier: challengeOf(verifier) },
        { code: 'none' },
      ])
        expect(await exchange(clientId, code, verifier, wrong)).toMatchObject({
          status: 400,
          body: { error: 'invalid_grant' },
        });
      expect(await exchange('none', code, verifier)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      const target = { resource: 'https://evil.test/mcp' };
      expect((await exchange(clientId, code, verifier, target)).body['error']).toBe('invalid_target');
      const grant = { grant_type: 'password' };
      expect((await exchange(clientId, code, verifier, grant)).body['error']).toBe('unsupported_grant_type');
    });
    const { status, headers } = await exchange(clientId, code, verifier);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  test('works once, also for concurrent requests, and ends the connection if it is exchanged again', async () => {
    const clientId = await register();
    const verifier = newVerifier();
    const code = (await approve(await begin(clientId, verifier))).searchParams.get('code') ?? '';
    const before = await t.app.database.prisma.apiKey.count();
    const answers = await Promise.all([1, 2, 3].map(() => exchange(clientId, code, verifier)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(await t.app.database.prisma.apiKey.count()).toBeLessThanOrEqual(before + 1);
    const access = String(answers.find(({ status }) => status === 200)?.body['access_token']);
    // Without the verifier, a stolen code can't end the connection.
    const second = await connect();
    expect((await exchange(second.clientId, 'none', verifier)).status).toBe(400);
    expect((await mcp(second.access)).status).toBe(200);
    expect((await exchange(clientId, code, verifier)).body['error']).toBe('invalid_grant');
    expect((await mcp(access)).status).toBe(401);
    expect((await mcp(second.access)).status).toBe(200);
  });

  test('expires after 5 minutes, and is void if the member may no longer create keys', async () => {
    const clientId = await register();
    const verifier = newVerifier();
    const codes = [await begin(clientId, verifier), await begin(clientId, verifier)];
    const [expiredCode = '', voidCode = ''] = await Promise.all(
      codes.map(async (request) => (await approve(request)).searchParams.get('code') ?? ''),
    );
    await withoutToken(async () => {
      await t.app.database.prisma.member.update({ where: { id: admin.memberId }, data: { role: 'member' } });
      expect((await exchange(clientId, voidCode, verifier)).body['error']).toBe('invalid_grant');
      await t.app.database.prisma.member.update({ where: { id: admin.memberId }, data: { role: 'admin' } });
      later(300_000);
      expect((await exchange(clientId, expiredCode, verifier)).body['error']).toBe('invalid_grant');
    });
    await removeOld(t.app, 'oauthCodes');
    expect(await t.app.database.prisma.oAuthCode.count()).toBe(0);
  });

  test('belongs to the environment of the approval', async () => {
    const live = await connect({ environment: 'live' });
    const { prisma } = t.app.database;
    const [key] = await prisma.apiKey.findMany({ where: { id: live.keyId } });
    const environment = await prisma.environment.findFirst({ where: { id: key?.environmentId ?? '' } });
    expect(environment).toMatchObject({ organizationId: t.organizationId, mode: 'live' });
    const { body } = await t.rest('POST', '/customers', { email: 'live@example.com' }, { key: t.sandboxKey });
    const address = `/customers/${(body as { id: string }).id}`;
    expect((await t.rest('GET', address, undefined, { key: t.sandboxKey })).status).toBe(200);
    expect((await t.rest('GET', address, undefined, { key: live.access })).status).toBe(404);
  });
});

describe('tokens', () => {
  test('expire after an hour, and are renewed with a refresh token that works once', async () => {
    const { clientId, access, refreshToken, keyId } = await connect();
    later(3_600_000);
    expect((await mcp(access)).status).toBe(401);
    const other = await register([redirectUri], 'Other');
    expect((await refresh(other, refreshToken)).body['error']).toBe('invalid_grant');
    const renewed = await refresh(clientId, refreshToken);
    expect(renewed).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600 } });
    expect((await mcp(String(renewed.body['access_token']))).status).toBe(200);
    const [key] = await t.app.database.prisma.apiKey.findMany({ where: { id: keyId } });
    expect(key?.expiresAt).toEqual(new Date('2027-03-31T13:00:00.000Z'));
    // The app may not have received the response.
    later(30_000);
    expect((await refresh(clientId, refreshToken)).status).toBe(200);
    later(1);
    expect((await refresh(clientId, refreshToken)).body['error']).toBe('invalid_grant');
    expect((await mcp(String(renewed.body['access_token']))).status).toBe(401);
    expect((await refresh(clientId, String(renewed.body['refresh_token']))).body['error']).toBe(
      'invalid_grant',
    );
    expect(await t.app.database.prisma.apiKey.count({ where: { id: keyId } })).toBe(0);
  });

  test('end when the key is deleted, when a token is revoked, and after 30 days without use', async () => {
    const [deleted, revoked, byAccess, unused] = [
      await connect(),
      await connect(),
      await connect(),
      await connect(),
    ];
    await t.graphql(
      'mutation ($input: ApiKeyDeleteInput!) { apiKeyDelete(input: $input) { deletedId } }',
      { input: { id: deleted.keyId } },
      as(admin),
    );
    expect((await post('/oauth/revoke', form({ token: revoked.refreshToken }))).status).toBe(200);
    expect((await post('/oauth/revoke', form({ token: byAccess.access }))).status).toBe(200);
    expect((await post('/oauth/revoke', form({ token: 'none' }))).status).toBe(200);
    // Secrets of ordinary keys aren't tokens.
    expect((await post('/oauth/revoke', form({ token: t.sandboxKey }))).status).toBe(200);
    expect((await mcp(t.sandboxKey)).status).toBe(200);
    for (const { access, clientId, refreshToken } of [deleted, revoked, byAccess]) {
      expect((await mcp(access)).status).toBe(401);
      expect((await refresh(clientId, refreshToken)).body['error']).toBe('invalid_grant');
    }
    expect((await mcp(unused.access)).status).toBe(200);
    later(30 * 86_400_000);
    expect((await mcp(unused.access)).status).toBe(401);
    expect((await refresh(unused.clientId, unused.refreshToken)).body['error']).toBe('invalid_grant');
    later(86_400_000);
    await removeOld(t.app, 'oauthRefreshTokens');
    await removeOld(t.app, 'accessTokens');
    expect(await t.app.database.prisma.oAuthRefreshToken.count()).toBe(0);
    expect(await t.app.database.prisma.apiKeyHash.count({ where: { expiresAt: { not: null } } })).toBe(0);
    expect((await mcp(t.sandboxKey)).status).toBe(200);
  });

  test('are stored as hashes', async () => {
    const { access, refreshToken } = await connect();
    const { prisma } = t.app.database;
    const rows = JSON.stringify([
      await prisma.apiKeyHash.findMany(),
      await prisma.oAuthRefreshToken.findMany(),
    ]);
    expect(rows).not.toContain(access);
    expect(rows).not.toContain(refreshToken);
  });
});
