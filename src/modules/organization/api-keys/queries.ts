import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { ApiKeyConnection } from './types.ts';

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description:
      "Lists the API keys of the environment, newest first, including expired keys. Secrets aren't returned.",
    rest: { method: 'GET', path: '/api-keys', view: 'ApiKey' },
    access: { scope: 'keys' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'ApiKey', args),
  }),
);
