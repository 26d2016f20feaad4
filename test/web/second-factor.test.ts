import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { codeOf } from '../support/one-time-code.ts';
import { account, cookiesOf, enter, password, type Session, signIn } from '../support/people.ts';

// Tests the endpoints for one-time codes.

let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' } });
});
afterAll(() => t.close());

type Answer = {
  readonly status: number;
  readonly body: {
    readonly error?: { readonly code: string; readonly details?: readonly { readonly field: string }[] };
    readonly twoFactorRedirect?: boolean;
    readonly totpURI?: string;
    readonly backupCodes?: readonly string[];
    readonly user?: { readonly id: string };
  };
  readonly headers: Record<string, string>;
};

const ask = async (path: string, input: object, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await account(t, path, input, headers);
  const cookie = cookiesOf(response);
  return {
    status: response.status,
    body: (await response.json()) as Answer['body'],
    headers: { cookie, 'x-quittance-csrf': '1' },
  };
};

const factors = (userId: string) => t.app.database.prisma.secondFactor.findMany({ where: { userId } });
const sessions = (userId: string) => t.app.database.prisma.session.count({ where: { userId } });

/** Creates a user who needs one-time codes to sign in. Returns the URI with the secret, and the recovery codes. */
async function withCodes(): Promise<{ person: Session; uri: string; recovery: readonly string[] }> {
  const person = await enter(t);
  const begun = await ask('/two-factor/enable', { currentPassword: password }, { ...person.headers });
  const { totpURI: uri = '', backupCodes: recovery = [] } = begun.body;
  const confirmed = await ask('/two-factor/verify-totp', { code: codeOf(uri) }, { ...person.headers });
  if (confirmed.status !== 200) throw new Error(`Codes were not confirmed: ${JSON.stringify(confirmed)}`);
  return { person: { ...person, headers: confirmed.headers }, uri, recovery };
}

const begin = (email: string) => ask('/sign-in/email', { email, password });

describe('a one-time code as a second factor', () => {
  test('is enabled after the first valid code, and its secret is stored encrypted', async () => {
    const person = await enter(t);
    const headers = { ...person.headers };
    const begun = await ask('/two-factor/enable', { currentPassword: password }, headers);
    expect([begun.status, begun.body.backupCodes?.length]).toEqual([200, 10]);
    expect(begun.body.totpURI).toMatch(/^otpauth:\/\/totp\/Quittance:/);
    const [stored] = await factors(person.userId);
    const secret = new URL(begun.body.totpURI ?? '').searchParams.get('secret') ?? '';
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain(begun.body.backupCodes?.[0]);
    // Before the first valid code, the password is sufficient to sign in.
    expect((await signIn(t, person.email)).userId).toBe(person.userId);
    const wrong = await ask('/two-factor/verify-totp', { code: '000000' }, headers);
    expect([wrong.status, wrong.body.error?.details?.[0]?.field]).toEqual([400, 'code']);
    expect((await factors(person.userId))[0]?.verified).toBe(false);
    const confirmed = await ask(
      '/two-factor/verify-totp',
      { code: codeOf(begun.body.totpURI ?? '') },
      headers,
    );
    expect(confirmed.status).toBe(200);
    expect((await factors(person.userId))[0]?.verified).toBe(true);
  });

  test('is required after the password at sign-in', async () => {
    const { person, uri } = await withCodes();
    const before = await sessions(person.userId);
    const begun = await begin(person.email);
    expect([begun.status, begun.body.twoFactorRedirect]).toEqual([200, true]);
    expect(begun.headers['cookie']).not.toMatch(/session_token=[^;]/);
    expect(await sessions(person.userId)).toBe(before);
    const wrong = await ask('/two-factor/verify-totp', { code: '000000' }, begun.headers);
    expect([wrong.status, await sessions(person.userId)]).toEqual([400, before]);
    // Requests with a cookie require a header that other sites can't send.
    const { cookie = '' } = begun.headers;
    expect((await ask('/two-factor/verify-totp', { code: codeOf(uri, 1) }, { cookie })).status).toBe(403);
    const done = await ask('/two-factor/verify-totp', { code: codeOf(uri, 1) }, begun.headers);
    expect([done.status, done.body.user?.id, await sessions(person.userId)]).toEqual([
      200,
      person.userId,
      before + 1,
    ]);
    expect(JSON.stringify(done.body)).not.toContain('token');
    // The pending sign-in can't be completed twice.
    expect((await ask('/two-factor/verify-totp', { code: codeOf(uri, 1) }, begun.headers)).status).toBe(401);
  });

  test('ends a sign-in after five wrong codes', async () => {
    const { person, uri } = await withCodes();
    const { headers } = await begin(person.email);
    const before = await sessions(person.userId);
    for (let count = 0; count < 5; count += 1)
      expect((await ask('/two-factor/verify-totp', { code: '000000' }, headers)).status).toBe(400);
    expect((await ask('/two-factor/verify-totp', { code: codeOf(uri, 1) }, headers)).status).toBe(429);
    expect((await ask('/two-factor/verify-totp', { code: codeOf(uri, 1) }, headers)).status).toBe(401);
    expect(await sessions(person.userId)).toBe(before);
  });

  test('can be replaced by a recovery code, which works once', async () => {
    const { person, recovery } = await withCodes();
    const [code = ''] = recovery;
    const first = await begin(person.email);
    expect((await ask('/two-factor/verify-backup-code', { code }, first.headers)).status).toBe(200);
    const second = await begin(person.email);
    const again = await ask('/two-factor/verify-backup-code', { code }, second.headers);
    expect([again.status, again.body.error?.details?.[0]?.field]).toEqual([400, 'code']);
    // New recovery codes invalidate the old codes.
    const renewed = await ask(
      '/two-factor/generate-backup-codes',
      { currentPassword: password },
      { ...person.headers },
    );
    expect(renewed.body.backupCodes).toHaveLength(10);
    const other = { code: recovery[1] ?? '' };
    expect((await ask('/two-factor/verify-backup-code', other, second.headers)).status).toBe(400);
    const fresh = { code: renewed.body.backupCodes?.[0] ?? '' };
    expect((await ask('/two-factor/verify-backup-code', fresh, second.headers)).status).toBe(200);
  });

  test("can be changed only with the password, and isn't accepted as recent authentication", async () => {
    const { person, uri } = await withCodes();
    const headers = { ...person.headers };
    const before = await factors(person.userId);
    for (const path of ['/two-factor/disable', '/two-factor/generate-backup-codes']) {
      const rejected = await ask(path, { currentPassword: 'not the password' }, headers);
      expect([path, rejected.status, rejected.body.error?.details?.[0]?.field]).toEqual([
        path,
        400,
        'currentPassword',
      ]);
      expect((await ask(path, { currentPassword: password })).status).toBe(401);
    }
    expect(await factors(person.userId)).toEqual(before);
    await t.app.database.prisma.session.updateMany({
      where: { userId: person.userId },
      data: { provenAt: null },
    });
    const code = await ask('/two-factor/verify-totp', { code: codeOf(uri, 1) }, headers);
    expect(code.body.error?.code).toBe('reauthentication_required');
    expect(
      await t.app.database.prisma.session.count({
        where: { userId: person.userId, provenAt: { not: null } },
      }),
    ).toBe(0);
    expect((await ask('/two-factor/disable', { currentPassword: password }, headers)).status).toBe(200);
    expect(await factors(person.userId)).toEqual([]);
    expect((await signIn(t, person.email)).userId).toBe(person.userId);
  });

  test('counts toward the rate limit for passwords', async () => {
    const strict = await startApp({ env: { SIGN_INS_PER_MINUTE: '2' } });
    const tries = [];
    for (let count = 0; count < 3; count += 1)
      tries.push((await account(strict, '/two-factor/verify-totp', { code: '000000' })).status);
    expect(tries).toEqual([401, 401, 429]);
    await strict.close();
  });
});
