import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { MrrMovementKind as Kind } from '../../domain/metrics/movements.ts';
import type { DayRange } from '../../domain/metrics/range.ts';
import type { MrrReason as Reason } from '../../domain/subscription/state/recurring-rows.ts';
import type { Page } from '../../graphql/connections.ts';
import type { NamedOrder } from '../../graphql/cursors.ts';
import { filteredRows } from '../../graphql/lists.ts';
import { type PageArguments, readPage } from '../../graphql/pages.ts';
import { type Condition, compares } from '../../platform/db/row-lists.ts';
import type { Row } from '../../platform/db/rows.ts';
import { Currency } from '../currencies/enums.ts';
import { MrrMovementKind, MrrReason } from './enums.ts';

/** Which changes are listed. */
type ChangesInput = DayRange &
  PageArguments & {
    readonly kind?: Kind | null | undefined;
    readonly reason?: Reason | null | undefined;
    readonly planId?: string | null | undefined;
    readonly customerId?: string | null | undefined;
  };

/** A day of a customer with several currencies has one seq. */
const latestDayFirst: NamedOrder = {
  name: 'day',
  keys: [{ column: 'day' }, { column: 'seq' }, { column: 'currency' }],
  direction: 'desc',
};

/** The changes that are exported. */
export const changeRows = filteredRows('MrrCustomerDay', {
  name: 'MrrChange',
  of: 'changes of recurring revenue',
  filter: (f) => ({
    day: f.days('day', 'The days they belong to.'),
    kinds: f.oneOf('kind', MrrMovementKind, 'What they did.'),
    reasons: f.oneOf('reason', MrrReason, 'Why.'),
    planIds: f.anyOf(
      'planIds',
      'ID',
      'Plans that a subscription of theirs changed to or from, or on which it changed.',
    ),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of their customers.'),
    currencies: f.oneOf('currency', Currency, 'Their currencies.'),
  }),
  defaultOrder: latestDayFirst,
});

/** Changes of customers' days, the latest first. Throws `validation_error` for a reversed range. */
export async function listChanges(
  ctx: Context,
  { from, to, kind, reason, planId, customerId, ...page }: ChangesInput,
  info: GraphQLResolveInfo,
): Promise<Page<Row<'MrrCustomerDay'>>> {
  if (from > to) throw specificError('validation_error', 'range_reversed', { param: 'from' });
  const ofPlan: Condition = (bind) => `${bind(planId)}::text = ANY(t."planIds")`;
  const conditions = [
    compares('MrrCustomerDay', 'day', '>=', from),
    compares('MrrCustomerDay', 'day', '<=', to),
    ...(planId ? [ofPlan] : []),
  ];
  const filter = {
    kind: kind ?? undefined,
    reason: reason ?? undefined,
    customerId: customerId ?? undefined,
  };
  return readPage(ctx, { model: 'MrrCustomerDay', filter, conditions, order: latestDayFirst }, page, {
    info,
  });
}
