import { type JsonSchema, resolved } from '../rest/json-schema.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { blocks, inline, table } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';

// Objects of the REST API: the named schemas of the OpenAPI document, on pages by first letter.

type Components = Readonly<Record<string, JsonSchema>>;

export const componentsOf = (document: OpenApiDocument): Components =>
  document.components['schemas'] as Components;

const letterOf = (name: string): string => name.charAt(0).toLowerCase();

const pathOf = (letter: string): string => `reference/objects/${letter}`;

const linkTo = (reference: string): string => {
  const name = reference.split('/').at(-1) ?? '';
  return `[${inline(name)}](${addressOf(pathOf(letterOf(name)))}#${name.toLowerCase()})`;
};

/** Describes a schema's type in a table cell, such as `list of string`. */
export function typeText(schema: JsonSchema): string {
  const {
    $ref,
    type,
    enum: values,
    items,
    anyOf,
    oneOf,
    allOf,
  } = schema as Record<string, unknown> & {
    $ref?: string;
    items?: JsonSchema;
  };
  if ($ref !== undefined) return linkTo($ref);
  const alternatives = (anyOf ?? oneOf ?? allOf) as readonly JsonSchema[] | undefined;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeText))].join(' or ');
  if (Array.isArray(values)) return values.map((value) => inline(String(value))).join(', ');
  if (type === 'array' && items !== undefined) return `list of ${typeText(items)}`;
  if (schema['const'] !== undefined) return inline(String(schema['const']));
  return Array.isArray(type) ? type.join(' or ') : String(type ?? 'any');
}

/** Returns the table of a schema's properties. For alternatives, one table for each. */
export function propertiesTable(components: Components, provided: JsonSchema): string {
  const schema = resolved(components, provided);
  const variants = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined;
  if (variants !== undefined) {
    const tables = variants
      .map((variant) => propertiesTable(components, variant))
      .filter((text) => text !== '');
    return tables.join('\n\nor\n\n');
  }
  const properties = Object.entries((schema['properties'] ?? {}) as Components);
  const required = (schema['required'] ?? []) as readonly string[];
  return table(
    ['Property', 'Type', 'Presence', 'Description'],
    properties.map(([name, member]) => [
      inline(name),
      typeText(member),
      required.includes(name) ? 'always' : 'optional',
      String(member['description'] ?? ''),
    ]),
  );
}

/** Returns the names of the schemas that a value contains references to. */
function referencesIn(value: unknown): string[] {
  const found = JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...found].map(([, name = '']) => name);
}

/** Returns the schemas that requests and responses of operations contain, with their parts. Payloads of events are in the event catalog. */
function usedComponents(document: OpenApiDocument): readonly (readonly [string, JsonSchema])[] {
  const components = componentsOf(document);
  const used = new Set<string>();
  const visit = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    for (const part of referencesIn(components[name] ?? {})) visit(part);
  };
  for (const name of referencesIn(document.paths)) visit(name);
  return Object.entries(components).filter(([name]) => used.has(name));
}

/** Returns the pages about the objects of the REST API, and an index. */
export function objectPages(document: OpenApiDocument): readonly SitePage[] {
  const components = componentsOf(document);
  const entries = usedComponents(document);
  const index: SitePage = {
    path: 'reference/objects',
    title: 'REST objects',
    description: 'Objects in requests and responses of the REST API.',
    section: 'Reference',
    body: () =>
      blocks(
        'Requests and responses contain these objects. The OpenAPI document at [`/openapi.json`](/openapi.json) contains their schemas.',
        entries.map(([name]) => linkTo(name)).join(' · '),
      ),
  };
  const pages = Array.from(
    Map.groupBy(entries, ([name]) => letterOf(name)),
    ([letter, members]): SitePage => ({
      path: pathOf(letter),
      title: `REST objects: ${letter.toUpperCase()}`,
      description: `Objects of the REST API: ${members.map(([name]) => name).join(', ')}.`,
      section: 'Reference',
      body: () =>
        blocks(
          ...members.map(([name, schema]) =>
            blocks(`## ${name}`, String(schema['description'] ?? ''), propertiesTable(components, schema)),
          ),
        ),
    }),
  );
  return [index, ...pages];
}
