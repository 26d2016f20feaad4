import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { account, cookiesOf, memberOf, password, signIn, signUp } from '../support/people.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' } });
});
afterAll(() => t.close());

/** Sends only the given headers. `fetch` would add others. */
const request = (
  address: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
) =>
  new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const sent = httpRequest(address, { method, headers }, async (response) => {
      const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sent.on('error', reject);
    sent.end(body);
  });

const viewer = async (headers: Record<string, string>): Promise<unknown> => {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ viewer { email } }' }),
  });
  const { data, errors } = (await response.json()) as {
    data?: { viewer: unknown };
    errors?: { extensions: { code: string } }[];
  };
  return errors?.[0]?.extensions.code ?? data?.viewer;
};

describe('is created with an email address and a password, and gets an HttpOnly cookie at sign-in', () => {
  test('uses a Secure cookie if the service is reached over HTTPS', async () => {
    const made = await account(t, '/sign-up/email', { name: 'Ada 🧮', email: 'Ada@People.test', password });
    expect([made.status, await made.json(), made.headers.getSetCookie()]).toEqual([
      200,
      { user: { name: 'Ada 🧮', email: 'ada@people.test' } },
      [],
    ]);
    const response = await account(t, '/sign-in/email', { email: 'ADA@people.test', password });
    expect(response.status).toBe(200);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^quittance\.session_token=[^;]+;/);
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/Secure/);
    expect(await viewer({ cookie: cookiesOf(response), 'x-quittance-csrf': '1' })).toEqual({
      email: 'ada@people.test',
    });
    const { password: stored } = await t.app.database.prisma.credential.findFirstOrThrow({
      where: { user: { email: 'ada@people.test' } },
    });
    expect(stored).not.toContain(password);
  });

  test('uses a Secure cookie if the service is reached over HTTPS', async () => {
    const secure = await startApp({ env: { PUBLIC_URL: 'https://billing.example' } });
    await account(secure, '/sign-up/email', { name: 'Ada', email: 'ada@people.test', password });
    const response = await account(secure, '/sign-in/email', { email: 'ada@people.test', password });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-quittance\.session_token=[^;]+;.*; Secure/);
    const { data } = (await (
      await fetch(`${secure.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: cookiesOf(response), 'x-quittance-csrf': '1' },
        body: JSON.stringify({ query: '{ viewer { email } }' }),
      })
    ).json()) as { data: unknown };
    expect(data).toEqual({ viewer: { email: 'ada@people.test' } });
    await secure.close();
  });

  test.each([
    ['a short password', { name: 'B', email: 'b@people.test', password: '123456789' }],
    ['a password of 129 characters', { name: 'B', email: 'b@people.test', password: 'x'.repeat(129) }],
    ['an invalid email address', { name: 'B', email: 'nobody', password }],
    ['a missing name', { email: 'b@people.test', password }],
  ])("isn't created with %s", async (_what, body) => {
    const before = await t.app.database.prisma.person.count();
    expect((await account(t, '/sign-up/email', body)).status).toBe(400);
    expect(await t.app.database.prisma.person.count()).toBe(before);
  });

  test("is created once per email address, and sign-up doesn't reveal whether an address exists", async () => {
    const fresh = await account(t, '/sign-up/email', { name: 'B', email: 'b@people.test', password });
    const count = await t.app.database.prisma.person.count();
    const again = await account(t, '/sign-up/email', {
      name: 'B',
      email: 'B@people.test',
      password: 'another password',
    });
    expect([again.status, await again.json(), again.headers.getSetCookie()]).toEqual([
      fresh.status,
      await fresh.json(),
      [],
    ]);
    expect([...again.headers.keys()].toSorted()).toEqual([...fresh.headers.keys()].toSorted());
    expect(await t.app.database.prisma.person.count()).toBe(count);
    expect(
      (await account(t, '/sign-in/email', { email: 'b@people.test', password: 'another password' })).status,
    ).toBe(401);
    expect((await account(t, '/sign-in/email', { email: 'b@people.test', password })).status).toBe(200);
  });

  test('allows sign-in only with its password, and allows sign-out', async () => {
    const { email } = await signUp(t);
    const wrong = await account(t, '/sign-in/email', { email, password: 'wrong password' });
    const nobody = await account(t, '/sign-in/email', { email: 'nobody@people.test', password });
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    const envelope = await wrong.json();
    expect(envelope).toEqual({
      error: {
        type: 'authentication_error',
        code: 'unauthorized',
        message: 'The email address or password is incorrect.',
        details: { reason: 'invalid_email_or_password' },
        doc_url: `${t.url}/docs/api-reference/2026-08-27/errors/unauthorized.md`,
      },
    });
    expect(await nobody.json()).toEqual(envelope);
    const { headers } = await signIn(t, email);
    expect(await viewer(headers)).toEqual({ email });
    expect((await account(t, '/sign-out', {}, headers)).status).toBe(200);
    expect(await viewer(headers)).toBe('unauthorized');
  });

  test('requires the old password to set a new password, and then ends all other sessions', async () => {
    const one = await signUp(t);
    const { email } = one;
    const other = await signIn(t, email);
    const unknownRecord = await signUp(t);
    const sessions = () => t.app.database.prisma.session.count({ where: { userId: one.userId } });

    const wrong = await account(
      t,
      '/change-password',
      { currentPassword: 'wrong password', newPassword: 'a new password' },
      one.headers,
    );
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      {
        error: {
          code: 'validation_error',
          message: 'currentPassword: is incorrect.',
          param: 'currentPassword',
          details: [{ field: 'currentPassword', message: 'is incorrect', reason: 'invalid_password' }],
        },
      },
    ]);
    expect([await viewer(other.headers), await sessions()]).toEqual([{ email }, 2]);

    const change = { currentPassword: password, newPassword: 'a new password', revokeOtherSessions: false };
    const changed = await account(t, '/change-password', change, one.headers);
    expect([changed.status, Object.keys((await changed.json()) as object)]).toEqual([200, ['user']]);
    expect(await viewer({ ...one.headers, cookie: cookiesOf(changed) })).toEqual({ email });
    expect([await viewer(other.headers), await viewer(one.headers), await sessions()]).toEqual([
      'unauthorized',
      'unauthorized',
      1,
    ]);
    expect(await viewer(unknownRecord.headers)).toEqual({ email: unknownRecord.email });
    expect((await account(t, '/sign-in/email', { email, password })).status).toBe(401);
    expect((await account(t, '/sign-in/email', { email, password: 'a new password' })).status).toBe(200);
  });
});

describe('a session', () => {
  test("is accepted only with a header that other sites can't send", async () => {
    const { headers, email } = await signUp(t);
    expect(await viewer({ cookie: headers['cookie'] ?? '' })).toBe('unauthorized');
    expect(await viewer(headers)).toEqual({ email });
  });

  test('is rejected if its cookie was modified', async () => {
    const { headers } = await signUp(t);
    expect(await viewer({ ...headers, cookie: `${headers['cookie']?.slice(0, -6)}AAAAAA` })).toBe(
      'unauthorized',
    );
  });

  test('is stored as the hash of its token, and only the cookie contains the token', async () => {
    const { headers, userId } = await signUp(t);
    const token = decodeURIComponent(headers['cookie'] ?? '').split(/[=.]/)[2] ?? '';
    expect(token.length).toBe(32);
    const session = await t.app.database.prisma.session.findFirstOrThrow({ where: { userId } });
    expect(session.token).toBe(createHash('sha256').update(token).digest('hex'));
    // The stored hash isn't accepted as a token.
    const [, signature] = decodeURIComponent(headers['cookie'] ?? '')
      .split('.')
      .slice(-2);
    const forged = `quittance.session_token=${encodeURIComponent(`${session.token}.${signature}`)}`;
    expect(await viewer({ ...headers, cookie: forged })).toBe('unauthorized');
    const read = await fetch(`${t.url}/auth/get-session`, { headers });
    const text = await read.text();
    expect(JSON.parse(text)).toMatchObject({ session: { id: session.id, userId }, user: { id: userId } });
    expect([text.includes(token), text.includes(session.token)]).toEqual([false, false]);
  });

  test("is extended if it's used a day or more after it started", async () => {
    const { headers, userId, email } = await signUp(t);
    const soon = new Date(Date.now() + 5 * 86_400_000);
    await t.app.database.prisma.session.updateMany({ where: { userId }, data: { expiresAt: soon } });
    const read = await fetch(`${t.url}/auth/get-session`, { headers });
    expect(await read.json()).toMatchObject({ user: { email } });
    expect(cookiesOf(read)).toBe(headers['cookie']);
    const { expiresAt } = await t.app.database.prisma.session.findFirstOrThrow({ where: { userId } });
    expect(expiresAt.getTime()).toBeGreaterThan(soon.getTime());
    expect(await viewer(headers)).toEqual({ email });
  });

  test('closes its live subscriptions when it ends', async () => {
    const { organizationId } = await t.otherTenant();
    const session = await memberOf(t, organizationId, 'owner');
    const other = await signIn(t, session.email);
    const stream = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...other.headers },
      body: JSON.stringify({ query: 'subscription { eventStream { event } }' }),
    });
    expect(stream.status).toBe(200);
    const change = { currentPassword: password, newPassword: 'a new password' };
    const changed = await account(t, '/change-password', change, session.headers);
    expect(changed.status).toBe(200);
    const headers = { ...session.headers, cookie: cookiesOf(changed) };
    const create = 'mutation { customerCreate(input: { email: "a@shop.test" }) { id } }';
    await t.graphql(create, {}, { key: null, headers });
    const emitted = await stream.text();
    expect(emitted).not.toContain('customer_created');
    expect(emitted).toMatch(/event: complete\ndata:\n\n$/);
  });
});

describe('an authentication request', () => {
  const body = { email: 'nobody@people.test', password };
  const send = (headers: Record<string, string>, path = '/sign-in/email', input: unknown = body) =>
    request(`${t.url}/auth${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  const json = { 'content-type': 'application/json' };

  test.each<[string, Record<string, string>]>([
    ['of another site', { ...json, origin: 'https://evil.example' }],
    ['with an opaque origin', { ...json, origin: 'null' }],
    ['of another site without an Origin header', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['of a sibling subdomain without an Origin header', { ...json, 'sec-fetch-site': 'same-site' }],
  ])('is rejected if it comes from a page %s, even without a cookie', async (_what, headers) => {
    const { status, body: text } = await send(headers);
    expect([status, text]).toMatchObject([
      403,
      { error: { code: 'forbidden', details: { reason: 'origin_not_allowed' } } },
    ]);
    const session = await signUp(t);
    expect((await send({ ...headers, ...session.headers }, '/sign-out', {})).status).toBe(403);
    expect(await viewer(session.headers)).toEqual({ email: session.email });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'is rejected with the form content type %j',
    async (type) => {
      const { status, body: text } = await send(type === '' ? {} : { 'content-type': type });
      expect([status, text]).toMatchObject([
        400,
        { error: { code: 'validation_error', param: 'Content-Type' } },
      ]);
    },
  );

  test("doesn't need an Origin header if it isn't sent by a browser", async () => {
    const { email, headers } = await signUp(t);
    const proof = { email, password };
    for (const more of [{}, { cookie: headers['cookie'] ?? '' }, { 'sec-fetch-mode': 'cors' }, headers])
      expect((await send({ ...json, ...more }, '/sign-in/email', proof)).status).toBe(200);
    expect((await send({ ...json, ...headers }, '/sign-out', {})).status).toBe(200);
    expect(await viewer(headers)).toBe('unauthorized');
  });

  test("requires a header that other sites can't send if it contains a cookie", async () => {
    const { email, headers } = await signUp(t);
    const cookie = { cookie: headers['cookie'] ?? '', origin: t.url };
    for (const [path, input] of [
      ['/sign-out', {}],
      ['/change-password', { currentPassword: password, newPassword: 'a new password' }],
    ] as const) {
      const { status, body: text } = await send({ ...json, ...cookie }, path, input);
      expect([status, text]).toMatchObject([
        403,
        { error: { code: 'forbidden', details: { reason: 'csrf_header_missing' } } },
      ]);
    }
    expect(
      (await fetch(`${t.url}/auth/get-session`, { headers: { cookie: headers['cookie'] ?? '' } })).status,
    ).toBe(403);
    expect(await viewer(headers)).toEqual({ email });
  });
});

test.each<[string, unknown, string, string]>([
  ['/sign-in/email', {}, 'email', 'email: is required.'],
  ['/sign-in/email', { email: 'ada', password }, 'email', 'email: must be an email address.'],
  ['/sign-in/email', { email: 'a@b.test', password: 7 }, 'password', 'password: must be a string.'],
  [
    '/sign-in/email',
    { email: 'a@b.test', password, callbackURL: '/x' },
    'callbackURL',
    "callbackURL: isn't a supported field.",
  ],
  [
    '/sign-up/email',
    { name: 'A', email: 'a@b.test', password: 'short' },
    'password',
    'password: must have at least 10 characters.',
  ],
])('/auth%s returns validation errors in the same format as REST: %j', async (path, body, param, message) => {
  const answer = await account(t, path, body);
  const { error } = (await answer.json()) as { error: Record<string, unknown> };
  expect([answer.status, error]).toMatchObject([
    400,
    { type: 'validation_error', code: 'validation_error', message, param },
  ]);
  expect(error['details']).toContainEqual({ field: param, message: message.slice(param.length + 2, -1) });
});

test('/auth returns the same errors as REST for invalid JSON and oversized bodies', async () => {
  const headers = { 'content-type': 'application/json' };
  const send = (body: string) => request(`${t.url}/auth/sign-in/email`, { method: 'POST', headers, body });
  expect(await send('{')).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } });
  expect(await send('[]')).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
  expect(await send(`"${'x'.repeat(1_048_576)}"`)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error' } },
  });
});

test('/auth returns no session without a session cookie', async () => {
  expect(await (await fetch(`${t.url}/auth/get-session`)).json()).toBeNull();
  const answer = await account(t, '/change-password', {
    currentPassword: password,
    newPassword: 'a new password',
  });
  expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
});

test('/auth exposes no other endpoints of the authentication library', async () => {
  for (const path of ['/set-password', '/delete-user', '/sign-in/social', '/list-sessions'])
    expect([path, (await account(t, path, {})).status]).toEqual([path, 404]);
  expect((await fetch(`${t.url}/auth/ok`)).status).toBe(404);
});

describe('authentication attempts from one client address', () => {
  const proofs: readonly (readonly [string, object])[] = [
    ['/sign-in/email', { email: 'ada@people.test', password: 'wrong password' }],
    ['/sign-up/email', { name: 'Ada', email: 'ada@people.test', password: 'short' }],
    ['/change-password', { currentPassword: 'wrong password', newPassword: 'a new password' }],
  ];
  const odd = (path: string): string[] => [
    `/auth${path}?/sign-out`,
    `/auth${path}?x=/sign-out`,
    `/auth${path}#/sign-out`,
    `/auth${path}/`,
    `/auth/${path}`,
    `/auth${path}//`,
    `/auth${path}/sign-out`,
    `/auth${path};/sign-out`,
    `/auth${path}%3F/sign-out`,
    `/auth${path}%2Fsign-out`,
    `/auth${path}/..${path}`,
    `/auth/x/%2e%2e${path}`,
    `/auth${path.replace('-', '%2D')}`,
    `/auth${path.replace('i', '%69')}`,
    `/%61uth${path}`,
    `/auth${path.toUpperCase()}`,
    `/AUTH${path}`,
    `//auth${path}`,
    `/auth\\${path.slice(1)}`,
  ];

  test.each(proofs)('are limited for %s in every spelling of the path', async (path, body) => {
    const limited = await startApp({ env: { SIGN_INS_PER_MINUTE: '2' } });
    const { hostname, port } = new URL(limited.url);
    const attempt = (address: string) =>
      new Promise<{ status: number; body: unknown; headers: IncomingHttpHeaders }>((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const sent = httpRequest({ hostname, port, path: address, method: 'POST', headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => void chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: /^\{/.test(text) ? JSON.parse(text) : text,
            });
          });
        });
        sent.on('error', reject);
        sent.end(JSON.stringify(body));
      });
    // Both spellings reach the library, and each counts as an attempt. The third attempt exceeds the limit of two.
    const [first, second] = [await attempt(`/auth${path}`), await attempt(`/auth${path}?/sign-out`)];
    expect([first?.status, second?.status]).not.toContain(429);
    expect(second?.status).toBe(first?.status);
    const rejected = await attempt(`/auth${path}`);
    expect(rejected).toMatchObject({
      status: 429,
      body: { error: { type: 'rate_limit_error', code: 'rate_limited' } },
    });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    for (const address of odd(path))
      expect([address, (await attempt(address)).status]).toEqual([
        address,
        expect.toSatisfy((status) => [400, 404, 429].includes(status)),
      ]);
    await limited.close();
  });
});
