import { type Context, inTransaction, nextSeq } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import { insertRows } from '../../infra/bulk.ts';
import { currencyOfCountry } from '../../infra/countries.ts';
import { newId } from '../../infra/ids.ts';
import { clearDefaultAccount } from '../../infra/payout-rows.ts';
import { type BankAccountRow, defaultBankAccount, demandLive, payoutCurrency } from './service.ts';

/** A bank account as it is typed in. */
export type AddBankAccountInput = {
  readonly accountNumber: string;
  readonly accountHolderName: string;
  readonly routingNumber?: string | null | undefined;
  readonly accountType?: 'checking' | 'savings' | null | undefined;
  readonly setDefault?: boolean | null | undefined;
};

/**
 * Registers a bank account to be paid to (PAY-39); the first one is the default, a later one when asked or
 * when the default cannot be paid to any more. Country and currency are those of
 * the payout account; numbers are stored sealed, and only the last four digits are ever shown. Throws `payouts_not_available_in_sandbox`, and
 * `forbidden` without a payout account.
 */
export async function addBankAccount(context: Context, input: AddBankAccountInput): Promise<BankAccountRow> {
  demandLive(context);
  const { encrypt } = context.app.secrets;
  return inTransaction(context, async (tx) => {
    const { status, country } = await lockPayoutAccount(tx);
    if (status === 'none' || country === null) throw new QuittanceError('forbidden', 'Bank accounts need a payout account.');
    const isDefault = input.setDefault === true || (await defaultBankAccount(tx))?.status !== 'active';
    if (isDefault) await clearDefaultAccount(tx.sql);
    const account = {
      id: newId('pba'),
      seq: await nextSeq(tx),
      holderName: input.accountHolderName,
      sealedNumber: encrypt(digitsOf(input.accountNumber)),
      sealedRoutingNumber: input.routingNumber == null ? null : encrypt(input.routingNumber),
      last4: digitsOf(input.accountNumber).slice(-4),
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
  });
}

/** An account number without what only helps people read it. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');
