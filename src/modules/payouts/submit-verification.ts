import type { Context } from '../../context.ts';
import { type FieldProblem, validationError } from '../../domain/errors.ts';
import { dayProblems, type RejectionReason, type VerificationStatus, verificationStatus } from '../../domain/verification.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import { newId } from '../../infra/ids.ts';
import { type AccountRow, submitAccount } from '../../infra/payout-rows.ts';
import type { Row } from '../../infra/rows.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { readPayoutAccount } from './account.ts';
import { type BankAccountInput, bankAccountToVerify } from './bank-accounts.ts';
import { requestOfRail } from './rail-requests.ts';
import { demandLive } from './service.ts';

type Submitted = Row<'PayoutVerification'>;

type Texts = Readonly<Record<string, unknown>>;

/** What is stored sealed until the rail has decided. */
export type SealedDetails = {
  readonly business: Texts & { readonly legalName: string; readonly type: Submitted['businessType'] };
  readonly person: Texts & { readonly firstName: string; readonly lastName: string; readonly birthDate: string };
  readonly document: Texts & { readonly kind: Submitted['documentKind']; readonly number: string; readonly expiresOn: string };
};

/** What an organization submits to be paid. */
export type SubmitVerificationInput = SealedDetails & { readonly country: string; readonly bankAccount: BankAccountInput };

/** How far the verification of an environment is, and what was last submitted; null before anything was. */
export type VerificationState = { readonly status: VerificationStatus; readonly country: string | null; readonly last: Submitted | null };

/** The verification of a live environment. Throws `payouts_not_available_in_sandbox`. */
export async function readVerification(context: Context): Promise<VerificationState> {
  demandLive(context);
  const { status, country } = await readPayoutAccount(context);
  const last = await context.db.payoutVerification.findFirst({ where: {}, orderBy: { seq: 'desc' } });
  return { status: verificationStatus[status], country, last };
}

/** What was wrong, as `verification-rail.ts` stores it. */
export const reasonsOf = ({ reasons }: Submitted): readonly RejectionReason[] => reasons as unknown as RejectionReason[];

/** Why nothing can be submitted to an account, or not for a country; empty when it can. */
function accountProblems({ status, country: locked }: AccountRow, country: string): FieldProblem[] {
  if (status === 'pending' || status === 'verified') return [{ field: 'country', message: 'The verification has been submitted.' }];
  return locked === null || locked === country ? [] : [{ field: 'country', message: `The country is locked; it is ${locked}.` }];
}

/**
 * Submits the organization to be verified by the rail, which is asked after the commit (PAY-38). The country is locked from then on. The bank account
 * becomes the default. What is sensitive is stored sealed, and gone once the rail has decided. Throws `payouts_not_available_in_sandbox`, and
 * `validation_error` for days that cannot be, while it is being looked at and once it is approved, and for another country than before.
 */
export async function submitVerification(context: Context, input: SubmitVerificationInput): Promise<VerificationState> {
  demandLive(context);
  const { country, business, person, document, bankAccount } = input;
  const problems = dayProblems(person.birthDate, document.expiresOn, context.wall.now());
  if (problems.length > 0) throw validationError(problems);
  return inTransaction(context, async (tx) => {
    const account = await lockPayoutAccount(tx);
    const refused = accountProblems(account, country);
    if (refused.length > 0) throw validationError(refused);
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
    await requestOfRail(tx, 'verification', last.id);
    return { status: 'pending', country, last };
  });
}
