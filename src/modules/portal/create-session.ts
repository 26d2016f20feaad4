import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type Issue, throwIssues } from '../../graphql/rules.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction } from '../../transaction.ts';
import { type CustomerRow, requireCustomer } from '../customers/service.ts';

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

/** The customer with this address, letter by letter; the newest where several have it. Throws `customer_not_found`. */
async function requireCustomerByEmail(context: Context, email: string): Promise<CustomerRow> {
  const [customer] = await context.db.customer.findMany({
    where: { email },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
    take: 1,
  });
  if (customer === undefined) throw new QuittanceError('customer_not_found', 'No such customer.', { param: 'email' });
  return customer;
}

/**
 * Opens a portal session of a customer and answers the address it is reached at (PLT-30). Every call opens one of its own; nothing is sent.
 * Throws `validation_error` unless exactly one of customer and address is given, and `customer_not_found`.
 */
export async function createSession(context: Context, input: NewSessionInput): Promise<PortalAccess> {
  throwIssues(choiceIssues(input));
  const { customerId, email, returnUrl = null } = input;
  const id = newId('pts');
  // A session has no business time, so the test clock is not held up by opening one.
  await inTransaction(
    context,
    async (inner) => {
      const customer = email ? await requireCustomerByEmail(inner, email) : await requireCustomer(inner, customerId ?? '', 'customerId');
      const now = inner.wall.now();
      await inner.db.portalSession.create({ data: { id, customerId: customer.id, returnUrl, createdAt: now, lastUsedAt: now } });
    },
    { clockLock: 'none' },
  );
  const { secrets, config } = context.app;
  const token = await secrets.signPage({ page: 'portal', environmentId: context.environment.id, subjectId: id });
  return { portalUrl: `${config.publicUrl}/portal/${token}` };
}
