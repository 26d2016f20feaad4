import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';
import { verificationInput } from '../../../support/payouts.ts';
import { memberOf } from '../../../support/people.ts';
import { openProcessor, type Processor } from '../../../support/processor.ts';
import { rejection } from '../../../support/refusals.ts';

// Organization verification (PAY-38). The owner submits it once in the live environment, and the payment
// provider decides.

const began = '2027-03-01T10:00:00.000Z';
const wall = new MovableClock(began);
const later = (minutes: number): string => new Date(Date.parse(began) + minutes * 60_000).toISOString();

let processor: Processor;
let t: TestApp;
let tenant: Awaited<ReturnType<typeof newTenant>>;
let owner: { readonly key: null; readonly headers: Record<string, string> };
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({
    wall,
    env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100', SIGN_INS_PER_MINUTE: '0' },
  });
});
beforeEach(async () => {
  wall.set(began);
  processor.bank.plays('accepts');
  tenant = await newTenant(t.app, 'Live');
  const { headers } = await memberOf(t, tenant.organizationId, 'owner');
  owner = { key: null, headers: { ...headers, 'x-environment': 'live' } };
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

const shown = `status country reasons { field code message } businessName businessType personName documentKind documentLast4
  bankAccount { last4 isDefault status } submittedAt decidedAt`;
const submitField = `mutation ($input: PayoutVerificationSubmitInput!) { payoutVerificationSubmit(input: $input) { ${shown} } }`;
type Shown = { status: string; reasons: unknown[] } & Record<string, unknown>;

const submit = async (input: object = verificationInput()): Promise<Shown> =>
  (await t.graphql<{ payoutVerificationSubmit: Shown }>(submitField, { input }, owner))
    .payoutVerificationSubmit;
const read = async (): Promise<Shown> =>
  (await t.graphql<{ payoutVerification: Shown }>(`{ payoutVerification { ${shown} } }`, {}, owner))
    .payoutVerification;
const rowsOf = <T>(table: string): Promise<T[]> =>
  t.app.database.query<T>(
    `SELECT t.* FROM "${table}" t WHERE t."environmentId" = $1 ORDER BY t."createdAt", t.id`,
    [tenant.liveId],
  );
const idOf = async (): Promise<string> =>
  (await rowsOf<{ id: string; status: string }>('PayoutVerification')).at(-1)?.id ?? '';

/** Sets the provider's decision on the latest submission, and makes the worker request that decision. */
async function decide(minutes: number, news: Parameters<Processor['bank']['decides']>[1]): Promise<void> {
  const id = await idOf();
  await eventually(() => processor.bank.made.has(id));
  processor.bank.decides(id, news);
  wall.set(later(minutes));
  await eventually(async () => (await read()).status === news.status);
}

const accountNumber = '000999888777';
const expired = {
  code: 'document_expired',
  message: 'The document has expired.',
  field: 'document.expiresOn',
};

describe("an organization's verification (PAY-38)", () => {
  test('sends all submitted details to the provider, and returns only masked details', async () => {
    expect(await read()).toMatchObject({
      status: 'not_started',
      country: null,
      reasons: [],
      businessName: null,
      submittedAt: null,
    });
    const answered = await submit();
    expect(answered).toEqual({
      status: 'pending',
      country: 'US',
      reasons: [],
      businessName: 'Acme Inc.',
      businessType: 'company',
      personName: 'Ada Moss',
      documentKind: 'passport',
      documentLast4: '5678',
      bankAccount: { last4: '6789', isDefault: true, status: 'active' },
      submittedAt: began,
      decidedAt: null,
    });
    expect(await read()).toEqual(answered);
    const id = await idOf();
    await eventually(() => processor.bank.made.has(id));
    const { country, business, person, document, bankAccount } = verificationInput();
    const [registered] = await rowsOf<{ id: string }>('PayoutBankAccount');
    expect(processor.bank.made.get(id)).toMatchObject({
      folder: 'verifications',
      order: {
        id,
        country,
        business,
        person,
        document,
        bankAccount: {
          id: registered?.id,
          number: bankAccount.accountNumber,
          routingNumber: bankAccount.routingNumber,
          currency: 'usd',
        },
      },
    });
    const [stored] = await t.app.database.query<{ text: string }>(
      `SELECT to_jsonb(v)::text AS text FROM "PayoutVerification" v WHERE v."environmentId" = $1`,
      [tenant.liveId],
    );
    for (const secret of ['X12345678', '078-05-1120', '12-3456789', '1990-02-28'])
      expect(stored?.text).not.toContain(secret);
  });

  test('allows payouts after approval, deletes the details, and rejects further submissions', async () => {
    await submit();
    const payout = () =>
      t.rest<{ error: { code: string } }>('POST', '/payouts', { amount: 1_000 }, { key: tenant.liveKey });
    expect((await payout()).body.error.code).toBe('forbidden');
    await decide(1, { status: 'approved' });
    expect(await read()).toMatchObject({
      status: 'approved',
      decidedAt: later(1),
      documentLast4: '5678',
      reasons: [],
    });
    expect((await payout()).body.error.code).toBe('insufficient_balance');
    expect(await rowsOf('PayoutVerification')).toMatchObject([{ status: 'approved', sealedDetails: null }]);
    const { payoutAccount } = await t.graphql(
      '{ payoutAccount { status country } }',
      {},
      { key: tenant.liveKey },
    );
    expect(payoutAccount).toEqual({ status: 'verified', country: 'US' });
    expect(await rejection(t, submitField, { input: verificationInput() }, owner)).toMatchObject({
      code: 'validation_error',
    });
  });

  test('returns the rejection reasons, and can be submitted again for the same country', async () => {
    await submit();
    await decide(1, { status: 'rejected', reasons: [expired] });
    expect(await read()).toMatchObject({ status: 'rejected', reasons: [expired], decidedAt: later(1) });
    const input = verificationInput();
    expect(await rejection(t, submitField, { input: { ...input, country: 'CA' } }, owner)).toMatchObject({
      code: 'validation_error',
    });
    // The first resubmission has the same bank account, which isn't registered again. The second has a different one.
    expect(await submit(input)).toMatchObject({ status: 'pending', reasons: [], submittedAt: later(1) });
    expect(await rowsOf('PayoutBankAccount')).toHaveLength(1);
    await decide(2, { status: 'rejected', reasons: [] });
    const moved = { ...input, bankAccount: { ...input.bankAccount, accountNumber } };
    expect(await submit(moved)).toMatchObject({ bankAccount: { last4: '8777', isDefault: true } });
    expect(await rowsOf('PayoutBankAccount')).toMatchObject([
      { last4: '6789', isDefault: false },
      { last4: '8777', isDefault: true },
    ]);
    await decide(3, { status: 'approved' });
    const statuses = (await rowsOf<{ status: string }>('PayoutVerification')).map(({ status }) => status);
    expect(statuses).toEqual(['rejected', 'rejected', 'approved']);
  });

  test("can't be submitted twice, even simultaneously", async () => {
    const answers = await Promise.allSettled([1, 2, 3].map(() => submit()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rowsOf('PayoutVerification')).toHaveLength(1);
    expect(await rowsOf('PayoutBankAccount')).toHaveLength(1);
    // After its first request, the worker waits for the next inquiry.
    await eventually(async () => (await rowsOf<{ asks: number }>('ProviderRequest'))[0]?.asks === 1);
    expect(await rejection(t, submitField, { input: verificationInput() }, owner)).toMatchObject({
      code: 'validation_error',
    });
  });

  test('is sent again with the same ID if the provider lost the request, and is decided only once', async () => {
    processor.bank.plays('loses', 'accepts');
    await submit();
    const id = await idOf();
    await eventually(async () => (await rowsOf<{ asks: number }>('ProviderRequest'))[0]?.asks === 1);
    wall.set(later(1));
    await decide(5, { status: 'approved' });
    const calls = processor.calls.filter((call) => call.endsWith(id)).map((call) => call.split(' ')[0]);
    expect(calls).toEqual(['PUT', 'GET', 'PUT', 'GET']);
  });

  test('rejects impossible dates, and reports all problems in one response', async () => {
    const { person, document, ...input } = verificationInput();
    const impossible = {
      ...input,
      person: { ...person, birthDate: '2027-02-30' },
      document: { ...document, expiresOn: '2027-02-28' },
    };
    expect(await rejection(t, submitField, { input: impossible }, owner)).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'person.birthDate' }, { field: 'document.expiresOn' }],
    });
    const malformed = { ...input, person: { ...person, birthDate: 'long ago' }, document };
    expect(await rejection(t, submitField, { input: malformed }, owner)).toMatchObject({
      code: 'validation_error',
    });
  });

  test('is available only to the owner and only in the live environment', async () => {
    const input = verificationInput();
    const sandbox = { ...owner, headers: { ...owner.headers, 'x-environment': 'sandbox' } };
    expect(await rejection(t, submitField, { input }, sandbox)).toMatchObject({
      code: 'payouts_not_available_in_sandbox',
      status: 403,
    });
    expect(await rejection(t, '{ payoutVerification { status } }', {}, sandbox)).toMatchObject({
      code: 'payouts_not_available_in_sandbox',
    });
    const { headers } = await memberOf(t, tenant.organizationId, 'admin');
    const admin = { key: null, headers: { ...headers, 'x-environment': 'live' } };
    expect(await rejection(t, submitField, { input }, admin)).toMatchObject({
      code: 'forbidden',
      status: 403,
    });
    expect(await rejection(t, submitField, { input }, { key: tenant.liveKey })).toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
  });

  test('rejects requests to the deprecated REST route', async () => {
    const retired = await t.rest<{ error: { code: string } }>(
      'POST',
      '/payouts/verification',
      {},
      { key: tenant.liveKey },
    );
    expect([retired.status, retired.body.error.code]).toEqual([410, 'endpoint_deprecated']);
  });
});
