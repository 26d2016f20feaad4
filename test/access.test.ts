import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  asIn,
  type Callers,
  type Emitted,
  emitAll,
  expectEmitted,
  type Home,
  homesIn,
  isOnlyIn,
  lacking,
  leastRole,
  lesser,
  type Made,
  needsProof,
  scopesNeeded,
  withToken,
} from './support/access-callers.ts';
import { backgroundSettled } from './support/background.ts';
import { watchChanges } from './support/changes.ts';
import { clockAtNoon } from './support/clock-at-noon.ts';
import { idsIn } from './support/dump.ts';
import { everyFew } from './support/every-few.ts';
import { needsLiveKey, type RootField, rootFields } from './support/fields.ts';
import { startApp, type TestApp } from './support/harness.ts';
import { documentedPrefixes, sharedPrefixes, storedPrefixes } from './support/id-prefixes.ts';
import { unrouted } from './support/operations/index.ts';
import { routes } from './support/queries.ts';

// Calls every operation over REST and GraphQL as each type of caller that its declaration excludes. Expects the correct error, no changes,
// and no data in the response. access-kinds.test.ts tests credentials, which are checked before the operation is known.

let t: TestApp;
let home: Home;
let openHome: () => Promise<Home>;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall: clockAtNoon() });
  openHome = await homesIn(t);
});
afterAll(() => t.close());

// Switches to two new organizations, because earlier requests may have created objects with the same codes.
const nextHome = everyFew(60, async () => {
  home = await openHome();
});

/** Creates the objects that a call needs, and waits until no clock run is active. */
async function madeFor(field: RootField): Promise<Made> {
  const made = await field.make(home.shop);
  await backgroundSettled(t.app.database.query);
  return made;
}

/** Expects rejections with the given error codes, and no changes anywhere in the database. */
async function expectRejections(
  field: RootField,
  made: Made,
  rejections: readonly (readonly [code: string, status: number, callers: Callers])[],
): Promise<void> {
  const changes = await watchChanges(t.app.database.query);
  for (const [code, status, callers] of rejections)
    if (Object.keys(callers).length > 0) expectEmitted(await emitAll(t, field, made, callers), code, status);
  expect(await changes()).toEqual([]);
}

const named = (fields: readonly RootField[]) => fields.map((field) => [field.name, field] as const);

test('the list of root fields without a route is complete and gives a reason for each', () => {
  const routed = new Set(routes.map((route) => route.field.name));
  expect(Object.keys(unrouted).sort()).toEqual(
    rootFields
      .map(({ name }) => name)
      .filter((name) => !routed.has(name))
      .sort(),
  );
});

/**
 * Expects that responses to other callers contain no IDs from this environment except known IDs. Also expects that requests for objects in
 * this environment fail with a not-found error.
 */
function expectNothing(
  { request, operation }: Made,
  ids: readonly string[],
  emitted: Readonly<Record<string, Emitted>>,
  known: readonly string[],
): void {
  const sent = JSON.stringify([request, operation.variables]);
  const secrets = ids.filter((id) => !sent.includes(id) && !known.includes(id));
  expect(secrets.length).toBeGreaterThan(5);
  const isAddressed = Object.keys(request?.path ?? {}).length > 0 || 'id' in operation.variables;
  for (const [caller, { text, status, code }] of Object.entries(emitted)) {
    expect({ caller, shown: secrets.filter((id) => text.includes(id)) }).toEqual({ caller, shown: [] });
    if (isAddressed)
      expect({ caller, status, code }).toEqual({
        caller,
        status: 404,
        code: expect.stringMatching(/not_found$/),
      });
  }
}

/** Operations that may return data to callers from other environments, with the reasons. */
const shownToStrangers: Readonly<Record<string, string>> = {
  aiModel: 'All environments share the catalog of AI models.',
  aiModelPriceSet:
    "All environments share the catalog of AI models. The price belongs to the caller's environment.",
  eventStream:
    "The stream returns only events of the caller's environment, and waits if there are no events.",
  eventDigest: "The counts include only events of the caller's environment.",
  payoutChanged: "The field returns only payouts of the caller's environment.",
};

const forKeys = named(rootFields.filter(({ access }) => 'scope' in access));

describe.each(forKeys)('the API key operation %s', (name, field) => {
  const isSandboxOnly = isOnlyIn(field, 'sandbox');
  let made: Made;
  beforeAll(async () => {
    await nextHome();
    made = await madeFor(field);
  });

  test("returns 401 without credentials and 403 if any access requirement isn't met, and changes no data", async () => {
    const { people, shop, liveKey } = home;
    await expectRejections(field, made, [
      ['unauthorized', 401, { nobody: {} }],
      [
        'forbidden',
        403,
        {
          ...(await lacking(field, scopesNeeded(field), home)),
          ...lesser(field, isSandboxOnly ? 'sandbox' : 'live', people),
          ...(needsLiveKey(field) ? { 'a sandbox key': { 'x-api-key': shop.key } } : {}),
        },
      ],
      [
        'reauthentication_required',
        403,
        needsProof(field) ? { 'an admin who signed in an hour ago': asIn('live', people.stale) } : {},
      ],
      ['sandbox_only', 403, isSandboxOnly ? { 'a live key': { 'x-api-key': liveKey } } : {}],
    ]);
  });

  test.skipIf(Object.hasOwn(shownToStrangers, name))(
    "returns no data and changes nothing for a key from another environment, even with this environment's IDs",
    async () => {
      const { shop, stranger, liveKey, organizationId } = home;
      const ids = await idsIn(t.app.database.query, shop.environmentId);
      const changes = await watchChanges(t.app.database.query, shop.environmentId);
      const emit = (caller: string, key: string) =>
        emitAll(t, field, made, { [caller]: { 'x-api-key': key } });
      const others = needsLiveKey(field) ? stranger.liveKey : stranger.sandboxKey;
      expectNothing(made, ids, await emit('another tenant', others), []);
      // Allows the organization's ID in responses to the organization's live key.
      if (!isSandboxOnly)
        expectNothing(made, ids, await emit('the live key of the same organization', liveKey), [
          organizationId,
        ]);
      expect(await changes()).toEqual([]);
    },
  );
});

describe('an operation for signed-in users or hosted pages', () => {
  beforeEach(nextHome);

  const forPeople = rootFields.filter(({ access }) => 'member' in access || 'person' in access);

  test.each(named(forPeople))(
    '%s returns 401 unless a user is signed in, and 403 for lower roles and outside the live environment',
    async (_name, field) => {
      const { people, shop } = home;
      const made = await madeFor(field);
      const isForMembers = 'member' in field.access;
      const isForAdmins = leastRole(field) !== 'owner';
      await expectRejections(field, made, [
        [
          'unauthorized',
          401,
          {
            nobody: {},
            'a key': { 'x-api-key': shop.key },
            ...(isForMembers ? { 'a person of no organization': people.outsider.headers } : {}),
          },
        ],
        [
          'forbidden',
          403,
          {
            ...lesser(field, 'live', people),
            ...(isOnlyIn(field, 'live') ? { 'the owner in the sandbox': people.owner.headers } : {}),
          },
        ],
        [
          'reauthentication_required',
          403,
          needsProof(field) && isForAdmins
            ? { 'an admin who signed in an hour ago': asIn('live', people.stale) }
            : {},
        ],
      ]);
    },
  );

  const forPages = rootFields.filter(({ access }) => 'page' in access);

  test.each(named(forPages))(
    "%s returns 401 without a token and with another page's token",
    async (name, field) => {
      const made = await madeFor(field);
      const changes = await watchChanges(t.app.database.query);
      const otherPage = name.startsWith('portal') ? home.pageToken : home.portalToken;
      for (const [caller, token] of Object.entries({
        'no token': 'none',
        'the token of another page': otherPage,
      }))
        expectEmitted(await emitAll(t, field, withToken(made, token), { [caller]: {} }), 'unauthorized', 401);
      expect(await changes()).toEqual([]);
    },
  );
});

test('the only public operations are for provisioning, countries, currencies, tax ID checks, claim links, invitations, command line sign-in, and portal sign-in', () => {
  const open = rootFields.filter(({ access }) => 'anonymous' in access).map(({ name }) => name);
  expect(open.sort()).toEqual([
    'claimLink',
    'countries',
    'currencies',
    'deviceLoginComplete',
    'deviceLoginStart',
    'memberInvitation',
    'organizationProvision',
    'portalLogin',
    'portalSessionRequest',
    'taxDocumentCheck',
  ]);
});

// The calls above have created the objects of all operations except invitations.
test('ID prefixes are unique per type, and match the glossary (GLO-1)', async () => {
  const invite = 'mutation { memberInvite(input: { email: "ada@people.test", role: member }) { id } }';
  await t.graphql(invite, {}, { key: null, headers: asIn('live', home.people.admin) });
  const found = await storedPrefixes(t.app.database.query);
  expect(sharedPrefixes(found)).toEqual({});
  const documented = Object.keys(documentedPrefixes).map((table) => [table, found.get(table)?.join()]);
  expect(Object.fromEntries(documented)).toEqual(documentedPrefixes);
  expect(found.get('Credential')).toEqual(['lgn']);
});
