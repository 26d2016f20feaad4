import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { scalars } from '../../examples/codegen.ts';
import { schema } from '../../src/schema.ts';

it("the code generation example maps exactly the schema's scalars", () => {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  expect(Object.keys(scalars).sort()).toEqual(['ID', ...own.map(({ name }) => name)].sort());
});
