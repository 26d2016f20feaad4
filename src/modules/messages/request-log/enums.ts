import { builder } from '../../../graphql/reading/builder.ts';

export const RequestTransport = builder.enumType('RequestTransport', {
  description: 'Interface through which a request arrived.',
  values: {
    rest: { description: 'REST API.' },
    graphql: { description: 'GraphQL endpoint.' },
    mcp: { description: 'MCP server.' },
    approval: { description: 'None: Quittance made the call of the API key after a member approved it.' },
  } as const,
});

export const RequestCallerKind = builder.enumType('RequestCallerKind', {
  description: 'Kind of caller that sent a request.',
  values: {
    key: { description: 'API key.' },
    member: { description: 'Member of the organization who uses the dashboard.' },
  } as const,
});
