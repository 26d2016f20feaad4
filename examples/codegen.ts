// The configuration of GraphQL Code Generator (https://the-guild.dev/graphql/codegen) for a client of this API:
//
//   npm install --save-dev @graphql-codegen/cli @graphql-codegen/client-preset
//   npx graphql-codegen --config codegen.ts
//
// Documents are then written with `graphql(…)` of the folder `./graphql/`, and their variables and results have types.

const url = process.env['QUITTANCE_URL'] ?? 'http://127.0.0.1:4000';

/** What the scalars of the API are in TypeScript, as they come over the wire. */
export const scalars = {
  ID: 'string',
  /** Whole numbers up to 2^53 - 1: amounts of money, usage, positions. */
  SafeInt: 'number',
  /** ISO 8601 in UTC with milliseconds. */
  DateTime: 'string',
  /** A day of the calendar, `YYYY-MM-DD`. */
  Date: 'string',
  Json: 'Record<string, unknown>',
  TextMap: 'Record<string, string>',
  CountMap: 'Record<string, number>',
  BalanceMap: 'Record<string, { current: number; asOf: string }>',
  Timezone: 'string',
} as const;

export default {
  schema: `${url}/graphql/schema.graphql`,
  documents: ['src/**/*.{ts,tsx}'],
  generates: {
    './graphql/': {
      preset: 'client',
      config: { scalars, strictScalars: true, enumsAsTypes: true, useTypeImports: true },
    },
  },
};
