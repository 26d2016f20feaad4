import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../../graphql/reading/builder.ts';
import { isSeries, kindNames, kindOf } from '../find-kind.ts';
import { seriesKinds } from '../list-series.ts';

// Filter inputs of export types: the filter of the list, or the arguments of the series' root field.

const nameOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}Arguments`;

type Declared = { readonly pothosOptions: object };

/** Creates an input type with the arguments of a root field. Deferred until all root fields are declared. */
function argumentsInput(field: string) {
  const input = builder.inputType(nameOf(field), {
    description: `Arguments of \`${field}\`.`,
    fields: () => ({}),
  });
  const { configStore } = builder;
  configStore.onPrepare(() => {
    const declared = configStore.getFields('Query', 'Object').get(field)?.args ?? {};
    const t = new InputFieldBuilder(builder, 'InputObject');
    configStore.addInputFields(input, () =>
      Object.fromEntries(
        Object.entries(declared).map(([name, { pothosOptions }]: [string, Declared]) => [
          name,
          t.field(pothosOptions as { type: 'String' }),
        ]),
      ),
    );
  });
  return input;
}

const inputs = new Map(
  [...new Set(Object.values(seriesKinds).map(({ field }) => field))].map((field) => [
    field,
    argumentsInput(field),
  ]),
);

/** Returns the filter input of an export type. */
const inputOf = (name: string) => {
  const kind = kindOf(name);
  return isSeries(kind) ? inputs.get(kind.field) : kind.list?.filterInput;
};

const descriptionOf = (name: string): string => {
  const kind = kindOf(name);
  if (isSeries(kind))
    return `Date range and other arguments of \`${kind.field}\`. Only allowed if \`kind\` is \`${name}\`.`;
  return `Filter for ${kind.list?.of}. Only allowed if \`kind\` is \`${name}\`.`;
};

export const ExportFilter = builder.inputType('ExportFilter', {
  description:
    'Filter for the exported list, or arguments of the exported series. Set the field whose name matches the value of `kind`.',
  fields: (t) =>
    Object.fromEntries(
      kindNames.flatMap((name) => {
        const type = inputOf(name);
        return type === undefined ? [] : [[name, t.field({ type, description: descriptionOf(name) })]];
      }),
    ),
});
