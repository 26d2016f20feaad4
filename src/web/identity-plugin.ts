import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildSchema, type GraphQLSchema, isAbstractType } from 'graphql';
import type { Plugin } from 'vite';

/** Schema information that the normalized cache needs. */
type SchemaIdentity = {
  /** Names of the schema's root types. */
  readonly roots: { readonly query: string; readonly mutation: string; readonly subscription: string };
  /** Object types in each interface and union. For `Node`, all types with an ID. */
  readonly possibleTypes: Readonly<Record<string, readonly string[]>>;
};

const nameOf = (type: { readonly name: string } | null | undefined): string => type?.name ?? '';

/** Extracts the cache's schema information from a schema. */
function identityOf(schema: GraphQLSchema): SchemaIdentity {
  const roots = {
    query: nameOf(schema.getQueryType()),
    mutation: nameOf(schema.getMutationType()),
    subscription: nameOf(schema.getSubscriptionType()),
  };
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const possibleTypes = Object.fromEntries(
    types
      .filter(isAbstractType)
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
  );
  return { roots, possibleTypes };
}

const id = 'virtual:schema-identity';

/** Generates the module `virtual:schema-identity` from `schema.graphql`. */
export const identityPlugin = (root: string): Plugin => ({
  name: 'schema-identity',
  resolveId: (source) => (source === id ? `\0${id}` : null),
  async load(loaded) {
    if (loaded !== `\0${id}`) return null;
    const file = path.join(root, 'schema.graphql');
    this.addWatchFile(file);
    const identity = identityOf(buildSchema(await readFile(file, 'utf8'), { assumeValid: true }));
    return { code: `export const identity = ${JSON.stringify(identity)};`, map: null };
  },
});
