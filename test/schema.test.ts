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
import { errorCodes } from '../src/domain/errors.ts';
import { scaleOf } from '../src/graphql/amount.ts';
import { errorsOf, generalErrors } from '../src/graphql/field-errors.ts';
import { isNullOnlyOnError } from '../src/graphql/nullability.ts';
import { printedSchema } from '../src/graphql/print.ts';
import { schema } from '../src/schema.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

type Described = { readonly at: string; readonly description: string | null | undefined };

/** A type and everything below it that can carry a description. */
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

test('the printed schema is the committed one; npm run schema writes it', async () => {
  expect(printedSchema(schema)).toBe(await readFile('schema.graphql', 'utf8'));
});

test('everything in it is described', () => {
  const missing = types.flatMap(described).filter(({ description }) => (description ?? '').trim().length < 5);
  expect(missing.map(({ at }) => at)).toEqual([]);
});

test('every field that can be null says when it is', () => {
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

test('every root field says who may call it', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).filter((field) => field.extensions['access'] === undefined),
  );
  expect(open.map(({ name }) => name)).toEqual([]);
});

test('root fields begin with the noun, writes take one input object, and lists are connections', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const odd = mutations.filter(({ args }) => args.some(({ name }) => name !== 'input') || args.length > 1);
  // What has nothing to say takes no input at all.
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

/** What is neither money nor small: usage and its allowances, credits, positions, and prices in millionths of a token. */
const large: ReadonlySet<string> = new Set([
  ...['value', 'events', 'quantity', 'units', 'current', 'currentSeats', 'unitsUsed', 'usedAmount'],
  ...['included', 'includedAmount', 'includedUnits', 'remaining', 'remainingUnits', 'availableUnits'],
  ...['billedQuantity', 'billedUnits', 'daysSalesOutstanding', 'overageAmount', 'overageQuantity'],
  ...['pendingRemovals', 'unitsPerUsd', 'lateUnits', 'credits', 'seq'],
  ...['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'],
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
  ...['fromPosition', 'toPosition', 'count', 'maximum', 'bytes', 'rows', 'totalRows'],
]);

test('whole numbers are Int, and SafeInt where they are money or can be larger than 2 147 483 647', () => {
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

test('the errors that the description of a root field names are declared for it', () => {
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

test('every scalar of ours names its specification', () => {
  const scalars = types.filter((type) => isScalarType(type));
  expect(scalars.map(({ name }) => name).sort()).toEqual([
    'BalanceMap',
    'CountMap',
    'Date',
    'DateTime',
    'Json',
    'SafeInt',
    'TextMap',
    'Timezone',
  ]);
  for (const { name, specifiedByURL } of scalars)
    expect(specifiedByURL, name).toMatch(/^https:\/\/www\.(rfc-editor|iana)\.org\//);
});

test('operations in documents fit the schema', async () => {
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
