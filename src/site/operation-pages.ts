import { type GraphQLSchema, getNamedType, isInputObjectType, parse } from 'graphql';
import type { Access } from '../graphql/declare/access.ts';
import { costOf, limits } from '../graphql/declare/limits.ts';
import { clientName } from '../rest/client-names.ts';
import { requestExampleOf } from '../rest/curl.ts';
import { type Capability, capabilitiesOf } from '../rest/graphql-capabilities.ts';
import { GraphqlExamples, type RootField, rootFieldsOf } from '../rest/graphql-examples.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import type { OpenApiOperation } from '../rest/openapi-operation.ts';
import { codesOf } from '../rest/operation.ts';
import { type Route, routesOf } from '../rest/routes.ts';
import { clientCall } from './client-call.ts';
import { blocks, codeBlock, firstSentence, inline, jsonBlock, kebab, table } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';
import { restOnlyPages, restSection } from './rest-section.ts';
import { accessSentence, inputRow, typeLink } from './schema-words.ts';

// Reference: a page for each root field with REST, TypeScript, and GraphQL side by side, and an index for each resource.

type Kit = {
  readonly schema: GraphQLSchema;
  readonly document: OpenApiDocument;
  readonly examples: GraphqlExamples;
};

const kindNames = { query: 'Query', mutation: 'Mutation', subscription: 'Live field' } as const;

const groupPath = ({ title }: Capability): string => `reference/${title.replaceAll(' ', '-')}`;

/** Returns the path of an operation's page. A live field can have the same name as a query. */
const operationPath = (group: Capability, { kind, field }: RootField): string =>
  `${groupPath(group)}/${kebab(field.name)}${kind === 'subscription' ? '-live' : ''}`;

const errorLink = (code: string): string => `[${inline(code)}](${addressOf(`errors/${code}`)})`;

/** Returns the REST operation of a route. Undefined for a route that was removed. */
const operationOf = ({ document }: Kit, route: Route): OpenApiOperation | undefined =>
  document.paths[route.path]?.[route.method.toLowerCase()];

function clientSection(route: Route): string {
  const { namespace, method } = clientName(route);
  return blocks(
    '## TypeScript',
    `${inline(`${namespace}.${method}`)} of the [TypeScript client](${addressOf('guides/sdk')}).`,
    codeBlock('ts', clientCall(route, requestExampleOf(route))),
  );
}

function graphqlSection({ schema, examples }: Kit, root: RootField): string {
  const { kind, field } = root;
  const { document, variables, answer } = examples.of(root);
  const cost = costOf(schema, parse(document), null, variables);
  const inputs = field.args.map(({ type }) => getNamedType(type)).filter(isInputObjectType);
  return blocks(
    '## GraphQL',
    `${kindNames[kind]} ${inline(field.name)} of the type ${typeLink(field.type)}.`,
    codeBlock('graphql', document),
    Object.keys(variables).length === 0 ? '' : blocks('Variables:', jsonBlock(variables)),
    blocks('Response:', jsonBlock(answer)),
    `The example costs ${cost} of the ${limits.cost} allowed per request.`,
    table(['Argument', 'Type', 'Description'], field.args.map(inputRow)),
    ...inputs.map((type) =>
      blocks(
        `### ${type.name}`,
        table(['Member', 'Type', 'Description'], Object.values(type.getFields()).map(inputRow)),
      ),
    ),
  );
}

function operationBody(kit: Kit, group: Capability, root: RootField): string {
  const { field } = root;
  const { access } = field.extensions as { readonly access?: Access };
  const route = kit.examples.routeOf(root);
  const operation = route === undefined ? undefined : operationOf(kit, route);
  const codes = route === undefined ? [] : codesOf(route);
  return blocks(
    `[Reference](${addressOf('reference')}) › [${group.title}](${addressOf(groupPath(group))})`,
    `${field.description ?? ''} ${accessSentence(access)}`.trim(),
    route === undefined || operation === undefined ? '' : restSection(kit.document, route, operation),
    route === undefined || operation === undefined ? '' : clientSection(route),
    graphqlSection(kit, root),
    codes.length === 0 ? '' : blocks('## Errors', codes.map(errorLink).join(', ')),
  );
}

const operationPage = (kit: Kit, group: Capability, root: RootField): SitePage => ({
  path: operationPath(group, root),
  title: root.field.name,
  description: firstSentence(root.field.description ?? ''),
  section: 'Reference',
  body: () => operationBody(kit, group, root),
});

/** Returns the table of a resource's operations. */
const operationsTable = (kit: Kit, group: Capability): string =>
  table(
    ['Operation', 'REST', 'Description'],
    group.fields.map((root) => {
      const route = kit.examples.routeOf(root);
      const isServed = route !== undefined && operationOf(kit, route) !== undefined;
      return [
        `[${inline(root.field.name)}](${addressOf(operationPath(group, root))})`,
        isServed ? inline(`${route.method} ${route.path}`) : '',
        firstSentence(root.field.description ?? ''),
      ];
    }),
  );

const groupPage = (kit: Kit, group: Capability): SitePage => ({
  path: groupPath(group),
  title: `${group.title.charAt(0).toUpperCase()}${group.title.slice(1)}`,
  description: group.description === '' ? `Operations on ${group.title}.` : group.description,
  section: 'Reference',
  body: () => blocks(group.description, operationsTable(kit, group)),
});

const introduction = `Each operation is a field of one GraphQL schema. The REST API and the TypeScript client call the same fields, so that access, errors, and results are the same.

- REST is available below \`/api/v1\`. The OpenAPI document is available at [\`/openapi.json\`](/openapi.json).
- GraphQL is available at [\`/graphql\`](/graphql): queries and mutations over HTTP, live fields over server-sent events and WebSocket.
- Send the API key in the \`x-api-key\` header. In the examples, the key is \`$KEY\`, and the service runs at \`http://127.0.0.1:4000\`.`;

/** Returns the pages of the reference: an index, a page for each resource, and a page for each operation. */
export function operationPages(schema: GraphQLSchema, document: OpenApiDocument): readonly SitePage[] {
  const examples = new GraphqlExamples(schema);
  const kit: Kit = { schema, document, examples };
  const groups = capabilitiesOf(rootFieldsOf(schema), examples);
  const index: SitePage = {
    path: 'reference',
    title: 'API reference',
    description: 'Every operation over REST, TypeScript, and GraphQL.',
    section: 'Reference',
    body: () =>
      blocks(
        introduction,
        `See also [GraphQL types](${addressOf('reference/types')}) and [REST objects](${addressOf('reference/objects')}).`,
        table(
          ['Resource', 'Description', 'Operations'],
          groups.map((group) => [
            `[${group.title}](${addressOf(groupPath(group))})`,
            group.description,
            String(group.fields.length),
          ]),
        ),
      ),
  };
  return [
    index,
    ...groups.flatMap((group) => [
      groupPage(kit, group),
      ...group.fields.map((root) => operationPage(kit, group, root)),
    ]),
    ...restOnlyPages(document, new Set(routesOf(schema).map(({ path }) => path))),
  ];
}
