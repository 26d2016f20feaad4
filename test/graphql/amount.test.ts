import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type GraphQLOutputType, getNamedType, isObjectType, isUnionType } from 'graphql';
import { expect, it } from 'vitest';
import { scaleOf } from '../../src/graphql/declare/amount.ts';
import { restViews } from '../../src/graphql/declare/rest.ts';
import { schema } from '../../src/schema.ts';

// Each amount's unit in the contract must equal its scale in the schema description (GLO-6, GLO-14).

type ContractField = {
  name: string;
  unit?: string;
  ref?: string;
  fields?: ContractField[];
  items?: ContractField;
  variants?: { fields: ContractField[] }[];
};
type Resource = { name: string; fields?: ContractField[] };

const resources = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../contract/resources.json'), 'utf8'),
) as Resource[];
const scales: Readonly<Record<string, string>> = { minor: 'MINOR', rate_10000: 'RATE' };

/** Returns the amount fields below a type. Each field includes its scale in the contract and in the schema description. */
function amounts(
  type: GraphQLOutputType,
  fields: readonly ContractField[],
  at: string,
): { at: string; documented: string; carried: string }[] {
  const named = getNamedType(type);
  const types = isUnionType(named) ? named.getTypes() : isObjectType(named) ? [named] : [];
  return fields.flatMap((field) => {
    const nested =
      field.fields ??
      field.items?.fields ??
      (field.items?.variants ?? field.variants ?? []).flatMap((variant) => variant.fields);
    return types.flatMap((each) => {
      const found = each.getFields()[field.name];
      if (found === undefined) return [];
      const place = `${at}.${field.name}`;
      const documented = scales[field.unit ?? ''];
      const own =
        documented === undefined ? [] : [{ at: place, documented, carried: scaleOf(found) ?? 'none' }];
      return [...own, ...amounts(found.type, nested, place)];
    });
  });
}

it('the schema states the scale of every documented amount', () => {
  const emitted = [...restViews().values()].flatMap((view) => {
    const resource = resources.find(({ name }) => name === view.name);
    const type = schema.getType(view.type);
    return resource === undefined || !isObjectType(type)
      ? []
      : amounts(type, resource.fields ?? [], view.name);
  });
  expect(emitted.length).toBeGreaterThan(30);
  // Excludes unit prices. They can be fractions of a minor unit, so their scale differs.
  const others = emitted.filter(({ at }) => at !== 'Invoice.lineItems.unitAmount');
  expect(others.filter(({ documented, carried }) => documented !== carried)).toEqual([]);
});
