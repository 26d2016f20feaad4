import type { Language } from '../../../domain/text/language.ts';
import { type Issue, throwIssues } from '../../../graphql/declare/rules.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import {
  type CustomerRow,
  requireCustomer,
  requireCustomerByEmail,
} from '../../customers/customers/store.ts';

/** Parameters for opening a portal session: either the customer's ID (or external ID) or email address, the return URL, and the language. */
export type NewSessionInput = {
  readonly customerId?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly returnUrl?: string | null | undefined;
  readonly locale?: Language | null | undefined;
};

export type PortalAccess = { readonly portalUrl: string };

function choiceIssues({ customerId, email }: NewSessionInput): Issue[] {
  if (customerId && email) return [{ field: 'email', message: "can't be combined with customerId" }];
  return customerId || email ? [] : [{ field: 'customerId', message: 'is required unless email is given' }];
}

/** Opens a session for the customer that `find` returns, and returns the session's ID. */
export async function openSession(
  ctx: Context,
  find: (tx: Context) => Promise<Pick<CustomerRow, 'id'>>,
  { returnUrl, locale }: { readonly returnUrl: string | null; readonly locale: Language | null },
): Promise<string> {
  const id = newId('pts');
  // Sessions don't depend on the environment's time, so the test clock isn't locked.
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

/** Returns the portal URL of a session. */
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
 * Opens a portal session for a customer and returns its URL (PLT-30). Every call opens a new session. Doesn't email the customer. Throws
 * `customer_not_found`, and `validation_error` unless exactly one of customer and email address is provided.
 */
export async function createSession(ctx: Context, input: NewSessionInput): Promise<PortalAccess> {
  throwIssues(choiceIssues(input));
  const { customerId, email, returnUrl = null, locale = null } = input;
  const find = (tx: Context) =>
    email ? requireCustomerByEmail(tx, email) : requireCustomer(tx, customerId ?? '', 'customerId');
  return { portalUrl: await portalUrlOf(ctx, await openSession(ctx, find, { returnUrl, locale })) };
}
