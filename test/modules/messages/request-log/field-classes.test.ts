import { type GraphQLType, getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { maskClassOf } from '../../../../src/domain/requests/masked-fields.ts';
import { schema } from '../../../../src/schema.ts';

// Every field that can contain a text is listed with its class, so that a new field is reviewed before its values are stored in the request log.

const textTypes = new Set(['String', 'ID', 'Json']);

const typeNameOf = (type: GraphQLType): string => getNamedType(type).name;

test('text fields of the schema have the reviewed classes', async () => {
  const names = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (!isObjectType(type) && !isInputObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (textTypes.has(typeNameOf(field.type))) names.add(field.name);
      if ('args' in field)
        for (const { name, type: argument } of field.args)
          if (textTypes.has(typeNameOf(argument))) names.add(name);
    }
  }
  const classes = [...names].sort().map((name) => `${name}: ${maskClassOf(name, 'customer') ?? 'stored'}`);
  expect(classes.length).toBeGreaterThan(200);
  await expect(`${classes.join('\n')}\n`).toMatchFileSnapshot('./field-classes.txt');
});
