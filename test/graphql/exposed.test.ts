import { type GraphQLEnumType, getNamedType, isEnumType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as storedEnums from '../../src/generated/prisma/enums.ts';
import { fieldOfColumn } from '../../src/graphql/declare/exposed.ts';
import { modelFields } from '../../src/platform/db/datamodel.ts';
import { schema } from '../../src/schema.ts';

// A column's field has the type, nullability, and scale defined in the data model.

describe('the GraphQL field for a column', () => {
  it.each([
    ['Invoice', 'id', { type: 'ID', nullable: false }],
    ['Invoice', 'subscriptionId', { type: 'ID', nullable: true }],
    ['Customer', 'externalId', { type: 'String', nullable: true }],
    ['Invoice', 'status', { type: 'InvoiceStatus', nullable: false }],
    ['Invoice', 'paidAt', { type: 'DateTime', nullable: true }],
    ['Invoice', 'currency', { type: 'Currency', nullable: false }],
    ['Invoice', 'total', { type: 'SafeInt', nullable: false, amount: 'MINOR' }],
    ['MrrCustomerDay', 'after', { type: 'SafeInt', nullable: false, amount: 'RATE' }],
    ['CreditPack', 'credits', { type: 'SafeInt', nullable: false }],
  ])('has the type, nullability, and scale of %s.%s', (model, column, field) => {
    expect(fieldOfColumn(model, column)).toEqual({ amount: undefined, ...field });
  });

  it('must be marked as an amount or a count if the column is a big integer', () => {
    expect(() => fieldOfColumn('Invoice', 'creditedTax')).toThrow(
      'Invoice.creditedTax needs the mark @amount MINOR, @amount RATE or @count.',
    );
  });

  it('must be based on a column with a GraphQL type', () => {
    expect(() => fieldOfColumn('Invoice', 'amount')).toThrow('Invoice has no column amount.');
    expect(() => fieldOfColumn('Invoice', 'lines')).toThrow('Invoice.lines has no GraphQL type.');
  });
});

describe('an enum column', () => {
  const stored: Readonly<Record<string, Readonly<Record<string, string>>>> = storedEnums;

  /** Fields that expose an enum column, each with the column's enum and the field's enum. */
  const exposed = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap(
        ({ name, type: shown, extensions }): [string, string, GraphQLEnumType][] => {
          const column = modelFields
            .get(String(type.extensions['pothosPrismaModel']))
            ?.find((field) => field.name === extensions['pothosExposedField']);
          const named = getNamedType(shown);
          return column?.kind === 'enum' && isEnumType(named)
            ? [[`${type.name}.${name}`, column.type, named]]
            : [];
        },
      ),
    );

  it('is exposed by many fields', () => {
    expect(exposed.length).toBeGreaterThan(30);
  });

  it.each(exposed)('has all of its values in the schema, for %s', (_field, name, shown) => {
    const values = shown.getValues().map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining(Object.values(stored[name] ?? {})));
  });
});
