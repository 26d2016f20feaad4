import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  parse,
} from 'graphql';
import { errorCodes } from '../domain/errors/errors.ts';
import { type Access, proofSentence, scopeSentences } from '../graphql/declare/access.ts';
import { scaleOf } from '../graphql/declare/amount.ts';
import { costOf, limits } from '../graphql/declare/limits.ts';
import { page, plain, prose, row } from './docs-html.ts';
import { capabilitiesOf } from './graphql-capabilities.ts';
import { GraphqlExamples, type RootField, rootFieldsOf } from './graphql-examples.ts';
import { codesOf } from './operation.ts';

// GraphQL reference: a single page, generated from the schema.

const kinds = { query: 'Query', mutation: 'Mutation', subscription: 'Live' } as const;

/** Returns a type in schema notation, with a link to the named type. */
function typeLink(type: GraphQLType): string {
  if (isNonNullType(type)) return `${typeLink(type.ofType)}!`;
  if (isListType(type)) return `[${typeLink(type.ofType)}]`;
  return `<a href="#${plain(type.name)}">${plain(type.name)}</a>`;
}

/** Describes the access that a field requires, in one sentence. */
function accessSentence(access: Access | undefined): string {
  if (access === undefined) return '';
  if ('anonymous' in access)
    return access.isKeyed === true ? 'Public. Requires an `Idempotency-Key`.' : 'Public.';
  if ('page' in access) return `Requires the token of a hosted page: \`${access.page}\`.`;
  if ('person' in access) return 'For everyone who is signed in.';
  if ('authenticated' in access) return 'For API keys, page tokens and signed-in members.';
  if ('member' in access)
    return `For signed-in members with at least the role \`${access.member}\`${access.environment === 'live' ? ', in the live environment' : ''}.${access.proof === true ? proofSentence : ''}`;
  return scopeSentences(access);
}

const scaleWords = (part: { readonly extensions?: unknown }): string => {
  const scale = scaleOf(part);
  return scale === undefined ? '' : `<br>Amount with the scale <code>${plain(scale)}</code>.`;
};

const defaultWords = ({ defaultValue }: GraphQLArgument | GraphQLInputField): string =>
  defaultValue === undefined ? '' : `<br>Defaults to <code>${plain(JSON.stringify(defaultValue))}</code>.`;

const inputRow = (part: GraphQLArgument | GraphQLInputField): string =>
  row(
    `<code>${plain(part.name)}</code>`,
    `<code>${typeLink(part.type)}</code>`,
    prose(part.description) + defaultWords(part) + scaleWords(part),
  );

const table = (caption: string, rows: readonly string[]): string =>
  rows.length === 0 ? '' : `<table><caption>${caption}</caption>${rows.join('')}</table>`;

const errorAddress = (version: string, code: string): string =>
  `/docs/api-reference/${version}/errors/${code}.md`;

type Kit = {
  readonly schema: GraphQLSchema;
  readonly examples: GraphqlExamples;
  readonly version: string;
};

const code = (title: string, text: string): string =>
  `<p>${title}</p><pre tabindex="0"><code>${plain(text)}</code></pre>`;

function exampleSection({ schema, examples }: Kit, root: RootField): string {
  const { document, variables, answer } = examples.of(root);
  const cost = costOf(schema, parse(document), null, variables);
  return (
    `<details><summary>Example</summary>${code('Document', document)}` +
    (Object.keys(variables).length === 0 ? '' : code('Variables', JSON.stringify(variables, null, 2))) +
    `${code('Response', JSON.stringify(answer, null, 2))}<p>Costs ${cost} of the ${limits.cost} allowed per request.</p></details>`
  );
}

function rootSection(kit: Kit, root: RootField): string {
  const { kind, field } = root;
  const { access } = field.extensions as { readonly access?: Access };
  const route = kit.examples.routeOf(root);
  const codes = route === undefined ? [] : codesOf(route);
  const links = codes.map(
    (each) => `<a href="${errorAddress(kit.version, each)}"><code>${plain(each)}</code></a>`,
  );
  return (
    `<section data-name="${plain(`${field.name} ${getNamedType(field.type).name}`.toLowerCase())}">` +
    `<h3 id="${kinds[kind]}.${plain(field.name)}"><span class="m">${kind}</span> ${plain(field.name)}: ${typeLink(field.type)}</h3>` +
    `<p>${prose(field.description)} ${prose(accessSentence(access))}</p>${table('Arguments', field.args.map(inputRow))}` +
    (links.length === 0 ? '' : `<details><summary>Errors</summary><p>${links.join(', ')}</p></details>`) +
    `${exampleSection(kit, root)}</section>`
  );
}

const fieldRow =
  (owner: string) =>
  (field: GraphQLField<unknown, unknown>): string =>
    `<tr id="${plain(`${owner}.${field.name}`)}"><td><code>${plain(field.name)}</code></td><td><code>${typeLink(field.type)}</code></td>` +
    `<td>${prose(field.description)}${scaleWords(field)}${table('Arguments', field.args.map(inputRow))}</td></tr>`;

const memberRow =
  (owner: string) =>
  (name: string, description: string | null | undefined): string =>
    `<tr id="${plain(`${owner}.${name}`)}"><td><code>${plain(name)}</code></td><td>${prose(description)}</td></tr>`;

function typeBody(schema: GraphQLSchema, type: GraphQLNamedType): string {
  if (isObjectType(type) || isInterfaceType(type)) {
    const interfaces = type.getInterfaces().map((each) => `<code>${typeLink(each)}</code>`);
    const words = interfaces.length === 0 ? '' : `<p>Implements ${interfaces.join(', ')}.</p>`;
    return words + table('Fields', Object.values(type.getFields()).map(fieldRow(type.name)));
  }
  if (isInputObjectType(type))
    return (
      (type.isOneOf ? '<p>Exactly one of its members is sent.</p>' : '') +
      table('Members', Object.values(type.getFields()).map(inputRow))
    );
  if (isUnionType(type))
    return `<p>One of ${schema
      .getPossibleTypes(type)
      .map((each) => `<code>${typeLink(each)}</code>`)
      .join(', ')}.</p>`;
  if (isScalarType(type) && typeof type.specifiedByURL === 'string')
    return `<p>Specified by <a href="${plain(type.specifiedByURL)}">${plain(type.specifiedByURL)}</a>.</p>`;
  if (!isEnumType(type)) return '';
  const asRow = memberRow(type.name);
  return table(
    'Values',
    type.getValues().map(({ name, description }) => asRow(name, description)),
  );
}

const typeSection =
  (schema: GraphQLSchema) =>
  (type: GraphQLNamedType): string =>
    `<section data-name="${plain(type.name.toLowerCase())}"><h3 id="${plain(type.name)}">${plain(type.name)}</h3><p>${prose(type.description)}</p>${typeBody(schema, type)}</section>`;

/** Type categories. Root types are excluded because their fields are listed by resource. */
const typeGroups = [
  ['Objects', isObjectType],
  ['Interfaces', isInterfaceType],
  ['Unions', isUnionType],
  ['Inputs', isInputObjectType],
  ['Enums', isEnumType],
  ['Scalars', isScalarType],
] as const;

function typeSections(schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !roots.some((root) => root === type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return typeGroups
    .map(([title, isOne]) => {
      const sections = types.filter((type) => isOne(type)).map(typeSection(schema));
      return `<h2 id="${title.toLowerCase()}">${title}</h2>${sections.join('')}`;
    })
    .join('');
}

/** Script that searches the page. It shows the sections whose names contain all search words. */
const script = `const box=document.getElementById('search'),count=document.getElementById('count'),sections=[...document.querySelectorAll('section[data-name]')];
const filter=()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let shown=0;for(const section of sections){section.hidden=!words.every(word=>section.dataset.name.includes(word));if(!section.hidden)shown++}
count.textContent=words.length===0?'':shown+' of '+sections.length+' shown'};
box.addEventListener('input',filter);addEventListener('hashchange',()=>{const target=document.getElementById(decodeURIComponent(location.hash.slice(1)));if(target?.closest('[hidden]')){box.value='';filter();target.scrollIntoView()}});document.getElementById('finder').hidden=false;`;

/** Script of the page. The content security policy allows the script by its hash. */
export const graphqlDocsScript = script;

/**
 * Returns the GraphQL reference page. The page lists the root fields by resource, with access, errors, an example, and
 * the cost of the example. All types follow.
 */
export function graphqlDocsPage(schema: GraphQLSchema, version: string): string {
  const kit: Kit = { schema, examples: new GraphqlExamples(schema), version };
  const capabilities = capabilitiesOf(rootFieldsOf(schema), kit.examples);
  const links = [
    ...capabilities.map(({ id, title }) => `<a href="#${plain(id)}">${plain(title)}</a>`),
    ...typeGroups.map(([title]) => `<a href="#${title.toLowerCase()}">${title}</a>`),
    '<a href="#errors">Errors</a>',
  ];
  const sections = capabilities.map(
    ({ id, title, description, fields }) =>
      `<h2 id="${plain(id)}">${plain(title)}</h2><p>${prose(description)}</p>${fields.map((root) => rootSection(kit, root)).join('')}`,
  );
  const errors = Object.entries(errorCodes).map(([each, { type, status, meaning }]) =>
    row(
      `<a href="${errorAddress(version, each)}"><code>${each}</code></a>`,
      String(status),
      `<code>${type}</code>`,
      prose(meaning),
    ),
  );
  return page(
    'Quittance GraphQL reference',
    `<header><h1>Quittance GraphQL reference</h1><p>Version ${plain(version)}, served at <code>/graphql</code>: queries and mutations over HTTP, live fields over ` +
      `server-sent events and WebSocket. Send the API key in the <code>x-api-key</code> header. IDs and amounts are examples. The schema is available as text at ` +
      `<a href="/graphql/schema.graphql">/graphql/schema.graphql</a>. For REST, see the <a href="/docs">API reference</a>.</p>` +
      `<p id="finder" role="search" hidden><label for="search">Search fields and types</label> <input id="search" type="search" autocomplete="off"> <span id="count" role="status"></span></p>` +
      `<nav aria-label="Contents">${links.join(' ')}</nav></header><main>${sections.join('')}${typeSections(schema)}` +
      `<h2 id="errors">Errors</h2><p>The code of an error is in <code>extensions.code</code>.</p><table>${errors.join('')}</table></main>`,
    script,
  );
}
