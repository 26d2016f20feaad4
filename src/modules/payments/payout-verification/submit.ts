import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import { dayProblems } from '../../../domain/payments/verification.ts';
import { type AccountRow, submitAccount } from '../../../engine/effects/payout-store.ts';
import { lockPayoutAccount } from '../../../engine/merchant.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { requestOfPlatformProcessor } from '../../organization/provider-requests/request.ts';
import { type BankAccountInput, bankAccountToVerify } from '../bank-accounts/add.ts';
import { demandLive } from '../bank-accounts/store.ts';
import type { Submitted, VerificationState } from './store.ts';

type Texts = Readonly<Record<string, unknown>>;

/** Submitted details that are stored encrypted until the provider decides. */
export type SealedDetails = {
  readonly business: Texts & { readonly legalName: string; readonly type: Submitted['businessType'] };
  readonly person: Texts & {
    readonly firstName: string;
    readonly lastName: string;
    readonly birthDate: string;
  };
  readonly document: Texts & {
    readonly kind: Submitted['documentKind'];
    readonly number: string;
    readonly expiresOn: string;
  };
};

/** Details that an organization submits to receive payouts. */
export type SubmitVerificationInput = SealedDetails & {
  readonly country: string;
  readonly bankAccount: BankAccountInput;
};

/** Returns the reasons why details can't be submitted for a payout account and country. Empty if the details can be submitted. */
function accountProblems({ status, country: locked }: AccountRow, country: string): FieldProblem[] {
  if (status === 'pending' || status === 'verified')
    return [
      {
        field: 'country',
        message:
          "The details were already submitted. Details in review or verified details can't be submitted again.",
      },
    ];
  return locked === null || locked === country
    ? []
    : [
        {
          field: 'country',
          message: `The country can't be changed from ${locked}. Submit the details with ${locked} as the country.`,
        },
      ];
}

/**
 * Submits the organization's details to the payout provider, which is called after the commit (PAY-38). The country can't be changed after
 * the submission. The bank account becomes the default. Sensitive details are stored encrypted and deleted after the provider's decision.
 * Throws `payouts_not_available_in_sandbox`, and `validation_error` if a date is invalid, earlier details are in review or approved, or the
 * country differs from the previous country.
 */
export async function submitVerification(
  ctx: Context,
  input: SubmitVerificationInput,
): Promise<VerificationState> {
  demandLive(ctx);
  const { country, business, person, document, bankAccount } = input;
  const problems = dayProblems(person.birthDate, document.expiresOn, ctx.wall.now());
  if (problems.length > 0) throw validationError(problems);
  return inTransaction(ctx, async (tx) => {
    const account = await lockPayoutAccount(tx);
    const rejected = accountProblems(account, country);
    if (rejected.length > 0) throw validationError(rejected);
    const now = tx.clock.now();
    await submitAccount(tx.sql, account.id, country, now);
    const details: SealedDetails = { business, person, document };
    const last = await tx.db.payoutVerification.create({
      data: {
        id: newId('pver'),
        seq: await nextSeq(tx),
        status: 'pending',
        country,
        businessName: business.legalName,
        businessType: business.type,
        personName: `${person.firstName} ${person.lastName}`,
        documentKind: document.kind,
        documentLast4: document.number.slice(-4),
        bankAccountId: await bankAccountToVerify(tx, country, bankAccount),
        sealedDetails: tx.app.secrets.encrypt(JSON.stringify(details)),
        reasons: [],
        createdAt: now,
        decidedAt: null,
      },
    });
    await requestOfPlatformProcessor(tx, 'verification', last.id);
    return { status: 'pending', country, last };
  });
}
