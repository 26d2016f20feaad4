import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { policyOf } from './set-policy.ts';
import { requireKey } from './store.ts';
import { ApiKeyConnection, ApiKeyPolicy } from './types.ts';

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

builder.queryField('apiKeyPolicy', (t) =>
  t.field({
    type: ApiKeyPolicy,
    description: 'Returns the policy of an API key. Fields are `null` if the key has no policy.',
    rest: { method: 'GET', path: '/api-keys/{id}/policy', view: 'ApiKeyPolicy' },
    errors: ['api_key_not_found'],
    access: { scope: 'keys' },
    args: { id: t.arg.id({ required: true, description: 'ID of the key, not its secret.' }) },
    resolve: async (_root, { id }, ctx) => policyOf(await requireKey(ctx, id)),
  }),
);
