import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { ApiKeyConnection } from './types.ts';

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description: 'API keys of the environment, newest first, expired ones included. No secret is shown.',
    rest: { method: 'GET', path: '/api-keys', view: 'ApiKey' },
    access: { scope: 'keys' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'ApiKey', args),
  }),
);
