import type { GraphQLSchema } from 'graphql';
import { type JsonSchema, resolved } from '../rest/json-schema.ts';
import { Schemas } from '../rest/openapi-schemas.ts';
import type { OperationInput, ToolOperation } from './operations.ts';

// JSON Schemas of tools: complete for `describe_operation` and toolsets, and brief for the default list.

const prefix = '#/components/schemas/';

/** Replaces references to OpenAPI components with references to `$defs`, and collects the names. */
function withLocalReferences(value: unknown, names: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withLocalReferences(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== '$ref' || typeof inner !== 'string') return [key, withLocalReferences(inner, names)];
      const name = inner.slice(prefix.length);
      names.add(name);
      return [key, `#/$defs/${name}`];
    }),
  );
}

/** Adds the definitions that a schema refers to, directly or indirectly. */
function selfContained(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = new Set<string>();
  const local = withLocalReferences(schema, names) as JsonSchema;
  const definitions: Record<string, unknown> = {};
  // The set grows while it is iterated.
  for (const name of names) definitions[name] = withLocalReferences(components[name] ?? {}, names);
  return names.size === 0 ? local : { ...local, $defs: definitions };
}

const firstSentence = (text: string): string => text.split(/(?<=\.) /)[0] ?? '';

/** Keywords that remain in a brief schema. */
const briefKeywords = ['type', 'enum', 'const'];

/** Returns a schema with its type and the first sentence of its description. Omits the properties of objects. */
function brief(schema: JsonSchema): JsonSchema {
  const { description } = schema;
  const [reference] = (schema['allOf'] as JsonSchema[] | undefined) ?? [];
  const { items } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => briefKeywords.includes(keyword))),
    ...(schema['$ref'] === undefined && reference === undefined ? {} : { type: 'object' }),
    ...(items === undefined ? {} : { items: brief(items as JsonSchema) }),
    ...(typeof description === 'string' ? { description: firstSentence(description) } : {}),
  };
}

/** Arguments that every mutation accepts in addition to its inputs. */
const writeArguments: Readonly<Record<string, JsonSchema>> = {
  dryRun: {
    type: 'boolean',
    description: '`true` to return the result, events and payments without making any change.',
  },
  idempotencyKey: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'A repeated call with the same key returns the first result and changes nothing. Defaults to a key that lasts 10 minutes, derived from the arguments.',
  },
  approvalId: {
    type: 'string',
    description: 'ID of the approval of the call, from an earlier `approval_required` error.',
  },
};

/** Schemas and descriptions of the tools of a GraphQL schema. */
export class ToolSchemas {
  readonly #schemas: Schemas;

  constructor(schema: GraphQLSchema) {
    this.#schemas = new Schemas(schema);
  }

  #inputs(inputs: readonly OperationInput[], change: (schema: JsonSchema) => JsonSchema): JsonSchema {
    const required = inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(
        inputs.map(({ name, definition }) => [name, change(this.#schemas.input(definition))]),
      ),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  /** Returns the complete input schema. Rejects unknown arguments. */
  input({ inputs, isWrite }: ToolOperation): JsonSchema {
    const own = this.#inputs(inputs, (schema) => schema);
    const properties = { ...(own['properties'] as object), ...(isWrite ? writeArguments : {}) };
    return selfContained({ ...own, properties, additionalProperties: false }, this.#schemas.components);
  }

  /** Returns an input schema with only the required inputs and the listed optional inputs. The tool accepts all inputs of the operation. */
  briefInput({ inputs }: ToolOperation, named: readonly string[]): JsonSchema {
    return this.#inputs(
      inputs.filter(({ name, isRequired }) => isRequired || named.includes(name)),
      brief,
    );
  }

  /** Returns the schema of the result. `null` if the operation has no REST route, because its result is a GraphQL selection. */
  output({ route }: ToolOperation): JsonSchema | null {
    if (route === null) return null;
    const view = this.#schemas.view(route.view);
    const list = {
      type: 'object',
      properties: {
        object: { const: 'list' },
        data: { type: 'array', items: view },
        hasMore: { type: 'boolean' },
        nextCursor: { type: 'string' },
      },
      required: ['object', 'data', 'hasMore'],
    };
    const { components } = this.#schemas;
    return selfContained(route.shape === 'object' ? resolved(components, view) : list, components);
  }

  /** Returns the first sentence of the operation's description. */
  static summary({ field }: ToolOperation): string {
    return firstSentence(field.description ?? '');
  }
}
