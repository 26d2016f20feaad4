import { mutationDetails } from '../../../graphql/declare/areas.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { endRaise, raiseLimit } from './change-raises.ts';
import { createLimit } from './create.ts';
import { LimitCreateInput, LimitUpdateInput } from './types/inputs.ts';
import { Limit } from './types/limit.ts';
import { LimitRaiseEndInput, LimitRaiseInput } from './types/raise-inputs.ts';
import { LimitRaise } from './types/state.ts';
import { deleteLimit, updateLimit } from './update.ts';

const callerErrors = [
  [
    'forbidden',
    "the limit applies to API keys or members, and the caller isn't a member with the role `admin`",
  ],
  'reauthentication_required',
] as const;

builder.mutationField('limitCreate', (t) =>
  t.field({
    type: Limit,
    description:
      'Creates a limit on usage. `units` and `spend` of a customer in the usage window include usage from before the limit was created. Other limits of one customer or budget with a calendar, rolling, or fixed window, or with a window of the subscription, include usage of the open window, up to 100,000 events. Limits of the organization or a plan with a calendar window include all usage of the open window, which is counted in the background. While their status is `counting`, they reject no usage. `includesPastUsage` states whether a limit includes past usage. Other limits start with their creation. If the limit blocks `units` of a meter whose total is known only at the end of the usage window, `details.reason` is `not_known_at_once`.',
    rest: { method: 'POST', path: '/limits', status: 201, view: 'Limit' },
    errors: [
      'customer_not_found',
      'plan_not_found',
      'feature_not_found',
      'api_key_not_found',
      ['not_found', "the member or the template in `replaces` doesn't exist"],
      ...callerErrors,
      ['duplicate', 'another limit already replaces the template for the customer or budget'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: LimitCreateInput, required: true }) },
    resolve: (_root, { input }, ctx, info) =>
      createLimit(ctx, { ...input, action: input.action ?? 'notify' }, mutationDetails(info.schema)),
  }),
);

builder.mutationField('limitUpdate', (t) =>
  t.field({
    type: Limit,
    description:
      'Changes a limit. The change applies to the next usage. An amount below the used amount undoes nothing, and rejects later usage if the limit blocks.',
    rest: { method: 'PATCH', path: '/limits/{id}', view: 'Limit' },
    errors: [
      'not_found',
      ...callerErrors,
      ['duplicate', 'another limit replaces the same template for the customer or budget at the same time'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: LimitUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateLimit(ctx, input),
  }),
);

deletionField('limitDelete', {
  of: 'a limit',
  reference: 'ID of the limit.',
  description: 'Deletes a limit. The next usage is no longer limited. The history of its crossings remains.',
  path: '/limits/{id}',
  errors: ['not_found', ...callerErrors],
  access: { scope: 'write' },
  delete: deleteLimit,
});

builder.mutationField('limitRaise', (t) =>
  t.field({
    type: LimitRaise,
    description:
      'Adds an amount to a limit of one customer or budget, a plan, or the organization until the end of the window or another time. The event `limit.raised` is sent.',
    rest: { method: 'POST', path: '/limits/{id}/raises', status: 201, view: 'LimitRaise' },
    errors: ['not_found', 'customer_not_found', 'api_key_not_found', ...callerErrors],
    access: { scope: 'write' },
    args: { input: t.arg({ type: LimitRaiseInput, required: true }) },
    resolve: (_root, { input }, ctx) => raiseLimit(ctx, input),
  }),
);

builder.mutationField('limitRaiseEnd', (t) =>
  t.field({
    type: LimitRaise,
    description:
      'Ends a raise of a limit immediately, and sends the event `limit.raise_ended`. A raise that has ended already is returned unchanged.',
    rest: { method: 'DELETE', path: '/limits/{id}/raises/{raiseId}', view: 'LimitRaise' },
    errors: ['not_found', ...callerErrors],
    access: { scope: 'write' },
    args: { input: t.arg({ type: LimitRaiseEndInput, required: true }) },
    resolve: (_root, { input }, ctx) => endRaise(ctx, input),
  }),
);
