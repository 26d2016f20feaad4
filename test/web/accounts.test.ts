import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { account, cookiesOf, password, signUp } from '../support/people.ts';

// Accounts of people: what the pages send to /auth.

let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' } });
});
afterAll(() => t.close());

const viewer = async (headers: Record<string, string>): Promise<unknown> => {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ viewer { email } }' }),
  });
  const { data, errors } = (await response.json()) as { data?: { viewer: unknown }; errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code ?? data?.viewer;
};

describe('an account', () => {
  test('is made with an e-mail and a password, and signed in by a cookie scripts cannot read', async () => {
    const response = await account(t, '/sign-up/email', { name: 'Ada 🧮', email: 'Ada@People.test', password });
    expect(response.status).toBe(200);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^quittance\.session_token=[^;]+;/);
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/Secure/);
    expect(await viewer({ cookie: cookiesOf(response), 'x-quittance-csrf': '1' })).toEqual({ email: 'ada@people.test' });
    const { password: stored } = await t.app.database.prisma.credential.findFirstOrThrow({ where: { user: { email: 'ada@people.test' } } });
    expect(stored).not.toContain(password);
  });

  test('has a Secure cookie where the service is reached over https', async () => {
    const secure = await startApp({ env: { PUBLIC_URL: 'https://billing.example' } });
    const response = await account(secure, '/sign-up/email', { name: 'Ada', email: 'ada@people.test', password });
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
    ['a password without end', { name: 'B', email: 'b@people.test', password: 'x'.repeat(129) }],
    ['no e-mail', { name: 'B', email: 'nobody', password }],
    ['no name', { email: 'b@people.test', password }],
  ])('with %s is refused and not made', async (_what, body) => {
    const before = await t.app.database.prisma.person.count();
    expect((await account(t, '/sign-up/email', body)).status).toBe(400);
    expect(await t.app.database.prisma.person.count()).toBe(before);
  });

  test('is made once for an e-mail', async () => {
    const { email } = await signUp(t);
    expect((await account(t, '/sign-up/email', { name: 'B', email: email.toUpperCase(), password })).status).toBe(422);
  });

  test('signs in with its password only, and out', async () => {
    const { email } = await signUp(t);
    expect((await account(t, '/sign-in/email', { email, password: 'wrong password' })).status).toBe(401);
    expect((await account(t, '/sign-in/email', { email: 'nobody@people.test', password })).status).toBe(401);
    const response = await account(t, '/sign-in/email', { email, password });
    const cookie = cookiesOf(response);
    expect(await viewer({ cookie, 'x-quittance-csrf': '1' })).toEqual({ email });
    expect((await account(t, '/sign-out', {}, { cookie })).status).toBe(200);
    expect(await viewer({ cookie, 'x-quittance-csrf': '1' })).toBe('unauthorized');
  });
});

describe('a session', () => {
  test('counts only beside the header no other site can send', async () => {
    const { headers, email } = await signUp(t);
    expect(await viewer({ cookie: headers['cookie'] ?? '' })).toBe('unauthorized');
    expect(await viewer(headers)).toEqual({ email });
  });

  test('is not made by a cookie that was tampered with', async () => {
    const { headers } = await signUp(t);
    expect(await viewer({ ...headers, cookie: `${headers['cookie']?.slice(0, -6)}AAAAAA` })).toBe('unauthorized');
  });

  test('cannot be used for accounts from another site', async () => {
    const { headers } = await signUp(t);
    const response = await account(t, '/sign-out', {}, { cookie: headers['cookie'] ?? '', origin: 'https://evil.example' });
    expect(response.status).toBe(403);
  });
});

test('nothing else of the library is offered', async () => {
  for (const path of ['/update-user', '/delete-user', '/sign-in/social', '/request-password-reset', '/change-email'])
    expect([path, (await account(t, path, {})).status]).toEqual([path, 404]);
  expect((await fetch(`${t.url}/auth/ok`)).status).toBe(404);
});

test('attempts from one address are limited', async () => {
  const limited = await startApp({ env: { SIGN_INS_PER_MINUTE: '2' } });
  const attempt = () => account(limited, '/sign-in/email', { email: 'ada@people.test', password: 'wrong password' });
  const statuses = [(await attempt()).status, (await attempt()).status, (await attempt()).status];
  expect(statuses).toEqual([401, 401, 429]);
  const refused = await attempt();
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } });
  await limited.close();
});
