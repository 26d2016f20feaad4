import type { GraphQLSchema } from 'graphql';
import { specificError } from '../domain/errors/errors.ts';
import { printedSchema } from '../graphql/declare/print.ts';
import { openApiOf } from '../rest/openapi.ts';
import type { ToolResult } from './call-operation.ts';
import { docsPages } from './docs.ts';

const scheme = 'quittance://';

type Content = { readonly uri: string; readonly mimeType: string; readonly text: string };

/** Object in the environment that is read with an operation. */
type ReadObject = (operation: 'customer' | 'invoice', id: string) => Promise<ToolResult>;

/** Resources with fixed URIs. */
export const listedResources = () => [
  { uri: `${scheme}openapi`, name: 'OpenAPI document of the REST API', mimeType: 'application/json' },
  { uri: `${scheme}schema.graphql`, name: 'GraphQL schema', mimeType: 'application/graphql' },
  ...docsPages().map(({ name, title }) => ({
    uri: `${scheme}docs/${name}`,
    name: title,
    mimeType: 'text/markdown',
  })),
];

/** Resources with an ID in their URI. */
export const resourceTemplates = [
  { uriTemplate: `${scheme}customers/{id}`, name: 'Customer', mimeType: 'application/json' },
  { uriTemplate: `${scheme}invoices/{id}`, name: 'Invoice', mimeType: 'application/json' },
];

/** Text of a resource that is the same for all callers. */
type FixedText = { readonly mimeType: string; readonly text: string };

/** Returns the resources that are the same for all callers, by their name in the URI. Each text is created on its first use. */
export function fixedResources(
  schema: GraphQLSchema,
  publicUrl: string,
): (name: string) => FixedText | undefined {
  const made = new Map<string, FixedText>();
  const makers: ReadonlyMap<string, () => FixedText> = new Map([
    ['openapi', () => ({ mimeType: 'application/json', text: JSON.stringify(openApiOf(schema, publicUrl)) })],
    ['schema.graphql', () => ({ mimeType: 'application/graphql', text: printedSchema(schema) })],
  ]);
  return (name) => {
    const make = makers.get(name);
    return make === undefined ? undefined : made.getOrInsertComputed(name, make);
  };
}

/** Reads a resource. Throws `not_found` for an unknown URI. Customers and invoices are read with the caller's access. */
export async function readResource(
  fixed: ReturnType<typeof fixedResources>,
  uri: string,
  read: ReadObject,
): Promise<Content> {
  const missing = () => specificError('not_found', 'address', { values: { path: uri } });
  if (!uri.startsWith(scheme)) throw missing();
  const [kind = '', ...rest] = uri.slice(scheme.length).split('/');
  const name = rest.join('/');
  const found = name === '' ? fixed(kind) : undefined;
  if (found !== undefined) return { uri, ...found };
  if (kind === 'docs') {
    const page = docsPages().find((one) => one.name === name);
    if (page === undefined) throw missing();
    return { uri, mimeType: 'text/markdown', text: page.text };
  }
  if (kind !== 'customers' && kind !== 'invoices') throw missing();
  const { content } = await read(kind === 'customers' ? 'customer' : 'invoice', name);
  return { uri, mimeType: 'application/json', text: content[0]?.text ?? '' };
}
