import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Organization settings over GraphQL, as the dashboard changes them.

let t: TestApp;
let key: string;
let liveKey: string;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  ({ sandboxKey: key, liveKey } = await t.otherTenant());
});

const fields =
  'name country businessType issuerName issuerAddress issuerTaxId accentColor customerEmails notificationEmail language pinnedVersion retryDays lastRetryAction object livemode';

type Settings = Record<string, unknown>;

const read = async (as = key): Promise<Settings> =>
  (await t.graphql<{ organization: Settings }>(`{ organization { ${fields} updatedAt } }`, {}, { key: as }))
    .organization;

const operation = `mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { ${fields} updatedAt } }`;

const update = async (input: Settings): Promise<Settings> =>
  (await t.graphql<{ organizationUpdate: Settings }>(operation, { input }, { key: liveKey }))
    .organizationUpdate;

const untouched = {
  name: 'Another organization',
  country: null,
  businessType: null,
  issuerName: null,
  issuerAddress: null,
  issuerTaxId: null,
  accentColor: null,
  customerEmails: true,
  notificationEmail: null,
  language: 'en',
  pinnedVersion: null,
  retryDays: [1, 3, 5, 7],
  lastRetryAction: 'cancel',
  object: 'organization',
  livemode: false,
};

const all = {
  name: 'Ada & Söhne 🧮',
  country: 'DE',
  businessType: 'software',
  issuerName: 'Ada & Söhne GmbH',
  issuerAddress: 'Hauptstraße 1\n10115 Berlin',
  issuerTaxId: 'DE123456789',
  accentColor: '#0A7F5C',
  customerEmails: false,
  notificationEmail: 'ops@ada.test',
  language: 'es',
  pinnedVersion: '2026-08-27',
  retryDays: [1, 2, 60],
  lastRetryAction: 'keep_past_due',
};

test('a new organization has English customer emails and no issuer details', async () => {
  expect(await read()).toMatchObject(untouched);
});

describe('organizationUpdate', () => {
  test('updates every setting immediately, in both environments', async () => {
    const changed = { ...all, accentColor: '#0a7f5c', object: 'organization', livemode: true };
    expect(await update(all)).toMatchObject(changed);
    expect(await read(liveKey)).toMatchObject(changed);
    expect(await read()).toMatchObject({ ...changed, livemode: false });
  });

  test('keeps omitted settings, and clears settings that are set to null', async () => {
    await update(all);
    expect(await update({ issuerTaxId: null, notificationEmail: null, language: 'en' })).toMatchObject({
      ...all,
      accentColor: '#0a7f5c',
      issuerTaxId: null,
      notificationEmail: null,
      language: 'en',
    });
  });

  test('keeps updatedAt if nothing changes', async () => {
    const { updatedAt } = await update(all);
    expect((await update(all))['updatedAt']).toBe(updatedAt);
    expect((await update({}))['updatedAt']).toBe(updatedAt);
  });

  test('preserves a concurrent change to another setting', async () => {
    await Promise.all([
      update({ issuerName: 'One' }),
      update({ issuerTaxId: 'Two' }),
      update({ country: 'FR' }),
    ]);
    expect(await read()).toMatchObject({
      ...untouched,
      issuerName: 'One',
      issuerTaxId: 'Two',
      country: 'FR',
    });
  });

  const rejected: readonly (readonly [string, Settings])[] = [
    ['name', { name: '' }],
    ['name', { name: 'n'.repeat(201) }],
    ['country', { country: 'de' }],
    ['issuerName', { issuerName: '' }],
    ['issuerAddress', { issuerAddress: 'a'.repeat(1_001) }],
    ['accentColor', { accentColor: 'green' }],
    ['accentColor', { accentColor: '#12345' }],
    ['notificationEmail', { notificationEmail: 'nobody' }],
    ['pinnedVersion', { pinnedVersion: 'latest' }],
    ['retryDays', { retryDays: [] }],
    ['retryDays', { retryDays: [1, 2, 3, 4, 5, 6, 7, 8, 9] }],
    ['retryDays.0', { retryDays: [0, 3] }],
    ['retryDays.1', { retryDays: [1, 61] }],
    ['retryDays.1', { retryDays: [3, 3] }],
    ['retryDays.2', { retryDays: [1, 5, 4] }],
  ];

  test.each(rejected)('rejects an invalid %s, and changes nothing: %j', async (param, input) => {
    const { errors } = await t.graphqlFailure(
      operation,
      { input: { ...input, issuerTaxId: 'kept out' } },
      { key: liveKey },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param, status: 400 });
    expect(await read()).toMatchObject(untouched);
  });

  test.each(Object.entries(all))(
    'rejects %s with a sandbox key and changes nothing (PLT-4a)',
    async (name, value) => {
      const { errors } = await t.graphqlFailure(operation, { input: { [name]: value } }, { key });
      expect(errors[0]?.extensions).toMatchObject({ code: 'forbidden', status: 403 });
      expect(errors[0]?.message).toBe(
        "Sandbox keys can't change settings that live customers see. Use a live key, or sign in as an admin.",
      );
      expect(await read(liveKey)).toMatchObject({ ...untouched, livemode: true });
    },
  );

  test("doesn't affect another organization", async () => {
    await update(all);
    const { sandboxKey } = await t.otherTenant();
    expect(await read(sandboxKey)).toMatchObject(untouched);
  });
});
