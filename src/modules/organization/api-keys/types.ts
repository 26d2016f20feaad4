import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { type Scope, scopes } from '../../../request/context.ts';

export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'Permission of an API key.',
  values: {
    read: {
      description:
        'Permission to read everything except financial data, to check features, and to preview changes.',
    },
    write: { description: 'Permission to change everything that no other scope covers.' },
    finance: {
      description:
        'Permission to read financial data: payouts, balance, bank accounts, ledger, and metrics. Also allows refunds and, in combination with `write`, changes to payouts, bank accounts, payment connections, payment routes, and tax registrations.',
    },
    keys: { description: 'Permission to list, create, and delete API keys.' },
  } satisfies Record<Scope, { description: string }>,
});

/** Returns the secret of a newly created key. `null` if the key was created earlier. */
const secretOf = (key: object): string | null =>
  'apiKey' in key && typeof key.apiKey === 'string' ? key.apiKey : null;

export const ApiKey = builder.prismaObject('ApiKey', {
  ...node({ prefix: 'key', access: { scope: 'keys' } }),
  description:
    'A secret that gives software access to one environment. All times are real time, independent of the test clock.',
  fields: (t) => ({
    ...t.columns('id', 'name'),
    apiKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Full secret, starting with `ck_live_` or `ck_sandbox_`. `null` except in the response of `apiKeyCreate`.',
      columns: [],
      resolve: secretOf,
    }),
    ...t.columns('prefix'),
    scopes: t.computed({
      type: [ApiKeyScope],
      description: 'Permissions of the key.',
      columns: ['scopes'],
      resolve: (key) => scopes.filter((scope) => key.scopes.includes(scope)),
    }),
    ...t.columns('expiresAt', 'lastUsedAt', 'createdAt'),
    ...t.resource('api_key'),
  }),
});

export const ApiKeyConnection = connectionOf('ApiKey', ApiKey, 'API keys');

restView('ApiKey', 'ApiKey', 'id name prefix expiresAt lastUsedAt createdAt object livemode');
restView('CreatedApiKey', 'ApiKey', 'id name apiKey prefix expiresAt createdAt object livemode');
