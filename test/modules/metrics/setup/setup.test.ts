import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActiveSubscription, firstShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Answer = {
  readonly setup: {
    readonly isReady: boolean;
    readonly steps: readonly { readonly key: string; readonly state: string; readonly required: boolean }[];
    readonly testedInSandbox: readonly { readonly key: string; readonly at: string | null }[];
  };
};

const text = '{ setup { isReady steps { key state required } testedInSandbox { key at } } }';

const read = async (key: string): Promise<Answer['setup']> =>
  (await t.graphql<Answer>(text, {}, { key })).setup;

const statesOf = ({ steps }: Answer['setup']) =>
  Object.fromEntries(steps.map(({ key, state }) => [key, state]));

test('the steps of a new organization are open, and three of them are required', async () => {
  const { liveKey } = await t.otherTenant();
  const setup = await read(liveKey);
  expect(setup.isReady).toBe(false);
  expect(setup.steps.filter(({ required }) => required).map(({ key }) => key)).toEqual([
    'payment_provider',
    'business_details',
    'api_key',
  ]);
  // The request itself uses the API key.
  expect(statesOf(setup)).toEqual({
    payment_provider: 'open',
    business_details: 'open',
    taxes: 'open',
    branding: 'open',
    emails: 'open',
    api_key: expect.stringMatching(/^(in_progress|done)$/),
    webhook: 'open',
    first_payment: 'open',
  });
  expect(setup.testedInSandbox.map(({ at }) => at)).toEqual([null, null, null, null, null]);
});

test('steps follow the settings, and tests of the sandbox are visible in the live environment', async () => {
  const { liveKey, sandboxKey } = await t.otherTenant();
  const update = (input: object) =>
    t.graphql(
      'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
      { input },
      { key: liveKey },
    );
  await update({ country: 'IE', accentColor: '#7c3aed' });
  expect(statesOf(await read(liveKey))).toMatchObject({
    business_details: 'in_progress',
    branding: 'in_progress',
  });
  await update({ issuerAddress: '1 Quay Street, Dublin' });
  expect(statesOf(await read(liveKey))).toMatchObject({ business_details: 'done' });
  expect((await read(sandboxKey)).testedInSandbox[0]).toEqual({ key: 'payment', at: null });
  const shop = firstShop(t);
  await createActiveSubscription(shop);
  // A payment in another organization's sandbox isn't a test of this organization.
  expect((await read(liveKey)).testedInSandbox[0]).toEqual({ key: 'payment', at: null });
  const own = await read(t.liveKey);
  expect(own.testedInSandbox[0]).toEqual({ key: 'payment', at: expect.stringMatching(/^20/) });
  expect(statesOf(own)['first_payment']).toBe('open');
});
