import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passkeyPlace } from '../../src/identity/passkeys.ts';
import { newId } from '../../src/platform/ids.ts';
import type { MailMessage } from '../../src/platform/mail.ts';
import { removeOld } from '../../src/worker/retention.ts';
import { MovableClock } from '../support/billing-world.ts';
import { watchChanges } from '../support/changes.ts';
import { eventually } from '../support/eventually.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { codeOf } from '../support/one-time-code.ts';
import { Authenticator } from '../support/passkey.ts';
import {
  account,
  cookiesOf,
  enter,
  memberOf,
  password,
  type Session,
  signIn,
  signUp,
} from '../support/people.ts';
import { rejection } from '../support/refusals.ts';

// Tests email verification (PLT-111), including for accounts that someone else created with a user's email address, and account emails
// (PLT-112).

const beganMs = Math.floor(Date.now() / 1_000) * 1_000;
const wall = new MovableClock(new Date(beganMs).toISOString());
const later = (minutes: number): void => wall.set(new Date(beganMs + minutes * 60_000).toISOString());
const sent: MailMessage[] = [];
let t: TestApp;
let place: { hostName: string; origin: string };

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall });
  place = passkeyPlace(t.app.config.publicUrl) ?? { hostName: '', origin: '' };
  Object.assign(t.app, {
    mail: { send: async (message: MailMessage) => void sent.push(message), close: () => undefined },
  });
});
afterAll(() => t.close());
beforeEach(() => {
  later(0);
  sent.length = 0;
});

type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly cookie: string };
const ask = async (
  path: string,
  input: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const response = await account(t, path, input, { origin: place.origin, ...headers });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    cookie: cookiesOf(response),
  };
};
const problemOf = ({ status, body }: Answer) => {
  const { code, details } = body['error'] as { code: string; details?: { reason?: string } };
  return [status, code, details?.reason];
};
const mailTo = (email: string): MailMessage[] => sent.filter(({ to }) => to === email);
const nextMailTo = (email: string, count = 1): Promise<MailMessage[]> =>
  eventually(
    () => mailTo(email),
    (found) => found.length >= count,
  );
const tokenIn = (message: MailMessage | undefined): string =>
  /\/(?:dashboard\/[a-z-]+|invitation)\/(\S+)/.exec(message?.text ?? '')?.[1] ?? '';
const linkTo = async (email: string, count = 1): Promise<string> =>
  tokenIn((await nextMailTo(email, count)).at(-1));
const waysIn = async (userId: string) => {
  const { person, passkey, secondFactor, session } = t.app.database.prisma;
  const where = { userId };
  const { emailVerified, twoFactorEnabled } = await person.findUniqueOrThrow({ where: { id: userId } });
  return {
    emailVerified,
    twoFactorEnabled,
    passkeys: await passkey.count({ where }),
    codes: await secondFactor.count({ where }),
    sessions: await session.count({ where }),
  };
};
const isSignedIn = async ({ headers }: Pick<Session, 'headers'>): Promise<boolean> =>
  (await fetch(`${t.url}/auth/get-session`, { headers }).then((response) => response.text())) !== 'null';

async function challenged(kind: 'register' | 'authenticate', headers: Readonly<Record<string, string>>) {
  const { status, body, cookie } = await ask(`/passkey/generate-${kind}-options`, {}, headers);
  const cookies = [headers['cookie'], cookie].filter(Boolean).join('; ');
  return {
    status,
    challenge: String(body['challenge']),
    headers: { 'x-quittance-csrf': '1', cookie: cookies },
  };
}
async function addPasskey(person: Session): Promise<{ authenticator: Authenticator; status: number }> {
  const authenticator = new Authenticator(place);
  const { challenge, headers } = await challenged('register', person.headers);
  const response = authenticator.create({ challenge });
  return { authenticator, status: (await ask('/passkey/verify-registration', { response }, headers)).status };
}
async function signInByPasskey(authenticator: Authenticator): Promise<Answer> {
  const { challenge, headers } = await challenged('authenticate', { 'x-quittance-csrf': '1' });
  return ask('/passkey/verify-authentication', { response: authenticator.get({ challenge }) }, headers);
}
/** Sets up one-time codes, which gives the person a new session. */
async function confirmCodes(person: Session) {
  const begun = await ask('/two-factor/enable', { currentPassword: password }, person.headers);
  const uri = String(begun.body['totpURI']);
  const { status, cookie } = await ask('/two-factor/verify-totp', { code: codeOf(uri) }, person.headers);
  if (status !== 200) throw new Error('Codes were not confirmed.');
  return { uri, headers: { ...person.headers, cookie } };
}

/** Creates an account with someone else's email address, which isn't verified. The account has a passkey, one-time codes, and a session. */
async function prepared() {
  const email = `victim-${newId('usr').toLowerCase()}@corp.test`;
  const entered = await enter(t, email);
  const { authenticator } = await addPasskey(entered);
  const attacker = { ...entered, headers: (await confirmCodes(entered)).headers };
  const { person } = t.app.database.prisma;
  await person.update({ where: { id: attacker.userId }, data: { emailVerified: false } });
  return { email, attacker, authenticator };
}

describe('an account with an unverified email address (PLT-111)', () => {
  test('receives a verification link at sign-up, and then at most one link per minute and five per day', async () => {
    const person = await signUp(t);
    const [first] = await nextMailTo(person.email);
    expect([first?.subject, mailTo(person.email).length]).toEqual(['Confirm your email address', 1]);
    expect(first?.text).toContain(`${t.app.config.publicUrl}/dashboard/verify-email/${tokenIn(first)}\n`);
    const again = () => ask('/send-verification-email', {}, person.headers);
    expect(problemOf(await ask('/send-verification-email', {}))).toEqual([401, 'unauthorized', undefined]);
    const soon = await account(t, '/send-verification-email', {}, person.headers);
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '60']);
    for (const minutes of [1, 2, 3, 4]) {
      later(minutes);
      expect((await again()).status).toBe(200);
    }
    later(5);
    expect(problemOf(await again()).slice(0, 2)).toEqual([429, 'rate_limited']);
    expect((await nextMailTo(person.email, 5)).length).toBe(5);
    later(24 * 60);
    expect([(await again()).status, (await nextMailTo(person.email, 6)).length]).toEqual([200, 6]);
    // Another sign-up with the address sends no email, and no email contains the name that was entered.
    await ask('/sign-up/email', { name: 'https://evil.example', email: person.email, password });
    expect(mailTo(person.email).length).toBe(6);
    expect(JSON.stringify(sent)).not.toContain('evil.example');
    await removeOld(t.app, 'useWindows');
    const ended = await t.app.database.query('SELECT id FROM "UseWindow" WHERE "endsAt" <= $1', [
      t.app.wall.now(),
    ]);
    expect(ended).toEqual([]);
  });

  test("can't add passkeys or one-time codes", async () => {
    const person = await signUp(t);
    await nextMailTo(person.email);
    const before = await waysIn(person.userId);
    const changes = await watchChanges(t.app.database.query);
    const unverified = [403, 'forbidden', 'email_not_verified'];
    const response = new Authenticator(place).create({ challenge: 'x' });
    for (const [path, input] of [
      ['/two-factor/enable', { currentPassword: password }],
      ['/two-factor/generate-backup-codes', { currentPassword: password }],
      ['/two-factor/verify-totp', { code: '000000' }],
      ['/passkey/generate-register-options', {}],
      ['/passkey/verify-registration', { response }],
    ] as const)
      expect([path, problemOf(await ask(path, input, person.headers))]).toEqual([path, unverified]);
    expect([await changes(), await waysIn(person.userId)]).toEqual([[], before]);
    expect(before).toMatchObject({ emailVerified: false, passkeys: 0, codes: 0 });
  });

  test('is verified by opening the link in a recently authenticated session, which ends all other sessions', async () => {
    const person = await signUp(t);
    const [other, stranger] = [await signIn(t, person.email), await enter(t)];
    const token = await linkTo(person.email);
    const verify = (headers: Readonly<Record<string, string>> = {}) =>
      ask('/verify-email', { token }, headers);
    expect(problemOf(await verify())[1]).toBe('unauthorized');
    expect(problemOf(await verify(stranger.headers)).slice(0, 2)).toEqual([400, 'validation_error']);
    later(16);
    expect(problemOf(await verify(person.headers))[1]).toBe('reauthentication_required');
    later(0);
    expect(await waysIn(person.userId)).toMatchObject({ emailVerified: false, sessions: 2 });
    expect((await verify(person.headers)).status).toBe(200);
    expect(await waysIn(person.userId)).toMatchObject({ emailVerified: true, sessions: 1 });
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
    const { viewer } = await t.graphql<{ viewer: unknown }>(
      '{ viewer { isEmailVerified } }',
      {},
      { key: null, headers: person.headers },
    );
    expect(viewer).toEqual({ isEmailVerified: true });
    expect((await addPasskey(person)).status).toBe(200);
    // Opening the link a second time succeeds and removes nothing.
    expect((await verify(person.headers)).status).toBe(200);
    expect(await waysIn(person.userId)).toMatchObject({ passkeys: 1, sessions: 1 });
    expect((await ask('/send-verification-email', {}, person.headers)).status).toBe(200);
    expect(mailTo(person.email).length).toBe(1);
  });

  test('is verified by opening a link that was sent to a new address', async () => {
    const person = await signUp(t);
    const other = await signIn(t, person.email);
    const newEmail = `new-${person.email}`;
    expect((await ask('/change-email', { newEmail }, person.headers)).status).toBe(200);
    const token = await linkTo(newEmail);
    expect((await ask('/verify-email', { token }, person.headers)).status).toBe(200);
    expect(await waysIn(person.userId)).toMatchObject({ emailVerified: true, sessions: 1 });
    expect(await isSignedIn(other)).toBe(false);
    // The account's address has changed since the link was sent.
    expect((await ask('/verify-email', { token }, person.headers)).status).toBe(400);
    for (let count = 0; count < 10; count += 1)
      await ask('/change-email', { newEmail: `${count}-${person.email}` }, person.headers);
    const last = await ask('/change-email', { newEmail: `last-${person.email}` }, person.headers);
    expect(problemOf(last).slice(0, 2)).toEqual([429, 'rate_limited']);
  });
});

describe("an account that someone else created with the user's email address", () => {
  test('loses its passkeys, one-time codes, sessions, and password when a password reset verifies its address', async () => {
    const { email, attacker, authenticator } = await prepared();
    expect(await waysIn(attacker.userId)).toMatchObject({ passkeys: 1, codes: 1 });
    // The passkey isn't accepted before the verification either.
    expect((await signInByPasskey(authenticator)).status).toBe(401);

    expect((await ask('/request-password-reset', { email })).status).toBe(200);
    const token = await linkTo(email);
    const reset = await ask('/reset-password', { token, newPassword: 'the password of the victim' });
    expect(reset.status).toBe(200);
    expect(await waysIn(attacker.userId)).toEqual({
      emailVerified: true,
      twoFactorEnabled: null,
      passkeys: 0,
      codes: 0,
      sessions: 0,
    });
    expect(await isSignedIn(attacker)).toBe(false);
    expect((await signInByPasskey(authenticator)).status).toBe(401);
    expect((await ask('/sign-in/email', { email, password })).status).toBe(401);
    const signedIn = await ask('/sign-in/email', { email, password: 'the password of the victim' });
    expect([signedIn.status, signedIn.body['twoFactorRedirect']]).toEqual([200, undefined]);
  });

  test('loses its passkeys, one-time codes, sessions, and password when an invitation is accepted', async () => {
    const { email, attacker, authenticator } = await prepared();
    const owner = await memberOf(t, t.organizationId, 'owner');
    await t.graphql(
      'mutation ($email: String!) { memberInvite(input: { email: $email, role: admin }) { id } }',
      { email },
      { key: null, headers: { ...owner.headers, 'x-environment': 'live' } },
    );
    const token = await linkTo(email);
    const accept = 'mutation ($token: String!) { memberInvitationAccept(input: { token: $token }) { role } }';
    later(16);
    const as = { key: null, headers: attacker.headers };
    expect((await rejection(t, accept, { token }, as)).code).toBe('reauthentication_required');
    expect(await waysIn(attacker.userId)).toMatchObject({ emailVerified: false, passkeys: 1, codes: 1 });
    later(0);
    expect(await t.graphql(accept, { token }, as)).toEqual({ memberInvitationAccept: { role: 'admin' } });
    expect(await waysIn(attacker.userId)).toEqual({
      emailVerified: true,
      twoFactorEnabled: null,
      passkeys: 0,
      codes: 0,
      sessions: 1,
    });
    expect((await signInByPasskey(authenticator)).status).toBe(401);
  });

  test('keeps passkeys that its owner added after verification when the password is reset again', async () => {
    const person = await enter(t);
    const { authenticator } = await addPasskey(person);
    await ask('/request-password-reset', { email: person.email });
    const token = await linkTo(person.email);
    expect((await ask('/reset-password', { token, newPassword: 'another password' })).status).toBe(200);
    expect(await waysIn(person.userId)).toMatchObject({ passkeys: 1, sessions: 0 });
    expect((await signInByPasskey(authenticator)).status).toBe(200);
  });
});

describe('a password reset link (PLT-112)', () => {
  const request = (email: string) => ask('/request-password-reset', { email });
  const reset = (token: string) => ask('/reset-password', { token, newPassword: 'another password' });

  test('becomes invalid when a newer link is sent or used, or when the password or email address changes', async () => {
    const person = await enter(t);
    const { email, headers } = person;
    await request(email);
    const first = await linkTo(email);
    later(1);
    await request(email);
    const second = await linkTo(email, 2);
    expect(problemOf(await reset(first)).slice(0, 2)).toEqual([400, 'validation_error']);
    expect(await isSignedIn(person)).toBe(true);
    const change = { currentPassword: password, newPassword: 'a password of my own' };
    expect((await ask('/change-password', change, headers)).status).toBe(200);
    expect((await reset(second)).status).toBe(400);

    later(61);
    await request(email);
    const third = await linkTo(email, 3);
    expect((await reset(third)).status).toBe(200);
    expect((await reset(third)).status).toBe(400);
    expect((await signIn(t, email, 'another password')).userId).toBe(person.userId);
  });

  test('is sent at most twice an hour, and the latest link remains valid', async () => {
    const person = await enter(t);
    const { email } = person;
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(email.toUpperCase())));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await nextMailTo(email);
    later(1);
    // The response is the same as for an address without an account.
    const [known, unknown] = [await request(email), await request('nobody@corp.test')];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    await nextMailTo(email, 2);
    later(59);
    expect((await request(email)).status).toBe(200);
    // A client can request at most ten links per email address per day.
    expect(problemOf(await request(email)).slice(0, 2)).toEqual([429, 'rate_limited']);
    expect(mailTo(email).length).toBe(2);
    expect((await reset(await linkTo(email, 2))).status).toBe(200);
  });
});

describe('a one-time code', () => {
  test('can be used for one sign-in, even if eight sign-ins use it at the same time', async () => {
    const person = await enter(t);
    const { uri } = await confirmCodes(person);
    const begin = async () => {
      const { cookie } = await ask('/sign-in/email', { email: person.email, password });
      return { 'x-quittance-csrf': '1', cookie };
    };
    // The code that confirmed the setup can't be used again.
    const used = await ask('/two-factor/verify-totp', { code: codeOf(uri) }, await begin());
    expect(problemOf(used).slice(0, 2)).toEqual([400, 'validation_error']);

    const begun = await Promise.all(Array.from({ length: 8 }, begin));
    const { sessions } = await waysIn(person.userId);
    const code = codeOf(uri, 1);
    const answers = await Promise.all(
      begun.map((headers) => ask('/two-factor/verify-totp', { code }, headers)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
    expect((await waysIn(person.userId)).sessions).toBe(sessions + 1);
    const [signedIn] = answers.filter(({ status }) => status === 200);
    expect(await isSignedIn({ headers: { cookie: signedIn?.cookie ?? '', 'x-quittance-csrf': '1' } })).toBe(
      true,
    );
    expect(answers.filter(({ status }) => status !== 200).map(({ cookie }) => cookie)).toEqual(
      Array(7).fill(''),
    );
  });
});
