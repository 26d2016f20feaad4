import { errorCodes } from '../domain/errors/errors.ts';
import { page, plain, prose, row } from './docs-html.ts';
import { type JsonSchema, resolved } from './json-schema.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { OpenApiOperation } from './openapi-operation.ts';

// REST reference: a single page without scripts, generated from the OpenAPI document.

/** Returns a schema's type as HTML for a table cell, such as `list of string`. */
function typeWords(schema: JsonSchema): string {
  const {
    $ref: reference,
    type,
    enum: values,
    items,
    anyOf,
    oneOf,
    allOf,
  } = schema as Record<string, unknown> & { items?: JsonSchema };
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return `<a href="#${plain(name)}">${plain(name)}</a>`;
  }
  const alternatives = (anyOf ?? oneOf ?? allOf) as JsonSchema[] | undefined;
  if (alternatives !== undefined) return alternatives.map(typeWords).join(' or ');
  if (Array.isArray(values)) return values.map((value) => `<code>${plain(String(value))}</code>`).join(' ');
  if (type === 'array' && items !== undefined) return `list of ${typeWords(items)}`;
  if (schema['const'] !== undefined) return `<code>${plain(String(schema['const']))}</code>`;
  return plain(Array.isArray(type) ? type.join(' or ') : String(type ?? 'any'));
}

function membersTable(schema: JsonSchema): string {
  const variants = schema['oneOf'] as JsonSchema[] | undefined;
  if (variants !== undefined) return variants.map(membersTable).join('<p>or</p>');
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as string[];
  const rows = properties.map(([name, member]) =>
    row(
      `<code>${plain(name)}</code>`,
      typeWords(member),
      required.includes(name) ? 'always' : 'optional',
      prose(member['description']),
    ),
  );
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
}

function bodyOf(document: OpenApiDocument, holder: JsonSchema | undefined): string {
  const content = holder?.['content'] as { 'application/json'?: { schema: JsonSchema } } | undefined;
  const schema = content?.['application/json']?.schema;
  if (schema === undefined)
    return Object.keys(content ?? {})
      .map((mediaType) => `<code>${plain(mediaType)}</code>`)
      .join(', ');
  return schema['$ref'] === undefined
    ? membersTable(resolved(document.components['schemas'] as Record<string, JsonSchema>, schema))
    : `<p>${typeWords(schema)}</p>`;
}

function operationSection(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): string {
  const own = operation.parameters.filter((parameter) => parameter['$ref'] === undefined);
  const parameters = own.map((parameter) =>
    row(
      `<code>${plain(String(parameter['name']))}</code>`,
      `${plain(String(parameter['in']))}, ${typeWords(parameter['schema'] as JsonSchema)}`,
      parameter['required'] === true ? 'required' : 'optional',
      prose(parameter['description']),
    ),
  );
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    row(status, prose(response['description']), Number(status) < 300 ? bodyOf(document, response) : ''),
  );
  return (
    `<h3 id="${operation.operationId}"><span class="m">${method.toUpperCase()}</span> ${plain(path)}</h3><p>${prose(operation.description)}</p>` +
    (parameters.length === 0 ? '' : `<table>${parameters.join('')}</table>`) +
    (operation.requestBody === undefined ? '' : `<p>Body</p>${bodyOf(document, operation.requestBody)}`) +
    `<pre tabindex="0"><code>${plain(operation['x-codeSamples'].map(({ source }) => source).join('\n'))}</code></pre>` +
    `<details><summary>Responses</summary><table>${responses.join('')}</table></details>`
  );
}

const tagDescription = ({ tags }: OpenApiDocument, tag: string): unknown =>
  tags.find(({ name }) => name === tag)?.['description'];

const errorPath = (version: string, code: string): string =>
  `/docs/api-reference/${version}/errors/${code}.md`;

/** Returns the reference page, with operations by resource, object types and error codes. */
export function docsPage(document: OpenApiDocument): string {
  const version = String(document.info['version']);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '');
  const sections = [...byTag].map(
    ([tag, members]) =>
      `<h2 id="tag-${plain(tag)}">${plain(tag)}</h2><p>${prose(tagDescription(document, tag))}</p>` +
      members
        .map(({ path, method, operation }) => operationSection(document, path, method, operation))
        .join(''),
  );
  const schemas = Object.entries(document.components['schemas'] as Record<string, JsonSchema>).map(
    ([name, schema]) =>
      `<h3 id="${plain(name)}">${plain(name)}</h3><p>${prose(schema['description'])}</p>${membersTable(schema)}`,
  );
  const errors = Object.entries(errorCodes).map(([code, { type, status, meaning }]) =>
    row(
      `<a href="${errorPath(version, code)}"><code>${code}</code></a>`,
      String(status),
      `<code>${type}</code>`,
      prose(meaning),
    ),
  );
  const tags = [...byTag.keys()].map((tag) => `<a href="#tag-${plain(tag)}">${plain(tag)}</a>`);
  return page(
    'Quittance API reference',
    `<header><h1>Quittance API reference</h1><p>Version ${plain(version)}, served at <code>${plain(String(document.servers[0]?.['url']))}</code>. ` +
      `Send the API key in the <code>x-api-key</code> header. In the examples, it is <code>$KEY</code>. The OpenAPI document is available at <a href="/openapi.json">/openapi.json</a>. ` +
      `The same resources and their relations are available at <a href="/graphql">/graphql</a>. See the <a href="/docs/graphql">GraphQL reference</a>.</p>` +
      `<nav aria-label="Contents">${tags.join('')}<a href="#shapes">shapes</a><a href="#errors">errors</a></nav></header><main>${sections.join('')}` +
      `<h2 id="shapes">Shapes</h2>${schemas.join('')}<h2 id="errors">Errors</h2><table>${errors.join('')}</table></main>`,
  );
}
