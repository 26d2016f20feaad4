import type { GraphQLSchema } from 'graphql';
import { QuittanceError, specificError } from '../domain/errors/errors.ts';
import { type Area, areas } from '../domain/limits/permissions.ts';
import type { RequestContext } from '../request/context.ts';
import type { JsonSchema } from '../rest/json-schema.ts';
import { defaultTools } from './default-tools.ts';
import { isOffered, operationsOf, type ToolOperation } from './operations.ts';
import { ToolSchemas } from './tool-schemas.ts';

/** Tool as listed to a client. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations?: Readonly<Record<string, boolean>>;
};

/** Tools that a client requests in the endpoint's URL: the default list, or all tools of areas. */
export type Selection = {
  /** Areas whose complete tools are listed. `null` if the default list is requested. */
  readonly areas: readonly Area[] | null;
  readonly isReadOnly: boolean;
};

/** Reads the query string of the endpoint. Throws `validation_error` for an unknown area. */
export function selectionIn(search: string): Selection {
  const query = new URLSearchParams(search);
  const requested = query.get('toolsets')?.split(',') ?? null;
  const unknown = requested?.find((name) => name !== 'all' && !areas.some((area) => area === name));
  if (unknown !== undefined)
    throw specificError('validation_error', 'toolset', { values: { toolset: unknown }, param: 'toolsets' });
  return {
    areas:
      requested === null
        ? null
        : areas.filter((area) => requested.includes('all') || requested.includes(area)),
    isReadOnly: query.get('readonly') === '1',
  };
}

const isDestructive = ({ name }: ToolOperation): boolean =>
  /_(?:cancel|delete|remove|revoke|erase|reset|refund|void|clear|archive)$/.test(name) ||
  name === 'sandbox_reset';

/** Operations that charge a payment method or send an email. */
const isOpenWorld = ({ name }: ToolOperation): boolean =>
  /^(?:subscription_|payment_|transaction_|invoice_send|webhook|payout_|connected_)/.test(name);

const annotationsOf = (operation: ToolOperation): Readonly<Record<string, boolean>> =>
  operation.isWrite
    ? {
        readOnlyHint: false,
        destructiveHint: isDestructive(operation),
        idempotentHint: true,
        openWorldHint: isOpenWorld(operation),
      }
    : { readOnlyHint: true, openWorldHint: false };

const text = (description: string): JsonSchema => ({ type: 'string', description });

/** Tools that find, describe, and call any operation, regardless of the tool list. */
const helpers: readonly ListedTool[] = [
  {
    name: 'find_operations',
    description: 'Finds operations by words in their names and descriptions.',
    inputSchema: { type: 'object', properties: { words: text('Words to find.') }, required: ['words'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'describe_operation',
    description: 'Returns the complete input and output schemas of an operation.',
    inputSchema: {
      type: 'object',
      properties: { operation: text('Name of the operation.') },
      required: ['operation'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_operation',
    description: 'Calls any operation that the API key can call.',
    inputSchema: {
      type: 'object',
      properties: {
        operation: text('Name of the operation.'),
        arguments: {
          type: 'object',
          description:
            'Arguments of the operation. Mutations also accept `dryRun`, `idempotencyKey`, and `approvalId`.',
        },
      },
      required: ['operation'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'search_docs',
    description: 'Searches the documentation and returns matching paragraphs.',
    inputSchema: { type: 'object', properties: { words: text('Words to find.') }, required: ['words'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

/** Operation with its score for a search. */
type Scored = { readonly operation: ToolOperation; readonly score: number };

/** Maximum number of operations that a search returns. */
const maxFound = 20;

/** Tools of a schema. Schemas are created once per process. */
export class Tools {
  readonly #operations: ReadonlyMap<string, ToolOperation>;
  readonly #schemas: ToolSchemas;
  readonly #complete = new Map<string, ListedTool>();

  constructor(schema: GraphQLSchema) {
    this.#operations = new Map(operationsOf(schema).map((operation) => [operation.name, operation]));
    this.#schemas = new ToolSchemas(schema);
  }

  /** Returns an operation that the caller can call. Throws `not_found` for an unknown name, and `forbidden` for an operation that isn't offered. */
  operation(ctx: RequestContext, name: string): ToolOperation {
    const operation = this.#operations.get(name);
    if (operation === undefined) throw specificError('not_found', 'tool', { values: { name } });
    if (!isOffered(operation, ctx)) throw new QuittanceError('forbidden');
    return operation;
  }

  /** Returns the tools that the caller can call, in the order of their names, followed by the helper tools. */
  list(ctx: RequestContext, { areas: selected, isReadOnly }: Selection): ListedTool[] {
    const offered = [...this.#operations.values()].filter(
      (operation) => isOffered(operation, ctx) && !(isReadOnly && operation.isWrite),
    );
    const listed =
      selected === null
        ? offered.flatMap((operation) => this.#brief(operation))
        : offered.filter(({ area }) => selected.includes(area)).map((operation) => this.#whole(operation));
    return [...listed, ...helpers.filter(({ name }) => !(isReadOnly && name === 'call_operation'))];
  }

  /** Returns the schemas of an operation. */
  describe(operation: ToolOperation): Record<string, unknown> {
    const { inputSchema, outputSchema } = this.#whole(operation);
    const { field, area, isWrite, access } = operation;
    return {
      name: operation.name,
      area,
      kind: isWrite ? 'mutation' : 'query',
      scopes: typeof access.scope === 'string' ? [access.scope] : access.scope,
      description: field.description ?? '',
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    };
  }

  /** Returns the operations that contain the search words, best match first. */
  find(ctx: RequestContext, words: string): Record<string, unknown> {
    const wanted = words
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => word !== '');
    const scored = [...this.#operations.values()]
      .filter((operation) => isOffered(operation, ctx))
      .map((operation): Scored => {
        const names = operation.name.split('_');
        const description = (operation.field.description ?? '').toLowerCase();
        const score = wanted.reduce(
          (sum, word) =>
            sum +
            (names.includes(word) ? 3 : names.some((name) => name.startsWith(word.slice(0, 5))) ? 2 : 0) +
            (description.includes(word) ? 1 : 0),
          0,
        );
        return { operation, score };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    return {
      operations: scored.slice(0, maxFound).map(({ operation }) => ({
        name: operation.name,
        area: operation.area,
        description: ToolSchemas.summary(operation),
      })),
    };
  }

  #brief(operation: ToolOperation): ListedTool[] {
    const named = defaultTools[operation.name];
    if (named === undefined) return [];
    return [
      {
        name: operation.name,
        description: ToolSchemas.summary(operation),
        inputSchema: { type: 'object', ...this.#schemas.briefInput(operation, named) },
      },
    ];
  }

  #whole(operation: ToolOperation): ListedTool {
    return this.#complete.getOrInsertComputed(operation.name, () => {
      const output = this.#schemas.output(operation);
      return {
        name: operation.name,
        description: ToolSchemas.summary(operation),
        inputSchema: { type: 'object', ...this.#schemas.input(operation) },
        ...(output?.['type'] === 'object' ? { outputSchema: { type: 'object', ...output } } : {}),
        annotations: annotationsOf(operation),
      };
    });
  }
}
