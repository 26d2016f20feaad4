import { errorCodes } from '../domain/errors.ts';
import { contentPolicy, inlineSource } from '../http/content-policy.ts';
import { type JsonSchema, resolved } from './json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';

// The reference people read: one page without scripts, rendered from the OpenAPI document.

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const plain = (text: string): string => text.replace(/[&<>"]/g, (sign) => replacements[sign] ?? sign);
/** Text with `code` in backticks as HTML. */
const prose = (text: unknown): string =>
  plain(typeof text === 'string' ? text : '').replace(/`([^`]+)`/g, '<code>$1</code>');

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1rem;color:#1c2733}
pre{background:#f4f6f8;overflow:auto;padding:.5rem .75rem}code,h3{font-family:ui-monospace,monospace}h2{border-bottom:1px solid #d5dce3;margin-top:2.5rem}h3{font-size:1rem;margin:2rem 0 .25rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0}td,th{border-top:1px solid #e4e9ee;padding:.25rem .5rem;text-align:left;vertical-align:top}
nav a{margin-right:.75rem}.m{color:#0b6b4f;font-weight:600}summary{cursor:pointer;color:#42566b}`;

/** What the page may do: show its own style. */
export const docsPolicy = contentPolicy({ styles: [inlineSource(style)] });

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${plain(title)}</title><style>${style}</style></head><body>${body}</body></html>`;

/** A type in a few words. */
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

const row = (...cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

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
  if (schema === undefined) return '';
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
    `<pre><code>${plain(operation['x-codeSamples'].map(({ source }) => source).join('\n'))}</code></pre>` +
    `<details><summary>Answers</summary><table>${responses.join('')}</table></details>`
  );
}

const tagDescription = ({ tags }: OpenApiDocument, tag: string): unknown =>
  tags.find(({ name }) => name === tag)?.['description'];

const errorPath = (version: string, code: string): string =>
  `/docs/api-reference/${version}/errors/${code}.md`;

/** The reference page of a document: operations by resource, shapes, and every error code. */
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
    `<h1>Quittance API reference</h1><p>Version ${plain(version)}, served at <code>${plain(String(document.servers[0]?.['url']))}</code>. ` +
      `Every request carries its key in the header <code>x-api-key</code>; in the commands it is <code>$KEY</code>. The machine-readable form is <a href="/openapi.json">/openapi.json</a>; ` +
      `the same resources with their relations are at <a href="/graphql">/graphql</a>.</p>` +
      `<nav>${tags.join('')}<a href="#shapes">shapes</a><a href="#errors">errors</a></nav>${sections.join('')}` +
      `<h2 id="shapes">Shapes</h2>${schemas.join('')}<h2 id="errors">Errors</h2><table>${errors.join('')}</table>`,
  );
}
