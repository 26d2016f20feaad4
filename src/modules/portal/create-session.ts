import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type Issue, throwIssues } from '../../graphql/rules.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction } from '../../transaction.ts';
import { type CustomerRow, requireCustomer } from '../customers/store.ts';

/** Whose session to open, by exactly one of our or the external id and the address, and where the portal leads back to. */
export type NewSessionInput = {
  readonly customerId?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly returnUrl?: string | null | undefined;
};

/** What opening a session answers. */
export type PortalAccess = { readonly portalUrl: string };

function choiceIssues({ customerId, email }: NewSessionInput): Issue[] {
  if (customerId && email) return [{ field: 'email', message: 'must not be given together with customerId' }];
  return customerId || email ? [] : [{ field: 'customerId', message: 'is required unless email is given' }];
}

/** The customer with this address, email by email; the newest where several have it. Throws `customer_not_found`. */
async function requireCustomerByEmail(ctx: Context, email: string): Promise<CustomerRow> {
  const [customer] = await ctx.db.customer.findMany({
    where: { email },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
    take: 1,
  });
  if (customer === undefined) throw new QuittanceError('customer_not_found', { param: 'email' });
  return customer;
}

/** Opens a session of the customer that is found, and answers its id. */
export async function openSession(
  ctx: Context,
  find: (tx: Context) => Promise<Pick<CustomerRow, 'id'>>,
  returnUrl: string | null,
): Promise<string> {
  const id = newId('pts');
  // A session has no business time, so the test clock is not held up by opening one.
  await inTransaction(
    ctx,
    async (tx) => {
      const { id: customerId } = await find(tx);
      const now = tx.wall.now();
      await tx.db.portalSession.create({
        data: { id, customerId, returnUrl, createdAt: now, lastUsedAt: now },
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
  const { customerId, email, returnUrl = null } = input;
  const find = (tx: Context) =>
    email ? requireCustomerByEmail(tx, email) : requireCustomer(tx, customerId ?? '', 'customerId');
  return { portalUrl: await portalUrlOf(ctx, await openSession(ctx, find, returnUrl)) };
}
