import { createApiKey } from '../factories.ts';
import { noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /api-keys': async (shop) => {
      await createApiKey(shop);
      return { query: { limit: '2' } };
    },
    'POST /api-keys': async (shop) => ({ body: { name: shop.next('key'), expiresInDays: 30 } }),
    'GET /api-keys/{id}/policy': async (shop) => ({ path: { id: (await createApiKey(shop)).id } }),
    'PATCH /api-keys/{id}': async (shop) => ({
      path: { id: (await createApiKey(shop)).id },
      body: { permissions: ['*:read', 'usage:write'] },
    }),
    'DELETE /api-keys/{id}': async (shop) => ({ path: { id: (await createApiKey(shop)).id } }),
  },
  unrouted: {
    deviceLogin: {
      because: reasons.members,
      text: 'query ($userCode: String!) { deviceLogin(userCode: $userCode) { machineName } }',
      variables: async () => ({ userCode: 'BBBB-BBBB' }),
    },
    deviceLoginApprove: {
      because: reasons.members,
      text: 'mutation ($input: DeviceLoginApproveInput!) { deviceLoginApprove(input: $input) { machineName } }',
      variables: async () => ({ input: { userCode: 'BBBB-BBBB', preset: 'reader' } }),
    },
    deviceLoginDeny: {
      because: reasons.members,
      text: 'mutation ($input: DeviceLoginDenyInput!) { deviceLoginDeny(input: $input) { machineName } }',
      variables: async () => ({ input: { userCode: 'BBBB-BBBB' } }),
    },
    deviceLoginStart: {
      because: reasons.commandLine,
      text: 'mutation ($input: DeviceLoginStartInput!) { deviceLoginStart(input: $input) { intervalSeconds } }',
      variables: async () => ({ input: { machineName: 'ada-laptop' } }),
    },
    deviceLoginComplete: {
      because: reasons.commandLine,
      text: 'mutation ($input: DeviceLoginCompleteInput!) { deviceLoginComplete(input: $input) { status } }',
      variables: async () => ({ input: { deviceCode: 'none' } }),
    },
    appConnectionRequest: {
      because: reasons.members,
      text: 'query ($request: String!) { appConnectionRequest(request: $request) { appName } }',
      variables: async () => ({ request: 'none' }),
    },
    appConnectionApprove: {
      because: reasons.members,
      text: 'mutation ($input: AppConnectionApproveInput!) { appConnectionApprove(input: $input) { redirectUrl } }',
      variables: async () => ({ input: { request: 'none', preset: 'reader' } }),
    },
    appConnectionDeny: {
      because: reasons.members,
      text: 'mutation ($input: AppConnectionDenyInput!) { appConnectionDeny(input: $input) { redirectUrl } }',
      variables: async () => ({ input: { request: 'none' } }),
    },
    apiKeyPolicySet: {
      because: reasons.members,
      text: 'mutation ($input: ApiKeyPolicySetInput!) { apiKeyPolicySet(input: $input) { maxAmountPerDay } }',
      variables: async (shop) => ({ input: { id: (await createApiKey(shop)).id, maxAmountPerDay: 20_000 } }),
    },
  },
  provocations: {
    'DELETE /api-keys/{id}': { api_key_not_found: noId({ id: 'key_none' }) },
  },
};
