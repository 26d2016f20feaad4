import type { LimitEntry, NodeEntry, NodeLimit } from '../../../../domain/limits/entry.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { LimitAction, LimitMeasure, LimitSetter, LimitWindowKind } from '../enums.ts';
import { loadLimit, loadRaises } from '../store.ts';
import { Limit } from './limit.ts';

const LimitNode = builder.objectRef<NodeEntry>('LimitNode').implement({
  description: 'Organization, plan, customer, budget, API key, or member to which a limit applies.',
  fields: (t) => ({
    kind: t
      .member('kind', 'String')
      .describe(
        "Type of the node: `organization`, `plan`, `customer`, `apiKey`, `member`, or the part of the budget's key before the colon.",
      ),
    key: t
      .maybe('key', 'String')
      .describe(
        'Key of the budget, or ID of the API key or member. `null` if the limit applies to the organization, a plan, or a customer.',
      ),
    path: t.stringList({
      description: 'Keys of the budgets from the top.',
      resolve: ({ path }) => [...path],
    }),
  }),
});

export const LimitStateWindow = builder.objectRef<LimitEntry['window']>('LimitStateWindow').implement({
  description: 'Current window of a limit.',
  fields: (t) => ({
    kind: t.member('kind', LimitWindowKind).describe('Kind of the window.'),
    start: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Start of the window. `null` if the window slides or includes all usage, or if no session is open.',
      resolve: ({ start }) => start,
    }),
    end: t.field({
      type: 'DateTime',
      nullable: true,
      description: "End of the window. `null` if the window slides or doesn't end, or if no session is open.",
      resolve: ({ end }) => end,
    }),
  }),
});

export const LimitRaise = builder.prismaObject('LimitRaise', {
  ...node({ prefix: 'lrs' }),
  description: 'Amount that is added to a limit until a time.',
  fields: (t) => ({
    id: t.column('id'),
    limitId: t.column('limitId', { description: 'ID of the limit.' }),
    ...t.columns('amount', 'budgetKey', 'reason', 'until', 'createdAt'),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description:
        'Customer whose limit was raised. `null` if the limit applies to the organization, a plan, an API key, or a member.',
    }),
    ...t.resource('limit_raise'),
  }),
});

export const LimitState = builder.objectRef<NodeLimit>('LimitState').implement({
  description:
    'Limit with its current value. Amounts are decimals: money in major units of the currency, other amounts in the unit of the measure.',
  fields: (t) => ({
    limitId: t.member('limitId', 'ID').describe('ID of the limit.'),
    limit: t.field({
      type: Limit,
      description: 'Terms of the limit.',
      resolve: ({ limitId }, _args, ctx) => loadLimit(ctx, limitId),
    }),
    name: t.maybe('name', 'String').describe('Name of the limit. `null` if the limit has no name.'),
    setBy: t.member('setBy', LimitSetter).describe('Person who set the limit.'),
    action: t.member('action', LimitAction).describe('Effect of usage that exceeds the amount.'),
    node: t
      .member('node', LimitNode)
      .describe('Organization, plan, customer, or budget to which the limit applies.'),
    measure: t.member('measure', LimitMeasure).describe('Number that the limit bounds.'),
    window: t.member('window', LimitStateWindow).describe('Current window.'),
    unit: t
      .member('unit', 'String')
      .describe('Lowercase currency code, code of a custom unit, `units`, or `calls`.'),
    amount: t
      .maybe('amount', 'Decimal')
      .describe('Amount of the limit. `null` if the limit only sends events.'),
    raise: t.member('raise', 'Decimal').describe('Sum of the current raises.'),
    used: t
      .member('used', 'Decimal')
      .describe('Amount used in the window. For `remaining`, the available amount.'),
    held: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Amount that open holds reserve. `null` if nothing is held.',
      resolve: ({ held }) => held,
    }),
    asked: t.member('asked', 'Decimal').describe('Amount of the checked usage. 0 if no usage was checked.'),
    rejects: t
      .member('rejects', 'Boolean')
      .describe('Whether the limit rejects the checked usage. `false` if no usage was checked.'),
    remaining: t
      .maybe('remaining', 'Decimal')
      .describe('Remaining amount, at least 0. `null` if the limit has no amount.'),
    resetsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "End of the window. `null` if the window slides or doesn't end, or if no session is open.",
      resolve: ({ resetsAt }) => resetsAt,
    }),
    fitsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'First time at which the checked usage fits without other usage. `null` if it never fits.',
      resolve: ({ fitsAt }) => fitsAt,
    }),
    raises: t.field({
      type: [LimitRaise],
      description: 'Current raises of the limit for the customer or budget, in order of creation.',
      resolve: ({ limitId, nodeId }, _args, ctx) => loadRaises(ctx, limitId, nodeId),
    }),
  }),
});

restView(
  'LimitState',
  'LimitState',
  `limitId name setBy action node { kind key path } measure window { kind start end }
  unit amount raise used held asked remaining resetsAt fitsAt`,
  { absentWhenUnset: ['held'] },
);

restView(
  'LimitRaise',
  'LimitRaise',
  'id limitId amount budgetKey reason until customer { id externalId } createdAt object livemode',
);

connectionOf('LimitRaise', LimitRaise, 'raises of limits');

builder.prismaObjectField('Limit', 'raises', (t) =>
  t.page('raises', { description: 'Raises of the limit, newest first. Includes raises that have ended.' }),
);
