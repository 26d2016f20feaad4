import { glob, readFile } from 'node:fs/promises';
import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { errorCodes } from '../src/domain/errors/errors.ts';
import { scaleOf } from '../src/graphql/declare/amount.ts';
import { errorsOf, generalErrors } from '../src/graphql/declare/field-errors.ts';
import { isNullOnlyOnError } from '../src/graphql/declare/nullability.ts';
import { printedSchema } from '../src/graphql/declare/print.ts';
import { schema } from '../src/schema.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

type Described = { readonly at: string; readonly description: string | null | undefined };

/** Returns a type, and all of its fields, arguments, and values that can have a description. */
function described(type: GraphQLNamedType): Described[] {
  const own: Described = { at: type.name, description: type.description };
  if (isEnumType(type))
    return [
      own,
      ...type.getValues().map(({ name, description }) => ({ at: `${type.name}.${name}`, description })),
    ];
  if (isInputObjectType(type)) {
    return [
      own,
      ...Object.values(type.getFields()).map(({ name, description }) => ({
        at: `${type.name}.${name}`,
        description,
      })),
    ];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  return [
    own,
    ...Object.values(type.getFields()).flatMap((field) => [
      { at: `${type.name}.${field.name}`, description: field.description },
      ...field.args.map(({ name, description }) => ({
        at: `${type.name}.${field.name}(${name})`,
        description,
      })),
    ]),
  ];
}

test('schema.graphql equals the printed schema (`npm run schema` updates it)', async () => {
  expect(printedSchema(schema)).toBe(await readFile('schema.graphql', 'utf8'));
});

test('the schema has a description for every type, field, argument, and enum value', () => {
  const missing = types.flatMap(described).filter(({ description }) => (description ?? '').trim().length < 5);
  expect(missing.map(({ at }) => at)).toEqual([]);
});

test('the schema states when each nullable field is null', () => {
  const silent = types.flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields())
      .filter(
        (field) =>
          !isNullOnlyOnError(field) &&
          !/\bnull\b|\bempty\b|\bnone\b|\bnever\b/i.test(field.description ?? ''),
      )
      .map((field) => `${type.name}.${field.name}: ${field.description}`);
  });
  expect(silent).toEqual([]);
});

test('the schema defines access rules for every root field', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).filter((field) => field.extensions['access'] === undefined),
  );
  expect(open.map(({ name }) => name)).toEqual([]);
});

test('the schema uses one input object per mutation and connections for lists', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const odd = mutations.filter(({ args }) => args.some(({ name }) => name !== 'input') || args.length > 1);
  // Mutations without parameters have no input.
  expect(odd.map(({ name }) => name)).toEqual([]);
  const inputs = mutations.flatMap(({ name, args }) =>
    args.map(({ type }) => [name, String(type).replace('!', '')] as const),
  );
  expect(
    inputs.filter(([name, type]) => type !== `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`),
  ).toEqual([]);
  const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
    args.some(({ name }) => name === 'first'),
  );
  expect(lists.filter(({ type }) => !/Connection!?$/.test(String(type))).map(({ name }) => name)).toEqual([]);
  expect(lists.length).toBeGreaterThanOrEqual(8);
});

/**
 * Fields that exceed 32 bits but aren't money: usage and included amounts, credits, positions, and prices in
 * millionths per token.
 */
const large: ReadonlySet<string> = new Set([
  ...['value', 'total', 'events', 'quantity', 'units', 'current', 'currentSeats', 'unitsUsed', 'usedAmount'],
  ...['included', 'includedAmount', 'includedUnits', 'remaining', 'remainingUnits', 'availableUnits'],
  ...['available', 'threshold', 'target', 'raise'],
  ...['billedQuantity', 'billedUnits', 'daysSalesOutstanding', 'overageAmount', 'overageQuantity'],
  ...['pendingRemovals', 'unitsPerUsd', 'lateUnits', 'credits', 'seq'],
  ...['tokens', 'outputTokens', 'upTo', 'includedPerWindow', 'cap', 'difference', 'waived'],
  ...['inputRate', 'outputRate', 'cacheReadRate', 'cacheWriteRate'],
  ...[
    'amount',
    'adjustment',
    'consumed',
    'deducted',
    'resulting',
    'newBalance',
    'previousBalance',
    'previousValue',
  ],
  ...['credits', 'creditCost', 'creditsPerUnit', 'creditsConsumed', 'creditsLost', 'estimatedCredits'],
  ...['includedCredits', 'planCredits', 'purchased', 'purchasedCredits', 'totalCredits'],
  ...['maxRedemptions', 'redemptionCount', 'discountValue', 'actual', 'expected', 'position'],
  ...['fromPosition', 'toPosition', 'count', 'next', 'maximum', 'bytes', 'rows', 'totalRows'],
  ...['per', 'grant', 'drawn', 'remainingCredits', 'expiredCredits', 'periodCredits', 'thresholdCredits'],
  ...['currentUsage', 'previousSeats', 'includedSeats', 'maxQuantity', 'minimum'],
]);

test('the schema uses SafeInt for money and integers that can exceed 2,147,483,647, and Int otherwise', () => {
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, field }))
      : [],
  );
  const safe = fields.filter(({ field }) => getNamedType(field.type).name === 'SafeInt');
  const unlisted = safe.filter(({ field }) => scaleOf(field) === undefined && !large.has(field.name));
  expect(unlisted.map(({ at }) => at)).toEqual([]);
  const used = new Set(safe.map(({ field }) => field.name));
  expect([...large].filter((name) => !used.has(name))).toEqual([]);
  const small = fields.filter(({ field }) => getNamedType(field.type).name === 'Int');
  expect(small.filter(({ field }) => scaleOf(field) !== undefined).map(({ at }) => at)).toEqual([]);
  const sizes = fields.flatMap(({ field }) => field.args.filter(({ name }) => name === 'first'));
  expect(new Set(sizes.map(({ type }) => String(type)))).toEqual(new Set(['Int']));
});

test("the schema declares every error mentioned in a root field's description", () => {
  const named = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) => {
      const text = [field, ...field.args].map(({ description }) => description ?? '').join(' ');
      const codes = [...text.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word);
      const known = codes.filter((code) => Object.hasOwn(errorCodes, code));
      const declared: ReadonlySet<string> = new Set([...errorsOf(field), ...generalErrors]);
      return known.filter((code) => !declared.has(code)).map((code) => `${field.name}: ${code}`);
    }),
  );
  expect(named).toEqual([]);
  const printed = printedSchema(schema);
  expect(printed).toContain('directive @errors(');
  expect(printed).toMatch(/ {2}\): Customer @errors\(codes: \[customer_not_found\]\) @semanticNonNull/);
});

test('the schema links each custom scalar to its specification', () => {
  const scalars = types.filter((type) => isScalarType(type));
  expect(scalars.map(({ name }) => name).sort()).toEqual([
    'BalanceMap',
    'CountMap',
    'Date',
    'DateTime',
    'Decimal',
    'Json',
    'LimitAmount',
    'SafeInt',
    'TextMap',
    'Timezone',
  ]);
  for (const { name, specifiedByURL } of scalars)
    expect(specifiedByURL, name).toMatch(/^https:\/\/www\.(rfc-editor|iana)\.org\//);
});

test('the schema accepts every GraphQL operation in the README and the docs', async () => {
  const found: string[] = [];
  for await (const file of glob(['README.md', 'docs/*.md'])) {
    const text = await readFile(file, 'utf8');
    for (const [, operation = ''] of text.matchAll(/```graphql\n([\s\S]*?)```/g)) {
      found.push(file);
      expect(
        validate(schema, parse(operation)).map(({ message }) => message),
        `${file}: ${operation}`,
      ).toEqual([]);
    }
  }
  expect(found.length).toBeGreaterThan(3);
});
