import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passkeyPlace } from '../../src/identity/passkeys.ts';
import { removeOld } from '../../src/worker/retention.ts';
import { MovableClock } from '../support/billing-world.ts';
import { watchChanges } from '../support/changes.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { codeOf } from '../support/one-time-code.ts';
import { Authenticator, storePasskey } from '../support/passkey.ts';
import { account, cookiesOf, enter, memberOf, password, type Session, signIn } from '../support/people.ts';
import { rejection } from '../support/refusals.ts';

// Tests the passkey endpoints with a software authenticator.

const beganMs = Math.floor(Date.now() / 1_000) * 1_000;
const wall = new MovableClock(new Date(beganMs).toISOString());
const fifteenMinutes = 900_000;
let t: TestApp;
/** Host name and origin to which the authenticator is bound. */
let place: { hostName: string; origin: string };

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall });
  place = passkeyPlace(t.app.config.publicUrl) ?? { hostName: '', origin: '' };
});
afterAll(() => t.close());
beforeEach(() => wall.set(new Date(beganMs).toISOString()));

type Body = {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly field: string; readonly reason?: string }[];
  };
  readonly challenge?: string;
  readonly [name: string]: unknown;
};
type Answer = { readonly status: number; readonly body: Body; readonly cookie: string };

const ask = async (path: string, input: object, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await account(t, path, input, { origin: place.origin, ...headers });
  return { status: response.status, body: (await response.json()) as Body, cookie: cookiesOf(response) };
};

/** Requests a challenge for a registration or a sign-in. Returns it, and the headers for sending the authenticator's response. */
async function challenged(kind: 'register' | 'authenticate', session?: Session) {
  const csrf = { 'x-quittance-csrf': '1' };
  const { status, body, cookie } = await ask(
    `/passkey/generate-${kind}-options`,
    {},
    session?.headers ?? csrf,
  );
  const cookies = [session?.headers['cookie'], cookie].filter(Boolean).join('; ');
  return { status, body, challenge: body.challenge ?? '', headers: { ...csrf, cookie: cookies } };
}

async function register(session: Session, authenticator = new Authenticator(place)) {
  const { challenge, headers } = await challenged('register', session);
  const answer = await ask(
    '/passkey/verify-registration',
    { response: authenticator.create({ challenge }) },
    headers,
  );
  return { ...answer, authenticator };
}

/** Creates a person with a registered passkey. */
async function withPasskey() {
  const person = await enter(t);
  const { status, body, authenticator } = await register(person);
  if (status !== 200) throw new Error(`A passkey was rejected: ${JSON.stringify(body)}`);
  return { person, authenticator, id: String(body['id']) };
}

async function signInBy(authenticator: Authenticator, session?: Session): Promise<Answer> {
  const { challenge, headers } = await challenged('authenticate', session);
  return ask('/passkey/verify-authentication', { response: authenticator.get({ challenge }) }, headers);
}

const asSession = (person: Session, { cookie }: Answer): Session => ({
  ...person,
  headers: { cookie, 'x-quittance-csrf': '1' },
});
const as = (session: Session, more: Record<string, string> = {}) => ({
  key: null,
  headers: { ...session.headers, ...more },
});

type Passkey = {
  id: string;
  name: string;
  deviceType: string;
  isBackedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
};
const viewerOf = async (session: Session) =>
  (
    await t.graphql<{ viewer: { id: string; provenUntil: string | null; passkeys: Passkey[] } }>(
      '{ viewer { id provenUntil passkeys { id name deviceType isBackedUp createdAt lastUsedAt } } }',
      {},
      as(session),
    )
  ).viewer;
const stored = (userId: string) => t.app.database.prisma.passkey.findMany({ where: { userId } });
const sessions = (userId: string) => t.app.database.prisma.session.count({ where: { userId } });
const rename = 'mutation ($input: PasskeyUpdateInput!) { passkeyUpdate(input: $input) { name } }';
const remove =
  'mutation ($input: PasskeyRemoveInput!) { passkeyRemove(input: $input) { passkeys { name } } }';

describe('a passkey', () => {
  test('is added by a signed-in user, and listed without its key', async () => {
    const person = await enter(t);
    const { body: options } = await challenged('register', person);
    expect(Object.keys(options).sort()).toEqual([
      'attestation',
      'authenticatorSelection',
      'challenge',
      'excludeCredentials',
      'pubKeyCredParams',
      'rp',
      'timeout',
      'user',
    ]);
    expect(options).toMatchObject({
      rp: { name: 'Quittance', id: 'localhost' },
      user: { name: person.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const model = 'bada5566-a7aa-401f-bd96-45619a55120d';
    const added = await register(person, new Authenticator({ ...place, model }));
    expect([added.status, added.body]).toEqual([
      200,
      { id: expect.stringMatching(/^psk_/), name: '1Password' },
    ]);
    const [row] = await stored(person.userId);
    expect(row).toMatchObject({
      credentialId: added.authenticator.id,
      counter: 1n,
      transports: 'internal,hybrid',
      aaguid: model,
    });
    expect((await viewerOf(person)).passkeys).toEqual([
      {
        id: added.body['id'],
        name: '1Password',
        deviceType: 'multiDevice',
        isBackedUp: true,
        createdAt: row?.createdAt.toISOString(),
        lastUsedAt: null,
      },
    ]);
    expect((await challenged('register', person)).body['excludeCredentials']).toEqual([
      { id: added.authenticator.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
  });

  test('signs in without a password, which counts as recent authentication', async () => {
    const { person, authenticator } = await withPasskey();
    const { body: options } = await challenged('authenticate');
    expect(options).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      timeout: 60_000,
      userVerification: 'required',
    });
    wall.set(new Date(beganMs + 5_000).toISOString());
    authenticator.isBackedUp = false;
    const answer = await signInBy(authenticator);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['user']]);
    expect(answer.body['user']).toMatchObject({ id: person.userId, email: person.email });
    expect(JSON.stringify(answer.body)).not.toMatch(/token|preferences|password/i);
    expect(await viewerOf(asSession(person, answer))).toMatchObject({
      id: person.userId,
      provenUntil: new Date(beganMs + 5_000 + fifteenMinutes).toISOString(),
      passkeys: [{ isBackedUp: false, lastUsedAt: new Date(beganMs + 5_000).toISOString() }],
    });
    expect((await stored(person.userId))[0]?.counter).toBe(2n);
  });

  test('replaces both the password and the one-time code', async () => {
    const { person, authenticator } = await withPasskey();
    const begun = await ask('/two-factor/enable', { currentPassword: password }, { ...person.headers });
    const code = codeOf(String(begun.body['totpURI']));
    expect((await ask('/two-factor/verify-totp', { code }, { ...person.headers })).status).toBe(200);
    expect((await ask('/sign-in/email', { email: person.email, password })).body['twoFactorRedirect']).toBe(
      true,
    );
    const answer = await signInBy(authenticator);
    expect([answer.status, (await viewerOf(asSession(person, answer))).id]).toEqual([200, person.userId]);
  });

  test('signs in only if its authenticator verified the user', async () => {
    const { person, authenticator } = await withPasskey();
    authenticator.isVerifying = false;
    const { challenge, headers } = await challenged('authenticate');
    const response = authenticator.get({ challenge });
    const changes = await watchChanges(t.app.database.query);
    const refused = await ask('/passkey/verify-authentication', { response }, headers);
    expect([refused.status, refused.body.error?.details]).toEqual([
      400,
      [
        {
          field: 'response',
          message: 'must come from a passkey that verifies the user, for example with a PIN or fingerprint',
          reason: 'user_not_verified',
        },
      ],
    ]);
    // The service deleted only the used challenge.
    expect(await changes()).toEqual([expect.stringMatching(/^- Verification /)]);
    expect((await stored(person.userId))[0]).toMatchObject({ counter: 1n, lastUsedAt: null });
    const other = await enter(t);
    const unverified = new Authenticator({ ...place, isVerifying: false });
    const { status, body } = await register(other, unverified);
    expect([status, body.error?.details?.[0]?.reason, await stored(other.userId)]).toEqual([
      400,
      'user_not_verified',
      [],
    ]);
  });

  test('can be renamed and removed only by its owner, whose password stays valid', async () => {
    const { person, authenticator, id } = await withPasskey();
    const stranger = await enter(t);
    const changes = await watchChanges(t.app.database.query);
    for (const [text, input] of [
      [rename, { id, name: 'Mine' }],
      [remove, { id }],
    ] as const)
      expect((await rejection(t, text, { input }, as(stranger))).code).toBe('not_found');
    expect(await changes()).toEqual([]);
    expect(await t.graphql(rename, { input: { id, name: 'Laptop' } }, as(person))).toEqual({
      passkeyUpdate: { name: 'Laptop' },
    });
    expect((await rejection(t, rename, { input: { id, name: '' } }, as(person))).code).toBe(
      'validation_error',
    );
    expect((await viewerOf(person)).passkeys.map(({ name }) => name)).toEqual(['Laptop']);
    expect((await viewerOf(stranger)).passkeys).toEqual([]);
    expect(await t.graphql(remove, { input: { id } }, as(person))).toEqual({
      passkeyRemove: { passkeys: [] },
    });
    const before = await sessions(person.userId);
    const refused = await signInBy(authenticator);
    expect([refused.status, refused.body.error?.code, await sessions(person.userId)]).toEqual([
      401,
      'unauthorized',
      before,
    ]);
    expect((await rejection(t, remove, { input: { id } }, as(person))).code).toBe('not_found');
    expect((await signIn(t, person.email)).userId).toBe(person.userId);
  });

  test('can be changed only after recent authentication, in both environments', async () => {
    const { person, id } = await withPasskey();
    const { challenge, headers } = await challenged('register', person);
    const response = new Authenticator(place).create({ challenge });
    wall.set(new Date(beganMs + fifteenMinutes).toISOString());
    const changes = await watchChanges(t.app.database.query);
    for (const environment of ['sandbox', 'live'])
      for (const [text, input] of [
        [rename, { id, name: 'Mine' }],
        [remove, { id }],
      ] as const)
        expect((await rejection(t, text, { input }, as(person, { 'x-environment': environment }))).code).toBe(
          'reauthentication_required',
        );
    const late = await ask('/passkey/verify-registration', { response }, headers);
    const asked = await challenged('register', person);
    expect([late.body.error?.code, asked.body.error?.code, await changes()]).toEqual([
      'reauthentication_required',
      'reauthentication_required',
      [],
    ]);
    expect((await ask('/verify-password', { currentPassword: password }, { ...person.headers })).status).toBe(
      200,
    );
    expect((await ask('/passkey/verify-registration', { response }, headers)).status).toBe(200);
  });

  test("can't be added without a session or by another user", async () => {
    const [person, stranger] = [await enter(t), await enter(t)];
    const anonymous = await challenged('register');
    expect([anonymous.status, anonymous.body.error?.code]).toEqual([401, 'unauthorized']);
    const { challenge, headers } = await challenged('register', person);
    const response = new Authenticator(place).create({ challenge });
    const cookie = `${stranger.headers['cookie']}; ${headers.cookie.split('; ').slice(1).join('; ')}`;
    const refused = await ask('/passkey/verify-registration', { response }, { ...headers, cookie });
    expect(refused.status).toBe(401);
    expect([await stored(person.userId), await stored(stranger.userId)]).toEqual([[], []]);
  });

  test('belongs to one account, and an account can have up to 20 passkeys', async () => {
    const { authenticator } = await withPasskey();
    const other = await enter(t);
    const again = new Authenticator({ ...place, credentialId: Buffer.from(authenticator.id, 'base64url') });
    const taken = await register(other, again);
    expect([taken.status, taken.body.error?.code, await stored(other.userId)]).toEqual([
      400,
      'validation_error',
      [],
    ]);
    for (let count = 0; count < 20; count += 1) await storePasskey(t, other.userId);
    const full = await register(other);
    expect([full.status, full.body.error?.details?.[0]?.reason]).toEqual([400, 'too_many_passkeys']);
    expect(await stored(other.userId)).toHaveLength(20);
  });
});

describe('a passkey challenge', () => {
  test('can be used once, even with concurrent responses', async () => {
    const { person, authenticator } = await withPasskey();
    const before = await sessions(person.userId);
    const { challenge, headers } = await challenged('authenticate');
    const response = authenticator.get({ challenge });
    const both = await Promise.all(
      [1, 2].map(() => ask('/passkey/verify-authentication', { response }, headers)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const again = await ask('/passkey/verify-authentication', { response }, headers);
    expect([again.status, again.body.error?.details]).toEqual([
      400,
      [
        {
          field: 'response',
          message: "doesn't match a pending request. Start over",
          reason: 'challenge_not_found',
        },
      ],
    ]);
    expect(await sessions(person.userId)).toBe(before + 1);
  });

  test('is rejected if the operation, browser, response, or origin differs', async () => {
    const { person, authenticator } = await withPasskey();
    const before = await sessions(person.userId);
    const registration = await challenged('register', person);
    const wrongKind = authenticator.get({ challenge: registration.challenge });
    const first = await challenged('authenticate');
    const second = await challenged('authenticate');
    const elsewhere = new Authenticator({ ...place, origin: 'https://evil.example' });
    const refused = [
      await ask('/passkey/verify-authentication', { response: wrongKind }, registration.headers),
      // The challenge in the response differs from the challenge in the cookie.
      await ask(
        '/passkey/verify-authentication',
        { response: authenticator.get({ challenge: first.challenge }) },
        second.headers,
      ),
      await ask(
        '/passkey/verify-authentication',
        { response: elsewhere.get({ challenge: first.challenge }) },
        first.headers,
      ),
    ];
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [400, 'validation_error'],
      [401, 'unauthorized'],
      [401, 'unauthorized'],
    ]);
    // Requests with a cookie require a header that other sites can't send.
    const { cookie } = (await challenged('authenticate')).headers;
    const response = authenticator.get({ challenge: first.challenge });
    expect((await ask('/passkey/verify-authentication', { response }, { cookie })).status).toBe(400);
    const foreign = { ...first.headers, origin: 'https://evil.example' };
    expect((await ask('/passkey/generate-authenticate-options', {}, foreign)).status).toBe(403);
    expect(await sessions(person.userId)).toBe(before);
  });

  test('is rejected if the signature counter decreased', async () => {
    const { person, authenticator } = await withPasskey();
    expect((await signInBy(authenticator)).status).toBe(200);
    authenticator.counter = 0;
    const before = await sessions(person.userId);
    const refused = await signInBy(authenticator);
    expect([refused.status, refused.body.error?.message, await sessions(person.userId)]).toEqual([
      401,
      "The passkey isn't registered, or its signature is invalid. Sign in with another passkey or with your password.",
      before,
    ]);
  });

  test('is deleted after it expires', async () => {
    const { verification } = t.app.database.prisma;
    await challenged('authenticate');
    await verification.updateMany({ data: { expiresAt: new Date(beganMs) } });
    wall.set(new Date(beganMs - 1).toISOString());
    const count = await verification.count();
    expect([count > 0, await removeOld(t.app, 'verifications')]).toEqual([true, 0]);
    wall.set(new Date(beganMs).toISOString());
    expect([await removeOld(t.app, 'verifications'), await verification.count()]).toEqual([count, 0]);
  });

  test('counts toward the rate limit for sign-ins', async () => {
    const strict = await startApp({ env: { SIGN_INS_PER_MINUTE: '2' } });
    const origin = passkeyPlace(strict.app.config.publicUrl)?.origin ?? '';
    const tries = [];
    for (let count = 0; count < 3; count += 1)
      tries.push((await account(strict, '/passkey/generate-authenticate-options', {}, { origin })).status);
    expect(tries).toEqual([200, 200, 429]);
    await strict.close();
  });

  test('rejects responses that no authenticator would produce', async () => {
    const { headers } = await challenged('authenticate');
    const refused = await ask(
      '/passkey/verify-authentication',
      { response: { id: 'a b', rawId: 'ab', type: 'public-key', response: { clientDataJSON: 1 } } },
      headers,
    );
    expect([refused.status, refused.body.error?.details]).toEqual([
      400,
      [
        { field: 'response.id', message: 'must be encoded in base64url' },
        { field: 'response.response.clientDataJSON', message: 'must be a string' },
        { field: 'response.response.authenticatorData', message: 'is required' },
        { field: 'response.response.signature', message: 'is required' },
      ],
    ]);
  });
});

describe('a signed-in user', () => {
  const creating = 'mutation { apiKeyCreate(input: { name: "Key" }) { id } }';
  const live = { 'x-environment': 'live' };

  test('can authenticate again with a passkey without starting a new session', async () => {
    const owner = await memberOf(t, t.organizationId, 'owner');
    const { authenticator } = await register(owner);
    wall.set(new Date(beganMs + fifteenMinutes).toISOString());
    expect((await rejection(t, creating, {}, as(owner, live))).code).toBe('reauthentication_required');
    const before = await sessions(owner.userId);
    const { body: options } = await challenged('authenticate', owner);
    expect(options['allowCredentials']).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
    const answer = await signInBy(authenticator, owner);
    expect([answer.status, answer.cookie, await sessions(owner.userId)]).toEqual([200, '', before]);
    await t.graphql(creating, {}, as(owner, live));
  });

  test("can't authenticate with another user's passkey", async () => {
    const { authenticator } = await withPasskey();
    const person = await enter(t);
    await t.app.database.prisma.session.updateMany({
      where: { userId: person.userId },
      data: { provenAt: null },
    });
    const count = await t.app.database.prisma.session.count();
    const refused = await signInBy(authenticator, person);
    expect([refused.status, refused.body.error?.code]).toEqual([401, 'unauthorized']);
    expect((await viewerOf(person)).provenUntil).toBeNull();
    expect(await t.app.database.prisma.session.count()).toBe(count);
  });
});

test.each([
  ['https://pay.example.com', { hostName: 'pay.example.com', origin: 'https://pay.example.com' }],
  ['https://example.com:8443/billing', { hostName: 'example.com', origin: 'https://example.com:8443' }],
  ['http://127.0.0.1:4000', { hostName: 'localhost', origin: 'http://localhost:4000' }],
  ['http://[::1]:4000', { hostName: 'localhost', origin: 'http://localhost:4000' }],
  ['http://192.0.2.7:4000', null],
  ['http://[2001:db8::7]', null],
])('the passkeys of a service at %s are bound to %o', (address, expected) => {
  expect(passkeyPlace(address)).toEqual(expected);
});

test("passkeys aren't offered at a public IP address", async () => {
  const remote = await startApp({ env: { PUBLIC_URL: 'http://192.0.2.7:4000' } });
  const answer = await account(remote, '/passkey/generate-authenticate-options', {});
  const body = (await answer.json()) as Body;
  expect([answer.status, body.error?.message]).toEqual([
    404,
    'Passkeys require a host name, but the public URL of this service is an IP address.',
  ]);
  await remote.close();
});
