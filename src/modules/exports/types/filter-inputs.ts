import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../graphql/builder.ts';
import { isSeries, kindNames, kindOf } from '../find-kind.ts';
import { seriesKinds } from '../list-series.ts';

// What can be sent about the rows of a kind: the filter of its list, or the arguments of the root field of its series.

const nameOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}Arguments`;

type Declared = { readonly pothosOptions: object };

/** An input with the arguments of a root field. They are known once all root fields are. */
function argumentsInput(field: string) {
  const input = builder.inputType(nameOf(field), {
    description: `The arguments of \`${field}\`.`,
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

/** The inputs by kind; kinds without a filter have none. */
const inputOf = (name: string) => {
  const kind = kindOf(name);
  return isSeries(kind) ? inputs.get(kind.field) : kind.list?.filterInput;
};

const descriptionOf = (name: string): string => {
  const kind = kindOf(name);
  if (isSeries(kind))
    return `The range and the rest of what \`${kind.field}\` takes; only where these are exported.`;
  return `Which ${kind.list?.of} to write; only where these are exported.`;
};

export const ExportFilter = builder.inputType('ExportFilter', {
  description:
    'The filter of the list that is exported, or the arguments of the series, under the name of its kind.',
  fields: (t) =>
    Object.fromEntries(
      kindNames.flatMap((name) => {
        const type = inputOf(name);
        return type === undefined ? [] : [[name, t.field({ type, description: descriptionOf(name) })]];
      }),
    ),
});
