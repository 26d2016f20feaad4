import type { GraphQLResolveInfo } from 'graphql';
import { specificError } from '../../../domain/errors/errors.ts';
import type { MrrMovementKind as Kind } from '../../../domain/metrics/movements.ts';
import type { DayRange } from '../../../domain/metrics/range.ts';
import type { MrrReason as Reason } from '../../../domain/rows/recurring-rows.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import { filteredRows } from '../../../graphql/reading/lists.ts';
import { type PageArguments, readPage } from '../../../graphql/reading/pages.ts';
import { type Condition, compares } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { MrrMovementKind, MrrReason } from './enums.ts';

/** Filter for a list of MRR changes. */
type ChangesInput = DayRange &
  PageArguments & {
    readonly kind?: Kind | null | undefined;
    readonly reason?: Reason | null | undefined;
    readonly planId?: string | null | undefined;
    readonly customerId?: string | null | undefined;
  };

/** The sort keys include the currency, because a customer's changes on the same day in several currencies share one `seq`. */
const latestDayFirst: NamedOrder = {
  name: 'day',
  keys: [{ column: 'day' }, { column: 'seq' }, { column: 'currency' }],
  direction: 'desc',
};

/** List of MRR changes with its filters, for exports. */
export const changeRows = filteredRows('MrrCustomerDay', {
  name: 'MrrChange',
  of: 'changes in recurring revenue',
  filter: (f) => ({
    day: f.days('day', 'Day on which the recurring revenue changed.'),
    kinds: f.oneOf('kind', MrrMovementKind, 'Types of changes to include.'),
    reasons: f.oneOf('reason', MrrReason, 'Reasons for the changes to include.'),
    planIds: f.anyOf(
      'planIds',
      'ID',
      'IDs of the plans to include. Matches changes caused by a subscription that has one of the plans before or after the change.',
    ),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.'),
    currencies: f.oneOf('currency', Currency, 'Currencies to include.'),
  }),
  defaultOrder: latestDayFirst,
});

/** Lists changes in customers' recurring revenue by day, latest first. Throws `validation_error` if the range is reversed. */
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
