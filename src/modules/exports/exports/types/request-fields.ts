import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../../graphql/reading/builder.ts';
import { searchRule } from '../../../../graphql/reading/lists.ts';
import { ExportFormat, ExportKind } from '../enums.ts';
import { ExportFilter } from './filter-inputs.ts';

const t = new InputFieldBuilder(builder, 'InputObject');

/** Fields shared by one-time exports and schedules. */
export const requestFields = () => ({
  kind: t.field({ type: ExportKind, required: true, description: 'Type of data to export.' }),
  format: t.field({ type: ExportFormat, required: true, description: 'Format of the files.' }),
  gzip: t.boolean({
    description:
      'Whether to compress the files with gzip. Not available for Parquet, which is compressed internally. Defaults to `false`.',
  }),
  columns: t.stringList({
    rule: { minItems: 1, maxItems: 200, minLength: 1, maxLength: 100 },
    description:
      'Columns to export, in this order. Use `exportColumns` to list the available columns. Defaults to all columns. From 1 to 200 values.',
  }),
  filter: t.field({
    type: ExportFilter,
    description: 'Filter for the rows of a list, or arguments of a series. Defaults to all rows.',
  }),
  search: t.string({
    rule: searchRule,
    description: 'Text to search for. Only available for lists that support search.',
  }),
});
