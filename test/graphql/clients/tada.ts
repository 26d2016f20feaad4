import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema } from 'graphql';
import { expect, test } from 'vitest';
import { scalars } from '../../../examples/codegen.ts';
import { schema } from '../../../src/schema.ts';
import { complaintsAbout } from './typed.ts';
import { subscriptionsText } from './world.ts';

const introspection = outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(schema)), {
  fileType: '.d.ts',
  shouldPreprocess: false,
});

const scalarTypes = Object.entries(scalars)
  .map(([name, type]) => `${name}: ${type};`)
  .join(' ');

const use = (first: string) => `
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './introspection.d.ts';
const graphql = initGraphQLTada<{ introspection: introspection; scalars: { ${scalarTypes} } }>();
const document = graphql(\`${subscriptionsText}\`);
const variables: VariablesOf<typeof document> = { first: ${first} };
declare const data: ResultOf<typeof document>;
const prices: number[] = data.subscriptions?.edges.map(({ node }) => node.plan.basePrice) ?? [];
export { document, prices, variables };
`;

export function tadaTests(): void {
  test('infers the types of a document from its text, so that the compiler reports a wrong variable', async () => {
    const files = { 'introspection.d.ts': introspection };
    expect(await complaintsAbout({ ...files, 'use.ts': use('100') })).toBe('');
    expect(await complaintsAbout({ ...files, 'use.ts': use('"100"') })).toMatch(
      /^use\.ts.*Type 'string' is not assignable to type 'number'/m,
    );
  });
}
