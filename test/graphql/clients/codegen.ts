import path from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { scalars } from '../../../examples/codegen.ts';
import { schema } from '../../../src/schema.ts';
import { complaintsAbout } from './typed.ts';
import { subscriptionsText } from './world.ts';

/** Files that the client preset generates for a document with the example's settings. */
async function generated(text: string): Promise<Record<string, string>> {
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: 'gql/',
    presetConfig: { fragmentMasking: false },
    schema: parse(printSchema(schema)),
    schemaAst: schema,
    documents: [{ location: 'document.ts', document: parse(text), rawSDL: text }],
    config: {
      scalars,
      strictScalars: true,
      useTypeImports: true,
      importExtension: '.ts',
      emitLegacyCommonJSImports: false,
    },
    plugins: [],
    pluginMap: {},
  });
  const files = await Promise.all(
    sections.map(async (section) => [path.basename(section.filename), await codegen(section)] as const),
  );
  return Object.fromEntries(files);
}

const use = (first: string) => `
import { type SubscriptionsQuery, type SubscriptionsQueryVariables, SubscriptionsDocument } from './graphql.ts';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
const document: TypedDocumentNode<SubscriptionsQuery, SubscriptionsQueryVariables> = SubscriptionsDocument;
const variables: SubscriptionsQueryVariables = { first: ${first} };
declare const data: SubscriptionsQuery;
const prices: number[] = data.subscriptions?.edges.map(({ node }) => node.plan.basePrice) ?? [];
export { document, prices, variables };
`;

export function codegenTests(): void {
  test('types the document, its variables and the rows, so that the compiler reports a wrong variable', async () => {
    const files = await generated(subscriptionsText);
    const { 'graphql.ts': types = '' } = files;
    expect(types).not.toBe('');
    expect(await complaintsAbout({ 'graphql.ts': types, 'use.ts': use('100') })).toBe('');
    expect(await complaintsAbout({ 'graphql.ts': types, 'use.ts': use('"100"') })).toMatch(
      /^use\.ts.*Type 'string' is not assignable to type 'number'/m,
    );
  });
}
