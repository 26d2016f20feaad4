import path from 'node:path';
import {
  type DocumentNode,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { costOf, limits } from '../../src/graphql/declare/limits.ts';
import { schema } from '../../src/schema.ts';
import { documentFiles } from '../../src/web/document-types.ts';
import { sentOperations } from '../../src/web/documents-plugin.ts';

const root = path.resolve(import.meta.dirname, '../..');
const operations = (
  await Promise.all((await documentFiles()).map((file) => sentOperations(path.join(root, file))))
).flat();

/** Returns a sample value for an input type. */
function sampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType);
  if (isListType(type)) return [sampleOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field, index) => (type.isOneOf ? index === 0 : isRequiredInputField(field)))
        .map((field) => [field.name, sampleOf(field.type)]),
    );
  if (/Int$/.test(type.name)) return 100;
  const samples: Readonly<Record<string, unknown>> = {
    Boolean: true,
    Date: '2026-01-01',
    DateTime: '2026-01-01T00:00:00.000Z',
    Decimal: '1',
    EventKind: 'customer.created',
    Float: 1,
    Json: {},
    TextMap: {},
    Timezone: 'UTC',
  };
  return samples[type.name] ?? 'x';
}

/** Returns variables for an operation: the largest allowed page sizes, and otherwise only required values. */
const variablesOf = ({ definitions }: DocumentNode): Record<string, unknown> =>
  Object.fromEntries(
    definitions
      .flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? (each.variableDefinitions ?? []) : []))
      .filter(({ type, variable }) => type.kind === Kind.NON_NULL_TYPE || variable.name.value === 'first')
      .map(({ type, variable }) => [
        variable.name.value,
        sampleOf(typeFromAST(schema, type as never) as unknown as GraphQLInputType),
      ]),
  );

describe('a GraphQL document in browser code', () => {
  it('is valid, and has at most one mutation', () => {
    expect(operations.length).toBeGreaterThan(5);
    const wrong = operations.flatMap(({ name, text }) =>
      validate(schema, parse(text)).map(({ message }) => `${name}: ${message}`),
    );
    const many = operations.filter(({ kind, text }) => {
      const [definition] = parse(text).definitions;
      const fields =
        definition !== undefined && 'selectionSet' in definition ? definition.selectionSet : null;
      return kind === 'mutation' && fields?.selections.length !== 1;
    });
    expect([wrong, many.map(({ name }) => name)]).toEqual([[], []]);
  });

  it('has a unique name that the browser uses to find its text', () => {
    const names = operations.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('loads rows too if it counts the rows of a list', () => {
    const counting = operations.filter(({ text }) => text.includes('marks('));
    expect(counting.length).toBeGreaterThan(10);
    expect(counting.filter(({ text }) => !text.includes('nodes @include(if: $rows)'))).toEqual([]);
  });

  it('costs less than the limit at its largest page size', () => {
    const costs = operations.map(({ name, text }) => ({
      name,
      cost: costOf(schema, parse(text), name, variablesOf(parse(text))),
      length: text.length,
    }));
    expect(costs.filter(({ cost, length }) => cost > limits.cost || length > limits.characters)).toEqual([]);
  });
});
