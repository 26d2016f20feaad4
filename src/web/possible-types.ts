import { readFileSync } from 'node:fs';
import { buildSchema, isAbstractType } from 'graphql';

/** Returns the object types of each interface and union in a schema file. For `Node`, these are all types with an ID. */
export function possibleTypesIn(file: string): Readonly<Record<string, readonly string[]>> {
  const schema = buildSchema(readFileSync(file, 'utf8'), { assumeValid: true });
  const types = Object.values(schema.getTypeMap()).filter(isAbstractType);
  return Object.fromEntries(
    types.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
  );
}
