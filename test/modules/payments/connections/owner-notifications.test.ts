import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { shopOf } from '../../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { openPayouts } from '../../../support/payouts.ts';
import { memberOf } from '../../../support/people.ts';
import { openStripe, type StripeServer } from '../../../support/stripe.ts';

// Changes to payment settings send an event. In the live environment, they also email the owner (PLT-52, PLT-53).

let mail: MailServer;
let stripe: StripeServer;
let t: TestApp;
beforeAll(async () => {
  [mail, stripe] = await Promise.all([startMailServer(), openStripe()]);
  t = await startApp({
    env: { SMTP_URL: mail.url, STRIPE_URL: stripe.url, PUBLIC_URL: 'https://bill.test' },
  });
});
afterAll(async () => {
  await t.close();
  await Promise.all([mail.close(), stripe.close()]);
});

const create =
  'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }';
const update =
  'mutation ($input: ConnectedAccountUpdateInput!) { connectedAccountUpdate(input: $input) { id } }';
const route = 'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country } }';

/** Returns the types and data of an environment's events, in order. */
const eventsOf = (environmentId: string) =>
  t.app.database.query<{ kind: string; data: Record<string, unknown>; actorId: string | null }>(
    'SELECT kind, data, "actorId" FROM "Event" WHERE "environmentId" = $1 ORDER BY position',
    [environmentId],
  );

test('a change to payment settings emits an event and, in the live environment, emails the owner without secrets (PLT-52, PLT-53)', async () => {
  const tenant = await newTenant(t.app, 'Quarry');
  const owner = await memberOf(t, tenant.organizationId, 'owner');
  const admin = await memberOf(t, tenant.organizationId, 'admin');
  await t.settings({ issuerAddress: '1 Main St', customerEmails: false }, tenant.liveId);
  const headers = { ...admin.headers, 'x-environment': 'live' };
  const run = <T>(text: string, input: object) => t.graphql<T>(text, { input }, { key: null, headers });
  const secrets = { secretKey: 'sk_live_1', webhookSecret: 'whsec_hidden' };
  const { connectedAccountCreate: connection } = await run<{ connectedAccountCreate: { id: string } }>(
    create,
    {
      name: 'Main',
      publishableKey: 'pk_live_1',
      isDefault: true,
      ...secrets,
    },
  );
  await run(update, { id: connection.id, name: 'Second', webhookSecret: 'whsec_hidden_too' });
  // Setting the same value again sends neither an event nor an email.
  await run(update, { id: connection.id, name: 'Second' });
  await run(route, { country: 'DE', provider: 'platform' });
  await run(route, { country: 'DE', provider: 'platform' });
  await run(route, { country: 'DE', provider: connection.id });
  await run(route, { country: 'DE', provider: null });
  const { taxRegistrationCreate: registration } = await run<{ taxRegistrationCreate: { id: string } }>(
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
    { country: 'DE' },
  );
  await run(
    'mutation ($input: TaxRegistrationDeleteInput!) { taxRegistrationDelete(input: $input) { deletedId } }',
    {
      id: registration.id,
    },
  );
  await openPayouts(shopOf(t, tenant.liveKey, tenant.liveId));
  await run('mutation ($input: PayoutBankAccountAddInput!) { payoutBankAccountAdd(input: $input) { id } }', {
    accountHolderName: 'Quarry Inc.',
    accountNumber: '000123454321',
    routingNumber: '110000000',
  });
  const { payoutCreate: payout } = await run<{ payoutCreate: { id: string } }>(
    'mutation ($input: PayoutCreateInput!) { payoutCreate(input: $input) { id } }',
    { amount: 2_000 },
  );
  await run('mutation ($input: PayoutCancelInput!) { payoutCancel(input: $input) { status } }', {
    id: payout.id,
  });

  const main = { connectionId: connection.id, provider: 'stripe', isDefault: true };
  const place = { taxRegistrationId: registration.id, country: 'DE', region: null, rateBps: null };
  const events = (await eventsOf(tenant.liveId)).filter(({ kind }) => kind !== 'payout.available');
  expect(events.map(({ kind, data, actorId }) => [kind, data, actorId])).toEqual(
    [
      ['payment_connection.created', { ...main, name: 'Main' }],
      ['payment_connection.updated', { ...main, name: 'Second', changedFields: ['name', 'webhookSecret'] }],
      ['payment_route.updated', { country: 'DE', provider: 'platform', previousProvider: null }],
      ['payment_route.updated', { country: 'DE', provider: connection.id, previousProvider: 'platform' }],
      ['payment_route.updated', { country: 'DE', provider: null, previousProvider: connection.id }],
      ['tax_registration.created', place],
      ['tax_registration.deleted', place],
      [
        'payout_bank_account.created',
        {
          bankAccountId: expect.any(String),
          last4: '4321',
          country: 'US',
          currency: 'usd',
          isDefault: false,
        },
      ],
      ['payout.created', expect.objectContaining({ payoutId: payout.id, amount: 2_000 })],
      ['payout.canceled', expect.objectContaining({ payoutId: payout.id, status: 'canceled' })],
    ].map(([kind, data]) => [kind, data, admin.memberId]),
  );
  const emails = await mail.received(events.length);
  expect(emails.map(({ to, subject }) => [to?.[0]?.address, subject])).toEqual(
    events.map(() => [owner.email, 'Payment settings of Quarry changed']),
  );
  expect(emails[0]?.text).toContain('The connected account Main was added as the default.');
  expect(emails[0]?.text).toContain('Ada');
  expect(emails[0]?.text).toContain('https://bill.test/dashboard/live/settings/payment-providers');
  const told = JSON.stringify([events, emails]);
  for (const secret of ['sk_live', 'whsec_', '000123454321', '110000000']) expect(told).not.toContain(secret);
});

test("a change to payment settings emits only an event in the sandbox, and nothing if it's rejected (PLT-52, PLT-53)", async () => {
  const tenant = await newTenant(t.app, 'Sandbox only');
  await memberOf(t, tenant.organizationId, 'owner');
  const before = mail.notifications.length;
  await t.graphql(route, { input: { country: 'FR', provider: 'platform' } }, { key: tenant.sandboxKey });
  expect((await eventsOf(tenant.sandboxId)).map(({ kind }) => kind)).toEqual(['payment_route.updated']);
  const changes = await watchChanges(t.app.database.query, tenant.liveId);
  const { errors } = await t.graphqlFailure(
    route,
    { input: { country: 'FR', provider: 'con_none' } },
    { key: tenant.liveKey },
  );
  expect(errors[0]?.extensions['code']).toBe('not_found');
  expect(await changes()).toEqual([]);
  expect(mail.notifications.length).toBe(before);
});
