import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { Row } from '../../infra/rows.ts';
import { readOrganization } from '../organizations/service.ts';

export type ConnectionRow = Row<'PaymentConnection'>;

/** Where the provider of a connection sends its events. */
export const webhookUrl = ({ app, environment }: Context, id: string): string =>
  `${app.config.publicUrl}/webhooks/stripe/${environment.id}/${id}`;

/** The connection with this id. Throws `not_found`. */
export async function requireConnection(context: Context, id: string, param = 'id'): Promise<ConnectionRow> {
  const connection = await context.db.paymentConnection.findFirst({ where: { id } });
  if (connection === null) throw new QuittanceError('not_found', 'No such payment connection.', { param });
  return connection;
}

/** Invoices of money taken on an account of its own are issued by the organization. Throws `validation_error` on `param` without its address (PAY-12). */
export async function requireIssuer(context: Context, param: string): Promise<void> {
  const { issuerAddress } = await readOrganization(context);
  if (issuerAddress !== null) return;
  throw validationError([
    { field: param, message: "Invoices need the organization's address first: `organizationUpdate` with `issuerAddress`." },
  ]);
}
