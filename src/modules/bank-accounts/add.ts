import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import { clearDefaultAccount, makeDefaultAccount } from '../../engine/payout-store.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { currencyOfCountry } from '../../platform/countries.ts';
import { insertRows } from '../../platform/db/bulk.ts';
import { newId } from '../../platform/ids.ts';
import type { BankDestination } from '../../providers/payout-provider.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import {
  type BankAccountRow,
  defaultBankAccount,
  demandLive,
  findAccountsEndingIn,
  payoutCurrency,
} from './store.ts';

/** A bank account as it is typed in. */
export type BankAccountInput = {
  readonly accountNumber: string;
  readonly accountHolderName: string;
  readonly routingNumber?: string | null | undefined;
  readonly accountType?: 'checking' | 'savings' | null | undefined;
};

/** The same, and whether payouts are to go there. */
export type AddBankAccountInput = BankAccountInput & { readonly setDefault?: boolean | null | undefined };

/**
 * Registers a bank account to be paid to (PAY-39); the first one is the default, a later one when asked or when the default cannot be paid to any
 * more. Country and currency are those of the payout account; numbers are stored sealed, and only the last four digits are ever shown. Throws
 * `payouts_not_available_in_sandbox`, and `forbidden` without a payout account.
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

/** The bank account an organization is to be verified with, as the default: the registered one of this number, else a new one. Answers its id. */
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
  return { environmentId: tx.environment.id, ...account };
}

/** A bank account as it is sent to the provider, with its numbers decrypted. */
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

/** An account number without what only helps people read it. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');
