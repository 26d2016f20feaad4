import type { LimitedCaller } from '../../../../domain/limits/limit.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Context } from '../../../../request/context.ts';
import { loadActorName } from '../../../customers/actors/store.ts';
import { loadBudgetKey } from '../../budgets/store.ts';
import { type CrossedLimit, loadCaller, loadShownAmount, loadShownExcess } from '../store.ts';

const decimalText =
  'A decimal: money in major units of the currency, other amounts in the unit of the measure.';

/** Returns the ID of the API key or the member whose operations crossed a limit. `null` if the caller has another type. */
const callerIdOf = async (
  ctx: Context,
  crossing: CrossedLimit,
  type: LimitedCaller,
): Promise<string | null> => ((await loadCaller(ctx, crossing)) === type ? crossing.nodeId : null);

/** Returns the name of the API key or the member whose operations crossed a limit. */
async function nameOfCaller(ctx: Context, crossing: CrossedLimit): Promise<string | null> {
  const caller = await loadCaller(ctx, crossing);
  if (caller === null) return null;
  const source = caller === 'apiKey' ? 'api' : 'dashboard';
  return loadActorName(ctx, { source, actorId: crossing.nodeId, customerId: null });
}

const LimitCrossing = builder.prismaObject('LimitCrossing', {
  ...node({ prefix: 'lcr' }),
  description:
    'Crossing of a threshold or of the amount of a limit of the organization, a plan, a customer, a budget, an API key, or a member.',
  fields: (t) => ({
    id: t.column('id'),
    limitId: t.column('limitId', { description: 'ID of the limit.' }),
    limit: t.row('limit', { description: 'Limit, which can be deleted.' }),
    apiKeyId: t.computed({
      type: 'ID',
      nullable: true,
      description:
        "ID of the API key whose operations crossed the limit. Also set after the API key is deleted. `null` if the limit doesn't apply to API keys.",
      columns: ['limitId', 'nodeId'],
      resolve: (crossing, _args, ctx) => callerIdOf(ctx, crossing, 'apiKey'),
    }),
    memberId: t.computed({
      type: 'ID',
      nullable: true,
      description:
        "ID of the member whose operations crossed the limit. Also set after the member is removed. `null` if the limit doesn't apply to members.",
      columns: ['limitId', 'nodeId'],
      resolve: (crossing, _args, ctx) => callerIdOf(ctx, crossing, 'member'),
    }),
    callerName: t.computed({
      type: 'String',
      nullable: true,
      description:
        "Name of the API key or member whose operations crossed the limit. `null` if the limit doesn't apply to API keys or members.",
      columns: ['limitId', 'nodeId'],
      resolve: (crossing, _args, ctx) => nameOfCaller(ctx, crossing),
    }),
    budget: t.computed({
      type: 'String',
      nullable: true,
      description:
        "Key of the budget whose usage crossed the limit. `null` if it wasn't the usage of a budget.",
      columns: ['nodeId', 'customerId'],
      resolve: ({ nodeId, customerId }, _args, ctx) =>
        customerId === null || nodeId === customerId ? null : loadBudgetKey(ctx, nodeId),
    }),
    ...t.columns('kind', 'cause'),
    threshold: t.computed({
      type: 'Decimal',
      description: `Last crossed threshold, or the amount of the limit with its raises. ${decimalText}`,
      columns: ['limitId', 'currency', 'threshold'],
      resolve: (crossing, _args, ctx) => loadShownAmount(ctx, crossing, crossing.threshold),
    }),
    value: t.computed({
      type: 'Decimal',
      description: `Value after the usage. ${decimalText}`,
      columns: ['limitId', 'currency', 'value'],
      resolve: (crossing, _args, ctx) => loadShownAmount(ctx, crossing, crossing.value),
    }),
    excess: t.computed({
      type: 'Decimal',
      nullable: true,
      description: `Amount by which the value exceeds the amount of the limit. \`null\` unless the kind is \`overrun\`. ${decimalText}`,
      columns: ['limitId', 'kind', 'currency', 'threshold', 'value'],
      resolve: (crossing, _args, ctx) =>
        crossing.kind === 'overrun' ? loadShownExcess(ctx, crossing) : null,
    }),
    ...t.columns('windowStart', 'windowEnd', 'createdAt'),
    customer: t.row('customer', {
      description:
        'Customer whose usage or purchases crossed the limit. `null` if the limit applies to the organization, a plan, an API key, or a member.',
    }),
    ...t.resource('limit_crossing'),
  }),
});

export const LimitCrossingConnection = connectionOf('LimitCrossing', LimitCrossing, 'crossings of limits');

restView(
  'LimitCrossing',
  'LimitCrossing',
  'id limitId budget apiKeyId memberId callerName kind cause threshold value excess windowStart windowEnd customer { id externalId } createdAt object livemode',
  { absentWhenUnset: ['excess'] },
);
