import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { dayMs } from '../../domain/period.ts';
import type { Row } from '../../infra/rows.ts';
import { type Granularity, readUsageSeries, type UsageSpan } from '../../infra/usage-rows.ts';
import { requireCustomer } from '../customers/service.ts';

/** A feature that was not deleted, by its code. Throws `feature_not_found`. */
export async function requireFeature(context: Context, code: string, param = 'featureCode'): Promise<Row<'Feature'>> {
  const feature = await context.db.feature.findFirst({ where: { code, deletedAt: null } });
  if (feature === null) throw new QuittanceError('feature_not_found', 'No such feature.', { param });
  return feature;
}

/** At most this many spans in an answer. */
const maxSpans = 1_000;

const spanMs: { readonly [granularity in Granularity]: number } = { hour: dayMs / 24, day: dayMs, month: 28 * dayMs };

/** What a customer consumed of a feature, span by span. Throws `validation_error` for an empty or too long range. */
export async function usageSeries(
  context: Context,
  input: { customerId: string; featureCode: string; from: Date; to: Date; granularity: Granularity },
): Promise<UsageSpan[]> {
  const { from, to, granularity } = input;
  if (to <= from) throw validationError([{ field: 'to', message: 'to must lie after from.' }]);
  if ((to.getTime() - from.getTime()) / spanMs[granularity] > maxSpans) {
    throw validationError([{ field: 'to', message: `The range holds more than ${maxSpans} spans of this granularity.` }]);
  }
  const customer = await requireCustomer(context, input.customerId, 'customerId');
  const feature = await requireFeature(context, input.featureCode);
  return readUsageSeries(context.sql, { customerId: customer.id, featureId: feature.id, from, to, granularity });
}
