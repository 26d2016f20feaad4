import { builder } from '../../../graphql/reading/builder.ts';
import { requireRequest } from './decide.ts';
import { AppConnectionRequest } from './types.ts';

builder.queryField('appConnectionRequest', (t) =>
  t.field({
    type: AppConnectionRequest,
    description: 'Returns the request of an app that waits for a decision.',
    errors: [['not_found', 'the request is invalid or has expired']],
    access: { member: 'admin' },
    args: {
      request: t.arg.string({
        required: true,
        rule: { minLength: 1, maxLength: 10_000 },
        description:
          "Value of the parameter `request` in the page's URL. Valid for 10 minutes after the app opened the page.",
      }),
    },
    resolve: (_root, { request }, ctx) => requireRequest(ctx, request),
  }),
);
