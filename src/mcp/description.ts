import { serveText } from '../http/fixed-text.ts';
import type { Route } from '../http/router.ts';
import { currentVersion } from '../request/context.ts';

/** Name and version of the MCP server. */
export const serverInfo = { name: 'quittance', version: currentVersion } as const;

/** Path of the MCP endpoint. */
export const mcpPath = '/mcp';

/** Path of the metadata with the authorization server of the MCP endpoint (RFC 9728). */
export const resourcePath = '/.well-known/oauth-protected-resource';

/** Returns the header that leads MCP clients without valid credentials to the sign-in of a member. */
export const challengeHeaders = (publicUrl: string): Readonly<Record<string, string>> => ({
  'WWW-Authenticate': `Bearer resource_metadata="${publicUrl}${resourcePath}"`,
});

/** Returns the route of the description that clients and registries use to find the MCP server. */
export function descriptionRoute(publicUrl: string): Route {
  const description = {
    ...serverInfo,
    description: 'Billing and payments: plans, usage, subscriptions, invoices, payments, and payouts.',
    transport: { type: 'streamable-http', url: `${publicUrl}${mcpPath}` },
    authentication: {
      type: 'apiKey',
      headers: ['x-api-key', 'Authorization: Bearer'],
      oauth: `${publicUrl}${resourcePath}`,
    },
    documentation: `${publicUrl}/docs/guides/mcp`,
  };
  return {
    path: '/.well-known/mcp.json',
    methods: ['GET'],
    isShared: true,
    answer: serveText(JSON.stringify(description), { 'Content-Type': 'application/json' }),
  };
}
