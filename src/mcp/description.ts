import { serveText } from '../http/fixed-text.ts';
import type { Route } from '../http/router.ts';
import { currentVersion } from '../request/context.ts';

/** Name and version of the MCP server. */
export const serverInfo = { name: 'quittance', version: currentVersion } as const;

/** Returns the route of the description that clients and registries use to find the MCP server. */
export function descriptionRoute(publicUrl: string, path: string): Route {
  const description = {
    ...serverInfo,
    description: 'Billing and payments: plans, usage, subscriptions, invoices, payments, and payouts.',
    transport: { type: 'streamable-http', url: `${publicUrl}${path}` },
    authentication: { type: 'apiKey', headers: ['x-api-key', 'Authorization: Bearer'] },
    documentation: `${publicUrl}/docs/guides/mcp`,
  };
  return {
    path: '/.well-known/mcp.json',
    methods: ['GET'],
    isShared: true,
    answer: serveText(JSON.stringify(description), { 'Content-Type': 'application/json' }),
  };
}
