import type { Context } from '../context.ts';
import type { PaymentRow } from '../domain/payment/rows.ts';
import type { Command } from '../domain/subscription/aggregate.ts';
import { columnList } from '../infra/bulk.ts';

/** The payment a command is about, if it is about one that exists. */
const namedBy = (command: Command): string | null =>
  command.kind === 'payment.pay' || command.kind === 'payment.authenticate' || command.kind === 'payment.cancel' ? command.paymentId : null;

/**
 * Locks and reads the one-time payments that commands name, and for those that name an attempt the payments of it and those under way. A link
 * without customer can be asked for by several at once, so its own row is locked, after the customers (protocols A2). No statement when no
 * command can need one. Answers what each customer's decision may see.
 */
export async function loadPayments(
  ctx: Context,
  addressed: readonly { readonly customerId: string; readonly command: Command }[],
  transactionIds: readonly string[],
): Promise<(customerId: string) => PaymentRow[]> {
  const named = Map.groupBy(
    addressed.flatMap(({ customerId, command }) => {
      const id = namedBy(command);
      return id === null ? [] : [{ customerId, id }];
    }),
    ({ customerId }) => customerId,
  );
  if (named.size === 0 && transactionIds.length === 0) return () => [];
  const ids = [...named.values()].flat().map(({ id }) => id);
  const customerIds = [...new Set(addressed.map(({ customerId }) => customerId))];
  const rows = await ctx.sql<PaymentRow>(
    `SELECT ${columnList('Payment', 't')} FROM "Payment" t WHERE t."environmentId" = $1 AND (t.id = ANY($2)
       OR (t."payerId" = ANY($3) AND cardinality($4::text[]) > 0 AND (t.status IN ('processing', 'requires_action')
         OR t.id IN (SELECT "paymentId" FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($4)))))
     ORDER BY t.seq FOR UPDATE`,
    [ids, customerIds, transactionIds],
  );
  return (customerId) => {
    const own = named.get(customerId) ?? [];
    return rows.filter((row) => row.payerId === customerId || own.some(({ id }) => id === row.id));
  };
}
