// Configuration of GraphQL Code Generator (https://the-guild.dev/graphql/codegen) for an API client:
//
//   npm install --save-dev @graphql-codegen/cli @graphql-codegen/client-preset
//   npx graphql-codegen --config codegen.ts
//
// Documents passed to `graphql(…)`, which is imported from `./graphql/`, have typed variables and results.

const url = process.env['QUITTANCE_URL'] ?? 'http://127.0.0.1:4000';

/** TypeScript types of the API's scalars in JSON. */
export const scalars = {
  ID: 'string',
  /** Integers up to 2^53 - 1, such as amounts, usage, and positions. */
  SafeInt: 'number',
  /** Exact decimal number, such as `0.20`. */
  Decimal: 'string',
  /** ISO 8601 time in UTC with milliseconds. */
  DateTime: 'string',
  /** Date in the format `YYYY-MM-DD`. */
  Date: 'string',
  Json: 'Record<string, unknown>',
  TextMap: 'Record<string, string>',
  CountMap: 'Record<string, number>',
  /** Amount of a limit, or a share of another number. */
  LimitAmount: 'number | { bps: number; of: string }',
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
