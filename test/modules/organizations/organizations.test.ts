import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/harness.ts';

// The settings of an organization, through GraphQL, as dashboards change them.

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
  'name country businessType issuerName issuerAddress issuerTaxId accentColor customerEmails notificationEmail language pinnedVersion object livemode';

type Settings = Record<string, unknown>;

const read = async (as = key): Promise<Settings> =>
  (await t.graphql<{ organization: Settings }>(`{ organization { ${fields} updatedAt } }`, {}, { key: as }))
    .organization;

const operation = `mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { ${fields} updatedAt } }`;

const update = async (input: Settings): Promise<Settings> =>
  (await t.graphql<{ organizationUpdate: Settings }>(operation, { input }, { key })).organizationUpdate;

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
};

test('a new organization writes English emails to its customers and has no issuer of its own', async () => {
  expect(await read()).toMatchObject(untouched);
});

describe('a change', () => {
  test('sets every setting immediately, for the live environment too', async () => {
    const changed = { ...all, accentColor: '#0a7f5c', object: 'organization', livemode: false };
    expect(await update(all)).toMatchObject(changed);
    expect(await read()).toMatchObject(changed);
    expect(await read(liveKey)).toMatchObject({ ...changed, livemode: true });
  });

  test('leaves what it does not name, and null takes away', async () => {
    await update(all);
    expect(await update({ issuerTaxId: null, notificationEmail: null, language: 'en' })).toMatchObject({
      ...all,
      accentColor: '#0a7f5c',
      issuerTaxId: null,
      notificationEmail: null,
      language: 'en',
    });
  });

  test('that says nothing new leaves the time of the last change', async () => {
    const { updatedAt } = await update(all);
    expect((await update(all))['updatedAt']).toBe(updatedAt);
    expect((await update({}))['updatedAt']).toBe(updatedAt);
  });

  test('of one setting keeps the change of another made at the same moment', async () => {
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
  ];

  test.each(rejected)('with an unacceptable %s changes nothing: %j', async (param, input) => {
    const { errors } = await t.graphqlFailure(
      operation,
      { input: { ...input, issuerTaxId: 'kept out' } },
      { key },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param, status: 400 });
    expect(await read()).toMatchObject(untouched);
  });

  test('of one organization is not seen by another', async () => {
    await update(all);
    const { sandboxKey } = await t.otherTenant();
    expect(await read(sandboxKey)).toMatchObject(untouched);
  });
});
