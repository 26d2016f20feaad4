import { specificError } from '../../../domain/errors/errors.ts';
import { bankAccountCreated } from '../../../domain/events/settings-events.ts';
import { clearDefaultAccount, makeDefaultAccount } from '../../../engine/effects/payout-store.ts';
import { lockPayoutAccount } from '../../../engine/merchant.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import { currencyOfCountry } from '../../../platform/countries.ts';
import { insertRows } from '../../../platform/db/bulk.ts';
import { newId } from '../../../platform/ids.ts';
import type { BankDestination } from '../../../providers/payout-provider.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import {
  type BankAccountRow,
  defaultBankAccount,
  demandLive,
  findAccountsEndingIn,
  payoutCurrency,
} from './store.ts';

export type BankAccountInput = {
  readonly accountNumber: string;
  readonly accountHolderName: string;
  readonly routingNumber?: string | null | undefined;
  readonly accountType?: 'checking' | 'savings' | null | undefined;
};

export type AddBankAccountInput = BankAccountInput & { readonly setDefault?: boolean | null | undefined };

/**
 * Registers a bank account for payouts (PAY-39). The account becomes the default if it's the first account, if
 * `setDefault` is `true`, or if the current default is no longer usable. Country and currency are copied from the
 * payout account. Numbers are encrypted; only the last four digits are returned. Throws
 * `payouts_not_available_in_sandbox`, and `forbidden` if the organization has no payout account.
 */
export async function addBankAccount(ctx: Context, input: AddBankAccountInput): Promise<BankAccountRow> {
  demandLive(ctx);
  return inTransaction(ctx, async (tx) => {
    const { status, country } = await lockPayoutAccount(tx);
    if (status === 'none' || country === null) throw specificError('forbidden', 'payout_account_missing');
    const isDefault = input.setDefault === true || (await defaultBankAccount(tx))?.status !== 'active';
    return register(tx, country, input, isDefault);
  });
}

/**
 * Makes the bank account entered for a verification the default and returns its ID. Reuses a registered account with the same number and
 * holder.
 */
export async function bankAccountToVerify(
  tx: Context,
  country: string,
  input: BankAccountInput,
): Promise<string> {
  const number = digitsOf(input.accountNumber);
  const { decrypt } = tx.app.secrets;
  const alike = await findAccountsEndingIn(tx, number.slice(-4));
  const known = alike.find(
    (account) => account.holderName === input.accountHolderName && decrypt(account.sealedNumber) === number,
  );
  if (known === undefined) return (await register(tx, country, input, true)).id;
  await clearDefaultAccount(tx.sql);
  await makeDefaultAccount(tx.sql, known.id);
  return known.id;
}

async function register(
  tx: Context,
  country: string,
  input: BankAccountInput,
  isDefault: boolean,
): Promise<BankAccountRow> {
  const { encrypt } = tx.app.secrets;
  const number = digitsOf(input.accountNumber);
  if (isDefault) await clearDefaultAccount(tx.sql);
  const account = {
    id: newId('pba'),
    seq: await nextSeq(tx),
    holderName: input.accountHolderName,
    sealedNumber: encrypt(number),
    sealedRoutingNumber: input.routingNumber == null ? null : encrypt(input.routingNumber),
    last4: number.slice(-4),
    bankName: null,
    country,
    currency: currencyOfCountry.get(country) ?? payoutCurrency,
    accountType: input.accountType ?? null,
    isDefault,
    status: 'active',
    providerExternalAccountId: null,
    createdAt: tx.clock.now(),
  } as const;
  await insertRows(tx.sql, 'PayoutBankAccount', [account]);
  await recordEvents(tx, [bankAccountCreated(account, account.createdAt)]);
  return { environmentId: tx.environment.id, ...account };
}

/** Returns a bank account in the payout provider's format, with decrypted numbers. */
export async function destinationOf(ctx: Context, id: string): Promise<BankDestination> {
  const { holderName, sealedNumber, sealedRoutingNumber, country, currency, accountType } =
    await loadExistingRow(ctx, 'PayoutBankAccount', id);
  const { decrypt } = ctx.app.secrets;
  return {
    id,
    holderName,
    number: decrypt(sealedNumber),
    routingNumber: sealedRoutingNumber === null ? null : decrypt(sealedRoutingNumber),
    country,
    currency,
    accountType,
  };
}

/** Removes spaces and hyphens from an account number. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');
