import type { GraphQLResolveInfo } from 'graphql';
import type { DeadlineKind } from '../../../domain/rows/rows.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import { emptyPage, type PageArguments, readPage } from '../../../graphql/reading/pages.ts';
import { type Condition, compares, isAmong } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { readSubscriptionIds } from './store.ts';

/** Order in which deadlines are processed. */
const asDue: NamedOrder = {
  name: 'due_at',
  keys: [{ column: 'dueAt' }, { column: 'rank' }, { column: 'subjectSeq' }, { column: 'id' }],
  direction: 'asc',
};

export type DeadlineArguments = PageArguments & {
  readonly until?: Date | null | undefined;
  readonly customerId?: string | null | undefined;
  readonly kinds?: readonly DeadlineKind[] | null | undefined;
};

/**
 * Lists upcoming deadlines in processing order. If a customer is specified, lists the deadlines of all subscriptions of
 * the customer.
 */
export async function listDeadlines(
  ctx: Context,
  args: DeadlineArguments,
  info?: GraphQLResolveInfo,
): Promise<Page<Row<'Deadline'>>> {
  const { until, customerId, kinds } = args;
  const conditions: Condition[] = [];
  if (until) conditions.push(compares('Deadline', 'dueAt', '<=', until));
  if (kinds) conditions.push(isAmong('Deadline', { column: 'kind', values: [...kinds] }));
  if (customerId) {
    const customer = await findCustomer(ctx, customerId);
    if (customer === null) return emptyPage();
    const values = await readSubscriptionIds(ctx, customer.id);
    conditions.push(isAmong('Deadline', { column: 'subscriptionId', values }));
  }
  const among = { column: 'state', values: ['ready', 'parked', 'failed'] };
  return readPage(ctx, { model: 'Deadline', order: asDue, conditions, among }, args, { info });
}
