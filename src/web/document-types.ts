import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildASTSchema, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from 'graphql';
import { writeMessageTypes } from '../messages/write-types.ts';
import { root } from '../platform/root.ts';
import { definitionsOf, operationsOf } from './documents-plugin.ts';

// Generates TypeScript types for GraphQL documents of browser code. For `<folder>/page.graphql`, the types are in `page.d.graphql.ts` below
// `src/generated/documents`; `rootDirs` makes TypeScript find them. Development and tests need the types; the service doesn't.

const target = path.join(root, 'src/generated/documents');
const folders = ['src/dashboard', 'src/pages', 'src/ui'];

/** TypeScript types of GraphQL scalars in JSON. */
const scalars = {
  BalanceMap: 'Record<string, number>',
  CountMap: 'Record<string, number>',
  Date: 'string',
  DateTime: 'string',
  Decimal: 'string',
  ID: 'string',
  Json: 'unknown',
  LimitAmount: 'number | { readonly bps: number; readonly of: string }',
  SafeInt: 'number',
  TextMap: 'Record<string, string>',
  Timezone: 'string',
};

/** Returns the paths of all GraphQL documents, relative to the root. */
export async function documentFiles(): Promise<string[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith('.graphql')).map((name) => path.join(folder, name));
    }),
  );
  return lists.flat().sort();
}

/** Returns a schema for clients that throw on errors. Fields that are only `null` after an error become non-null. */
const withoutErrors = (schema: DocumentNode): DocumentNode =>
  visit(schema, {
    FieldDefinition(field) {
      const isMarked = field.directives?.some(({ name }) => name.value === 'semanticNonNull');
      if (!isMarked || field.type.kind === Kind.NON_NULL_TYPE) return undefined;
      return { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } as const };
    },
  });

/** Returns the types of a document's operations and fragments. Throws if the document doesn't match the schema. */
async function typesOf(file: string, schema: DocumentNode, schemaAst: GraphQLSchema) {
  const definitions = await definitionsOf(path.join(root, file));
  const types = await codegen({
    filename: file,
    schema,
    schemaAst,
    documents: [{ location: file, document: { kind: 'Document' as never, definitions } }],
    plugins: [{ operations: {} }],
    pluginMap: { operations: operations as never },
    config: {
      scalars,
      strictScalars: true,
      immutableTypes: true,
      enumType: 'string-literal',
      useTypeImports: true,
      skipTypename: true,
    },
  });
  const constants = (await operationsOf(path.join(root, file))).map(({ name, kind }) => {
    const suffix = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[kind];
    return `export declare const ${name}Document: Document<${name}${suffix}, ${name}${suffix}Variables>;`;
  });
  const up = path.relative(path.join(target, path.dirname(file)), path.join(root, 'src/ui/documents.ts'));
  return [`import type { Document } from '${up}';`, types, ...constants, ''].join('\n');
}

/** Writes the types of all documents and deletes types of removed documents. */
export async function writeDocumentTypes(): Promise<void> {
  const text = await readFile(path.join(root, 'schema.graphql'), 'utf8');
  const schema = withoutErrors(parse(text, { noLocation: true }));
  const schemaAst = buildASTSchema(schema);
  const files = await documentFiles();
  const written = await Promise.all(
    files.map(async (file) => {
      const place = path.join(target, file.replace(/\.graphql$/, '.d.graphql.ts'));
      const types = await typesOf(file, schema, schemaAst);
      await mkdir(path.dirname(place), { recursive: true });
      if ((await readFile(place, 'utf8').catch(() => '')) !== types) await writeFile(place, types);
      return place;
    }),
  );
  const left = await readdir(target, { recursive: true }).catch(() => []);
  const gone = left.filter((name) => name.endsWith('.ts') && !written.includes(path.join(target, name)));
  await Promise.all(gone.map((name) => rm(path.join(target, name))));
}

if (import.meta.main) await Promise.all([writeDocumentTypes(), writeMessageTypes()]);
