import type { Context } from '../../context.ts';
import type { Language } from '../../domain/page-language.ts';
import { type Issue, throwIssues } from '../../graphql/rules.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction } from '../../transaction.ts';
import { type CustomerRow, requireCustomer, requireCustomerByEmail } from '../customers/store.ts';

/** Whose session to open, by exactly one of our or the external id and the address, where the portal leads back to, and its language. */
export type NewSessionInput = {
  readonly customerId?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly returnUrl?: string | null | undefined;
  readonly locale?: Language | null | undefined;
};

/** What opening a session answers. */
export type PortalAccess = { readonly portalUrl: string };

function choiceIssues({ customerId, email }: NewSessionInput): Issue[] {
  if (customerId && email) return [{ field: 'email', message: 'must not be given together with customerId' }];
  return customerId || email ? [] : [{ field: 'customerId', message: 'is required unless email is given' }];
}

/** Opens a session of the customer that is found, and answers its id. */
export async function openSession(
  ctx: Context,
  find: (tx: Context) => Promise<Pick<CustomerRow, 'id'>>,
  { returnUrl, locale }: { readonly returnUrl: string | null; readonly locale: Language | null },
): Promise<string> {
  const id = newId('pts');
  // A session has no business time, so the test clock is not held up by opening one.
  await inTransaction(
    ctx,
    async (tx) => {
      const { id: customerId } = await find(tx);
      const now = tx.wall.now();
      await tx.db.portalSession.create({
        data: { id, customerId, returnUrl, locale, createdAt: now, lastUsedAt: now },
      });
    },
    { clockLock: 'none' },
  );
  return id;
}

/** The address at which a session is used. */
export async function portalUrlOf(
  { app, environment }: Pick<Context, 'app' | 'environment'>,
  sessionId: string,
): Promise<string> {
  const token = await app.secrets.signPage({
    page: 'portal',
    environmentId: environment.id,
    subjectId: sessionId,
  });
  return `${app.config.publicUrl}/portal/${token}`;
}

/**
 * Opens a portal session of a customer and answers the address it is reached at (PLT-30). Every call opens one of its own; nothing is sent.
 * Throws `validation_error` unless exactly one of customer and address is given, and `customer_not_found`.
 */
export async function createSession(ctx: Context, input: NewSessionInput): Promise<PortalAccess> {
  throwIssues(choiceIssues(input));
  const { customerId, email, returnUrl = null, locale = null } = input;
  const find = (tx: Context) =>
    email ? requireCustomerByEmail(tx, email) : requireCustomer(tx, customerId ?? '', 'customerId');
  return { portalUrl: await portalUrlOf(ctx, await openSession(ctx, find, { returnUrl, locale })) };
}
