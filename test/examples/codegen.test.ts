import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { scalars } from '../../examples/codegen.ts';
import { schema } from '../../src/schema.ts';

it('says what every scalar of the schema is, and no other', () => {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  expect(Object.keys(scalars).sort()).toEqual(['ID', ...own.map(({ name }) => name)].sort());
});
