import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { enter, memberOf, type Session } from '../../../support/people.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
let ada: Session;
let bob: Session;
let admin: Session;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' } });
  ada = await memberOf(t, t.organizationId, 'member');
  bob = await memberOf(t, t.organizationId, 'member');
  admin = await memberOf(t, t.organizationId, 'admin');
});
afterAll(() => t.close());

type View = { id: string; name: string; settings: unknown; isShared: boolean; isOwn: boolean };
type Input = Record<string, unknown>;

const as = (session: Session, more: Record<string, string> = {}) => ({
  key: null,
  headers: { ...session.headers, ...more },
});
const saving =
  'mutation ($input: SavedViewSaveInput!) { savedViewSave(input: $input) { id name settings isShared isOwn } }';
const deleting = 'mutation ($input: SavedViewDeleteInput!) { savedViewDelete(input: $input) { deletedId } }';
const save = async (session: Session, input: Input, more = {}): Promise<View> =>
  (await t.graphql<{ savedViewSave: View }>(saving, { input }, as(session, more))).savedViewSave;
const namesFor = async (session: Session, list: string, more = {}): Promise<string[]> =>
  (
    await t.graphql<{ savedViews: View[] }>(
      'query ($list: String!) { savedViews(list: $list) { name } }',
      { list },
      as(session, more),
    )
  ).savedViews.map(({ name }) => name);
const codeOf = async (session: Session, operation: string, input: Input): Promise<string> => {
  const changes = await watchChanges(t.app.database.query);
  const { code } = await rejection(t, operation, { input }, as(session));
  expect(await changes()).toEqual([]);
  return code;
};

describe('a saved view', () => {
  test("is available to its owner in both environments, and to every member after it's shared", async () => {
    const settings = { filter: { status: ['past_due'] }, columns: ['email', 'mrr'] };
    const own = await save(ada, { list: 'customers', name: 'Late', settings }, { 'x-environment': 'live' });
    expect(own).toEqual({
      id: expect.stringMatching(/^svw_/),
      name: 'Late',
      settings,
      isShared: false,
      isOwn: true,
    });
    expect([await namesFor(ada, 'customers'), await namesFor(bob, 'customers')]).toEqual([['Late'], []]);
    expect(await namesFor(ada, 'invoices')).toEqual([]);
    const shared = await save(ada, { id: own.id, list: 'customers', name: 'Late', settings, isShared: true });
    expect([shared.id, shared.isShared]).toEqual([own.id, true]);
    const listed = await t.graphql(
      '{ savedViews(list: "customers") { id isOwn savedBy settings } }',
      {},
      as(bob, { 'x-environment': 'live' }),
    );
    expect(listed).toEqual({ savedViews: [{ id: own.id, isOwn: false, savedBy: 'Ada', settings }] });
    const other = await t.otherTenant();
    const stranger = await memberOf(t, other.organizationId, 'owner');
    expect(await namesFor(stranger, 'customers')).toEqual([]);
    expect(await codeOf(stranger, deleting, { id: own.id })).toBe('not_found');
  });

  test('can be changed only by its owner, but admins can delete shared views', async () => {
    const [shared, own] = [
      await save(ada, { list: 'plans', name: 'Shared', settings: {}, isShared: true }),
      await save(ada, { list: 'plans', name: 'Own', settings: {} }),
    ];
    const change = { id: shared.id, list: 'plans', name: 'Mine', settings: {} };
    expect(await codeOf(bob, saving, change)).toBe('not_found');
    expect(await codeOf(admin, saving, change)).toBe('not_found');
    expect(await codeOf(bob, deleting, { id: shared.id })).toBe('not_found');
    expect(await codeOf(admin, deleting, { id: own.id })).toBe('not_found');
    await t.graphql(deleting, { input: { id: shared.id } }, as(admin));
    await t.graphql(deleting, { input: { id: own.id } }, as(ada));
    expect(await namesFor(ada, 'plans')).toEqual([]);
  });

  test('has a unique name per list and owner, even if five requests are concurrent', async () => {
    const wish = { list: 'events', name: 'Same', settings: {} };
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => save(ada, wish)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await codeOf(ada, saving, wish)).toBe('duplicate');
    expect((await save(bob, wish)).name).toBe('Same');
  });

  test('has a maximum name length and size, and is available only to members', async () => {
    const large = { text: 'x'.repeat(16_384) };
    for (const input of [
      { list: 'plans', name: '', settings: {} },
      { list: 'a b', name: 'x', settings: {} },
      { list: 'plans', name: 'x', settings: large },
    ])
      expect(await codeOf(ada, saving, input)).toBe('validation_error');
    expect(await codeOf(await enter(t), saving, { list: 'plans', name: 'x', settings: {} })).toBe(
      'unauthorized',
    );
  });
});

describe('a member preference', () => {
  const setting =
    'mutation ($input: ViewerPreferencesSetInput!) { viewerPreferencesSet(input: $input) { preferences } }';
  const preferencesOf = async (session: Session) =>
    (await t.graphql<{ viewer: { preferences: unknown } }>('{ viewer { preferences } }', {}, as(session)))
      .viewer.preferences;

  test('is stored per member, up to a size of 16 KiB', async () => {
    const person = await enter(t);
    expect(await preferencesOf(person)).toEqual({});
    const preferences = { theme: 'dark', density: 'compact', shortcuts: true };
    expect(await t.graphql(setting, { input: { preferences } }, as(person))).toEqual({
      viewerPreferencesSet: { preferences },
    });
    expect([await preferencesOf(person), await preferencesOf(ada)]).toEqual([preferences, {}]);
    expect(await codeOf(person, setting, { preferences: { text: 'ä'.repeat(8_192) } })).toBe(
      'validation_error',
    );
    expect((await rejection(t, setting, { input: { preferences } }, { key: t.sandboxKey })).code).toBe(
      'unauthorized',
    );
  });
});
