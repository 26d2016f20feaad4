import type { Context } from '../../context.ts';
import { type FieldProblem, validationError } from '../../domain/errors.ts';
import { dayProblems } from '../../domain/verification.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import { type AccountRow, submitAccount } from '../../engine/payout-store.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type BankAccountInput, bankAccountToVerify } from '../bank-accounts/add.ts';
import { demandLive } from '../bank-accounts/store.ts';
import { requestOfPlatformProcessor } from '../provider-requests/request.ts';
import type { Submitted, VerificationState } from './store.ts';

type Texts = Readonly<Record<string, unknown>>;

/** What is stored sealed until the provider has decided. */
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

/** What an organization submits to be paid. */
export type SubmitVerificationInput = SealedDetails & {
  readonly country: string;
  readonly bankAccount: BankAccountInput;
};

/** Why nothing can be submitted to an account, or not for a country; empty when it can. */
function accountProblems({ status, country: locked }: AccountRow, country: string): FieldProblem[] {
  if (status === 'pending' || status === 'verified')
    return [{ field: 'country', message: 'The verification has been submitted.' }];
  return locked === null || locked === country
    ? []
    : [{ field: 'country', message: `The country is locked; it is ${locked}.` }];
}

/**
 * Submits the organization to be verified by the provider, which is asked after the commit (PAY-38). The country is locked from then on. The bank account
 * becomes the default. What is sensitive is stored sealed, and gone once the provider has decided. Throws `payouts_not_available_in_sandbox`, and
 * `validation_error` for days that cannot be, while it is being looked at and once it is approved, and for another country than before.
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
