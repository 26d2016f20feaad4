import { lockPayoutAccount, moveFunds } from '../../src/engine/merchant.ts';
import { type Context, systemContext } from '../../src/request/context.ts';
import { inTransaction, nextSeq } from '../../src/request/transaction.ts';
import { type Shop, shopOf } from './factories.ts';
import { newTenant, type TestApp } from './harness.ts';

// Creates organizations that can request payouts.

/** True if the operation is available only in the live environment. */
export const isLiveOnly = (name: string): boolean =>
  ['POST /payouts', 'POST /payouts/bank-accounts', 'POST /claim-link'].includes(name);

/** Returns the live environment of a new organization. */
export async function liveShop(t: TestApp): Promise<Shop> {
  const { liveKey, liveId } = await newTenant(t.app, 'Live');
  return shopOf(t, liveKey, liveId);
}

/** Columns of a bank account, except the encrypted numbers and the status. */
export const bankAccount = {
  holderName: 'Shop',
  last4: '6789',
  bankName: null,
  country: 'US',
  currency: 'usd',
  accountType: null,
} as const;

/** Verifies the organization as an operator would, adds a bank account, and credits an amount in US cents as charges would. */
export async function openPayouts(place: Shop | Context, availableMinor = 500_000n): Promise<void> {
  const ctx = 't' in place ? await systemContext(place.t.app, place.environmentId) : place;
  const environmentId = ctx.environment.id;
  await inTransaction(ctx, async (tx) => {
    const { id } = await lockPayoutAccount(tx);
    await tx.sql(
      `UPDATE "PayoutAccount" SET status = 'verified', country = 'US' WHERE "environmentId" = $1 AND id = $2`,
      [id],
    );
    await moveFunds(tx, 'funds.captured', availableMinor, tx.clock.now());
    await moveFunds(tx, 'funds.released', availableMinor, tx.clock.now());
    if ((await tx.db.payoutBankAccount.count({ where: {} })) > 0) return;
    const sealed = {
      sealedNumber: tx.app.secrets.encrypt('123456789'),
      sealedRoutingNumber: null,
      providerExternalAccountId: null,
    };
    const data = {
      id: `pba_${environmentId}`,
      seq: await nextSeq(tx),
      ...bankAccount,
      isDefault: true,
      ...sealed,
      status: 'active',
      createdAt: tx.clock.now(),
    } as const;
    await tx.db.payoutBankAccount.create({ data });
  });
}

/** Creates a payout of 15.00 in a sandbox. Returns its ID. */
export async function createPayout(shop: Shop): Promise<string> {
  await openPayouts(shop);
  const { payoutSimulate } = await shop.t.graphql<{ payoutSimulate: { id: string } }>(
    'mutation { payoutSimulate(input: { amount: 1500 }) { id } }',
    {},
    { key: shop.key },
  );
  return payoutSimulate.id;
}

/** Returns the input for verifying an organization. */
export const verificationInput = () => {
  const address = {
    line1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    postalCode: '62701',
    country: 'US',
  };
  return {
    country: 'US',
    business: {
      legalName: 'Acme Inc.',
      type: 'company',
      taxId: '12-3456789',
      website: 'https://acme.test',
      address,
    },
    person: {
      firstName: 'Ada',
      lastName: 'Moss',
      birthDate: '1990-02-28',
      email: 'ada@acme.test',
      nationalId: '078-05-1120',
      address,
    },
    document: { kind: 'passport', number: 'X12345678', country: 'US', expiresOn: '2099-12-31' },
    bankAccount: {
      accountNumber: '000123456789',
      accountHolderName: 'Acme Inc.',
      routingNumber: '110000000',
      accountType: 'checking',
    },
  };
};
