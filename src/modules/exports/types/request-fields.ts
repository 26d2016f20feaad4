import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../graphql/builder.ts';
import { ExportFormat, ExportKind } from '../enums.ts';
import { ExportFilter } from './filter-inputs.ts';

const t = new InputFieldBuilder(builder, 'InputObject');

/** What is sent about a file, at once or by a schedule. */
export const requestFields = () => ({
  kind: t.field({ type: ExportKind, required: true, description: 'The list.' }),
  format: t.field({ type: ExportFormat, required: true, description: 'The format.' }),
  gzip: t.boolean({
    description:
      'Whether to compress the file; not for Parquet, which is compressed inside. Defaults to false.',
  }),
  columns: t.stringList({
    rule: { minItems: 1, maxItems: 200, minLength: 1, maxLength: 100 },
    description:
      'The columns in the order they are to have, as `exportColumns` names them. Defaults to all of them.',
  }),
  filter: t.field({
    type: ExportFilter,
    description: 'Only rows that pass; defaults to all. For a series what it takes.',
  }),
  search: t.string({
    rule: { minLength: 3, maxLength: 100 },
    description: 'Only rows with this text, for lists that are searched.',
  }),
});
